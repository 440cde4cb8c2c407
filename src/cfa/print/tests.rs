//! What the text looks like.

use super::{constant::constant, dot, extracted, function, lines, side_by_side};
use crate::cfa::graph::ReducibleCfa;
use crate::cfa::loops;
use crate::cfa::{
    ArrayLen, BinaryOp, Body, Call, Callee, CastKind, Cfa, Condition, Const, CrateId, Edge, Field,
    FnId, Function, Intrinsic, Local, LocalId, Location, Memory, MemoryId, Op, Operand, Place,
    Pointee, PointerMeta, Program, Projection, Rvalue, Span, TyId, Type, TypeKind, Variant,
};
use crate::reason::NoCode;

const U32: TyId = TyId(0);
const BOOL: TyId = TyId(1);
const UNIT: TyId = TyId(2);
const I8: TyId = TyId(3);
const CHAR: TyId = TyId(4);
const REF_STR: TyId = TyId(6);
const POINT: TyId = TyId(7);
const REF_POINT: TyId = TyId(8);
const OPTION: TyId = TyId(9);
const ARRAY: TyId = TyId(10);
const F64: TyId = TyId(11);
const U8: TyId = TyId(12);
const REF_BYTES: TyId = TyId(14);

fn types() -> Vec<Type> {
    let field = |name: &str| Field { name: name.into(), ty: U32, public: false };
    let variant = |name: &str, fields| Variant { name: name.into(), discriminant: 0, fields };
    let point = variant("Point", vec![field("x"), field("y")]);
    let option = vec![variant("None", vec![]), variant("Some", vec![field("0")])];
    let reference = |to| TypeKind::Reference { to, mutable: false };
    let kinds = [
        ("u32", TypeKind::Int { bits: 32, signed: false }),
        ("bool", TypeKind::Bool),
        ("()", TypeKind::Tuple(vec![])),
        ("i8", TypeKind::Int { bits: 8, signed: true }),
        ("char", TypeKind::Char),
        ("str", TypeKind::Str),
        ("&str", reference(TyId(5))),
        ("Point", TypeKind::Struct(point)),
        ("&Point", reference(POINT)),
        ("Option<u32>", TypeKind::Enum(option)),
        ("[u32; 2]", TypeKind::Array(U32, ArrayLen::Known(2))),
        ("f64", TypeKind::Float { bits: 64 }),
        ("u8", TypeKind::Int { bits: 8, signed: false }),
        ("[u8]", TypeKind::Slice(U8)),
        ("&[u8]", reference(TyId(13))),
    ];
    let ty =
        |(name, kind): (&str, TypeKind)| Type { name: name.into(), kind, layout: None, std: None };
    kinds.into_iter().map(ty).collect()
}

fn place(local: u32) -> Place {
    Place::local(LocalId(local))
}

fn part(local: u32, projections: &[Projection]) -> Place {
    Place { local: LocalId(local), projections: projections.to_vec() }
}

fn read(local: u32) -> Operand {
    Operand::Read(place(local))
}

fn number(bits: u128) -> Operand {
    Operand::Const(Const::Bits { bits, ty: U32 })
}

fn set(local: u32, value: Rvalue) -> Op {
    Op::Assign(place(local), value)
}

/// A program whose function 0 has these locals, the first of `params` as parameters, and edges.
fn program(locals: &[(&str, TyId)], params: u32, edges: Vec<(u32, u32, Op)>) -> Program {
    let last = edges.iter().map(|(from, to, _)| *from.max(to)).max().unwrap_or(0);
    let edges = edges.into_iter().map(|(from, to, op)| Edge {
        from: Location(from),
        to: Location(to),
        op,
        span: Span::UNKNOWN,
    });
    let local = |&(name, ty): &(&str, TyId)| Local {
        name: Some(name.to_string()).filter(|name| !name.is_empty()),
        ty,
    };
    let function = |name: &str, params, locals: Vec<Local>, body| Function {
        name: name.into(),
        krate: CrateId(0),
        generic: false,
        type_args: vec![],
        tupled_args: false,
        std: None,
        params,
        locals,
        span: Span::UNKNOWN,
        body,
    };
    let cfa = Cfa { locations: last + 1, edges: edges.collect() };
    let implemented = Body::Intrinsic(Intrinsic::BlackBox);
    let functions = vec![
        function("client::sum", params, locals.iter().map(local).collect(), Body::Cfa(cfa)),
        function("dep::f", 0, vec![Local { name: None, ty: UNIT }], implemented),
    ];
    Program { functions, types: types(), ..Program::default() }
}

