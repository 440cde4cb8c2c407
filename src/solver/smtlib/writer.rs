//! Terms as text.

use std::collections::HashMap;

use super::functions::Functions;
use crate::solver::{BitsOp, CompareOp, Node, Sort, Symbol, Term, query::Dag};

/// A term that is used once and no longer than this is written where it is used.
const SHORT: usize = 60;

/// Where the terms will stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// At the top of a script, in which uninterpreted functions are declared.
    Script,
    /// In a Horn clause, in which only predicates are unknown. What an uninterpreted call gives is
    /// any value that is the same where the arguments are, within the clause.
    Clause,
}

/// What has to be said before the terms can be used, in this order.
pub enum Item {
    /// A value of which nothing is known by itself.
    Unknown {
        name: String,
        sort: Sort,
    },
    Function {
        name: String,
        parameters: Vec<Sort>,
        result: Sort,
    },
    /// A name for a term. Those of one level do not use each other, only those of lower ones.
    Definition {
        name: String,
        sort: Sort,
        text: String,
        level: usize,
    },
    /// What holds of the unknown values so far.
    Constraint(String),
}

/// Writes terms one after the other, operands first.
pub struct Writer<'w> {
    pub(super) dag: &'w Dag,
    pub(super) functions: &'w mut Functions,
    scope: Scope,
    pub items: Vec<Item>,
    /// How often each term is used.
    uses: HashMap<Term, usize>,
    written: HashMap<Term, Written>,
    /// The uninterpreted functions so far, each with its number and the applications of it. Applied to
    /// other sorts of arguments, one is another one.
    applied: HashMap<(Symbol, Vec<Sort>), (usize, Vec<Term>)>,
}

/// How a term is written where it is used.
struct Written {
    text: String,
    /// The highest level of the definitions in it.
    level: usize,
}

