//! A program: everything that one build of the client can reach from its entry points.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    CrateId, FileId, FnId, Function, Local, LocalId, MemoryId, Operand, OutsideType, Projection,
    StaticId, TyId, Type, TypeKind, VTableId,
};

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
    /// Assembly outside of functions: its text or, where the compiler does not keep that, the name of
    /// the compiled crate, which stands for all that it was built from.
    pub assembly: Vec<String>,
    pub linking: Linking,
    /// Paths as the compiler was given them: relative to the workspace for its members.
    pub files: Vec<String>,
    /// The structs, enums and unions in the signatures of entry points, as other crates see them.
    pub outside: BTreeMap<TyId, OutsideType>,
}

/// What the linker is given beside Rust code, as far as the packages of a build decide it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linking {
    /// Where libraries are searched, in order, with the kind before the path as in `native=/a/b`.
    pub searched: Vec<String>,
    /// The libraries that attributes and build scripts name, with kind and modifiers, in the order of
    /// crates.
    pub libraries: Vec<String>,
    /// Arguments for the linker itself, in the order of crates.
    pub arguments: Vec<String>,
}

/// A crate that some function of the program comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crate {
    pub name: String,
    /// None for the standard library.
    pub package: Option<Package>,
    pub origin: Origin,
    /// The features of its package that it was built with.
    pub features: Vec<String>,
}

/// The package that cargo built a crate from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Package {
    pub name: String,
    pub version: String,
    pub manifest_dir: String,
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
    /// What stands before the parentheses where another crate calls it, such as `::client::f` or
    /// `<::client::S>::method`. None: it cannot be called so.
    pub call: Option<String>,
    pub listing: Listing,
}

/// When a report lists an entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Listing {
    Always,
    /// What follows from other items, such as the drop of a type in a signature: only where it is not
    /// what it was.
    IfChanged,
    /// One more path to the entry point or item of this name: only where it leads elsewhere now.
    IfRedirected(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    /// What callers see of an item apart from code: types, and what a public path leads to.
    Signature,
    /// Where and how the linker finds something: its section, linkage and calling convention.
    Linkage,
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

    /// From the first of all to the last, in the file of the first that is known.
    pub fn around(spans: impl IntoIterator<Item = Span>) -> Span {
        let mut spans = spans.into_iter().filter(|span| span.is_known());
        let Some(mut all) = spans.next() else {
            return Span::UNKNOWN;
        };
        for span in spans.filter(|span| span.file == all.file) {
            (all.line, all.column) = (all.line, all.column).min((span.line, span.column));
            let end = (all.end_line, all.end_column).max((span.end_line, span.end_column));
            (all.end_line, all.end_column) = end;
        }
        all
    }
}

impl Program {
    /// The lines of a function in its file, the first and the last. None: they are not known.
    pub fn lines_of(&self, function: &Function) -> Option<(&str, u32, u32)> {
        let edges = function.cfa()?.edges.iter().map(|edge| edge.span);
        let own = edges.filter(|span| span.line >= function.span.line);
        let span = Span::around([function.span].into_iter().chain(own));
        let last = span.end_line.max(span.line);
        function.span.is_known().then(|| (self.file(function.span), span.line, last))
    }

    /// Each crate that cargo built, with its package.
    pub fn packages(&self) -> impl Iterator<Item = (&Crate, &Package)> {
        self.crates.iter().filter_map(|krate| Some((krate, krate.package.as_ref()?)))
    }

    pub fn function(&self, id: FnId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn ty(&self, id: TyId) -> &Type {
        &self.types[id.index()]
    }

    /// The type of a place, given those of the locals; none where the type of a part is not known.
    pub fn place_type(
        &self,
        locals: &[Local],
        local: LocalId,
        projections: &[Projection],
    ) -> Option<TyId> {
        let mut ty = locals.get(local.index())?.ty;
        let mut variant = 0;
        for projection in projections {
            let kind = &self.ty(ty).kind;
            ty = match (projection, kind) {
                (
                    Projection::Deref,
                    TypeKind::Reference { to, .. } | TypeKind::RawPointer { to, .. },
                ) => *to,
                (Projection::Field(field), TypeKind::Struct(only) | TypeKind::Union(only)) => {
                    only.fields.get(*field as usize)?.ty
                }
                (Projection::Field(field), TypeKind::Enum(variants)) => {
                    variants.get(variant as usize)?.fields.get(*field as usize)?.ty
                }
                (Projection::Field(field), TypeKind::Tuple(parts)) => {
                    *parts.get(*field as usize)?
                }
                (Projection::Field(field), TypeKind::Closure { captures, .. }) => {
                    *captures.get(*field as usize)?
                }
                (Projection::Variant(number), _) => {
                    variant = *number;
                    continue;
                }
                (
                    Projection::Index(_) | Projection::ConstantIndex { .. },
                    TypeKind::Array(element, _) | TypeKind::Slice(element),
                ) => *element,
                (Projection::Subslice { .. }, TypeKind::Slice(_)) => ty,
                (Projection::Cast(to), _) => *to,
                _ => return None,
            };
            variant = 0;
        }
        Some(ty)
    }

    /// The type of an operand, given those of the locals; none where it is not known.
    pub fn operand_type(&self, locals: &[Local], operand: &Operand) -> Option<TyId> {
        match operand {
            Operand::Read(place) => self.place_type(locals, place.local, &place.projections),
            Operand::Const(constant) => Some(constant.ty()),
        }
    }

    /// Whether values of the type have no content. Errs towards no.
    pub fn is_zero_sized(&self, id: TyId) -> bool {
        let ty = self.ty(id);
        match &ty.kind {
            TypeKind::FnItem(_) => true,
            _ => ty.layout.as_ref().is_some_and(|layout| layout.size == 0),
        }
    }

    pub fn origin(&self, krate: CrateId) -> Origin {
        self.crates[krate.index()].origin
    }

    pub fn file(&self, span: Span) -> &str {
        self.files.get(span.file.index()).map_or("", String::as_str)
    }
}
