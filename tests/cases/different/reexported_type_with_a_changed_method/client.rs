pub use dep::Id;
