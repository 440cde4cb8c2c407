//! What a loop gives that counts up to a bound and adds the same each time, said without the loop.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::iteration::{Iteration, variables};
use crate::bits;
use crate::deadline::Deadline;
use crate::solver::{Answer, BitsOp, CompareOp, Node, OverflowOp, Solver, Sort, Term, Terms};
use crate::sym::Record;

/// Terms have no more bits.
const WIDEST: u32 = 128;
/// So many comparisons are tried as what the loop counts up to.
const GUARDS: usize = 4;
/// So many iterations can always be run.
const FEW: u128 = 200;
/// One question is about one iteration only.
const LIMIT: Duration = Duration::from_millis(200);

/// What is known of what a loop gives, if it has a closed form. What it gives that does not have one
/// is left open, which errs towards more being possible.
///
/// A loop has one if each iteration moves a counter by a number towards a bound, and if it goes on while
/// the counter is within the bound and sums that grow by the same amount each time fit. The number of
/// iterations follows from the first value of the counter. As a sum grows evenly, it fits after each iteration
/// exactly if it does after the last; if not, the loop ends before, in some state.
pub fn form(
    terms: &mut Terms,
    record: &Record,
    iteration: &Iteration,
    solver: &Solver,
    deadline: Deadline,
) -> Option<ClosedForm> {
    if iteration.after.len() != iteration.before.len()
        || terms.as_bool(iteration.again) == Some(false)
    {
        return None;
    }
    let growth = Growth::new(terms, record, iteration);
    for guard in growth.guards(terms).into_iter().take(GUARDS) {
        let wrong = growth.is_wrong(terms, &guard);
        let mut asserted = [&iteration.facts[..], &iteration.fresh_facts[..]].concat();
        asserted.push(wrong);
        if solver.check(terms, &asserted, deadline.left().min(LIMIT)) == Answer::Unsat
            && let Some(form) = growth.at_the_end(terms, &guard)
        {
            return Some(form);
        }
    }
    None
}

/// What a loop gives.
pub struct ClosedForm {
    pub facts: Vec<Term>,
    /// That it has so few iterations that they can be run.
    pub is_short: Term,
}

/// How the state of a loop goes on from iteration to iteration.
struct Growth<'t> {
    record: &'t Record,
    iteration: &'t Iteration,
    first: Vec<Term>,
    ways: Vec<Progression>,
    /// The variables that are the same in all iterations.
    fixed: HashSet<Term>,
}

/// How a part of the state goes on.
#[derive(Clone, Copy)]
enum Progression {
    Same,
    /// The amount is added, and what does not fit is cut off.
    Wrapping(Term),
    /// The loop ends if the result does not fit.
    Checked(Check),
    Other,
}

/// A sum or difference that is asked whether it fits.
#[derive(Clone, Copy)]
struct Check {
    op: OverflowOp,
    signed: bool,
    amount: Term,
}

/// The condition for a further iteration: a counter that is before a bound.
struct Guard {
    counter: usize,
    /// By how much it moves in an iteration.
    step: i128,
    signed: bool,
    bound: Term,
    /// Whether the counter may be at the bound.
    inclusive: bool,
}

