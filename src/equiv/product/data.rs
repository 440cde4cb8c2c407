//! States that loops side by side really come through, from a few first ones.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use tracing::debug;

use super::relation::{Product, UninterpretedCall};
use crate::bits::mask;
use crate::random::Random;
use crate::solver::{Answer, Assignment, Node, Solver, Sort, Term, Terms, Var};

/// The states seen in each mode: values for [`columns`].
pub struct Data {
    pub rows: Vec<Vec<Vec<u128>>>,
    /// Whether the loops came to an end with different outcomes, and no made-up value had a part in
    /// it.
    pub differs: bool,
}

/// What the values of a state are of: the state of the mode, then what stays the same.
pub fn columns(product: &Product, mode: usize) -> Vec<Term> {
    [&product.modes[mode][..], &product.fixed[..], &product.given[..]].concat()
}

const FIRST_STATES: u32 = 600;
const ITERATIONS: u32 = 40;
/// More states than this of a mode say nothing new.
const MAX_ROWS: usize = 400;
const RUNNING: Duration = Duration::from_millis(40);
const SEED: Duration = Duration::from_millis(200);

/// Runs the product on a few first states, one of them from the solver. The results of uninterpreted
/// calls are chosen at random, the same for the same arguments.
pub fn collect(terms: &Terms, product: &Product, solver: &Solver) -> Data {
    let mut data = Data { rows: vec![Vec::new(); product.modes.len()], differs: false };
    let asserted = [&product.facts[..], &[product.entered]].concat();
    let seed = match solver.check(terms, &asserted, SEED) {
        Answer::Sat(assignment) => assignment,
        Answer::Unsat => return data,
        Answer::Unknown(_) => Assignment::new(),
    };
    let mut chooser = Chooser::new(terms, product);
    let started = Instant::now();
    for number in 0..FIRST_STATES {
        let assignment = chooser.first_state(&seed, number);
        run(terms, product, assignment, &mut chooser, &mut data);
        if started.elapsed() >= RUNNING || data.differs {
            break;
        }
    }
    let seen = |data: &Data| data.rows.iter().map(Vec::len).collect::<Vec<_>>();
    debug!(states = ?seen(&data), time = ?started.elapsed(), "ran the loops side by side");
    data
}

fn run(
    terms: &Terms,
    product: &Product,
    mut assignment: Assignment,
    chooser: &mut Chooser,
    data: &mut Data,
) {
    name(terms, &product.calls, &mut assignment);
    let holds = terms.eval_all(&[&chooser.facts[..], &[product.entered]].concat(), &assignment);
    if holds.contains(&Some(0)) || holds.last() != Some(&Some(1)) {
        return;
    }
    let mut mode = 0;
    let mut next = terms.eval_all(&product.first, &assignment);
    for _ in 0..ITERATIONS {
        let Some(state) = next.iter().copied().collect::<Option<Vec<u128>>>() else { return };
        for (term, value) in product.modes[mode].iter().zip(state) {
            assignment.insert(variable(terms, *term), value);
        }
        chooser.make_up(&mut assignment);
        name(terms, &product.calls, &mut assignment);
        if terms.eval_all(&chooser.facts, &assignment).contains(&Some(0)) {
            return;
        }
        let row = terms.eval_all(&columns(product, mode), &assignment);
        if let Some(row) = row.into_iter().collect::<Option<Vec<u128>>>()
            && data.rows[mode].len() < MAX_ROWS
            && !data.rows[mode].contains(&row)
        {
            data.rows[mode].push(row);
        }
        if mode + 1 == product.modes.len() {
            let differs = terms.eval(product.bad, &assignment) == Some(1);
            data.differs |= differs && chooser.decides;
            return;
        }
        let steps = || product.steps.iter().filter(|step| step.from == mode);
        let conditions: Vec<Term> = steps().map(|step| step.condition).collect();
        let holds = terms.eval_all(&conditions, &assignment);
        let Some(taken) = holds.iter().position(|it| *it == Some(1)) else { return };
        let Some(step) = steps().nth(taken) else { return };
        next = terms.eval_all(&step.next, &assignment);
        mode = step.to;
    }
}

