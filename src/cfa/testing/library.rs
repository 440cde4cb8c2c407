//! The types and callees that random functions use.

use crate::cfa::{
    ArrayLen, BinaryOp, Body, Call, Callee, Cfa, Condition, Const, Crate, CrateId, Edge, Field,
    FnId, Function, Layout, Local, LocalId, Location, Op, Operand, Origin, Place, Program,
    Projection, Rvalue, Span, TyId, Type, TypeKind, Variant,
};

pub const INT: TyId = TyId(0);
pub const UNIT: TyId = TyId(1);
pub const DISCRIMINANT: TyId = TyId(2);
/// `One(int) = 0`, `Two(int, int) = 5`, `Zero = 7`.
pub const CHOICE: TyId = TyId(3);
pub const PAIR: TyId = TyId(4);
/// `Empty = 0`, `Full(pair, choice) = 1`.
pub const NEST: TyId = TyId(5);
/// `Continue(int) = 0`, `Break(choice) = 1`.
pub const FLOW: TyId = TyId(6);
pub const TO_INT: TyId = TyId(7);
pub const TO_CHOICE: TyId = TyId(8);
pub const MARKER: TyId = TyId(9);
pub const ARRAY: TyId = TyId(10);
/// A struct of a marker and an int.
pub const TAGGED: TyId = TyId(11);
/// An enum without content: `Only = 3`.
pub const ONLY: TyId = TyId(12);

pub const ARRAY_LENGTH: usize = 3;

/// Tells the world its int; panics if that is 3. Gives the next int.
pub const TELL: FnId = FnId(0);
/// Tells the world its choice, and gives a flow that depends on it.
pub const TELL_CHOICE: FnId = FnId(1);
/// Tells what its pointer points to, adds one to it, and remembers the pointer.
pub const TOUCH: FnId = FnId(2);
/// Tells what the remembered pointer points to, and adds three to it.
pub const POKE: FnId = FnId(3);

/// The functions with code, and then the one under test.
pub const CALLEES: u32 = 19;

/// The program of the library; a function under test goes behind its functions.
pub fn program() -> Program {
    let krate = Crate {
        name: "library".to_owned(),
        package: None,
        origin: Origin::Dependency,
        features: Vec::new(),
    };
    Program {
        functions: functions(),
        types: types(),
        crates: vec![krate],
        files: vec![String::new()],
        ..Program::default()
    }
}

fn types() -> Vec<Type> {
    let fields = |types: &[TyId]| {
        types.iter().map(|&ty| Field { name: String::new(), ty, public: false }).collect::<Vec<_>>()
    };
    let variant = |discriminant: u128, types: &[TyId]| Variant {
        name: String::new(),
        discriminant,
        fields: fields(types),
    };
    let all = [
        (1, TypeKind::Int { bits: 8, signed: false }),
        (0, TypeKind::Tuple(vec![])),
        (8, TypeKind::Int { bits: 64, signed: true }),
        (4, TypeKind::Enum(vec![variant(0, &[INT]), variant(5, &[INT, INT]), variant(7, &[])])),
        (2, TypeKind::Tuple(vec![INT, INT])),
        (8, TypeKind::Enum(vec![variant(0, &[]), variant(1, &[PAIR, CHOICE])])),
        (8, TypeKind::Enum(vec![variant(0, &[INT]), variant(1, &[CHOICE])])),
        (8, TypeKind::Reference { to: INT, mutable: true }),
        (8, TypeKind::Reference { to: CHOICE, mutable: true }),
        (0, TypeKind::Struct(variant(0, &[]))),
        (3, TypeKind::Array(INT, ArrayLen::Known(ARRAY_LENGTH as u64))),
        (1, TypeKind::Struct(variant(0, &[MARKER, INT]))),
        (0, TypeKind::Enum(vec![variant(3, &[])])),
    ];
    let layout = |size| Some(Layout { size, align: 1, offsets: vec![], tag: None, valid: None });
    let entry = |(number, (size, kind)): (usize, (u64, TypeKind))| Type {
        name: format!("library::T{number}"),
        kind,
        layout: layout(size),
        std: None,
    };
    all.into_iter().enumerate().map(entry).collect()
}

