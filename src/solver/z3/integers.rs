//! Terms as integers that wrap explicitly.
//!
//! Where ranges show that nothing wraps, nothing is said of it: a product of widened factors is just
//! a product. A term is computed as the signed or the unsigned number it is mostly used as.

use std::collections::HashMap;

use cargo_cse::reason::NoAnswer;
use cargo_cse::solver::{BitsOp, CompareOp, Node, OverflowOp, Sort, Term, Var, query::Dag};
use z3::ast::{Bool, Dynamic};

use super::{
    answer::{Encoded, Z3Value},
    arithmetic::{
        bitwise, divide, divide_signed, extract, shift, signed_arithmetic, unsigned_arithmetic,
    },
    functions::{Functions, world_sort},
    numbers::{Number, all_signed, all_unsigned, is_in_range, power_of_two},
};

/// Refuses what [`Dag::in_integers`] excludes.
pub fn encode(dag: &Dag) -> Result<Encoded, NoAnswer> {
    if !dag.terms().all(|term| dag.in_integers(term)) {
        return Err(NoAnswer::NotInIntegers);
    }
    let mut integers = Integers::new(dag, votes(dag, dag.terms(), |_| 0));
    for term in dag.terms() {
        integers.define(term);
    }
    let variables = integers.variables.iter().map(|(var, term)| {
        let known = match &integers.values[term] {
            Value::Bool(value) => Z3Value::Bool(value.clone()),
            Value::Bits(number) => Z3Value::Number(number.any_form().clone(), number.width()),
            Value::EffectState(value) => Z3Value::EffectState(value.clone()),
        };
        (*var, known)
    });
    let variables = variables.collect();
    let truths = (integers.values.into_iter())
        .filter_map(|(term, value)| match value {
            Value::Bool(value) => Some((term, value)),
            _ => None,
        })
        .collect();
    Ok(Encoded { truths, ranges: integers.ranges, variables })
}

/// How each term is used: above zero mostly as a signed number, below as an unsigned one. `outside`
/// is how else a term is used.
pub fn votes(
    dag: &Dag,
    terms: impl DoubleEndedIterator<Item = Term>,
    outside: impl Fn(Term) -> i32,
) -> HashMap<Term, i32> {
    let mut votes: HashMap<Term, i32> = HashMap::new();
    for term in terms.rev() {
        let own = votes.entry(term).or_default();
        *own += outside(term);
        let own = own.signum();
        let mut vote = |operands: &[Term], by: i32| {
            operands.iter().for_each(|operand| *votes.entry(*operand).or_default() += by);
        };
        let sign = |signed: bool| if signed { 1 } else { -1 };
        match *dag.node(term) {
            Node::Compare(op, left, right) => vote(&[left, right], sign(op.is_signed())),
            Node::Overflows { signed, left, right, .. } => vote(&[left, right], sign(signed)),
            Node::Binary(BitsOp::SDiv | BitsOp::SRem, left, right) => vote(&[left, right], 1),
            Node::Binary(BitsOp::Add | BitsOp::Sub | BitsOp::Mul, left, right) => {
                vote(&[left, right], own);
            }
            Node::Binary(BitsOp::Shl | BitsOp::AShr, left, _) => vote(&[left], own),
            Node::Binary(_, left, right) => vote(&[left, right], -1),
            Node::Ite(_, yes, no) => vote(&[yes, no], own),
            Node::SignExtend { of, .. } => vote(&[of], 1),
            Node::ZeroExtend { of, .. } => vote(&[of], -1),
            Node::Concat { high, low } => {
                vote(&[high], own);
                vote(&[low], -1);
            }
            _ => {}
        }
    }
    votes
}

/// A term's value.
pub enum Value {
    Bool(Bool),
    Bits(Number),
    EffectState(Dynamic),
}

/// Terms as they are said with integers.
pub struct Integers<'d> {
    dag: &'d Dag,
    /// Which terms are computed as signed numbers: see [`votes`].
    votes: HashMap<Term, i32>,
    /// Sums, differences and products that do not wrap, as signed numbers or not.
    pub exact: HashMap<Term, bool>,
    /// The sort of what no more is known of than equality.
    pub effect_state: z3::Sort,
    pub values: HashMap<Term, Value>,
    /// What the variables and functions are restricted to by their sort.
    pub ranges: Vec<Bool>,
    pub variables: Vec<(Var, Term)>,
    /// What was made by [`Integers::fresh`].
    pub unknowns: Vec<Dynamic>,
    functions: Functions,
}

