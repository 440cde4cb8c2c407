//! Functions for the tests of the passes.

use crate::cfa::*;

pub const U32: TyId = TyId(0);

/// A function without parameters; each edge as from, to and what it does.
pub fn function(locals: usize, locations: u32, edges: Vec<(u32, u32, Op)>) -> Function {
    let edge =
        |(from, to, op)| Edge { from: Location(from), to: Location(to), op, span: Span::UNKNOWN };
    let edges = edges.into_iter().map(edge).collect();
    Function {
        name: "f".to_owned(),
        krate: CrateId(0),
        generic: false,
        type_args: Vec::new(),
        tupled_args: false,
        std: None,
        params: 0,
        locals: vec![Local { name: None, ty: U32 }; locals],
        span: Span::UNKNOWN,
        body: Body::Cfa(Cfa { locations, edges }),
    }
}

pub fn ops(function: &Function) -> Vec<Op> {
    function.cfa().unwrap().edges.iter().map(|edge| edge.op.clone()).collect()
}

pub fn local(number: u32) -> Place {
    Place::local(LocalId(number))
}

pub fn behind(number: u32) -> Place {
    Place { local: LocalId(number), projections: vec![Projection::Deref] }
}

pub fn read(place: Place) -> Operand {
    Operand::Read(place)
}

pub fn copy(to: Place, from: Place) -> Op {
    Op::Assign(to, Rvalue::Use(read(from)))
}

pub fn number(bits: u128) -> Operand {
    Operand::Const(Const::Bits { bits, ty: U32 })
}

pub fn add_one(to: Place, from: Place) -> Op {
    Op::Assign(to, Rvalue::Binary(BinaryOp::Add, read(from), number(1)))
}

pub fn call(to: Place) -> Op {
    let callee = Callee::Function(FnId(0));
    Op::Call(Call { callee, args: Vec::new(), result: to, unwind: None })
}

pub fn is(number: u32, value: u128) -> Op {
    Op::Assume(Condition::Equals(read(local(number)), value))
}
