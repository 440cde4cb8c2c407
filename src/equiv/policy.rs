//! Which calls are entered.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::matching::{Matched, Matching};
use crate::cfa::{Intrinsic, Origin};
use crate::change::Class;
use crate::deadline::Deadline;
use crate::reason::LimitReached;
use crate::solver::{Answer, Solver, Sort, Symbol, Term, Terms};
use crate::sym::{Called, Policy, Treatment};
use crate::version::Version;

/// What an uninterpreted function stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// All copies of a function that is identical on both sides.
    Same(Class),
    /// A pair that was proved to do the same, by its new side.
    Proved(Called),
}

/// The functions that stand for calls, shared by both sides of one attempt.
#[derive(Default)]
pub struct CallSymbols {
    numbers: HashMap<Key, u32>,
    keys: Vec<Key>,
    symbols: HashMap<(u32, usize), Symbol>,
    choices: HashMap<Intrinsic, Symbol>,
}

impl CallSymbols {
    fn number(&mut self, key: Key) -> u32 {
        let next = self.keys.len() as u32;
        *self.numbers.entry(key).or_insert_with(|| {
            self.keys.push(key);
            next
        })
    }

    /// Whether some call of it was left uninterpreted.
    pub fn uses(&self, key: Key) -> bool {
        self.numbers.contains_key(&key)
    }

    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        self.keys.iter()
    }

    /// What the symbols in some terms stand for.
    pub fn keys_in(&self, terms: &Terms, roots: &[Term]) -> HashSet<Key> {
        let found = terms.symbols(roots);
        let numbers = self.symbols.iter().filter(|(_, symbol)| found.contains(symbol));
        numbers.map(|((number, _), _)| self.keys[*number as usize]).collect()
    }
}

/// How far an attempt goes.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// Calls that are entered although they could stay uninterpreted.
    pub entered: HashSet<Key>,
    /// All calls are.
    pub enter_all: bool,
    /// How many iterations of a loop, or calls of a function within itself, are run. None: what was not
    /// proved equal is not run at all, and its results can be anything.
    pub iterations: Option<u32>,
    /// Of calls of the pair under proof within itself it is also said what one step of them does.
    pub unfold: bool,
}

/// What is known of pairs when an attempt begins.
pub struct Assumptions<'k> {
    pub proved: &'k dyn Fn(Matched) -> bool,
    /// The pair under proof: calls of it within itself are equal by induction.
    pub hypothesis: Option<Matched>,
}

pub struct Choose<'c, 'a> {
    pub version: Version,
    pub matching: &'c Matching<'a>,
    pub known: &'c Assumptions<'c>,
    pub depth: &'c Exploration,
    pub symbols: &'c mut CallSymbols,
    /// Asked whether a path can be taken.
    pub paths: Option<Feasibility<'c>>,
}

/// To find out whether a path can be taken must not take long: to go on is right too.
const FEASIBILITY: Duration = Duration::from_millis(300);

/// Tells paths that can be taken from those that cannot.
pub struct Feasibility<'c> {
    solver: &'c Solver,
    /// What holds anyway.
    facts: Vec<Term>,
    deadline: Deadline,
    /// The last conditions of paths that could be taken.
    taken: HashSet<Term>,
}

impl<'c> Feasibility<'c> {
    pub fn new(solver: &'c Solver, facts: Vec<Term>, deadline: Deadline) -> Feasibility<'c> {
        Feasibility { solver, facts, deadline, taken: HashSet::new() }
    }

    /// Whether a path can be taken, if all but its last condition can be. Errs towards yes.
    fn is_feasible(&mut self, terms: &Terms, path: &[Term]) -> bool {
        let Some((last, before)) = path.split_last() else { return true };
        let left = self.deadline.left();
        if left.is_zero() || self.taken.contains(last) {
            return true;
        }
        let mut asserted = terms.related(&[*last], &[&self.facts, before].concat()).concat();
        asserted.push(*last);
        let answer = self.solver.check(terms, &asserted, left.min(FEASIBILITY));
        let feasible = answer != Answer::Unsat;
        if feasible {
            self.taken.insert(*last);
        }
        feasible
    }
}

impl Choose<'_, '_> {
    /// Whether to enter it costs little on both sides.
    fn is_cheap(&self, called: Called) -> bool {
        let Called::Function(id) = called else { return false };
        let partner = self.matching.partner(self.version, called);
        let Some(Called::Function(other)) = partner.map(|it| it[self.version.other()]) else {
            return false;
        };
        self.matching.is_cheap(self.version, id)
            && self.matching.is_cheap(self.version.other(), other)
    }

