//! Which terms the builder takes for one, which it decides, and that depth is no matter.

use std::collections::HashMap;

use crate::solver::{
    Assignment, BitsOp::*, CompareOp, Node, OverflowOp, Sort, Symbol, Term, Terms, Var,
};

fn bits(terms: &mut Terms, width: u32) -> Term {
    terms.var(Sort::Bits(width))
}

fn bools<const N: usize>(terms: &mut Terms) -> [Term; N] {
    [(); N].map(|()| terms.var(Sort::Bool))
}

#[test]
fn paths_that_part_and_meet_have_the_condition_of_before() {
    let mut t = Terms::new();
    let [p, c, d] = bools(&mut t);
    let [not_c, not_d] = [c, d].map(|c| t.not(c));
    let first = t.and([p, c]);
    let second = t.and([p, not_c, d]);
    let third = t.and([p, not_c, not_d]);
    assert_eq!(t.or([first, second, third]), p);
    let pair = t.or([second, third]);
    assert_eq!(t.or([first, pair]), p);
}

#[test]
fn arms_of_a_match_exclude_each_other() {
    let mut t = Terms::new();
    let x = bits(&mut t, 8);
    let [one, two, five] = [1, 2, 5].map(|value| t.bits(value, 8));
    let [is_one, is_two] = [one, two].map(|value| t.eq(x, value));
    let not_two = t.not(is_two);
    let small = t.compare(CompareOp::Ult, x, five);
    assert_eq!(t.and([is_one, is_two]), t.bool(false));
    assert_eq!(t.and([is_one, not_two, small]), is_one);
    let not_one = t.not(is_one);
    assert_eq!(t.or([not_one, not_two]), t.bool(true));
}

#[test]
fn a_comparison_and_its_opposite_exclude_each_other() {
    let mut t = Terms::new();
    let x = bits(&mut t, 8);
    for op in [CompareOp::Ult, CompareOp::Ule, CompareOp::Slt, CompareOp::Sle] {
        let bound = t.bits(77, 8);
        for (left, right) in [(x, bound), (bound, x)] {
            let holds = t.compare(op, left, right);
            let not = t.not(holds);
            assert_eq!(t.not(not), holds);
            assert_eq!(t.and([holds, not]), t.bool(false));
            assert_eq!(t.or([holds, not]), t.bool(true));
        }
    }
}

#[test]
fn a_choice_between_constants_is_its_condition() {
    let mut t = Terms::new();
    let [c, d] = bools(&mut t);
    let [zero, one, two] = [0, 1, 2].map(|value| t.bits(value, 64));
    let flag = t.ite(c, one, zero);
    assert_eq!(t.eq(flag, one), c);
    let tag = t.ite(d, two, flag);
    let is_one = t.eq(tag, one);
    let not_d = t.not(d);
    assert_eq!(is_one, t.and([not_d, c]));
    let narrow = t.extract(flag, 0, 8);
    let narrow_one = t.bits(1, 8);
    assert_eq!(t.eq(narrow, narrow_one), c);
}

#[test]
fn bytes_put_together_by_shifts_are_a_concatenation() {
    let mut t = Terms::new();
    let bytes = [(); 4].map(|()| bits(&mut t, 8));
    let mut sum = t.bits(0, 32);
    for (index, byte) in bytes.iter().enumerate() {
        let wide = t.zero_extend(*byte, 32);
        let by = t.bits(8 * index as u128, 32);
        let shifted = t.binary(Shl, wide, by);
        sum = t.binary(if index % 2 == 0 { Or } else { Add }, sum, shifted);
    }
    let whole = bytes.into_iter().reduce(|low, high| t.concat(high, low)).unwrap();
    assert_eq!(sum, whole);
    let by = t.bits(16, 32);
    let shifted = t.binary(LShr, whole, by);
    assert_eq!(t.extract(shifted, 0, 8), bytes[2]);
}

