//! What the comparison of one target means for its entry points and call sites.

use std::collections::{BTreeMap, HashSet};

use super::body::mentions;
use super::compare::{Change, NEW, Pair};
use super::reach::{Reach, step};
use super::shape::Thing;
use crate::cfa::{Body, Entry, EntryKind, EntryTarget, FnId, Listing, Origin, Span};
use crate::report::schema::{self, CallSite, ChangeKind, Changed, Engine, Item, Step, Verdict};

/// The findings of one target of the client.
pub struct Findings {
    pub entries: Vec<schema::Entry>,
    pub call_sites: Vec<CallSite>,
    pub changed: Vec<Changed>,
    /// Every function that is reachable with the new version.
    pub functions: BTreeMap<String, Standing>,
}

/// How a function of the new version stands to the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Identical,
    /// The same itself, but it reaches what changed.
    Reaches,
    Changed,
}

/// `target` is the name of the target for the report.
pub fn findings(pair: &Pair<'_>, target: &str) -> Findings {
    let reach = Reach::new(pair);
    Findings {
        entries: entries(&reach, target),
        call_sites: call_sites(&reach),
        changed: changed(&reach),
        functions: functions(&reach),
    }
}

fn entries(reach: &Reach<'_>, target: &str) -> Vec<schema::Entry> {
    let pair = reach.pair;
    pair.entries().into_iter().map(|(old, new)| judge(reach, target, old, new)).collect()
}

fn judge(
    reach: &Reach<'_>,
    target: &str,
    old: Option<&Entry>,
    new: Option<&Entry>,
) -> schema::Entry {
    let pair = reach.pair;
    let itself = |entry: &Entry| vec![step(pair.new.program, entry.name.clone(), entry.span)];
    let mut result = schema::Entry {
        function: new.or(old).map(|entry| entry.name.clone()).unwrap_or_default(),
        target: target.to_owned(),
        verdict: Verdict::Unknown,
        engine: None,
        reason: String::new(),
        time_ms: 0,
        counterexample: None,
        exercised: None,
        generic: new.is_some_and(|entry| is_generic(entry, pair)),
        reaches: Vec::new(),
    };
    match (old, new) {
        (Some(old), Some(new)) if pair.has_other_types(old, new) => {
            result.reason = "it takes or gives values of another type".to_owned();
        }
        (Some(old), Some(new)) if leads_elsewhere(old, new) => {
            result.reason = "it leads to something else now".to_owned();
        }
        (Some(_), Some(new)) if new.kind == EntryKind::Signature => {
            result.reason = "callers see other types in it".to_owned();
        }
        (Some(_), Some(new)) if new.kind == EntryKind::Linkage => {
            result.reason = "its section, linkage or calling convention changed".to_owned();
        }
        (Some(old), Some(new)) if pair.equal(old.target.into(), new.target.into()) => {
            result.verdict = Verdict::Equivalent;
            result.engine = Some(Engine::Same);
            result.reason = match result.generic {
                true => "everything it can reach is identical in generic form".to_owned(),
                false => "everything it can reach is identical".to_owned(),
            };
        }
        (Some(_), Some(new)) => {
            let ways = reach.all_ways(new.target.into());
            result.reason = reason(&ways, result.generic, reach);
            result.reaches = ways.iter().map(|way| reach.steps(way)).collect();
            if result.reaches.is_empty() {
                let target: Thing = new.target.into();
                result.reaches.push(match new.listing {
                    Listing::IfRedirected(_) => {
                        let (name, span) = (pair.new.name(target), pair.new.span(target));
                        [itself(new), vec![step(pair.new.program, name, span)]].concat()
                    }
                    _ => itself(new),
                });
            }
        }
        (None, Some(new)) => {
            result.reason = "it exists only with the new version".to_owned();
            result.reaches.push(itself(new));
        }
        (_, None) => result.reason = "it exists only with the old version".to_owned(),
    }
    result
}

/// Whether one path leads to what is no code or value on both sides, or not of the same kind.
fn leads_elsewhere(old: &Entry, new: &Entry) -> bool {
    let is_path = |entry: &Entry| matches!(entry.listing, Listing::IfRedirected(_));
    let is_code = |entry: &Entry| matches!(entry.target, EntryTarget::Function(_));
    is_path(old) && is_path(new) && !(is_code(old) && is_code(new))
}

fn reason(ways: &[Vec<Thing>], generic: bool, reach: &Reach<'_>) -> String {
    let Some(nearest) = ways.first().and_then(|way| way.last()) else {
        return "its value changed".to_owned();
    };
    let form = match generic {
        true => "it is generic, and in generic form ",
        false => "it ",
    };
    let others = match ways.len() - 1 {
        0 => String::new(),
        1 => " and one more change".to_owned(),
        more => format!(" and {more} more changes"),
    };
    format!("{form}reaches changed code: {}{others}", reach.pair.new.name(*nearest))
}

