//! The conditions under which a run comes to where it is.

use std::cell::RefCell;
use std::ops::Deref;

use crate::solver::{Term, Terms};

/// Conditions that all hold, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    conditions: Vec<Term>,
    /// What the first ones come to, for each whole number of [`CHUNK`]s: built when first needed.
    chunks: RefCell<Vec<Term>>,
}

/// So many conditions are put together at once.
const CHUNK: usize = 64;

impl PathCondition {
    pub fn push(&mut self, condition: Term) {
        self.conditions.push(condition);
    }

    pub fn truncate(&mut self, len: usize) {
        self.conditions.truncate(len);
        self.chunks.get_mut().truncate(len / CHUNK);
    }

    /// The whole path as one condition. A long one is not built anew for each condition that is added
    /// to it: a run with a thousand calls asks a thousand times.
    pub fn condition(&self, terms: &mut Terms) -> Term {
        let mut chunks = self.chunks.borrow_mut();
        while (chunks.len() + 1) * CHUNK <= self.conditions.len() {
            let start = chunks.len() * CHUNK;
            let next = &self.conditions[start..start + CHUNK];
            let chunk = terms.and(chunks.last().into_iter().chain(next).copied());
            chunks.push(chunk);
        }
        let rest = &self.conditions[chunks.len() * CHUNK..];
        terms.and(chunks.last().into_iter().chain(rest).copied())
    }
}

impl Deref for PathCondition {
    type Target = [Term];

    fn deref(&self) -> &[Term] {
        &self.conditions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Sort;

    #[test]
    fn a_path_that_grows_and_is_cut_again_says_what_its_conditions_say() {
        let mut terms = Terms::new();
        let variables: Vec<Term> = (0..500).map(|_| terms.var(Sort::Bool)).collect();
        let mut path = PathCondition::default();
        let says = |path: &PathCondition, terms: &mut Terms| {
            let condition = path.condition(terms);
            let mut conjuncts = terms.conjuncts(condition);
            conjuncts.sort();
            conjuncts
        };
        for upto in [10, 63, 64, 65, 130, 500, 129, 128, 127, 3] {
            if upto < path.len() {
                // What was built of the rest must not be left in it.
                path.truncate(upto - 1);
            }
            for variable in &variables[path.len()..upto] {
                path.push(*variable);
                path.condition(&mut terms);
            }
            assert_eq!(says(&path, &mut terms), variables[..upto]);
        }
        path.truncate(0);
        let (one, other) = (variables[0], variables[1]);
        (0..200).for_each(|_| path.push(one));
        path.condition(&mut terms);
        path.truncate(100);
        path.push(other);
        assert_eq!(says(&path, &mut terms), [one, other]);
    }

    #[test]
    fn a_thousand_conditions_are_put_together_in_few_terms() {
        let mut terms = Terms::new();
        let mut path = PathCondition::default();
        let parts = |terms: &Terms, term: Term| match terms.node(term) {
            crate::solver::Node::And(parts) => parts.len(),
            _ => 1,
        };
        for _ in 0..1000 {
            path.push(terms.var(Sort::Bool));
            let condition = path.condition(&mut terms);
            assert!(parts(&terms, condition) <= 2 * CHUNK);
        }
    }
}
