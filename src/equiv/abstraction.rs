//! Arithmetic that solvers find hard, left open.

use std::collections::HashMap;

use crate::solver::{BitsOp, Node, OverflowOp, Sort, Symbol, Term, Terms};

/// An operation that is not looked into.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Abstracted {
    Operation(BitsOp),
    Overflow(bool),
}

/// The same terms, in which products and quotients of two variables can be anything that is the same
/// where the operands are.
///
/// Over-approximates: what cannot be true of these cannot be true of the terms themselves.
pub fn abstract_arithmetic(terms: &mut Terms, roots: &[Term]) -> Vec<Term> {
    let mut symbols: HashMap<(Abstracted, Sort), Symbol> = HashMap::new();
    let mut map = HashMap::new();
    for term in terms.reachable(roots) {
        let (kind, left, right) = match *terms.node(term) {
            Node::Binary(
                op @ (BitsOp::Mul | BitsOp::UDiv | BitsOp::SDiv | BitsOp::URem | BitsOp::SRem),
                left,
                right,
            ) => (Abstracted::Operation(op), left, right),
            Node::Overflows { op: OverflowOp::Mul, signed, left, right } => {
                (Abstracted::Overflow(signed), left, right)
            }
            _ => continue,
        };
        if terms.as_bits(left).is_some() || terms.as_bits(right).is_some() {
            continue;
        }
        let sort = terms.sort(term);
        let key = (kind, terms.sort(left));
        let symbol = *symbols.entry(key).or_insert_with(|| terms.symbol(sort));
        let operands = terms.substitute(&[left, right], &map);
        map.insert(term, terms.apply(symbol, operands));
    }
    match map.is_empty() {
        true => roots.to_vec(),
        false => terms.substitute(roots, &map),
    }
}
