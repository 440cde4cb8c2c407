pub use dep::Current;
