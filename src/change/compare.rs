//! Laying two programs side by side: what is identical, and what itself changed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Index;
use std::sync::{Arc, OnceLock};
use std::thread;

use super::classes::{Class, Items, classes};
use super::digest::{self, Digest, DigestContext, Item};
use super::signature::names_other_types;
use crate::cfa::normalize::Depth;
use crate::cfa::{
    Body, Crate, Entry, EntryKind, FnId, Impl, ImplContent, Listing, Origin, Program, Span,
};
use crate::memo::Memo;
use crate::model::ChangedPart;
use crate::version::{Both, Version};

/// Two programs of one target of the client, compared.
pub struct Pair<'a> {
    pub old: ComparedProgram<'a>,
    pub new: ComparedProgram<'a>,
    /// Made when first needed.
    replaced: OnceLock<Both<HashSet<Item>>>,
}

/// One of the two programs.
pub struct ComparedProgram<'a> {
    pub program: &'a Program,
    context: DigestContext,
    items: Items,
    classes: Vec<Class>,
    /// The classes that occur on the other side.
    shared: HashSet<Class>,
    /// Made when first needed: if nothing changed, nothing is looked up.
    named: OnceLock<HashMap<(u8, String), Item>>,
    /// Made when first needed: see [`ComparedProgram::all`].
    reached: OnceLock<Option<HashSet<Item>>>,
    /// The digests of functions as they are written, as far as they were asked for.
    own: Memo<FnId, Arc<Digest>>,
}

/// What happened to an item itself, whatever happened to the items that it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: it is identical, or only refers to what changed.
    None,
    Changed(ChangedPart),
    /// There is nothing of its name or its content on the other side.
    Added,
}

