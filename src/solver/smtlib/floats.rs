//! Terms about floats. The standard has no function from a float to its bits: what an operator gives
//! is an unknown bit-vector of which it is asserted that the float has these bits.

use super::writer::Writer;
use crate::solver::{FloatCompare, FloatOp, Node, Rounding, Term};

/// A format of IEEE's binary floats.
#[derive(Clone, Copy)]
pub struct Format {
    exponent: u32,
    /// The hidden bit counted.
    significand: u32,
}

impl Format {
    pub fn of_width(width: u32) -> Format {
        let (exponent, significand) = match width {
            16 => (5, 11),
            32 => (8, 24),
            64 => (11, 53),
            128 => (15, 113),
            _ => panic!("no float has {width} bits"),
        };
        Format { exponent, significand }
    }

    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// As Rust names it.
    pub fn name(self) -> String {
        format!("f{}", self.width())
    }

    pub fn sort(self) -> String {
        format!("(_ FloatingPoint {} {})", self.exponent, self.significand)
    }

    pub fn zero(self) -> String {
        format!("(_ +zero {} {})", self.exponent, self.significand)
    }

    /// The float with these bits.
    pub fn of_bits(self, bits: &str) -> String {
        self.converted("to_fp", bits)
    }

    /// The bits of the NaN that operators give: those of the exponent, and the first one after.
    pub fn nan(self) -> u128 {
        ((1 << (self.exponent + 1)) - 1) << (self.significand - 2)
    }

    /// The bits of a power of two; none if the greatest number is below it.
    pub fn power_of_two(self, power: u32) -> Option<u128> {
        let bias = (1 << (self.exponent - 1)) - 1;
        (power <= bias).then(|| u128::from(bias + power) << (self.significand - 1))
    }

    /// A conversion to this format.
    fn converted(self, by: &str, arguments: &str) -> String {
        format!("((_ {by} {} {}) {arguments})", self.exponent, self.significand)
    }
}

impl Writer<'_> {
    /// The text of a term whose operator is one on floats.
    pub(super) fn float_expression(&mut self, term: Term) -> String {
        let float = |writer: &Writer, of: Term| {
            Format::of_width(writer.dag.width(of)).of_bits(writer.text(of))
        };
        let result = match *self.dag.node(term) {
            Node::FloatCompare(op, left, right) => {
                let op = match op {
                    FloatCompare::Eq => "fp.eq",
                    FloatCompare::Lt => "fp.lt",
                    FloatCompare::Le => "fp.leq",
                };
                return format!("({op} {} {})", float(self, left), float(self, right));
            }
            Node::FloatToBits { of, signed, width } => {
                let from = Format::of_width(self.dag.width(of));
                let function = self.functions.integer_of_float(from, signed, width);
                return format!("({function} {})", float(self, of));
            }
            Node::Float(op, left, right) => {
                let op = match op {
                    FloatOp::Add => "fp.add RNE",
                    FloatOp::Sub => "fp.sub RNE",
                    FloatOp::Mul => "fp.mul RNE",
                    FloatOp::Div => "fp.div RNE",
                    FloatOp::Rem => {
                        &self.functions.remainder(Format::of_width(self.dag.width(left)))
                    }
                };
                format!("({op} {} {})", float(self, left), float(self, right))
            }
            Node::FloatRound(rounding, of) => {
                let mode = match rounding {
                    Rounding::Floor => "RTN",
                    Rounding::Ceil => "RTP",
                    Rounding::Trunc => "RTZ",
                    Rounding::HalfAway => "RNA",
                    Rounding::HalfEven => "RNE",
                };
                format!("(fp.roundToIntegral {mode} {})", float(self, of))
            }
            Node::FloatSqrt(of) => format!("(fp.sqrt RNE {})", float(self, of)),
            Node::FloatFma(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|of| float(self, of));
                format!("(fp.fma RNE {a} {b} {c})")
            }
            Node::FloatFromBits { of, signed, width } => {
                let by = if signed { "to_fp" } else { "to_fp_unsigned" };
                Format::of_width(width).converted(by, &format!("RNE {}", self.text(of)))
            }
            Node::FloatToFloat { of, width } => {
                Format::of_width(width).converted("to_fp", &format!("RNE {}", float(self, of)))
            }
            ref node => unreachable!("no operator on floats: {node:?}"),
        };
        let format = Format::of_width(self.dag.width(term));
        let are_bits = self.functions.are_bits(format);
        let bits = self.unknown("b", term);
        self.constrain(format!("({are_bits} {bits} {result})"));
        bits
    }
}