impl<'t> Growth<'t> {
    fn new(terms: &mut Terms, record: &'t Record, iteration: &'t Iteration) -> Growth<'t> {
        let pairs = || iteration.before.iter().zip(&iteration.after);
        let mut fixed = variables(terms, &record.inputs);
        fixed.extend(pairs().filter(|(before, after)| before == after).map(|(it, _)| *it));
        let is_fixed = |terms: &Terms, term: Term| variables(terms, &[term]).is_subset(&fixed);
        let asked = terms.conjuncts(iteration.again);
        let mut ways = Vec::new();
        for (&before, &after) in pairs() {
            let mut way = Progression::Other;
            if before == after {
                way = Progression::Same;
            } else if matches!(terms.sort(before), Sort::Bits(_)) {
                let amount = terms.binary(BitsOp::Sub, after, before);
                let opposite = terms.binary(BitsOp::Sub, before, after);
                let zero = terms.bits(0, terms.width(before));
                if is_fixed(terms, amount) {
                    way = Progression::Wrapping(amount);
                } else if is_fixed(terms, opposite) {
                    way = Progression::Wrapping(terms.binary(BitsOp::Sub, zero, opposite));
                }
                for (op, amount) in [(OverflowOp::Add, amount), (OverflowOp::Sub, opposite)] {
                    for signed in [false, true] {
                        let overflows = terms.overflows(op, signed, before, amount);
                        let fits = terms.not(overflows);
                        if is_fixed(terms, amount) && asked.contains(&fits) {
                            way = Progression::Checked(Check { op, signed, amount });
                        }
                    }
                }
            }
            ways.push(way);
        }
        Growth { record, iteration, first: iteration.first(&record.inputs), ways, fixed }
    }

    /// What the loop may count up or down to: the counter compared with what does not change.
    fn guards(&self, terms: &mut Terms) -> Vec<Guard> {
        let (mut guards, mut unequal) = (Vec::new(), Vec::new());
        let steps: Vec<(usize, i128)> = (self.ways.iter().enumerate())
            .filter_map(|(counter, way)| Some((counter, self.step(terms, *way)?)))
            .collect();
        for term in terms.reachable(&[self.iteration.again]) {
            let (left, right) = match *terms.node(term) {
                Node::Compare(_, left, right) | Node::Eq(left, right) => (left, right),
                _ => continue,
            };
            for (one, other) in [(left, right), (right, left)] {
                let is_fixed = variables(terms, &[other]).is_subset(&self.fixed);
                let counter = steps.iter().find(|it| self.iteration.before[it.0] == one);
                let Some(&(counter, step)) = counter.filter(|_| is_fixed) else { continue };
                let guard =
                    |signed, inclusive| Guard { counter, step, signed, bound: other, inclusive };
                match *terms.node(term) {
                    Node::Compare(op, ..) => {
                        // Either it holds or it does not: the way the counter moves tells.
                        let as_it_is = (one == left) == (step > 0);
                        guards.push(guard(op.is_signed(), op.is_strict() != as_it_is));
                    }
                    _ => unequal.extend([guard(false, false), guard(true, false)]),
                }
            }
        }
        guards.append(&mut unequal);
        guards
    }

    /// By how much a part of the state moves in an iteration, if that is a number other than zero.
    fn step(&self, terms: &Terms, way: Progression) -> Option<i128> {
        let (amount, signed, negated) = match way {
            Progression::Wrapping(amount) => (amount, true, false),
            Progression::Checked(Check { op, signed, amount }) => {
                (amount, signed, op == OverflowOp::Sub)
            }
            Progression::Same | Progression::Other => return None,
        };
        let width = terms.width(amount);
        if width > WIDEST / 2 {
            return None;
        }
        let amount = match signed {
            true => bits::signed(terms.as_bits(amount)?, width),
            false => terms.as_bits(amount)? as i128,
        };
        // So large a step has no opposite of its width.
        let is_large = bits_of(amount.unsigned_abs()) >= width;
        (amount != 0 && !is_large).then_some(if negated { -amount } else { amount })
    }

    /// The condition for a further iteration, of a state.
    fn holds(&self, terms: &mut Terms, guard: &Guard, counter: Term) -> Term {
        let op = match (guard.signed, guard.inclusive) {
            (false, false) => CompareOp::Ult,
            (false, true) => CompareOp::Ule,
            (true, false) => CompareOp::Slt,
            (true, true) => CompareOp::Sle,
        };
        match guard.step > 0 {
            true => terms.compare(op, counter, guard.bound),
            false => terms.compare(op, guard.bound, counter),
        }
    }

    /// The condition for an iteration to do other than is said: if it is never met, all is as said.
    fn is_wrong(&self, terms: &mut Terms, guard: &Guard) -> Term {
        let iteration = self.iteration;
        let within = self.holds(terms, guard, iteration.before[guard.counter]);
        let beyond = terms.not(within);
        let mut overflows = Vec::new();
        for (&before, way) in iteration.before.iter().zip(&self.ways) {
            if let Progression::Checked(Check { op, signed, amount }) = *way {
                overflows.push(terms.overflows(op, signed, before, amount));
            }
        }
        let overflows = terms.or(overflows);
        let fits = terms.not(overflows);
        let stops = terms.not(iteration.again);
        let does_not_end = terms.not(iteration.ends);
        // The counter itself does not wrap.
        let counter = iteration.before[guard.counter];
        let op = if guard.step > 0 { OverflowOp::Add } else { OverflowOp::Sub };
        let step = terms.bits(guard.step.unsigned_abs(), terms.width(counter));
        let wraps = terms.overflows(op, guard.signed, counter, step);
        let wrong = [
            terms.and([iteration.again, beyond]),
            terms.and([iteration.again, overflows]),
            terms.and([within, fits, stops]),
            terms.and([stops, does_not_end]),
            terms.and([iteration.again, wraps]),
        ];
        terms.or(wrong)
    }

    /// What the loop gives. None if there are not enough bits to say it.
    fn at_the_end(&self, terms: &mut Terms, guard: &Guard) -> Option<ClosedForm> {
        let known: HashMap<Term, Term> =
            self.iteration.before.iter().copied().zip(self.first.iter().copied()).collect();
        let [bound] = terms.substitute(&[guard.bound], &known)[..] else { return None };
        let guard = &Guard { bound, ..*guard };
        let entered = self.holds(terms, guard, self.first[guard.counter]);
        let not_entered = terms.not(entered);
        let first = self.first.clone();
        let at_once = self.outputs_of(terms, &first, &[]);
        let (mut last, mut early, mut fit) = (Vec::new(), Vec::new(), Vec::new());
        for (part, way) in self.ways.iter().enumerate() {
            let first = self.first[part];
            early.push(match way {
                Progression::Same => first,
                _ => terms.var(terms.sort(first)),
            });
            last.push(match *way {
                Progression::Same => first,
                Progression::Other => terms.var(terms.sort(first)),
                Progression::Wrapping(amount) => {
                    let amount = terms.substitute(&[amount], &known)[0];
                    let width = terms.width(first);
                    let iterations =
                        self.iterations(terms, guard, width.max(self.turns_width(terms, guard)));
                    let iterations = terms.extract(iterations, 0, width);
                    let grown = terms.binary(BitsOp::Mul, iterations, amount);
                    terms.binary(BitsOp::Add, first, grown)
                }
                Progression::Checked(check) => {
                    let amount = terms.substitute(&[check.amount], &known)[0];
                    let check = Check { amount, ..check };
                    let (sum, fits) = self.exactly(terms, guard, first, check)?;
                    // A counter that stops at its bound fits.
                    let at_bound = part == guard.counter
                        && check.signed == guard.signed
                        && guard.step.abs() == 1
                        && !guard.inclusive;
                    fit.extend((!at_bound).then_some(fits));
                    sum
                }
            });
        }
        let fits = terms.and(fit);
        let does_not_fit = terms.not(fits);
        let in_the_end = self.outputs_of(terms, &last, &[]);
        let within = self.holds(terms, guard, self.iteration.before[guard.counter]);
        let before_the_end = self.outputs_of(terms, &early, &[within, self.iteration.ends]);
        let here = self.record.condition;
        let said = [
            (not_entered, at_once),
            (terms.and([entered, fits]), in_the_end),
            (terms.and([entered, does_not_fit]), before_the_end),
        ];
        let facts = said.map(|(when, what)| {
            let when = terms.and([here, when]);
            terms.implies(when, what)
        });
        let wide = self.turns_width(terms, guard);
        let (iterations, few) = (self.iterations(terms, guard, wide), terms.bits(FEW, wide));
        let is_short = terms.compare(CompareOp::Ule, iterations, few);
        let is_short = terms.or([not_entered, is_short]);
        Some(ClosedForm { facts: facts.to_vec(), is_short })
    }

    /// That what the loop gives is what its last iteration does from a state in which conditions hold.
    fn outputs_of(&self, terms: &mut Terms, last: &[Term], conditions: &[Term]) -> Term {
        let mut map: HashMap<Term, Term> =
            self.iteration.before.iter().copied().zip(last.iter().copied()).collect();
        // The variables that only one iteration has are others in the next.
        for variable in variables(terms, &[&self.iteration.outputs, conditions].concat()) {
            if !self.fixed.contains(&variable) && !map.contains_key(&variable) {
                let other = terms.var(terms.sort(variable));
                map.insert(variable, other);
            }
        }
        let mut equal = terms.substitute(conditions, &map);
        let outputs = terms.substitute(&self.iteration.outputs, &map);
        let given: Vec<(Term, Term)> = self.record.outputs.iter().copied().zip(outputs).collect();
        let (panicked, panics) = given[0];
        equal.push(terms.eq(panicked, panics));
        for &(result, value) in &given[1..] {
            // Of what a panic leaves behind nothing is said.
            let same = terms.eq(result, value);
            equal.push(terms.or([panicked, same]));
        }
        terms.and(equal)
    }

    /// A sum after the last iteration, and whether it fits.
    fn exactly(
        &self,
        terms: &mut Terms,
        guard: &Guard,
        first: Term,
        Check { op, signed, amount }: Check,
    ) -> Option<(Term, Term)> {
        let width = terms.width(first);
        let amount_width = match terms.as_bits(amount) {
            Some(number) if signed => bits_of(bits::signed(number, width).unsigned_abs()),
            Some(number) => bits_of(number),
            None => width,
        };
        let wide = (self.turns_width(terms, guard) + amount_width + 2).max(width + 3);
        if wide > WIDEST {
            return None;
        }
        let iterations = self.iterations(terms, guard, wide);
        let extend = |terms: &mut Terms, term| match signed {
            true => terms.sign_extend(term, wide),
            false => terms.zero_extend(term, wide),
        };
        let (from, by) = (extend(terms, first), extend(terms, amount));
        let grown = terms.binary(BitsOp::Mul, iterations, by);
        let op = if op == OverflowOp::Sub { BitsOp::Sub } else { BitsOp::Add };
        let sum = terms.binary(op, from, grown);
        let half = bits::sign_bit(width);
        let (least, most) = match signed {
            true => (half.wrapping_neg(), half - 1),
            false => (0, half - 1 + half),
        };
        let least = terms.bits(least, wide);
        let most = terms.bits(most, wide);
        let above = terms.compare(CompareOp::Sle, least, sum);
        let below = terms.compare(CompareOp::Sle, sum, most);
        let fits = terms.and([above, below]);
        Some((terms.extract(sum, 0, width), fits))
    }

    /// How many bits the number of iterations takes, as a signed number.
    fn turns_width(&self, terms: &Terms, guard: &Guard) -> u32 {
        terms.width(guard.bound) + 3
    }

    /// How many iterations there are, if the loop is entered.
    fn iterations(&self, terms: &mut Terms, guard: &Guard, wide: u32) -> Term {
        let extend = |terms: &mut Terms, term| match guard.signed {
            true => terms.sign_extend(term, wide),
            false => terms.zero_extend(term, wide),
        };
        let from = extend(terms, self.first[guard.counter]);
        let to = extend(terms, guard.bound);
        let distance = match guard.step > 0 {
            true => terms.binary(BitsOp::Sub, to, from),
            false => terms.binary(BitsOp::Sub, from, to),
        };
        // The last value before the bound counts, or the bound itself.
        let step = guard.step.unsigned_abs();
        let more = if guard.inclusive { step } else { step - 1 };
        let more = terms.bits(more, wide);
        let distance = terms.binary(BitsOp::Add, distance, more);
        let step = terms.bits(step, wide);
        terms.binary(BitsOp::UDiv, distance, step)
    }
}

