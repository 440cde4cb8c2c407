pub use dep::step;
