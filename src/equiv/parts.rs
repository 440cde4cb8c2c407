//! Refutes a difference part by part: many small questions where one large one has no answer.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use crate::solver::{Answer, Node, Solver, Term, Terms, Var};

/// A part that is not shown to be equal by then hardly ever is.
const QUERY: Duration = Duration::from_millis(300);

/// Whether no part of a difference can be, given the facts.
///
/// What is equal on both sides because its parts are is not asked for as a whole: the sum of many
/// results is equal if each of them is. Errs towards no.
pub fn refutes(
    terms: &mut Terms,
    facts: &[Term],
    difference: Term,
    solver: &Solver,
    deadline: Instant,
) -> bool {
    let facts = facts.iter().map(|fact| (*fact, terms.variables(&[*fact]))).collect();
    let mut refuting = Refuting { terms, facts, solver, deadline, known: HashMap::new() };
    let ways = match refuting.terms.node(difference) {
        Node::Or(ways) => ways.to_vec(),
        _ => vec![difference],
    };
    ways.into_iter().all(|way| refuting.refutes(way))
}

struct Refuting<'r> {
    terms: &'r mut Terms,
    /// With the variables in them.
    facts: Vec<(Term, BTreeSet<Var>)>,
    solver: &'r Solver,
    deadline: Instant,
    /// Of pairs, whether they are equal in the way under refutation.
    known: HashMap<(Term, Term), bool>,
}

impl Refuting<'_> {
    /// Whether one way to differ is none.
    fn refutes(&mut self, way: Term) -> bool {
        let conditions = match self.terms.node(way) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![way],
        };
        self.known.clear();
        for (index, condition) in conditions.iter().enumerate() {
            let Some(claims) = self.denied(*condition) else { continue };
            let mut others = conditions.clone();
            others.remove(index);
            if claims.into_iter().all(|claim| self.holds(claim, &others)) {
                return true;
            }
        }
        // One case after the other, of what has the most.
        let cases = |refuting: &Refuting, condition: Term| match refuting.terms.node(condition) {
            Node::Or(parts) => parts.to_vec(),
            _ => Vec::new(),
        };
        let most = (0..conditions.len()).max_by_key(|it| cases(self, conditions[*it]).len());
        let Some(most) = most else { return false };
        match cases(self, conditions[most]) {
            none if none.is_empty() => self.is_excluded(&conditions, &conditions),
            cases => cases.into_iter().all(|case| {
                let mut conditions = conditions.clone();
                conditions[most] = case;
                self.is_excluded(&conditions, &[case])
            }),
        }
    }

    /// What a condition says does not all hold.
    fn denied(&self, condition: Term) -> Option<Vec<Term>> {
        match self.terms.node(condition) {
            Node::Not(inner) => Some(match self.terms.node(*inner) {
                Node::And(parts) => parts.to_vec(),
                _ => vec![*inner],
            }),
            Node::Or(parts) => parts
                .iter()
                .map(|part| match self.terms.node(*part) {
                    Node::Not(inner) => Some(*inner),
                    _ => None,
                })
                .collect(),
            _ => None,
        }
    }

    fn holds(&mut self, claim: Term, conditions: &[Term]) -> bool {
        match *self.terms.node(claim) {
            Node::Eq(one, two) => self.are_equal(one, two, conditions),
            _ => {
                let denied = self.terms.not(claim);
                self.is_excluded(&[conditions, &[denied]].concat(), &[claim])
            }
        }
    }

    fn are_equal(&mut self, one: Term, two: Term, conditions: &[Term]) -> bool {
        if one == two {
            return true;
        }
        if let Some(known) = self.known.get(&(one, two)) {
            return *known;
        }
        let equal = self.have_equal_parts(one, two, conditions) || {
            let equal = self.terms.eq(one, two);
            let denied = self.terms.not(equal);
            self.is_excluded(&[conditions, &[denied]].concat(), &[one, two])
        };
        self.known.insert((one, two), equal);
        equal
    }

    fn have_equal_parts(&mut self, one: Term, two: Term, conditions: &[Term]) -> bool {
        let (one, parts_of_one) = self.operator(one);
        let (two, parts_of_two) = self.operator(two);
        let mut pairs = parts_of_one.into_iter().zip(parts_of_two);
        one == two
            && pairs.len() > 0
            && pairs.all(|(one, two)| {
                self.terms.sort(one) == self.terms.sort(two) && self.are_equal(one, two, conditions)
            })
    }

    /// A term's operator alone, and its operands.
    fn operator(&self, term: Term) -> (Node, Vec<Term>) {
        let mut operands = Vec::new();
        let operator = self.terms.node(term).with_operands(|operand| {
            operands.push(operand);
            Term::numbered(0)
        });
        (operator, operands)
    }

    /// Whether some conditions cannot all be; only facts about what `of` mentions are looked at.
    fn is_excluded(&mut self, conditions: &[Term], of: &[Term]) -> bool {
        let limit = self.deadline.saturating_duration_since(Instant::now()).min(QUERY);
        if limit.is_zero() {
            return false;
        }
        let about = self.terms.variables(of);
        let facts = self.facts.iter().filter(|(_, variables)| !variables.is_disjoint(&about));
        let mut asserted: Vec<Term> = facts.map(|(fact, _)| *fact).collect();
        asserted.extend(conditions);
        matches!(self.solver.check(self.terms, &asserted, limit), Answer::Unsat)
    }
}
