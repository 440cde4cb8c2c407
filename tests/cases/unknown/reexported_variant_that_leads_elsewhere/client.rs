pub use dep::First;
