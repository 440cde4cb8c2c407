//! What is written down of a question asks the same: read as SMT-LIB, it has the answer that it says.
//!
//! Here Z3 reads it. `QUERIES=DIRECTORY` keeps the files, for `scripts/queries` to give them to others.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use cargo_cse::solver::{
    Answer, Assignment, BitsOp, CompareOp, Dump, FloatCompare, FloatOp, HornAnswer, Rounding,
    Solver, Sort, Term, Terms, Var,
};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use tempfile::TempDir;

use super::{
    GIGABYTE, LIMIT, horn, program,
    random::{Built, build, inputs, steps, widths},
};

/// A directory, and a solver that writes into it what it is asked.
struct Writing {
    directory: PathBuf,
    solver: Solver,
    _kept: Option<TempDir>,
}

impl Writing {
    fn new(name: &str) -> Writing {
        let (directory, kept) = match env::var_os("QUERIES") {
            Some(all) => (PathBuf::from(all).join(name), None),
            None => {
                let directory = TempDir::new().unwrap();
                (directory.path().to_owned(), Some(directory))
            }
        };
        let dump = Arc::new(Dump::new(&directory).unwrap());
        let solver = Solver::new(program(), GIGABYTE).dumping_to(dump);
        Writing { directory, solver, _kept: kept }
    }

    /// Asks whether terms can have their values where the variables have theirs, and whether not.
    fn ask_for_values(
        &self,
        terms: &mut Terms,
        of: &[Term],
        assignment: &Assignment,
    ) -> [Answer; 2] {
        let equals = |terms: &mut Terms, term: Term, value: u128| {
            let value = match terms.sort(term) {
                Sort::Bool => terms.bool(value != 0),
                Sort::Bits(width) => terms.bits(value, width),
                Sort::EffectState => unreachable!("not generated"),
            };
            terms.eq(term, value)
        };
        let variables = terms.variables(of).into_iter();
        let fixed =
            variables.map(|var| (terms.var_term(var), assignment[&var])).collect::<Vec<_>>();
        let fixed: Vec<Term> =
            fixed.into_iter().map(|(term, value)| equals(terms, term, value)).collect();
        let values = terms.eval_all(of, assignment);
        let equal: Vec<Term> = (of.iter().zip(values))
            .map(|(term, value)| equals(terms, *term, value.expect("has a value")))
            .collect();
        let holds = terms.and(equal);
        let differs = terms.not(holds);
        [holds, differs].map(|asked| {
            let asserted = [&fixed[..], &[asked]].concat();
            self.solver.check(terms, &asserted, LIMIT)
        })
    }

    /// What Z3 says of each file, after what the file says.
    fn read(&self) -> Vec<Read> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(&self.directory).unwrap().map(|it| it.unwrap().path()).collect();
        files.sort();
        let output = Command::new(program()).args(["ask", "20"]).args(&files).output().unwrap();
        let refused = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{refused}");
        let answers = String::from_utf8(output.stdout).unwrap();
        let answers: BTreeMap<&str, &str> =
            answers.lines().map(|line| line.rsplit_once(": ").unwrap()).collect();
        files.iter().map(|file| Read::new(file, answers[file.to_str().unwrap()])).collect()
    }

    /// Every file has the answer that it says it has.
    fn agrees(&self) {
        let read = self.read();
        assert!(!read.is_empty());
        for Read { text, said, answer } in read {
            assert_eq!(said, answer, "{text}");
        }
    }
}

/// A file that was read.
struct Read {
    text: String,
    said: String,
    answer: String,
}

impl Read {
    fn new(file: &Path, answer: &str) -> Read {
        let text = fs::read_to_string(file).unwrap();
        let said = text.lines().find_map(|line| line.strip_prefix("(set-info :status "));
        let said = said.expect("a script says its answer").trim_end_matches(')').to_owned();
        Read { text, said, answer: answer.to_owned() }
    }
}

