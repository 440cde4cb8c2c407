//! Small programs for tests.

use super::*;

pub const U32: TyId = TyId(0);
pub const BOOL: TyId = TyId(1);
pub const POINTER: TyId = TyId(2);

/// A program with a few types and no functions.
pub fn program() -> Program {
    let ty = |name: &str, kind| Type { name: name.to_owned(), kind, layout: None, std: None };
    let pointer = TypeKind::RawPointer { to: U32, mutable: true };
    Program {
        types: vec![
            ty("u32", TypeKind::Int { bits: 32, signed: false }),
            ty("bool", TypeKind::Bool),
            ty("*mut u32", pointer),
        ],
        crates: vec![Crate {
            name: "dep".to_owned(),
            package: None,
            origin: Origin::Dependency,
            features: Vec::new(),
        }],
        ..Program::default()
    }
}

/// Adds a function. `types` are those of the locals, the first of which is the result; an edge is
/// where it starts, where it ends, and what it does. The largest location is the final one.
pub fn add(
    program: &mut Program,
    name: &str,
    params: u32,
    types: &[TyId],
    edges: Vec<(u32, u32, Op)>,
) -> FnId {
    let last = edges.iter().map(|edge| edge.1).max().expect("a function has an edge");
    let edge = |(from, to, op)| Edge { from: at(from), to: at(to), op, span: Span::UNKNOWN };
    let edges = edges.into_iter().map(edge).collect();
    let cfa = Cfa { locations: last + 1, edges };
    push(program, name, params, types, Body::Cfa(cfa))
}

pub fn push(program: &mut Program, name: &str, params: u32, types: &[TyId], body: Body) -> FnId {
    program.functions.push(Function {
        name: name.to_owned(),
        krate: CrateId(0),
        generic: false,
        type_args: Vec::new(),
        tupled_args: false,
        std: None,
        params,
        locals: types.iter().map(|&ty| Local { name: None, ty }).collect(),
        span: Span::UNKNOWN,
        body,
    });
    FnId(program.functions.len() as u32 - 1)
}

/// A static with this value.
pub fn add_static(program: &mut Program, name: &str, value: u8) -> StaticId {
    program.memories.push(Memory {
        bytes: vec![value],
        uninit: Vec::new(),
        pointers: Vec::new(),
        align: 1,
        mutable: true,
    });
    program.statics.push(Static {
        name: name.to_owned(),
        krate: CrateId(0),
        ty: U32,
        thread_local: false,
        initial: Some(MemoryId(program.memories.len() as u32 - 1)),
        span: Span::UNKNOWN,
    });
    StaticId(program.statics.len() as u32 - 1)
}

pub fn at(location: u32) -> Location {
    Location(location)
}

pub fn local(number: u32) -> Place {
    Place::local(LocalId(number))
}

pub fn deref(number: u32) -> Place {
    Place { local: LocalId(number), projections: vec![Projection::Deref] }
}

pub fn read(number: u32) -> Operand {
    Operand::Read(local(number))
}

pub fn number(bits: u128) -> Operand {
    Operand::Const(Const::Bits { bits, ty: U32 })
}

pub fn assign(number: u32, rvalue: Rvalue) -> Op {
    Op::Assign(local(number), rvalue)
}

pub fn copy(number: u32, operand: Operand) -> Op {
    assign(number, Rvalue::Use(operand))
}

pub fn binary(number: u32, op: BinaryOp, left: Operand, right: Operand) -> Op {
    assign(number, Rvalue::Binary(op, left, right))
}

pub fn call(callee: FnId, args: Vec<Operand>, result: u32) -> Op {
    let callee = Callee::Function(callee);
    Op::Call(Call { callee, args, result: local(result), unwind: None })
}

pub fn equals(operand: Operand, value: u128) -> Op {
    Op::Assume(Condition::Equals(operand, value))
}

pub fn none_of(operand: Operand, values: &[u128]) -> Op {
    Op::Assume(Condition::NoneOf(operand, values.to_vec()))
}
