//! Dominators: what every path passes on its way.

use std::ops::Range;

use super::Graph;
use super::adjacency::Adjacency;
use crate::cfa::{Cfa, Location};

/// For each location the nearest other that every path to it passes.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    immediate: Vec<Option<Location>>,
    /// The locations below one in the tree, itself among them, have numbers in this range that
    /// starts with its own; empty for what is not in the tree.
    below: Vec<Range<u32>>,
}

impl Graph {
    /// The tree of dominators, with the initial location as root.
    pub fn dominators(&self) -> DominatorTree {
        let (successors, predecessors) = self.adjacency();
        DominatorTree::new(Cfa::ENTRY, successors, predecessors)
    }
}

impl DominatorTree {
    /// Whether every path to `location` passes `dominator`, as it does if they are the same. Says no
    /// for what is not in the tree.
    pub fn dominates(&self, dominator: Location, location: Location) -> bool {
        let number = &self.below[location.index()];
        !number.is_empty() && self.below[dominator.index()].contains(&number.start)
    }

    /// The nearest other location that dominates this one; none for the root and outside the tree.
    pub fn immediate(&self, location: Location) -> Option<Location> {
        self.immediate[location.index()]
    }

    /// The nearest location that dominates both, which may be one of them. Both must be in the tree.
    ///
    /// Takes as many steps as the answer is above `a`, however deep `b` is.
    pub fn common(&self, a: Location, b: Location) -> Location {
        let mut common = a;
        while !self.dominates(common, b) {
            common = self.immediate(common).expect("a tree has one root");
        }
        common
    }

    fn new(root: Location, forward: &Adjacency, backward: &Adjacency) -> DominatorTree {
        let visits = Visits::new(root, forward);
        let immediate = immediate_dominators(&visits, backward);
        let size = forward.size();
        let mut tree = DominatorTree { immediate: vec![None; size], below: vec![0..0; size] };
        // A dominator has a smaller number than what it dominates: sizes from the last to the first,
        // and from the first to the last the ranges.
        let mut sizes = vec![1; visits.order.len()];
        for number in (1..visits.order.len()).rev() {
            sizes[immediate[number]] += sizes[number];
        }
        let mut free = vec![0; visits.order.len()];
        for (number, location) in visits.order.iter().enumerate() {
            let mut start = 0;
            if number > 0 {
                let above = immediate[number];
                start = free[above];
                free[above] += sizes[number];
                tree.immediate[location.index()] = Some(visits.order[above]);
            }
            free[number] = start + 1;
            tree.below[location.index()] = start..start + sizes[number];
        }
        tree
    }
}

/// A depth-first search; its numbers, not locations, are what the algorithm below works with.
struct Visits {
    order: Vec<Location>,
    number: Vec<Option<usize>>,
    /// The number that each number was first seen from.
    parent: Vec<usize>,
}

impl Visits {
    fn new(root: Location, forward: &Adjacency) -> Visits {
        let mut visits =
            Visits { order: Vec::new(), number: vec![None; forward.size()], parent: Vec::new() };
        let mut pending = vec![(root, 0)];
        while let Some((location, parent)) = pending.pop() {
            if visits.number[location.index()].is_some() {
                continue;
            }
            let number = visits.order.len();
            visits.number[location.index()] = Some(number);
            visits.order.push(location);
            visits.parent.push(parent);
            let steps = forward.of(location).iter().rev();
            pending.extend(steps.map(|step| (step.location, number)));
        }
        visits
    }
}

