pub use dep::steps;
