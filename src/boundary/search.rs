//! Search*: the candidates of a call site, from small to large.

use std::collections::HashMap;
use std::iter;

use crate::cfa::{Callee, FnId, LoopId, Op, Origin, Span};
use crate::change::{CallSite, Item};
use crate::equiv::{Matched, Matching};
use crate::model::BoundaryKind;
use crate::sym::Called;
use crate::version::Version;

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
    calls: &Calls,
    above: &[Item],
    site: &CallSite,
) -> Vec<Candidate> {
    let caller = calls.caller;
    let mut found = Vec::new();
    let mut add = |kind, called| {
        if let Some(matched) = matching.partner(Version::New, called) {
            found.push(Candidate { kind, matched });
        }
    };
    if let Item::Function(callee) = site.callee
        && let Some(&inside) = calls.places.get(&(site.span, callee))
    {
        add(BoundaryKind::Call, Called::Function(callee));
        for id in calls.around(inside) {
            let kind = match matching.is_region(Version::New, Called::Loop(caller, id)) {
                true => BoundaryKind::Part,
                false => BoundaryKind::Loop,
            };
            add(kind, Called::Loop(caller, id));
        }
    }
    add(BoundaryKind::Function, Called::Function(caller));
    let program = matching.codes.new.program;
    let of_client = |id: FnId| program.origin(program.function(id).krate) == Origin::Client;
    let callers = above.iter().filter_map(|item| match item {
        Item::Function(id) if *id != caller && of_client(*id) => Some(*id),
        _ => None,
    });
    for id in callers.take(MOST_CALLERS) {
        add(BoundaryKind::Caller, Called::Function(id));
    }
    found
}

/// Farther ones are not looked at.
const MOST_CALLERS: usize = 100;

/// The calls in a function, and the loops and parts that they are in.
pub struct Calls {
    caller: FnId,
    /// By where and what is called: the innermost loop or part around it.
    places: HashMap<(Span, FnId), Option<LoopId>>,
    /// The next larger loop or part around each.
    outer: HashMap<LoopId, LoopId>,
}

impl Calls {
    pub fn of(matching: &Matching, caller: FnId) -> Calls {
        let mut calls = Calls { caller, places: HashMap::new(), outer: HashMap::new() };
        let Ok(ready) = matching.codes.new.ready(caller) else { return calls };
        let bodies = ready.loops.iter().zip(0..).map(|(it, id)| (&it.body, Some(LoopId(id))));
        for (body, inside) in bodies.chain([(&ready.body, None)]) {
            for edge in body.all_edges() {
                let Op::Call(call) = &edge.op else { continue };
                match (&call.callee, inside) {
                    (Callee::Function(id), _) => {
                        calls.places.entry((edge.span, *id)).or_insert(inside);
                    }
                    (Callee::Loop { id, .. }, Some(outer)) if *id != outer => {
                        calls.outer.entry(*id).or_insert(outer);
                    }
                    _ => {}
                }
            }
        }
        calls
    }

    /// The loops and parts around a place, from the inside out.
    fn around(&self, inside: Option<LoopId>) -> impl Iterator<Item = LoopId> {
        // No longer than there are any: a cycle with several ways in can be around itself.
        let outer = |id: &LoopId| self.outer.get(id).copied();
        iter::successors(inside, outer).take(self.outer.len() + 1)
    }
}
