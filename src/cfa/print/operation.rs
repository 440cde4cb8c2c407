//! The operation of an edge, as Rust would write it where Rust can.

use super::constant::scalar;
use super::place::Writer;
use crate::cfa::{
    ArrayLen, BinaryOp, Call, Callee, CastKind, Condition, Op, Operand, Rvalue, TyId, TypeKind,
    UnaryOp, Variant,
};

impl Writer<'_> {
    pub fn op(&mut self, op: &Op) {
        match op {
            Op::Nop => self.text("nop"),
            Op::Assign(place, value) => {
                self.place(place);
                self.text(" = ");
                self.rvalue(value);
            }
            Op::SetDiscriminant(place, variant) => {
                self.text("set variant of ");
                self.place(place);
                self.text(format!(" to {variant}"));
            }
            Op::Assume(condition) => {
                self.text("assume ");
                self.condition(condition);
            }
            Op::Call(call) => self.call(call),
            Op::Panic { .. } => self.text("panic"),
            Op::Resume => self.text("resume panic"),
            Op::Abort => self.text("abort"),
            Op::Unreachable => self.text("unreachable"),
            Op::CopyMemory { from, to, count } => {
                self.text("copy ");
                self.operand(count);
                self.text(" from ");
                self.operand(from);
                self.text(" to ");
                self.operand(to);
            }
            Op::Unsupported { reason, reads, writes } => {
                self.text(format!("unsupported ({reason})"));
                if !reads.is_empty() {
                    self.text(" reads ");
                    self.list(reads, |writer, operand| writer.operand(operand));
                }
                if !writes.is_empty() {
                    self.text(" writes ");
                    self.list(writes, |writer, place| writer.place(place));
                }
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        let (Condition::Equals(operand, _) | Condition::NoneOf(operand, _)) = condition;
        let ty = self.scope.operand_type(operand);
        let program = self.scope.program;
        let is_bool = ty.is_some_and(|ty| program.ty(ty).kind == TypeKind::Bool);
        let value = |bits: &u128| scalar(program, ty, *bits);
        let after = match condition {
            Condition::Equals(_, bits @ (0 | 1)) if is_bool => {
                self.text(if *bits == 0 { "!" } else { "" });
                String::new()
            }
            Condition::NoneOf(_, values) if is_bool && values[..] == [0] => String::new(),
            Condition::NoneOf(_, values) if is_bool && values[..] == [1] => {
                self.text("!");
                String::new()
            }
            Condition::Equals(_, bits) => format!(" == {}", value(bits)),
            Condition::NoneOf(_, values) if values.len() == 1 => {
                format!(" != {}", value(&values[0]))
            }
            Condition::NoneOf(_, values) => {
                let values: Vec<_> = values.iter().map(value).collect();
                format!(" is none of {}", values.join(", "))
            }
        };
        self.operand(operand);
        self.text(after);
    }

    fn call(&mut self, call: &Call) {
        if !self.scope.is_unit(&call.result) {
            self.place(&call.result);
            self.text(" = ");
        }
        self.text("call ");
        match &call.callee {
            Callee::Function(id) => self.text(&self.scope.program.function(*id).name),
            Callee::Pointer(operand) => {
                self.text("*");
                self.operand(operand);
            }
            Callee::Virtual { method, .. } => self.text(format!("dyn {method}")),
            Callee::Loop { id, .. } => self.text(format!("loop {}", id.0)),
        }
        self.text("(");
        self.list(&call.args, |writer, operand| writer.operand(operand));
        self.text(")");
        if let Callee::Loop { writes, .. } = &call.callee
            && !writes.is_empty()
        {
            self.text(" changing ");
            self.list(writes, |writer, &local| writer.local(local));
        }
    }

    fn rvalue(&mut self, value: &Rvalue) {
        match value {
            Rvalue::Use(operand) => self.operand(operand),
            Rvalue::Repeat(operand, length) => {
                self.text("[");
                self.operand(operand);
                self.text(match length {
                    ArrayLen::Known(length) => format!("; {length}]"),
                    ArrayLen::Generic(length) => format!("; {length}]"),
                });
            }
            Rvalue::Ref { mutable, place } => {
                self.text(if *mutable { "&mut " } else { "&" });
                self.place(place);
            }
            Rvalue::RawPtr { mutable, place } => {
                self.text(if *mutable { "&raw mut " } else { "&raw const " });
                self.place(place);
            }
            Rvalue::ThreadLocal(id) => {
                let name = &self.scope.program.statics[id.index()].name;
                self.text(format!("&thread_local {name}"));
            }
            Rvalue::Cast(kind, operand, ty) => self.cast(*kind, operand, *ty),
            Rvalue::Binary(op, left, right) => self.binary(*op, left, right),
            Rvalue::Unary(op, operand) => {
                let (before, after) = match op {
                    UnaryOp::Not => ("!", ""),
                    UnaryOp::Neg => ("-", ""),
                    UnaryOp::PtrMetadata => ("metadata(", ")"),
                };
                self.text(before);
                self.operand(operand);
                self.text(after);
            }
            Rvalue::Discriminant(place) => {
                self.text("discriminant(");
                self.place(place);
                self.text(")");
            }
            Rvalue::Aggregate { ty, variant, fields } => self.aggregate(*ty, *variant, fields),
            Rvalue::UnionField { ty, field, value } => {
                let ty = self.scope.program.ty(*ty);
                let name = match &ty.kind {
                    TypeKind::Union(variant) => field_name(Some(variant), *field as usize),
                    _ => field.to_string(),
                };
                self.text(format!("{} {{ {name}: ", ty.name));
                self.operand(value);
                self.text(" }");
            }
        }
    }

    fn cast(&mut self, kind: CastKind, operand: &Operand, ty: TyId) {
        let name = self.scope.type_name(ty);
        if kind == CastKind::Transmute {
            self.text("transmute(");
            self.operand(operand);
            self.text(format!(") as {name}"));
        } else {
            self.operand(operand);
            self.text(format!(" as {name}"));
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Operand, right: &Operand) {
        let (before, between, after) = match op {
            BinaryOp::Add => ("", " + ", ""),
            BinaryOp::Sub => ("", " - ", ""),
            BinaryOp::Mul => ("", " * ", ""),
            BinaryOp::AddWithOverflow => ("overflowing(", " + ", ")"),
            BinaryOp::SubWithOverflow => ("overflowing(", " - ", ")"),
            BinaryOp::MulWithOverflow => ("overflowing(", " * ", ")"),
            BinaryOp::Div => ("", " / ", ""),
            BinaryOp::Rem => ("", " % ", ""),
            BinaryOp::BitXor => ("", " ^ ", ""),
            BinaryOp::BitAnd => ("", " & ", ""),
            BinaryOp::BitOr => ("", " | ", ""),
            BinaryOp::Shl => ("", " << ", ""),
            BinaryOp::Shr => ("", " >> ", ""),
            BinaryOp::Eq => ("", " == ", ""),
            BinaryOp::Lt => ("", " < ", ""),
            BinaryOp::Le => ("", " <= ", ""),
            BinaryOp::Ne => ("", " != ", ""),
            BinaryOp::Ge => ("", " >= ", ""),
            BinaryOp::Gt => ("", " > ", ""),
            BinaryOp::Cmp => ("cmp(", ", ", ")"),
            BinaryOp::Offset => ("offset(", ", ", ")"),
        };
        self.text(before);
        self.operand(left);
        self.text(between);
        self.operand(right);
        self.text(after);
    }

    fn aggregate(&mut self, ty: TyId, number: u32, fields: &[Operand]) {
        let ty = self.scope.program.ty(ty);
        let variant = match &ty.kind {
            TypeKind::Array(..) => {
                self.text("[");
                self.list(fields, |writer, operand| writer.operand(operand));
                return self.text("]");
            }
            TypeKind::Tuple(_) => None,
            TypeKind::Struct(variant) => {
                self.text(&ty.name);
                Some(variant)
            }
            TypeKind::Enum(variants) => {
                let variant = variants.get(number as usize);
                let name = variant.map_or(number.to_string(), |variant| variant.name.clone());
                self.text(format!("{}::{name}", ty.name));
                variant
            }
            _ => {
                self.text(&ty.name);
                None
            }
        };
        let starts_like_name =
            |name: String| !name.starts_with(|first: char| first.is_ascii_digit());
        if !fields.is_empty() && variant.is_some() && starts_like_name(field_name(variant, 0)) {
            self.text(" { ");
            let named: Vec<_> = fields.iter().enumerate().collect();
            self.list(&named, |writer, (index, operand)| {
                writer.text(format!("{}: ", field_name(variant, *index)));
                writer.operand(operand);
            });
            self.text(" }");
        } else if !fields.is_empty() || matches!(ty.kind, TypeKind::Tuple(_)) {
            self.text("(");
            self.list(fields, |writer, operand| writer.operand(operand));
            self.text(")");
        }
    }
}

fn field_name(variant: Option<&Variant>, index: usize) -> String {
    let field = variant.and_then(|variant| variant.fields.get(index));
    field.map_or(index.to_string(), |field| field.name.clone())
}
