//! Shortens what only leads to a panic: messages are not behaviour.
//!
//! Building a message assigns locals and calls the constructors of `fmt::Arguments`, which run
//! nothing of the user's. Anything else before the panic stays, and so does what clean-up reads, by
//! name or through a pointer that was made elsewhere.

use super::remove_nops::only_edge_out;
use super::{cfa, cfa_mut};
use crate::cfa::visit::Use;
use crate::cfa::{Callee, Cfa, Function, Op, Place, Program, Rvalue, StdFn};

pub fn run(program: &Program, function: &mut Function) {
    let mut kept = used_by_clean_up(function);
    let shortened = loop {
        let shortened = shortened(program, cfa(function), &kept);
        if !keep_addressed(function, &shortened, &mut kept) {
            break shortened;
        }
    };
    let cfa = cfa_mut(function);
    let exit = cfa.exit();
    for (edge, panic) in cfa.edges.iter_mut().zip(shortened) {
        if let Some(panic) = panic {
            (edge.op, edge.to) = (panic, exit);
        }
    }
}

/// For each edge the panic that can take its place.
fn shortened(program: &Program, cfa: &Cfa, kept: &[bool]) -> Vec<Option<Op>> {
    let out = only_edge_out(cfa);
    let idle = |op: &Op| builds_message(program, op, kept);
    let panic = |start: usize| {
        idle(&cfa.edges[start].op).then(|| panic_after(cfa, &out, start, &idle)).flatten()
    };
    (0..cfa.edges.len()).map(panic).collect()
}

/// Keeps what clean-up may read through a pointer: locals whose address is taken by an edge that
/// stays. Says whether there are new ones.
fn keep_addressed(function: &Function, shortened: &[Option<Op>], kept: &mut [bool]) -> bool {
    let mut found = false;
    let edges = cfa(function).edges.iter().zip(shortened);
    for (edge, _) in edges.filter(|(_, panic)| panic.is_none()) {
        edge.op.places(&mut |place, kind| {
            if kind == Use::Address && !place.derefs() {
                found |= !std::mem::replace(&mut kept[place.local.index()], true);
            }
        });
    }
    found
}

/// For each local, whether clean-up code uses it.
fn used_by_clean_up(function: &Function) -> Vec<bool> {
    let mut used = vec![false; function.locals.len()];
    let cfa = cfa(function);
    let mut successors = vec![Vec::new(); cfa.locations as usize];
    for edge in &cfa.edges {
        successors[edge.from.index()].push(edge.to);
    }
    let mut reached = vec![false; cfa.locations as usize];
    let mut stack: Vec<_> = cfa.edges.iter().filter_map(|edge| edge.op.unwind()).collect();
    while let Some(location) = stack.pop() {
        if !std::mem::replace(&mut reached[location.index()], true) {
            stack.extend(&successors[location.index()]);
        }
    }
    for edge in cfa.edges.iter().filter(|edge| reached[edge.from.index()]) {
        edge.op.places(&mut |place, _| {
            place.locals().for_each(|local| used[local.index()] = true);
        });
    }
    used
}

/// The panic that an edge leads to, if nothing but the building of its message comes before.
fn panic_after(
    cfa: &Cfa,
    out: &[Option<usize>],
    start: usize,
    idle: &dyn Fn(&Op) -> bool,
) -> Option<Op> {
    let mut at = start;
    for _ in 0..cfa.locations {
        at = out[cfa.edges[at].to.index()]?;
        match &cfa.edges[at].op {
            panic @ Op::Panic { .. } => return Some(panic.clone()),
            op if idle(op) => {}
            _ => return None,
        }
    }
    None
}

fn builds_message(program: &Program, op: &Op, kept: &[bool]) -> bool {
    let forgotten = |place: &Place| !place.derefs() && !kept[place.local.index()];
    match op {
        Op::Nop => true,
        Op::Assign(place, rvalue) => forgotten(place) && !matches!(rvalue, Rvalue::ThreadLocal(_)),
        Op::Call(call) => match call.callee {
            Callee::Function(callee) => {
                let std = program.function(callee).std;
                forgotten(&call.result) && std.is_some_and(StdFn::builds_message)
            }
            _ => false,
        },
        _ => false,
    }
}
