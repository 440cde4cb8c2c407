//! What the comparison of one target means for its entry points and call sites.

use std::collections::{BTreeMap, HashSet};

use super::body::mentions;
use super::compare::{Change, Pair};
use super::digest::Item;
use super::reach::{ChangePath, Reach, step};
use crate::cfa::{Body, Entry, EntryKind, EntryTarget, FnId, Listing, Origin, Span};
use crate::model::{
    CallSiteId, ChangeKind, ChangedItem, ChangedPart, Engine, EntryId, ItemKind, Owner, PathStep,
    Proof, SourceLines, Undecided, Verdict, WhyItCounts,
};
use crate::version::{Both, Version};

/// The findings of one target of the client.
pub struct Findings<'a> {
    entries: Vec<EntryPoint<'a>>,
    call_sites: Vec<CallSite>,
    pub changed: Vec<ChangedItem>,
    /// Every function that is reachable with the new version.
    pub functions: BTreeMap<String, FunctionStatus>,
}

/// An entry point of the client, as it is in each version.
pub struct EntryPoint<'a> {
    pub old: Option<&'a Entry>,
    pub new: Option<&'a Entry>,
    /// Whether it is generic with the new version.
    pub is_generic: bool,
    /// What the comparison says of it: equivalent if all that it reaches is identical.
    pub compared: Verdict,
    /// The changed code that it reaches.
    pub reaches: Vec<ChangePath>,
}

/// A place in the client from which changed code is reached without passing other code of the client,
/// or a function of the client that itself changed. Ids are those of the new version.
pub struct CallSite {
    pub caller: FnId,
    pub callee: Item,
    pub span: Span,
    /// From the callee to the nearest changed code.
    pub path: ChangePath,
}

/// How a function of the new version stands to the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionStatus {
    Identical,
    /// The same itself, but it reaches what changed.
    Reaches,
    Changed,
}

impl<'a> Findings<'a> {
    pub fn of(pair: &Pair<'a>) -> Findings<'a> {
        let reach = Reach::new(pair);
        let entries = pair.entries().into_iter().map(|(old, new)| compare(&reach, old, new));
        Findings {
            entries: entries.collect(),
            call_sites: call_sites(&reach),
            changed: changed(&reach),
            functions: functions(&reach),
        }
    }

    pub fn entry(&self, id: EntryId) -> &EntryPoint<'a> {
        &self.entries[id.0]
    }

    pub fn entries(&self) -> impl Iterator<Item = (EntryId, &EntryPoint<'a>)> {
        self.entries.iter().enumerate().map(|(number, entry)| (EntryId(number), entry))
    }

    pub fn call_sites(&self) -> impl Iterator<Item = (CallSiteId, &CallSite)> {
        self.call_sites.iter().enumerate().map(|(number, site)| (CallSiteId(number), site))
    }
}

impl<'a> EntryPoint<'a> {
    /// The entry point in both versions, if both have it.
    pub fn both(&self) -> Option<(&'a Entry, &'a Entry)> {
        self.old.zip(self.new)
    }

    pub fn name(&self) -> &'a str {
        self.new.or(self.old).map_or("", |entry| &entry.name)
    }
}

fn compare<'a>(
    reach: &Reach<'_>,
    old: Option<&'a Entry>,
    new: Option<&'a Entry>,
) -> EntryPoint<'a> {
    let pair = reach.pair;
    let is_generic = new.is_some_and(|entry| is_generic(entry, pair));
    let unknown = |undecided| (Verdict::Unknown(undecided), Vec::new());
    let (compared, reaches) = match (old, new) {
        (Some(old), Some(new)) if pair.has_other_types(old, new) => unknown(Undecided::OtherTypes),
        (Some(old), Some(new)) if leads_elsewhere(old, new) => unknown(Undecided::LeadsElsewhere),
        (Some(_), Some(new)) if new.kind == EntryKind::Signature => {
            unknown(Undecided::OtherSignature)
        }
        (Some(_), Some(new)) if new.kind == EntryKind::Linkage => unknown(Undecided::OtherLinkage),
        (Some(old), Some(new)) if pair.equal(old.target.into(), new.target.into()) => {
            (Verdict::Equivalent(Proof::by(Engine::Same)), Vec::new())
        }
        (Some(_), Some(new)) => {
            let ways = reach.all_ways(new.target.into());
            let undecided = nearest_change(&ways, is_generic, reach);
            let mut ways: Vec<ChangePath> = ways.into_iter().map(|way| reach.way(way)).collect();
            if ways.is_empty() {
                ways.push(itself(pair, new));
            }
            (Verdict::Unknown(undecided), ways)
        }
        (None, Some(new)) => (Verdict::Unknown(Undecided::OnlyNew), vec![itself(pair, new)]),
        (_, None) => unknown(Undecided::OnlyOld),
    };
    EntryPoint { old, new, is_generic, compared, reaches }
}

