//! The body of a function, written so that how it was written down does not show: locations and
//! locals are numbered in the order in which a walk from the start meets them.

use super::digest::{Item, Writer};
use crate::cfa::{
    Call, Callee, CastKind, Cfa, Condition, Const, Edge, Function, LocalId, Location, Op, Operand,
    Place, Program, Projection, Rvalue,
};

/// Writes the body of a function, which must have one.
pub fn write(writer: &mut Writer<'_>, function: &Function) {
    let cfa = function.cfa().expect("it has a body");
    let mut edges_out: Vec<Vec<&Edge>> = vec![Vec::new(); cfa.locations as usize];
    for edge in &cfa.edges {
        edges_out[edge.from.index()].push(edge);
    }
    let mut body = BodyWriter {
        writer,
        function,
        exit: cfa.exit(),
        locals: vec![None; function.locals.len()],
        next_local: 0,
        locations: vec![None; cfa.locations as usize],
        queue: Vec::new(),
    };
    body.writer.number(function.params);
    body.writer.tag(u8::from(function.tupled_args));
    for local in 0..=function.params.min(function.locals.len() as u32 - 1) {
        body.local(LocalId(local));
    }
    body.location(Cfa::ENTRY);
    let mut next = 0;
    while let Some(&location) = body.queue.get(next) {
        next += 1;
        let mut edges = edges_out[location.index()].clone();
        edges.sort_by_key(|edge| branch_order(&edge.op));
        body.writer.number(edges.len() as u32);
        for edge in edges {
            body.op(&edge.op);
            body.location(edge.to);
        }
    }
}

/// The branches of a switch in the order of their values, the one for all others last.
fn branch_order(op: &Op) -> (u8, u128) {
    match op {
        Op::Assume(Condition::Equals(_, value)) => (0, *value),
        Op::Assume(Condition::NoneOf(..)) => (1, 0),
        _ => (2, 0),
    }
}

struct BodyWriter<'a, 'w> {
    writer: &'a mut Writer<'w>,
    function: &'a Function,
    exit: Location,
    locals: Vec<Option<u32>>,
    next_local: u32,
    locations: Vec<Option<u32>>,
    /// Locations in the order in which they were met.
    queue: Vec<Location>,
}

impl BodyWriter<'_, '_> {
    fn location(&mut self, location: Location) {
        if location == self.exit {
            self.writer.tag(0);
            return;
        }
        let number = match self.locations[location.index()] {
            Some(number) => number,
            None => {
                let number = self.queue.len() as u32;
                self.locations[location.index()] = Some(number);
                self.queue.push(location);
                number
            }
        };
        self.writer.tag(1);
        self.writer.number(number);
    }

    fn unwind(&mut self, unwind: Option<Location>) {
        match unwind {
            Some(location) => {
                self.writer.tag(1);
                self.location(location);
            }
            None => self.writer.tag(0),
        }
    }

