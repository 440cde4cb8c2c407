pub use dep::Kind;
