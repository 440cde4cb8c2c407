//! Puts small callees in place of their calls: wrappers that only forward, accessors, casts behind a
//! method, the two halves of `?`. `p.read()` and `ptr::read(p)` become the same.
//!
//! Only callees without loops and clean-up and with few calls are taken, so that the result stays
//! small and no new path of unwinding arises.

use super::cfa_mut;
use crate::cfa::{
    Body, Call, Callee, Cfa, Edge, FnId, Function, LocalId, Location, Op, Operand, Place, Program,
    Rvalue,
};

/// The most edges that a callee may have to be inlined.
const MOST_EDGES: usize = 36;

/// The most calls that such a callee may make.
const MOST_CALLS: u32 = 3;

/// A function that has grown to this many edges takes no more.
const LARGEST: usize = 600;

/// Wrappers inside of wrappers are followed this far.
const DEEPEST: u32 = 6;

pub fn run(program: &Program, function: &mut Function) {
    for _ in 0..DEEPEST {
        if !inline_once(program, function) {
            return;
        }
    }
}

/// Inlines every call that can be; says whether there was one.
fn inline_once(program: &Program, function: &mut Function) -> bool {
    let mut found = false;
    let count = cfa_mut(function).edges.len();
    for index in 0..count {
        if cfa_mut(function).edges.len() > LARGEST {
            return false;
        }
        let Op::Call(call) = &cfa_mut(function).edges[index].op else {
            continue;
        };
        let Callee::Function(callee) = call.callee else {
            continue;
        };
        // Where the result goes is settled before the call, and a callee may change pointers and,
        // through them, an index.
        if call.result.derefs() || call.result.index_locals().next().is_some() {
            continue;
        }
        let Some(body) = small_body(program, callee) else {
            continue;
        };
        // Not every callee takes what it is given one by one.
        if call.args.len() != program.function(callee).params as usize {
            continue;
        }
        let call = call.clone();
        splice(function, index, &call, program.function(callee), body);
        found = true;
    }
    found
}

/// The body of a callee, if it is small and simple enough to stand in place of a call.
fn small_body(program: &Program, callee: FnId) -> Option<&Cfa> {
    let function = program.function(callee);
    let Body::Cfa(cfa) = &function.body else {
        return None;
    };
    if function.tupled_args || cfa.edges.len() > MOST_EDGES {
        return None;
    }
    let mut calls = 0;
    for edge in &cfa.edges {
        match &edge.op {
            Op::Nop | Op::Assign(..) | Op::SetDiscriminant(..) | Op::Assume(_) => {}
            Op::Unreachable | Op::Panic { unwind: None } => {}
            Op::Call(call) if call.callee != Callee::Function(callee) && call.unwind.is_none() => {
                calls += 1;
            }
            _ => return None,
        }
    }
    (calls <= MOST_CALLS && !has_cycle(cfa)).then_some(cfa)
}

fn has_cycle(cfa: &Cfa) -> bool {
    let mut incoming = vec![0u32; cfa.locations as usize];
    for edge in &cfa.edges {
        incoming[edge.to.index()] += 1;
    }
    let mut ready: Vec<usize> =
        (0..incoming.len()).filter(|&location| incoming[location] == 0).collect();
    let mut sorted = 0;
    while let Some(location) = ready.pop() {
        sorted += 1;
        for edge in cfa.edges.iter().filter(|edge| edge.from.index() == location) {
            incoming[edge.to.index()] -= 1;
            if incoming[edge.to.index()] == 0 {
                ready.push(edge.to.index());
            }
        }
    }
    sorted < incoming.len()
}

/// Replaces the call on an edge by the callee's body.
fn splice(function: &mut Function, index: usize, call: &Call, callee: &Function, body: &Cfa) {
    let base = function.locals.len() as u32;
    function.locals.extend(callee.locals.iter().cloned());
    let cfa = cfa_mut(function);
    let Edge { from, to, span, .. } = cfa.edges[index].clone();

    // New locations go before the final one, which stays the last: one a parameter, then those of
    // the callee. Its final location is where the result is assigned.
    let old_exit = cfa.exit();
    let first_new = old_exit.0;
    cfa.locations += call.args.len() as u32 + body.locations;
    let exit = cfa.exit();
    for edge in &mut cfa.edges {
        if edge.to == old_exit {
            edge.to = exit;
        }
    }
    let to = if to == old_exit { exit } else { to };
    let inner = |location: Location| Location(first_new + call.args.len() as u32 + location.0);

    let mut at = from;
    let mut edges = Vec::new();
    for (number, argument) in call.args.iter().enumerate() {
        let parameter = Place::local(LocalId(base + 1 + number as u32));
        let next = Location(first_new + number as u32);
        let op = Op::Assign(parameter, Rvalue::Use(argument.clone()));
        edges.push(Edge { from: at, to: next, op, span });
        at = next;
    }
    edges.push(Edge { from: at, to: inner(Cfa::ENTRY), op: Op::Nop, span });
    for edge in &body.edges {
        let mut op = edge.op.clone();
        op.places_mut(&mut |place, _| place.locals_mut(&mut |local| local.0 += base));
        match &mut op {
            // The callee has nothing of its own to clean up.
            Op::Call(Call { unwind, .. }) | Op::Panic { unwind } => *unwind = call.unwind,
            _ => {}
        }
        let ends_here = matches!(op, Op::Panic { .. } | Op::Unreachable);
        let to = if ends_here { exit } else { inner(edge.to) };
        edges.push(Edge { from: inner(edge.from), to, op, span });
    }
    let value = Operand::Read(Place::local(LocalId(base)));
    let op = Op::Assign(call.result.clone(), Rvalue::Use(value));
    edges.push(Edge { from: inner(body.exit()), to, op, span });
    cfa.edges[index] = edges.remove(0);
    cfa.edges.append(&mut edges);
}