/// `let mut i = 0; while i < n { i += step; dep::f(i) } i`, and clean-up of one operation.
fn counting(step: u128) -> Program {
    let call = Op::Call(Call {
        callee: Callee::Function(FnId(1)),
        args: vec![read(2)],
        result: place(4),
        unwind: Some(Location(6)),
    });
    let binary = |op, left, right| Rvalue::Binary(op, left, right);
    program(
        &[("", U32), ("n", U32), ("i", U32), ("", BOOL), ("", UNIT)],
        1,
        vec![
            (0, 1, set(2, Rvalue::Use(number(0)))),
            (1, 2, set(3, binary(BinaryOp::Lt, read(2), read(1)))),
            (2, 5, Op::Assume(Condition::Equals(read(3), 0))),
            (2, 3, Op::Assume(Condition::NoneOf(read(3), vec![0]))),
            (3, 4, set(2, binary(BinaryOp::Add, read(2), number(step)))),
            (4, 1, call),
            (5, 8, set(0, Rvalue::Use(read(2)))),
            (6, 7, set(2, Rvalue::Use(number(0)))),
            (7, 8, Op::Resume),
        ],
    )
}

#[test]
fn a_function_reads_from_top_to_bottom() {
    let text = function(&counting(1), FnId(0));
    assert_eq!(
        text,
        "\
fn client::sum(n: u32) -> u32
        let i: u32
        i = 0
     1: _3 = i < n
        assume !_3 -> 5
        assume _3 -> 3
     3: i = i + 1
        call dep::f(i) -> 1 (unwind 6)
     5: _0 = i -> return
  when unwinding
     6: i = 0
        resume panic
"
    );
}

#[test]
fn a_location_that_leads_nowhere_is_shown() {
    let text =
        function(&program(&[("", UNIT)], 0, vec![(0, 1, Op::Nop), (2, 2, Op::Nop)]), FnId(0));
    assert_eq!(text, "fn client::sum()\n        nop\n        no way on\n");
}

#[test]
fn a_function_without_code_says_why() {
    let text = function(&counting(1), FnId(1));
    assert_eq!(text, "fn dep::f()\n        the compiler implements it\n");
}

#[test]
fn a_loop_that_was_taken_out_says_what_it_reads_and_changes() {
    let mut program = counting(1);
    loops::add_exit_type(&mut program);
    let exit_type = loops::exit_type(&program);
    let sum = program.function(FnId(0));
    let cfa = ReducibleCfa::new(sum.cfa().unwrap()).unwrap();
    let text = extracted(&program, sum, &loops::extract(&cfa, &[], &sum.locals, exit_type));
    assert_eq!(
        text,
        "\
fn client::sum(n: u32) -> u32
        let i: u32
        i = 0
        _5 = call loop 0(n, i) changing i
        _0 = i -> return

loop 0(n, i) changing i
        _3 = i < n
        assume !_3 -> 7
        assume _3 -> 2
     7: _5 = 0 -> return
     2: i = i + 1
        call dep::f(i) (unwind 4)
        _5 = call loop 0(n, i) changing i -> return
  when unwinding
     4: i = 0
        resume panic
"
    );
}

fn op_text(op: Op) -> String {
    let locals = [
        ("", UNIT),
        ("p", REF_POINT),
        ("o", OPTION),
        ("a", ARRAY),
        ("i", U32),
        ("c", CHAR),
        ("", POINT),
        ("b", BOOL),
    ];
    let program = program(&locals, 7, vec![(0, 1, op), (1, 2, Op::Nop)]);
    let text = function(&program, FnId(0));
    text.lines().nth(1).unwrap().trim().to_string()
}