/// Gives the results of calls a value, the same for the same arguments.
fn name(terms: &Terms, calls: &[UninterpretedCall], assignment: &mut Assignment) {
    for call in calls {
        let mut hasher = DefaultHasher::new();
        (call.symbol, terms.eval_all(&call.arguments, assignment)).hash(&mut hasher);
        let random = hasher.finish();
        let value = match terms.sort(call.result) {
            Sort::Bool => u128::from(random & 1),
            Sort::Bits(width) if random & 2 == 0 => u128::from(random >> 8 & 3) & mask(width),
            Sort::Bits(width) => u128::from(random >> 2) & mask(width),
            Sort::EffectState => u128::from(random),
        };
        assignment.insert(variable(terms, call.result), value);
    }
}

fn variable(terms: &Terms, term: Term) -> Var {
    terms.as_var(term).expect("states are of variables")
}

/// Chooses values: small ones, those in the code, those of the seed.
struct Chooser {
    around: Vec<(Var, Sort)>,
    /// The variables that are new in every iteration.
    fresh: Vec<(Var, Sort)>,
    /// Whether no such variable has a part in the outcomes.
    decides: bool,
    /// What is to hold of these and of the state.
    facts: Vec<Term>,
    constants: HashMap<u32, Vec<u128>>,
    random: Random,
}

impl Chooser {
    fn new(terms: &Terms, product: &Product) -> Chooser {
        let sorted = |vars: Vec<Var>| -> Vec<(Var, Sort)> {
            vars.into_iter().map(|var| (var, terms.sort(terms.var_term(var)))).collect()
        };
        let roots = product.roots();
        let first = [&product.first[..], &product.fixed[..], &[product.entered]].concat();
        let around = terms.variables(&first);
        let is_named = |var: &Var| product.calls.iter().any(|it| it.result == terms.var_term(*var));
        let of_state =
            |var: &Var| product.modes.iter().flatten().any(|it| *it == terms.var_term(*var));
        let all = terms.variables(&roots);
        let facts = product.facts.iter().copied();
        let facts = facts.filter(|it| terms.variables(&[*it]).is_subset(&all)).collect();
        let fresh =
            all.iter().copied().filter(|it| !around.contains(it) && !is_named(it) && !of_state(it));
        let fresh: Vec<Var> = fresh.collect();
        let last = columns(product, product.modes.len() - 1);
        let told: BTreeSet<Var> = last.iter().filter_map(|it| terms.as_var(*it)).collect();
        let decides = product.is_alone
            && fresh.is_empty()
            && product.calls.is_empty()
            && terms.variables(&[product.bad]).is_subset(&told);
        let mut constants: HashMap<u32, Vec<u128>> = HashMap::new();
        for term in terms.reachable(&roots) {
            if let Node::Bits { value, width } = *terms.node(term) {
                constants.entry(width).or_default().push(value);
            }
        }
        Chooser {
            facts,
            decides,
            fresh: sorted(fresh),
            around: sorted(around.into_iter().filter(|it| !is_named(it)).collect()),
            constants,
            random: Random::new(0),
        }
    }

    fn first_state(&mut self, seed: &Assignment, number: u32) -> Assignment {
        let mut assignment = seed.clone();
        for (var, sort) in self.around.clone() {
            // The seed itself first; later some of it.
            let stays = number == 0 || self.random.number() % 8 == 0;
            if !stays || !assignment.contains_key(&var) {
                let value = self.value(sort);
                assignment.insert(var, value);
            }
        }
        assignment
    }

    fn make_up(&mut self, assignment: &mut Assignment) {
        for (var, sort) in self.fresh.clone() {
            let value = self.value(sort);
            assignment.insert(var, value);
        }
    }

    fn value(&mut self, sort: Sort) -> u128 {
        let (choice, pick) = (self.random.number() % 16, self.random.number());
        match sort {
            Sort::Bool => u128::from(pick & 1),
            Sort::EffectState => u128::from(pick),
            Sort::Bits(width) => {
                let value = match choice {
                    0..9 => u128::from(pick % 24),
                    9..12 => {
                        let known = self.constants.get(&width).filter(|it| !it.is_empty());
                        let near = u128::from(pick >> 40 & 3).wrapping_sub(1);
                        known.map_or(2, |it| it[pick as usize % it.len()]).wrapping_add(near)
                    }
                    12..14 => u128::from(pick % 12).wrapping_neg(),
                    14 => 1 << (pick % u64::from(width)),
                    _ => u128::from(pick) << 64 | u128::from(self.random.number()),
                };
                value & mask(width)
            }
        }
    }
}
