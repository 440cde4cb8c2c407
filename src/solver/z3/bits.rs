//! Terms as bit-vectors.

use cargo_cse::reason::NoAnswer;
use cargo_cse::solver::{BitCount, BitsOp, CompareOp, Node, OverflowOp, Sort, Term, query::Dag};
use z3::ast::{BV, Bool, Dynamic};

use super::{
    answer::{Encoded, Z3Value},
    floats::Floats,
    functions::{Functions, world_sort},
};

/// Every term, but for what `floats` refuses.
pub fn encode(dag: &Dag) -> Result<Encoded, NoAnswer> {
    let mut bits = Bits {
        dag,
        values: Vec::new(),
        functions: Functions::default(),
        floats: Floats::default(),
    };
    let mut variables = Vec::new();
    for term in dag.terms() {
        let value = bits.value(term)?;
        if let Node::Var(var) = *dag.node(term) {
            variables.push((
                var,
                match &value {
                    Value::Bool(value) => Z3Value::Bool(value.clone()),
                    Value::Bits(value) => Z3Value::Bits(value.clone()),
                    Value::EffectState(value) => Z3Value::EffectState(value.clone()),
                },
            ));
        }
        bits.values.push(value);
    }
    let truths = (dag.terms().zip(bits.values))
        .filter_map(|(term, value)| match value {
            Value::Bool(value) => Some((term, value)),
            _ => None,
        })
        .collect();
    Ok(Encoded { truths, ranges: Vec::new(), variables })
}

#[derive(Clone)]
enum Value {
    Bool(Bool),
    Bits(BV),
    EffectState(Dynamic),
}

impl Value {
    fn dynamic(&self) -> Dynamic {
        match self {
            Value::Bool(value) => value.into(),
            Value::Bits(value) => value.into(),
            Value::EffectState(value) => value.clone(),
        }
    }

    fn of(value: Dynamic, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(value.as_bool().expect("has that sort")),
            Sort::Bits(_) => Value::Bits(value.as_bv().expect("has that sort")),
            Sort::EffectState => Value::EffectState(value),
        }
    }
}

struct Bits<'d> {
    dag: &'d Dag,
    /// Of the terms so far.
    values: Vec<Value>,
    functions: Functions,
    floats: Floats,
}

impl Bits<'_> {
    fn bool(&self, term: Term) -> &Bool {
        match &self.values[term.index()] {
            Value::Bool(value) => value,
            _ => panic!("a truth value expected"),
        }
    }

    fn bits(&self, term: Term) -> &BV {
        match &self.values[term.index()] {
            Value::Bits(value) => value,
            _ => panic!("bits expected"),
        }
    }

    fn value(&mut self, term: Term) -> Result<Value, NoAnswer> {
        let sort = self.dag.sort(term);
        let bools = |parts: &[Term]| -> Vec<Bool> {
            parts.iter().map(|part| self.bool(*part).clone()).collect()
        };
        Ok(match *self.dag.node(term) {
            Node::Bool(value) => Value::Bool(Bool::from_bool(value)),
            Node::Bits { value, width } => Value::Bits(constant(value, width)),
            Node::Var(var) => {
                Value::of(Dynamic::new_const(format!("x{}", var.0), &sort_of(sort)), sort)
            }
            Node::Not(of) => Value::Bool(self.bool(of).not()),
            Node::And(ref parts) => Value::Bool(Bool::and(&bools(parts))),
            Node::Or(ref parts) => Value::Bool(Bool::or(&bools(parts))),
            Node::Eq(left, right) => {
                Value::Bool(match (self.value_of(left), self.value_of(right)) {
                    (Value::Bool(left), Value::Bool(right)) => left.eq(right),
                    (Value::Bits(left), Value::Bits(right)) => left.eq(right),
                    (left, right) => left.dynamic().eq(right.dynamic()),
                })
            }
            Node::Ite(condition, yes, no) => {
                let (yes, no) = (self.value_of(yes).dynamic(), self.value_of(no).dynamic());
                Value::of(self.bool(condition).ite(&yes, &no), sort)
            }
            Node::Binary(op, left, right) => {
                Value::Bits(binary(op, self.bits(left), self.bits(right)))
            }
            Node::Compare(op, left, right) => {
                let (left, right) = (self.bits(left), self.bits(right));
                Value::Bool(match op {
                    CompareOp::Ult => left.bvult(right),
                    CompareOp::Ule => left.bvule(right),
                    CompareOp::Slt => left.bvslt(right),
                    CompareOp::Sle => left.bvsle(right),
                })
            }
            Node::Overflows { op, signed, left, right } => {
                Value::Bool(overflows(op, signed, self.bits(left), self.bits(right)))
            }
            Node::Extract { of, low, width } => {
                Value::Bits(self.bits(of).extract(low + width - 1, low))
            }
            Node::ZeroExtend { of, width } => {
                Value::Bits(self.bits(of).zero_ext(width - self.dag.width(of)))
            }
            Node::SignExtend { of, width } => {
                Value::Bits(self.bits(of).sign_ext(width - self.dag.width(of)))
            }
            Node::Concat { high, low } => Value::Bits(self.bits(high).concat(self.bits(low))),
            Node::Count(count, of) => Value::Bits(counted(count, self.bits(of))),
            Node::Reverse(of) => Value::Bits(reversed(self.bits(of))),
            Node::Apply(_, ref arguments) => {
                let arguments: Vec<Dynamic> =
                    arguments.iter().map(|argument| self.value_of(*argument).dynamic()).collect();
                Value::of(self.functions.apply(self.dag, term, &arguments, sort_of), sort)
            }
            Node::FloatCompare(op, left, right) => {
                Value::Bool(self.floats.compare(op, self.bits(left), self.bits(right)))
            }
            Node::Float(op, left, right) => {
                Value::Bits(self.floats.arithmetic(op, self.bits(left), self.bits(right))?)
            }
            Node::FloatRound(rounding, of) => {
                Value::Bits(self.floats.round(rounding, self.bits(of)))
            }
            Node::FloatSqrt(of) => Value::Bits(self.floats.sqrt(self.bits(of))),
            Node::FloatFma(a, b, c) => {
                Value::Bits(self.floats.fma(self.bits(a), self.bits(b), self.bits(c)))
            }
            Node::FloatFromBits { of, signed, width } => {
                Value::Bits(self.floats.of_integer(self.bits(of), signed, width))
            }
            Node::FloatToBits { of, signed, width } => {
                Value::Bits(self.floats.to_integer(self.bits(of), signed, width))
            }
            Node::FloatToFloat { of, width } => {
                Value::Bits(self.floats.convert(self.bits(of), width))
            }
        })
    }

    fn value_of(&self, term: Term) -> Value {
        self.values[term.index()].clone()
    }
}

