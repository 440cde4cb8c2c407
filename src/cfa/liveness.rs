//! Which locals matter at a location: what an operation does with locals, and what follows from it.

use fixedbitset::FixedBitSet;

use super::graph::{Graph, Step};
use super::visit::Use;
use super::{Call, Callee, Cfa, LocalId, Location, Op};

/// What can matter of the locals at each reachable location.
///
/// Errs by calling too many locals live or exposed.
#[derive(Clone, Debug)]
pub struct Liveness {
    live: Vec<FixedBitSet>,
    exposed: Vec<FixedBitSet>,
}

/// What an operation does with locals by name; what it does through pointers is not in here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub reads: Vec<LocalId>,
    /// Those that it may write, in whole or in part.
    pub writes: Vec<LocalId>,
    /// The one that has no part of its former value left, unless the operation unwinds.
    pub overwrites: Option<LocalId>,
    /// Those whose address it takes.
    pub exposes: Vec<LocalId>,
}

impl Liveness {
    /// The graph is the one [with unwinding](Graph::with_unwinding), or clean-up does not count.
    pub fn new(cfa: &Cfa, graph: &Graph, locals: usize) -> Liveness {
        let accesses: Vec<_> = cfa.edges.iter().map(|edge| Access::of(&edge.op)).collect();
        let exposed = exposed(graph, &accesses, locals);
        let mut live = live(cfa, graph, &accesses, locals);
        for (live, exposed) in live.iter_mut().zip(&exposed) {
            live.union_with(exposed);
        }
        Liveness { live, exposed }
    }

    /// The locals whose value may be read from here on, by name or through a pointer.
    pub fn live(&self, location: Location) -> &FixedBitSet {
        &self.live[location.index()]
    }

    /// The locals whose address may have been taken on the way here: pointers can read and write
    /// them. The address of any other local is not known to anyone yet.
    pub fn exposed(&self, location: Location) -> &FixedBitSet {
        &self.exposed[location.index()]
    }
}

fn exposed(graph: &Graph, accesses: &[Access], locals: usize) -> Vec<FixedBitSet> {
    let mut exposed = vec![FixedBitSet::with_capacity(locals); graph.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (from, Step { edge, location }) in graph.steps() {
            let mut after = exposed[from.index()].clone();
            after.extend(accesses[edge.index()].exposes.iter().map(|id| id.index()));
            changed |= grow(&mut exposed[location.index()], &after);
        }
    }
    exposed
}

fn live(cfa: &Cfa, graph: &Graph, accesses: &[Access], locals: usize) -> Vec<FixedBitSet> {
    let mut live = vec![FixedBitSet::with_capacity(locals); graph.len()];
    let result = 0;
    live[graph.exit().index()].grow_and_insert(result);
    let mut changed = true;
    while changed {
        changed = false;
        for &from in graph.reverse_postorder().iter().rev() {
            for &Step { edge, location } in graph.successors(from) {
                let access = &accesses[edge.index()];
                let op = &cfa.edges[edge.index()].op;
                let mut before = live[location.index()].clone();
                if op.unwind() == Some(location) {
                    // Nothing has been written.
                } else if op.ends_function() {
                    before.clear();
                } else if let Some(overwritten) = access.overwrites {
                    before.remove(overwritten.index());
                }
                before.extend(access.reads.iter().map(|id| id.index()));
                changed |= grow(&mut live[from.index()], &before);
            }
        }
    }
    live
}

fn grow(set: &mut FixedBitSet, by: &FixedBitSet) -> bool {
    let grows = !by.is_subset(set);
    if grows {
        set.union_with(by);
    }
    grows
}

