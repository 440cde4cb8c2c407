//! Where in the source something is.

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
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
pub struct Step {
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
    /// What is different, in a few words.
    pub what: String,
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
