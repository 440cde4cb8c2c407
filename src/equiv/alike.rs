//! Parts of functions that are the same but for the locals they work on.

use std::collections::HashMap;

use super::matching::{Matched, Matching};
use crate::cfa::{
    Call, Callee, Const, Edge, LocalId, LoopId, Memory, MemoryId, Op, Operand, Program, Span, TyId,
};
use crate::sym::{Called, Ready};
use crate::version::{Both, Version};

/// What a part of a function does, whatever its locals are called: equal texts do the same.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Text {
    edges: Vec<Edge>,
    params: Vec<LocalId>,
    results: Vec<LocalId>,
    shared: Vec<LocalId>,
    exits: u32,
    /// Those of the locals, and whether they are the function's parameters.
    types: Vec<(TyId, bool)>,
    /// The loops inside it, by new numbers.
    loops: Vec<Text>,
}

/// Stands for all pairs of parts that are alike on both sides: what is known of one holds for all.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Likeness(Both<Text>);

impl Likeness {
    /// None for what is no part of a function.
    pub fn new(matching: &Matching, matched: Matched) -> Option<Likeness> {
        let text = |version: Version| {
            let Called::Loop(id, number) = matched[version] else { return None };
            let ready = matching.codes[version].ready(id).ok()?;
            let program = matching.codes[version].program;
            let mut naming = Naming {
                program,
                ready: &ready,
                params: program.function(id).params,
                names: HashMap::new(),
                types: Vec::new(),
            };
            let mut text = naming.text(number);
            text.types = naming.types;
            Some(text)
        };
        Some(Likeness(Both::from_fn(text).transpose()?))
    }
}

/// Numbers locals in the order in which they are met.
struct Naming<'r> {
    program: &'r Program,
    ready: &'r Ready,
    /// How many locals after the first are parameters of the function.
    params: u32,
    names: HashMap<LocalId, LocalId>,
    types: Vec<(TyId, bool)>,
}

impl Naming<'_> {
    fn name(&mut self, local: LocalId) -> LocalId {
        let next = LocalId(self.names.len() as u32);
        *self.names.entry(local).or_insert_with(|| {
            let is_param = (1..=self.params).contains(&local.0);
            self.types.push((self.ready.locals[local.index()].ty, is_param));
            next
        })
    }

    fn names(&mut self, locals: &[LocalId]) -> Vec<LocalId> {
        locals.iter().map(|&local| self.name(local)).collect()
    }

    /// The first constant with the same content.
    fn same_value(&self, id: MemoryId) -> MemoryId {
        let memories = &self.program.memories;
        let same = |it: &&Memory| **it == memories[id.index()];
        let first = memories.iter().zip(0..).find(|(it, _)| same(it));
        first.map_or(id, |(_, index)| MemoryId(index))
    }

    fn text(&mut self, number: LoopId) -> Text {
        let found = self.ready.a_loop(number);
        let mut called = vec![number];
        let mut edges = Vec::new();
        for edge in found.body.all_edges() {
            let mut edge = Edge { span: Span::UNKNOWN, ..edge.clone() };
            edge.op.places_mut(&mut |place, _| {
                place.locals_mut(&mut |local| *local = self.name(*local));
            });
            edge.op.operands_mut(&mut |operand| {
                if let Operand::Const(Const::Value { memory, .. }) = operand {
                    *memory = self.same_value(*memory);
                }
            });
            if let Op::Call(Call { callee: Callee::Loop { id, writes }, .. }) = &mut edge.op {
                *writes = self.names(writes);
                // A loop calls itself and those inside of it.
                let known = called.iter().position(|it| it == id);
                let at = known.unwrap_or(called.len());
                if known.is_none() {
                    called.push(*id);
                }
                *id = LoopId(at as u32);
            }
            edges.push(edge);
        }
        let (params, results) = (self.names(&found.params), self.names(&found.results));
        let shared = self.names(&found.shared);
        let loops = called.into_iter().skip(1).map(|id| self.text(id)).collect();
        Text { edges, params, results, shared, exits: found.exits, types: Vec::new(), loops }
    }
}
