//! Two programs, with all that engines need to know of them.

use super::attempt::Sides;
use super::matching::Matching;
use super::prover::Why;
use crate::change::{Pair, step};
use crate::model::Incomplete;
use crate::sym::Shapes;

/// Two compared programs, with what is made of them once: which code belongs together, what has been made
/// ready to be run of it, and what types mean for values. A thread has its own.
pub struct Context<'a> {
    pub pair: &'a Pair<'a>,
    pub matching: Matching<'a>,
    pub shapes: [Shapes<'a>; 2],
}

impl<'a> Context<'a> {
    pub fn new(pair: &'a Pair<'a>) -> Context<'a> {
        Context {
            pair,
            matching: Matching::new(pair),
            shapes: [pair.old.program, pair.new.program].map(Shapes::new),
        }
    }

    pub fn sides(&self) -> Sides<'_, 'a> {
        Sides { matching: &self.matching, shapes: &self.shapes }
    }

    /// Why a pair could not be decided, with the place by its name.
    pub fn incomplete(&self, why: &Why) -> Incomplete {
        let place = why.place.map(|(side, function, span)| {
            let program = self.matching.codes[side].program;
            step(program, program.function(function).name.clone(), span)
        });
        Incomplete { reason: why.reason.clone(), place }
    }
}
