//! Random terms mean the same to Z3, in each encoding, as they do to `Terms::eval`: with the
//! variables fixed, that a term has its value can be true, and that it has not cannot.

use std::{
    cell::RefCell,
    io::Write,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use cargo_cse::bits::mask;
use cargo_cse::solver::{
    Assignment, BitsOp, CompareOp, FloatCompare, FloatOp, Rounding, Sort, Term, Terms, Var,
    query::{self, Encoding, Query, Reply, Request, SERVE},
};
use proptest::{collection::vec, prelude::*};

use super::{
    GIGABYTE, LIMIT, program,
    random::{build, config, inputs, steps, widths},
};

/// A process that is asked directly, so that it is known which encoding answered.
struct Asked {
    _child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Asked {
    fn start() -> Asked {
        let mut child = Command::new(program())
            .args([SERVE, &GIGABYTE.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Asked { _child: child, input, output }
    }
}

thread_local! {
    static ASKED: RefCell<Asked> = RefCell::new(Asked::start());
}

pub fn ask(encoding: Encoding, terms: &Terms, asserted: &[Term]) -> Reply {
    let query = Query::of(terms, asserted);
    let request = query::frame(&Request::Check { encoding, query, limit: LIMIT });
    ASKED.with_borrow_mut(|asked| {
        asked.input.write_all(&request).unwrap();
        query::read(&mut asked.output).unwrap().expect("the process replies")
    })
}

/// `encoding` agrees that the term has that value where the variables have theirs.
fn agrees(
    terms: &mut Terms,
    encoding: Encoding,
    term: Term,
    assignment: &Assignment,
) -> Result<(), TestCaseError> {
    let constant = |terms: &mut Terms, sort: Sort, value: u128| match sort {
        Sort::Bool => terms.bool(value != 0),
        Sort::Bits(width) => terms.bits(value, width),
        Sort::EffectState => unreachable!("not generated"),
    };
    let mut asserted = Vec::new();
    for var in terms.variables(&[term]) {
        let var_term = terms.var_term(var);
        let value = constant(terms, terms.sort(var_term), assignment[&var]);
        asserted.push(terms.eq(var_term, value));
    }
    let value = terms.eval(term, assignment).expect("has a value");
    let value = constant(terms, terms.sort(term), value);
    let equal = terms.eq(term, value);
    let differs = terms.not(equal);
    asserted.push(equal);
    let reply = ask(encoding, terms, &asserted);
    prop_assert!(matches!(reply, Reply::Sat(_)), "{reply:?} for {:?}", terms.node(term));
    *asserted.last_mut().unwrap() = differs;
    let reply = ask(encoding, terms, &asserted);
    prop_assert!(matches!(reply, Reply::Unsat), "{reply:?} for {:?}", terms.node(term));
    Ok(())
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn bit_vectors_agree(width in widths(), steps in steps(), inputs in inputs()) {
        let (mut terms, built, assignment) = build(width, &steps, &inputs);
        for term in built.all() {
            agrees(&mut terms, Encoding::Bits, term, &assignment)?;
        }
    }

    #[test]
    fn integers_agree(width in widths(), steps in steps(), inputs in inputs()) {
        let (mut terms, built, assignment) = build(width, &steps, &inputs);
        let said = built.all().filter(|term| {
            let query = Query::of(&terms, &[*term]);
            query.dag.terms().all(|term| query.dag.in_integers(term))
        });
        for term in said.collect::<Vec<_>>() {
            agrees(&mut terms, Encoding::Integers, term, &assignment)?;
        }
    }

}

proptest! {
    #![proptest_config(config(30))]

    #[test]
    fn floats_agree(
        width in prop_oneof![Just(32u32), Just(64u32)],
        values in vec(float_bits(), 3),
        integer in (widths(), any::<u128>()),
    ) {
        let mut t = Terms::new();
        let mut assignment = Assignment::new();
        let [a, b, c] = [0, 1, 2].map(|index| {
            assignment.insert(Var(index), values[index as usize](width));
            t.var(Sort::Bits(width))
        });
        let number = t.var(Sort::Bits(integer.0));
        assignment.insert(Var(3), integer.1 & mask(integer.0));
        let mut built = Vec::new();
        for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div] {
            built.push(t.float(op, a, b));
        }
        for op in [FloatCompare::Eq, FloatCompare::Lt, FloatCompare::Le] {
            built.push(t.float_compare(op, a, b));
        }
        use Rounding::*;
        for rounding in [Floor, Ceil, Trunc, HalfAway, HalfEven] {
            built.push(t.float_round(rounding, a));
        }
        built.push(t.float_sqrt(a));
        built.push(t.float_fma(a, b, c));
        built.push(t.float_to_float(a, 96 - width));
        for signed in [false, true] {
            built.push(t.float_from_bits(number, signed, width));
            built.push(t.float_to_bits(a, signed, integer.0));
        }
        for term in built {
            agrees(&mut t, Encoding::Bits, term, &assignment)?;
        }
    }
}

/// Bits of a float of some width: any, small numbers, halves, and the ends of each kind.
fn float_bits() -> impl Strategy<Value = fn(u32) -> u128> {
    macro_rules! both {
        ($($value:expr),* $(,)?) => {
            [$((|width| match width {
                32 => {
                    type F = f32;
                    let value: F = $value;
                    value.to_bits().into()
                }
                _ => {
                    type F = f64;
                    let value: F = $value;
                    value.to_bits().into()
                }
            }) as fn(u32) -> u128),*]
        };
    }
    proptest::sample::select(
        both![
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            0.1,
            1e10,
            -1e10,
            3e38,
            0.49999997,
            F::MAX,
            F::MIN,
            F::EPSILON,
            F::MIN_POSITIVE,
            F::INFINITY,
            F::NEG_INFINITY,
            F::NAN,
            -F::NAN,
            F::MIN_POSITIVE / 2.0,
            255.9,
            -128.9,
            4294967296.0,
            (1u64 << 63) as F,
            1.7e38,
            8388609.5,
            F::from_bits(1),
            F::from_bits(0x7f80_0001),
            123456.79,
        ]
        .to_vec(),
    )
}

#[test]
fn a_remainder_of_floats_is_refused() {
    let mut t = Terms::new();
    let (a, b) = (t.var(Sort::Bits(64)), t.var(Sort::Bits(64)));
    let rest = t.float(FloatOp::Rem, a, b);
    let equal = t.eq(rest, a);
    let reply = ask(Encoding::Bits, &t, &[equal]);
    assert!(matches!(reply, Reply::Unknown(_)), "{reply:?}");
}

/// Half and quadruple precision are not computed with, but said.
#[test]
fn one_and_one_is_two_in_every_precision() {
    for (width, one, two) in [(16, 0x3c00, 0x4000), (128, 0x3fff << 112, 0x4000 << 112)] {
        let mut t = Terms::new();
        let x = t.var(Sort::Bits(width));
        let (one, two) = (t.bits(one, width), t.bits(two, width));
        let is_one = t.eq(x, one);
        let sum = t.float(FloatOp::Add, x, x);
        let is_two = t.eq(sum, two);
        assert!(matches!(ask(Encoding::Bits, &t, &[is_one, is_two]), Reply::Sat(_)));
        let is_not_two = t.not(is_two);
        assert!(matches!(ask(Encoding::Bits, &t, &[is_one, is_not_two]), Reply::Unsat));
        let cast = t.float_to_bits(sum, true, 32);
        let expected = t.bits(2, 32);
        let is_expected = t.eq(cast, expected);
        let is_not = t.not(is_expected);
        assert!(matches!(ask(Encoding::Bits, &t, &[is_one, is_not]), Reply::Unsat));
    }
}

#[test]
fn a_deep_term_is_said() {
    let mut t = Terms::new();
    let x = t.var(Sort::Bits(32));
    let mut value = x;
    for step in 0..5_000u128 {
        let constant = t.bits(step | 1, 32);
        value = t.binary([BitsOp::Mul, BitsOp::Add][step as usize % 2], value, constant);
        if step % 5 == 0 {
            let bound = t.bits(step * 1000, 32);
            let is_small = t.compare(CompareOp::Ult, value, bound);
            value = t.ite(is_small, value, x);
        }
    }
    let assignment = Assignment::from([(Var(0), 5)]);
    for encoding in [Encoding::Bits, Encoding::Integers] {
        agrees(&mut t, encoding, value, &assignment).unwrap();
    }
}