impl<'d> Integers<'d> {
    pub fn new(dag: &'d Dag, votes: HashMap<Term, i32>) -> Integers<'d> {
        Integers {
            dag,
            votes,
            exact: HashMap::new(),
            effect_state: world_sort(),
            values: HashMap::new(),
            ranges: Vec::new(),
            variables: Vec::new(),
            unknowns: Vec::new(),
            functions: Functions::default(),
        }
    }

    fn is_signed(&self, term: Term) -> bool {
        self.votes.get(&term).is_some_and(|votes| *votes > 0)
    }

    pub fn bool(&self, term: Term) -> &Bool {
        match &self.values[&term] {
            Value::Bool(value) => value,
            _ => panic!("a truth value expected"),
        }
    }

    pub fn number(&self, term: Term) -> &Number {
        match &self.values[&term] {
            Value::Bits(number) => number,
            _ => panic!("bits expected"),
        }
    }

    /// The value as one that equality and functions see: equal bits are equal numbers.
    pub fn canonical(&self, term: Term) -> Dynamic {
        match &self.values[&term] {
            Value::Bool(value) => value.into(),
            Value::Bits(number) => number.as_unsigned().into(),
            Value::EffectState(value) => value.clone(),
        }
    }

    /// Says the term, whose operands have been said.
    pub fn define(&mut self, term: Term) {
        let value = match *self.dag.node(term) {
            Node::Var(var) => {
                self.variables.push((var, term));
                self.fresh(term, &format!("x{}", var.0))
            }
            Node::Apply(_, ref arguments) => {
                let arguments: Vec<Dynamic> =
                    arguments.iter().map(|argument| self.canonical(*argument)).collect();
                let effect_state = self.effect_state.clone();
                let result = self.functions.apply(self.dag, term, &arguments, |sort| match sort {
                    Sort::Bool => z3::Sort::bool(),
                    Sort::Bits(_) => z3::Sort::int(),
                    Sort::EffectState => effect_state.clone(),
                });
                self.restricted(term, result, false)
            }
            _ => self.computed(term),
        };
        self.values.insert(term, value);
    }

    /// An unknown value of the term's sort.
    pub fn fresh(&mut self, term: Term, name: &str) -> Value {
        let sort = match self.dag.sort(term) {
            Sort::Bool => z3::Sort::bool(),
            Sort::Bits(_) => z3::Sort::int(),
            Sort::EffectState => self.effect_state.clone(),
        };
        let unknown = Dynamic::fresh_const(name, &sort);
        self.unknowns.push(unknown.clone());
        let signed = self.is_signed(term);
        self.restricted(term, unknown, signed)
    }

    fn restricted(&mut self, term: Term, value: Dynamic, signed: bool) -> Value {
        match self.dag.sort(term) {
            Sort::Bool => Value::Bool(value.as_bool().expect("has that sort")),
            Sort::EffectState => Value::EffectState(value),
            Sort::Bits(width) => {
                let form = value.as_int().expect("has that sort");
                self.ranges.push(is_in_range(&form, signed, width));
                Value::Bits(if signed {
                    Number::signed(form, all_signed(width), width)
                } else {
                    Number::unsigned(form, all_unsigned(width), width)
                })
            }
        }
    }

    fn computed(&self, term: Term) -> Value {
        let bools = |parts: &[Term]| -> Vec<Bool> {
            parts.iter().map(|part| self.bool(*part).clone()).collect()
        };
        match *self.dag.node(term) {
            Node::Bool(value) => Value::Bool(Bool::from_bool(value)),
            Node::Bits { value, width } => Value::Bits(Number::constant(value, width)),
            Node::Not(of) => Value::Bool(self.bool(of).not()),
            Node::And(ref parts) => Value::Bool(Bool::and(&bools(parts))),
            Node::Or(ref parts) => Value::Bool(Bool::or(&bools(parts))),
            Node::Eq(left, right) => Value::Bool(self.equal(left, right)),
            Node::Ite(condition, yes, no) => self.choice(term, condition, yes, no),
            Node::Compare(op, left, right) => {
                let form = |term| self.number(term).form(op.is_signed());
                Value::Bool(match op {
                    CompareOp::Ult | CompareOp::Slt => form(left).lt(form(right)),
                    CompareOp::Ule | CompareOp::Sle => form(left).le(form(right)),
                })
            }
            Node::Overflows { op, signed, left, right } => {
                Value::Bool(self.overflows(op, signed, left, right))
            }
            Node::Binary(op, left, right) => Value::Bits(self.binary(term, op, left, right)),
            Node::Extract { of, low, width } => Value::Bits(extract(self.number(of), low, width)),
            Node::ZeroExtend { of, width } => {
                let of = self.number(of);
                Value::Bits(Number::unsigned(of.as_unsigned().clone(), of.unsigned_range, width))
            }
            Node::SignExtend { of, width } => {
                let of = self.number(of);
                Value::Bits(Number::signed(of.as_signed().clone(), of.signed_range, width))
            }
            Node::Concat { high, low } => Value::Bits(self.concat(term, high, low)),
            ref node => unreachable!("not said with integers: {node:?}"),
        }
    }

    pub fn equal(&self, left: Term, right: Term) -> Bool {
        match (&self.values[&left], &self.values[&right]) {
            (Value::Bool(left), Value::Bool(right)) => left.eq(right),
            (Value::Bits(left), Value::Bits(right)) => {
                // A constant has both forms.
                let is_signed = |number: &Number| number.is_signed || number.value().is_some();
                let signed = is_signed(left) && is_signed(right);
                left.form(signed).eq(right.form(signed))
            }
            (Value::EffectState(left), Value::EffectState(right)) => left.eq(right),
            _ => panic!("one sort expected"),
        }
    }

    fn choice(&self, term: Term, condition: Term, yes: Term, no: Term) -> Value {
        let condition = self.bool(condition);
        match (&self.values[&yes], &self.values[&no]) {
            (Value::Bool(yes), Value::Bool(no)) => Value::Bool(condition.ite(yes, no)),
            (Value::Bits(yes), Value::Bits(no)) => {
                let width = yes.width();
                Value::Bits(if self.is_signed(term) {
                    let form = condition.ite(yes.as_signed(), no.as_signed());
                    let (a, b) = (yes.signed_range, no.signed_range);
                    Number::signed(form, (a.0.min(b.0), a.1.max(b.1)), width)
                } else {
                    let form = condition.ite(yes.as_unsigned(), no.as_unsigned());
                    let (a, b) = (yes.unsigned_range, no.unsigned_range);
                    Number::unsigned(form, (a.0.min(b.0), a.1.max(b.1)), width)
                })
            }
            (Value::EffectState(yes), Value::EffectState(no)) => {
                Value::EffectState(condition.ite(yes, no))
            }
            _ => panic!("one sort expected"),
        }
    }

    fn overflows(&self, op: OverflowOp, signed: bool, left: Term, right: Term) -> Bool {
        let (left, right) = (self.number(left), self.number(right));
        let exact = match op {
            OverflowOp::Add => left.form(signed) + right.form(signed),
            OverflowOp::Sub => left.form(signed) - right.form(signed),
            OverflowOp::Mul => left.form(signed) * right.form(signed),
        };
        is_in_range(&exact, signed, left.width()).not()
    }

    fn binary(&self, term: Term, op: BitsOp, left: Term, right: Term) -> Number {
        let exact = self.exact.get(&term).copied();
        let signed = exact.unwrap_or_else(|| self.is_signed(term));
        let (left, right) = (self.number(left), self.number(right));
        match op {
            BitsOp::Add | BitsOp::Sub | BitsOp::Mul if signed => {
                signed_arithmetic(op, left, right, exact.is_some())
            }
            BitsOp::Add | BitsOp::Sub | BitsOp::Mul => {
                unsigned_arithmetic(op, left, right, exact.is_some())
            }
            BitsOp::UDiv | BitsOp::URem => divide(op, left, right),
            BitsOp::SDiv | BitsOp::SRem => divide_signed(op, left, right),
            BitsOp::And | BitsOp::Or | BitsOp::Xor => bitwise(op, left, right),
            BitsOp::Shl | BitsOp::LShr | BitsOp::AShr => {
                shift(op, left, right.value().expect("the amount is a constant"))
            }
        }
    }

    fn concat(&self, term: Term, high: Term, low: Term) -> Number {
        let (high, low) = (self.number(high), self.number(low));
        let (width, border) = (high.width() + low.width(), low.width());
        let (from, to) = low.unsigned_range;
        if self.is_signed(term) {
            let range = high.signed_range;
            let range = (range.0 << border | from as i128, range.1 << border | to as i128);
            let form = high.as_signed() * power_of_two(border) + low.as_unsigned();
            Number::signed(form, range, width)
        } else {
            let range = high.unsigned_range;
            let range = (range.0 << border | from, range.1 << border | to);
            let form = high.as_unsigned() * power_of_two(border) + low.as_unsigned();
            Number::unsigned(form, range, width)
        }
    }
}
