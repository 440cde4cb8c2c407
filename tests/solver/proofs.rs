//! What real upgrades ask, each by the encoding that can.

use cargo_cse::solver::{Answer, BitsOp::*, CompareOp, Sort, Term, Terms, Var};

use super::{LIMIT, by, solver, var};

/// Are the two sides always equal?
fn differ(terms: &mut Terms, left: Term, right: Term, assumed: &[Term]) -> Answer {
    let equal = terms.eq(left, right);
    let differ = terms.not(equal);
    let asserted: Vec<Term> = assumed.iter().copied().chain([differ]).collect();
    solver().check(terms, &asserted, LIMIT)
}

/// `x / 100` and its multiplication in 64 bits.
fn division_by_multiplication(factor: u128) -> (Terms, Term, Term) {
    let mut t = Terms::new();
    let x = var(&mut t, 32);
    let quotient = by(&mut t, UDiv, x, 100);
    let wide = t.zero_extend(x, 64);
    let product = by(&mut t, Mul, wide, factor);
    let shifted = by(&mut t, LShr, product, 37);
    let result = t.extract(shifted, 0, 32);
    (t, quotient, result)
}

#[test]
fn division_by_multiplication_is_proved() {
    let (mut t, quotient, result) = division_by_multiplication(0x51EB_851F);
    assert_eq!(differ(&mut t, quotient, result, &[]), Answer::Unsat);
}

#[test]
fn division_by_a_wrong_multiplication_is_refuted() {
    let (mut t, quotient, result) = division_by_multiplication(0x51EB_851E);
    let Answer::Sat(model) = differ(&mut t, quotient, result, &[]) else { panic!("not refuted") };
    assert_ne!(t.eval(quotient, &model), t.eval(result, &model));
}

#[test]
fn division_of_64_bits_by_multiplication_in_128_is_proved() {
    let mut t = Terms::new();
    let x = var(&mut t, 64);
    let quotient = by(&mut t, UDiv, x, 10);
    let wide = t.zero_extend(x, 128);
    let product = by(&mut t, Mul, wide, 0xCCCC_CCCC_CCCC_CCCD);
    let shifted = by(&mut t, LShr, product, 67);
    let result = t.extract(shifted, 0, 64);
    assert_eq!(differ(&mut t, quotient, result, &[]), Answer::Unsat);
}

#[test]
fn division_of_small_numbers_by_multiplication_is_proved() {
    let mut t = Terms::new();
    let x = var(&mut t, 32);
    let bound = t.bits(10_000, 32);
    let is_small = t.compare(CompareOp::Ult, x, bound);
    let quotient = by(&mut t, UDiv, x, 100);
    let product = by(&mut t, Mul, x, 5243);
    let result = by(&mut t, LShr, product, 19);
    assert_eq!(differ(&mut t, quotient, result, &[is_small]), Answer::Unsat);
}

/// By the remainders that the calendar has, and by 25 and a mask.
#[test]
fn leap_years_are_the_same_in_both_ways_to_find_them() {
    let mut t = Terms::new();
    let year = var(&mut t, 32);
    let zero = t.bits(0, 32);
    let is_divided = |t: &mut Terms, by_what: u128| {
        let rest = by(t, SRem, year, by_what);
        t.eq(rest, zero)
    };
    let by_four = is_divided(&mut t, 4);
    let by_hundred = is_divided(&mut t, 100);
    let by_four_hundred = is_divided(&mut t, 400);
    let not_by_hundred = t.not(by_hundred);
    let century = t.or([not_by_hundred, by_four_hundred]);
    let calendar = t.and([by_four, century]);
    let by_25 = is_divided(&mut t, 25);
    let low_four = by(&mut t, And, year, 15);
    let low_two = by(&mut t, And, year, 3);
    let low = t.ite(by_25, low_four, low_two);
    let masks = t.eq(low, zero);
    assert_eq!(differ(&mut t, calendar, masks, &[]), Answer::Unsat);
}

