//! Which terms there are.

use serde::{Deserialize, Serialize};

/// A term of one [`Terms`](super::Terms) arena: equal numbers are equal terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Term(pub(in crate::solver) u32);

impl Term {
    /// The term's place among all terms of its arena: larger than those of its operands.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// For numberings of terms outside of an arena.
    pub fn numbered(number: usize) -> Term {
        Term(number as u32)
    }
}

/// What kind of values a term has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Sort {
    Bool,
    /// So many bits, 1 to 128. Floats are their bits too.
    Bits(u32),
    /// The state of what is outside the analysed program: nothing is known of it but equality.
    EffectState,
}

/// A variable of an arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Var(pub u32);

/// An uninterpreted function of an arena: equal arguments give equal results, and no more is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Symbol(pub u32);

/// An operator on two terms of one width, with the meaning it has in SMT-LIB.
///
/// Arithmetic wraps. Division by zero gives all ones (`SDiv` of a negative value: one), its
/// remainder the dividend; the least signed value by minus one gives itself. A shift by the width or
/// more gives zero, or the sign everywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum BitsOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    /// The sign is the dividend's.
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
}

impl BitsOp {
    pub fn is_commutative(self) -> bool {
        use BitsOp::*;
        matches!(self, Add | Mul | And | Or | Xor)
    }
}

/// An order on bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum CompareOp {
    Ult,
    Ule,
    Slt,
    Sle,
}

impl CompareOp {
    pub fn is_signed(self) -> bool {
        matches!(self, CompareOp::Slt | CompareOp::Sle)
    }

    pub fn is_strict(self) -> bool {
        matches!(self, CompareOp::Ult | CompareOp::Slt)
    }
}

/// Arithmetic of which one can ask whether the exact result has a representation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum OverflowOp {
    Add,
    Sub,
    Mul,
}

/// What of a term's bits is counted; the count has the term's width, into which it always fits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum BitCount {
    Ones,
    LeadingZeros,
    TrailingZeros,
}

/// IEEE arithmetic on the bits of two floats, to nearest, ties to even.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// Rust's `%`, which is `fmod` and not IEEE's remainder.
    Rem,
}

/// An IEEE comparison: false with a NaN, and the two zeros are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatCompare {
    Eq,
    Lt,
    Le,
}

/// To which integral value a float is rounded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Rounding {
    Floor,
    Ceil,
    Trunc,
    /// `f64::round`.
    HalfAway,
    HalfEven,
}

/// A term's operator and operands.
///
/// Floats are the bits of IEEE's binary32 and binary64 (binary16 and binary128 are not computed
/// with, only asked about). Every NaN that an operator on floats gives is the one quiet NaN with a
/// positive sign and no payload.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Node {
    Bool(bool),
    Bits {
        value: u128,
        width: u32,
    },
    Var(Var),
    Not(Term),
    And(Box<[Term]>),
    Or(Box<[Term]>),
    Eq(Term, Term),
    Ite(Term, Term, Term),
    Binary(BitsOp, Term, Term),
    Compare(CompareOp, Term, Term),
    /// Does the exact result not fit into the operands' width?
    Overflows {
        op: OverflowOp,
        signed: bool,
        left: Term,
        right: Term,
    },
    /// The `width` bits from bit `low` on.
    Extract {
        of: Term,
        low: u32,
        width: u32,
    },
    ZeroExtend {
        of: Term,
        width: u32,
    },
    SignExtend {
        of: Term,
        width: u32,
    },
    Concat {
        high: Term,
        low: Term,
    },
    Count(BitCount, Term),
    /// The bits in reverse order.
    Reverse(Term),
    Float(FloatOp, Term, Term),
    FloatCompare(FloatCompare, Term, Term),
    FloatRound(Rounding, Term),
    FloatSqrt(Term),
    /// `a * b + c`, rounded once.
    FloatFma(Term, Term, Term),
    /// The integer as a float of that width.
    FloatFromBits {
        of: Term,
        signed: bool,
        width: u32,
    },
    /// The float as an integer of that width, as Rust's `as` has it: towards zero, saturating, and
    /// zero for a NaN.
    FloatToBits {
        of: Term,
        signed: bool,
        width: u32,
    },
    FloatToFloat {
        of: Term,
        width: u32,
    },
    Apply(Symbol, Box<[Term]>),
}

