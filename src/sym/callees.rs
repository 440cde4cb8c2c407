//! Which functions a call may be of.

use super::execute::{Executor, Frame};
use super::memory::State;
use super::value::{Meta, PointerTarget, Value};
use crate::cfa::{Callee, FnId, Operand, TypeKind};
use crate::reason::{Reason, UnknownCallee};
use crate::solver::Term;

/// A function that a call may be of where the guard holds, and what it is given then.
pub(super) struct Possible {
    pub guard: Term,
    pub id: FnId,
    pub args: Vec<Value>,
}

impl Executor<'_, '_> {
    /// All functions that a call may be of: exactly one of the guards holds.
    pub(super) fn callees(
        &mut self,
        frame: &Frame,
        state: &mut State,
        callee: &Callee,
        args: &[Value],
    ) -> Result<Vec<Possible>, Reason> {
        match callee {
            Callee::Function(id) => {
                let guard = self.terms.bool(true);
                Ok(vec![Possible { guard, id: *id, args: args.to_vec() }])
            }
            Callee::Pointer(operand) => self.pointed_to(frame, state, operand, args),
            Callee::Virtual { slot, .. } => self.methods(args, *slot),
            Callee::Loop { .. } => unreachable!("loops are no functions"),
        }
    }

    fn pointed_to(
        &mut self,
        frame: &Frame,
        state: &mut State,
        operand: &Operand,
        args: &[Value],
    ) -> Result<Vec<Possible>, Reason> {
        let unknown = || Reason::from(UnknownCallee::Function);
        let Value::Pointer(choices) = self.operand(frame, state, operand)? else {
            return Err(unknown());
        };
        let mut found = Vec::new();
        for choice in choices.iter() {
            let PointerTarget::Function(id) = choice.target else { return Err(unknown()) };
            let args = self.with_environment(id, args);
            found.push(Possible { guard: choice.guard, id, args });
        }
        Ok(found)
    }

    /// What a function is given that is called through a pointer: a closure without captures takes
    /// itself too, and the rest as a tuple.
    fn with_environment(&mut self, id: FnId, args: &[Value]) -> Vec<Value> {
        let program = self.code.program;
        let function = program.function(id);
        let params = &function.locals[1..=function.params as usize];
        let closure = params.first().map(|local| local.ty).filter(|ty| {
            matches!(program.ty(*ty).kind, TypeKind::Closure { .. }) && program.is_zero_sized(*ty)
        });
        let conforms = |(arg, local): (&Value, &crate::cfa::Local)| {
            self.shapes.conforms(self.terms, local.ty, arg)
        };
        let fits = args.len() == params.len() && args.iter().zip(params).all(conforms);
        match closure {
            Some(ty) if !fits => vec![self.blank(ty), Value::fields(args.iter().cloned())],
            _ => args.to_vec(),
        }
    }

    /// The methods that a call on a trait object may be of, each with the object that it then is.
    fn methods(&mut self, args: &[Value], slot: u32) -> Result<Vec<Possible>, Reason> {
        let unknown = || Reason::from(UnknownCallee::Method);
        let Some((Value::Pointer(choices), rest)) = args.split_first() else {
            return Err(unknown());
        };
        let mut found = Vec::new();
        for choice in choices.iter() {
            let PointerTarget::Part { meta: Meta::VTable(id), .. } = &choice.target else {
                return Err(unknown());
            };
            let methods = &self.code.program.vtables[id.index()].methods;
            let id = methods.get(slot as usize).copied().flatten().ok_or_else(unknown)?;
            let mut args = vec![Value::pointer(self.terms, choice.target.clone())];
            args.extend(rest.iter().cloned());
            found.push(Possible { guard: choice.guard, id, args });
        }
        Ok(found)
    }
}