    fn local(&mut self, local: LocalId) {
        let number = match self.locals[local.index()] {
            Some(number) => number,
            None => {
                let number = self.next_local;
                self.next_local += 1;
                self.locals[local.index()] = Some(number);
                self.writer.ty(self.function.locals[local.index()].ty);
                number
            }
        };
        self.writer.number(number);
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Nop => self.writer.tag(1),
            Op::Assign(place, rvalue) => {
                self.writer.tag(2);
                self.place(place);
                self.rvalue(rvalue);
            }
            Op::SetDiscriminant(place, variant) => {
                self.writer.tag(3);
                self.place(place);
                self.writer.number(*variant);
            }
            Op::Assume(Condition::Equals(operand, value)) => {
                self.writer.tag(4);
                self.operand(operand);
                self.writer.number(*value);
            }
            Op::Assume(Condition::NoneOf(operand, values)) => {
                self.writer.tag(5);
                self.operand(operand);
                let mut values = values.clone();
                values.sort();
                self.writer.number(values.len() as u32);
                values.iter().for_each(|value| self.writer.number(*value));
            }
            Op::Call(call) => {
                self.writer.tag(6);
                self.call(call);
            }
            Op::Panic { unwind } => {
                self.writer.tag(7);
                self.unwind(*unwind);
            }
            Op::Resume => self.writer.tag(8),
            Op::Abort => self.writer.tag(9),
            Op::Unreachable => self.writer.tag(10),
            Op::CopyMemory { from, to, count } => {
                self.writer.tag(12);
                [from, to, count].into_iter().for_each(|operand| self.operand(operand));
            }
            Op::Unsupported { reason, reads, writes } => {
                self.writer.tag(11);
                self.writer.reason(reason);
                self.operands(reads);
                self.writer.number(writes.len() as u32);
                writes.iter().for_each(|place| self.place(place));
            }
        }
    }

    fn call(&mut self, call: &Call) {
        match &call.callee {
            Callee::Function(function) => {
                self.writer.tag(1);
                self.writer.refs.push(Item::Function(*function));
            }
            Callee::Pointer(operand) => {
                self.writer.tag(2);
                self.operand(operand);
            }
            Callee::Virtual { method, slot, supplied } => {
                self.writer.tag(3);
                self.writer.text(method);
                self.writer.number(*slot);
                self.writer.tag(u8::from(supplied.is_some()));
                self.writer.refs.extend(supplied.map(Item::Function));
            }
            Callee::Loop { id, writes } => {
                self.writer.tag(4);
                self.writer.number(id.0);
                self.writer.number(writes.len() as u32);
                writes.iter().for_each(|local| self.local(*local));
            }
        }
        self.operands(&call.args);
        self.place(&call.result);
        self.unwind(call.unwind);
    }

    fn operands(&mut self, operands: &[Operand]) {
        self.writer.number(operands.len() as u32);
        operands.iter().for_each(|operand| self.operand(operand));
    }

    fn place(&mut self, place: &Place) {
        self.local(place.local);
        self.writer.number(place.projections.len() as u32);
        for projection in &place.projections {
            match projection {
                Projection::Deref => self.writer.tag(1),
                Projection::Field(field) => {
                    self.writer.tag(2);
                    self.writer.number(*field);
                }
                Projection::Variant(variant) => {
                    self.writer.tag(3);
                    self.writer.number(*variant);
                }
                Projection::Index(local) => {
                    self.writer.tag(4);
                    self.local(*local);
                }
                Projection::ConstantIndex { offset, from_end } => {
                    self.writer.tag(5);
                    self.writer.number(*offset);
                    self.writer.tag(u8::from(*from_end));
                }
                Projection::Subslice { from, to, from_end } => {
                    self.writer.tag(6);
                    self.writer.number(*from);
                    self.writer.number(*to);
                    self.writer.tag(u8::from(*from_end));
                }
                Projection::Cast(ty) => {
                    self.writer.tag(7);
                    self.writer.ty(*ty);
                }
            }
        }
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Read(place) => {
                self.writer.tag(1);
                self.place(place);
            }
            Operand::Const(constant) => {
                self.writer.tag(2);
                self.constant(constant);
            }
        }
    }

    fn constant(&mut self, constant: &Const) {
        let ty = match constant {
            Const::Bits { bits, ty } => {
                self.writer.tag(1);
                self.writer.number(*bits);
                ty
            }
            Const::ZeroSized(ty) => {
                self.writer.tag(2);
                ty
            }
            Const::Pointer { to, offset, meta, ty } => {
                self.writer.tag(3);
                self.writer.pointee(*to);
                self.writer.number(*offset);
                self.writer.meta(*meta);
                ty
            }
            Const::Value { memory, ty } => {
                self.writer.tag(4);
                self.writer.refs.push(Item::Memory(*memory));
                ty
            }
            Const::Generic { computed_by, ty } => {
                self.writer.tag(5);
                self.writer.refs.push(Item::Function(*computed_by));
                ty
            }
            Const::Opaque { text, ty } => {
                self.writer.tag(6);
                self.writer.text(text);
                ty
            }
        };
        self.writer.ty(*ty);
    }

    fn rvalue(&mut self, rvalue: &Rvalue) {
        match rvalue {
            Rvalue::Use(operand) => {
                self.writer.tag(1);
                self.operand(operand);
            }
            Rvalue::Repeat(operand, len) => {
                self.writer.tag(2);
                self.operand(operand);
                self.writer.array_len(len);
            }
            Rvalue::Ref { mutable, place } => {
                self.writer.tag(3);
                self.writer.tag(u8::from(*mutable));
                self.place(place);
            }
            Rvalue::RawPtr { mutable, place } => {
                self.writer.tag(4);
                self.writer.tag(u8::from(*mutable));
                self.place(place);
            }
            Rvalue::ThreadLocal(item) => {
                self.writer.tag(5);
                self.writer.refs.push(Item::Static(*item));
            }
            Rvalue::Cast(kind, operand, ty) => {
                self.writer.tag(6);
                self.cast(*kind);
                self.operand(operand);
                self.writer.ty(*ty);
            }
            Rvalue::Binary(op, left, right) => {
                self.writer.tag(7);
                self.writer.tag(*op as u8);
                self.operand(left);
                self.operand(right);
            }
            Rvalue::Unary(op, operand) => {
                self.writer.tag(8);
                self.writer.tag(*op as u8);
                self.operand(operand);
            }
            Rvalue::Discriminant(place) => {
                self.writer.tag(9);
                self.place(place);
            }
            Rvalue::Aggregate { ty, variant, fields } => {
                self.writer.tag(10);
                self.writer.ty(*ty);
                self.writer.number(*variant);
                self.operands(fields);
            }
            Rvalue::UnionField { ty, field, value } => {
                self.writer.tag(11);
                self.writer.ty(*ty);
                self.writer.number(*field);
                self.operand(value);
            }
        }
    }

    fn cast(&mut self, kind: CastKind) {
        let tag = match kind {
            CastKind::IntToInt => 1,
            CastKind::IntToFloat => 2,
            CastKind::FloatToInt => 3,
            CastKind::FloatToFloat => 4,
            CastKind::PtrToPtr => 5,
            CastKind::PtrToInt => 6,
            CastKind::IntToPtr => 7,
            CastKind::FnToPtr => 8,
            CastKind::Unsize(meta) => {
                self.writer.tag(9);
                return self.writer.meta(meta);
            }
            CastKind::Transmute => 10,
        };
        self.writer.tag(tag);
    }
}

/// What an operation refers to, but for the types of the locals in it.
pub fn mentions(program: &Program, function: &Function, op: &Op) -> Vec<Item> {
    let mut writer = Writer::new(program);
    let locals = function.locals.len() as u32;
    BodyWriter {
        writer: &mut writer,
        function,
        exit: Location(u32::MAX),
        locals: (0..locals).map(Some).collect(),
        next_local: locals,
        locations: vec![None; function.cfa().map_or(0, |cfa| cfa.locations as usize)],
        queue: Vec::new(),
    }
    .op(op);
    writer.refs
}
