//! Arguments as engines give them, and what came of running them.

use crate::cfa::{Entry, Program, TyId};
use crate::model::{Counterexample, NotRun};

/// A concrete value. Types are those of the new program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Concrete {
    /// An integer, bool, char or float.
    Bits {
        bits: u128,
        ty: TyId,
    },
    /// A struct, tuple or array.
    Fields {
        ty: TyId,
        fields: Vec<Concrete>,
    },
    Variant {
        ty: TyId,
        variant: u32,
        fields: Vec<Concrete>,
    },
    /// A reference or a box, and what is behind it.
    Reference {
        ty: TyId,
        mutable: bool,
        to: Box<Concrete>,
    },
    /// A slice or a `Vec`; a `str` or `String` by its bytes.
    Slice {
        ty: TyId,
        elements: Vec<Concrete>,
    },
}

/// Arguments on which an entry point may differ.
#[derive(Clone, Debug)]
pub struct Invocation<'a> {
    /// The new one.
    pub program: &'a Program,
    pub entry: &'a Entry,
    pub arguments: Vec<Concrete>,
}

/// What native runs with both versions showed.
#[derive(Clone, Debug)]
pub enum Replay {
    Different(Counterexample),
    /// Both ran, and did the same.
    Same,
    NotRun(NotRun),
}

impl Concrete {
    pub fn ty(&self) -> TyId {
        match self {
            Concrete::Bits { ty, .. }
            | Concrete::Fields { ty, .. }
            | Concrete::Variant { ty, .. }
            | Concrete::Reference { ty, .. }
            | Concrete::Slice { ty, .. } => *ty,
        }
    }

    /// All bits in it, in order, whatever they are wrapped in.
    pub fn bits(&self) -> Vec<u128> {
        match self {
            Concrete::Bits { bits, .. } => vec![*bits],
            Concrete::Fields { fields: parts, .. }
            | Concrete::Variant { fields: parts, .. }
            | Concrete::Slice { elements: parts, .. } => {
                parts.iter().flat_map(Concrete::bits).collect()
            }
            Concrete::Reference { to, .. } => to.bits(),
        }
    }
}
