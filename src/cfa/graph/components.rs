//! Strongly connected components: the locations that lie on cycles together.

use super::Graph;
use crate::cfa::Location;

/// The strongly connected components of the reachable locations, each after all it leads to.
///
/// A location on no cycle is a component of its own, as is one with only a self loop.
pub fn components(graph: &Graph) -> Vec<Vec<Location>> {
    let mut search = Search {
        graph,
        low: vec![UNSEEN; graph.len()],
        next: 0,
        open: Vec::new(),
        found: Vec::new(),
    };
    if let Some(&entry) = graph.reverse_postorder().first() {
        search.run(entry);
    }
    search.found
}

const UNSEEN: u32 = u32::MAX;
const CLOSED: u32 = u32::MAX - 1;

/// Tarjan's algorithm, with the path kept by hand: functions can be deeper than a thread's stack.
struct Search<'a> {
    graph: &'a Graph,
    /// The smallest visiting number known to be in a location's component.
    low: Vec<u32>,
    next: u32,
    /// Visited locations whose component is not complete.
    open: Vec<Location>,
    found: Vec<Vec<Location>>,
}

impl Search<'_> {
    fn run(&mut self, root: Location) {
        let mut path = vec![self.visit(root)];
        while let Some(Visit { location, number, next_step }) = path.last_mut() {
            let (location, number) = (*location, *number);
            if let Some(step) = self.graph.successors(location).get(*next_step) {
                *next_step += 1;
                match self.low[step.location.index()] {
                    UNSEEN => path.push(self.visit(step.location)),
                    CLOSED => {}
                    low => self.lower(location, low),
                }
                continue;
            }
            path.pop();
            let low = self.low[location.index()];
            if low == number {
                self.close(location);
            } else if let Some(parent) = path.last() {
                self.lower(parent.location, low);
            }
        }
    }

    fn visit(&mut self, location: Location) -> Visit {
        let number = self.next;
        self.next += 1;
        self.low[location.index()] = number;
        self.open.push(location);
        Visit { location, number, next_step: 0 }
    }

    fn lower(&mut self, location: Location, low: u32) {
        let own = &mut self.low[location.index()];
        *own = low.min(*own);
    }

    fn close(&mut self, first: Location) {
        let start = self.open.iter().rposition(|&open| open == first);
        let component = self.open.split_off(start.expect("an open location"));
        for location in &component {
            self.low[location.index()] = CLOSED;
        }
        self.found.push(component);
    }
}

struct Visit {
    location: Location,
    number: u32,
    next_step: usize,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cfa::graph::testing::{any_cfa, locations, reach};

    proptest! {
        #[test]
        fn a_component_is_what_reaches_each_other(cfa in any_cfa()) {
            let graph = Graph::new(&cfa);
            let mut number = vec![None; graph.len()];
            for (index, component) in components(&graph).iter().enumerate() {
                for location in component {
                    prop_assert_eq!(number[location.index()].replace(index), None);
                }
            }
            let reached: Vec<_> = locations(&graph).map(|start| reach(&graph, start, None)).collect();
            for a in locations(&graph) {
                prop_assert_eq!(number[a.index()].is_some(), graph.is_reachable(a));
                for b in locations(&graph).filter(|&b| graph.is_reachable(a) && graph.is_reachable(b)) {
                    let (there, back) = (reached[a.index()][b.index()], reached[b.index()][a.index()]);
                    prop_assert_eq!(number[a.index()] == number[b.index()], there && back);
                    prop_assert!(!there || number[a.index()] >= number[b.index()]);
                }
            }
        }
    }
}
