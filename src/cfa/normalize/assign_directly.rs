//! Assigns a value straight to the place that it was only on its way to.
//!
//! `t = f(); x = t` becomes `x = f()` if nothing else reads `t` and nothing comes between: how many
//! temporaries a value passes is not behaviour.

use super::cfa_mut;
use super::locals::{is_param, uses};
use super::remove_nops::only_edge_out;
use crate::cfa::{Cfa, Function, LocalId, Location, Op, Operand, Place, Rvalue};

pub fn run(function: &mut Function) {
    let uses = uses(function);
    let passing: Vec<bool> = (0..function.locals.len())
        .map(|index| {
            let local = LocalId(index as u32);
            let uses = &uses[index];
            let once = uses.read == 1 && uses.assigned == 1 && uses.partly_assigned == 0;
            once && !uses.addressed && index != 0 && !is_param(function, local)
        })
        .collect();
    let cfa = cfa_mut(function);
    let out = only_edge_out(cfa);
    let edges_in = edges_in(cfa);
    for first in 0..cfa.edges.len() {
        // A value can pass several temporaries.
        while let Some(second) = copied_next(cfa, &out, &edges_in, &passing, first) {
            let end = cfa.edges[second].to;
            let copy = std::mem::replace(&mut cfa.edges[second].op, Op::Nop);
            let Op::Assign(target, _) = copy else {
                unreachable!("it is a copy");
            };
            let edge = &mut cfa.edges[first];
            edge.to = end;
            match &mut edge.op {
                Op::Assign(place, _) => *place = target,
                Op::Call(call) => call.result = target,
                _ => unreachable!("it assigns"),
            }
        }
    }
}

/// The edge right after `first` that copies what `first` assigned, if the two can be one.
fn copied_next(
    cfa: &Cfa,
    out: &[Option<usize>],
    edges_in: &[u32],
    passing: &[bool],
    first: usize,
) -> Option<usize> {
    let assigned = match &cfa.edges[first].op {
        Op::Assign(place, _) => place,
        Op::Call(call) => &call.result,
        _ => return None,
    };
    let local = assigned.as_local().filter(|local| passing[local.index()])?;
    let second = next_operation(cfa, out, edges_in, cfa.edges[first].to)?;
    match &cfa.edges[second].op {
        Op::Assign(target, Rvalue::Use(Operand::Read(source)))
            if source.as_local() == Some(local)
                && may_be_assigned(&cfa.edges[first].op, target) =>
        {
            Some(second)
        }
        _ => None,
    }
}

/// The only thing that can happen next at a location that is only reached from one place.
fn next_operation(
    cfa: &Cfa,
    out: &[Option<usize>],
    edges_in: &[u32],
    mut at: Location,
) -> Option<usize> {
    for _ in 0..cfa.locations {
        if edges_in[at.index()] != 1 {
            return None;
        }
        let edge = out[at.index()]?;
        if cfa.edges[edge].op != Op::Nop {
            return Some(edge);
        }
        at = cfa.edges[edge].to;
    }
    None
}

/// A call may change where a pointer or an index leads, so its result goes to a fixed place only.
fn may_be_assigned(op: &Op, target: &Place) -> bool {
    !matches!(op, Op::Call(_)) || (!target.derefs() && target.index_locals().next().is_none())
}

fn edges_in(cfa: &Cfa) -> Vec<u32> {
    let mut count = vec![0; cfa.locations as usize];
    // The function's caller leads here.
    count[Cfa::ENTRY.index()] = 1;
    for edge in &cfa.edges {
        count[edge.to.index()] += 1;
        if let Some(unwind) = edge.op.unwind() {
            count[unwind.index()] += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::testing::{add_one, behind, call, copy, function, local, ops};
    use super::*;

    #[test]
    fn a_value_goes_straight_to_its_place() {
        let steps = vec![
            (0, 1, add_one(local(2), local(1))),
            (1, 2, Op::Nop),
            (2, 3, copy(local(3), local(2))),
            (3, 4, copy(behind(1), local(3))),
        ];
        let mut function = function(4, 5, steps);
        run(&mut function);
        let edge = &function.cfa().unwrap().edges[0];
        assert_eq!((&edge.op, edge.to), (&add_one(behind(1), local(1)), Location(4)));
    }

    #[test]
    fn a_value_that_is_read_twice_stays() {
        let steps = vec![
            (0, 1, add_one(local(2), local(1))),
            (1, 2, copy(local(3), local(2))),
            (2, 3, copy(local(0), local(2))),
        ];
        let mut function = function(4, 4, steps);
        let before = ops(&function);
        run(&mut function);
        assert_eq!(ops(&function), before);
    }

    #[test]
    fn what_two_ways_lead_to_stays() {
        let steps = vec![
            (0, 2, add_one(local(2), local(1))),
            (1, 2, Op::Nop),
            (2, 3, copy(local(3), local(2))),
        ];
        let mut function = function(4, 4, steps);
        let before = ops(&function);
        run(&mut function);
        assert_eq!(ops(&function), before);
    }

    #[test]
    fn what_a_call_gives_does_not_go_through_a_pointer_that_the_call_may_change() {
        let steps = vec![(0, 1, call(local(2))), (1, 2, copy(behind(1), local(2)))];
        let mut function = function(3, 3, steps);
        let before = ops(&function);
        run(&mut function);
        assert_eq!(ops(&function), before);
    }
}
