pub use dep::Shout;