    fn key(&self, called: Called) -> Option<Key> {
        if let Called::Function(id) = called
            && self.matching.is_identical(self.version, id)
        {
            return Some(Key::Same(self.matching.key(self.version, id)));
        }
        let matched = self.matching.partner(self.version, called)?;
        // A partner has to agree: of several candidates, only one is the pair.
        if self.matching.partner(self.version.other(), matched[self.version.other()])
            != Some(matched)
        {
            return None;
        }
        let assumed = self.known.hypothesis == Some(matched);
        (assumed || (self.known.proved)(matched)).then_some(Key::Proved(matched.new))
    }
}

impl Policy for Choose<'_, '_> {
    fn treat(&mut self, called: Called, depth: u32) -> Treatment {
        let hypothesis = self.known.hypothesis.map(|it| it[self.version]);
        if hypothesis == Some(called) && depth == 0 {
            // A call from elsewhere: the run itself begins without one.
            return self.run(called, depth);
        }
        if self.known.hypothesis.is_none() && self.matching.is_region(self.version, called) {
            // Nothing is under proof: what is inside of it is looked for.
            return Treatment::Enter;
        }
        match self.key(called) {
            Some(Key::Same(_)) if self.is_cheap(called) => Treatment::Enter,
            Some(key) if !self.depth.enter_all && !self.depth.entered.contains(&key) => {
                Treatment::Uninterpreted(self.symbols.number(key))
            }
            _ => self.run(called, depth),
        }
    }

    fn symbol(&mut self, terms: &mut Terms, number: u32, output: usize, sort: Sort) -> Symbol {
        let known = self.symbols.symbols.entry((number, output));
        *known.or_insert_with(|| terms.symbol(sort))
    }

    fn choice(&mut self, terms: &mut Terms, operation: &Intrinsic) -> Symbol {
        let known = self.symbols.choices.entry(operation.clone());
        *known.or_insert_with(|| terms.symbol(Sort::Bool))
    }

    fn has_effects(&self, called: Called) -> bool {
        let (Called::Function(id) | Called::Loop(id, _)) = called;
        self.matching.has_effects(self.version, id)
            || self.matching.partner(self.version, called).is_some_and(|matched| {
                match matched[self.version.other()] {
                    Called::Function(id) | Called::Loop(id, _) => {
                        self.matching.has_effects(self.version.other(), id)
                    }
                }
            })
    }

    fn can_abort(&self, called: Called) -> bool {
        let (Called::Function(id) | Called::Loop(id, _)) = called;
        self.matching.can_abort(self.version, id)
            || self.matching.partner(self.version, called).is_some_and(|matched| {
                let (Called::Function(id) | Called::Loop(id, _)) = matched[self.version.other()];
                self.matching.can_abort(self.version.other(), id)
            })
    }

    /// Calls that lead from the client to changed code, or that may do so and are not entered, and
    /// calls of code of the client that itself changed. Errs towards yes.
    fn is_noted(&self, called: Called, entered: bool) -> bool {
        let (Called::Function(id) | Called::Loop(id, _)) = called;
        let program = self.matching.codes[self.version].program;
        let of_client = program.origin(program.function(id).krate) == Origin::Client;
        let only_calls = of_client && entered && !self.matching.is_changed(self.version, id);
        !self.matching.is_identical(self.version, id) && !only_calls
    }

    fn is_feasible(&mut self, terms: &mut Terms, path: &[Term]) -> bool {
        self.paths.as_mut().is_none_or(|paths| paths.is_feasible(terms, path))
    }
}

impl Choose<'_, '_> {
    fn run(&self, called: Called, depth: u32) -> Treatment {
        let repeats = match called {
            Called::Loop(..) => !self.matching.is_region(self.version, called),
            Called::Function(_) => depth > 0,
        };
        match self.depth.iterations {
            _ if !repeats => Treatment::Enter,
            None => Treatment::Opaque,
            Some(iterations) if depth < iterations => Treatment::Enter,
            Some(_) => Treatment::Stop(LimitReached::Iterations),
        }
    }
}

/// Enters everything: for runs on known values.
pub struct EnterAll;

impl Policy for EnterAll {
    fn treat(&mut self, _: Called, _: u32) -> Treatment {
        Treatment::Enter
    }

    fn symbol(&mut self, terms: &mut Terms, _: u32, _: usize, sort: Sort) -> Symbol {
        terms.symbol(sort)
    }

    fn has_effects(&self, _: Called) -> bool {
        true
    }

    fn can_abort(&self, _: Called) -> bool {
        true
    }

    fn is_feasible(&mut self, _: &mut Terms, _: &[Term]) -> bool {
        true
    }
}
