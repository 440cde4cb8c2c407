//! Two programs, with all that engines need to know of them.

use super::matching::Matching;
use super::prover::Obstacle;
use crate::change::{Pair, step};
use crate::model::Incomplete;
use crate::sym::Shapes;
use crate::version::Both;

/// Two compared programs, with what is made of them once, for all stages and threads: which code belongs
/// together, what has been made ready to be run of it, and what types mean for values.
pub struct Context<'a> {
    pub pair: &'a Pair<'a>,
    pub matching: Matching<'a>,
    pub shapes: Both<Shapes<'a>>,
}

impl<'a> Context<'a> {
    pub fn new(pair: &'a Pair<'a>) -> Context<'a> {
        Context {
            pair,
            matching: Matching::new(pair),
            shapes: Both::from_fn(|version| Shapes::new(pair[version].program)),
        }
    }

    /// Why a pair could not be decided, with the place by its name.
    pub fn incomplete(&self, why: &Obstacle) -> Incomplete {
        let place = why.place.map(|(version, function, span)| {
            let program = self.pair[version].program;
            step(program, program.function(function).name.clone(), span)
        });
        Incomplete { reason: why.reason.clone(), place }
    }
}