#[test]
fn operations_look_like_rust() {
    use Projection::*;
    let cases = [
        (set(4, Rvalue::Use(Operand::Read(part(1, &[Deref, Field(1)])))), "i = (*p).y"),
        (set(4, Rvalue::Use(Operand::Read(part(2, &[Variant(1), Field(0)])))), "i = (o as Some).0"),
        (set(4, Rvalue::Use(Operand::Read(part(3, &[Index(LocalId(4))])))), "i = a[i]"),
        (
            set(
                4,
                Rvalue::Use(Operand::Read(part(3, &[ConstantIndex { offset: 1, from_end: true }]))),
            ),
            "i = a[len - 1]",
        ),
        (set(1, Rvalue::Ref { mutable: true, place: place(6) }), "p = &mut _6"),
        (set(4, Rvalue::Cast(CastKind::IntToInt, read(5), U32)), "i = c as u32"),
        (set(4, Rvalue::Binary(BinaryOp::Shl, read(4), number(3))), "i = i << 3"),
        (
            set(2, Rvalue::Aggregate { ty: OPTION, variant: 1, fields: vec![read(4)] }),
            "o = Option<u32>::Some(i)",
        ),
        (
            set(2, Rvalue::Aggregate { ty: OPTION, variant: 0, fields: vec![] }),
            "o = Option<u32>::None",
        ),
        (
            set(6, Rvalue::Aggregate { ty: POINT, variant: 0, fields: vec![read(4), number(2)] }),
            "_6 = Point { x: i, y: 2 }",
        ),
        (
            set(3, Rvalue::Aggregate { ty: ARRAY, variant: 0, fields: vec![read(4), read(4)] }),
            "a = [i, i]",
        ),
        (Op::Assume(Condition::Equals(read(4), 3)), "assume i == 3"),
        (Op::Assume(Condition::NoneOf(read(5), vec![97, 98])), "assume c is none of 'a', 'b'"),
        (Op::Assume(Condition::Equals(read(7), 1)), "assume b"),
        (Op::Assume(Condition::NoneOf(read(7), vec![1])), "assume !b"),
        (Op::Panic { unwind: None }, "panic"),
        (
            Op::Unsupported {
                reason: NoCode::Assembly("two\nlines".into()).into(),
                reads: vec![read(4)],
                writes: vec![place(5)],
            },
            "unsupported (inline assembly: two lines) reads i writes c",
        ),
    ];
    for (op, text) in cases {
        assert_eq!(op_text(op), text);
    }
}

/// A constant that points into a memory with these bytes.
fn pointer_text(bytes: &[u8], ty: TyId, length: Option<u64>) -> String {
    let mut program = counting(1);
    let memory = Memory {
        bytes: bytes.to_vec(),
        uninit: vec![],
        pointers: vec![],
        align: 1,
        mutable: false,
    };
    program.memories.push(memory);
    let to = Pointee::Memory(MemoryId(0));
    let meta = length.map(PointerMeta::Length);
    constant(&program, &Const::Pointer { to, offset: 0, meta, ty })
}