/// How many bits a number takes.
fn bits_of(number: u128) -> u32 {
    128 - number.leading_zeros()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cfa::{FnId, LoopId};
    use crate::solver::Assignment;
    use crate::sym::Called;

    /// So few bits that all states can be run.
    const WIDTH: u32 = 3;
    const NUMBERS: u128 = 1 << WIDTH;

    /// A sum and a counter, which is compared with a bound.
    #[derive(Clone, Copy, Debug)]
    struct Sample {
        step: u128,
        /// Of the sum and of the counter.
        ops: [OverflowOp; 2],
        signed: [bool; 2],
        checked: [bool; 2],
        compare: CompareOp,
        swapped: bool,
        negated: bool,
        /// Instead of the order.
        unequal: bool,
    }

    fn samples() -> impl Strategy<Value = Sample> {
        let op = || prop_oneof![Just(OverflowOp::Add), Just(OverflowOp::Sub)];
        let compare = prop::sample::select(vec![
            CompareOp::Ult,
            CompareOp::Ule,
            CompareOp::Slt,
            CompareOp::Sle,
        ]);
        let pair = any::<[bool; 2]>;
        let steps = prop_oneof![3 => Just(1), 1 => 2..NUMBERS];
        (steps, op(), op(), pair(), pair(), compare, pair(), prop::bool::weighted(0.1)).prop_map(
            |(step, of_sum, of_counter, signed, checked, compare, [swapped, negated], unequal)| {
                let ops = [of_sum, of_counter];
                Sample { step, ops, signed, checked, compare, swapped, negated, unequal }
            },
        )
    }

    /// The loop, and the variables for its first state, what is added, and the bound.
    fn looped(terms: &mut Terms, sample: &Sample) -> (Iteration, Record, [Term; 4]) {
        let mut var = |_| terms.var(Sort::Bits(WIDTH));
        let [sum, counter] = [0, 1].map(&mut var);
        let given = [0, 1, 2, 3].map(&mut var);
        let [_, _, amount, bound] = given;
        let outputs = vec![terms.var(Sort::Bool), var_of(terms), var_of(terms)];
        let (left, right) = match sample.swapped {
            true => (bound, counter),
            false => (counter, bound),
        };
        let mut within = match sample.unequal {
            true => terms.eq(left, right),
            false => terms.compare(sample.compare, left, right),
        };
        if sample.negated || sample.unequal {
            within = terms.not(within);
        }
        let step = terms.bits(sample.step, WIDTH);
        let mut after = Vec::new();
        let mut overflows = Vec::new();
        for (part, (before, by)) in [(sum, amount), (counter, step)].into_iter().enumerate() {
            let op = sample.ops[part];
            after.push(match op {
                OverflowOp::Add => terms.binary(BitsOp::Add, before, by),
                _ => terms.binary(BitsOp::Sub, before, by),
            });
            if sample.checked[part] {
                overflows.push(terms.overflows(op, sample.signed[part], before, by));
            }
        }
        let overflows = terms.or(overflows);
        let fits = terms.not(overflows);
        let again = terms.and([within, fits]);
        let iteration = Iteration {
            before: vec![sum, counter],
            first: vec![0, 1],
            again,
            after,
            ends: terms.not(again),
            outputs: vec![terms.and([within, overflows]), sum, counter],
            incomplete: Vec::new(),
            facts: Vec::new(),
            fresh_facts: Vec::new(),
        };
        let called = Called::Loop(FnId(0), LoopId(0));
        let condition = terms.bool(true);
        (iteration, Record { called, condition, inputs: given.to_vec(), outputs }, given)
    }

    fn var_of(terms: &mut Terms) -> Term {
        terms.var(Sort::Bits(WIDTH))
    }

    fn assign(terms: &Terms, all: &[(Term, u128)]) -> Assignment {
        all.iter().filter_map(|(term, value)| Some((terms.as_var(*term)?, *value))).collect()
    }

    /// The states of which a sample consists: first ones with what is added and the bound.
    fn states() -> impl Iterator<Item = [u128; 4]> {
        (0..NUMBERS.pow(4)).map(|it| [0, 1, 2, 3].map(|part| it / NUMBERS.pow(part) % NUMBERS))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Whatever is said of a loop holds of what running it gives.
        #[test]
        fn a_closed_form_says_what_the_loop_gives(sample in samples()) {
            let terms = &mut Terms::new();
            let (iteration, record, given) = looped(terms, &sample);
            let growth = Growth::new(terms, &record, &iteration);
            for guard in growth.guards(terms) {
                let wrong = growth.is_wrong(terms, &guard);
                let is_wrong = |[sum, counter, amount, bound]: [u128; 4]| {
                    let [_, _, of_amount, of_bound] = given;
                    let state = [(iteration.before[0], sum), (iteration.before[1], counter)];
                    let state = [&state[..], &[(of_amount, amount), (of_bound, bound)]].concat();
                    terms.eval(wrong, &assign(terms, &state)) != Some(0)
                };
                if states().any(is_wrong) {
                    continue;
                }
                let made = terms.len();
                let form = growth.at_the_end(terms, &guard).expect("there are enough bits");
                let facts = form.facts;
                // Where the loop ends early: the state in which it does.
                let early: Vec<Term> = (variables(terms, &facts).into_iter())
                    .filter(|it| it.index() >= made)
                    .collect::<std::collections::BTreeSet<Term>>()
                    .into_iter()
                    .collect();
                for first in states() {
                    let (last, panicked) = run(terms, &iteration, given, first);
                    let outputs = [u128::from(panicked), last[0], last[1]];
                    let mut all: Vec<(Term, u128)> = given.into_iter().zip(first).collect();
                    all.extend(record.outputs.iter().copied().zip(outputs));
                    all.extend(early.iter().copied().zip(last));
                    let assignment = assign(terms, &all);
                    for fact in &facts {
                        prop_assert_eq!(terms.eval(*fact, &assignment), Some(1), "{:?}", first);
                    }
                }
            }
        }
    }

    /// The state before the last iteration, and whether that panics.
    fn run(
        terms: &Terms,
        iteration: &Iteration,
        given: [Term; 4],
        first: [u128; 4],
    ) -> ([u128; 2], bool) {
        let mut state = [first[0], first[1]];
        for _ in 0..=2 * NUMBERS {
            let mut all: Vec<(Term, u128)> = given.into_iter().zip(first).collect();
            all.extend(iteration.before.iter().copied().zip(state));
            let assignment = assign(terms, &all);
            let value = |term| terms.eval(term, &assignment).expect("all is given");
            if value(iteration.again) == 0 {
                return (state, value(iteration.outputs[0]) == 1);
            }
            state = [value(iteration.after[0]), value(iteration.after[1])];
        }
        panic!("a loop that counts up to a bound ends");
    }

    /// Most loops that people write are found to have a closed form.
    #[test]
    fn counting_loops_have_a_closed_form() {
        use CompareOp::{Sle, Slt, Ult};
        use OverflowOp::{Add, Sub};
        let up = |compare, signed, checked| Sample {
            step: 1,
            ops: [Add, Add],
            signed: [signed; 2],
            checked,
            compare,
            swapped: false,
            negated: false,
            unequal: false,
        };
        let down = |sample| Sample { ops: [Add, Sub], swapped: true, ..sample };
        let found = [
            up(Slt, true, [true, true]),
            up(Sle, true, [true, true]),
            up(Ult, false, [true, false]),
            Sample { step: 3, ..up(Sle, true, [true, true]) },
            down(up(Slt, true, [true, true])),
            down(up(Ult, false, [false, true])),
        ];
        for sample in found {
            let terms = &mut Terms::new();
            let (iteration, record, _) = looped(terms, &sample);
            let growth = Growth::new(terms, &record, &iteration);
            let right = growth.guards(terms).into_iter().any(|guard| {
                let wrong = growth.is_wrong(terms, &guard);
                let variables: Vec<Term> = variables(terms, &[wrong]).into_iter().collect();
                (0..NUMBERS.pow(variables.len() as u32)).all(|it| {
                    let value = |part| it / NUMBERS.pow(part as u32) % NUMBERS;
                    let state: Vec<_> = (variables.iter().enumerate())
                        .map(|(part, variable)| (*variable, value(part)))
                        .collect();
                    terms.eval(wrong, &assign(terms, &state)) == Some(0)
                })
            });
            assert!(right, "{sample:?}");
        }
    }
}
