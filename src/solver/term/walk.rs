//! Going over terms. Operands have smaller numbers than what is built of them: each walk collects
//! what it reaches, sorts it, and goes over it from the operands up.

use std::collections::{BTreeSet, HashMap};

use fixedbitset::FixedBitSet;

use super::{BitsOp, Node, OverflowOp, Symbol, Term, Terms, Var, meaning};
use crate::bits::{mask, signed};

/// Values of variables. A truth value is 0 or 1, and an effect state is any number: equal
/// numbers are equal states.
pub type Assignment = HashMap<Var, u128>;

impl Terms {
    /// The roots and all that they are built of, operands first.
    pub fn reachable(&self, roots: &[Term]) -> Vec<Term> {
        let Some(last) = roots.iter().max() else { return Vec::new() };
        let mut seen = FixedBitSet::with_capacity(last.index() + 1);
        let mut reached = Vec::new();
        let mut next = 0;
        let reach = |term: Term, seen: &mut FixedBitSet, reached: &mut Vec<Term>| {
            if !seen.put(term.index()) {
                reached.push(term);
            }
        };
        roots.iter().for_each(|root| reach(*root, &mut seen, &mut reached));
        while let Some(term) = reached.get(next) {
            next += 1;
            self.node(*term).for_each_operand(|operand| reach(operand, &mut seen, &mut reached));
        }
        reached.sort_unstable();
        reached
    }

    pub fn variables(&self, roots: &[Term]) -> BTreeSet<Var> {
        let variable = |term: Term| match self.node(term) {
            Node::Var(var) => Some(*var),
            _ => None,
        };
        self.reachable(roots).into_iter().filter_map(variable).collect()
    }

    /// Those of some conditions that have to do with what is asked: first those about the same
    /// variables, then those about the variables of these, and so on. To leave some out errs towards
    /// that all of them can be.
    pub fn related(&self, to: &[Term], among: &[Term]) -> Vec<Vec<Term>> {
        let mut left: Vec<_> = among.iter().map(|&it| (it, self.variables(&[it]))).collect();
        let mut about = self.variables(to);
        let mut rings = Vec::new();
        loop {
            let (near, far) = left.into_iter().partition(|(_, own)| !own.is_disjoint(&about));
            let near: Vec<(Term, BTreeSet<Var>)> = near;
            if near.is_empty() {
                return rings;
            }
            rings.push(near.iter().map(|(term, _)| *term).collect());
            about.extend(near.into_iter().flat_map(|(_, own)| own));
            left = far;
        }
    }

    pub fn symbols(&self, roots: &[Term]) -> BTreeSet<Symbol> {
        let symbol = |term: Term| match self.node(term) {
            Node::Apply(symbol, _) => Some(*symbol),
            _ => None,
        };
        self.reachable(roots).into_iter().filter_map(symbol).collect()
    }

    /// The sums, differences and products among what the roots reach, with their operands: whether
    /// one wraps is [`Terms::overflows`] of the same.
    pub fn arithmetic(&self, roots: &[Term]) -> Vec<(Term, OverflowOp, Term, Term)> {
        let arithmetic = |term: Term| match *self.node(term) {
            Node::Binary(BitsOp::Add, left, right) => Some((term, OverflowOp::Add, left, right)),
            Node::Binary(BitsOp::Sub, left, right) => Some((term, OverflowOp::Sub, left, right)),
            Node::Binary(BitsOp::Mul, left, right) => Some((term, OverflowOp::Mul, left, right)),
            _ => None,
        };
        self.reachable(roots).into_iter().filter_map(arithmetic).collect()
    }

    /// The term's value; none if it rests on an uninterpreted function, on a variable without a
    /// value, or on arithmetic of floats that are neither `f32` nor `f64`.
    pub fn eval(&self, term: Term, assignment: &Assignment) -> Option<u128> {
        self.eval_all(&[term], assignment)[0]
    }

    /// [`Terms::eval`] for several terms that share much.
    pub fn eval_all(&self, terms: &[Term], assignment: &Assignment) -> Vec<Option<u128>> {
        let mut values: HashMap<Term, Option<u128>> = HashMap::new();
        for term in self.reachable(terms) {
            let value = self.value(term, assignment, |operand| values[&operand]);
            values.insert(term, value);
        }
        terms.iter().map(|term| values[term]).collect()
    }

