//! The product of two loops as transitions over terms.

use std::collections::{HashMap, HashSet};

use super::iteration::{Iteration, variables};
use crate::deadline::Deadline;
use crate::equiv::abstraction::abstract_arithmetic;
use crate::equiv::attempt::Run;
use crate::solver::{Answer, Node, Solver, Symbol, Term, Terms};
use crate::sym::Record;

/// The transitions of two loops side by side.
///
/// A mode says which of the loops have ended: the loop of a number has if that bit is set. All run in
/// mode 0.
pub struct Product {
    /// What holds of all variables.
    pub facts: Vec<Term>,
    /// What stays the same while the loops run: the variables around them.
    pub fixed: Vec<Term>,
    /// What some loops are given: known while they run, and not a variable of its own.
    pub given: Vec<Term>,
    /// The state in each mode: where those loops stand that run, and what the others gave.
    pub modes: Vec<Vec<Term>>,
    /// The condition under which the loops are entered, and their first state.
    pub entered: Term,
    pub first: Vec<Term>,
    pub steps: Vec<Transition>,
    /// Modes in which a path was not followed, and the condition for it.
    pub incomplete: Vec<(usize, Term)>,
    /// The condition for the outcomes to differ once all loops have ended.
    pub bad: Term,
    /// Whether no other loop has a part in the outcomes.
    pub is_alone: bool,
    /// Uninterpreted calls, whose results are variables.
    pub calls: Vec<UninterpretedCall>,
    /// [`Product::entered`] and what the loops give, as the run has them.
    reached: Term,
    outputs: Vec<(Term, Term)>,
}

/// An iteration of the loops that run in a mode.
#[derive(Clone)]
pub struct Transition {
    pub from: usize,
    pub condition: Term,
    pub to: usize,
    pub next: Vec<Term>,
}

/// `result` is what the function gives for the arguments.
pub struct UninterpretedCall {
    pub symbol: Symbol,
    pub arguments: Vec<Term>,
    pub result: Term,
}

impl Product {
    /// What the loops give that neither the difference nor one of `all` loops looks at is left out.
    pub fn new(run: &mut Run, iterations: &[(&Record, &Iteration)], all: &[&Record]) -> Product {
        let mut around = vec![run.difference];
        around.extend(all.iter().flat_map(|it| it.inputs.iter().chain([&it.condition])));
        let around: HashSet<Term> = variables(&run.terms, &around);
        let terms = &mut run.terms;
        let reached = terms.and(iterations.iter().map(|(record, _)| record.condition));
        let mut facts = run.facts.clone();
        facts.extend(
            iterations
                .iter()
                .flat_map(|(_, iteration)| iteration.facts.iter().chain(&iteration.fresh_facts)),
        );
        let loops: Vec<Loop> = iterations
            .iter()
            .map(|(record, iteration)| Loop::new(terms, iteration, record, &around))
            .collect();
        let outputs: Vec<(Term, Term)> = loops.iter().flat_map(|it| it.given.clone()).collect();
        let given = outputs.iter().map(|(variable, given)| (*variable, *given)).collect();
        let bad = terms.substitute(&[run.difference], &given)[0];
        let modes: Vec<Vec<Term>> = (0..1 << loops.len())
            .map(|mode| {
                let states = loops.iter().enumerate();
                states.flat_map(|(number, it)| it.state(has_ended(mode, number))).collect()
            })
            .collect();
        let incomplete = (0..modes.len())
            .flat_map(|mode| {
                let running =
                    iterations.iter().enumerate().filter(move |it| !has_ended(mode, it.0));
                running.flat_map(move |(_, (_, iteration))| {
                    iteration.incomplete.iter().map(move |it| (mode, *it))
                })
            })
            .collect();
        let mut steps = Vec::new();
        for from in 0..modes.len() - 1 {
            let ways: Vec<Vec<LoopStep>> = (loops.iter().enumerate())
                .map(|(number, it)| it.ways(terms, number, has_ended(from, number)))
                .collect();
            for chosen in combinations(&ways) {
                let condition = terms.and(chosen.iter().map(|way| way.condition));
                if terms.as_bool(condition) != Some(false) {
                    let to = chosen.iter().map(|way| way.ended).sum();
                    let next = chosen.iter().flat_map(|way| way.next.clone()).collect();
                    steps.push(Transition { from, condition, to, next });
                }
            }
        }
        let first = iterations
            .iter()
            .flat_map(|(record, iteration)| iteration.first(&record.inputs))
            .collect();
        let mut product = Product {
            facts,
            fixed: Vec::new(),
            given: Vec::new(),
            modes,
            entered: reached,
            first,
            steps,
            incomplete,
            bad,
            is_alone: iterations.len() == all.len(),
            calls: Vec::new(),
            reached,
            outputs,
        };
        let state: HashSet<Term> = product.modes.iter().flatten().copied().collect();
        // The variables that only one iteration has are not fixed: only those of the run itself are.
        let mentioned = variables(terms, &[&product.roots()[..], &[bad]].concat());
        product.facts.retain(|it| variables(terms, &[*it]).is_subset(&mentioned));
        let related = product.leave_out_unrelated(terms);
        product.fixed =
            related.into_iter().filter(|it| around.contains(it) && !state.contains(it)).collect();
        product.fixed.retain(|it| !product.outputs.iter().any(|(output, _)| output == it));
        product.fixed.sort_unstable();
        product.given = product.first.iter().copied().filter(|it| is_made(terms, *it)).collect();
        product.given.sort_unstable();
        product.given.dedup();
        product.given.truncate(MAX_GIVEN);
        product.name_calls(terms);
        product
    }

