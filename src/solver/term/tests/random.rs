//! Random terms keep their meaning through the builder, through substitution and in `eval`.

use proptest::{collection::vec, prelude::*};

use super::reference::{self, Bits};
use crate::bits;
use crate::solver::{
    Assignment, BitCount, BitsOp, CompareOp, Node, OverflowOp, Sort, Term, Terms, Var,
};

/// What to build next: an operator and from which of the terms so far, all taken modulo what there
/// is. A program of steps shares operands far more than a random tree, and most rules need that.
#[derive(Clone, Copy, Debug)]
struct Step {
    op: u8,
    variant: u8,
    operands: [u8; 3],
    value: u128,
}

/// A term with what the reference says its value is under each assignment.
#[derive(Clone)]
struct Sample<V> {
    term: Term,
    values: Vec<V>,
}

struct Built {
    terms: Terms,
    assignments: Vec<Assignment>,
    bits: Vec<Sample<Bits>>,
    bools: Vec<Sample<bool>>,
}

const BINARY: [BitsOp; 13] = [
    BitsOp::Add,
    BitsOp::Sub,
    BitsOp::Mul,
    BitsOp::UDiv,
    BitsOp::SDiv,
    BitsOp::URem,
    BitsOp::SRem,
    BitsOp::And,
    BitsOp::Or,
    BitsOp::Xor,
    BitsOp::Shl,
    BitsOp::LShr,
    BitsOp::AShr,
];
const COMPARE: [CompareOp; 4] = [CompareOp::Ult, CompareOp::Ule, CompareOp::Slt, CompareOp::Sle];
const OVERFLOW: [OverflowOp; 3] = [OverflowOp::Add, OverflowOp::Sub, OverflowOp::Mul];
const COUNT: [BitCount; 3] = [BitCount::Ones, BitCount::LeadingZeros, BitCount::TrailingZeros];

const CASES: u32 = 2000;

/// Three variables of bits and three truth values.
const VARIABLES: u32 = 3;

impl Built {
    fn new(width: u32, inputs: &[[u128; 2 * VARIABLES as usize]]) -> Built {
        let mut terms = Terms::new();
        let (mut bits, mut bools) = (Vec::new(), Vec::new());
        let mut assignments = vec![Assignment::new(); inputs.len()];
        for index in 0..VARIABLES {
            let values: Vec<Bits> =
                (inputs.iter()).map(|input| reference::of(input[index as usize], width)).collect();
            for (assignment, value) in assignments.iter_mut().zip(&values) {
                assignment.insert(Var(2 * index), reference::value(value));
            }
            bits.push(Sample { term: terms.var(Sort::Bits(width)), values });
            let values: Vec<bool> =
                inputs.iter().map(|input| input[(VARIABLES + index) as usize] & 1 == 1).collect();
            for (assignment, value) in assignments.iter_mut().zip(&values) {
                assignment.insert(Var(2 * index + 1), (*value).into());
            }
            bools.push(Sample { term: terms.var(Sort::Bool), values });
        }
        Built { terms, assignments, bits, bools }
    }

    fn bits(&self, index: u8) -> Sample<Bits> {
        // Later terms more often than the first ones, which would otherwise be most operands.
        self.bits[self.bits.len() - 1 - usize::from(index) % self.bits.len()].clone()
    }

    fn bool(&self, index: u8) -> Sample<bool> {
        self.bools[self.bools.len() - 1 - usize::from(index) % self.bools.len()].clone()
    }

    /// One of the same width.
    fn partner(&self, index: u8, width: u32) -> Sample<Bits> {
        let same: Vec<&Sample<Bits>> =
            self.bits.iter().rev().filter(|other| self.terms.width(other.term) == width).collect();
        same[usize::from(index) % same.len()].clone()
    }

