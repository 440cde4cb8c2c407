//! Which location leads to which, from both ends.

use crate::cfa::{Cfa, EdgeId, Location};

/// The locations that control can come to and the steps between them, built once from a [`Cfa`].
///
/// Locations keep their numbers. What is unreachable has no steps, and no reachable location has a
/// predecessor that is not reachable.
#[derive(Clone, Debug)]
pub struct Graph {
    exit: Location,
    ends: Vec<(Location, Location)>,
    successors: Adjacency,
    predecessors: Adjacency,
    reverse_postorder: Vec<Location>,
    /// Where a location stands in `reverse_postorder`.
    position: Vec<Option<u32>>,
}

/// A way to go on from a location (among its successors) or to have come to it (among its
/// predecessors).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub edge: EdgeId,
    /// The location at the other end.
    pub location: Location,
}

impl Graph {
    /// The graph of what runs while nothing unwinds.
    pub fn new(cfa: &Cfa) -> Graph {
        Graph::build(cfa, edges(cfa).collect())
    }

    /// The same with a step from each operation that can panic to the clean-up that follows then.
    pub fn with_unwinding(cfa: &Cfa) -> Graph {
        let unwind = |(from, Step { edge, .. }): (Location, Step)| {
            let location = cfa.edges[edge.index()].op.unwind()?;
            Some((from, Step { edge, location }))
        };
        Graph::build(cfa, edges(cfa).chain(edges(cfa).filter_map(unwind)).collect())
    }

    /// The graph without the operations that end the function other than by returning, and without
    /// what can only come to one of those.
    ///
    /// A check of an index or of an overflow is a way out of everything around it. Here it is none,
    /// so that there are loops and regions around code with such checks.
    pub fn without_panics(cfa: &Cfa) -> Graph {
        let all = Adjacency::new(cfa.locations as usize, edges(cfa).collect());
        let incoming = all.reversed();
        let mut ways_on: Vec<_> = locations(cfa).map(|from| all.of(from).len()).collect();
        let mut dropped = vec![false; cfa.edges.len()];
        let ends = |&index: &usize| cfa.edges[index].op.ends_function();
        let mut pending: Vec<_> = (0..cfa.edges.len()).filter(ends).collect();
        while let Some(index) = pending.pop() {
            if std::mem::replace(&mut dropped[index], true) {
                continue;
            }
            let from = cfa.edges[index].from;
            ways_on[from.index()] -= 1;
            if ways_on[from.index()] == 0 {
                let steps = incoming.of(from).iter();
                pending.extend(steps.map(|step| step.edge.index()));
            }
        }
        let kept = edges(cfa).filter(|(_, step)| !dropped[step.edge.index()]);
        Graph::build(cfa, kept.collect())
    }

    /// The final location, whether or not it is reachable.
    pub fn exit(&self) -> Location {
        self.exit
    }

    /// How many locations the automaton has, reachable or not.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    pub fn successors(&self, location: Location) -> &[Step] {
        self.successors.of(location)
    }

    pub fn predecessors(&self, location: Location) -> &[Step] {
        self.predecessors.of(location)
    }

    pub fn is_reachable(&self, location: Location) -> bool {
        self.position[location.index()].is_some()
    }

    /// Where an edge starts and where it leads if nothing unwinds; none for an unreachable one.
    pub fn ends(&self, edge: EdgeId) -> Option<(Location, Location)> {
        let ends = self.ends.get(edge.index()).copied();
        ends.filter(|&(from, _)| self.is_reachable(from))
    }

    /// The reachable locations, each after all that lead to it but for the cycles: a topological
    /// order if there are none.
    pub fn reverse_postorder(&self) -> &[Location] {
        &self.reverse_postorder
    }

    /// Where a location stands in the reverse post-order.
    pub fn position(&self, location: Location) -> Option<usize> {
        self.position[location.index()].map(|position| position as usize)
    }

    /// The steps of the graph, as the location they start from and the step.
    pub fn steps(&self) -> impl Iterator<Item = (Location, Step)> {
        self.reverse_postorder
            .iter()
            .flat_map(|&from| self.successors(from).iter().map(move |&step| (from, step)))
    }

    pub(super) fn adjacency(&self) -> (&Adjacency, &Adjacency) {
        (&self.successors, &self.predecessors)
    }

    fn build(cfa: &Cfa, steps: Vec<(Location, Step)>) -> Graph {
        let size = cfa.locations as usize;
        let mut successors = Adjacency::new(size, steps);
        let reverse_postorder = reverse_postorder(Cfa::ENTRY, size, |from| {
            successors.of(from).iter().map(|step| step.location).collect()
        });
        let mut position = vec![None; size];
        for (index, location) in reverse_postorder.iter().enumerate() {
            position[location.index()] = Some(index as u32);
        }
        if reverse_postorder.len() < size {
            let reachable = successors.pairs().filter(|(from, _)| position[from.index()].is_some());
            successors = Adjacency::new(size, reachable.collect());
        }
        let predecessors = successors.reversed();
        Graph {
            exit: cfa.exit(),
            ends: cfa.edges.iter().map(|edge| (edge.from, edge.to)).collect(),
            successors,
            predecessors,
            reverse_postorder,
            position,
        }
    }
}

