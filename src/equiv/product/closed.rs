//! What a loop gives that counts up to a bound and adds the same each time, said without the loop.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use super::turn::{Turn, variables};
use crate::solver::{Answer, BitsOp, CompareOp, Node, OverflowOp, Solver, Sort, Term, Terms};
use crate::sym::Record;

/// Terms have no more bits.
const WIDEST: u32 = 128;
/// So many comparisons are tried as what the loop counts up to.
const GUARDS: usize = 4;
/// One question is about one turn only.
const LIMIT: Duration = Duration::from_millis(200);

/// What is known of what a loop gives, if it has a closed form. What it gives that does not have one
/// is left open, which errs towards more being possible.
///
/// A loop has one if each turn moves a counter by a number towards a bound, and if it goes on while
/// the counter is within the bound and sums that grow by the same amount each time fit. The number of
/// turns follows from the first value of the counter. As a sum grows evenly, it fits after each turn
/// exactly if it does after the last; if not, the loop ends before, in some state.
pub fn form(
    terms: &mut Terms,
    record: &Record,
    turn: &Turn,
    solver: &Solver,
    deadline: Instant,
) -> Vec<Term> {
    if turn.after.len() != turn.before.len() || terms.as_bool(turn.again) == Some(false) {
        return Vec::new();
    }
    let growth = Growth::new(terms, record, turn);
    for guard in growth.guards(terms).into_iter().take(GUARDS) {
        let wrong = growth.is_wrong(terms, &guard);
        let mut asserted = [&turn.facts[..], &turn.made_up[..]].concat();
        asserted.push(wrong);
        let left = deadline.saturating_duration_since(Instant::now());
        if solver.check(terms, &asserted, left.min(LIMIT)) == Answer::Unsat
            && let Some(facts) = growth.at_the_end(terms, &guard)
        {
            return facts;
        }
    }
    Vec::new()
}

/// How the state of a loop goes on from turn to turn.
struct Growth<'t> {
    record: &'t Record,
    turn: &'t Turn,
    first: Vec<Term>,
    ways: Vec<Way>,
    /// The variables that are the same in all turns.
    fixed: HashSet<Term>,
}

/// How a part of the state goes on.
#[derive(Clone, Copy)]
enum Way {
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

/// The condition for a further turn: a counter that is before a bound.
struct Guard {
    counter: usize,
    /// By how much it moves in a turn.
    step: i128,
    signed: bool,
    bound: Term,
    /// Whether the counter may be at the bound.
    inclusive: bool,
}

impl<'t> Growth<'t> {
    fn new(terms: &mut Terms, record: &'t Record, turn: &'t Turn) -> Growth<'t> {
        let pairs = || turn.before.iter().zip(&turn.after);
        let mut fixed = variables(terms, &record.inputs);
        fixed.extend(pairs().filter(|(before, after)| before == after).map(|(it, _)| *it));
        let is_fixed = |terms: &Terms, term: Term| variables(terms, &[term]).is_subset(&fixed);
        let asked: HashSet<Term> = terms.reachable(&[turn.again]).into_iter().collect();
        let mut ways = Vec::new();
        for (&before, &after) in pairs() {
            let mut way = Way::Other;
            if before == after {
                way = Way::Same;
            } else if matches!(terms.sort(before), Sort::Bits(_)) {
                let amount = terms.binary(BitsOp::Sub, after, before);
                if is_fixed(terms, amount) {
                    way = Way::Wrapping(amount);
                }
                let checks = checks(terms, &asked, before, after);
                way = checks
                    .into_iter()
                    .find(|it| is_fixed(terms, it.amount))
                    .map_or(way, Way::Checked);
            }
            ways.push(way);
        }
        Growth { record, turn, first: turn.first(&record.inputs), ways, fixed }
    }