/// An entry point that itself is what changed, with what stands there where it is only a path to that.
fn itself(pair: &Pair<'_>, new: &Entry) -> ChangePath {
    let target: Item = new.target.into();
    let program = pair.new.program;
    let mut steps = vec![step(program, new.name.clone(), new.span)];
    if matches!(new.listing, Listing::IfRedirected(_)) {
        steps.push(step(program, pair.new.name(target), pair.new.span(target)));
    }
    ChangePath { items: vec![target], steps }
}

/// Whether one path leads to what is no code or value on both sides, or not of the same kind.
fn leads_elsewhere(old: &Entry, new: &Entry) -> bool {
    let is_path = |entry: &Entry| matches!(entry.listing, Listing::IfRedirected(_));
    let is_code = |entry: &Entry| matches!(entry.target, EntryTarget::Function(_));
    is_path(old) && is_path(new) && !(is_code(old) && is_code(new))
}

fn nearest_change(ways: &[Vec<Item>], in_generic_form: bool, reach: &Reach<'_>) -> Undecided {
    match ways.first().and_then(|way| way.last()) {
        None => Undecided::OtherValue,
        Some(nearest) => Undecided::Reaches {
            nearest: reach.pair.new.name(*nearest),
            others: ways.len() - 1,
            in_generic_form,
        },
    }
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
        let caller = Item::Function(FnId(index as u32));
        if side.origin(caller) != Origin::Client || reach.pair.is_kept(Version::New, caller) {
            continue;
        }
        let mut add = |callee: Item, span: Span, way: Vec<Item>| {
            if seen.insert((span, side.name(callee))) {
                let path = reach.way(way);
                sites.push(CallSite { caller: FnId(index as u32), callee, span, path });
            }
        };
        if reach.is_changed(caller) {
            add(caller, function.span, vec![caller]);
        }
        for edge in function.cfa().map_or(&[][..], |cfa| &cfa.edges) {
            for mention in mentions(program, function, &edge.op) {
                // A type is no call; where nothing else changed, the signature shows it.
                if matches!(mention, Item::Type(_)) || reach.pair.is_kept(Version::New, mention) {
                    continue;
                }
                if let Some(way) = reach.nearest_outside_client(mention) {
                    add(mention, edge.span, way);
                }
            }
        }
    }
    let place = |site: &CallSite| {
        let (file, name) = (program.file(site.span), side.name(site.callee));
        (file, site.span.line, site.span.column, name)
    };
    sites.sort_by_cached_key(place);
    sites
}

fn changed(reach: &Reach<'_>) -> Vec<ChangedItem> {
    let pair = reach.pair;
    let mut changed = Vec::new();
    for item in items(&pair.new) {
        let (kind, what) = match reach.change(item) {
            Change::None => continue,
            Change::Changed(part) => (ChangeKind::Changed, Some(part)),
            Change::Added => (ChangeKind::Added, None),
        };
        changed.push(describe(pair, Version::New, item, kind, what));
    }
    for item in items(&pair.old) {
        if pair.change(Version::Old, item) == Change::Added {
            changed.push(describe(pair, Version::Old, item, ChangeKind::Removed, None));
        }
    }
    // The standard library is the same on both sides: what of it looks different follows from
    // other changes. It is shown only if nothing else is.
    if changed.iter().any(|(origin, _)| *origin != Origin::Std) {
        changed.retain(|(origin, _)| *origin != Origin::Std);
    }
    let mut changed: Vec<ChangedItem> = changed.into_iter().map(|(_, changed)| changed).collect();
    changed.sort_by_cached_key(|it| {
        let package = it.owner.as_ref().map(|owner| owner.package.clone());
        // What moves comes before what follows from it.
        let follows = it.owner.as_ref().is_none_or(|owner| owner.counts.is_some());
        (follows, package, it.item, it.kind, it.name.clone())
    });
    changed.dedup();
    changed
}

