//! The order in which people want to read locations.

use super::adjacency::reverse_postorder;
use super::{Graph, Loops};
use crate::cfa::{Cfa, Location};

impl Graph {
    /// The reachable locations in a reverse post-order that finishes a loop before it goes on with
    /// what follows the loop.
    pub fn reading_order(&self) -> Vec<Location> {
        let loops = Loops::new(self, &self.dominators());
        reverse_postorder(Cfa::ENTRY, self.len(), |from| {
            let steps = self.successors(from).iter();
            let mut targets: Vec<_> = steps.map(|step| step.location).collect();
            // How many of the loops around `from` a target is outside of.
            targets.sort_by_key(|&to| {
                let around = loops.around(from);
                around.take_while(|&index| !loops.contains(index, to)).count()
            });
            targets
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::graph::testing::cfa;

    #[test]
    fn a_loop_is_finished_before_what_follows_it() {
        let edges = [(0, 1), (1, 4), (1, 2), (2, 1), (2, 3), (3, 2), (4, 5)];
        let order = Graph::new(&cfa(6, &edges)).reading_order();
        assert_eq!(order, [0, 1, 2, 3, 4, 5].map(Location));
    }
}
