//! What can be tried out entirely has the answer that trying gives.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use cargo_cse::bits::mask;
use cargo_cse::solver::{
    Assignment, Clause, HornAnswer, HornSystem, Predicate, Sort, Term, Terms, Var,
    query::{Encoding, Query, Reply},
};
use proptest::prelude::*;

use super::{
    agreement::ask,
    random::{Built, VARIABLES, build, config, steps},
    solver,
};

/// Every assignment to the variables of `random`, as many bits wide.
fn assignments(width: u32) -> impl Iterator<Item = Assignment> {
    let bits = VARIABLES * (width + 1);
    (0..1u128 << bits).map(move |mut values| {
        let mut assignment = Assignment::new();
        for index in 0..VARIABLES {
            assignment.insert(Var(2 * index), values & mask(width));
            assignment.insert(Var(2 * index + 1), values >> width & 1);
            values >>= width + 1;
        }
        assignment
    })
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn both_encodings_find_what_can_be_true(
        width in 1..=3u32,
        steps in steps(),
        values in any::<[u128; 4]>(),
    ) {
        let (mut terms, built, _) = build(width, &steps, &[0; VARIABLES as usize]);
        let mut questions = vec![*built.bools.last().unwrap()];
        for (term, value) in built.bits.iter().rev().zip(values) {
            let value = terms.bits(value, terms.width(*term));
            questions.push(terms.eq(*term, value));
        }
        let possible: Vec<bool> = {
            let mut possible = vec![false; questions.len()];
            for assignment in assignments(width) {
                let values = terms.eval_all(&questions, &assignment);
                possible.iter_mut().zip(values).for_each(|(is, value)| *is |= value == Some(1));
            }
            possible
        };
        for (question, is_possible) in questions.into_iter().zip(possible) {
            for encoding in [Encoding::Bits, Encoding::Integers] {
                answers(&terms, encoding, question, is_possible)?;
            }
        }
    }

    #[test]
    fn a_loop_that_is_called_safe_is_safe(
        width in 1..=2u32,
        steps in steps(),
        choice in any::<[usize; 4]>(),
        claim_exact in any::<bool>(),
    ) {
        let (mut terms, built, _) = build(width, &steps, &[0; VARIABLES as usize]);
        let run = Loop::choose(&terms, &built, width, choice);
        let reached = run.reached(&terms, width);
        let exact = if claim_exact { run.exact(&mut terms, width, &reached) } else { HashMap::new() };
        let is_safe = assignments(width)
            .filter(|assignment| reached.contains(&state(assignment)))
            .all(|assignment| terms.eval(run.bad, &assignment) == Some(0));
        let system = run.system(&mut terms, width, exact);
        let answer = solver().horn(&terms, &system, Duration::from_secs(2));
        prop_assert!(answer != HornAnswer::Safe || is_safe, "it is not");
    }
}

/// The encoding's answer is the right one; integers need not be able to say it.
fn answers(
    terms: &Terms,
    encoding: Encoding,
    question: Term,
    is_possible: bool,
) -> Result<(), TestCaseError> {
    let dag = Query::of(terms, &[question]).dag;
    let is_said = encoding == Encoding::Bits || dag.terms().all(|term| dag.in_integers(term));
    let reply = ask(encoding, terms, &[question]);
    let is_right = match &reply {
        Reply::Unsat => !is_possible,
        Reply::Sat(model) => {
            let assignment: Assignment = model.iter().copied().collect();
            terms.eval(question, &assignment) == Some(1)
        }
        Reply::Unknown(_) => !is_said,
    };
    prop_assert!(is_right, "{encoding:?}: {reply:?}");
    Ok(())
}

/// A loop over the first two variables of bits and the first truth value; the others are inputs of
/// each round. It begins with zeros.
struct Loop {
    next: [Term; 3],
    goes_on: Term,
    bad: Term,
}

const STATE: [Var; 3] = [Var(0), Var(2), Var(1)];

fn state(assignment: &Assignment) -> [u128; 3] {
    STATE.map(|var| assignment[&var])
}

impl Loop {
    fn choose(terms: &Terms, built: &Built, width: u32, choice: [usize; 4]) -> Loop {
        let bits: Vec<Term> =
            built.bits.iter().rev().copied().filter(|term| terms.width(*term) == width).collect();
        let bools: Vec<Term> = built.bools.iter().rev().copied().collect();
        let pick = |from: &[Term], index: usize| from[index % from.len().min(5)];
        Loop {
            next: [pick(&bits, choice[0]), pick(&bits, choice[1]), pick(&bools, choice[2])],
            goes_on: pick(&bools, choice[3]),
            bad: pick(&bools, choice[2] / 7),
        }
    }

    fn reached(&self, terms: &Terms, width: u32) -> BTreeSet<[u128; 3]> {
        let mut reached = BTreeSet::from([[0; 3]]);
        loop {
            let mut next = reached.clone();
            for assignment in assignments(width) {
                if reached.contains(&state(&assignment))
                    && terms.eval(self.goes_on, &assignment) == Some(1)
                {
                    next.insert(self.next.map(|term| terms.eval(term, &assignment).unwrap()));
                }
            }
            if next.len() == reached.len() {
                return reached;
            }
            reached = next;
        }
    }

    /// The sums, differences and products that never wrap in a state that is reached.
    fn exact(
        &self,
        terms: &mut Terms,
        width: u32,
        reached: &BTreeSet<[u128; 3]>,
    ) -> HashMap<Term, bool> {
        let mut exact = HashMap::new();
        let roots: Vec<Term> = self.next.into_iter().chain([self.goes_on, self.bad]).collect();
        for (term, op, left, right) in terms.arithmetic(&roots) {
            for signed in [false, true] {
                let wraps = terms.overflows(op, signed, left, right);
                let never = assignments(width)
                    .filter(|assignment| reached.contains(&state(assignment)))
                    .all(|assignment| terms.eval(wraps, &assignment) == Some(0));
                if never {
                    exact.insert(term, signed);
                }
            }
        }
        exact
    }

    fn system(&self, terms: &mut Terms, width: u32, exact: HashMap<Term, bool>) -> HornSystem {
        let before = STATE.map(|var| terms.var_term(var)).to_vec();
        let (zero, no, always) = (terms.bits(0, width), terms.bool(false), terms.bool(true));
        let round = Predicate(0);
        HornSystem {
            predicates: vec![vec![Sort::Bits(width), Sort::Bits(width), Sort::Bool]],
            clauses: vec![
                Clause {
                    body: vec![],
                    constraint: always,
                    head: Some((round, vec![zero, zero, no])),
                },
                Clause {
                    body: vec![(round, before.clone())],
                    constraint: self.goes_on,
                    head: Some((round, self.next.to_vec())),
                },
                Clause { body: vec![(round, before)], constraint: self.bad, head: None },
            ],
            exact,
        }
    }
}