    /// All terms of the transitions.
    pub fn roots(&self) -> Vec<Term> {
        let mut roots = vec![self.entered];
        roots.extend(self.first.iter().chain(self.incomplete.iter().map(|(_, it)| it)));
        for step in &self.steps {
            roots.push(step.condition);
            roots.extend(&step.next);
        }
        roots
    }

    fn replace_roots(&mut self, by: Vec<Term>) {
        let mut by = by.into_iter();
        let mut take = |into: &mut Term| *into = by.next().expect("as many as there are roots");
        take(&mut self.entered);
        self.first.iter_mut().for_each(&mut take);
        self.incomplete.iter_mut().for_each(|(_, it)| take(it));
        for step in &mut self.steps {
            take(&mut step.condition);
            step.next.iter_mut().for_each(&mut take);
        }
    }

    /// Leaves out what is known of variables that have nothing to do with the loops, and gives those
    /// that have. Over-approximates: more states are allowed.
    fn leave_out_unrelated(&mut self, terms: &mut Terms) -> HashSet<Term> {
        let roots: Vec<Term> = self.roots().split_off(1);
        let mut related = variables(terms, &roots);
        let mut apart = match terms.node(self.entered) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![self.entered],
        };
        let conditions: HashSet<Term> = apart.iter().copied().collect();
        apart.append(&mut self.facts);
        let mut entered = Vec::new();
        loop {
            let before = apart.len();
            apart.retain(|&it| {
                let own = variables(terms, &[it]);
                if !own.is_empty() && own.is_disjoint(&related) {
                    return true;
                }
                related.extend(own);
                let into = if conditions.contains(&it) { &mut entered } else { &mut self.facts };
                into.push(it);
                false
            });
            if apart.len() == before {
                break;
            }
        }
        self.entered = terms.and(entered);
        // The outcomes may rest on the rest.
        let rest = apart.into_iter().filter(|it| !conditions.contains(it));
        self.bad = terms.and(rest.chain([self.bad]));
        related
    }

    /// Leaves open what products and quotients are: what loops keep seldom rests on that, and
    /// solvers do not get far with them. Over-approximates.
    pub fn abstract_arithmetic(&mut self, terms: &mut Terms) {
        let mut roots = self.roots();
        roots.push(self.bad);
        let mut roots = abstract_arithmetic(terms, &roots);
        self.bad = roots.pop().expect("as many as were given");
        self.replace_roots(roots);
        self.name_calls(terms);
    }

    /// Puts a variable for each uninterpreted call, and says that equal calls give the same:
    /// then every value of a model can be computed.
    fn name_calls(&mut self, terms: &mut Terms) {
        let mut map = HashMap::new();
        let facts = self.name_calls_in(terms, &self.roots(), &mut map);
        self.facts.extend(facts);
        let roots = terms.substitute(&self.roots(), &map);
        self.replace_roots(roots);
        // What is said of the calls of outcomes alone matters nowhere else.
        let mut said = self.name_calls_in(terms, &[self.bad], &mut map);
        said.extend(terms.substitute(&[self.bad], &map));
        self.bad = terms.and(said);
    }

    fn name_calls_in(
        &mut self,
        terms: &mut Terms,
        roots: &[Term],
        map: &mut HashMap<Term, Term>,
    ) -> Vec<Term> {
        let mut said = Vec::new();
        for term in terms.reachable(roots) {
            let Node::Apply(symbol, arguments) = terms.node(term).clone() else { continue };
            if map.contains_key(&term) {
                continue;
            }
            let arguments = terms.substitute(&arguments, map);
            let result = terms.var(terms.sort(term));
            for other in self.calls.iter().filter(|it| it.symbol == symbol).take(MAX_CALLS) {
                let pairs = other.arguments.iter().zip(&arguments);
                let same: Vec<Term> = pairs.map(|(one, two)| terms.eq(*one, *two)).collect();
                let same = terms.and(same);
                let equal = terms.eq(other.result, result);
                said.push(terms.implies(same, equal));
            }
            self.calls.push(UninterpretedCall { symbol, arguments, result });
            map.insert(term, result);
        }
        said
    }

    /// Whether no path was left out, given facts for each mode.
    pub fn is_followed(
        &self,
        terms: &Terms,
        known: &[Vec<Term>],
        solver: &Solver,
        deadline: Deadline,
    ) -> bool {
        self.incomplete.iter().all(|(mode, path)| {
            let asserted = [&self.facts[..], &known[*mode][..], &[*path]].concat();
            matches!(solver.check(terms, &asserted, deadline.left()), Answer::Unsat)
        })
    }

    /// What is known of what the loops give, if all are entered.
    pub fn at_the_end(&self, terms: &mut Terms, known: &[Vec<Term>]) -> Vec<Term> {
        let outputs = self.outputs.iter().map(|(output, given)| (*given, *output)).collect();
        let state: HashSet<Term> = (self.modes[self.modes.len() - 1].iter().copied())
            .chain(self.fixed.iter().copied())
            .collect();
        let last = known.last().expect("there is a mode in which all have ended");
        // That they never end is not claimed: then nothing would be compared.
        let said = last.iter().copied().filter(|it| terms.as_bool(*it).is_none());
        let said: Vec<Term> =
            said.filter(|it| variables(terms, &[*it]).is_subset(&state)).collect();
        let said = terms.substitute(&said, &outputs);
        said.into_iter().map(|it| terms.implies(self.reached, it)).collect()
    }

    /// Whether the outcomes are the same where not all loops are entered.
    pub fn matters_everywhere(&self, run: &mut Run, solver: &Solver, deadline: Deadline) -> bool {
        let not_entered = run.terms.not(self.reached);
        let asserted = [&run.facts[..], &[run.difference, not_entered]].concat();
        matches!(solver.check(&run.terms, &asserted, deadline.left()), Answer::Unsat)
    }
}

