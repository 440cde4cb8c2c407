//! Loops as Horn clauses.

use std::collections::HashMap;

use cargo_cse::solver::{
    BitsOp::*, Clause, CompareOp, HornAnswer, HornSystem, Predicate, Solver, Sort, Term, Terms,
};

use super::{LIMIT, by, solver};

const LOOP: Predicate = Predicate(0);

/// A loop that counts up to `end` by `step`, and a claim about the counter.
pub fn counting(
    solver: &Solver,
    width: u32,
    end: u128,
    step: u128,
    op: CompareOp,
    claim: impl Fn(&mut Terms, Term) -> Term,
    exact: bool,
) -> HornAnswer {
    let mut t = Terms::new();
    let sort = Sort::Bits(width);
    let i = t.var(sort);
    let (zero, end) = (t.bits(0, width), t.bits(end, width));
    let next = by(&mut t, Add, i, step);
    let goes_on = t.compare(op, i, end);
    let claim = claim(&mut t, i);
    let broken = t.not(claim);
    let always = t.bool(true);
    let system = HornSystem {
        predicates: vec![vec![sort]],
        clauses: vec![
            Clause { body: vec![], constraint: always, head: Some((LOOP, vec![zero])) },
            Clause {
                body: vec![(LOOP, vec![i])],
                constraint: goes_on,
                head: Some((LOOP, vec![next])),
            },
            Clause { body: vec![(LOOP, vec![i])], constraint: broken, head: None },
        ],
        exact: if exact { HashMap::from([(next, op.is_signed())]) } else { HashMap::new() },
    };
    solver.horn(&t, &system, LIMIT)
}

#[test]
fn what_a_loop_keeps_is_safe_and_what_it_breaks_is_not() {
    let at_most = |bound: u128| {
        move |t: &mut Terms, i: Term| {
            let bound = t.bits(bound, t.width(i));
            t.compare(CompareOp::Ule, i, bound)
        }
    };
    let count = |end, op, bound, exact| counting(&solver(), 32, end, 1, op, at_most(bound), exact);
    assert_eq!(count(1000, CompareOp::Ult, 1000, false), HornAnswer::Safe);
    assert_eq!(count(1000, CompareOp::Ult, 1000, true), HornAnswer::Safe);
    assert_eq!(count(10, CompareOp::Ult, 9, false), HornAnswer::Unsafe);
    assert_eq!(count(1000, CompareOp::Slt, 1000, false), HornAnswer::Safe);
}

/// In eight bits, 200 and 100 are 44: only a loop that cannot wrap keeps to the multiples of 100.
#[test]
fn a_sum_wraps_unless_it_is_exact() {
    let is_not_44 = |t: &mut Terms, i: Term| {
        let wrapped = t.bits(44, 8);
        let equal = t.eq(i, wrapped);
        t.not(equal)
    };
    let answer = counting(&solver(), 8, 250, 100, CompareOp::Ult, is_not_44, false);
    assert_eq!(answer, HornAnswer::Unsafe);
}

