//! Functions that a script defines for itself.

use indexmap::IndexMap;

use super::floats::Format;
use super::writer::constant;
use crate::bits::{mask, sign_bit};
use crate::solver::{BitCount, OverflowOp};

/// The definitions that a script needs, in the order in which they were asked for.
#[derive(Default)]
pub struct Functions {
    /// By name: the command that defines it.
    defined: IndexMap<String, String>,
}

impl Functions {
    /// The commands.
    pub fn definitions(&self) -> impl Iterator<Item = &str> {
        self.defined.values().map(String::as_str)
    }

    /// Of two bit-vectors: whether the exact result does not fit into their width.
    pub fn overflows(&mut self, op: OverflowOp, signed: bool, width: u32) -> String {
        let (op, name, more) = match op {
            OverflowOp::Add => ("bvadd", "add", 1),
            OverflowOp::Sub => ("bvsub", "sub", 1),
            OverflowOp::Mul => ("bvmul", "mul", width),
        };
        let extend = if signed { "sign_extend" } else { "zero_extend" };
        let wide = |text: &str| format!("((_ {extend} {more}) {text})");
        let exact = format!("({op} {} {})", wide("x"), wide("y"));
        let low = wide(&format!("((_ extract {} 0) exact)", width - 1));
        let body = format!("(let ((exact {exact})) (distinct exact {low}))");
        let bits = bits(width);
        let parameters = [("x", bits.as_str()), ("y", bits.as_str())];
        self.define(
            format!("{name}-overflows-{}", integer(signed, width)),
            &parameters,
            "Bool",
            &body,
        )
    }

    /// Of a bit-vector: how many of its bits are what is counted, in its own width.
    pub fn count(&mut self, count: BitCount, width: u32) -> String {
        let number = |count: u32| constant(count.into(), width);
        let choose = |rest: String, (bit, count): (u32, u32)| {
            format!("(ite (= {} #b1) {} {rest})", single(bit), number(count))
        };
        let (name, body) = match count {
            BitCount::Ones if width == 1 => ("count-ones", "x".to_owned()),
            BitCount::Ones => {
                let wide = |bit| format!("((_ zero_extend {}) {})", width - 1, single(bit));
                ("count-ones", joined("bvadd", (0..width).map(wide).collect()))
            }
            BitCount::LeadingZeros => {
                let bits = (0..width).map(|bit| (bit, width - 1 - bit));
                ("leading-zeros", bits.fold(number(width), choose))
            }
            BitCount::TrailingZeros => {
                let bits = (0..width).rev().map(|bit| (bit, bit));
                ("trailing-zeros", bits.fold(number(width), choose))
            }
        };
        self.define(format!("{name}-{width}"), &[("x", &bits(width))], &bits(width), &body)
    }

    /// Of a bit-vector: its bits in reverse order.
    pub fn reverse(&mut self, width: u32) -> String {
        let body = joined("concat", (0..width).map(single).collect());
        self.define(format!("reverse-{width}"), &[("x", &bits(width))], &bits(width), &body)
    }

    /// Of a bit-vector and a float: whether these are the float's bits. Of a NaN they are those that
    /// [`Node`](crate::solver::Node) says every operator gives.
    pub fn are_bits(&mut self, format: Format) -> String {
        let (name, nan) = (format.name(), constant(format.nan(), format.width()));
        let body = format!("(and (= {} x) (=> (fp.isNaN x) (= b {nan})))", format.of_bits("b"));
        let parameters = [("b", &*bits(format.width())), ("x", &*format.sort())];
        self.define(format!("are-bits-of-{name}"), &parameters, "Bool", &body)
    }

    /// Of a float: the integer that Rust's `as` makes of it. The standard leaves open what lies
    /// outside of the integer's range.
    pub fn integer_of_float(&mut self, from: Format, signed: bool, width: u32) -> String {
        let power = if signed { width - 1 } else { width };
        let bound =
            from.power_of_two(power).map(|bits| from.of_bits(&constant(bits, from.width())));
        let above = match &bound {
            Some(bound) => format!("(fp.geq x {bound})"),
            None => "(and (fp.isInfinite x) (fp.isPositive x))".to_owned(),
        };
        let below = match &bound {
            _ if !signed => format!("(fp.lt x {})", from.zero()),
            Some(bound) => format!("(fp.leq x (fp.neg {bound}))"),
            None => "(and (fp.isInfinite x) (fp.isNegative x))".to_owned(),
        };
        let greatest = constant(mask(width) >> u32::from(signed), width);
        let least = constant(if signed { sign_bit(width) } else { 0 }, width);
        let zero = constant(0, width);
        let inside = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
        let body = format!(
            "(ite (fp.isNaN x) {zero} (ite {above} {greatest} (ite {below} {least} \
             ((_ {inside} {width}) RTZ x))))"
        );
        let name = format!("{}-as-{}", from.name(), integer(signed, width));
        self.define(name, &[("x", &from.sort())], &bits(width), &body)
    }

    /// Of two floats: Rust's `%`. The standard has IEEE's remainder, which is at most half of the
    /// divisor and can have the other sign; the sum that makes up for that is exact.
    pub fn remainder(&mut self, format: Format) -> String {
        let zero = format.zero();
        let body = format!(
            "(let ((near (fp.rem (fp.abs x) (fp.abs y)))) \
             (let ((size (ite (fp.lt near {zero}) (fp.add RNE near (fp.abs y)) near))) \
             (ite (fp.isNegative x) (fp.neg size) size)))"
        );
        let sort = format.sort();
        let parameters = [("x", sort.as_str()), ("y", sort.as_str())];
        self.define(format!("remainder-{}", format.name()), &parameters, &sort, &body)
    }

    fn define(
        &mut self,
        name: String,
        parameters: &[(&str, &str)],
        result: &str,
        body: &str,
    ) -> String {
        let parameters: Vec<String> =
            parameters.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
        let command = format!("(define-fun {name} ({}) {result}\n  {body})", parameters.join(" "));
        self.defined.entry(name.clone()).or_insert(command);
        name
    }
}

/// One bit of `x`, as a bit-vector.
fn single(bit: u32) -> String {
    format!("((_ extract {bit} {bit}) x)")
}

fn bits(width: u32) -> String {
    format!("(_ BitVec {width})")
}

/// As Rust names it.
fn integer(signed: bool, width: u32) -> String {
    format!("{}{width}", if signed { "i" } else { "u" })
}

/// An operator on all parts, which stay in their order: in pairs, so that nesting stays low.
fn joined(op: &str, mut parts: Vec<String>) -> String {
    while parts.len() > 1 {
        let pairs = parts.chunks(2).map(|pair| match pair {
            [left, right] => format!("({op} {left} {right})"),
            rest => rest[0].clone(),
        });
        parts = pairs.collect();
    }
    parts.swap_remove(0)
}
