//! Random terms.

use cargo_cse::bits::mask;
use cargo_cse::solver::{
    Assignment, BitCount, BitsOp, CompareOp, OverflowOp, Sort, Term, Terms, Var,
};
use proptest::{collection::vec, prelude::*};

/// What to build next: an operator and from which of the terms so far, all taken modulo what there
/// is.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    op: u8,
    variant: u8,
    operands: [u8; 3],
    value: u128,
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), any::<u8>(), any::<[u8; 3]>(), any::<u128>())
        .prop_map(|(op, variant, operands, value)| Step { op, variant, operands, value });
    vec(step, 1..12)
}

pub fn widths() -> impl Strategy<Value = u32> {
    prop_oneof![1..=8u32, Just(16u32), Just(32u32), Just(64u32), Just(128u32)]
}

/// Values at which something happens, also to two of them together, and others.
pub fn inputs() -> impl Strategy<Value = Vec<u128>> {
    let value = prop_oneof![
        any::<u128>(),
        (0..4u128),
        (0..128u32).prop_map(|bit| 1 << bit),
        (0..128u32).prop_map(|bit| u128::MAX << bit),
        (0..128u32).prop_map(|bit| u128::MAX >> bit),
    ];
    (vec(value, VARIABLES as usize), 0..8u8).prop_map(|(mut values, relation)| {
        let related = match relation {
            0 => values[0].wrapping_neg(),
            1 => !values[0],
            2 => values[0],
            3 => values[0].wrapping_add(1),
            _ => values[1],
        };
        values[1] = related;
        values
    })
}

/// So many of bits, with even numbers, and as many truth values, with odd ones.
pub const VARIABLES: u32 = 3;

/// What was built, the variables first.
pub struct Built {
    pub bits: Vec<Term>,
    pub bools: Vec<Term>,
}

impl Built {
    /// All but the variables, the last ones first.
    pub fn all(&self) -> impl Iterator<Item = Term> {
        let built = |terms: &'_ [Term]| terms[VARIABLES as usize..].to_vec();
        built(&self.bools).into_iter().rev().chain(built(&self.bits).into_iter().rev())
    }
}

/// The terms that the steps build, and values for their variables.
pub fn build(width: u32, steps: &[Step], inputs: &[u128]) -> (Terms, Built, Assignment) {
    let mut terms = Terms::new();
    let mut bits: Vec<Term> = Vec::new();
    let mut bools: Vec<Term> = Vec::new();
    let mut assignment = Assignment::new();
    for (index, value) in inputs.iter().enumerate() {
        bits.push(terms.var(Sort::Bits(width)));
        assignment.insert(Var(2 * index as u32), value & mask(width));
        bools.push(terms.var(Sort::Bool));
        assignment.insert(Var(2 * index as u32 + 1), value >> 64 & 1);
    }
    for step in steps {
        let pick =
            |from: &[Term], index: u8| from[from.len() - 1 - usize::from(index) % from.len()];
        let t = &mut terms;
        let [i, j, k] = step.operands;
        let left = pick(&bits, i);
        let width = t.width(left);
        let same: Vec<Term> = bits.iter().copied().filter(|term| t.width(*term) == width).collect();
        let right = match k % 3 {
            0 => t.bits(step.value, width),
            1 => t.bits(step.value % 12, width),
            _ => pick(&same, j),
        };
        let variant = usize::from(step.variant);
        const BINARY: [BitsOp; 13] = {
            use BitsOp::*;
            [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr]
        };
        use CompareOp::*;
        match step.op % 11 {
            0..=3 => bits.push(t.binary(BINARY[variant % BINARY.len()], left, right)),
            4 => bools.push(t.compare([Ult, Ule, Slt, Sle][variant % 4], left, right)),
            5 => {
                let op = [OverflowOp::Add, OverflowOp::Sub, OverflowOp::Mul][variant % 3];
                bools.push(t.overflows(op, k % 2 == 0, left, right));
            }
            6 => {
                let low = u32::from(step.variant) % width;
                bits.push(t.extract(left, low, u32::from(k) % (width - low) + 1));
            }
            7 => {
                let wide = (width + u32::from(step.variant) % 17).min(128);
                bits.push(match k % 2 {
                    0 => t.sign_extend(left, wide),
                    _ => t.zero_extend(left, wide),
                });
            }
            8 => {
                let low = pick(&bits, j);
                if width + t.width(low) <= 128 {
                    bits.push(t.concat(left, low));
                }
            }
            9 => {
                let condition = pick(&bools, k);
                bits.push(t.ite(condition, left, right));
            }
            _ => match variant % 7 {
                0 => bits.push(t.reverse(left)),
                1 => bits.push(t.count(BitCount::Ones, left)),
                2 => bits.push(t.count(BitCount::LeadingZeros, left)),
                3 => bits.push(t.count(BitCount::TrailingZeros, left)),
                4 => bools.push(t.eq(left, right)),
                5 => {
                    let (a, b) = (pick(&bools, i), pick(&bools, j));
                    bools.push(t.and([a, b]));
                }
                _ => {
                    let negated = t.not(pick(&bools, i));
                    let b = pick(&bools, j);
                    bools.push(t.or([negated, b]));
                }
            },
        }
    }
    (terms, Built { bits, bools }, assignment)
}

pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}
