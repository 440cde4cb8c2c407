//! Takes out assignments to locals that nothing reads.

use super::cfa_mut;
use super::locals::uses;
use crate::cfa::{Function, Op};

pub fn run(function: &mut Function) {
    loop {
        let uses = uses(function);
        let mut removed = false;
        for edge in &mut cfa_mut(function).edges {
            let (Op::Assign(place, _) | Op::SetDiscriminant(place, _)) = &edge.op else {
                continue;
            };
            let uses = &uses[place.local.index()];
            // The return value is read by the caller.
            if place.local.0 != 0 && !place.derefs() && uses.read == 0 && !uses.addressed {
                edge.op = Op::Nop;
                removed = true;
            }
        }
        if !removed {
            return;
        }
    }
}