    fn step(&mut self, step: Step) {
        let [i, j, k] = step.operands;
        let left = self.bits(i);
        let width = self.terms.width(left.term);
        let right = self.partner(j, width);
        let pairs = || left.values.iter().zip(&right.values);
        let variant = usize::from(step.variant);
        let terms = &mut self.terms;
        match step.op % 14 {
            0..=2 => {
                let op = BINARY[variant % BINARY.len()];
                let term = terms.binary(op, left.term, right.term);
                let values = pairs().map(|(a, b)| reference::binary(op, a, b)).collect();
                self.bits.push(Sample { term, values });
            }
            3 | 4 => {
                let op = BINARY[variant % BINARY.len()];
                let value = special(step.value, width);
                let constant = terms.bits(value, width);
                let value = reference::of(value, width);
                let (term, values) = if k % 4 > 0 {
                    let values = left.values.iter();
                    (
                        terms.binary(op, left.term, constant),
                        values.map(|left| reference::binary(op, left, &value)).collect(),
                    )
                } else {
                    let values = left.values.iter();
                    (
                        terms.binary(op, constant, left.term),
                        values.map(|left| reference::binary(op, &value, left)).collect(),
                    )
                };
                self.bits.push(Sample { term, values });
            }
            5 => {
                let op = COMPARE[variant % COMPARE.len()];
                let term = terms.compare(op, left.term, right.term);
                let values = pairs().map(|(a, b)| reference::compare(op, a, b)).collect();
                self.bools.push(Sample { term, values });
            }
            6 => {
                let op = COMPARE[variant % COMPARE.len()];
                let value = special(step.value, width);
                let constant = terms.bits(value, width);
                let value = reference::of(value, width);
                let values = left.values.iter();
                let (term, values) = match k % 3 {
                    0 => (
                        terms.compare(op, left.term, constant),
                        values.map(|left| reference::compare(op, left, &value)).collect(),
                    ),
                    1 => (
                        terms.compare(op, constant, left.term),
                        values.map(|left| reference::compare(op, &value, left)).collect(),
                    ),
                    _ => {
                        (terms.eq(left.term, constant), values.map(|left| *left == value).collect())
                    }
                };
                self.bools.push(Sample { term, values });
            }
            7 => {
                let op = OVERFLOW[variant % OVERFLOW.len()];
                let signed = step.variant >= 128;
                let (right, values) = if k % 2 == 0 {
                    (right.term, right.values.clone())
                } else {
                    let value = special(step.value, width);
                    let constant = terms.bits(value, width);
                    (constant, vec![reference::of(value, width); left.values.len()])
                };
                let term = terms.overflows(op, signed, left.term, right);
                let values = (left.values.iter().zip(&values))
                    .map(|(a, b)| reference::overflows(op, signed, a, b))
                    .collect();
                self.bools.push(Sample { term, values });
            }
            8 => {
                let low = u32::from(step.variant) % width;
                let taken = u32::from(k) % (width - low) + 1;
                let term = terms.extract(left.term, low, taken);
                let range = low as usize..(low + taken) as usize;
                let values = left.values.iter().map(|bits| bits[range.clone()].to_vec()).collect();
                self.bits.push(Sample { term, values });
            }
            9 => {
                let wide = (width + u32::from(step.variant) % 5).min(128);
                let signed = k % 2 == 0;
                let term = match signed {
                    true => terms.sign_extend(left.term, wide),
                    false => terms.zero_extend(left.term, wide),
                };
                let values = (left.values.iter())
                    .map(|bits| {
                        reference::extend(bits, signed && reference::sign(bits), wide as usize)
                    })
                    .collect();
                self.bits.push(Sample { term, values });
            }
            10 => {
                let low = self.bits(k);
                if width + self.terms.width(low.term) > 128 {
                    return;
                }
                let term = self.terms.concat(left.term, low.term);
                let values = (left.values.iter().zip(&low.values))
                    .map(|(high, low)| [&low[..], &high[..]].concat())
                    .collect();
                self.bits.push(Sample { term, values });
            }
            11 => {
                let (term, values) = if variant % 4 == 0 {
                    let values = left.values.iter();
                    (
                        terms.reverse(left.term),
                        values.map(|bits| bits.iter().rev().copied().collect()).collect(),
                    )
                } else {
                    let count = COUNT[variant % COUNT.len()];
                    let values = left.values.iter();
                    (
                        terms.count(count, left.term),
                        values.map(|bits| reference::count(count, bits)).collect(),
                    )
                };
                self.bits.push(Sample { term, values });
            }
            12 => {
                let condition = self.bool(k);
                let (yes, no) = match step.variant % 3 {
                    0 => (left, right),
                    1 => (left, self.constant(step.value, width)),
                    _ => (self.constant(step.value >> 64, width), self.constant(step.value, width)),
                };
                let term = self.terms.ite(condition.term, yes.term, no.term);
                let values = (condition.values.iter().enumerate())
                    .map(|(index, value)| if *value { &yes } else { &no }.values[index].clone())
                    .collect();
                self.bits.push(Sample { term, values });
            }
            _ => self.logic(step, left, right),
        }
    }

