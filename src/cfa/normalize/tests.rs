use super::{Depth, normalize};
use crate::cfa::samples::*;
use crate::cfa::*;

/// The operations of a function's normal form, in no particular order.
fn ops(program: &Program, function: FnId) -> Vec<Op> {
    let normal = normalize(program, program.function(function), Depth::WithWrappers);
    let cfa = normal.expect("it has a body");
    cfa.cfa().expect("it has a body").edges.iter().map(|edge| edge.op.clone()).collect()
}

#[test]
fn a_copy_of_a_parameter_is_the_parameter() {
    let mut program = program();
    let edges =
        vec![(0, 1, copy(2, read(1))), (1, 2, binary(0, BinaryOp::Add, read(2), number(1)))];
    let f = add(&mut program, "f", 1, &[U32; 3], edges);
    assert_eq!(ops(&program, f), [binary(0, BinaryOp::Add, read(1), number(1))]);
}

#[test]
fn a_local_whose_address_is_taken_is_not_replaced() {
    let mut program = program();
    let address = assign(3, Rvalue::RawPtr { mutable: true, place: local(2) });
    let edges = vec![
        (0, 1, copy(2, number(1))),
        (1, 2, address),
        (2, 3, Op::Assign(deref(3), Rvalue::Use(number(7)))),
        (3, 4, copy(0, read(2))),
    ];
    let f = add(&mut program, "f", 1, &[U32, U32, U32, POINTER], edges);
    let ops = ops(&program, f);
    assert!(ops.contains(&copy(0, read(2))), "{ops:?}");
    assert!(ops.contains(&copy(2, number(1))), "{ops:?}");
}

#[test]
fn a_local_that_is_assigned_twice_is_not_replaced() {
    let mut program = program();
    let edges = vec![
        (0, 1, copy(2, number(1))),
        (1, 2, equals(read(1), 0)),
        (2, 3, copy(2, number(2))),
        (1, 3, none_of(read(1), &[0])),
        (3, 4, copy(0, read(2))),
    ];
    let f = add(&mut program, "f", 1, &[U32; 3], edges);
    let ops = ops(&program, f);
    for value in [1, 2] {
        assert!(ops.contains(&copy(0, number(value))), "{ops:?}");
    }
    assert!(ops.contains(&equals(read(1), 0)), "{ops:?}");
}

#[test]
fn a_copy_of_a_parameter_that_changes_later_stays() {
    let mut program = program();
    let edges = vec![
        (0, 1, copy(2, read(1))),
        (1, 2, copy(1, number(9))),
        (2, 3, binary(0, BinaryOp::Add, read(1), read(2))),
        (3, 4, Op::Nop),
    ];
    let f = add(&mut program, "f", 1, &[U32; 3], edges);
    assert!(ops(&program, f).contains(&copy(2, read(1))));
}

#[test]
fn a_value_behind_a_pointer_is_not_taken_for_a_copy() {
    let mut program = program();
    let edges = vec![
        (0, 1, copy(2, Operand::Read(deref(1)))),
        (1, 2, Op::Assign(deref(1), Rvalue::Use(number(0)))),
        (2, 3, copy(0, read(2))),
    ];
    let f = add(&mut program, "f", 1, &[U32, POINTER, U32], edges);
    let write = Op::Assign(deref(1), Rvalue::Use(number(0)));
    assert_eq!(ops(&program, f), [copy(0, Operand::Read(deref(1))), write]);
}

#[test]
fn branches_on_constants_are_decided() {
    let mut program = program();
    let edges = vec![
        (0, 1, copy(2, number(1))),
        (1, 2, equals(read(2), 0)),
        (1, 3, none_of(read(2), &[0])),
        (2, 4, copy(0, number(5))),
        (3, 4, copy(0, number(6))),
    ];
    let f = add(&mut program, "f", 1, &[U32; 3], edges);
    assert_eq!(ops(&program, f), [copy(0, number(6))]);
}

