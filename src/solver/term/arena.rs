//! The arena in which terms live.

use indexmap::IndexSet;

use super::{Node, Sort, Symbol, Term, Var};
use crate::bits::mask;

/// All terms of one question and those that came before it.
///
/// A term is built once: equal operator and operands give the same [`Term`]. The builder's methods
/// simplify, so that the node of what they return need not be the operator that was asked for.
/// Asking for operands of the wrong sort or width is a mistake of the caller and panics.
#[derive(Clone, Default)]
pub struct Terms {
    nodes: IndexSet<Node>,
    /// The sort of each of `nodes`.
    sorts: Vec<Sort>,
    /// The term of each variable.
    variables: Vec<Term>,
    /// The sort of each function's results.
    results: Vec<Sort>,
}

impl Terms {
    pub fn new() -> Terms {
        Terms::default()
    }

    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Node::Bool(value), Sort::Bool)
    }

    /// The low `width` bits of `value`.
    pub fn bits(&mut self, value: u128, width: u32) -> Term {
        assert!((1..=128).contains(&width), "a term has 1 to 128 bits, not {width}");
        self.intern(Node::Bits { value: value & mask(width), width }, Sort::Bits(width))
    }

    /// A fresh variable.
    pub fn var(&mut self, sort: Sort) -> Term {
        if let Sort::Bits(width) = sort {
            assert!((1..=128).contains(&width), "a variable has 1 to 128 bits, not {width}");
        }
        let var = Var(self.variables.len() as u32);
        let term = self.intern(Node::Var(var), sort);
        self.variables.push(term);
        term
    }

    /// A fresh uninterpreted function.
    pub fn symbol(&mut self, result: Sort) -> Symbol {
        self.results.push(result);
        Symbol(self.results.len() as u32 - 1)
    }

    pub fn apply(&mut self, symbol: Symbol, arguments: impl IntoIterator<Item = Term>) -> Term {
        let arguments = arguments.into_iter().collect();
        self.intern(Node::Apply(symbol, arguments), self.result(symbol))
    }

    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// The number of bits of a term that has bits.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            sort => panic!("bits expected, not {sort:?}"),
        }
    }

    /// The value of a constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match *self.node(term) {
            Node::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant.
    pub fn as_bits(&self, term: Term) -> Option<u128> {
        match *self.node(term) {
            Node::Bits { value, .. } => Some(value),
            _ => None,
        }
    }

    pub fn as_var(&self, term: Term) -> Option<Var> {
        match *self.node(term) {
            Node::Var(var) => Some(var),
            _ => None,
        }
    }

    pub fn var_term(&self, var: Var) -> Term {
        self.variables[var.0 as usize]
    }

    /// The sort of the function's results.
    pub fn result(&self, symbol: Symbol) -> Sort {
        self.results[symbol.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let (index, is_new) = self.nodes.insert_full(node);
        if is_new {
            self.sorts.push(sort);
        }
        Term(u32::try_from(index).expect("fewer than 2^32 terms fit into memory"))
    }

    /// The term with that node, if it has been built.
    pub(super) fn find(&self, node: &Node) -> Option<Term> {
        self.nodes.get_index_of(node).map(|index| Term(index as u32))
    }

    pub(super) fn same_width(&self, left: Term, right: Term) -> u32 {
        let width = self.width(left);
        assert_eq!(width, self.width(right), "operands of one width");
        width
    }

    /// A commutative operator's operands in the order in which they are always written: a constant
    /// last, otherwise the older first.
    pub(super) fn ordered(&self, left: Term, right: Term) -> (Term, Term) {
        let is_constant = |term| matches!(self.node(term), Node::Bool(_) | Node::Bits { .. });
        if (is_constant(left), left) <= (is_constant(right), right) {
            (left, right)
        } else {
            (right, left)
        }
    }

    /// Condition and values of a choice between two constants.
    pub(super) fn as_choice(&self, term: Term) -> Option<(Term, u128, u128)> {
        match *self.node(term) {
            Node::Ite(condition, yes, no) => {
                Some((condition, self.as_bits(yes)?, self.as_bits(no)?))
            }
            _ => None,
        }
    }
}