    fn logic(&mut self, step: Step, left: Sample<Bits>, right: Sample<Bits>) {
        let [a, b, c] = step.operands.map(|index| self.bool(index));
        let terms = &mut self.terms;
        let rows = 0..a.values.len();
        let (term, values): (Term, Vec<bool>) = match step.variant % 7 {
            0 => (terms.not(a.term), a.values.iter().map(|a| !a).collect()),
            1 => (
                terms.and([a.term, b.term, c.term]),
                rows.map(|row| a.values[row] && b.values[row] && c.values[row]).collect(),
            ),
            2 => (
                terms.or([a.term, b.term]),
                rows.map(|row| a.values[row] || b.values[row]).collect(),
            ),
            3 => (
                terms.eq(left.term, right.term),
                rows.map(|row| left.values[row] == right.values[row]).collect(),
            ),
            4 => {
                (terms.eq(a.term, b.term), rows.map(|row| a.values[row] == b.values[row]).collect())
            }
            5 => (
                terms.ite(a.term, b.term, c.term),
                rows.map(|row| if a.values[row] { b.values[row] } else { c.values[row] }).collect(),
            ),
            _ => (
                terms.implies(a.term, b.term),
                rows.map(|row| !a.values[row] || b.values[row]).collect(),
            ),
        };
        self.bools.push(Sample { term, values });
    }

    fn constant(&mut self, value: u128, width: u32) -> Sample<Bits> {
        let value = special(value, width);
        let values = vec![reference::of(value, width); self.assignments.len()];
        Sample { term: self.terms.bits(value, width), values }
    }

    /// Every term so far with the value it should have, for each assignment.
    fn expected(&self) -> Vec<(Term, Vec<u128>)> {
        let bits = self.bits.iter().map(|sample| {
            (sample.term, sample.values.iter().map(|bits| reference::value(bits)).collect())
        });
        let bools = self.bools.iter().map(|sample| {
            (sample.term, sample.values.iter().map(|value| (*value).into()).collect())
        });
        bits.chain(bools).collect()
    }
}

/// A constant to which rules apply more often than to a random one.
fn special(value: u128, width: u32) -> u128 {
    let mask = bits::mask(width);
    let sign = bits::sign_bit(width);
    let special = match value % 11 {
        0 => 0,
        1 => 1,
        2 => mask,
        3 => sign,
        4 => sign - 1,
        5 => mask.wrapping_sub(1),
        6 => 1 << (value / 11 % u128::from(width)),
        7 => (1 << (value / 11 % u128::from(width))) - 1,
        8 => value / 11 % u128::from(width),
        _ => value / 11,
    };
    special & mask
}

fn step() -> impl Strategy<Value = Step> {
    (any::<u8>(), any::<u8>(), any::<[u8; 3]>(), any::<u128>())
        .prop_map(|(op, variant, operands, value)| Step { op, variant, operands, value })
}

fn widths() -> impl Strategy<Value = u32> {
    prop_oneof![6 => 1..=8u32, 1 => Just(32u32), 1 => Just(64u32), 2 => Just(128u32)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) })]

    #[test]
    fn the_builder_keeps_the_meaning(
        width in widths(),
        steps in vec(step(), 1..24),
        inputs in vec(any::<[u128; 2 * VARIABLES as usize]>(), 4),
    ) {
        let mut built = Built::new(width, &inputs);
        for step in steps {
            built.step(step);
        }
        let expected = built.expected();
        for (row, assignment) in built.assignments.iter().enumerate() {
            let roots: Vec<Term> = expected.iter().map(|(term, _)| *term).collect();
            let values = built.terms.eval_all(&roots, assignment);
            for (value, (term, expected)) in values.iter().zip(&expected) {
                let node = built.terms.node(*term);
                prop_assert_eq!(*value, Some(expected[row]), "{:?} under {:?}", node, assignment);
            }
        }
    }

    #[test]
    fn substituting_the_values_of_all_variables_gives_the_value(
        width in widths(),
        steps in vec(step(), 1..24),
        input in any::<[u128; 2 * VARIABLES as usize]>(),
    ) {
        let mut built = Built::new(width, &[input]);
        for step in steps {
            built.step(step);
        }
        let expected = built.expected();
        let roots: Vec<Term> = expected.iter().map(|(term, _)| *term).collect();
        let assignment = built.assignments[0].clone();
        let mut map = std::collections::HashMap::new();
        for (var, value) in assignment {
            let term = built.terms.var_term(var);
            let constant = match built.terms.sort(term) {
                Sort::Bool => built.terms.bool(value != 0),
                _ => built.terms.bits(value, width),
            };
            map.insert(term, constant);
        }
        let constants = built.terms.substitute(&roots, &map);
        for (constant, (_, expected)) in constants.iter().zip(&expected) {
            let value = match *built.terms.node(*constant) {
                Node::Bool(value) => value.into(),
                Node::Bits { value, .. } => value,
                ref node => panic!("not folded: {node:?}"),
            };
            prop_assert_eq!(value, expected[0]);
        }
    }
}