impl<'a> Pair<'a> {
    /// `foreign_code_moves`: see [`DigestContext`].
    pub fn new(old: &'a Program, new: &'a Program, foreign_code_moves: bool) -> Pair<'a> {
        let programs = Both::new(old, new);
        let moving = moving(old, new);
        let contexts = Both::from_fn(|version| DigestContext {
            foreign_code_moves,
            version,
            added: match version {
                Version::Old => HashSet::new(),
                Version::New => added_impls(old, new),
            },
            moving: moving.clone(),
        });
        // Most upgrades change nothing that is reached: then normal forms need not be made. In the
        // others, what is the same as it stands needs none either.
        let items = on_both(|version| Items::of(programs[version], &contexts[version]));
        let lowered = Pair::of(programs, contexts.clone(), items);
        if lowered.equal_entries() == lowered.entries().len() {
            return lowered;
        }
        // What is equal in one form behaves the same. Neither finds all: a callee may be small enough
        // to be inlined on one side only.
        let [own, with_wrappers] = [Depth::Own, Depth::WithWrappers].map(|form| {
            let items = on_both(|version| {
                let (here, there) = (&lowered[version], &lowered[version.other()]);
                let depth = |id| depth(here, there, Item::Function(id), form);
                here.items.at(here.program, depth, &here.context)
            });
            Pair::of(programs, contexts.clone(), items)
        });
        match own.equal_entries() > with_wrappers.equal_entries() {
            true => own,
            false => with_wrappers,
        }
    }

    fn of(
        programs: Both<&'a Program>,
        contexts: Both<DigestContext>,
        items: Both<Items>,
    ) -> Pair<'a> {
        let classes = classes(items.as_ref());
        let sets: Both<HashSet<Class>> =
            classes.as_ref().map(|classes| classes.iter().copied().collect());
        let shared = Both::new(sets.new, sets.old);
        let sides = programs.zip(contexts).zip(items.zip(classes)).zip(shared);
        let Both { old, new } = sides.map(|(((program, context), (items, classes)), shared)| {
            ComparedProgram::new(program, context, items, classes, shared)
        });
        Pair { old, new, replaced: OnceLock::new() }
    }

    /// The entry points of both sides, paired by what tells them apart: name, kind and, where two
    /// have one name, their order. Left out is what is not listed (see [`Listing`]) and what is new:
    /// no one can have used that yet.
    pub fn entries(&self) -> Vec<(Option<&'a Entry>, Option<&'a Entry>)> {
        let mut pairs: BTreeMap<_, (Option<&Entry>, Option<&Entry>)> = BTreeMap::new();
        for (key, entry) in numbered(&self.old.program.entries) {
            pairs.entry(key).or_default().0 = Some(entry);
        }
        for (key, entry) in numbered(&self.new.program.entries) {
            pairs.entry(key).or_default().1 = Some(entry);
        }
        pairs.into_values().filter(|pair| self.is_listed(pair)).collect()
    }

    fn is_listed(&self, pair: &(Option<&Entry>, Option<&Entry>)) -> bool {
        let (old, new) = match pair {
            (Some(old), Some(new)) => (old, new),
            (None, Some(new)) => return new.listing == Listing::Always,
            _ => return true,
        };
        match (&old.listing, &new.listing) {
            (Listing::Always, _) | (_, Listing::Always) => true,
            (Listing::IfRedirected(one), Listing::IfRedirected(two)) if one == two => false,
            _ => !self.equal(old.target.into(), new.target.into()),
        }
    }

    /// How many entry points are equal.
    fn equal_entries(&self) -> usize {
        let is_equal = |pair: &(Option<&Entry>, Option<&Entry>)| match pair {
            (Some(old), Some(new)) => self.equal(old.target.into(), new.target.into()),
            _ => false,
        };
        self.entries().iter().filter(|pair| is_equal(pair)).count()
    }

    /// Whether an entry point takes and gives values of other types, which only look alike.
    pub fn has_other_types(&self, old: &Entry, new: &Entry) -> bool {
        names_other_types((self.old.program, old), (self.new.program, new))
    }

    /// Whether an item of one side is what it was: the other side has an equal one, and code that
    /// is the same on both sides and refers to it by its name means an equal one there.
    ///
    /// Where two functions exchanged their content, both have an equal one and neither is kept.
    pub fn is_kept(&self, version: Version, item: Item) -> bool {
        let replaced =
            || self.replaced.get_or_init(|| Both::from_fn(|version| self.replaced(version)));
        self[version].is_identical(item) && !replaced()[version].contains(&item)
    }

    /// What has an equal on the other side, where the same code refers to something else instead.
    fn replaced(&self, version: Version) -> HashSet<Item> {
        let (here, there) = (&self[version], &self[version.other()]);
        let partner = |item: Item| Some((item, there.named(&here.name_key(item)?)?));
        let mut pending: Vec<(Item, Item)> =
            here.all().filter(|it| !here.is_identical(*it)).filter_map(partner).collect();
        let mut replaced = HashSet::new();
        while let Some((one, two)) = pending.pop() {
            let (own, others) = (here.own_digest(one), there.own_digest(two));
            if own.hash != others.hash || own.refs.len() != others.refs.len() {
                continue;
            }
            for (&one, &two) in own.refs.iter().zip(&others.refs) {
                if here.is_identical(one)
                    && here.class(one) != there.class(two)
                    && here.name_key(one).is_some()
                    && here.name_key(one) == there.name_key(two)
                    && replaced.insert(one)
                {
                    pending.push((one, two));
                }
            }
        }
        replaced
    }

    /// What happened to an item of one side. Of one of the old side, [`Change::Added`] means that it was
    /// removed.
    pub fn change(&self, version: Version, item: Item) -> Change {
        match self.is_kept(version, item) {
            true => Change::None,
            false => change(&self[version], &self[version.other()], item),
        }
    }

    /// What stands under the name of an item of one side in the other.
    pub fn partner(&self, version: Version, item: Item) -> Option<Item> {
        self[version.other()].named(&self[version].name_key(item)?)
    }

    /// Whether two items are equal, with everything they refer to.
    pub fn equal(&self, old: Item, new: Item) -> bool {
        self.old.class(old) == self.new.class(new)
    }
}

impl<'a> Index<Version> for Pair<'a> {
    type Output = ComparedProgram<'a>;

    fn index(&self, version: Version) -> &ComparedProgram<'a> {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }
}

/// Something of both versions, made at the same time.
pub(super) fn on_both<T: Send>(make: impl Fn(Version) -> T + Sync) -> Both<T> {
    thread::scope(|scope| {
        let old = scope.spawn(|| make(Version::Old));
        let new = make(Version::New);
        Both::new(old.join().expect("hashing does not panic"), new)
    })
}

/// The packages of which one side has another version, or one from another place.
fn moving(old: &Program, new: &Program) -> HashSet<String> {
    let packages =
        |program: &'_ Program| program.packages().map(|(_, it)| it.clone()).collect::<HashSet<_>>();
    let (old, new) = (packages(old), packages(new));
    old.symmetric_difference(&new).map(|package| package.name.clone()).collect()
}