/// The midpoint that does not overflow, and bits that are set and counted: only bit-vectors say it.
#[test]
fn mixed_bits_are_proved() {
    let mut t = Terms::new();
    let (x, y) = (var(&mut t, 32), var(&mut t, 32));
    let sum = t.binary(Add, x, y);
    let either = t.binary(Or, x, y);
    let both = t.binary(And, x, y);
    let again = t.binary(Add, either, both);
    assert_eq!(differ(&mut t, sum, again, &[]), Answer::Unsat);
}

#[test]
fn signed_division_towards_zero_is_proved() {
    let mut t = Terms::new();
    let x = var(&mut t, 32);
    let quotient = by(&mut t, SDiv, x, 8);
    let sign = by(&mut t, AShr, x, 31);
    let bias = by(&mut t, And, sign, 7);
    let biased = t.binary(Add, x, bias);
    let shifted = by(&mut t, AShr, biased, 3);
    assert_eq!(differ(&mut t, quotient, shifted, &[]), Answer::Unsat);
}

#[test]
fn a_function_gives_equal_results_for_equal_arguments() {
    let mut t = Terms::new();
    let f = t.symbol(Sort::Bits(16));
    let w = t.symbol(Sort::EffectState);
    let (x, y) = (var(&mut t, 16), var(&mut t, 16));
    let [before, after] = [(); 2].map(|()| t.var(Sort::EffectState));
    let sum = t.binary(Add, x, y);
    let back = t.binary(Sub, sum, y);
    let doubled = by(&mut t, Mul, x, 3);
    let third = by(&mut t, Mul, y, 3);
    let [f_x, f_back, f_doubled, f_third] =
        [x, back, doubled, third].map(|argument| t.apply(f, [argument]));
    assert_eq!(f_x, f_back, "the builder sees this one");
    let equal = t.eq(doubled, third);
    assert_eq!(differ(&mut t, f_doubled, f_third, &[equal]), Answer::Unsat);
    assert!(matches!(differ(&mut t, f_doubled, f_third, &[]), Answer::Sat(_)));
    let same = t.eq(before, after);
    let [w_before, w_after] =
        [(before, x), (after, x)].map(|(world, argument)| t.apply(w, [world, argument]));
    assert_eq!(differ(&mut t, w_before, w_after, &[same]), Answer::Unsat);
    let Answer::Sat(model) = differ(&mut t, before, after, &[]) else { panic!("can differ") };
    assert_ne!(model[&Var(2)], model[&Var(3)]);
}

#[test]
fn every_variable_has_a_value_also_one_that_does_not_matter() {
    let mut t = Terms::new();
    let (x, y) = (var(&mut t, 128), var(&mut t, 8));
    let c = t.var(Sort::Bool);
    let is_large = {
        let bound = t.bits(1 << 127, 128);
        t.compare(CompareOp::Ult, bound, x)
    };
    let product = t.binary(Mul, y, y);
    let square = t.eq(product, y);
    let either = t.or([square, c]);
    let either = t.or([either, is_large]);
    let Answer::Sat(model) = solver().check(&t, &[either, is_large], LIMIT) else {
        panic!("can be true")
    };
    assert_eq!(model.len(), 3);
    assert!(model[&Var(0)] > 1 << 127);
}

#[test]
fn constants_need_no_process() {
    let nowhere = cargo_cse::solver::Solver::new("/nowhere".into(), 0);
    let mut t = Terms::new();
    let (yes, no, x) = (t.bool(true), t.bool(false), t.var(Sort::Bool));
    assert_eq!(nowhere.check(&t, &[yes], LIMIT), Answer::Sat([].into()));
    assert_eq!(nowhere.check(&t, &[x, no], LIMIT), Answer::Unsat);
    assert!(matches!(nowhere.check(&t, &[x], LIMIT), Answer::Unknown(_)));
}
