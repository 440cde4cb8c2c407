//! The normal form against execution: a function and its normal form do the same on every input.

use proptest::prelude::*;

use super::{Depth, normalize};
use crate::cfa::testing::library::*;
use crate::cfa::testing::machine::{Outcome, run};
use crate::cfa::testing::{any_statements, cases, function};
use crate::cfa::{BinaryOp, FnId, Function, Op, Operand, Program, Projection, Rvalue, TyId};

/// The first input for which a function and one of its normal forms differ.
fn difference(program: &Program, function: &Function) -> Option<String> {
    for depth in [Depth::Own, Depth::WithWrappers] {
        let normal = normalize(program, function, depth).expect("it has a body");
        for input in 0..8 {
            let before = run(program, function, input, 300);
            if let Outcome::Undefined(why) = before.outcome {
                return Some(format!("the function itself is at fault: {why}"));
            }
            let after = run(program, &normal, input, 2000);
            if !before.allows(&after) {
                let edges = |it: &Function| {
                    let lines = it.cfa().expect("it has a body").edges.iter();
                    lines
                        .map(|edge| format!("\n  {} -> {}: {:?}", edge.from.0, edge.to.0, edge.op))
                        .collect::<String>()
                };
                return Some(format!(
                    "{depth:?}, input {input}: {:?} {:.300}\nbecame {:?} {:.300}\n{}\nnormal:{}",
                    before.outcome,
                    format!("{:?}", before.told),
                    after.outcome,
                    format!("{:?}", after.told),
                    edges(function),
                    edges(&normal),
                ));
            }
        }
    }
    None
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn the_normal_form_does_the_same(result in any::<u8>(), statements in any_statements()) {
        let difference = difference(&program(), &function(result, &statements));
        prop_assert!(difference.is_none(), "{}", difference.unwrap());
    }
}

#[track_caller]
fn assert_keeps_behaviour(params: u32, locals: &[TyId], edges: &[(u32, u32, Op)]) {
    let difference = difference(&program(), &small(params, locals, edges));
    assert!(difference.is_none(), "{}", difference.unwrap());
}

fn address(local: u32, of: u32) -> Op {
    Op::Assign(place(local), Rvalue::Ref { mutable: true, place: place(of) })
}

#[test]
fn a_copy_is_read_after_its_source_got_the_value_for_the_next_turn() {
    assert_keeps_behaviour(
        1,
        &[INT, INT, INT, INT, INT],
        &[
            (0, 1, set(2, read(1))),
            (1, 2, set(3, read(2))),
            (2, 3, add(2, read(3), int(1))),
            (3, 4, call(TELL, &[read(3)], place(4), None)),
            (4, 5, equals(read(3), 6)),
            (4, 1, none_of(read(3), &[6])),
            (5, END, set(0, int(0))),
        ],
    );
}

#[test]
fn the_result_is_copied_before_its_source_gets_the_value_for_the_next_turn() {
    assert_keeps_behaviour(
        1,
        &[INT, INT, INT, INT, INT],
        &[
            (0, 1, set(2, read(1))),
            (1, 2, set(0, read(2))),
            (2, 3, call(TELL, &[read(1)], place(2), None)),
            (3, END, equals(read(1), 6)),
            (3, 4, none_of(read(1), &[6])),
            (4, 1, set(1, int(6))),
        ],
    );
}

#[test]
fn a_flag_says_that_a_copy_was_made_in_an_earlier_turn() {
    let (flag, source, copy, counter, told) = (2, 3, 4, 5, 6);
    for built in [false, true] {
        let (copies, again) = match built {
            false => (set(copy, read(source)), read(copy)),
            true => (
                build(copy, PAIR, 0, &[read(source), int(1)]),
                Operand::Read(part(copy, &[Projection::Field(0)])),
            ),
        };
        assert_keeps_behaviour(
            1,
            &[INT, INT, INT, INT, if built { PAIR } else { INT }, INT, INT],
            &[
                (0, 1, set(flag, int(0))),
                (1, 2, set(counter, int(0))),
                (2, 3, add(source, read(counter), int(4))),
                (3, 4, equals(read(flag), 1)),
                (3, 5, none_of(read(flag), &[1])),
                (4, 5, call(TELL, &[again], place(told), None)),
                (5, 6, copies),
                (6, 7, set(flag, int(1))),
                (7, 8, add(counter, read(counter), int(1))),
                (8, 2, none_of(read(counter), &[3])),
                (8, 9, equals(read(counter), 3)),
                (9, END, set(0, int(0))),
            ],
        );
    }
}

