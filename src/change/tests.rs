use super::Pair;
use super::digest::Item;
use crate::cfa::samples::*;
use crate::cfa::*;
use crate::model::WhyItCounts;
use crate::reason::{NoCode, Reason};

/// Whether the last functions of two programs are equal, with everything they refer to.
fn equal(old: &Program, new: &Program) -> bool {
    let last = |program: &Program| Item::Function(FnId(program.functions.len() as u32 - 1));
    Pair::new(old, new, false).equal(last(old), last(new))
}

fn with(types: &[TyId], edges: Vec<(u32, u32, Op)>) -> Program {
    let mut program = program();
    add(&mut program, "f", 1, types, edges);
    program
}

fn with_operator(op: BinaryOp) -> Program {
    with(&[U32; 2], vec![(0, 1, binary(0, op, read(1), number(3)))])
}

#[test]
fn numbers_of_locals_and_locations_do_not_count() {
    let old = with(
        &[U32, U32, U32, BOOL],
        vec![
            (0, 1, equals(read(1), 0)),
            (0, 2, none_of(read(1), &[0])),
            (1, 3, binary(2, BinaryOp::Add, read(1), read(1))),
            (2, 3, binary(2, BinaryOp::Mul, read(1), read(1))),
            (3, 4, copy(0, read(2))),
        ],
    );
    let new = with(
        &[U32, U32, BOOL, U32],
        vec![
            (3, 1, binary(3, BinaryOp::Mul, read(1), read(1))),
            (1, 4, copy(0, read(3))),
            (0, 3, none_of(read(1), &[0])),
            (2, 1, binary(3, BinaryOp::Add, read(1), read(1))),
            (0, 2, equals(read(1), 0)),
        ],
    );
    assert!(equal(&old, &new));
}

#[test]
fn types_of_locals_count() {
    let edges = || vec![(0, 1, assign(0, Rvalue::Use(read(1))))];
    assert!(!equal(&with(&[U32, U32], edges()), &with(&[BOOL, BOOL], edges())));
}

#[test]
fn every_operator_is_another_function() {
    use BinaryOp::*;
    let all = [
        Add,
        Sub,
        Mul,
        AddWithOverflow,
        SubWithOverflow,
        MulWithOverflow,
        Div,
        Rem,
        BitXor,
        BitAnd,
        BitOr,
        Shl,
        Shr,
        Eq,
        Lt,
        Le,
        Ne,
        Ge,
        Gt,
        Cmp,
        Offset,
    ];
    for one in all {
        for other in all {
            let same = equal(&with_operator(one), &with_operator(other));
            assert_eq!(same, one == other, "{one:?} and {other:?}");
        }
    }
}

#[test]
fn the_order_of_operands_counts() {
    let subtract =
        |left, right| with(&[U32; 2], vec![(0, 1, binary(0, BinaryOp::Sub, left, right))]);
    assert!(!equal(&subtract(read(1), number(3)), &subtract(number(3), read(1))));
}

#[test]
fn swapped_branches_are_another_function() {
    let branches = |first, second| {
        with(
            &[U32; 2],
            vec![
                (0, 1, equals(read(1), 0)),
                (0, 2, none_of(read(1), &[0])),
                (1, 3, copy(0, number(first))),
                (2, 3, copy(0, number(second))),
            ],
        )
    };
    assert!(equal(&branches(1, 2), &branches(1, 2)));
    assert!(!equal(&branches(1, 2), &branches(2, 1)));
}

/// A recursive function that ends with `end`.
fn recursive(name: &str, end: u128) -> Program {
    let mut program = program();
    let edges = vec![
        (0, 1, equals(read(1), 0)),
        (0, 2, none_of(read(1), &[0])),
        (1, 5, copy(0, number(end))),
        (2, 3, binary(2, BinaryOp::Sub, read(1), number(1))),
        (3, 5, call(FnId(0), vec![read(2)], 0)),
    ];
    add(&mut program, name, 1, &[U32; 3], edges);
    program
}

#[test]
fn a_recursive_function_is_equal_to_itself_under_another_name() {
    assert!(equal(&recursive("f", 1), &recursive("g", 1)));
    assert!(!equal(&recursive("f", 1), &recursive("f", 2)));
}

/// `even` calls the function `other`, which calls the function `next`; both are told apart by what
/// they return for 0.
fn mutual(even_calls: u32, odd_calls: u32) -> Program {
    let mut program = program();
    for (end, callee) in [(1, even_calls), (0, odd_calls)] {
        let edges = vec![
            (0, 1, equals(read(1), 0)),
            (0, 2, none_of(read(1), &[0])),
            (1, 5, copy(0, number(end))),
            (2, 3, binary(2, BinaryOp::Sub, read(1), number(1))),
            (3, 5, call(FnId(callee), vec![read(2)], 0)),
        ];
        add(&mut program, "f", 1, &[U32; 3], edges);
    }
    program
}

#[test]
fn crossed_mutual_recursion_is_another_function() {
    assert!(equal(&mutual(1, 0), &mutual(1, 0)));
    assert!(!equal(&mutual(1, 0), &mutual(1, 1)));
    assert!(!equal(&mutual(1, 0), &mutual(0, 0)));
}