/// Random values, the same every time.
fn sample<T>(strategy: impl Strategy<Value = T>, number: usize) -> Vec<T> {
    let mut runner = TestRunner::deterministic();
    (0..number).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

#[test]
fn operators_have_their_meaning() {
    let writing = Writing::new("operators");
    for (width, steps, inputs) in sample((widths(), steps(), inputs()), 150) {
        let (mut terms, built, assignment) = build(width, &steps, &inputs);
        let of: Vec<Term> = built.all().collect();
        writing.ask_for_values(&mut terms, &of, &assignment);
    }
    writing.agrees();
}

#[test]
fn questions_about_any_values_have_their_answer() {
    let writing = Writing::new("any-values");
    for (width, steps, inputs) in sample((1..=5u32, steps(), inputs()), 150) {
        let (mut terms, built, _) = build(width, &steps, &inputs);
        let Built { bits, bools } = built;
        let zero = |terms: &mut Terms, term: Term| {
            let zero = terms.bits(0, terms.width(term));
            terms.eq(term, zero)
        };
        let last = zero(&mut terms, *bits.last().unwrap());
        let (one, two) = (*bools.last().unwrap(), bools[bools.len() / 2]);
        writing.solver.check(&terms, &[one, two, last], LIMIT);
        let not = terms.not(one);
        writing.solver.check(&terms, &[not, last], LIMIT);
    }
    writing.agrees();
}

#[test]
fn floats_have_their_meaning() {
    let writing = Writing::new("floats");
    let singles = [0.0, -0.0, 1.5, -2.5, 0.1, 3e38, 300.7, f32::NAN, f32::NEG_INFINITY, 1e-45];
    let doubles = [0.0, -1.0, 2.5, 1e300, -300.9, f64::INFINITY, -f64::NAN, 1e-310, 9e18, 0.3];
    let singles = singles.map(|it: f32| (32, u128::from(it.to_bits())));
    let doubles = doubles.map(|it: f64| (64, u128::from(it.to_bits())));
    for values in [singles, doubles] {
        for (number, (width, value)) in values.into_iter().enumerate() {
            let mut t = Terms::new();
            let of = float_operators(&mut t, width);
            let others = [values[(number + 1) % 10].1, values[(number + 3) % 10].1];
            let integer = 0xffff_fe38u128 ^ number as u128;
            let values = [value, others[0], others[1], integer];
            let assignment = (0..).map(Var).zip(values).collect();
            writing.ask_for_values(&mut t, &of, &assignment);
        }
    }
    // Half and quadruple precision are not computed with.
    for (width, one, two) in [(16, 0x3c00, 0x4000), (128, 0x3fff << 112, 0x4000 << 112)] {
        let mut t = Terms::new();
        let x = t.var(Sort::Bits(width));
        let [one, two] = [one, two].map(|value| t.bits(value, width));
        let is_one = t.eq(x, one);
        let sum = t.float(FloatOp::Add, x, x);
        let is_two = t.eq(sum, two);
        let cast = t.float_to_bits(sum, true, 32);
        let small = t.bits(2, 32);
        let is_small = t.eq(cast, small);
        let right = t.and([is_two, is_small]);
        let wrong = t.not(right);
        for asked in [right, wrong] {
            writing.solver.check(&t, &[is_one, asked], LIMIT);
        }
    }
    writing.agrees();
}

/// All operators on floats but the remainder, on the first three variables and, in 32 bits, the fourth.
fn float_operators(t: &mut Terms, width: u32) -> Vec<Term> {
    let [a, b, c] = [(); 3].map(|()| t.var(Sort::Bits(width)));
    let number = t.var(Sort::Bits(32));
    let mut of = Vec::new();
    for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div] {
        of.push(t.float(op, a, b));
    }
    for op in [FloatCompare::Eq, FloatCompare::Lt, FloatCompare::Le] {
        of.push(t.float_compare(op, a, b));
    }
    use Rounding::*;
    of.extend([Floor, Ceil, Trunc, HalfAway, HalfEven].map(|it| t.float_round(it, a)));
    of.push(t.float_sqrt(a));
    of.push(t.float_fma(a, b, c));
    of.push(t.float_to_float(a, 96 - width));
    for signed in [false, true] {
        of.push(t.float_from_bits(number, signed, width));
        of.extend([8, 32, 128].map(|to| t.float_to_bits(a, signed, to)));
    }
    of
}