impl Access {
    pub fn of(op: &Op) -> Access {
        let mut access = Access::default();
        op.places(&mut |place, kind| {
            access.reads.extend(place.index_locals());
            if place.derefs() || matches!(kind, Use::Read | Use::Address) {
                access.reads.push(place.local);
            }
            if place.derefs() {
                return;
            }
            match kind {
                Use::Read => {}
                Use::Address => access.exposes.push(place.local),
                // How a variant is stored may leave the rest of the value as it is.
                Use::Write | Use::Update => access.writes.push(place.local),
            }
        });
        match op {
            Op::Assign(place, _) | Op::Call(Call { result: place, .. }) => {
                access.overwrites = place.as_local();
            }
            // Others may write in part.
            _ => {}
        }
        if let Op::Call(Call { callee: Callee::Loop { writes, .. }, .. }) = op {
            access.writes.extend(writes);
        }
        access
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::{Const, Edge, Operand, Place, Projection, Rvalue, Span, TyId};

    fn constant() -> Operand {
        Operand::Const(Const::ZeroSized(TyId(0)))
    }

    fn read(local: u32) -> Operand {
        Operand::Read(Place::local(LocalId(local)))
    }

    fn set(local: u32, value: Operand) -> Op {
        Op::Assign(Place::local(LocalId(local)), Rvalue::Use(value))
    }

    fn part(local: u32, projection: Projection) -> Place {
        Place { local: LocalId(local), projections: vec![projection] }
    }

    /// The operations in a row, then clean-up that reads local 9 and goes on with the panic.
    fn liveness(mut ops: Vec<Op>) -> Liveness {
        let clean_up = ops.len();
        ops.extend([set(8, read(9)), Op::Resume]);
        let last = Location(ops.len() as u32);
        let edges = ops.into_iter().enumerate().map(|(from, op)| Edge {
            from: Location(from as u32),
            to: if from + 1 == clean_up { last } else { Location(from as u32 + 1) },
            op,
            span: Span::UNKNOWN,
        });
        let cfa = Cfa { locations: last.0 + 1, edges: edges.collect() };
        Liveness::new(&cfa, &Graph::with_unwinding(&cfa), 10)
    }

    fn live(liveness: &Liveness, location: u32) -> Vec<usize> {
        liveness.live(Location(location)).ones().collect()
    }

    #[test]
    fn a_local_is_live_from_its_definition_to_its_last_use() {
        let liveness = liveness(vec![set(1, constant()), set(2, constant()), set(0, read(1))]);
        assert_eq!(live(&liveness, 0), [0usize; 0]);
        assert_eq!(live(&liveness, 1), [1]);
        assert_eq!(live(&liveness, 2), [1]);
    }

    #[test]
    fn writing_a_field_keeps_the_rest_of_the_local_live() {
        let field = Op::Assign(part(1, Projection::Field(0)), Rvalue::Use(constant()));
        assert_eq!(live(&liveness(vec![field, set(0, read(1))]), 0), [1]);
    }

    #[test]
    fn writing_through_a_pointer_reads_the_pointer() {
        let through = Op::Assign(part(1, Projection::Deref), Rvalue::Use(constant()));
        assert_eq!(live(&liveness(vec![through, set(0, constant())]), 0), [1]);
    }

    #[test]
    fn an_index_is_read_even_where_the_place_is_written() {
        let element = Op::Assign(part(1, Projection::Index(LocalId(2))), Rvalue::Use(constant()));
        assert_eq!(live(&liveness(vec![element, set(0, constant())]), 0), [2]);
    }

    #[test]
    fn an_exposed_local_stays_live_though_nobody_names_it() {
        let expose = Op::Assign(
            Place::local(LocalId(2)),
            Rvalue::Ref { mutable: true, place: part(1, Projection::Field(0)) },
        );
        let liveness =
            liveness(vec![set(1, constant()), expose, set(1, constant()), set(0, constant())]);
        assert_eq!(live(&liveness, 0), [0usize; 0]);
        assert_eq!(live(&liveness, 1), [1]);
        assert_eq!(live(&liveness, 3), [1]);
        assert!(!liveness.exposed(Location(1)).contains(1));
        assert!(liveness.exposed(Location(2)).contains(1));
    }

    #[test]
    fn a_call_that_unwinds_has_not_written_its_result() {
        let call = Op::Call(Call {
            callee: Callee::Pointer(read(3)),
            args: vec![read(4)],
            result: Place::local(LocalId(9)),
            unwind: Some(Location(2)),
        });
        assert_eq!(live(&liveness(vec![call, set(0, read(9))]), 0), [3, 4, 9]);
    }
}
