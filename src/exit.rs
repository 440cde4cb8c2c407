//! The exit codes, which are a promise to scripts.

/// How a run of `cargo cse` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Every upgrade is equivalent.
    Equivalent = 0,
    /// The command line could not be understood.
    Usage = 2,
    /// An upgrade is different.
    Different = 100,
    /// The run could not be completed, for at least one upgrade, and none is known to be different.
    Incomplete = 101,
    /// An upgrade is unknown, and none is different.
    Unknown = 102,
}