    /// What the loop may count up or down to: the counter compared with what does not change.
    fn guards(&self, terms: &mut Terms) -> Vec<Guard> {
        let mut guards = Vec::new();
        let steps: Vec<(usize, i128)> = (self.ways.iter().enumerate())
            .filter_map(|(counter, way)| Some((counter, self.step(terms, *way)?)))
            .collect();
        for term in terms.reachable(&[self.turn.again]) {
            let (left, right) = match *terms.node(term) {
                Node::Compare(_, left, right) | Node::Eq(left, right) => (left, right),
                _ => continue,
            };
            for (one, other) in [(left, right), (right, left)] {
                let is_fixed = variables(terms, &[other]).is_subset(&self.fixed);
                let counter = steps.iter().find(|it| self.turn.before[it.0] == one);
                let Some(&(counter, step)) = counter.filter(|_| is_fixed) else { continue };
                let guard =
                    |signed, inclusive| Guard { counter, step, signed, bound: other, inclusive };
                match *terms.node(term) {
                    Node::Compare(op, ..) => {
                        // Either it holds or it does not: the way the counter moves tells.
                        let as_it_is = (one == left) == (step > 0);
                        guards.push(guard(op.is_signed(), op.is_strict() != as_it_is));
                    }
                    _ => guards.extend([guard(false, false), guard(true, false)]),
                }
            }
        }
        guards
    }

    /// By how much a part of the state moves in a turn, if that is a number other than zero.
    fn step(&self, terms: &Terms, way: Way) -> Option<i128> {
        let (amount, negated) = match way {
            Way::Wrapping(amount) => (amount, false),
            Way::Checked(Check { op, amount, .. }) => (amount, op == OverflowOp::Sub),
            Way::Same | Way::Other => return None,
        };
        let width = terms.width(amount);
        let amount = as_signed(terms.as_bits(amount)?, width);
        // The least number has no opposite of its width.
        let has_opposite = bits_of(amount.unsigned_abs()) < width;
        (amount != 0 && has_opposite && width <= WIDEST / 2).then_some(if negated {
            -amount
        } else {
            amount
        })
    }

    /// The condition for a further turn, of a state.
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

    /// The condition for a turn to do other than is said: if it is never met, all is as said.
    fn is_wrong(&self, terms: &mut Terms, guard: &Guard) -> Term {
        let turn = self.turn;
        let within = self.holds(terms, guard, turn.before[guard.counter]);
        let beyond = terms.not(within);
        let mut overflows = Vec::new();
        for (&before, way) in turn.before.iter().zip(&self.ways) {
            if let Way::Checked(Check { op, signed, amount }) = *way {
                overflows.push(terms.overflows(op, signed, before, amount));
            }
        }
        let overflows = terms.or(overflows);
        let fits = terms.not(overflows);
        let stops = terms.not(turn.again);
        let does_not_end = terms.not(turn.ends);
        // The counter itself does not wrap.
        let (op, width) = match guard.step > 0 {
            true => (OverflowOp::Add, terms.width(turn.before[guard.counter])),
            false => (OverflowOp::Sub, terms.width(turn.before[guard.counter])),
        };
        let step = terms.bits(guard.step.unsigned_abs(), width);
        let wraps = terms.overflows(op, guard.signed, turn.before[guard.counter], step);
        let wrong = [
            terms.and([turn.again, beyond]),
            terms.and([turn.again, overflows]),
            terms.and([within, fits, stops]),
            terms.and([stops, does_not_end]),
            terms.and([turn.again, wraps]),
        ];
        terms.or(wrong)
    }

