//! Constants that pointers point to, as objects.

use std::collections::HashMap;

use super::constants::Constants;
use super::shape::{MAX_ELEMENTS, Shapes};
use super::value::{Object, Value};
use crate::cfa::{MemoryId, StaticId, TyId};
use crate::reason::{Extent, Reason, SharedState};
use crate::solver::Terms;

/// Makes objects of constants when they are first met.
pub(super) struct ConstantObjects<'m, 'p> {
    pub shapes: &'m Shapes<'p>,
    pub next_object: &'m mut u32,
    pub constants: &'m mut HashMap<(MemoryId, TyId, u64), Object>,
    pub statics: &'m mut HashMap<StaticId, Object>,
    pub made: &'m mut HashMap<Object, Value>,
}

impl ConstantObjects<'_, '_> {
    fn add(&mut self, value: Value) -> Object {
        let object = Object(*self.next_object);
        *self.next_object += 1;
        self.made.insert(object, value);
        object
    }
}

impl Constants for ConstantObjects<'_, '_> {
    fn object(&mut self, terms: &mut Terms, memory: MemoryId, ty: TyId) -> Result<Object, Reason> {
        if let Some(known) = self.constants.get(&(memory, ty, 1)) {
            return Ok(*known);
        }
        let content = &self.shapes.program.memories[memory.index()];
        if content.mutable {
            return Err(SharedState::Memory.into());
        }
        let value = self.shapes.from_bytes(terms, self, content, 0, ty)?;
        let object = self.add(value);
        self.constants.insert((memory, ty, 1), object);
        Ok(object)
    }

    fn slice(
        &mut self,
        terms: &mut Terms,
        memory: MemoryId,
        element: TyId,
        length: u64,
    ) -> Result<Object, Reason> {
        let key = (memory, element, length | 1 << 63);
        if let Some(known) = self.constants.get(&key) {
            return Ok(*known);
        }
        let content = &self.shapes.program.memories[memory.index()];
        let Some(size) = self.shapes.size(element).filter(|_| length <= MAX_ELEMENTS) else {
            return Err(Extent::LongConstant.into());
        };
        if content.mutable {
            return Err(SharedState::Memory.into());
        }
        let mut elements = Vec::new();
        for number in 0..length {
            let at = number * size;
            elements.push(self.shapes.from_bytes(terms, self, content, at, element)?);
        }
        let object = self.add(Value::fields(elements));
        self.constants.insert(key, object);
        Ok(object)
    }

    fn bytes(
        &mut self,
        terms: &mut Terms,
        memory: MemoryId,
        length: u64,
    ) -> Result<Object, Reason> {
        let content = &self.shapes.program.memories[memory.index()];
        let bytes = content.bytes.get(..length as usize);
        let Some(bytes) = bytes.filter(|_| length <= MAX_ELEMENTS && !content.mutable) else {
            return Err(Extent::LongConstant.into());
        };
        let bytes: Vec<Value> =
            bytes.iter().map(|byte| Value::Scalar(terms.bits((*byte).into(), 8))).collect();
        Ok(self.add(Value::fields(bytes)))
    }

    fn static_object(&mut self, terms: &mut Terms, id: StaticId) -> Result<Object, Reason> {
        if let Some(known) = self.statics.get(&id) {
            return Ok(*known);
        }
        let found = &self.shapes.program.statics[id.index()];
        let content = found.initial.map(|it| &self.shapes.program.memories[it.index()]);
        match content {
            Some(content) if !content.mutable && !found.thread_local => {
                let value = self.shapes.from_bytes(terms, self, content, 0, found.ty)?;
                let object = self.add(value);
                self.statics.insert(id, object);
                Ok(object)
            }
            _ => Err(SharedState::Static(found.name.as_str().into()).into()),
        }
    }
}
