//! Inputs to try: boundary values, constants of the code, random ones.

use super::attempt::Inputs;
use super::matching::{Matched, Matching};
use crate::bits;
use crate::cfa::{Condition, Const, Op, Operand, TyId};
use crate::random::Random;
use crate::sym::{Called, Leaf, Shapes};
use crate::version::Version;

/// How many inputs are of the ends of what a type has alone.
const CORNERS: usize = 64;

/// Makes inputs for the leaves of some types, the likeliest to show a difference first.
pub struct Chooser {
    leaves: Vec<Leaf>,
    constants: Vec<u128>,
    random: Random,
    /// How many inputs were made so far.
    made: usize,
    /// Numbers are small: loops that they bound come to their end.
    pub only_small: bool,
}

impl Chooser {
    pub fn new(matching: &Matching, shapes: &Shapes, matched: Matched, types: &[TyId]) -> Chooser {
        let leaves = types.iter().flat_map(|&ty| shapes.leaves(ty)).collect();
        let mut constants = Vec::new();
        for version in Version::BOTH {
            constants_of(matching, version, matched[version], &mut constants);
        }
        constants.sort_unstable();
        constants.dedup();
        constants.truncate(200);
        Chooser { leaves, constants, random: Random::new(0), made: 0, only_small: false }
    }

    pub fn next_inputs(&mut self) -> Inputs {
        self.made += 1;
        let leaves = self.leaves.clone();
        leaves.iter().map(|leaf| self.leaf(*leaf)).collect()
    }

    fn leaf(&mut self, leaf: Leaf) -> u128 {
        let choice = self.random.number() % 16;
        let pick = self.random.number();
        let wide = self.random.wide();
        match leaf {
            Leaf::Bool => u128::from(pick & 1),
            Leaf::Tag(variants) => u128::from(pick % u64::from(variants.max(1))),
            Leaf::Char => {
                let value = match choice {
                    0..6 => pick % 128,
                    6..9 => pick % 0x300,
                    9..12 => self.constant(pick) as u64 % 0x11_0000,
                    _ => pick % 0x11_0000,
                };
                if (0xD800..0xE000).contains(&value) { 0x41 } else { value.into() }
            }
            Leaf::Float(bits) => float(bits, choice, pick, wide),
            Leaf::Bits(width) => {
                let value = match choice {
                    _ if self.made <= CORNERS => corner(width, pick),
                    4.. if self.only_small => u128::from(pick % 100),
                    0..3 => u128::from(pick % 12),
                    3 => u128::MAX - u128::from(pick % 4),
                    4 => bits::sign_bit(width).wrapping_sub(u128::from(pick % 3)),
                    5 => bits::sign_bit(width).wrapping_add(u128::from(pick % 2)),
                    6..10 => {
                        self.constant(pick).wrapping_add(u128::from(pick >> 32) % 3).wrapping_sub(1)
                    }
                    10 => 1u128 << (pick % u64::from(width)),
                    11..14 => u128::from(pick % 300),
                    _ => wide,
                };
                value & bits::mask(width)
            }
        }
    }

    fn constant(&mut self, pick: u64) -> u128 {
        match self.constants.len() as u64 {
            0 => u128::from(pick % 100),
            count => self.constants[(pick % count) as usize],
        }
    }

    /// Whether there is one input only.
    pub fn is_single(&self) -> bool {
        self.leaves.is_empty()
    }
}

fn corner(width: u32, pick: u64) -> u128 {
    let least = bits::sign_bit(width);
    [0, 1, least - 1, least, u128::MAX, 2][(pick % 6) as usize]
}

fn float(bits: u32, choice: u64, pick: u64, wide: u128) -> u128 {
    let value = match choice {
        0 => 0.0,
        1 => -0.0,
        2 => f64::NAN,
        3 => f64::INFINITY,
        4 => f64::NEG_INFINITY,
        5..9 => (pick % 200) as f64 - 100.0,
        9..12 => ((pick % 20_000) as f64 - 10_000.0) / 8.0,
        _ => match bits {
            32 => return finite(wide & 0xFFFF_FFFF, 32),
            _ => return finite(wide & u128::from(u64::MAX), 64),
        },
    };
    // The one that constants are, the same with a sign, one with a payload.
    let nan = |plain: u128, sign: u128| [plain, plain, plain | sign, plain | 1][pick as usize % 4];
    match bits {
        32 if value.is_nan() => nan(0x7FC0_0000, 1 << 31),
        32 => (value as f32).to_bits().into(),
        64 if value.is_nan() => nan(0x7FF8_0000_0000_0000, 1 << 63),
        64 => value.to_bits().into(),
        _ => 0,
    }
}

/// Few of all bits are NaNs that code can tell apart.
fn finite(bits: u128, width: u32) -> u128 {
    let nan = match width {
        32 => f32::from_bits(bits as u32).is_nan(),
        _ => f64::from_bits(bits as u64).is_nan(),
    };
    if nan { 0 } else { bits }
}

/// The numbers in the code of something and of what it calls that is not identical.
fn constants_of(matching: &Matching, version: Version, first: Called, into: &mut Vec<u128>) {
    let mut seen = vec![first];
    let mut next = 0;
    while next < seen.len() && next < 60 {
        let called = seen[next];
        next += 1;
        let (Called::Function(id) | Called::Loop(id, _)) = called;
        let Some(cfa) = matching.codes[version].program.function(id).cfa() else { continue };
        let ready = matching.codes[version].ready(id);
        let (edges, own): (Vec<_>, _) = match (called, &ready) {
            // What is around a part does not belong to it, and can be long.
            (Called::Loop(_, number), Ok(ready)) if matching.is_region(version, called) => {
                (ready.a_loop(number).body.all_edges().collect(), matching.calls(version, called))
            }
            _ => (cfa.edges.iter().collect(), matching.calls(version, Called::Function(id))),
        };
        for edge in edges {
            if let Op::Assume(Condition::Equals(_, number)) = &edge.op {
                into.push(*number);
            }
            if let Op::Assume(Condition::NoneOf(_, numbers)) = &edge.op {
                into.extend(numbers.iter().take(20));
            }
            edge.op.operands(&mut |operand| {
                if let Operand::Const(Const::Bits { bits, .. }) = operand {
                    into.push(*bits);
                }
            });
        }
        let regions = own.iter().filter(|it| matching.is_region(version, **it));
        let inside: Vec<_> = regions.flat_map(|it| matching.calls(version, *it)).collect();
        for callee in own.into_iter().chain(inside) {
            let skip = match callee {
                Called::Function(id) => matching.is_identical(version, id),
                Called::Loop(..) => true,
            };
            if !skip && !seen.contains(&callee) {
                seen.push(callee);
            }
        }
    }
}