/// Steps sorted by the location they start from.
#[derive(Clone, Debug)]
pub(super) struct Adjacency {
    /// The steps of location `n` are `steps[starts[n]..starts[n + 1]]`.
    starts: Vec<u32>,
    steps: Vec<Step>,
}

impl Adjacency {
    pub(super) fn new(size: usize, pairs: Vec<(Location, Step)>) -> Adjacency {
        let mut starts = vec![0; size + 1];
        for (from, _) in &pairs {
            starts[from.index() + 1] += 1;
        }
        for index in 0..size {
            starts[index + 1] += starts[index];
        }
        let unset = Step { edge: EdgeId(u32::MAX), location: Location(u32::MAX) };
        let mut steps = vec![unset; pairs.len()];
        let mut next = starts.clone();
        for (from, step) in pairs {
            steps[next[from.index()] as usize] = step;
            next[from.index()] += 1;
        }
        Adjacency { starts, steps }
    }

    pub(super) fn size(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn of(&self, location: Location) -> &[Step] {
        let start = self.starts[location.index()] as usize;
        let end = self.starts[location.index() + 1] as usize;
        &self.steps[start..end]
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (Location, Step)> {
        (0..self.size() as u32)
            .map(Location)
            .flat_map(|from| self.of(from).iter().map(move |&step| (from, step)))
    }

    pub(super) fn reversed(&self) -> Adjacency {
        let reversed = self.pairs().map(|(location, Step { edge, location: to })| {
            let step = Step { edge, location };
            (to, step)
        });
        Adjacency::new(self.size(), reversed.collect())
    }
}

fn locations(cfa: &Cfa) -> impl Iterator<Item = Location> + use<> {
    (0..cfa.locations).map(Location)
}

fn edges(cfa: &Cfa) -> impl Iterator<Item = (Location, Step)> {
    cfa.edges.iter().enumerate().map(|(index, edge)| {
        let step = Step { edge: EdgeId(index as u32), location: edge.to };
        (edge.from, step)
    })
}

/// What a location leads to comes in the order that `successors` gives, as far as it can.
pub(super) fn reverse_postorder(
    root: Location,
    size: usize,
    successors: impl Fn(Location) -> Vec<Location>,
) -> Vec<Location> {
    let mut order = Vec::new();
    let mut seen = vec![false; size];
    seen[root.index()] = true;
    // What is left of a list is visited from its end, so that in the result its start comes first.
    let mut path = vec![(root, successors(root))];
    while let Some((location, left)) = path.last_mut() {
        match left.pop() {
            Some(next) => {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    path.push((next, successors(next)));
                }
            }
            None => {
                order.push(*location);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::graph::testing::cfa;

    #[test]
    fn parallel_edges_and_self_loops_are_steps_of_their_own() {
        let graph = Graph::new(&cfa(3, &[(0, 1), (0, 1), (1, 1), (1, 2)]));
        let edges = |steps: &[Step]| steps.iter().map(|step| step.edge.0).collect::<Vec<_>>();
        assert_eq!(edges(graph.successors(Location(0))), [0, 1]);
        assert_eq!(edges(graph.successors(Location(1))), [2, 3]);
        assert_eq!(edges(graph.predecessors(Location(1))), [0, 1, 2]);
    }

    #[test]
    fn what_is_unreachable_is_nobodys_predecessor() {
        let graph = Graph::new(&cfa(4, &[(0, 2), (1, 2), (2, 3)]));
        assert!(!graph.is_reachable(Location(1)));
        assert_eq!(graph.successors(Location(1)), []);
        assert_eq!(graph.predecessors(Location(2)).len(), 1);
        assert_eq!(graph.reverse_postorder(), [Location(0), Location(2), Location(3)]);
    }

    #[test]
    fn what_can_only_panic_is_left_out_when_asked_for() {
        let mut cfa = cfa(5, &[(0, 1), (0, 2), (2, 3), (3, 4), (1, 4)]);
        cfa.edges[3].op = crate::cfa::Op::Panic { unwind: None };
        let graph = Graph::without_panics(&cfa);
        let (left_out, kept) = ([2, 3].map(Location), [0, 1, 4].map(Location));
        assert!(left_out.iter().all(|&location| !graph.is_reachable(location)));
        assert!(kept.iter().all(|&location| graph.is_reachable(location)));
    }

    #[test]
    fn clean_up_is_reachable_only_when_asked_for() {
        let mut cfa = cfa(3, &[(0, 2), (1, 2)]);
        cfa.edges[0].op = crate::cfa::Op::Panic { unwind: Some(Location(1)) };
        assert!(!Graph::new(&cfa).is_reachable(Location(1)));
        assert!(Graph::with_unwinding(&cfa).is_reachable(Location(1)));
    }
}
