//! Functions as control-flow automata (2clever, section 2.1): locations, one initial and one final,
//! and edges that are labelled with an assignment, an assumption or a call.

use serde::{Deserialize, Serialize};

use super::{
    CrateId, FnId, Intrinsic, LocalId, Location, LoopId, MemoryId, Pointee, Span, StaticId, StdFn,
    TyId, VTableId,
};
use crate::reason::Reason;

/// One monomorphic instance, or the generic form of a function that has no instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    /// The same in both versions: see [`Type::name`](super::Type::name).
    pub name: String,
    pub krate: CrateId,
    /// Whether it has parameters left, of its own or of what it is inside.
    pub generic: bool,
    /// The types in its generic arguments. A body uses what matters of them; without a body they
    /// are all that tells one instance from another.
    pub type_args: Vec<TyId>,
    /// Callers pass what follows the first parameter as one tuple: closures are called so.
    pub tupled_args: bool,
    /// Which well-known function of the standard library it is, if it is one.
    pub std: Option<StdFn>,
    /// How many locals after the first are parameters.
    pub params: u32,
    pub locals: Vec<Local>,
    pub span: Span,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Local {
    /// The user's name for it, for people to read.
    pub name: Option<String>,
    pub ty: TyId,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Body {
    Cfa(Cfa),
    /// An operation that the compiler implements.
    Intrinsic(Intrinsic),
    /// Calls a method of the trait object that is its first argument: the compiler supplies the look
    /// into the vtable.
    VirtualCall,
    /// Code outside of Rust, by its symbol.
    Foreign {
        symbol: String,
    },
    /// An entry point of the panic machinery: calling it is the outcome "panicked".
    Panic,
    /// An entry point of the panic machinery that is called with a message that counts, because it is
    /// read or runs code. No one looks into it: it is the same as long as its name and what it is
    /// given are.
    PanicWithMessage,
    /// Where a failed allocation ends: calling it is the outcome "out of memory".
    AllocError,
    /// An item of a trait for a type that callers bring, as a parameter or behind a trait object:
    /// they bring the code. The default body, where the trait has one, may be what runs, and so may
    /// the impls in dependencies, in the order of their headers. The impls that others bring are
    /// taken as inputs of the client, not as its behaviour.
    Supplied {
        default: Option<FnId>,
        impls: Vec<Impl>,
    },
    /// No code is to be had, for this reason: what it does is not known.
    Missing(Reason),
    /// Code outside of the client's own build, such as what a macro expands to in other crates. It
    /// is the same as long as its package is.
    Elsewhere(Reason),
}

/// An impl that callers can use, or all of those for the types of one crate, and what stands there in the
/// place of a [`Body::Supplied`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Impl {
    pub header: String,
    /// The crates of the types in the header that callers have to name to use the impl.
    pub needs: Vec<CrateId>,
    pub content: ImplContent,
}

/// What an impl has in the place of an item of its trait.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ImplContent {
    Item(FnId),
    /// It takes the default.
    Default,
    /// Code that is not looked at, of a crate in this build, for its own types: the same as long as
    /// neither the crate nor anything that it depends on is another one. Errs towards not the same.
    Build {
        build: String,
        /// Whose trait it is.
        of_trait: CrateId,
    },
}