#[test]
fn the_answer_which_variant_it_is_may_be_the_result() {
    assert_keeps_behaviour(
        1,
        &[DISCRIMINANT, CHOICE, FLOW],
        &[
            (0, 1, build(2, FLOW, 1, &[read(1)])),
            (1, 2, ask(0, place(2))),
            (2, 3, equals(read(0), 0)),
            (2, 4, equals(read(0), 1)),
            (3, END, Op::Nop),
            (4, END, Op::Nop),
        ],
    );
}

#[test]
fn clean_up_reads_what_was_assigned_before_the_panic_through_a_pointer() {
    let behind = Operand::Read(part(3, &[Projection::Deref]));
    assert_keeps_behaviour(
        1,
        &[INT, INT, INT, TO_INT, INT],
        &[
            (0, 1, set(2, read(1))),
            (1, 2, address(3, 2)),
            (2, 3, set(2, int(5))),
            (3, END, Op::Panic { unwind: Some(crate::cfa::Location(4)) }),
            (4, 5, call(TELL, &[behind], place(4), None)),
            (5, END, Op::Resume),
        ],
    );
}

#[test]
fn an_inlined_callee_changes_the_index_at_which_its_result_goes() {
    let bump = FnId(15);
    let element = part(3, &[Projection::Index(crate::cfa::LocalId(2))]);
    assert_keeps_behaviour(
        1,
        &[INT, INT, INT, ARRAY, TO_INT],
        &[
            (0, 1, set(2, read(1))),
            (1, 2, build(3, ARRAY, 0, &[int(0), int(0), int(0)])),
            (2, 3, address(4, 2)),
            (3, 4, call(bump, &[read(4)], element, None)),
            (4, 5, call(TELL, &[Operand::Read(part(3, &[first()]))], place(0), None)),
            (5, END, Op::Assign(place(0), Rvalue::Binary(BinaryOp::Add, read(0), read(2)))),
        ],
    );
}

fn first() -> Projection {
    Projection::ConstantIndex { offset: 0, from_end: false }
}

/// Five thousand edges and two thousand locals: no pass may take time for each pair of them.
#[test]
fn a_large_function_has_a_normal_form() {
    let (mut locals, mut edges) = (vec![INT, INT, CHOICE], Vec::new());
    let mut fresh = |ty| {
        locals.push(ty);
        locals.len() as u32 - 1
    };
    let mut at = 0;
    // Copies of copies, the last one numbered first; nothing reads the first ones.
    let chain: Vec<u32> = (0..600).map(|_| fresh(INT)).collect();
    let mut source = 1;
    for &copy in chain.iter().rev() {
        edges.push((at, at + 1, set(copy, read(source))));
        source = copy;
        at += 1;
    }
    let dead: Vec<u32> = (0..400).map(|_| fresh(INT)).collect();
    for pair in dead.windows(2) {
        edges.push((
            at,
            at + 1,
            add(pair[1], read(if pair[0] == dead[0] { 1 } else { pair[0] }), int(1)),
        ));
        at += 1;
    }
    // Values that are built on two paths and taken apart where they meet.
    for _ in 0..300 {
        let (flow, answer, value, sum) = (fresh(FLOW), fresh(DISCRIMINANT), fresh(INT), fresh(INT));
        let field = Operand::Read(part(flow, &[Projection::Variant(0), Projection::Field(0)]));
        edges.extend([
            (at, at + 1, equals(read(1), 1)),
            (at, at + 2, none_of(read(1), &[1])),
            (at + 1, at + 3, build(flow, FLOW, 0, &[read(1)])),
            (at + 2, at + 3, build(flow, FLOW, 1, &[read(2)])),
            (at + 3, at + 4, ask(answer, place(flow))),
            (at + 4, at + 5, equals(read(answer), 0)),
            (at + 4, at + 8, equals(read(answer), 1)),
            (at + 5, at + 6, set(value, field)),
            (at + 6, at + 7, add(sum, read(value), int(1))),
            (at + 7, at + 8, call(TELL, &[read(sum)], place(sum), None)),
            (at + 8, at + 9, Op::Nop),
        ]);
        at += 9;
    }
    for _ in 0..700 {
        edges.push((at, at + 1, Op::Nop));
        at += 1;
    }
    edges.push((at, END, set(0, read(chain[0]))));
    let function = small(2, &locals, &edges);
    let before = run(&program(), &function, 1, 20_000);
    for depth in [Depth::Own, Depth::WithWrappers] {
        let normal = normalize(&program(), &function, depth).expect("it has a body");
        assert_eq!(before, run(&program(), &normal, 1, 20_000));
    }
}