/// Returns the address of the first or the second of two statics.
fn static_user(which: usize, values: [u8; 2]) -> Program {
    let mut program = program();
    let statics =
        [add_static(&mut program, "A", values[0]), add_static(&mut program, "B", values[1])];
    let to = Pointee::Static(statics[which]);
    let pointer = Const::Pointer { to, offset: 0, meta: None, ty: POINTER };
    add(&mut program, "f", 0, &[POINTER], vec![(0, 1, copy(0, Operand::Const(pointer)))]);
    program
}

#[test]
fn statics_with_the_same_value_are_not_the_same() {
    assert!(equal(&static_user(0, [5, 5]), &static_user(0, [5, 5])));
    assert!(!equal(&static_user(0, [5, 5]), &static_user(1, [5, 5])));
    assert!(!equal(&static_user(0, [5, 5]), &static_user(0, [6, 5])));
}

/// Calls a function of this body.
fn caller_of(body: Body, type_args: &[TyId]) -> Program {
    let mut program = program();
    let callee = push(&mut program, "callee", 1, &[U32; 2], body);
    program.functions[callee.index()].type_args = type_args.to_vec();
    add(&mut program, "f", 1, &[U32; 2], vec![(0, 1, call(callee, vec![read(1)], 0))]);
    program
}

#[test]
fn foreign_functions_are_told_apart_by_their_symbols() {
    let foreign = |symbol: &str| caller_of(Body::Foreign { symbol: symbol.to_owned() }, &[]);
    assert!(equal(&foreign("a"), &foreign("a")));
    assert!(!equal(&foreign("a"), &foreign("b")));
    let (old, new) = (foreign("a"), foreign("a"));
    let last = Item::Function(FnId(1));
    assert!(!Pair::new(&old, &new, true).equal(last, last), "where foreign code moves");
}

#[test]
fn code_that_is_not_seen_is_equal_only_where_nothing_can_change_it() {
    let missing = |origin, type_args| {
        let mut program = caller_of(Body::Missing(NoCode::NoMir.into()), type_args);
        program.crates.iter_mut().for_each(|krate| krate.origin = origin);
        program
    };
    let alike = |origin, type_args| equal(&missing(origin, type_args), &missing(origin, type_args));
    assert!(alike(Origin::Std, &[]));
    assert!(!alike(Origin::Std, &[U32]));
    assert!(!alike(Origin::Dependency, &[]));
    assert!(!alike(Origin::Client, &[]));
}

#[test]
fn what_cannot_be_said_is_told_apart_by_its_reason() {
    let unsupported = |reason: Reason| {
        let (reads, writes) = (vec![read(1)], vec![Place::local(LocalId(0))]);
        with(&[U32; 2], vec![(0, 1, Op::Unsupported { reason, reads, writes })])
    };
    let assembly = |text: &str| unsupported(NoCode::Assembly(text.into()).into());
    assert!(equal(&assembly("nop"), &assembly("nop")));
    assert!(!equal(&assembly("nop"), &assembly("hlt")));
    assert!(!equal(&assembly("nop"), &unsupported(NoCode::Foreign("nop".into()).into())));
}

/// A function of a package, whose body the operator tells apart, over a type of the given width.
fn of_package(version: &str, features: &[&str], op: BinaryOp, bits: u32) -> Program {
    let mut program = with_operator(op);
    program.crates[0].package = Some(Package {
        name: "dep".to_owned(),
        version: version.to_owned(),
        manifest_dir: "dep".to_owned(),
    });
    program.crates[0].features = features.iter().map(|&it| it.to_owned()).collect();
    let kind = TypeKind::Int { bits, signed: false };
    program.types.push(Type { name: "other::T".to_owned(), kind, layout: None, std: None });
    program.functions[0].type_args = vec![TyId(program.types.len() as u32 - 1)];
    program
}

#[test]
fn what_changed_in_a_package_that_does_not_move_says_why_it_counts() {
    use BinaryOp::{Add, Sub};
    let why = |old: Program, new: Program| {
        let pair = Pair::new(&old, &new, false);
        let changed = super::Findings::of(&pair).changed;
        changed.into_iter().find(|it| it.name == "f").and_then(|it| it.owner).expect("it has one")
    };
    let moves = why(of_package("1.0.0", &[], Add, 8), of_package("1.0.1", &[], Sub, 8));
    assert_eq!((moves.version.as_str(), moves.counts), ("1.0.1", None));
    let old = || of_package("1.0.0", &[], Add, 8);
    let why = |new: Program| why(old(), new).counts;
    let instance = WhyItCounts::Instance("other::T".to_owned());
    assert_eq!(why(of_package("1.0.0", &[], Sub, 16)), Some(instance));
    assert_eq!(why(of_package("1.0.0", &["std"], Sub, 8)), Some(WhyItCounts::Features));
    assert_eq!(why(of_package("1.0.0", &[], Sub, 8)), Some(WhyItCounts::Generated));
}