fn sort_of(sort: Sort) -> z3::Sort {
    match sort {
        Sort::Bool => z3::Sort::bool(),
        Sort::Bits(width) => z3::Sort::bitvector(width),
        Sort::EffectState => world_sort(),
    }
}

pub fn constant(value: u128, width: u32) -> BV {
    match u64::try_from(value) {
        Ok(value) => BV::from_u64(value, width),
        Err(_) => BV::from_str(width, &value.to_string()).expect("is a numeral"),
    }
}

fn binary(op: BitsOp, left: &BV, right: &BV) -> BV {
    match op {
        BitsOp::Add => left.bvadd(right),
        BitsOp::Sub => left.bvsub(right),
        BitsOp::Mul => left.bvmul(right),
        BitsOp::UDiv => left.bvudiv(right),
        BitsOp::SDiv => left.bvsdiv(right),
        BitsOp::URem => left.bvurem(right),
        BitsOp::SRem => left.bvsrem(right),
        BitsOp::And => left.bvand(right),
        BitsOp::Or => left.bvor(right),
        BitsOp::Xor => left.bvxor(right),
        BitsOp::Shl => left.bvshl(right),
        BitsOp::LShr => left.bvlshr(right),
        BitsOp::AShr => left.bvashr(right),
    }
}

/// Sums and differences in one bit more; products as Z3 asks it.
fn overflows(op: OverflowOp, signed: bool, left: &BV, right: &BV) -> Bool {
    if op == OverflowOp::Mul {
        let fits = left.bvmul_no_overflow(right, signed);
        let fits = if signed { Bool::and(&[fits, left.bvmul_no_underflow(right)]) } else { fits };
        return fits.not();
    }
    let width = left.get_size();
    let wide = |bits: &BV, by: u32| if signed { bits.sign_ext(by) } else { bits.zero_ext(by) };
    let (left, right) = (wide(left, 1), wide(right, 1));
    let exact = if op == OverflowOp::Add { left.bvadd(&right) } else { left.bvsub(&right) };
    wide(&exact.extract(width - 1, 0), 1).ne(&exact)
}

fn counted(count: BitCount, bits: &BV) -> BV {
    let width = bits.get_size();
    let number = |count: u32| constant(count.into(), width);
    let is_set = |bit: u32| bits.extract(bit, bit).eq(BV::from_u64(1, 1));
    match count {
        BitCount::Ones => {
            let ones = (0..width).map(|bit| bits.extract(bit, bit)).collect();
            let sum = sum(ones);
            // The sum has at most as many bits as it needs, and those are never more than `width`.
            match width.checked_sub(sum.get_size()) {
                Some(more) => sum.zero_ext(more),
                None => sum.extract(width - 1, 0),
            }
        }
        BitCount::LeadingZeros => (0..width)
            .fold(number(width), |rest, bit| is_set(bit).ite(&number(width - 1 - bit), &rest)),
        BitCount::TrailingZeros => {
            (0..width).rev().fold(number(width), |rest, bit| is_set(bit).ite(&number(bit), &rest))
        }
    }
}

/// In pairs, each sum with one bit more: additions stay as narrow as they can be.
fn sum(mut numbers: Vec<BV>) -> BV {
    while numbers.len() > 1 {
        numbers = numbers
            .chunks(2)
            .map(|pair| match pair {
                [left, right] => left.zero_ext(1).bvadd(right.zero_ext(1)),
                rest => rest[0].zero_ext(1),
            })
            .collect();
    }
    numbers.swap_remove(0)
}

fn reversed(bits: &BV) -> BV {
    let bit = |index: u32| bits.extract(index, index);
    (1..bits.get_size()).fold(bit(0), |high, index| high.concat(bit(index)))
}
