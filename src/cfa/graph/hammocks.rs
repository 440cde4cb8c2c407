//! Hammocks (2clever, section 2.3): the parts of a function that could be functions of their own.

use super::{DominatorTree, Graph, Loops};
use crate::cfa::{EdgeId, Location};

/// A part of the graph with one way in and one way out.
///
/// Control comes in only at `entry` and, unless it stays inside for ever or the function ends in
/// there, goes out only to `exit`. The paper also wants the entry to dominate the exit; without
/// that the part can be taken out all the same, and one arm of an `if` is such a part.
///
/// If entry and exit are the same location, the part is one turn of a loop that is left only at its
/// header: the paper's cycle-broken candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hammock {
    pub entry: Location,
    pub exit: Location,
    /// Sorted; the entry is among them, the exit only if it is the entry.
    pub locations: Vec<Location>,
    /// Sorted: for a turn of a loop the edges between the locations, else all that start at one.
    pub edges: Vec<EdgeId>,
}

/// Finds the hammocks of a graph.
///
/// As [post-dominators](Graph::post_dominators) do, it errs towards larger ones: what can get
/// caught for ever is in no hammock but those that end where the function does, and turns of loops.
#[derive(Clone, Debug)]
pub struct Hammocks<'a> {
    graph: &'a Graph,
    dominators: DominatorTree,
    post_dominators: DominatorTree,
    loops: Loops,
}

impl<'a> Hammocks<'a> {
    pub fn new(graph: &'a Graph) -> Hammocks<'a> {
        let dominators = graph.dominators();
        Hammocks {
            graph,
            loops: Loops::new(graph, &dominators),
            dominators,
            post_dominators: graph.post_dominators(),
        }
    }

    /// The smallest hammock that has all these edges; none if there are none or one of them is
    /// unreachable.
    pub fn smallest_around(&self, edges: &[EdgeId]) -> Option<Hammock> {
        let ends = edges.iter().map(|&edge| self.graph.ends(edge));
        let ends = ends.collect::<Option<Vec<_>>>()?;
        let region = Region::around(self, ends.iter().map(|&(from, _)| from))?;
        let mut turns = self.turns_around(&ends);
        let mut smallest = region.hammock();
        if let Some(turn) = turns.next()
            && turn.edges.len() <= smallest.edges.len()
        {
            smallest = turn;
        }
        Some(smallest)
    }

    /// Hammocks around an edge from inside out: the smallest, and in the end the whole function.
    ///
    /// Of those that only add what comes before or after in a sequence, the longest stands for all:
    /// the number of hammocks is that of nested constructs, not of statements. Empty if the edge is
    /// unreachable.
    pub fn around(&self, edge: EdgeId) -> Vec<Hammock> {
        let Some(ends) = self.graph.ends(edge) else {
            return Vec::new();
        };
        let mut found: Vec<_> = self.turns_around(&[ends]).collect();
        let mut next = Region::around(self, [ends.0]);
        while let Some(region) = next {
            found.push(region.hammock());
            next = region.surrounding();
        }
        // A turn of a loop is inside or around each of the others, so that sizes tell.
        found.sort_by_key(|hammock| hammock.edges.len());
        found
    }

    /// The turns of loops that have all these edges, from inside out.
    fn turns_around(&self, ends: &[(Location, Location)]) -> impl Iterator<Item = Hammock> {
        let innermost = ends.first().map(|&(from, _)| self.loops.around(from));
        let around = innermost.into_iter().flatten().filter(|&index| {
            let inside = |location| self.loops.contains(index, location);
            ends.iter().all(|&(from, to)| inside(from) && inside(to))
        });
        around.filter_map(|index| self.turn(index))
    }

    /// A loop as a hammock, if it is left only at its header.
    fn turn(&self, index: usize) -> Option<Hammock> {
        let found = &self.loops.all()[index];
        let mut leaves = found.exits.iter().filter_map(|&edge| self.graph.ends(edge));
        if !leaves.all(|(from, _)| from == found.header) {
            return None;
        }
        let mut locations = found.body.clone();
        locations.sort_unstable();
        let steps = locations.iter().flat_map(|&from| self.graph.successors(from));
        let inside = steps.filter(|step| self.loops.contains(index, step.location));
        let mut edges: Vec<_> = inside.map(|step| step.edge).collect();
        edges.sort_unstable();
        Some(Hammock { entry: found.header, exit: found.header, locations, edges })
    }
}

/// A hammock whose entry is not its exit, while it grows.
#[derive(Clone)]
struct Region<'a> {
    all: &'a Hammocks<'a>,
    entry: Location,
    exit: Location,
    locations: Vec<Location>,
    inside: Vec<bool>,
}

