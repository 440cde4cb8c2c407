//! Which boundary contains each call site, once candidates were checked and entry points were run.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::search::{Calls, Candidate, candidates};
use crate::cfa::{Entry, FnId, Span};
use crate::change::{CallSite, EntryPoint, Findings, Item, Reach};
use crate::equiv::{Context, PairVerdict, PairVerdicts};
use crate::model::{Boundary, BoundaryKind, Containment, OpenBoundary, Verdict, WhyOpen};
use crate::sym::Called;

/// Says of every call site how far the change behind it can be felt: by the smallest candidate that
/// was proved, or else by the verdicts on the entry points that lead to it, given by their ids. In the order of the call
/// sites.
pub fn contain(
    context: &Context<'_>,
    findings: &Findings<'_>,
    verdicts: &[Verdict],
    standings: &PairVerdicts,
) -> Vec<Containment> {
    let mut entries: HashMap<Item, Vec<Judged>> = HashMap::new();
    for (id, point) in findings.entries() {
        if let Some(entry) = point.new {
            let judged = Judged { entry, point, verdict: &verdicts[id.0] };
            entries.entry(entry.target.into()).or_default().push(judged);
        }
    }
    let search = Search {
        context,
        reach: Reach::new(context.pair),
        entries,
        standings,
        calls: RefCell::default(),
    };
    let differing = search.on_the_way_to_a_difference();
    let contained = |site: &CallSite| match search.smallest(site) {
        contained @ Containment::Contained { .. } => contained,
        _ if differing.contains(&Item::Function(site.caller)) => Containment::Escapes,
        open => open,
    };
    findings.call_sites().map(|(_, site)| contained(site)).collect()
}

struct Search<'c> {
    context: &'c Context<'c>,
    reach: Reach<'c>,
    entries: HashMap<Item, Vec<Judged<'c>>>,
    standings: &'c PairVerdicts,
    /// Those of each function that was asked about.
    calls: RefCell<HashMap<FnId, Rc<Calls>>>,
}

/// An entry point of the new version, with what is known of it.
struct Judged<'c> {
    entry: &'c Entry,
    point: &'c EntryPoint<'c>,
    verdict: &'c Verdict,
}

impl Search<'_> {
    /// The smallest candidate of a call site that was proved, or else the smallest that is not known
    /// to differ.
    fn smallest(&self, site: &CallSite) -> Containment {
        let above = self.reach.leading_to(Item::Function(site.caller));
        // One caller that swallows the change says nothing of what others do with it.
        let entries = || above.iter().flat_map(|item| self.entries_at(*item));
        let escapes = entries().any(|it| !it.verdict.is_equivalent());
        let mut open = None;
        for candidate in
            candidates(&self.context.matching, &self.calls_of(site.caller), &above, site)
        {
            match self.standing(&candidate) {
                Some(PairVerdict::Equal(_))
                    if escapes && candidate.kind == BoundaryKind::Caller => {}
                Some(PairVerdict::Equal(engine)) => {
                    let boundary = self.boundary(site, candidate);
                    return Containment::Contained { boundary, engine };
                }
                Some(PairVerdict::Unknown(why)) if open.is_none() => open = Some((candidate, why)),
                // What differs by itself need not differ in what contains it.
                _ => {}
            }
        }
        let Some((candidate, why)) = open else {
            return Containment::Open(self.open_entry(&above));
        };
        let boundary = self.boundary(site, candidate);
        let why = WhyOpen::NotProved(self.context.incomplete(&why));
        Containment::Open(Some(OpenBoundary { boundary, why }))
    }

    /// What is known of a candidate. Of an entry point, native runs can tell more than proofs.
    fn standing(&self, candidate: &Candidate) -> Option<PairVerdict> {
        let run = match candidate.matched.new {
            Called::Function(id) => {
                let mut entries = self.entries_at(Item::Function(id)).iter();
                entries.find_map(|it| match it.verdict {
                    Verdict::Equivalent(proof) => Some(proof.engine),
                    _ => None,
                })
            }
            Called::Loop(..) => None,
        };
        match run {
            Some(engine) => Some(PairVerdict::Equal(engine)),
            None => self.standings.get(candidate.matched).cloned(),
        }
    }

    fn calls_of(&self, caller: FnId) -> Rc<Calls> {
        let mut calls = self.calls.borrow_mut();
        let of_caller = calls.entry(caller);
        of_caller.or_insert_with(|| Rc::new(Calls::of(&self.context.matching, caller))).clone()
    }

    fn entries_at(&self, item: Item) -> &[Judged<'_>] {
        self.entries.get(&item).map_or(&[], Vec::as_slice)
    }

    /// The nearest entry point that is not decided, where no candidate below it could be looked at:
    /// the code is generic, say.
    fn open_entry(&self, above: &[Item]) -> Option<OpenBoundary> {
        let program = self.context.matching.codes.new.program;
        let open = |item: &Item| {
            self.entries_at(*item).iter().find_map(|it| match it.verdict {
                Verdict::Unknown(undecided) => Some((it.entry, it.point.is_generic, undecided)),
                _ => None,
            })
        };
        let (number, (entry, is_generic, undecided)) =
            above.iter().enumerate().find_map(|(number, item)| Some((number, open(item)?)))?;
        let span = match above[number] {
            Item::Function(id) => program.function(id).extent(),
            _ => entry.span,
        };
        let boundary = Boundary {
            kind: if number == 0 { BoundaryKind::Function } else { BoundaryKind::Caller },
            function: entry.name.clone(),
            first_line: span.line,
            last_line: span.end_line,
        };
        let why = match is_generic {
            true => WhyOpen::Generic,
            false => WhyOpen::Entry(undecided.clone()),
        };
        Some(OpenBoundary { boundary, why })
    }

    /// A candidate as it is shown.
    fn boundary(&self, site: &CallSite, candidate: Candidate) -> Boundary {
        let program = self.context.matching.codes.new.program;
        let (Called::Function(id) | Called::Loop(id, _)) = candidate.matched.new;
        let span = match candidate.matched.new {
            _ if candidate.kind == BoundaryKind::Call => Span {
                line: site.span.line,
                end_line: site.span.end_line,
                ..program.function(id).span
            },
            Called::Function(id) => program.function(id).extent(),
            Called::Loop(id, number) => match self.context.matching.codes.new.ready(id) {
                Ok(ready) => ready.a_loop(number).span,
                Err(_) => program.function(id).extent(),
            },
        };
        let function = match candidate.kind {
            BoundaryKind::Call => program.function(site.caller).name.clone(),
            _ => program.function(id).name.clone(),
        };
        Boundary { kind: candidate.kind, function, first_line: span.line, last_line: span.end_line }
    }

    fn on_the_way_to_a_difference(&self) -> HashSet<Item> {
        let entries = self.entries.values().flatten();
        let differing = entries.filter(|it| it.verdict.is_different());
        let ways = differing.flat_map(|it| &it.point.reaches);
        ways.flat_map(|way| way.items.iter().copied()).collect()
    }
}
