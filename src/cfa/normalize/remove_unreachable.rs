//! Takes out branches that end where control is promised not to come, and conditions that are left
//! without an alternative: unsafe code is taken to be free of undefined behaviour.

use super::cfa_mut;
use super::remove_nops::only_edge_out;
use crate::cfa::{Callee, Cfa, Function, Location, Op, Program, StdFn};

pub fn run(program: &Program, function: &mut Function) {
    let cfa = cfa_mut(function);
    let out = only_edge_out(cfa);
    let never: Vec<bool> = (0..cfa.locations)
        .map(|location| is_unreachable(program, cfa, &out, Location(location)))
        .collect();
    let mut ways_left = vec![0; cfa.locations as usize];
    for edge in cfa.edges.iter().filter(|edge| !never[edge.to.index()]) {
        ways_left[edge.from.index()] += 1;
    }
    cfa.edges.retain_mut(|edge| {
        if matches!(edge.op, Op::Assume(_)) {
            match ways_left[edge.from.index()] {
                0 => {}
                _ if never[edge.to.index()] => return false,
                1 => edge.op = Op::Nop,
                _ => {}
            }
        }
        true
    });
}

/// Whether the first thing that happens at a location is that it is not reached.
fn is_unreachable(program: &Program, cfa: &Cfa, out: &[Option<usize>], mut at: Location) -> bool {
    for _ in 0..cfa.locations {
        let Some(edge) = out[at.index()] else {
            return false;
        };
        match &cfa.edges[edge].op {
            Op::Nop => at = cfa.edges[edge].to,
            Op::Unreachable => return true,
            Op::Call(call) => {
                return matches!(call.callee, Callee::Function(callee)
                    if program.function(callee).std == Some(StdFn::UnreachableUnchecked));
            }
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::testing::{call, copy, function, is, local, ops};
    use super::*;

    #[test]
    fn a_promised_branch_is_gone_and_the_other_is_no_condition() {
        let steps = vec![
            (0, 1, is(1, 0)),
            (0, 2, is(1, 1)),
            (1, 3, Op::Unreachable),
            (2, 3, copy(local(0), local(1))),
        ];
        let mut function = function(2, 4, steps);
        run(&Program::default(), &mut function);
        assert_eq!(ops(&function), [Op::Nop, Op::Unreachable, copy(local(0), local(1))]);
    }

    #[test]
    fn the_other_branches_of_a_switch_stay_conditions() {
        let steps =
            vec![(0, 3, is(1, 0)), (0, 3, is(1, 1)), (0, 1, is(1, 2)), (1, 3, Op::Unreachable)];
        let mut function = function(2, 4, steps);
        run(&Program::default(), &mut function);
        assert_eq!(ops(&function), [is(1, 0), is(1, 1), Op::Unreachable]);
    }

    #[test]
    fn what_happens_before_the_promise_keeps_the_branch() {
        let mut program = Program::default();
        program.functions.push(function(1, 1, Vec::new()));
        let steps = vec![
            (0, 1, is(1, 0)),
            (0, 3, is(1, 1)),
            (1, 2, call(local(2))),
            (2, 3, Op::Unreachable),
        ];
        let mut function = function(3, 4, steps);
        let before = ops(&function);
        run(&program, &mut function);
        assert_eq!(ops(&function), before);
    }
}