    /// What the loop gives. None if there are not enough bits to say it.
    fn at_the_end(&self, terms: &mut Terms, guard: &Guard) -> Option<Vec<Term>> {
        let known: HashMap<Term, Term> =
            self.turn.before.iter().copied().zip(self.first.iter().copied()).collect();
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
                Way::Same => first,
                _ => terms.var(terms.sort(first)),
            });
            last.push(match *way {
                Way::Same => first,
                Way::Other => terms.var(terms.sort(first)),
                Way::Wrapping(amount) => {
                    let amount = terms.substitute(&[amount], &known)[0];
                    let width = terms.width(first);
                    let turns = self.turns(terms, guard, width.max(self.turns_width(terms, guard)));
                    let turns = terms.extract(turns, 0, width);
                    let grown = terms.binary(BitsOp::Mul, turns, amount);
                    terms.binary(BitsOp::Add, first, grown)
                }
                Way::Checked(check) => {
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
        let within = self.holds(terms, guard, self.turn.before[guard.counter]);
        let before_the_end = self.outputs_of(terms, &early, &[within, self.turn.ends]);
        let here = self.record.condition;
        let said = [
            (not_entered, at_once),
            (terms.and([entered, fits]), in_the_end),
            (terms.and([entered, does_not_fit]), before_the_end),
        ];
        Some(
            said.map(|(when, what)| {
                let when = terms.and([here, when]);
                terms.implies(when, what)
            })
            .to_vec(),
        )
    }

    /// That what the loop gives is what its last turn does from a state in which conditions hold.
    fn outputs_of(&self, terms: &mut Terms, last: &[Term], conditions: &[Term]) -> Term {
        let mut map: HashMap<Term, Term> =
            self.turn.before.iter().copied().zip(last.iter().copied()).collect();
        // What a turn makes up is something else each time.
        for variable in variables(terms, &[&self.turn.outputs, conditions].concat()) {
            if !self.fixed.contains(&variable) && !map.contains_key(&variable) {
                let other = terms.var(terms.sort(variable));
                map.insert(variable, other);
            }
        }
        let mut equal = terms.substitute(conditions, &map);
        let outputs = terms.substitute(&self.turn.outputs, &map);
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

    /// A sum after the last turn, and whether it fits.
    fn exactly(
        &self,
        terms: &mut Terms,
        guard: &Guard,
        first: Term,
        Check { op, signed, amount }: Check,
    ) -> Option<(Term, Term)> {
        let width = terms.width(first);
        let amount_width = match terms.as_bits(amount) {
            Some(number) if signed => bits_of(as_signed(number, width).unsigned_abs()),
            Some(number) => bits_of(number),
            None => width,
        };
        let wide = (self.turns_width(terms, guard) + amount_width + 2).max(width + 3);
        if wide > WIDEST {
            return None;
        }
        let turns = self.turns(terms, guard, wide);
        let extend = |terms: &mut Terms, term| match signed {
            true => terms.sign_extend(term, wide),
            false => terms.zero_extend(term, wide),
        };
        let (from, by) = (extend(terms, first), extend(terms, amount));
        let grown = terms.binary(BitsOp::Mul, turns, by);
        let op = if op == OverflowOp::Sub { BitsOp::Sub } else { BitsOp::Add };
        let sum = terms.binary(op, from, grown);
        let half = 1u128 << (width - 1);
        let (least, most) = match signed {
            true => (half.wrapping_neg(), half - 1),
            false => (0, half - 1 + half),
        };
        let least = terms.bits(least & mask(wide), wide);
        let most = terms.bits(most, wide);
        let above = terms.compare(CompareOp::Sle, least, sum);
        let below = terms.compare(CompareOp::Sle, sum, most);
        let fits = terms.and([above, below]);
        Some((terms.extract(sum, 0, width), fits))
    }

    /// How many bits the number of turns takes, as a signed number.
    fn turns_width(&self, terms: &Terms, guard: &Guard) -> u32 {
        terms.width(guard.bound) + 3
    }

    /// How many turns there are, if the loop is entered.
    fn turns(&self, terms: &mut Terms, guard: &Guard, wide: u32) -> Term {
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

/// The questions among those asked whether what is added to a part of the state fits.
fn checks(terms: &mut Terms, asked: &HashSet<Term>, before: Term, after: Term) -> Vec<Check> {
    let amount = terms.binary(BitsOp::Sub, after, before);
    let opposite = terms.binary(BitsOp::Sub, before, after);
    let mut checks = Vec::new();
    for (op, amount) in [(OverflowOp::Add, amount), (OverflowOp::Sub, opposite)] {
        for signed in [false, true] {
            let overflows = terms.overflows(op, signed, before, amount);
            let fits = terms.not(overflows);
            if asked.contains(&overflows) || asked.contains(&fits) {
                checks.push(Check { op, signed, amount });
            }
        }
    }
    checks
}

/// How many bits a number takes.
fn bits_of(number: u128) -> u32 {
    128 - number.leading_zeros()
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The number that so many bits are, with a sign.
fn as_signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((bits << unused) as i128) >> unused
}
