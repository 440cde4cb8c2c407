//! A program: everything that one build of the client can reach from its entry points.

use serde::{Deserialize, Serialize};

use super::{CrateId, FileId, FnId, Function, MemoryId, StaticId, TyId, Type, VTableId};

/// What one target (the library or one binary) of the client reaches in one build.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    pub functions: Vec<Function>,
    pub types: Vec<Type>,
    pub memories: Vec<Memory>,
    pub statics: Vec<Static>,
    pub vtables: Vec<VTable>,
    pub entries: Vec<Entry>,
    /// The first one is the crate that was compiled.
    pub crates: Vec<Crate>,
    /// Paths as the compiler was given them: relative to the workspace for its members.
    pub files: Vec<String>,
}

/// A crate that some function of the program comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crate {
    pub name: String,
    /// The package's version, where cargo built it; none for the standard library.
    pub version: Option<String>,
    pub origin: Origin,
}

/// Whose code a crate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// A member of the user's workspace.
    Client,
    Dependency,
    /// Shipped with the compiler, so the same on both sides.
    Std,
}

/// Something outside callers can use of the client, and so where a difference can show.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    pub name: String,
    pub kind: EntryKind,
    pub target: EntryTarget,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryKind {
    /// `main` of a binary.
    Main,
    /// A function or method that other crates can name.
    Function,
    /// A symbol that is exported to the linker.
    Exported,
    /// An item of another crate that the client re-exports.
    Reexport,
    /// What dropping a public type runs.
    Drop,
    /// A public constant or static: its value shows.
    Value,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum EntryTarget {
    Function(FnId),
    Static(StaticId),
    Constant(MemoryId),
}

/// Bytes of an evaluated constant, with the pointers inside them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Memory {
    pub bytes: Vec<u8>,
    /// Ranges of `bytes` that are uninitialised, as start and end.
    pub uninit: Vec<(u32, u32)>,
    /// Where a pointer starts in `bytes`, and where it points; the bytes there are its offset.
    pub pointers: Vec<(u32, Pointee)>,
    pub align: u32,
    pub mutable: bool,
}

/// What a pointer in a constant points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pointee {
    Memory(MemoryId),
    Static(StaticId),
    Function(FnId),
    VTable(VTableId),
    /// Not an address: the opaque identity that `TypeId::of` gives.
    TypeIdentity(TyId),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Static {
    pub name: String,
    pub krate: CrateId,
    pub ty: TyId,
    pub thread_local: bool,
    /// None for a static of foreign code.
    pub initial: Option<MemoryId>,
    pub span: Span,
}

/// The functions that a trait object of one type carries.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VTable {
    pub ty: TyId,
    /// The trait object's type, by its name.
    pub dyn_name: String,
    pub drop: Option<FnId>,
    /// One a slot; none where the method is not callable on a trait object or is a nested vtable.
    pub methods: Vec<Option<FnId>>,
}

/// A place in the source. Line and column count from 1; line 0 says that none is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Span {
    pub const UNKNOWN: Span =
        Span { file: FileId(0), line: 0, column: 0, end_line: 0, end_column: 0 };

    pub fn is_known(self) -> bool {
        self.line != 0
    }
}

impl Program {
    pub fn function(&self, id: FnId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn ty(&self, id: TyId) -> &Type {
        &self.types[id.index()]
    }

    pub fn origin(&self, krate: CrateId) -> Origin {
        self.crates[krate.index()].origin
    }

    pub fn file(&self, span: Span) -> &str {
        self.files.get(span.file.index()).map_or("", String::as_str)
    }
}