/// Lengauer and Tarjan's algorithm with path compression, O(m log n). The simpler iterative ones
/// are quadratic on a long function each of whose locations can also go to the final one, which is
/// what a function that can panic at every step looks like.
fn immediate_dominators(visits: &Visits, backward: &Adjacency) -> Vec<usize> {
    let size = visits.order.len();
    let mut forest = Forest::new(size);
    let mut immediate = vec![0; size];
    let mut waiting = vec![Vec::new(); size];
    for number in (1..size).rev() {
        for step in backward.of(visits.order[number]) {
            let Some(from) = visits.number[step.location.index()] else {
                continue;
            };
            let best = forest.best(from);
            forest.semi[number] = forest.semi[number].min(forest.semi[best]);
        }
        waiting[forest.semi[number]].push(number);
        let parent = visits.parent[number];
        forest.parent[number] = Some(parent);
        for below in std::mem::take(&mut waiting[parent]) {
            let best = forest.best(below);
            immediate[below] = if forest.semi[best] < parent { best } else { parent };
        }
    }
    for number in 1..size {
        if immediate[number] != forest.semi[number] {
            immediate[number] = immediate[immediate[number]];
        }
    }
    immediate
}

/// The part of the search tree that is finished, with shortcuts.
struct Forest {
    /// The smallest number from which a path over larger numbers leads to this one.
    semi: Vec<usize>,
    parent: Vec<Option<usize>>,
    /// Of the numbers that the shortcuts skip, the one with the smallest `semi`.
    label: Vec<usize>,
}

impl Forest {
    fn new(size: usize) -> Forest {
        Forest { semi: (0..size).collect(), parent: vec![None; size], label: (0..size).collect() }
    }

    /// The number with the smallest `semi` from this one up to, but without, the root of its tree.
    fn best(&mut self, number: usize) -> usize {
        let mut path = Vec::new();
        let mut current = number;
        while let Some(parent) = self.parent[current] {
            path.push(current);
            current = parent;
        }
        let root = current;
        let mut above = path.pop();
        while let (Some(upper), Some(lower)) = (above, path.pop()) {
            if self.semi[self.label[upper]] < self.semi[self.label[lower]] {
                self.label[lower] = self.label[upper];
            }
            self.parent[lower] = Some(root);
            above = Some(lower);
        }
        self.label[number]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cfa::graph::testing::{any_cfa, cfa, locations, reach};

    /// By definition: without the dominator there is no path.
    fn check(
        graph: &Graph,
        tree: &DominatorTree,
        has_path: impl Fn(Location, Option<Location>) -> bool,
    ) -> Result<(), TestCaseError> {
        for location in locations(graph) {
            let in_tree = tree.dominates(location, location);
            prop_assert_eq!(in_tree, has_path(location, None));
            for dominator in locations(graph) {
                let passes = in_tree && !has_path(location, Some(dominator));
                prop_assert_eq!(tree.dominates(dominator, location), passes);
            }
            if let Some(immediate) = tree.immediate(location) {
                prop_assert!(immediate != location && tree.dominates(immediate, location));
                for other in locations(graph).filter(|&other| other != location) {
                    prop_assert!(
                        !tree.dominates(other, location) || tree.dominates(other, immediate)
                    );
                }
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn a_dominator_is_on_every_path_from_the_start(cfa in any_cfa()) {
            let graph = Graph::new(&cfa);
            check(&graph, &graph.dominators(), |location, without| {
                reach(&graph, Cfa::ENTRY, without)[location.index()]
            })?;
        }

        #[test]
        fn the_common_dominator_is_the_nearest_of_both(cfa in any_cfa()) {
            let graph = Graph::new(&cfa);
            let tree = graph.dominators();
            let order = graph.reverse_postorder();
            for (&a, &b) in order.iter().flat_map(|a| order.iter().map(move |b| (a, b))) {
                let common = tree.common(a, b);
                for &other in order {
                    let of_both = tree.dominates(other, a) && tree.dominates(other, b);
                    prop_assert_eq!(of_both, tree.dominates(other, common));
                }
            }
        }
    }

    #[test]
    fn a_long_function_that_can_panic_everywhere_fits_the_stack() {
        let size = 100_000;
        let chain = (0..size - 1).map(|from| (from, from + 1));
        let panics = (0..size - 2).rev().map(|from| (from, size - 1));
        let edges: Vec<_> = chain.chain(panics).collect();
        let graph = Graph::new(&cfa(size, &edges));
        let tree = graph.dominators();
        assert_eq!(tree.immediate(graph.exit()), Some(Cfa::ENTRY));
    }
}