/// The libraries of 2clever, figure 1: one version counts all factors of a number, the other one
/// returns at the first. Where the new one finds none, the old one counts none.
#[test]
fn counting_factors_and_finding_one_agree_on_primes() {
    let mut t = Terms::new();
    let sort = Sort::Bits(32);
    let [num, i, count, j] = [(); 4].map(|()| t.var(sort));
    let found = t.var(Sort::Bool);
    let (zero, one, two) = (t.bits(0, 32), t.bits(1, 32), t.bits(2, 32));
    let divides = |t: &mut Terms, by: Term| {
        let rest = t.binary(URem, num, by);
        t.eq(rest, zero)
    };

    let old_goes_on = t.compare(CompareOp::Ult, i, num);
    let old_divides = divides(&mut t, i);
    let next_i = t.binary(Add, i, one);
    let counted = t.binary(Add, count, one);
    let next_count = t.ite(old_divides, counted, count);
    let next_i = t.ite(old_goes_on, next_i, i);
    let next_count = t.ite(old_goes_on, next_count, count);

    let is_below = t.compare(CompareOp::Ult, j, num);
    let not_found = t.not(found);
    let new_goes_on = t.and([not_found, is_below]);
    let new_divides = divides(&mut t, j);
    let next_found = t.ite(new_goes_on, new_divides, found);
    let next_j = t.binary(Add, j, one);
    let moves = t.not(new_divides);
    let moves = t.and([new_goes_on, moves]);
    let next_j = t.ite(moves, next_j, j);

    let one_goes_on = t.or([old_goes_on, new_goes_on]);
    let both_done = t.not(one_goes_on);
    let counted_some = t.eq(count, zero);
    let counted_some = t.not(counted_some);
    let wrong = t.and([both_done, not_found, counted_some]);
    let (always, no) = (t.bool(true), t.bool(false));
    let before = vec![num, i, count, j, found];
    let after = vec![num, next_i, next_count, next_j, next_found];
    let exact = t.arithmetic(&after).into_iter().map(|(term, ..)| (term, false)).collect();
    let system = HornSystem {
        predicates: vec![vec![sort, sort, sort, sort, Sort::Bool]],
        clauses: vec![
            Clause {
                body: vec![],
                constraint: always,
                head: Some((LOOP, vec![num, two, zero, two, no])),
            },
            Clause {
                body: vec![(LOOP, before.clone())],
                constraint: one_goes_on,
                head: Some((LOOP, after)),
            },
            Clause { body: vec![(LOOP, before)], constraint: wrong, head: None },
        ],
        exact,
    };
    assert_eq!(solver().horn(&t, &system, LIMIT), HornAnswer::Safe);
}

#[test]
fn unknown_operations_agree_on_equal_operands() {
    for with_call in [false, true] {
        assert_eq!(in_lockstep(&solver(), 32, with_call), HornAnswer::Safe, "{with_call}");
    }
}

/// Two loops that call the same unknown function and mix bits the same way, in lockstep.
pub fn in_lockstep(solver: &Solver, width: u32, with_call: bool) -> HornAnswer {
    let mut t = Terms::new();
    let sort = Sort::Bits(width);
    let [x, y, n] = [(); 3].map(|()| t.var(sort));
    let [before, after] = [(); 2].map(|()| t.var(Sort::EffectState));
    let f = t.symbol(sort);
    let step = |t: &mut Terms, state: Term, world: Term| {
        let mixed = t.binary(Xor, state, n);
        let product = t.binary(Mul, mixed, state);
        if with_call { t.apply(f, [world, product]) } else { product }
    };
    let next_x = step(&mut t, x, before);
    let next_y = step(&mut t, y, after);
    let always = t.bool(true);
    let equal = t.eq(x, y);
    let differ = t.not(equal);
    let sorts = vec![sort, sort, sort, Sort::EffectState, Sort::EffectState];
    let system = HornSystem {
        predicates: vec![sorts],
        clauses: vec![
            Clause {
                body: vec![],
                constraint: always,
                head: Some((LOOP, vec![x, x, n, before, before])),
            },
            Clause {
                body: vec![(LOOP, vec![x, y, n, before, after])],
                constraint: always,
                head: Some((LOOP, vec![next_x, next_y, n, before, after])),
            },
            Clause {
                body: vec![(LOOP, vec![x, y, n, before, after])],
                constraint: differ,
                head: None,
            },
        ],
        exact: HashMap::new(),
    };
    solver.horn(&t, &system, LIMIT)
}

/// A signed counter that goes below zero and up again.
#[test]
fn signed_counters_are_signed() {
    let mut t = Terms::new();
    let sort = Sort::Bits(32);
    let i = t.var(sort);
    let start = t.bits(-10i32 as u32 as u128, 32);
    let end = t.bits(10, 32);
    let next = by(&mut t, Add, i, 1);
    let goes_on = t.compare(CompareOp::Slt, i, end);
    let above = t.compare(CompareOp::Slt, end, i);
    let always = t.bool(true);
    let system = HornSystem {
        predicates: vec![vec![sort]],
        clauses: vec![
            Clause { body: vec![], constraint: always, head: Some((LOOP, vec![start])) },
            Clause {
                body: vec![(LOOP, vec![i])],
                constraint: goes_on,
                head: Some((LOOP, vec![next])),
            },
            Clause { body: vec![(LOOP, vec![i])], constraint: above, head: None },
        ],
        exact: HashMap::from([(next, true)]),
    };
    assert_eq!(solver().horn(&t, &system, LIMIT), HornAnswer::Safe);
}
