//! Loops that are run side by side in the same way as others, but for the names of their variables.

use std::collections::HashMap;

use super::relation::Product;
use crate::equiv::engines::Effort;
use crate::solver::{Node, Sort, Term, Terms, Var};

/// The steps of a product without the names of its variables. What holds of one product holds of
/// every other one of the same form, with the variables of that one: nothing has to be proved again.
#[derive(Clone, PartialEq, Eq)]
pub struct LoopForm {
    nodes: Vec<(Node, Sort)>,
    roots: Vec<usize>,
    /// How many roots there are of each kind, and from which mode to which the steps lead.
    parts: Vec<usize>,
}

/// Forms, with what was found of the products that have them: across attempts, of which each has an
/// arena of its own.
#[derive(Default)]
pub struct LoopForms {
    known: Vec<FoundFacts>,
}

struct FoundFacts {
    form: LoopForm,
    facts: Vec<Vec<Sketch>>,
    is_followed: bool,
    effort: Effort,
}

impl LoopForms {
    /// The facts of each mode that were found for the form, whether they rule out all paths that were
    /// not followed, and with which effort that was found.
    pub fn find(
        &self,
        terms: &mut Terms,
        form: &LoopForm,
        variables: &[Term],
    ) -> Option<(Vec<Vec<Term>>, bool, Option<Effort>)> {
        let FoundFacts { facts, is_followed, effort, .. } =
            self.known.iter().find(|known| known.form == *form)?;
        let mut draw = |facts: &Vec<Sketch>| -> Vec<Term> {
            facts.iter().map(|fact| fact.draw(terms, variables)).collect()
        };
        Some((facts.iter().map(&mut draw).collect(), *is_followed, Some(*effort)))
    }

    /// Keeps what was found, in the place of what was known before.
    pub fn keep(
        &mut self,
        terms: &Terms,
        form: &LoopForm,
        variables: &[Term],
        facts: &[Vec<Term>],
        is_followed: bool,
        effort: Effort,
    ) {
        // What a function stands for is told by the arena.
        if form.nodes.iter().any(|(node, _)| matches!(node, Node::Apply(..))) {
            return;
        }
        let sketch = |fact: &Term| Sketch::of(terms, *fact, variables);
        let facts: Option<Vec<Vec<Sketch>>> =
            facts.iter().map(|facts| facts.iter().map(sketch).collect()).collect();
        let Some(facts) = facts else { return };
        self.known.retain(|known| known.form != *form);
        self.known.push(FoundFacts { form: form.clone(), facts, is_followed, effort });
    }
}

/// A term without an arena, over variables of a form.
struct Sketch {
    nodes: Vec<Node>,
}

impl Sketch {
    /// None where it is of other variables, or of functions.
    fn of(terms: &Terms, root: Term, variables: &[Term]) -> Option<Sketch> {
        let mut numbers: HashMap<Term, usize> = HashMap::new();
        let mut nodes = Vec::new();
        for term in terms.reachable(&[root]) {
            let node = match terms.node(term) {
                Node::Apply(..) => return None,
                Node::Var(_) => Node::Var(Var(variables.iter().position(|it| *it == term)? as u32)),
                node => node.with_operands(|operand| Term::numbered(numbers[&operand])),
            };
            numbers.insert(term, nodes.len());
            nodes.push(node);
        }
        Some(Sketch { nodes })
    }

    fn draw(&self, terms: &mut Terms, variables: &[Term]) -> Term {
        let mut drawn: Vec<Term> = Vec::new();
        for node in &self.nodes {
            let term = match node {
                Node::Var(number) => variables[number.0 as usize],
                node => {
                    let node = node.with_operands(|operand| drawn[operand.index()]);
                    terms.build(node)
                }
            };
            drawn.push(term);
        }
        *drawn.last().expect("a term is built of itself at least")
    }
}

/// The form of a product, and its variables in the order of the form.
pub fn form(terms: &Terms, product: &Product) -> (LoopForm, Vec<Term>) {
    let mut roots = product.roots();
    roots.extend(&product.facts);
    roots.extend(product.modes.iter().flatten());
    roots.extend(product.fixed.iter().chain(&product.given));
    let mut parts = vec![product.first.len(), product.facts.len(), product.fixed.len()];
    parts.extend(product.modes.iter().map(Vec::len));
    parts.extend(product.incomplete.iter().map(|(mode, _)| *mode));
    parts.extend(product.steps.iter().flat_map(|step| [step.from, step.to, step.next.len()]));
    let mut writer = Writer { terms, numbers: HashMap::new(), nodes: Vec::new(), vars: Vec::new() };
    let roots = roots.into_iter().map(|root| writer.number(root)).collect();
    (LoopForm { nodes: writer.nodes, roots, parts }, writer.vars)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Assignment, BitsOp, CompareOp};

    /// `x + 1 < y`, of new variables.
    fn sample(terms: &mut Terms, op: BitsOp) -> (Term, [Term; 2]) {
        let [x, y] = [0; 2].map(|_| terms.var(Sort::Bits(8)));
        let one = terms.bits(1, 8);
        let sum = terms.binary(op, x, one);
        (terms.compare(CompareOp::Ult, sum, y), [x, y])
    }

    fn written(terms: &Terms, root: Term) -> (Vec<(Node, Sort)>, Vec<Term>) {
        let mut writer =
            Writer { terms, numbers: HashMap::new(), nodes: Vec::new(), vars: Vec::new() };
        writer.number(root);
        (writer.nodes, writer.vars)
    }

    #[test]
    fn only_names_of_variables_are_left_out_of_forms() {
        let mut terms = Terms::new();
        let (one, [x, y]) = sample(&mut terms, BitsOp::Add);
        let (two, _) = sample(&mut terms, BitsOp::Add);
        let (other, _) = sample(&mut terms, BitsOp::Sub);
        let same = [x, x].map(|it| terms.compare(CompareOp::Ult, it, y));
        assert_eq!(written(&terms, one).0, written(&terms, two).0);
        assert_ne!(written(&terms, one).0, written(&terms, other).0);
        assert_ne!(written(&terms, one).0, written(&terms, same[0]).0);
        assert_eq!(written(&terms, one).1.len(), 2);
    }

    #[test]
    fn a_sketch_means_the_same_in_another_arena() {
        let mut terms = Terms::new();
        let (fact, [x, y]) = sample(&mut terms, BitsOp::Add);
        let sketch = Sketch::of(&terms, fact, &[y, x]).expect("it is of these variables");
        assert!(Sketch::of(&terms, fact, &[x]).is_none(), "it is of another variable too");
        let mut others = Terms::new();
        let [b, a] = [0; 2].map(|_| others.var(Sort::Bits(8)));
        let drawn = sketch.draw(&mut others, &[b, a]);
        for (left, right) in [(1, 3), (3, 1), (255, 1), (254, 0)] {
            let value = |terms: &Terms, root, x: Term, y: Term| {
                let var = |term| terms.as_var(term).expect("a variable");
                let values = Assignment::from([(var(x), left), (var(y), right)]);
                terms.eval(root, &values)
            };
            assert_eq!(value(&terms, fact, x, y), value(&others, drawn, a, b));
        }
    }
}