/// The headers of impls for types that callers bring which the old side does not have.
fn added_impls(old: &Program, new: &Program) -> HashSet<String> {
    let headers = |program: &Program| -> HashSet<String> {
        let bodies = program.functions.iter().map(|function| &function.body);
        let impls = bodies.flat_map(|body| match body {
            Body::Supplied { impls, .. } => impls.as_slice(),
            _ => &[],
        });
        impls.map(|it| it.header.clone()).collect()
    };
    &headers(new) - &headers(old)
}

/// A function that is the same as it stands under its name on the other side has that form on both;
/// all others have the one given.
fn depth(
    here: &ComparedProgram<'_>,
    there: &ComparedProgram<'_>,
    function: Item,
    form: Depth,
) -> Depth {
    match here.name_key(function).and_then(|name| there.named(&name)) {
        Some(other) if there.class(other) == here.class(function) => Depth::AsLowered,
        _ => form,
    }
}

fn numbered(entries: &[Entry]) -> impl Iterator<Item = ((&str, EntryKind, usize), &Entry)> {
    let mut counts: HashMap<(&str, EntryKind), usize> = HashMap::new();
    entries.iter().map(move |entry| {
        let count = counts.entry((&entry.name, entry.kind)).or_default();
        *count += 1;
        ((entry.name.as_str(), entry.kind, *count), entry)
    })
}

impl<'a> ComparedProgram<'a> {
    fn new(
        program: &'a Program,
        context: DigestContext,
        items: Items,
        classes: Vec<Class>,
        shared: HashSet<Class>,
    ) -> ComparedProgram<'a> {
        let (named, reached, own) = (OnceLock::new(), OnceLock::new(), Memo::default());
        ComparedProgram { program, context, items, classes, shared, named, reached, own }
    }

    /// Everything that the entry points reach. The program has more where it has impls that do not
    /// count.
    pub fn all(&self) -> impl Iterator<Item = Item> {
        let reached = self.reached.get_or_init(|| self.reached());
        let all = (0..self.items.digests.len()).map(|index| self.items.item(index));
        all.filter(move |item| reached.as_ref().is_none_or(|it| it.contains(item)))
    }

    /// None: everything.
    fn reached(&self) -> Option<HashSet<Item>> {
        let does_not_count = |it: &Impl| {
            matches!(it.content, ImplContent::Item(_)) && !self.context.counts(self.program, it)
        };
        let all_count = !self.program.functions.iter().any(|function| match &function.body {
            Body::Supplied { impls, .. } => impls.iter().any(does_not_count),
            _ => false,
        });
        if all_count {
            return None;
        }
        let mut queue: Vec<Item> =
            self.program.entries.iter().map(|entry| entry.target.into()).collect();
        let mut reached: HashSet<Item> = queue.iter().copied().collect();
        while let Some(item) = queue.pop() {
            let refs = self.items.digest(item).refs.iter().copied();
            queue.extend(refs.filter(|it| reached.insert(*it)));
        }
        Some(reached)
    }

    pub fn class(&self, item: Item) -> Class {
        self.classes[self.items.index(item)]
    }

    /// Whether the other side has an equal item.
    pub fn is_identical(&self, item: Item) -> bool {
        self.shared.contains(&self.class(item))
    }

    /// The digest of an item as it is written, without what was inlined to compare it.
    pub fn own_digest(&self, item: Item) -> Arc<Digest> {
        let Item::Function(id) = item else { return Arc::clone(self.items.digest(item)) };
        self.own.get_or_make(id, || {
            Arc::new(digest::function(self.program, id, Depth::Own, &self.context))
        })
    }

    pub fn name(&self, item: Item) -> String {
        match item {
            Item::Function(id) => self.program.function(id).name.clone(),
            Item::Type(id) => self.program.ty(id).name.clone(),
            Item::Static(id) => self.program.statics[id.index()].name.clone(),
            Item::VTable(id) => {
                let vtable = &self.program.vtables[id.index()];
                format!("{} as {}", self.program.ty(vtable.ty).name, vtable.dyn_name)
            }
            Item::Memory(_) => "a constant".to_owned(),
        }
    }

    pub fn origin(&self, item: Item) -> Origin {
        self.krate(item).map_or(Origin::Std, |krate| krate.origin)
    }

    /// The crate that an item stands in; none for constants, and for types that no crate has.
    pub fn krate(&self, item: Item) -> Option<&'a Crate> {
        let crates = &self.program.crates;
        match item {
            Item::Function(id) => crates.get(self.program.function(id).krate.index()),
            Item::Static(id) => crates.get(self.program.statics[id.index()].krate.index()),
            // A type's crate is the first name in it.
            Item::Type(_) | Item::VTable(_) => {
                let name = self.name(item);
                let stands_in = |krate: &&Crate| {
                    name.strip_prefix(&krate.name).is_some_and(|rest| rest.starts_with(['@', ':']))
                };
                crates.iter().find(stands_in)
            }
            Item::Memory(_) => None,
        }
    }

    pub fn span(&self, item: Item) -> Span {
        match item {
            Item::Function(id) => self.program.function(id).span,
            Item::Static(id) => self.program.statics[id.index()].span,
            _ => Span::UNKNOWN,
        }
    }

    fn named(&self, key: &(u8, String)) -> Option<Item> {
        let named = self.named.get_or_init(|| {
            let mut named = HashMap::new();
            for item in self.all() {
                if let Some(name) = self.name_key(item) {
                    named.entry(name).or_insert(item);
                }
            }
            named
        });
        named.get(key).copied()
    }

    fn name_key(&self, item: Item) -> Option<(u8, String)> {
        let kind = match item {
            // The default body of a trait's method has the name of what callers supply in its place.
            Item::Function(id) => match self.program.function(id).body {
                Body::Supplied { .. } => 4,
                _ => 0,
            },
            Item::Type(_) => 1,
            Item::Static(_) => 2,
            Item::VTable(_) => 3,
            Item::Memory(_) => return None,
        };
        Some((kind, self.name(item)))
    }
}

