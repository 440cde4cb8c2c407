//! Small rewrites that make code look the same when it does the same, without a solver.
//!
//! In: a function as the driver lowered it. Out: a function that behaves the same. **Invariant.**
//! Every pass keeps the function's outcomes, its effects and their order, for all inputs; what a
//! pass cannot be sure of, it leaves alone.

mod assign_directly;
mod collapse_panics;
#[cfg(test)]
mod execution_tests;
mod fold_branches;
mod forward_fields;
mod inline_wrappers;
mod locals;
mod merge_copies;
mod propagate_copies;
mod remove_dead_assignments;
mod remove_idle_casts;
mod remove_nops;
mod remove_unreachable;
mod separate_values;
mod skip_zero_sized;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod thread_jumps;

use super::{Body, Cfa, Function, Program};

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Nothing is rewritten.
    AsLowered,
    /// Only the function itself: a callee's code does not show in it.
    Own,
    /// Small callees are put in place of their calls.
    WithWrappers,
}

/// How many layers of values are taken apart at most.
const LAYERS: u32 = 12;

/// The normal form of a function; none if it has no body.
pub fn normalize(program: &Program, function: &Function, depth: Depth) -> Option<Function> {
    let Body::Cfa(_) = &function.body else {
        return None;
    };
    let mut function = function.clone();
    if depth == Depth::AsLowered {
        return Some(function);
    }
    if depth == Depth::WithWrappers {
        // First, so that all other passes see through what was inlined.
        inline_wrappers::run(program, &mut function);
    }
    // Before the uses of locals are looked at: a message takes the address of what it shows.
    collapse_panics::run(program, &mut function);
    // Before copies are followed: a value without content needs no source.
    skip_zero_sized::run(program, &mut function);
    // Before copies are followed: a cast that does nothing is a copy.
    remove_idle_casts::run(program, &mut function);
    // What a pass of these finds out, the others use: values that are built to be taken apart, as by
    // `?`, come in layers.
    for _ in 0..LAYERS {
        let before = cfa(&function).edges.clone();
        propagate_copies::run(&mut function);
        merge_copies::run(&mut function);
        forward_fields::run(&mut function);
        // After copies: constants have now reached the conditions they decide.
        fold_branches::run(&mut function);
        // What is not read any more would stand between a value and the question what it is.
        remove_dead_assignments::run(&mut function);
        remove_nops::run(&mut function);
        thread_jumps::run(program, &mut function);
        // After jumps: paths that no longer meet have values of their own.
        remove_nops::run(&mut function);
        separate_values::run(&mut function);
        if cfa(&function).edges == before {
            break;
        }
    }
    // After branches are folded: what is left of a switch may have only one way out.
    remove_unreachable::run(program, &mut function);
    // After branches: what only a dead branch read is dead as well.
    remove_dead_assignments::run(&mut function);
    // Both need straight lines, which dead assignments would interrupt.
    assign_directly::run(&mut function);
    collapse_panics::run(program, &mut function);
    // Last: the passes above leave nops where something was.
    remove_nops::run(&mut function);
    Some(function)
}

/// The function as it is, without the steps in which nothing happens: easier to read.
pub fn without_nops(function: &Function) -> Function {
    let mut function = function.clone();
    if function.cfa().is_some() {
        remove_nops::run(&mut function);
    }
    function
}

/// The automaton of a function that has one.
fn cfa(function: &Function) -> &Cfa {
    function.cfa().expect("only functions with a body are normalised")
}

/// The same, to be changed.
fn cfa_mut(function: &mut Function) -> &mut Cfa {
    match &mut function.body {
        Body::Cfa(cfa) => cfa,
        _ => unreachable!("only functions with a body are normalised"),
    }
}
