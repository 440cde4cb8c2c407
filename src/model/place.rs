//! Where in the source something is.

use crate::reason::Reason;
use crate::version::Both;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// A stretch of the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extent {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// A function on the way to changed code, and where it calls the next one. The last one is what
/// changed, and its place is that of its definition. The file is empty where none is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    pub function: String,
    pub file: String,
    pub line: u32,
}

/// A part of the client that may contain a change: nothing outside of it can tell the versions apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundary {
    pub kind: BoundaryKind,
    pub function: String,
    pub first_line: u32,
    pub last_line: u32,
}

/// From small to large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundaryKind {
    Call,
    Loop,
    /// The statements that belong to the call.
    Part,
    Function,
    Caller,
}

/// Something that is not the same in the two versions by itself, whatever it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedItem {
    pub name: String,
    pub kind: ChangeKind,
    pub item: ItemKind,
    pub file: String,
    pub line: u32,
    /// What is different. None: all of it, because only one of the versions has it.
    pub what: Option<ChangedPart>,
    /// None: the standard library's.
    pub owner: Option<Owner>,
    /// Where its source stands in each version, of a function that both have.
    pub source: Option<Both<SourceLines>>,
}

/// Whole lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLines {
    pub file: String,
    pub first: u32,
    pub last: u32,
}

/// The package whose source something stands in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// Why it counts, in a package that both versions have. None: its package moves.
    pub counts: Option<WhyItCounts>,
    pub package: String,
    pub version: String,
}

/// Why code of a package that does not move is not the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WhyItCounts {
    /// It is an instance for a type that is not what it was.
    Instance(String),
    /// Its package is built with other features.
    Features,
    /// The same source gives other code: by macros, build scripts, or constants of what moves.
    Generated,
}

/// What of something is not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedPart {
    Body,
    /// The code is not Rust, and moves with the upgrade.
    ForeignCode,
    /// There is no code to compare, for this reason.
    NoCode(Reason),
    /// A function without a body does something else.
    Meaning,
    /// The fields, variants or layout of a type.
    Form,
    Value,
    /// The methods of a trait object.
    Methods,
    /// It calls another function than before: this one.
    Callee(String),
    /// A constant in it.
    Constant,
    /// A type in it is another one than before: this one.
    Type(String),
    /// Something else that it refers to.
    Reference,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    Changed,
    Added,
    Removed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemKind {
    Function,
    Type,
    Static,
    Constant,
}