#[test]
fn a_mask_a_remainder_and_a_truncation_are_one() {
    let mut t = Terms::new();
    let x = bits(&mut t, 32);
    let [mask, modulus, eight] = [0xff, 0x100, 8].map(|value| t.bits(value, 32));
    let truncated = t.extract(x, 0, 8);
    let again = t.zero_extend(truncated, 32);
    assert_eq!(t.binary(And, x, mask), again);
    assert_eq!(t.binary(URem, x, modulus), again);
    assert_eq!(t.binary(UDiv, x, modulus), t.binary(LShr, x, eight));
    let low = t.binary(And, x, mask);
    let high_mask = t.bits(0xffff_ff00, 32);
    let high = t.binary(And, x, high_mask);
    assert_eq!(t.binary(Or, high, low), x);
}

#[test]
fn sums_with_constants_are_one_sum() {
    let mut t = Terms::new();
    let [x, y] = [(); 2].map(|()| bits(&mut t, 32));
    let [one, two, three] = [1, 2, 3].map(|value| t.bits(value, 32));
    let a = t.binary(Add, x, one);
    let b = t.binary(Add, two, a);
    assert_eq!(b, t.binary(Add, x, three));
    let back = t.binary(Sub, b, three);
    assert_eq!(back, x);
    let left = t.binary(Add, a, y);
    let other = t.binary(Add, y, one);
    assert_eq!(left, t.binary(Add, x, other));
    assert_eq!(t.binary(Sub, left, other), x);
    let down = t.binary(Sub, x, one);
    assert!(matches!(t.node(down), Node::Binary(Sub, _, _)), "what counts down is a difference");
}

#[test]
fn what_was_widened_does_not_overflow() {
    let mut t = Terms::new();
    let [x, y] = [(); 2].map(|()| bits(&mut t, 8));
    let [wide_x, wide_y] = [x, y].map(|term| t.zero_extend(term, 32));
    for op in [OverflowOp::Add, OverflowOp::Mul] {
        for signed in [false, true] {
            assert_eq!(t.overflows(op, signed, wide_x, wide_y), t.bool(false));
        }
    }
    let sum = t.binary(Add, wide_x, wide_y);
    assert_eq!(t.extract(sum, 0, 8), t.binary(Add, x, y));
}

#[test]
fn a_value_that_rests_on_a_function_is_unknown_only_where_it_matters() {
    let mut t = Terms::new();
    let f: Symbol = t.symbol(Sort::Bits(8));
    let x = bits(&mut t, 8);
    let c = t.var(Sort::Bool);
    let applied = t.apply(f, [x]);
    let chosen = t.ite(c, x, applied);
    let of = |c: u128| Assignment::from([(Var(0), 7), (Var(1), c)]);
    assert_eq!(t.eval(chosen, &of(1)), Some(7));
    assert_eq!(t.eval(chosen, &of(0)), None);
    assert_eq!(t.symbols(&[chosen]).into_iter().collect::<Vec<_>>(), [f]);
    assert_eq!(t.variables(&[chosen]).into_iter().collect::<Vec<_>>(), [Var(0), Var(1)]);
}

#[test]
fn terms_go_from_thread_to_thread() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Terms>();
}

#[test]
fn a_very_deep_term_is_built_evaluated_and_rebuilt() {
    let mut t = Terms::new();
    let x = bits(&mut t, 32);
    let y = bits(&mut t, 32);
    let mut value = x;
    for step in 0..50_000u128 {
        let constant = t.bits(step | 1, 32);
        value = t.binary([Xor, Mul, Add][step as usize % 3], value, constant);
        if step % 7 == 0 {
            let small = t.compare(CompareOp::Ult, value, y);
            let other = t.binary(Xor, value, y);
            value = t.ite(small, value, other);
        }
    }
    let assignment = Assignment::from([(Var(0), 1), (Var(1), 1 << 31)]);
    let expected = t.eval(value, &assignment);
    assert!(expected.is_some());
    let one = t.bits(1, 32);
    let half = t.bits(1 << 31, 32);
    let folded = t.substitute(&[value], &HashMap::from([(x, one), (y, half)]));
    assert_eq!(t.as_bits(folded[0]), expected);
    let low = t.extract(value, 0, 8);
    let zero = t.bits(0, 8);
    let is_zero = t.eq(low, zero);
    assert_eq!(t.sort(is_zero), Sort::Bool);
}