/// What has a name and a place of its own.
fn items<'s>(
    side: &'s super::compare::ComparedProgram<'_>,
) -> impl Iterator<Item = Item> + use<'s> {
    side.all().filter(|it| matches!(it, Item::Function(_) | Item::Type(_) | Item::Static(_)))
}

fn describe(
    pair: &Pair<'_>,
    version: Version,
    item: Item,
    kind: ChangeKind,
    what: Option<ChangedPart>,
) -> (Origin, ChangedItem) {
    let side = &pair[version];
    let span = side.span(item);
    let place = step(side.program, side.name(item), span);
    let item_kind = match item {
        Item::Function(_) | Item::VTable(_) => ItemKind::Function,
        Item::Type(_) => ItemKind::Type,
        Item::Static(_) => ItemKind::Static,
        Item::Memory(_) => ItemKind::Constant,
    };
    let PathStep { function: name, file, line } = place;
    let owner = owner(pair, version, item);
    let source = source(pair, version, item);
    (
        side.origin(item),
        ChangedItem { name, kind, item: item_kind, file, line, what, owner, source },
    )
}

fn source(pair: &Pair<'_>, version: Version, item: Item) -> Option<Both<SourceLines>> {
    let other = pair.partner(version, item)?;
    let (Item::Function(here), Item::Function(there)) = (item, other) else { return None };
    let lines = |version: Version, id: FnId| {
        let program = pair[version].program;
        let (file, first, last) = program.lines_of(program.function(id))?;
        Some(SourceLines { file: file.to_owned(), first, last })
    };
    let (here, there) = (lines(version, here)?, lines(version.other(), there)?);
    Some(match version {
        Version::Old => Both::new(here, there),
        Version::New => Both::new(there, here),
    })
}

fn owner(pair: &Pair<'_>, version: Version, item: Item) -> Option<Owner> {
    let (here, there) = (&pair[version], &pair[version.other()]);
    let krate = here.krate(item)?;
    let package = krate.package.as_ref()?;
    let same = there.program.packages().find(|(it, of)| (*of, &it.name) == (package, &krate.name));
    let counts = same.map(|(other, _)| {
        let types = match item {
            Item::Function(id) => here.program.function(id).type_args.as_slice(),
            _ => &[],
        };
        match types.iter().find(|ty| !pair.is_kept(version, Item::Type(**ty))) {
            Some(ty) => WhyItCounts::Instance(here.program.ty(*ty).name.clone()),
            None if other.features != krate.features => WhyItCounts::Features,
            None => WhyItCounts::Generated,
        }
    });
    Some(Owner { counts, package: package.name.clone(), version: package.version.clone() })
}

fn functions(reach: &Reach<'_>) -> BTreeMap<String, FunctionStatus> {
    let side = &reach.pair.new;
    let mut functions = BTreeMap::new();
    for item in side.all() {
        let Item::Function(id) = item else { continue };
        let function = side.program.function(id);
        // What trait objects that callers bring may run is no function of the program.
        if matches!(function.body, Body::Supplied { .. }) && !function.generic {
            continue;
        }
        let standing = if reach.pair.is_kept(Version::New, item) {
            FunctionStatus::Identical
        } else if reach.is_changed(item) {
            FunctionStatus::Changed
        } else {
            FunctionStatus::Reaches
        };
        functions.insert(function.name.clone(), standing);
    }
    functions
}
