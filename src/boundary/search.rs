//! Search*: the candidates of a call site, from small to large.

use crate::cfa::{Callee, FnId, LoopId, Op, Origin};
use crate::change::{NEW, Thing};
use crate::equiv::{Matched, Matching};
use crate::report::schema::{BoundaryKind, CallSite};
use crate::sym::Called;

/// A part of the client that may contain a call site.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub kind: BoundaryKind,
    pub matched: Matched,
}

/// The call itself, the loops around it from the inside out, what belongs to it of the function, the
/// whole function, and then those of `above`, which lead to it, that are in the client.
pub fn candidates(
    matching: &Matching,
    above: &[Thing],
    caller: FnId,
    site: &CallSite,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut add = |kind, called| {
        if let Some(matched) = matching.partner(NEW, called) {
            found.push(Candidate { kind, matched });
        }
    };
    let (called, around) = call_at(matching, caller, (site.line, site.column), &site.callee);
    if let Some(id) = called {
        add(BoundaryKind::Call, Called::Function(id));
    }
    for id in around {
        let kind = match matching.is_region(NEW, Called::Loop(caller, id)) {
            true => BoundaryKind::Part,
            false => BoundaryKind::Loop,
        };
        add(kind, Called::Loop(caller, id));
    }
    add(BoundaryKind::Function, Called::Function(caller));
    let program = matching.codes[NEW].program;
    let of_client = |id: FnId| program.origin(program.function(id).krate) == Origin::Client;
    let callers = above.iter().filter_map(|thing| match thing {
        Thing::Function(id) if *id != caller && of_client(*id) => Some(*id),
        _ => None,
    });
    for id in callers.take(MOST_CALLERS) {
        add(BoundaryKind::Caller, Called::Function(id));
    }
    found
}

/// Farther ones are not looked at.
const MOST_CALLERS: usize = 100;

/// What is called at a place of a function, and the loops and parts around it.
fn call_at(
    matching: &Matching,
    caller: FnId,
    line: (u32, u32),
    callee: &str,
) -> (Option<FnId>, Vec<LoopId>) {
    let program = matching.codes[NEW].program;
    let Ok(ready) = matching.codes[NEW].ready(caller) else { return (None, Vec::new()) };
    let called = |op: &Op| match op {
        Op::Call(call) => match call.callee {
            Callee::Function(id) if program.function(id).name == callee => Some(id),
            _ => None,
        },
        _ => None,
    };
    let bodies = ready.loops.iter().zip(0..).map(|(it, id)| (&it.body, Some(LoopId(id))));
    for (body, inside) in bodies.chain([(&ready.body, None)]) {
        for edge in body.all_edges() {
            if (edge.span.line, edge.span.column) != line {
                continue;
            }
            if let Some(id) = called(&edge.op) {
                let mut around = Vec::new();
                let mut next = inside;
                while let Some(id) = next {
                    around.push(id);
                    next = ready.loops.iter().zip(0..).find_map(|(it, outer)| {
                        let calls = it.body.all_edges().any(|edge| match &edge.op {
                            Op::Call(call) => {
                                matches!(call.callee, Callee::Loop { id: inner, .. } if inner == id)
                            }
                            _ => false,
                        });
                        (calls && outer != id.0).then_some(LoopId(outer))
                    });
                }
                return (Some(id), around);
            }
        }
    }
    (None, Vec::new())
}
