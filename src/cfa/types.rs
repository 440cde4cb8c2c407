//! Types: monomorphic, with the shape that the compiler gave them.

use serde::{Deserialize, Serialize};

use super::{FnId, StdType, TyId};

/// A type and its shape. In generic form a type can have parameters and then has no layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Type {
    /// The same in both versions: paths without crate hashes, parameters by position.
    pub name: String,
    pub kind: TypeKind,
    pub layout: Option<Layout>,
    /// Which well-known type of the standard library it is, if it is one.
    pub std: Option<StdType>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TypeKind {
    Bool,
    Char,
    Int {
        bits: u32,
        signed: bool,
    },
    Float {
        bits: u32,
    },
    Never,
    Str,
    Slice(TyId),
    Array(TyId, ArrayLen),
    Tuple(Vec<TyId>),
    Reference {
        to: TyId,
        mutable: bool,
    },
    RawPointer {
        to: TyId,
        mutable: bool,
    },
    FnPointer {
        /// Safety and calling convention.
        header: String,
        /// The parameters, then the result.
        types: Vec<TyId>,
    },
    /// The zero-sized type of a function item.
    FnItem(FnId),
    /// Whoever holds a value of the type can run its body.
    Closure {
        captures: Vec<TyId>,
        body: FnId,
    },
    /// What an async block or function makes. Its body goes on where it last gave up control: a value
    /// is in one of many states, and holds what lives across the point where it stopped.
    Coroutine {
        captures: Vec<TyId>,
        /// What a value can hold besides, in one state or another.
        saved: Vec<TyId>,
        body: FnId,
    },
    Struct(Variant),
    Enum(Vec<Variant>),
    Union(Variant),
    Dyn,
    /// A parameter, or a projection from one; only in generic form. Of a projection, what the impls
    /// give for it that callers can use, as a [`Body::Supplied`](super::Body::Supplied).
    Parameter {
        given: Option<FnId>,
    },
    /// A type that the representation does not open up; equal only by its description.
    Opaque(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ArrayLen {
    Known(u64),
    /// A const parameter, or an expression over one; only in generic form.
    Generic(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Variant {
    pub name: String,
    /// The bits of the discriminant; 0 for structs and unions.
    pub discriminant: u128,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Field {
    pub name: String,
    pub ty: TyId,
    /// Whether code of other crates that has a value can name the field.
    pub public: bool,
}

/// Where the parts of a value lie, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
    /// The offsets of the fields; for an enum, of each variant in turn.
    pub offsets: Vec<Vec<u64>>,
    pub tag: Option<Tag>,
    /// The first and the last number that a value of a restricted number type can be, where the
    /// last may come before the first: then it goes on at 0.
    pub valid: Option<(u128, u128)>,
}

/// How an enum's value says which variant it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tag {
    pub offset: u64,
    pub size: u64,
    /// None: the tag is the discriminant itself.
    pub niche: Option<Niche>,
}

/// The variants `first..=last` are the tag values from `start` on; any other tag is `untagged`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Niche {
    pub untagged: u32,
    pub first: u32,
    pub last: u32,
    pub start: u128,
}
