pub use dep::double;