fn is_generic(entry: &Entry, pair: &Pair<'_>) -> bool {
    match entry.target {
        EntryTarget::Function(id) => pair.new.program.function(id).generic,
        _ => false,
    }
}

/// Each place in the client from which changed code is reached without passing other code of the
/// client, and each function of the client that itself changed.
fn call_sites(reach: &Reach<'_>) -> Vec<CallSite> {
    let side = &reach.pair.new;
    let program = side.program;
    let mut sites = Vec::new();
    let mut seen = HashSet::new();
    for (index, function) in program.functions.iter().enumerate() {
        let caller = Thing::Function(FnId(index as u32));
        if side.origin(caller) != Origin::Client || reach.pair.is_kept(NEW, caller) {
            continue;
        }
        let mut add = |callee: String, span: Span, way: &[Thing]| {
            if seen.insert((span, callee.clone())) {
                sites.push(CallSite {
                    caller: function.name.clone(),
                    callee,
                    file: program.file(span).to_owned(),
                    line: span.line,
                    column: span.column,
                    end_line: span.end_line,
                    end_column: span.end_column,
                    verdict: Verdict::Unknown,
                    local_difference: None,
                    boundary: None,
                    engine: None,
                    undecided: None,
                    path: reach.steps(way),
                });
            }
        };
        if reach.is_changed(caller) {
            add(function.name.clone(), function.span, &[caller]);
        }
        for edge in function.cfa().map_or(&[][..], |cfa| &cfa.edges) {
            for mention in mentions(program, function, &edge.op) {
                // A type is no call; where nothing else changed, the signature shows it.
                if matches!(mention, Thing::Type(_)) || reach.pair.is_kept(NEW, mention) {
                    continue;
                }
                if let Some(way) = reach.nearest_outside_client(mention) {
                    add(side.name(mention), edge.span, &way);
                }
            }
        }
    }
    sites.sort_by(|a, b| {
        (&a.file, a.line, a.column, &a.callee).cmp(&(&b.file, b.line, b.column, &b.callee))
    });
    sites
}

fn changed(reach: &Reach<'_>) -> Vec<Changed> {
    let pair = reach.pair;
    let mut changed = Vec::new();
    for thing in things(&pair.new) {
        let (kind, what) = match reach.change(thing) {
            Change::None => continue,
            Change::Changed { what } => (ChangeKind::Changed, what),
            Change::Added => (ChangeKind::Added, "not in the old version".to_owned()),
        };
        changed.push(describe(&pair.new, thing, kind, what));
    }
    for thing in things(&pair.old) {
        if pair.change_of_old(thing) == Change::Added {
            let what = "not reached in the new version".to_owned();
            changed.push(describe(&pair.old, thing, ChangeKind::Removed, what));
        }
    }
    // The standard library is the same on both sides: what of it looks different follows from
    // other changes. It is shown only if nothing else is.
    if changed.iter().any(|(origin, _)| *origin != Origin::Std) {
        changed.retain(|(origin, _)| *origin != Origin::Std);
    }
    let mut changed: Vec<Changed> = changed.into_iter().map(|(_, changed)| changed).collect();
    changed.sort_by(|a, b| (a.item, a.kind, &a.function).cmp(&(b.item, b.kind, &b.function)));
    changed.dedup();
    changed
}

/// What has a name and a place of its own.
fn things<'s>(side: &'s super::compare::Side<'_>) -> impl Iterator<Item = Thing> + use<'s> {
    side.all().filter(|it| matches!(it, Thing::Function(_) | Thing::Type(_) | Thing::Static(_)))
}

fn describe(
    side: &super::compare::Side<'_>,
    thing: Thing,
    kind: ChangeKind,
    what: String,
) -> (Origin, Changed) {
    let span = side.span(thing);
    let place = step(side.program, side.name(thing), span);
    let item = match thing {
        Thing::Function(_) | Thing::VTable(_) => Item::Function,
        Thing::Type(_) => Item::Type,
        Thing::Static(_) => Item::Static,
        Thing::Memory(_) => Item::Constant,
    };
    let Step { function, file, line } = place;
    (side.origin(thing), Changed { function, kind, item, file, line, what })
}

fn functions(reach: &Reach<'_>) -> BTreeMap<String, Standing> {
    let side = &reach.pair.new;
    let mut functions = BTreeMap::new();
    for thing in side.all() {
        let Thing::Function(id) = thing else { continue };
        let function = side.program.function(id);
        // What trait objects that callers bring may run is no function of the program.
        if matches!(function.body, Body::Supplied { .. }) && !function.generic {
            continue;
        }
        let standing = if reach.pair.is_kept(NEW, thing) {
            Standing::Identical
        } else if reach.is_changed(thing) {
            Standing::Changed
        } else {
            Standing::Reaches
        };
        functions.insert(function.name.clone(), standing);
    }
    functions
}