impl Node {
    /// Is the operator one on floats?
    pub fn is_about_floats(&self) -> bool {
        use Node::*;
        match self {
            Float(..)
            | FloatCompare(..)
            | FloatRound(..)
            | FloatSqrt(_)
            | FloatFma(..)
            | FloatFromBits { .. }
            | FloatToBits { .. }
            | FloatToFloat { .. } => true,
            Bool(_)
            | Bits { .. }
            | Var(_)
            | Not(_)
            | And(_)
            | Or(_)
            | Eq(..)
            | Ite(..)
            | Binary(..)
            | Compare(..)
            | Overflows { .. }
            | Extract { .. }
            | ZeroExtend { .. }
            | SignExtend { .. }
            | Concat { .. }
            | Count(..)
            | Reverse(_)
            | Apply(..) => false,
        }
    }

    /// Calls `visit` with each operand, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Term)) {
        use Node::*;
        match self {
            Bool(_) | Bits { .. } | Var(_) => {}
            Not(of)
            | Extract { of, .. }
            | ZeroExtend { of, .. }
            | SignExtend { of, .. }
            | Count(_, of)
            | Reverse(of)
            | FloatRound(_, of)
            | FloatSqrt(of)
            | FloatFromBits { of, .. }
            | FloatToBits { of, .. }
            | FloatToFloat { of, .. } => visit(*of),
            Eq(left, right)
            | Binary(_, left, right)
            | Compare(_, left, right)
            | Overflows { left, right, .. }
            | Concat { high: left, low: right }
            | Float(_, left, right)
            | FloatCompare(_, left, right) => {
                visit(*left);
                visit(*right);
            }
            Ite(first, second, third) | FloatFma(first, second, third) => {
                visit(*first);
                visit(*second);
                visit(*third);
            }
            And(operands) | Or(operands) | Apply(_, operands) => {
                operands.iter().copied().for_each(visit);
            }
        }
    }

    /// The same operator on other operands.
    pub fn with_operands(&self, mut other: impl FnMut(Term) -> Term) -> Node {
        use Node::*;
        let mut all = |operands: &[Term]| operands.iter().map(|operand| other(*operand)).collect();
        match *self {
            And(ref operands) => return And(all(operands)),
            Or(ref operands) => return Or(all(operands)),
            Apply(symbol, ref operands) => return Apply(symbol, all(operands)),
            _ => {}
        }
        match *self {
            Bool(value) => Bool(value),
            Bits { value, width } => Bits { value, width },
            Var(var) => Var(var),
            Not(of) => Not(other(of)),
            Eq(left, right) => Eq(other(left), other(right)),
            Ite(condition, yes, no) => Ite(other(condition), other(yes), other(no)),
            Binary(op, left, right) => Binary(op, other(left), other(right)),
            Compare(op, left, right) => Compare(op, other(left), other(right)),
            Overflows { op, signed, left, right } => {
                Overflows { op, signed, left: other(left), right: other(right) }
            }
            Extract { of, low, width } => Extract { of: other(of), low, width },
            ZeroExtend { of, width } => ZeroExtend { of: other(of), width },
            SignExtend { of, width } => SignExtend { of: other(of), width },
            Concat { high, low } => Concat { high: other(high), low: other(low) },
            Count(count, of) => Count(count, other(of)),
            Reverse(of) => Reverse(other(of)),
            Float(op, left, right) => Float(op, other(left), other(right)),
            FloatCompare(op, left, right) => FloatCompare(op, other(left), other(right)),
            FloatRound(rounding, of) => FloatRound(rounding, other(of)),
            FloatSqrt(of) => FloatSqrt(other(of)),
            FloatFma(a, b, c) => FloatFma(other(a), other(b), other(c)),
            FloatFromBits { of, signed, width } => FloatFromBits { of: other(of), signed, width },
            FloatToBits { of, signed, width } => FloatToBits { of: other(of), signed, width },
            FloatToFloat { of, width } => FloatToFloat { of: other(of), width },
            And(_) | Or(_) | Apply(..) => unreachable!("done above"),
        }
    }
}