impl<'w> Writer<'w> {
    /// Writes the roots and all that they are built of.
    pub fn write(
        dag: &'w Dag,
        functions: &'w mut Functions,
        scope: Scope,
        roots: &[Term],
    ) -> Writer<'w> {
        let terms = dag.reached_by(roots.iter().copied());
        let mut uses: HashMap<Term, usize> = HashMap::new();
        let mut count = |term: Term| *uses.entry(term).or_default() += 1;
        terms.iter().for_each(|term| dag.node(*term).for_each_operand(&mut count));
        roots.iter().copied().for_each(count);
        let (items, written, applied) = (Vec::new(), HashMap::new(), HashMap::new());
        let mut writer = Writer { dag, functions, scope, items, uses, written, applied };
        terms.into_iter().for_each(|term| writer.add(term));
        writer
    }

    /// How a term is written where it is used.
    pub fn text(&self, term: Term) -> &str {
        &self.written[&term].text
    }

    fn add(&mut self, term: Term) {
        let text = self.expression(term);
        let mut level = 0;
        let mut is_constant = true;
        self.dag.node(term).for_each_operand(|operand| {
            level = level.max(self.written[&operand].level);
            is_constant = false;
        });
        let is_name = !text.starts_with('(');
        let is_used_once = self.uses.get(&term).is_none_or(|uses| *uses <= 1);
        let written = if is_name {
            Written { text, level: 0 }
        } else if is_constant || is_used_once && text.len() <= SHORT {
            Written { text, level }
        } else {
            let (name, sort, level) =
                (format!("t{}", term.index()), self.dag.sort(term), level + 1);
            self.items.push(Item::Definition { name: name.clone(), sort, text, level });
            Written { text: name, level }
        };
        self.written.insert(term, written);
    }

    fn expression(&mut self, term: Term) -> String {
        let dag = self.dag;
        match *dag.node(term) {
            Node::Bool(value) => value.to_string(),
            Node::Bits { value, width } => constant(value, width),
            Node::Var(var) => {
                let name = format!("x{}", var.0);
                self.items.push(Item::Unknown { name: name.clone(), sort: dag.sort(term) });
                name
            }
            Node::Not(of) => self.call("not", &[of]),
            Node::And(ref parts) => self.call("and", parts),
            Node::Or(ref parts) => self.call("or", parts),
            Node::Eq(left, right) => self.call("=", &[left, right]),
            Node::Ite(condition, yes, no) => self.call("ite", &[condition, yes, no]),
            Node::Binary(op, left, right) => self.call(binary(op), &[left, right]),
            Node::Compare(op, left, right) => self.call(comparison(op), &[left, right]),
            Node::Overflows { op, signed, left, right } => {
                let function = self.functions.overflows(op, signed, dag.width(left));
                self.call(&function, &[left, right])
            }
            Node::Extract { of, low, width } => {
                self.call(&format!("(_ extract {} {low})", low + width - 1), &[of])
            }
            Node::ZeroExtend { of, width } => {
                self.call(&format!("(_ zero_extend {})", width - dag.width(of)), &[of])
            }
            Node::SignExtend { of, width } => {
                self.call(&format!("(_ sign_extend {})", width - dag.width(of)), &[of])
            }
            Node::Concat { high, low } => self.call("concat", &[high, low]),
            Node::Count(count, of) => {
                let function = self.functions.count(count, dag.width(of));
                self.call(&function, &[of])
            }
            Node::Reverse(of) => {
                let function = self.functions.reverse(dag.width(of));
                self.call(&function, &[of])
            }
            Node::Apply(symbol, ref arguments) => self.application(term, symbol, arguments),
            Node::Float(..)
            | Node::FloatCompare(..)
            | Node::FloatRound(..)
            | Node::FloatSqrt(_)
            | Node::FloatFma(..)
            | Node::FloatFromBits { .. }
            | Node::FloatToBits { .. }
            | Node::FloatToFloat { .. } => self.float_expression(term),
        }
    }

    fn application(&mut self, term: Term, symbol: Symbol, arguments: &[Term]) -> String {
        let sorts: Vec<Sort> = arguments.iter().map(|it| self.dag.sort(*it)).collect();
        let new = self.applied.len();
        let (number, others) =
            self.applied.entry((symbol, sorts.clone())).or_insert_with(|| (new, Vec::new()));
        let name = format!("f{number}");
        let others = std::mem::replace(others, [&others[..], &[term]].concat());
        if self.scope == Scope::Script {
            if others.is_empty() {
                let (name, result) = (name.clone(), self.dag.sort(term));
                self.items.push(Item::Function { name, parameters: sorts, result });
            }
            return self.call(&name, arguments);
        }
        let result = self.unknown(&format!("{name}-"), term);
        for other in others {
            let Node::Apply(_, before) = self.dag.node(other) else { continue };
            let equal = |(one, two): (&Term, &Term)| self.equality(*one, *two);
            let equal: Vec<String> = before.iter().zip(arguments).map(equal).collect();
            let same = format!("(= {} {result})", self.text(other));
            self.constrain(implication(&equal, &same));
        }
        result
    }

    fn equality(&self, one: Term, two: Term) -> String {
        format!("(= {} {})", self.text(one), self.text(two))
    }

    fn call(&self, function: &str, arguments: &[Term]) -> String {
        call(function, arguments.iter().map(|argument| self.text(*argument)))
    }

    /// A new unknown value, which stands for a term.
    pub(super) fn unknown(&mut self, prefix: &str, term: Term) -> String {
        let name = format!("{prefix}{}", term.index());
        self.items.push(Item::Unknown { name: name.clone(), sort: self.dag.sort(term) });
        name
    }

    pub(super) fn constrain(&mut self, text: String) {
        self.items.push(Item::Constraint(text));
    }
}

/// An application, of which the parentheses are left out where there are no arguments.
pub fn call<'a>(function: &str, arguments: impl IntoIterator<Item = &'a str>) -> String {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    if arguments.is_empty() {
        return function.to_owned();
    }
    format!("({function} {})", arguments.join(" "))
}

/// That `then` holds if all of some conditions do.
pub fn implication(conditions: &[String], then: &str) -> String {
    match conditions {
        [] => then.to_owned(),
        [one] => format!("(=> {one} {then})"),
        all => format!("(=> (and {}) {then})", all.join(" ")),
    }
}

/// A bit-vector with that value.
pub fn constant(value: u128, width: u32) -> String {
    match width {
        1..8 => format!("#b{value:0width$b}", width = width as usize),
        _ if width % 4 == 0 => format!("#x{value:0width$x}", width = width as usize / 4),
        _ => format!("(_ bv{value} {width})"),
    }
}

fn binary(op: BitsOp) -> &'static str {
    match op {
        BitsOp::Add => "bvadd",
        BitsOp::Sub => "bvsub",
        BitsOp::Mul => "bvmul",
        BitsOp::UDiv => "bvudiv",
        BitsOp::SDiv => "bvsdiv",
        BitsOp::URem => "bvurem",
        BitsOp::SRem => "bvsrem",
        BitsOp::And => "bvand",
        BitsOp::Or => "bvor",
        BitsOp::Xor => "bvxor",
        BitsOp::Shl => "bvshl",
        BitsOp::LShr => "bvlshr",
        BitsOp::AShr => "bvashr",
    }
}

fn comparison(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Ult => "bvult",
        CompareOp::Ule => "bvule",
        CompareOp::Slt => "bvslt",
        CompareOp::Sle => "bvsle",
    }
}
