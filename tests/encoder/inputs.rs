//! The leaves of values, and values for them.

use cargo_cse::bits::{mask, sign_bit};
use cargo_cse::cfa::{FnId, Program};
use cargo_cse::random::Random;
use cargo_cse::sym::{Kind, Leaf, Shapes};

/// The bits of infinity and of the NaN that stands for all.
fn float_bits(bits: u32) -> Option<(u128, u128)> {
    match bits {
        32 => Some((0x7F80_0000, 0x7FC0_0000)),
        64 => Some((0x7FF0_0000_0000_0000, 0x7FF8_0000_0000_0000)),
        _ => None,
    }
}

/// What a function takes and gives, flat.
pub struct Interface {
    pub inputs: Vec<Leaf>,
    /// Of the result, then of what references point to.
    pub outputs: Vec<Leaf>,
    /// Those of them that are not of the result: what there is to compare after a panic.
    pub behind_references: usize,
}

impl Interface {
    pub fn new(program: &Program, id: FnId) -> Interface {
        let shapes = Shapes::new(program);
        let function = program.function(id);
        let (mut inputs, mut behind) = (Vec::new(), Vec::new());
        let mut outputs = shapes.leaves(function.locals[0].ty);
        for local in &function.locals[1..=function.params as usize] {
            inputs.extend(shapes.leaves(local.ty));
            if let Kind::Reference { to, .. } = shapes.kind(local.ty) {
                behind.extend(shapes.leaves(to));
            }
        }
        let behind_references = behind.len();
        outputs.append(&mut behind);
        Interface { inputs, outputs, behind_references }
    }

    /// The leaves of an outcome.
    pub fn outputs(&self, returned: bool) -> &[Leaf] {
        match returned {
            true => &self.outputs,
            false => &self.outputs[self.outputs.len() - self.behind_references..],
        }
    }
}

/// All NaNs are one: native runs do not tell which of them arithmetic gave.
pub fn canonical(leaf: Leaf, value: u128) -> u128 {
    match leaf {
        Leaf::Float(bits) => {
            let (infinity, nan) = float_bits(bits).expect("f32 and f64 only");
            if value & !sign_bit(bits) > infinity { nan } else { value }
        }
        _ => value,
    }
}

pub fn is_nan(leaf: Leaf, value: u128) -> bool {
    matches!(leaf, Leaf::Float(bits) if float_bits(bits).is_some_and(|(_, nan)| nan == value))
}

/// Some value: an end of the range, one near a constant of the source, a small or any one.
pub fn choose(leaf: Leaf, random: &mut Random, constants: &[u128]) -> u128 {
    match leaf {
        Leaf::Bool => random.wide() & 1,
        Leaf::Tag(variants) => random.below(variants as usize) as u128,
        Leaf::Char => {
            let value = match random.below(4) {
                0 => random.below(0x11_0000),
                1 => random.below(0x300),
                _ => random.below(128),
            };
            if (0xd800..0xe000).contains(&value) { 0xe9 } else { value as u128 }
        }
        Leaf::Float(bits) => float(bits, random),
        Leaf::Bits(width) => {
            let high = sign_bit(width);
            let value = match random.below(16) {
                0..4 => random.below(12) as u128,
                4 | 5 => u128::MAX - random.below(6) as u128,
                6 => high.wrapping_sub(random.below(3) as u128),
                7 => high.wrapping_add(random.below(3) as u128),
                8..10 if !constants.is_empty() => {
                    let near = (random.below(3) as u128).wrapping_sub(1);
                    constants[random.below(constants.len())].wrapping_add(near)
                }
                10 => 1 << random.below(width as usize),
                11 | 12 => random.below(300) as u128,
                13 => random.wide() >> random.below(128),
                _ => random.wide(),
            };
            value & mask(width)
        }
    }
}
fn float(bits: u32, random: &mut Random) -> u128 {
    let value = match random.below(16) {
        0 => 0.0,
        1 => -0.0,
        2 => f64::NAN,
        3 => f64::INFINITY,
        4 => f64::NEG_INFINITY,
        5..8 => random.below(200) as f64 - 100.0,
        8..10 => (random.below(20_000) as f64 - 10_000.0) / 8.0,
        10 => 2f64.powi(random.below(140) as i32) - random.below(3) as f64,
        11 => random.number() as i64 as f64,
        12 => f64::from(f32::MIN_POSITIVE) / (1 + random.below(1000)) as f64,
        _ => return canonical(Leaf::Float(bits), random.wide() & mask(bits)),
    };
    let bits_of_value = match bits {
        32 => u128::from((value as f32).to_bits()),
        _ => u128::from(value.to_bits()),
    };
    canonical(Leaf::Float(bits), bits_of_value)
}

/// The numbers in a source.
pub fn constants(source: &str) -> Vec<u128> {
    let digits = source.split(|it: char| !it.is_ascii_digit()).filter(|it| !it.is_empty());
    digits.filter_map(|it| it.parse().ok()).collect()
}