/// What happened to an item that is not kept.
fn change(here: &ComparedProgram<'_>, there: &ComparedProgram<'_>, item: Item) -> Change {
    let Some(key) = here.name_key(item) else {
        // Constants have no name: whoever holds one that differs counts as changed.
        return Change::None;
    };
    let Some(other) = there.named(&key) else {
        return Change::Added;
    };
    let (own, others) = (here.own_digest(item), there.own_digest(other));
    if own.hash != others.hash || own.refs.len() != others.refs.len() {
        return Change::Changed(changed_part(here, item));
    }
    for (&one, &two) in own.refs.iter().zip(&others.refs) {
        if !agree(here, one, there, two) {
            return Change::Changed(match (one, two) {
                (Item::Function(_), Item::Function(_)) => ChangedPart::Callee(here.name(one)),
                (Item::Memory(_), _) => ChangedPart::Constant,
                (Item::Type(_), _) => ChangedPart::Type(here.name(one)),
                _ => ChangedPart::Reference,
            });
        }
    }
    Change::None
}

/// What of an item is not the same, where the item itself changed.
fn changed_part(side: &ComparedProgram<'_>, item: Item) -> ChangedPart {
    match item {
        Item::Function(id) => match &side.program.function(id).body {
            Body::Cfa(_) => ChangedPart::Body,
            Body::Foreign { .. } => ChangedPart::ForeignCode,
            Body::Missing(reason) | Body::Elsewhere(reason) => ChangedPart::NoCode(reason.clone()),
            _ => ChangedPart::Meaning,
        },
        Item::Type(_) => ChangedPart::Form,
        Item::Static(_) | Item::Memory(_) => ChangedPart::Value,
        Item::VTable(_) => ChangedPart::Methods,
    }
}

/// Whether two references at the same place stand for the same item, which may itself have changed.
fn agree(here: &ComparedProgram<'_>, one: Item, there: &ComparedProgram<'_>, two: Item) -> bool {
    if here.class(one) == there.class(two) {
        return true;
    }
    match (one, two) {
        (Item::Memory(_), Item::Memory(_)) => {
            let (one, two) = (here.own_digest(one), there.own_digest(two));
            one.hash == two.hash
                && one.refs.len() == two.refs.len()
                && one.refs.iter().zip(&two.refs).all(|(&one, &two)| agree(here, one, there, two))
        }
        _ => here.name_key(one).is_some() && here.name_key(one) == there.name_key(two),
    }
}
