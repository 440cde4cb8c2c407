//! cargo cse: does a dependency upgrade change what *this* crate does?
pub mod cfa;
pub mod report;