impl<'a> Region<'a> {
    /// The smallest region with these locations; none if there are none, or only the final one.
    fn around(
        all: &'a Hammocks<'a>,
        locations: impl IntoIterator<Item = Location>,
    ) -> Option<Region<'a>> {
        let locations: Vec<_> = locations.into_iter().collect();
        let entry = *locations.first()?;
        let mut region = Region {
            all,
            entry,
            exit: all.post_dominators.immediate(entry)?,
            locations: Vec::new(),
            inside: vec![false; all.graph.len()],
        };
        region.add(locations);
        Some(region)
    }

    /// Grows to the smallest region that has these locations too.
    ///
    /// A location brings with it all it leads to, up to the exit, and all that leads to it, from the
    /// entry on. The entry moves up the dominators, the exit up the post-dominators, and where they
    /// were before is then inside like any other.
    fn add(&mut self, mut pending: Vec<Location>) {
        let Hammocks { graph, dominators, post_dominators, .. } = self.all;
        while let Some(location) = pending.pop() {
            if std::mem::replace(&mut self.inside[location.index()], true) {
                continue;
            }
            self.locations.push(location);
            let entry = dominators.common(self.entry, location);
            if entry != self.entry {
                let before = std::mem::replace(&mut self.entry, entry);
                pending.push(entry);
                pending.extend(graph.predecessors(before).iter().map(|step| step.location));
            }
            let mut exit = post_dominators.common(self.exit, location);
            if exit == location {
                exit =
                    post_dominators.immediate(location).expect("the final location leads nowhere");
            }
            if exit != self.exit {
                pending.push(std::mem::replace(&mut self.exit, exit));
            }
            let onward = graph.successors(location).iter().map(|step| step.location);
            pending.extend(onward.filter(|&to| to != self.exit));
            if location != self.entry {
                pending.extend(graph.predecessors(location).iter().map(|step| step.location));
            }
        }
    }

    /// The next larger hammock to tell about: the longest sequence that this one is part of, or else
    /// the construct around it. None for the whole function.
    fn surrounding(mut self) -> Option<Region<'a>> {
        let size = self.locations.len();
        while self.extend_in_sequence(Region::grow_forward)
            || self.extend_in_sequence(Region::grow_backward)
        {}
        if self.locations.len() > size {
            return Some(self);
        }
        let mut forward = self.clone();
        let mut backward = self;
        // Any larger region has either the edges out of the exit or those into the entry.
        let grown = (forward.grow_forward(), backward.grow_backward());
        match grown {
            (true, true) if backward.locations.len() < forward.locations.len() => Some(backward),
            (true, _) => Some(forward),
            (false, true) => Some(backward),
            (false, false) => None,
        }
    }

    fn grow_forward(&mut self) -> bool {
        let is_last = self.exit == self.all.graph.exit();
        if !is_last {
            self.add(vec![self.exit]);
        }
        !is_last
    }

    fn grow_backward(&mut self) -> bool {
        let size = self.locations.len();
        let steps = self.all.graph.predecessors(self.entry).iter();
        self.add(steps.map(|step| step.location).collect());
        self.locations.len() > size
    }

    /// Grows if what comes in addition is a hammock of its own, before the entry or after the exit.
    fn extend_in_sequence(&mut self, grow: impl Fn(&mut Self) -> bool) -> bool {
        let (entry, exit, size) = (self.entry, self.exit, self.locations.len());
        if !grow(self) {
            return false;
        }
        let added = &self.locations[size..];
        let links = if self.entry == entry { self.exit } else { entry };
        let one_end_stays = (self.entry == entry) != (self.exit == exit);
        let in_sequence = one_end_stays && {
            let mut after: Vec<_> = added.to_vec();
            after.sort_unstable();
            let steps = added.iter().flat_map(|&from| self.all.graph.successors(from));
            let mut targets = steps.map(|step| step.location);
            targets.all(|to| to == links || after.binary_search(&to).is_ok())
        };
        if !in_sequence {
            for location in self.locations.drain(size..) {
                self.inside[location.index()] = false;
            }
            (self.entry, self.exit) = (entry, exit);
        }
        in_sequence
    }

    fn hammock(&self) -> Hammock {
        let mut locations = self.locations.clone();
        locations.sort_unstable();
        let steps = locations.iter().flat_map(|&from| self.all.graph.successors(from));
        let mut edges: Vec<_> = steps.map(|step| step.edge).collect();
        edges.sort_unstable();
        Hammock { entry: self.entry, exit: self.exit, locations, edges }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cfa::Cfa;
    use crate::cfa::graph::testing::{any_cfa, cfa, locations, reach};

    /// All hammocks, by definition: no edge comes in but at the entry, none goes out but to the
    /// exit, and what cannot come to the end is only in those that go up to the end.
    fn all_hammocks(graph: &Graph) -> Vec<Hammock> {
        let reachable: Vec<_> = locations(graph).filter(|&l| graph.is_reachable(l)).collect();
        let pairs = reachable.iter().flat_map(|&a| locations(graph).map(move |b| (a, b)));
        let returns: Vec<_> =
            locations(graph).map(|l| reach(graph, l, None)[graph.exit().index()]).collect();
        let mut all = Vec::new();
        for (entry, exit) in pairs.filter(|(entry, exit)| entry != exit) {
            let inside = reach(graph, entry, Some(exit));
            let is_inside = |location: Location| inside[location.index()];
            let ends_inside = |&location: &Location| {
                is_inside(location) && (location == graph.exit() || !returns[location.index()])
            };
            let comes_in = graph.steps().any(|(from, step)| {
                step.location != entry && is_inside(step.location) && !is_inside(from)
            });
            let starts_inside = entry != Cfa::ENTRY && is_inside(Cfa::ENTRY);
            let goes_past = exit != graph.exit() && reachable.iter().any(ends_inside);
            if !comes_in
                && !starts_inside
                && !goes_past
                && (exit == graph.exit() || graph.is_reachable(exit))
            {
                let steps = graph.steps().filter(|&(from, _)| is_inside(from));
                let mut edges: Vec<_> = steps.map(|(_, step)| step.edge).collect();
                edges.sort();
                let locations = locations(graph).filter(|&l| is_inside(l)).collect();
                all.push(Hammock { entry, exit, locations, edges });
            }
        }
        for found in Loops::new(graph, &graph.dominators()).all() {
            let inside = |location| found.body.contains(&location);
            let left = |(from, to)| from != found.header && inside(from) && !inside(to);
            if !graph.steps().any(|(from, step)| left((from, step.location))) {
                let steps =
                    graph.steps().filter(|&(from, step)| inside(from) && inside(step.location));
                let mut edges: Vec<_> = steps.map(|(_, step)| step.edge).collect();
                edges.sort();
                let mut locations = found.body.clone();
                locations.sort();
                all.push(Hammock { entry: found.header, exit: found.header, locations, edges });
            }
        }
        all
    }

    fn is_within(inner: &[EdgeId], outer: &[EdgeId]) -> bool {
        inner.iter().all(|edge| outer.contains(edge))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn the_smallest_hammock_is_in_all_others(cfa in any_cfa(), a in 0..16u32, b in 0..16u32) {
            let graph = Graph::new(&cfa);
            let edges = [EdgeId(a), EdgeId(b)];
            let smallest = Hammocks::new(&graph).smallest_around(&edges);
            prop_assert_eq!(smallest.is_some(), edges.iter().all(|&edge| graph.ends(edge).is_some()));
            if let Some(smallest) = smallest {
                let all = all_hammocks(&graph);
                prop_assert!(all.contains(&smallest));
                for other in all.iter().filter(|other| is_within(&edges, &other.edges)) {
                    prop_assert!(is_within(&smallest.edges, &other.edges), "{other:?} in {smallest:?}");
                }
            }
        }

        #[test]
        fn hammocks_around_an_edge_lead_from_the_smallest_to_the_whole(cfa in any_cfa(), edge in 0..16u32) {
            let graph = Graph::new(&cfa);
            let edge = EdgeId(edge);
            let hammocks = Hammocks::new(&graph);
            let around = hammocks.around(edge);
            prop_assert_eq!(around.first().cloned(), hammocks.smallest_around(&[edge]));
            let all = all_hammocks(&graph);
            for pair in around.windows(2) {
                prop_assert!(pair[0].edges.len() <= pair[1].edges.len());
                prop_assert!(is_within(&pair[0].edges, &pair[1].edges));
            }
            prop_assert!(around.iter().all(|hammock| all.contains(hammock)));
            if let Some(last) = around.last() {
                prop_assert_eq!(last.edges.len(), graph.steps().count());
            }
        }
    }

    /// `sum_primes` of the paper's figure 2, with locations from 0, and one statement before.
    const SUM_PRIMES: [(u32, u32); 10] =
        [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (4, 6), (5, 6), (6, 2), (2, 7), (7, 8)];

    #[test]
    fn the_call_in_the_papers_example_has_its_candidates() {
        let graph = Graph::new(&cfa(9, &SUM_PRIMES));
        let around = Hammocks::new(&graph).around(EdgeId(3));
        let ends: Vec<_> = around.iter().map(|hammock| (hammock.entry.0, hammock.exit.0)).collect();
        // The call; the statements of the loop; one turn of it; the loop; the function.
        assert_eq!(ends, [(3, 4), (3, 2), (2, 2), (2, 7), (0, 8)]);
    }

    #[test]
    fn an_endless_loop_is_in_the_whole_function() {
        let graph = Graph::new(&cfa(4, &[(0, 1), (1, 2), (2, 1)]));
        let around = Hammocks::new(&graph).around(EdgeId(1));
        let ends: Vec<_> = around.iter().map(|hammock| (hammock.entry.0, hammock.exit.0)).collect();
        assert_eq!(ends, [(1, 1), (1, 3), (0, 3)]);
    }

    #[test]
    fn a_long_sequence_is_one_hammock() {
        let size = 20_000;
        let edges: Vec<_> = (0..size - 1).map(|from| (from, from + 1)).collect();
        let graph = Graph::new(&cfa(size, &edges));
        assert_eq!(Hammocks::new(&graph).around(EdgeId(size / 2)).len(), 2);
    }
}