#[test]
fn only_assignments_that_nothing_reads_are_removed() {
    let mut program = program();
    let edges = vec![
        (0, 1, copy(2, number(1))),
        (1, 2, Op::Assign(deref(1), Rvalue::Use(number(2)))),
        (2, 3, copy(0, number(3))),
    ];
    let f = add(&mut program, "f", 1, &[U32, POINTER, U32], edges);
    let kept = [Op::Assign(deref(1), Rvalue::Use(number(2))), copy(0, number(3))];
    assert_eq!(ops(&program, f), kept);
}

/// A function that does `before` and panics; its clean-up reads the local 3.
fn panics(before: Vec<Op>) -> Vec<Op> {
    let mut program = program();
    let count = before.len() as u32;
    let clean_up = count + 1;
    let exit = count + 3;
    let mut edges: Vec<_> =
        before.into_iter().zip(0..).map(|(op, number)| (number, number + 1, op)).collect();
    let cleaning = push(&mut program, "drop", 1, &[U32; 2], Body::Foreign { symbol: "d".into() });
    edges.push((count, exit, Op::Panic { unwind: Some(at(clean_up)) }));
    edges.push((clean_up, clean_up + 1, call(cleaning, vec![read(3)], 4)));
    edges.push((clean_up + 1, exit, Op::Resume));
    let types = [U32, POINTER, U32, POINTER, U32];
    let f = add(&mut program, "f", 1, &types, edges);
    ops(&program, f)
}

#[test]
fn what_only_builds_a_panic_message_is_left_out() {
    let plain = panics(vec![Op::Nop]);
    assert_eq!(panics(vec![copy(2, number(1))]), plain);
}

#[test]
fn what_is_written_before_a_panic_stays() {
    let store = |value| Op::Assign(deref(1), Rvalue::Use(number(value)));
    assert!(panics(vec![store(1)]).contains(&store(1)));
}

#[test]
fn what_clean_up_reads_through_a_pointer_stays() {
    let address = || assign(3, Rvalue::RawPtr { mutable: true, place: local(2) });
    let ops = panics(vec![address(), copy(2, number(1))]);
    assert!(ops.contains(&copy(2, number(1))), "{ops:?}");
}

#[test]
fn a_wrapper_that_only_forwards_is_what_it_forwards_to() {
    let mut program = program();
    let foreign = Body::Foreign { symbol: "work".to_owned() };
    let work = push(&mut program, "work", 1, &[U32; 2], foreign);
    let forward = vec![(0, 1, call(work, vec![read(1)], 0))];
    let wrapper = add(&mut program, "wrapper", 1, &[U32; 2], forward);
    let through = |callee| {
        let body = vec![
            (0, 1, call(callee, vec![read(1)], 2)),
            (1, 2, binary(0, BinaryOp::Add, read(2), number(1))),
        ];
        let mut program = program.clone();
        let f = add(&mut program, "f", 1, &[U32; 3], body);
        ops(&program, f)
    };
    let calls = |ops: &[Op], callee| {
        ops.iter().any(|op| matches!(op, Op::Call(call) if call.callee == Callee::Function(callee)))
    };
    assert!(calls(&through(wrapper), work));
    assert!(!calls(&through(wrapper), wrapper));
    assert_eq!(through(wrapper).len(), through(work).len());
}

#[test]
fn a_result_is_put_where_it_is_copied_to() {
    let mut program = program();
    let edges =
        vec![(0, 1, binary(2, BinaryOp::Add, read(1), number(1))), (1, 2, copy(0, read(2)))];
    let f = add(&mut program, "f", 1, &[U32; 3], edges);
    assert_eq!(ops(&program, f), [binary(0, BinaryOp::Add, read(1), number(1))]);
}

#[test]
fn a_result_that_is_used_again_stays() {
    let mut program = program();
    let sum = || binary(2, BinaryOp::Add, number(2), number(1));
    let twice = vec![
        (0, 1, sum()),
        (1, 2, copy(0, read(2))),
        (2, 3, Op::Assign(deref(1), Rvalue::Use(read(2)))),
    ];
    let f = add(&mut program, "f", 1, &[U32, POINTER, U32], twice);
    assert!(ops(&program, f).contains(&sum()));
}