/// Locations are numbered from 0, which is the initial one; the last is the final one.
///
/// Panic is an outcome, not a second exit: [`Op::Panic`] leads to the final location too. What runs
/// while a panic unwinds hangs on [`Op`]s by their `unwind` location and is not part of the graph
/// that starts at the initial location.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Cfa {
    pub locations: u32,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Edge {
    pub from: Location,
    pub to: Location,
    pub op: Op,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Op {
    Nop,
    Assign(Place, Rvalue),
    SetDiscriminant(Place, u32),
    /// The edge can be taken only if this holds.
    Assume(Condition),
    Call(Call),
    /// The function ends with the outcome "panicked" and goes on to the final location.
    Panic {
        unwind: Option<Location>,
    },
    /// Unwinding is over: the panic goes on in the caller. Leads to the final location.
    Resume,
    /// The process ends here (a panic while unwinding). Leads to the final location.
    Abort,
    /// The compiler promises that control does not come here. Leads to the final location.
    Unreachable,
    /// Copies so many elements from one pointer to another: what is there at the one and at the
    /// other does not overlap.
    CopyMemory {
        from: Operand,
        to: Operand,
        count: Operand,
    },
    /// What the representation cannot say, and the places that it reads and writes. Two of them are
    /// the same only if their reasons and their parts are.
    Unsupported {
        reason: Reason,
        reads: Vec<Operand>,
        writes: Vec<Place>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Condition {
    Equals(Operand, u128),
    /// The operand is none of these: the last arm of a switch.
    NoneOf(Operand, Vec<u128>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Call {
    pub callee: Callee,
    pub args: Vec<Operand>,
    pub result: Place,
    /// Where the clean-up starts if the callee panics.
    pub unwind: Option<Location>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Callee {
    Function(FnId),
    Pointer(Operand),
    /// A method of a trait object, which is the first argument.
    Virtual {
        method: String,
        slot: u32,
        /// What it is for types that callers of the client bring, as a [`Body::Supplied`]; none in a
        /// program that has no callers.
        supplied: Option<FnId>,
    },
    /// A loop of the same function, as [`loops`](super::loops) takes them out. It runs in the frame
    /// of its caller, reads the locals in the arguments and may change these.
    Loop {
        id: LoopId,
        writes: Vec<LocalId>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    pub local: LocalId,
    pub projections: Vec<Projection>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Projection {
    Deref,
    Field(u32),
    /// The fields that follow are those of this variant.
    Variant(u32),
    Index(LocalId),
    ConstantIndex {
        offset: u64,
        from_end: bool,
    },
    Subslice {
        from: u64,
        to: u64,
        from_end: bool,
    },
    /// The value seen as another type of the same shape.
    Cast(TyId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Operand {
    Read(Place),
    Const(Const),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Const {
    /// Integers, booleans, chars and floats, by their bits.
    Bits {
        bits: u128,
        ty: TyId,
    },
    ZeroSized(TyId),
    Pointer {
        to: Pointee,
        offset: u64,
        meta: Option<PointerMeta>,
        ty: TyId,
    },
    /// Any other value, as it lies in memory.
    Value {
        memory: MemoryId,
        ty: TyId,
    },
    /// A constant that depends on parameters: the function that computes it, in generic form.
    Generic {
        computed_by: FnId,
        ty: TyId,
    },
    /// A const parameter, or what could not be evaluated.
    Opaque {
        text: String,
        ty: TyId,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PointerMeta {
    Length(u64),
    VTable(VTableId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Rvalue {
    Use(Operand),
    Repeat(Operand, super::ArrayLen),
    Ref {
        mutable: bool,
        place: Place,
    },
    RawPtr {
        mutable: bool,
        place: Place,
    },
    ThreadLocal(StaticId),
    Cast(CastKind, Operand, TyId),
    Binary(BinaryOp, Operand, Operand),
    Unary(UnaryOp, Operand),
    Discriminant(Place),
    /// A tuple, array, struct, closure or variant, by its type and variant number.
    Aggregate {
        ty: TyId,
        variant: u32,
        fields: Vec<Operand>,
    },
    /// A union with only this field set.
    UnionField {
        ty: TyId,
        field: u32,
        value: Operand,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CastKind {
    IntToInt,
    IntToFloat,
    FloatToInt,
    FloatToFloat,
    PtrToPtr,
    PtrToInt,
    IntToPtr,
    FnToPtr,
    /// Adds the metadata of a slice or trait object to a pointer.
    Unsize(Option<PointerMeta>),
    Transmute,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// The operation, with whether it overflowed as second field.
    AddWithOverflow,
    SubWithOverflow,
    MulWithOverflow,
    Div,
    Rem,
    BitXor,
    BitAnd,
    BitOr,
    Shl,
    Shr,
    Eq,
    Lt,
    Le,
    Ne,
    Ge,
    Gt,
    /// Three-way comparison.
    Cmp,
    /// Pointer arithmetic in units of the pointee.
    Offset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnaryOp {
    Not,
    Neg,
    PtrMetadata,
}

impl Cfa {
    pub const ENTRY: Location = Location(0);

    pub fn exit(&self) -> Location {
        Location(self.locations - 1)
    }
}

impl Function {
    /// From its head to the end of its body, where its span is that of the head alone.
    pub fn extent(&self) -> Span {
        let edges = self.cfa().map_or(&[][..], |cfa| &cfa.edges);
        Span::around([self.span].into_iter().chain(edges.iter().map(|edge| edge.span)))
    }

    pub fn cfa(&self) -> Option<&Cfa> {
        match &self.body {
            Body::Cfa(cfa) => Some(cfa),
            _ => None,
        }
    }
}

impl Op {
    /// Whether it leads to the final location without the function having returned.
    pub fn ends_function(&self) -> bool {
        matches!(self, Op::Panic { .. } | Op::Resume | Op::Abort | Op::Unreachable)
    }

    /// Where clean-up starts if the operation panics.
    pub fn unwind(&self) -> Option<Location> {
        match self {
            Op::Call(call) => call.unwind,
            Op::Panic { unwind } => *unwind,
            _ => None,
        }
    }
}

impl Const {
    pub fn ty(&self) -> TyId {
        match self {
            Const::Bits { ty, .. }
            | Const::ZeroSized(ty)
            | Const::Pointer { ty, .. }
            | Const::Value { ty, .. }
            | Const::Generic { ty, .. }
            | Const::Opaque { ty, .. } => *ty,
        }
    }
}

impl Place {
    pub fn local(local: LocalId) -> Place {
        Place { local, projections: Vec::new() }
    }
}
