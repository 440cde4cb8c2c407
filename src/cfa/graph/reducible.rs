//! Automata in which every cycle has one way in.

use super::{DominatorTree, Graph, Loops};
use crate::cfa::{Cfa, EdgeId};

/// An automaton whose cycles are all natural loops, in its clean-up code too.
///
/// Rust has no `goto`, so what the compiler makes of source code is reducible but for rare
/// optimisations; what needs it takes this type.
#[derive(Clone, Debug)]
pub struct ReducibleCfa<'a> {
    cfa: &'a Cfa,
    graph: Graph,
    dominators: DominatorTree,
    loops: Loops,
}

/// An edge that leads back into a cycle other than through a loop's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Irreducible {
    pub edge: EdgeId,
}

impl<'a> ReducibleCfa<'a> {
    /// Fails also if clean-up leads back to what it cleans up after: a loop would be left by way of
    /// a panic and still go on.
    pub fn new(cfa: &'a Cfa) -> Result<ReducibleCfa<'a>, Irreducible> {
        let graph = Graph::with_unwinding(cfa);
        let dominators = graph.dominators();
        for (from, step) in graph.steps() {
            let retreats = graph.position(step.location) <= graph.position(from);
            if retreats && !dominators.dominates(step.location, from) {
                return Err(Irreducible { edge: step.edge });
            }
        }
        let loops = Loops::new(&graph, &dominators);
        for (from, step) in graph.steps() {
            let unwinds = cfa.edges[step.edge.index()].op.unwind() == Some(step.location);
            let mut around = loops.around(from);
            if unwinds && around.any(|index| loops.contains(index, step.location)) {
                return Err(Irreducible { edge: step.edge });
            }
        }
        Ok(ReducibleCfa { cfa, graph, dominators, loops })
    }

    pub fn cfa(&self) -> &'a Cfa {
        self.cfa
    }

    /// The graph with unwinding.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub fn dominators(&self) -> &DominatorTree {
        &self.dominators
    }

    /// The loops, those of clean-up among them.
    pub fn loops(&self) -> &Loops {
        &self.loops
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cfa::graph::components;
    use crate::cfa::graph::testing::{any_cfa, cfa};
    use crate::cfa::{Location, Op};

    proptest! {
        #[test]
        fn reducible_is_what_has_no_cycle_without_back_edges(cfa in any_cfa()) {
            let graph = Graph::new(&cfa);
            let dominators = graph.dominators();
            let mut forward = cfa.clone();
            forward.edges.retain(|edge| !dominators.dominates(edge.to, edge.from));
            let acyclic = components(&Graph::new(&forward)).iter().all(|part| part.len() == 1);
            prop_assert_eq!(ReducibleCfa::new(&cfa).is_ok(), acyclic);
        }
    }

    #[test]
    fn a_cycle_with_two_ways_in_is_refused_with_the_edge() {
        let cfa = cfa(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (1, 3)]);
        let Irreducible { edge } = ReducibleCfa::new(&cfa).unwrap_err();
        assert!([EdgeId(2), EdgeId(3)].contains(&edge));
    }

    #[test]
    fn clean_up_that_leads_back_is_refused() {
        let mut cfa = cfa(3, &[(0, 2), (1, 0)]);
        cfa.edges[0].op = Op::Panic { unwind: Some(Location(1)) };
        assert_eq!(ReducibleCfa::new(&cfa).unwrap_err(), Irreducible { edge: EdgeId(0) });
    }
}