    fn value(
        &self,
        term: Term,
        assignment: &Assignment,
        of: impl Fn(Term) -> Option<u128>,
    ) -> Option<u128> {
        let truth = |term: Term| of(term).map(|value| value != 0);
        let value = match *self.node(term) {
            Node::Bool(value) => value.into(),
            Node::Bits { value, .. } => value,
            Node::Var(var) => *assignment.get(&var)?,
            Node::Not(inner) => (!truth(inner)?).into(),
            Node::And(ref parts) => junction(parts.iter().map(|part| truth(*part)), true)?.into(),
            Node::Or(ref parts) => junction(parts.iter().map(|part| truth(*part)), false)?.into(),
            Node::Eq(left, right) => (of(left)? == of(right)?).into(),
            Node::Ite(condition, yes, no) => of(if truth(condition)? { yes } else { no })?,
            Node::Binary(op, left, right) => {
                meaning::binary(op, of(left)?, of(right)?, self.width(left))
            }
            Node::Compare(op, left, right) => {
                meaning::compare(op, of(left)?, of(right)?, self.width(left)).into()
            }
            Node::Overflows { op, signed, left, right } => {
                meaning::overflows(op, signed, of(left)?, of(right)?, self.width(left)).into()
            }
            Node::Extract { of: inner, low, width } => of(inner)? >> low & mask(width),
            Node::ZeroExtend { of: inner, .. } => of(inner)?,
            Node::SignExtend { of: inner, width } => {
                signed(of(inner)?, self.width(inner)) as u128 & mask(width)
            }
            Node::Concat { high, low } => of(high)? << self.width(low) | of(low)?,
            Node::Count(count, inner) => meaning::count(count, of(inner)?, self.width(inner)),
            Node::Reverse(inner) => meaning::reverse(of(inner)?, self.width(inner)),
            Node::Float(op, left, right) => {
                meaning::float(op, of(left)?, of(right)?, self.width(left))?
            }
            Node::FloatCompare(op, left, right) => {
                meaning::float_compare(op, of(left)?, of(right)?, self.width(left))?.into()
            }
            Node::FloatRound(rounding, inner) => {
                meaning::float_round(rounding, of(inner)?, self.width(inner))?
            }
            Node::FloatSqrt(inner) => meaning::float_sqrt(of(inner)?, self.width(inner))?,
            Node::FloatFma(a, b, c) => meaning::float_fma(of(a)?, of(b)?, of(c)?, self.width(a))?,
            Node::FloatFromBits { of: inner, signed, width } => {
                meaning::float_from_bits(of(inner)?, signed, self.width(inner), width)?
            }
            Node::FloatToBits { of: inner, signed, width } => {
                meaning::float_to_bits(of(inner)?, signed, self.width(inner), width)?
            }
            Node::FloatToFloat { of: inner, width } => {
                meaning::float_to_float(of(inner)?, self.width(inner), width)?
            }
            Node::Apply(..) => return None,
        };
        Some(value)
    }

    /// The roots with each term that `map` names replaced, built again from the operands up.
    pub fn substitute(&mut self, roots: &[Term], map: &HashMap<Term, Term>) -> Vec<Term> {
        let mut replaced: HashMap<Term, Term> = HashMap::new();
        for term in self.reachable(roots) {
            let other = match map.get(&term) {
                Some(other) => *other,
                None => {
                    let mut changed = false;
                    let node = self.node(term).with_operands(|operand| {
                        changed |= replaced[&operand] != operand;
                        replaced[&operand]
                    });
                    if changed { self.build(node) } else { term }
                }
            };
            replaced.insert(term, other);
        }
        roots.iter().map(|root| replaced[root]).collect()
    }

    /// The term with that operator and operands, simplified.
    pub fn build(&mut self, node: Node) -> Term {
        match node {
            Node::Bool(value) => self.bool(value),
            Node::Bits { value, width } => self.bits(value, width),
            Node::Var(var) => self.var_term(var),
            Node::Not(of) => self.not(of),
            Node::And(parts) => self.and(parts),
            Node::Or(parts) => self.or(parts),
            Node::Eq(left, right) => self.eq(left, right),
            Node::Ite(condition, yes, no) => self.ite(condition, yes, no),
            Node::Binary(op, left, right) => self.binary(op, left, right),
            Node::Compare(op, left, right) => self.compare(op, left, right),
            Node::Overflows { op, signed, left, right } => self.overflows(op, signed, left, right),
            Node::Extract { of, low, width } => self.extract(of, low, width),
            Node::ZeroExtend { of, width } => self.zero_extend(of, width),
            Node::SignExtend { of, width } => self.sign_extend(of, width),
            Node::Concat { high, low } => self.concat(high, low),
            Node::Count(count, of) => self.count(count, of),
            Node::Reverse(of) => self.reverse(of),
            Node::Float(op, left, right) => self.float(op, left, right),
            Node::FloatCompare(op, left, right) => self.float_compare(op, left, right),
            Node::FloatRound(rounding, of) => self.float_round(rounding, of),
            Node::FloatSqrt(of) => self.float_sqrt(of),
            Node::FloatFma(a, b, c) => self.float_fma(a, b, c),
            Node::FloatFromBits { of, signed, width } => self.float_from_bits(of, signed, width),
            Node::FloatToBits { of, signed, width } => self.float_to_bits(of, signed, width),
            Node::FloatToFloat { of, width } => self.float_to_float(of, width),
            Node::Apply(symbol, arguments) => self.apply(symbol, arguments),
        }
    }
}

/// A part with the deciding value decides, also where another part has no value.
fn junction(parts: impl Iterator<Item = Option<bool>>, neutral: bool) -> Option<bool> {
    let mut all_known = true;
    for part in parts {
        match part {
            Some(value) if value != neutral => return Some(!neutral),
            Some(_) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(neutral)
}