#[test]
fn constants_are_shown_by_their_type() {
    let program = counting(1);
    let bits = |bits, ty| constant(&program, &Const::Bits { bits, ty });
    assert_eq!(bits(255, U8), "255");
    assert_eq!(bits(255, I8), "-1");
    assert_eq!(bits(1, BOOL), "true");
    assert_eq!(bits(10, CHAR), "'\\n'");
    assert_eq!(bits(f64::to_bits(1.0).into(), F64), "1.0");
    assert_eq!(bits(1, OPTION), "0x1 as Option<u32>");
    assert_eq!(pointer_text(b"say \"hi\"", REF_STR, Some(8)), r#""say \"hi\"""#);
    assert_eq!(pointer_text(b"a\0b", REF_BYTES, Some(2)), r#"b"a\x00""#);
    assert_eq!(pointer_text(&[1, 0xab], REF_POINT, None), "&[01 ab]");
}

#[test]
fn what_is_too_long_to_show_still_looks_different_when_it_is() {
    let text = |last| pointer_text(&[[b'a'; 99].as_slice(), &[last]].concat(), REF_STR, Some(100));
    assert!(text(b'b').len() < 110);
    assert_ne!(text(b'b'), text(b'c'));
    assert_ne!(pointer_text(&[0; 20], REF_POINT, None), pointer_text(&[1; 20], REF_POINT, None));
}

/// The marks between the columns, a line.
fn marks(old: &Program, new: &Program) -> String {
    let (old, new) = ((old, old.function(FnId(0))), (new, new.function(FnId(0))));
    let text = side_by_side(Some(old), Some(new), 103);
    text.lines().map(|line| line.chars().nth(51).unwrap_or(' ')).collect()
}

#[test]
fn only_lines_that_differ_are_marked() {
    assert_eq!(marks(&counting(1), &counting(1)).trim(), "");
    assert_eq!(marks(&counting(1), &counting(2)), "      |     ");
}

#[test]
fn other_numbers_of_temporaries_and_locations_are_no_difference() {
    let mut new = counting(1);
    let sum = &mut new.functions[0];
    sum.locals.insert(3, Local { name: None, ty: U32 });
    let Body::Cfa(cfa) = &mut sum.body else { panic!() };
    cfa.locations += 10;
    let moved = |location: &mut Location| location.0 += if location.0 > 0 { 10 } else { 0 };
    for edge in &mut cfa.edges {
        moved(&mut edge.from);
        moved(&mut edge.to);
        match &mut edge.op {
            Op::Assign(place, _) if place.local.0 >= 3 => place.local.0 += 1,
            Op::Assume(Condition::Equals(Operand::Read(place), _)) => place.local.0 += 1,
            Op::Assume(Condition::NoneOf(Operand::Read(place), _)) => place.local.0 += 1,
            Op::Call(call) => {
                call.result.local.0 += 1;
                call.unwind.iter_mut().for_each(moved);
            }
            _ => {}
        }
    }
    assert_eq!(marks(&counting(1), &new).trim(), "");
}

#[test]
fn another_target_of_the_same_jump_is_a_difference() {
    let jump = |target| {
        let test = |value| Op::Assume(Condition::Equals(read(1), value));
        let end = |value| set(0, Rvalue::Use(number(value)));
        let branches = (0..4).map(|to| (0, to + 1, test(to.into())));
        let rest = [(1, target, end(6)), (2, 4, end(7)), (3, 5, end(8)), (4, 5, end(9))];
        program(&[("r", U32), ("n", U32)], 1, branches.chain(rest).collect())
    };
    assert_eq!(marks(&jump(3), &jump(4)), "     |   ");
}

#[test]
fn another_temporary_in_the_same_place_is_a_difference() {
    let result = |of| {
        let start = |local| set(local, Rvalue::Use(number(7)));
        let edges = vec![(0, 1, start(1)), (1, 2, start(2)), (2, 3, set(0, Rvalue::Use(read(of))))];
        program(&[("r", U32), ("", U32), ("", U32)], 0, edges)
    };
    assert_eq!(marks(&result(1), &result(2)), "   |");
}

#[test]
fn columns_fit_the_width_and_lose_nothing() {
    let program = counting(1);
    let version = (&program, program.function(FnId(0)));
    for width in [40, 60, 120] {
        let text = side_by_side(None, Some(version), width);
        assert!(text.lines().all(|line| line.chars().count() <= width));
        let squeezed = |text: &str| text.replace([' ', '\n', '>'], "");
        assert_eq!(squeezed(&text), squeezed(&function(&program, FnId(0))));
    }
}

#[test]
fn quotes_in_the_graph_are_escaped() {
    let text = Operand::Const(Const::Opaque { text: r#""a\b""#.into(), ty: REF_STR });
    let program = program(&[("r", REF_STR)], 0, vec![(0, 1, set(0, Rvalue::Use(text)))]);
    let text = dot(None, Some((&program, program.function(FnId(0)))));
    assert!(text.contains(r#"[label="r = \"a\\b\""]"#), "{text}");
}

#[test]
fn the_graph_has_both_versions_and_what_differs_in_red() {
    let (old, new) = (counting(1), counting(2));
    let text = dot(Some((&old, old.function(FnId(0)))), Some((&new, new.function(FnId(0)))));
    for line in [
        "  subgraph cluster_old {",
        "    label=\"new: client::sum\"",
        "    old_0 [label=\"0\" style=filled]",
        "    new_8 [label=\"8\" shape=doublecircle]",
        "    old_3 -> old_4 [label=\"i = i + 1\" color=red fontcolor=red]",
        "    old_1 -> old_2 [label=\"_3 = i < n\"]",
        "    new_4 -> new_6 [style=dashed]",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

#[test]
fn every_edge_that_can_be_reached_has_its_line() {
    let program = counting(1);
    let lines = lines::lines((&program, program.function(FnId(0))));
    let mut edges: Vec<_> = lines.iter().filter_map(|line| line.edge).map(|edge| edge.0).collect();
    edges.sort();
    assert_eq!(edges, (0..9).collect::<Vec<_>>());
}