/// Whether a term is made of variables alone.
fn is_made(terms: &Terms, term: Term) -> bool {
    !matches!(terms.node(term), Node::Var(_) | Node::Bool(_) | Node::Bits { .. })
        && terms.symbols(&[term]).is_empty()
}

/// No more of what loops are given is looked at.
const MAX_GIVEN: usize = 4;

/// Of more calls than this it is not said which are equal.
const MAX_CALLS: usize = 40;

fn has_ended(mode: usize, number: usize) -> bool {
    mode >> number & 1 == 1
}

/// One of the loops as it runs: where it stands, or what it gave once it has ended.
struct Loop<'t> {
    iteration: &'t Iteration,
    /// What the loop gives that matters: the variable for it in the run, and the one for it here.
    given: Vec<(Term, Term)>,
    /// The same, as the last iteration says it.
    outputs: Vec<Term>,
}

/// A way for one loop to take part in a step.
#[derive(Clone)]
struct LoopStep {
    condition: Term,
    next: Vec<Term>,
    /// The bit of the loop if it has ended then, or 0.
    ended: usize,
}

impl<'t> Loop<'t> {
    fn new(
        terms: &mut Terms,
        iteration: &'t Iteration,
        record: &Record,
        around: &HashSet<Term>,
    ) -> Loop<'t> {
        let all = record.outputs.iter().copied().zip(iteration.outputs.iter().copied());
        let all: Vec<(Term, Term)> = all.filter(|(it, _)| around.contains(it)).collect();
        let given = all.iter().map(|(it, _)| (*it, terms.var(terms.sort(*it)))).collect();
        Loop { iteration, given, outputs: all.into_iter().map(|(_, it)| it).collect() }
    }

    fn state(&self, has_ended: bool) -> Vec<Term> {
        match has_ended {
            true => self.given.iter().map(|(_, it)| *it).collect(),
            false => self.iteration.before.clone(),
        }
    }

    fn ways(&self, terms: &mut Terms, number: usize, has_ended: bool) -> Vec<LoopStep> {
        let ended = 1 << number;
        if has_ended {
            return vec![LoopStep { condition: terms.bool(true), next: self.state(true), ended }];
        }
        let mut ways = Vec::new();
        if terms.as_bool(self.iteration.again) != Some(false) {
            let next = self.iteration.after.clone();
            ways.push(LoopStep { condition: self.iteration.again, next, ended: 0 });
        }
        ways.push(LoopStep { condition: self.iteration.ends, next: self.outputs.clone(), ended });
        ways
    }
}

/// Every choice of one way for each loop.
fn combinations(ways: &[Vec<LoopStep>]) -> Vec<Vec<LoopStep>> {
    let mut all: Vec<Vec<LoopStep>> = vec![Vec::new()];
    for ways in ways {
        all = all
            .iter()
            .flat_map(|known| {
                ways.iter().map(|way| [&known[..], std::slice::from_ref(way)].concat())
            })
            .collect();
    }
    all
}