/// What a callee takes and gives.
pub fn signature(callee: FnId) -> (&'static [TyId], TyId) {
    match callee.0 {
        0 => (&[INT], INT),
        1 => (&[CHOICE], FLOW),
        2 => (&[TO_INT], UNIT),
        3 => (&[], INT),
        4 => (&[PAIR], INT),
        5 => (&[INT], INT),
        6 => (&[CHOICE], FLOW),
        7 => (&[INT], INT),
        8 => (&[INT, INT], INT),
        9 => (&[TO_INT, INT], UNIT),
        10 => (&[TO_INT], INT),
        11 => (&[INT], FLOW),
        12 => (&[MARKER], MARKER),
        13 => (&[INT], INT),
        14 => (&[INT], INT),
        15 => (&[TO_INT], INT),
        16 => (&[FLOW], CHOICE),
        17 => (&[TO_CHOICE, INT], NEST),
        18 => (&[TO_INT, TO_INT], INT),
        other => panic!("there is no callee {other}"),
    }
}

pub fn place(local: u32) -> Place {
    Place::local(LocalId(local))
}

pub fn part(local: u32, projections: &[Projection]) -> Place {
    Place { local: LocalId(local), projections: projections.to_vec() }
}

pub fn read(local: u32) -> Operand {
    Operand::Read(place(local))
}

pub fn int(bits: u128) -> Operand {
    Operand::Const(Const::Bits { bits, ty: INT })
}

pub fn set(local: u32, value: Operand) -> Op {
    Op::Assign(place(local), Rvalue::Use(value))
}

pub fn add(local: u32, left: Operand, right: Operand) -> Op {
    Op::Assign(place(local), Rvalue::Binary(BinaryOp::Add, left, right))
}

pub fn build(local: u32, ty: TyId, variant: u32, fields: &[Operand]) -> Op {
    Op::Assign(place(local), Rvalue::Aggregate { ty, variant, fields: fields.to_vec() })
}

pub fn ask(local: u32, of: Place) -> Op {
    Op::Assign(place(local), Rvalue::Discriminant(of))
}

pub fn equals(operand: Operand, value: u128) -> Op {
    Op::Assume(Condition::Equals(operand, value))
}

pub fn none_of(operand: Operand, values: &[u128]) -> Op {
    Op::Assume(Condition::NoneOf(operand, values.to_vec()))
}

pub fn call(callee: FnId, args: &[Operand], result: Place, unwind: Option<u32>) -> Op {
    let unwind = unwind.map(Location);
    Op::Call(Call { callee: Callee::Function(callee), args: args.to_vec(), result, unwind })
}

pub const PANIC: Op = Op::Panic { unwind: None };

/// Stands for the final location of a [`small`] function.
pub const END: u32 = u32::MAX;

/// A function of the types of its locals and its edges.
pub fn small(params: u32, locals: &[TyId], edges: &[(u32, u32, Op)]) -> Function {
    let last = edges.iter().flat_map(|&(from, to, _)| [from, to]).filter(|&it| it != END).max();
    let exit = last.map_or(1, |last| last + 1);
    let edges = edges.iter().map(|(from, to, op)| Edge {
        from: Location(*from),
        to: Location(if *to == END { exit } else { *to }),
        op: op.clone(),
        span: Span::UNKNOWN,
    });
    let cfa = Cfa { locations: exit + 1, edges: edges.collect() };
    with_body(params, locals, Body::Cfa(cfa))
}

pub fn with_body(params: u32, locals: &[TyId], body: Body) -> Function {
    Function {
        name: String::new(),
        krate: CrateId(0),
        generic: false,
        type_args: vec![],
        tupled_args: false,
        std: None,
        params,
        locals: locals.iter().map(|&ty| Local { name: None, ty }).collect(),
        span: Span::UNKNOWN,
        body,
    }
}

