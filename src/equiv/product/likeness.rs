//! Loops that are run side by side in the same way as others, but for the names of their variables.

use std::collections::HashMap;

use super::relation::Product;
use crate::solver::{Node, Sort, Term, Terms, Var};

/// The steps of a product without the names of its variables. What holds of one product holds of
/// every other one of the same form, with the variables of that one: nothing has to be proved again.
#[derive(PartialEq, Eq)]
pub struct Form {
    nodes: Vec<(Node, Sort)>,
    roots: Vec<usize>,
    /// How many roots there are of each kind, and from which mode to which the steps lead.
    parts: Vec<usize>,
}

/// The form of a product, and its variables in the order of the form.
pub fn form(terms: &Terms, product: &Product) -> (Form, Vec<Term>) {
    let mut roots = product.roots();
    roots.extend(&product.facts);
    roots.extend(product.modes.iter().flatten());
    roots.extend(product.fixed.iter().chain(&product.given));
    let mut parts = vec![product.first.len(), product.facts.len(), product.fixed.len()];
    parts.extend(product.modes.iter().map(Vec::len));
    parts.extend(product.halts.iter().map(|(mode, _)| *mode));
    parts.extend(product.steps.iter().flat_map(|step| [step.from, step.to, step.next.len()]));
    let mut writer = Writer { terms, numbers: HashMap::new(), nodes: Vec::new(), vars: Vec::new() };
    let roots = roots.into_iter().map(|root| writer.number(root)).collect();
    (Form { nodes: writer.nodes, roots, parts }, writer.vars)
}

/// Numbers terms in the order in which they are met.
struct Writer<'t> {
    terms: &'t Terms,
    numbers: HashMap<Term, usize>,
    nodes: Vec<(Node, Sort)>,
    vars: Vec<Term>,
}

impl Writer<'_> {
    fn number(&mut self, root: Term) -> usize {
        let mut pending = vec![root];
        while let Some(&term) = pending.last() {
            if self.numbers.contains_key(&term) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            self.terms.node(term).for_each_operand(|operand| {
                if !self.numbers.contains_key(&operand) {
                    pending.push(operand);
                }
            });
            if pending.len() == before {
                self.write(term);
            }
        }
        self.numbers[&root]
    }

    fn write(&mut self, term: Term) {
        let node = match self.terms.node(term) {
            Node::Var(_) => {
                self.vars.push(term);
                Node::Var(Var(self.vars.len() as u32))
            }
            node => node.with_operands(|operand| Term::numbered(self.numbers[&operand])),
        };
        self.numbers.insert(term, self.nodes.len());
        self.nodes.push((node, self.terms.sort(term)));
    }
}
