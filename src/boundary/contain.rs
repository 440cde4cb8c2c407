//! Which boundary contains each call site, once candidates were checked and entry points were run.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::search::{Calls, Candidate, candidates};
use crate::cfa::{Entry, FnId, Span, TyId};
use crate::change::{Findings, NEW, Pair, Reach, Thing, step};
use crate::equiv::{Matching, Standing, Standings};
use crate::report::schema::{self, Boundary, BoundaryKind, CallSite, Engine, Undecided, Verdict};
use crate::sym::Called;

/// Gives every call site its verdict: that of the smallest candidate that was proved, or else that of
/// the entry points that lead to it.
pub fn contain(
    pair: &Pair<'_>,
    exit_types: [TyId; 2],
    findings: &mut Findings,
    standings: &Standings,
) {
    let Findings { entries: found, call_sites, .. } = findings;
    let mut entries: HashMap<Thing, Vec<EntryPoint>> = HashMap::new();
    for ((_, entry), found) in pair.entries().into_iter().zip(&*found) {
        if let Some(entry) = entry {
            entries.entry(entry.target.into()).or_default().push(EntryPoint { entry, found });
        }
    }
    let containment = Containment {
        matching: Matching::new(pair, exit_types),
        reach: Reach::new(pair),
        entries,
        standings,
        calls: RefCell::default(),
    };
    let differing = containment.functions_on_the_way_to_a_difference();
    for site in call_sites {
        match containment.search(site) {
            Some(Searched::Contained(engine, boundary)) => {
                site.verdict = Verdict::Equivalent;
                site.engine = Some(engine);
                site.boundary = Some(boundary);
            }
            _ if differing.contains(site.caller.as_str()) => site.verdict = Verdict::Different,
            Some(Searched::Undecided(undecided)) => site.undecided = Some(undecided),
            None => {}
        }
    }
}

struct Containment<'c> {
    matching: Matching<'c>,
    reach: Reach<'c>,
    entries: HashMap<Thing, Vec<EntryPoint<'c>>>,
    standings: &'c Standings,
    /// Those of each function that was asked about.
    calls: RefCell<HashMap<FnId, Rc<Calls>>>,
}

/// An entry point of the new version, with what is known of it.
struct EntryPoint<'c> {
    entry: &'c Entry,
    found: &'c schema::Entry,
}

/// What came of the candidates of a call site.
enum Searched {
    /// The smallest that was proved.
    Contained(Engine, Boundary),
    /// None was proved; the smallest that is not known to differ.
    Undecided(Undecided),
}

impl Containment<'_> {
    /// Looks through the candidates of a call site, smallest first.
    fn search(&self, site: &CallSite) -> Option<Searched> {
        let program = self.matching.codes[NEW].program;
        let caller = program.functions.iter().position(|it| it.name == site.caller)?;
        let caller = FnId(caller as u32);
        let above = self.reach.leading_to(Thing::Function(caller));
        // One caller that swallows the change says nothing of what others do with it.
        let entries = || above.iter().flat_map(|thing| self.entries_at(*thing));
        let escapes = entries().any(|it| it.found.verdict != Verdict::Equivalent);
        let mut open = None;
        for candidate in candidates(&self.matching, &self.calls_of(caller), &above, site) {
            match self.standing(&candidate) {
                Some(Standing::Equal(_)) if escapes && candidate.kind == BoundaryKind::Caller => {}
                Some(Standing::Equal(engine)) => {
                    return Some(Searched::Contained(engine, self.boundary(site, candidate)));
                }
                Some(Standing::Unknown(why)) if open.is_none() => open = Some((candidate, why)),
                // What differs by itself need not differ in what contains it.
                _ => {}
            }
        }
        let Some((candidate, why)) = open else {
            return self.open_entry(&above).map(Searched::Undecided);
        };
        let place = why.place.map(|(side, function, span)| {
            let program = self.matching.codes[side].program;
            step(program, program.function(function).name.clone(), span)
        });
        let boundary = self.boundary(site, candidate);
        Some(Searched::Undecided(Undecided { boundary, reason: why.reason, place }))
    }

    /// What is known of a candidate. Of an entry point, native runs can tell more than proofs.
    fn standing(&self, candidate: &Candidate) -> Option<Standing> {
        let run = match candidate.matched.new {
            Called::Function(id) => {
                let mut entries = self.entries_at(Thing::Function(id)).iter();
                let equal = entries.find(|it| it.found.verdict == Verdict::Equivalent);
                equal.and_then(|it| it.found.engine)
            }
            Called::Loop(..) => None,
        };
        match run {
            Some(engine) => Some(Standing::Equal(engine)),
            None => self.standings.get(candidate.matched).cloned(),
        }
    }

    fn calls_of(&self, caller: FnId) -> Rc<Calls> {
        let mut calls = self.calls.borrow_mut();
        let of_caller = calls.entry(caller);
        of_caller.or_insert_with(|| Rc::new(Calls::of(&self.matching, caller))).clone()
    }

    fn entries_at(&self, thing: Thing) -> &[EntryPoint<'_>] {
        self.entries.get(&thing).map_or(&[], Vec::as_slice)
    }

    /// The nearest entry point that is not decided, where no candidate below it could be looked at:
    /// the code is generic, say.
    fn open_entry(&self, above: &[Thing]) -> Option<Undecided> {
        let program = self.matching.codes[NEW].program;
        let is_open = |it: &&EntryPoint<'_>| it.found.verdict == Verdict::Unknown;
        let (number, EntryPoint { entry, found }) =
            (above.iter().enumerate()).find_map(|(number, thing)| {
                Some((number, self.entries_at(*thing).iter().find(is_open)?))
            })?;
        let span = match above[number] {
            Thing::Function(id) => program.function(id).extent(),
            _ => entry.span,
        };
        let boundary = Boundary {
            kind: if number == 0 { BoundaryKind::Function } else { BoundaryKind::Caller },
            function: found.function.clone(),
            first_line: span.line,
            last_line: span.end_line,
        };
        let reason = match found.generic {
            true => "it is generic, and such code is compared only as it stands".to_owned(),
            false => found.reason.clone(),
        };
        Some(Undecided { boundary, reason, place: None })
    }

    /// A candidate as it is shown.
    fn boundary(&self, site: &CallSite, candidate: Candidate) -> Boundary {
        let program = self.matching.codes[NEW].program;
        let (Called::Function(id) | Called::Loop(id, _)) = candidate.matched.new;
        let span = match candidate.matched.new {
            _ if candidate.kind == BoundaryKind::Call => {
                Span { line: site.line, end_line: site.end_line, ..program.function(id).span }
            }
            Called::Function(id) => program.function(id).extent(),
            Called::Loop(id, number) => match self.matching.codes[NEW].ready(id) {
                Ok(ready) => ready.a_loop(number).span,
                Err(_) => program.function(id).extent(),
            },
        };
        let function = match candidate.kind {
            BoundaryKind::Call => site.caller.clone(),
            _ => program.function(id).name.clone(),
        };
        Boundary { kind: candidate.kind, function, first_line: span.line, last_line: span.end_line }
    }

    fn functions_on_the_way_to_a_difference(&self) -> HashSet<&str> {
        let entries = self.entries.values().flatten();
        let differing = entries.filter(|it| it.found.verdict == Verdict::Different);
        let ways = differing.flat_map(|it| it.found.reaches.iter().flatten());
        ways.map(|step| step.function.as_str()).collect()
    }
}