fn functions() -> Vec<Function> {
    use Projection::{Deref, Field, Variant};
    let opaque = |symbol: &str| with_body(0, &[], Body::Foreign { symbol: symbol.to_owned() });
    let behind = |local| Operand::Read(part(local, &[Deref]));
    let field =
        |local, variant, field| Operand::Read(part(local, &[Variant(variant), Field(field)]));
    let mut functions: Vec<Function> =
        ["tell", "tell_choice", "touch", "poke"].into_iter().map(opaque).collect();
    functions.extend([
        // An accessor.
        small(1, &[INT, PAIR], &[(0, END, set(0, Operand::Read(part(1, &[Field(0)]))))]),
        // A wrapper.
        small(
            1,
            &[INT, INT, INT],
            &[
                (0, 1, set(2, read(1))),
                (1, 2, call(TELL, &[read(2)], place(0), None)),
                (2, END, Op::Nop),
            ],
        ),
        // One half of `?`.
        small(
            1,
            &[FLOW, CHOICE, DISCRIMINANT, INT, CHOICE],
            &[
                (0, 1, ask(2, place(1))),
                (1, 2, equals(read(2), 0)),
                (1, 3, equals(read(2), 5)),
                (1, 3, equals(read(2), 7)),
                (1, 6, none_of(read(2), &[0, 5, 7])),
                (2, 4, set(3, field(1, 0, 0))),
                (4, END, build(0, FLOW, 0, &[read(3)])),
                (3, 5, set(4, read(1))),
                (5, END, build(0, FLOW, 1, &[read(4)])),
                (6, END, Op::Unreachable),
            ],
        ),
        // Panics if given a 2.
        small(
            1,
            &[INT, INT],
            &[
                (0, 1, equals(read(1), 2)),
                (0, 2, none_of(read(1), &[2])),
                (1, END, PANIC),
                (2, END, add(0, read(1), int(1))),
            ],
        ),
        // Two effects.
        small(
            2,
            &[INT, INT, INT, INT, INT],
            &[
                (0, 1, call(TELL, &[read(1)], place(3), None)),
                (1, 2, call(TELL, &[read(2)], place(4), None)),
                (2, END, add(0, read(3), read(4))),
            ],
        ),
        // A setter.
        small(
            2,
            &[UNIT, TO_INT, INT],
            &[(0, END, Op::Assign(part(1, &[Deref]), Rvalue::Use(read(2))))],
        ),
        // A getter.
        small(1, &[INT, TO_INT], &[(0, END, set(0, behind(1)))]),
        // Builds.
        small(1, &[FLOW, INT], &[(0, 1, build(0, FLOW, 0, &[read(1)])), (1, END, Op::Nop)]),
        // Gives back what has no content.
        small(1, &[MARKER, MARKER], &[(0, END, set(0, read(1)))]),
        // Changes a local of its own through a pointer.
        small(
            1,
            &[INT, INT, TO_INT],
            &[
                (0, 1, Op::Assign(place(2), Rvalue::Ref { mutable: true, place: place(1) })),
                (
                    1,
                    2,
                    Op::Assign(part(2, &[Deref]), Rvalue::Binary(BinaryOp::Add, behind(2), int(1))),
                ),
                (2, END, set(0, read(1))),
            ],
        ),
        // Has clean-up.
        small(
            1,
            &[INT, INT, INT],
            &[
                (0, 1, call(TELL, &[read(1)], place(0), Some(2))),
                (1, END, Op::Nop),
                (2, 3, call(TELL, &[int(6)], place(2), Some(4))),
                (3, END, Op::Resume),
                (4, END, Op::Abort),
            ],
        ),
        // Adds one behind a pointer and gives the sum.
        small(
            1,
            &[INT, TO_INT],
            &[
                (
                    0,
                    1,
                    Op::Assign(part(1, &[Deref]), Rvalue::Binary(BinaryOp::Add, behind(1), int(1))),
                ),
                (1, END, set(0, behind(1))),
            ],
        ),
        // Takes apart what the half of `?` builds.
        small(
            1,
            &[CHOICE, FLOW, DISCRIMINANT],
            &[
                (0, 1, ask(2, place(1))),
                (1, 2, equals(read(2), 1)),
                (1, 3, none_of(read(2), &[1])),
                (2, END, set(0, field(1, 1, 0))),
                (3, END, build(0, CHOICE, 2, &[])),
            ],
        ),
        // Replaces a value behind a pointer, and gives the old one.
        small(
            2,
            &[NEST, TO_CHOICE, INT, CHOICE, PAIR, CHOICE],
            &[
                (0, 1, set(3, behind(1))),
                (1, 2, build(5, CHOICE, 0, &[read(2)])),
                (2, 3, Op::Assign(part(1, &[Deref]), Rvalue::Use(read(5)))),
                (3, 4, build(4, PAIR, 0, &[read(2), int(1)])),
                (4, END, build(0, NEST, 1, &[read(4), read(3)])),
            ],
        ),
        // Reads before and after it writes, where the two may be one.
        small(
            2,
            &[INT, TO_INT, TO_INT, INT],
            &[
                (0, 1, set(3, behind(1))),
                (1, 2, Op::Assign(part(2, &[Deref]), Rvalue::Use(int(5)))),
                (2, END, add(0, read(3), behind(1))),
            ],
        ),
    ]);
    assert_eq!(functions.len(), CALLEES as usize);
    functions
}