/// The solver refuses it, and says it is unknown; what is written can be answered.
#[test]
fn a_remainder_of_floats_has_its_meaning() {
    let writing = Writing::new("remainders");
    let values = [5.5f32, -5.5, 4.0, -4.0, 2.0, 0.75, 1e30, 0.0, f32::INFINITY, f32::NAN];
    for (number, value) in values.into_iter().enumerate() {
        let mut t = Terms::new();
        let [a, b] = [(); 2].map(|()| t.var(Sort::Bits(32)));
        let rest = t.float(FloatOp::Rem, a, b);
        let values = [value, values[(number + 4) % 10]].map(|it| u128::from(it.to_bits()));
        let assignment = (0..).map(Var).zip(values).collect();
        for answer in writing.ask_for_values(&mut t, &[rest], &assignment) {
            assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
        }
    }
    for (read, expected) in writing.read().into_iter().zip(["sat", "unsat"].into_iter().cycle()) {
        assert_eq!([&*read.said, &*read.answer], ["unknown", expected], "{}", read.text);
    }
}

#[test]
fn nothing_is_known_of_functions_and_effect_states_but_equality() {
    let writing = Writing::new("functions");
    let mut t = Terms::new();
    let [x, y] = [(); 2].map(|()| t.var(Sort::Bits(65)));
    let [before, after] = [(); 2].map(|()| t.var(Sort::EffectState));
    let (result, next) = (t.symbol(Sort::Bits(65)), t.symbol(Sort::EffectState));
    let flag = t.symbol(Sort::Bool);
    let results = [(before, x), (after, y)].map(|(world, it)| t.apply(result, [world, it]));
    // On arguments of another sort it is another function, and without any a constant.
    let other = t.apply(result, [x]);
    let is_set = t.apply(flag, []);
    let worlds = [x, y].map(|it| t.apply(next, [before, it]));
    let same_x = t.eq(x, y);
    let same_world = t.eq(before, after);
    let same_result = t.eq(results[0], results[1]);
    let same_next = t.eq(worlds[0], worlds[1]);
    let [not_result, not_next] = [same_result, same_next].map(|it| t.not(it));
    let other_differs = t.eq(other, results[0]);
    let other_differs = t.not(other_differs);
    let below = t.compare(CompareOp::Ult, results[0], other);
    let expect = |asserted: &[Term], is_possible: bool| {
        let answer = writing.solver.check(&t, asserted, LIMIT);
        assert_eq!(matches!(answer, Answer::Sat(_)), is_possible, "{answer:?}");
    };
    expect(&[same_x, same_world, not_result], false);
    expect(&[same_x, not_result], true);
    expect(&[same_x, not_next], false);
    expect(&[not_next, is_set], true);
    expect(&[same_world, other_differs, below], true);
    writing.agrees();
}

#[test]
fn long_and_shared_terms_stay_short_texts() {
    let writing = Writing::new("long");
    let mut t = Terms::new();
    let x = t.var(Sort::Bits(8));
    let mut value = x;
    for step in 0..200u128 {
        let twice = t.binary(BitsOp::Xor, value, x);
        let other = t.bits(step | 1, 8);
        let sum = t.binary(BitsOp::Mul, value, other);
        value = t.binary(BitsOp::Add, sum, twice);
    }
    let assignment = Assignment::from([(Var(0), 5)]);
    writing.ask_for_values(&mut t, &[value], &assignment);
    let length = writing.read().iter().map(|it| it.text.len()).max().unwrap();
    assert!(length < 200 * 200, "{length}");
    writing.agrees();
}

/// Over bit-vectors Z3 decides few systems: those that it does, it decides as they say.
#[test]
fn horn_clauses_ask_for_what_they_are_about() {
    let writing = Writing::new("horn");
    let at_most = |bound: u128| {
        move |t: &mut Terms, i: Term| {
            let bound = t.bits(bound, t.width(i));
            t.compare(CompareOp::Ule, i, bound)
        }
    };
    let count = |end, bound| {
        horn::counting(&writing.solver, 8, end, 1, CompareOp::Ult, at_most(bound), false)
    };
    assert_eq!(count(10, 10), HornAnswer::Safe);
    assert_eq!(count(10, 9), HornAnswer::Unsafe);
    for with_call in [false, true] {
        assert_eq!(horn::in_lockstep(&writing.solver, 8, with_call), HornAnswer::Safe);
    }
    let read = writing.read();
    let answers: Vec<[&str; 2]> = read.iter().map(|it| [&*it.said, &*it.answer]).collect();
    assert_eq!(answers[..2], [["sat", "sat"], ["unknown", "unsat"]]);
    for (read, [said, answer]) in read.iter().zip(&answers).skip(2) {
        assert_eq!(*said, "sat", "{}", read.text);
        assert_ne!(*answer, "unsat", "{}", read.text);
    }
}
