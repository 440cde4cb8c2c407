//! Natural loops and how they nest.

use super::{DominatorTree, Graph};
use crate::cfa::{EdgeId, Location};

/// A header, and all that leads back to it without passing it.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Dominates the whole body: the only way in.
    pub header: Location,
    /// The header first, in reverse post-order.
    pub body: Vec<Location>,
    /// From the body to the header.
    pub back_edges: Vec<EdgeId>,
    /// From the body to outside of it.
    pub exits: Vec<EdgeId>,
    /// The next larger loop around this one, by its index in [`Loops::all`].
    pub parent: Option<usize>,
}

/// The natural loops of a graph, one a header.
///
/// A cycle with two ways in is no natural loop: only in a graph that is
/// [reducible](super::ReducibleCfa) is every cycle in one of these.
#[derive(Clone, Debug)]
pub struct Loops {
    loops: Vec<Loop>,
    innermost: Vec<Option<usize>>,
}

impl Loops {
    pub fn new(graph: &Graph, dominators: &DominatorTree) -> Loops {
        let mut found = Loops { loops: Vec::new(), innermost: vec![None; graph.len()] };
        // For each loop, one around it that is at least as near as the outermost: a shortcut.
        let mut around = Vec::new();
        for &header in graph.reverse_postorder().iter().rev() {
            let back = graph.predecessors(header).iter();
            let back = back.filter(|step| dominators.dominates(header, step.location));
            let (sources, back_edges): (Vec<_>, Vec<_>) =
                back.map(|step| (step.location, step.edge)).unzip();
            if !back_edges.is_empty() {
                around.push(found.loops.len());
                found.loops.push(Loop {
                    header,
                    body: Vec::new(),
                    back_edges,
                    exits: Vec::new(),
                    parent: None,
                });
                found.claim(graph, sources, &mut around);
            }
        }
        for &location in graph.reverse_postorder() {
            let mut inside = found.innermost[location.index()];
            while let Some(index) = inside {
                found.loops[index].body.push(location);
                inside = found.loops[index].parent;
            }
        }
        for index in 0..found.loops.len() {
            let body = found.loops[index].body.iter();
            let steps = body.flat_map(|&location| graph.successors(location));
            let leaving = steps.filter(|step| !found.contains(index, step.location));
            found.loops[index].exits = leaving.map(|step| step.edge).collect();
        }
        found
    }

    /// The loops, each before those around it.
    pub fn all(&self) -> &[Loop] {
        &self.loops
    }

    /// The smallest loop that a location is in.
    pub fn innermost(&self, location: Location) -> Option<usize> {
        self.innermost[location.index()]
    }

    /// The loops that a location is in, from inside out.
    pub fn around(&self, location: Location) -> impl Iterator<Item = usize> {
        std::iter::successors(self.innermost(location), |&index| self.loops[index].parent)
    }

    /// Whether a loop's body has this location.
    pub fn contains(&self, index: usize, location: Location) -> bool {
        // A loop's index is smaller than those of the loops around it.
        self.around(location).find(|&inside| inside >= index) == Some(index)
    }

    /// Walks back from the sources of the last loop's back edges to its header. What is in an inner
    /// loop is crossed in one step, from that loop's outermost known surrounding.
    fn claim(&mut self, graph: &Graph, sources: Vec<Location>, around: &mut [usize]) {
        let new = self.loops.len() - 1;
        let header = self.loops[new].header;
        self.innermost[header.index()].get_or_insert(new);
        let mut pending = sources;
        while let Some(location) = pending.pop() {
            let crossed = match self.innermost[location.index()] {
                None => {
                    self.innermost[location.index()] = Some(new);
                    location
                }
                Some(inside) => {
                    let outermost = outermost(around, inside);
                    if outermost == new {
                        continue;
                    }
                    self.loops[outermost].parent = Some(new);
                    around[outermost] = new;
                    self.loops[outermost].header
                }
            };
            let steps = graph.predecessors(crossed).iter();
            pending.extend(steps.map(|step| step.location));
        }
    }
}

fn outermost(around: &mut [usize], inside: usize) -> usize {
    let mut outermost = inside;
    while around[outermost] != outermost {
        around[outermost] = around[around[outermost]];
        outermost = around[outermost];
    }
    outermost
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cfa::Cfa;
    use crate::cfa::graph::testing::{any_cfa, cfa, locations, reach};

    fn loops_of(cfa: &Cfa) -> (Graph, Loops) {
        let graph = Graph::new(cfa);
        let loops = Loops::new(&graph, &graph.dominators());
        (graph, loops)
    }

    proptest! {
        #[test]
        fn a_loop_is_what_leads_back_to_its_header(cfa in any_cfa()) {
            let (graph, loops) = loops_of(&cfa);
            let dominators = graph.dominators();
            let is_back = |index: usize| {
                let edge = &cfa.edges[index];
                graph.is_reachable(edge.from) && dominators.dominates(edge.to, edge.from)
            };
            let back = (0..cfa.edges.len()).filter(|&index| is_back(index)).count();
            prop_assert_eq!(loops.all().iter().map(|found| found.back_edges.len()).sum::<usize>(), back);
            for (index, found) in loops.all().iter().enumerate() {
                for location in locations(&graph).filter(|&location| graph.is_reachable(location)) {
                    let reached = reach(&graph, location, Some(found.header));
                    let leads_back = location == found.header
                        || found.back_edges.iter().any(|edge| reached[cfa.edges[edge.index()].from.index()]);
                    prop_assert_eq!(found.body.contains(&location), leads_back);
                    prop_assert_eq!(loops.contains(index, location), leads_back);
                }
                for (number, edge) in cfa.edges.iter().enumerate() {
                    let leaves = found.body.contains(&edge.from) && !found.body.contains(&edge.to);
                    prop_assert_eq!(found.exits.contains(&EdgeId(number as u32)), leaves);
                }
                let around = loops.all().iter().enumerate().skip(index + 1);
                let mut around = around.filter(|(_, other)| other.body.contains(&found.header));
                prop_assert_eq!(found.parent, around.next().map(|(other, _)| other));
            }
        }
    }

    #[test]
    fn two_ways_back_to_one_header_are_one_loop() {
        let (_, loops) = loops_of(&cfa(4, &[(0, 1), (1, 0), (1, 2), (2, 0), (2, 3)]));
        assert_eq!(loops.all().len(), 1);
        assert_eq!(loops.all()[0].back_edges, [EdgeId(1), EdgeId(3)]);
    }

    #[test]
    fn a_location_with_a_self_loop_is_a_loop() {
        let (_, loops) = loops_of(&cfa(3, &[(0, 1), (1, 1), (1, 2)]));
        assert_eq!(loops.all()[0].body, [Location(1)]);
        assert_eq!(loops.all()[0].exits, [EdgeId(2)]);
    }
}
