pub use dep::*;
