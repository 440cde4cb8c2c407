pub use dep::LENGTH;
