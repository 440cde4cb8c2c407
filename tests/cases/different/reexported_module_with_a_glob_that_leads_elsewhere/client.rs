pub use dep;
