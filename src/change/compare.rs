//! Laying two programs side by side: what is identical, and what itself changed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Index;
use std::sync::{Arc, OnceLock};
use std::thread;

use super::classes::{Class, Things, classes};
use super::shape::{self, Context, Shape, Thing};
use super::signature::names_other_types;
use crate::cfa::normalize::Depth;
use crate::cfa::{Body, Entry, EntryKind, FnId, Impl, Listing, Origin, Program, Span};
use crate::memo::Memo;
use crate::model::ChangedPart;
use crate::version::{Both, Version};

/// Two programs of one target of the client, compared.
pub struct Pair<'a> {
    pub old: Side<'a>,
    pub new: Side<'a>,
    /// Made when first needed.
    replaced: OnceLock<Both<HashSet<Thing>>>,
}

/// How far the normal form of each function goes.
type Depths<'a> = dyn Fn(FnId) -> Depth + Sync + 'a;

/// One of the two programs.
pub struct Side<'a> {
    pub program: &'a Program,
    context: Context,
    things: Things,
    classes: Vec<Class>,
    /// The classes that occur on the other side.
    shared: HashSet<Class>,
    /// Made when first needed: if nothing changed, nothing is looked up.
    named: OnceLock<HashMap<(u8, String), Thing>>,
    /// Made when first needed: see [`Side::all`].
    reached: OnceLock<Option<HashSet<Thing>>>,
    /// The shapes of functions as they are written, as far as they were asked for.
    own: Memo<FnId, Arc<Shape>>,
}

/// What happened to a thing itself, whatever happened to the things that it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: it is identical, or only refers to what changed.
    None,
    Changed(ChangedPart),
    /// There is nothing of its name or its content on the other side.
    Added,
}

impl<'a> Pair<'a> {
    /// `foreign_code_moves`: see [`Context`].
    pub fn new(old: &'a Program, new: &'a Program, foreign_code_moves: bool) -> Pair<'a> {
        // Most upgrades change nothing that is reached: then normal forms need not be made. In the
        // others, what is the same as it stands needs none either.
        let as_lowered: &Depths<'_> = &|_| Depth::AsLowered;
        let programs = Both::new(old, new);
        let lowered = Pair::at(Both::new(as_lowered, as_lowered), programs, foreign_code_moves);
        if lowered.equal_entries() == lowered.entries().len() {
            return lowered;
        }
        // What is equal in one form behaves the same. Neither finds all: a callee may be small enough
        // to be inlined on one side only.
        let [own, with_wrappers] = [Depth::Own, Depth::WithWrappers].map(|form| {
            let depth = |version: Version| {
                let (here, there) = (&lowered[version], &lowered[version.other()]);
                move |id| depth(here, there, Thing::Function(id), form)
            };
            let depths = Both::from_fn(depth);
            let depths: Both<&Depths<'_>> = Both::new(&depths.old, &depths.new);
            Pair::at(depths, programs, foreign_code_moves)
        });
        match own.equal_entries() > with_wrappers.equal_entries() {
            true => own,
            false => with_wrappers,
        }
    }

    fn at(
        depths: Both<&Depths<'_>>,
        programs: Both<&'a Program>,
        foreign_code_moves: bool,
    ) -> Pair<'a> {
        let moving = moving(programs.old, programs.new);
        let contexts = Both::from_fn(|version| Context {
            foreign_code_moves,
            version,
            added: match version {
                Version::Old => HashSet::new(),
                Version::New => added_impls(programs.old, programs.new),
            },
            moving: moving.clone(),
        });
        let things = |version| Things::of(programs[version], depths[version], &contexts[version]);
        let things = thread::scope(|scope| {
            let old = scope.spawn(|| things(Version::Old));
            let new = things(Version::New);
            Both::new(old.join().expect("hashing does not panic"), new)
        });
        let classes = classes(things.as_ref());
        let sets: Both<HashSet<Class>> =
            classes.as_ref().map(|classes| classes.iter().copied().collect());
        let shared = Both::new(sets.new, sets.old);
        let sides = programs.zip(contexts).zip(things.zip(classes)).zip(shared);
        let Both { old, new } = sides.map(|(((program, context), (things, classes)), shared)| {
            Side::new(program, context, things, classes, shared)
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

    /// Whether a thing of one side is what it was: the other side has an equal one, and code that
    /// is the same on both sides and refers to it by its name means an equal one there.
    ///
    /// Where two functions exchanged their content, both have an equal one and neither is kept.
    pub fn is_kept(&self, version: Version, thing: Thing) -> bool {
        let replaced =
            || self.replaced.get_or_init(|| Both::from_fn(|version| self.replaced(version)));
        self[version].is_identical(thing) && !replaced()[version].contains(&thing)
    }

    /// What has an equal on the other side, where the same code refers to something else instead.
    fn replaced(&self, version: Version) -> HashSet<Thing> {
        let (here, there) = (&self[version], &self[version.other()]);
        let partner = |thing: Thing| Some((thing, there.named(&here.name_key(thing)?)?));
        let mut pending: Vec<(Thing, Thing)> =
            here.all().filter(|it| !here.is_identical(*it)).filter_map(partner).collect();
        let mut replaced = HashSet::new();
        while let Some((one, two)) = pending.pop() {
            let (own, others) = (here.own_shape(one), there.own_shape(two));
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

    /// What happened to a thing of one side. Of one of the old side, [`Change::Added`] means that it was
    /// removed.
    pub fn change(&self, version: Version, thing: Thing) -> Change {
        match self.is_kept(version, thing) {
            true => Change::None,
            false => change(&self[version], &self[version.other()], thing),
        }
    }

    /// Whether two things are equal, with everything they refer to.
    pub fn equal(&self, old: Thing, new: Thing) -> bool {
        self.old.class(old) == self.new.class(new)
    }
}

impl<'a> Index<Version> for Pair<'a> {
    type Output = Side<'a>;

    fn index(&self, version: Version) -> &Side<'a> {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }
}

/// The packages of which one side has another version, or one from another place.
fn moving(old: &Program, new: &Program) -> HashSet<String> {
    let packages = |program: &Program| -> HashSet<(String, String, String)> {
        let packages = program.crates.iter().filter_map(|krate| krate.package.clone());
        packages.map(|it| (it.name, it.version, it.manifest_dir)).collect()
    };
    let (old, new) = (packages(old), packages(new));
    old.symmetric_difference(&new).map(|(name, _, _)| name.clone()).collect()
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
fn depth(here: &Side<'_>, there: &Side<'_>, function: Thing, form: Depth) -> Depth {
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

impl<'a> Side<'a> {
    fn new(
        program: &'a Program,
        context: Context,
        things: Things,
        classes: Vec<Class>,
        shared: HashSet<Class>,
    ) -> Side<'a> {
        let (named, reached, own) = (OnceLock::new(), OnceLock::new(), Memo::default());
        Side { program, context, things, classes, shared, named, reached, own }
    }

    /// Everything that the entry points reach. The program has more where it has impls that do not
    /// count.
    pub fn all(&self) -> impl Iterator<Item = Thing> {
        let reached = self.reached.get_or_init(|| self.reached());
        let all = (0..self.things.shapes.len()).map(|index| self.things.thing(index));
        all.filter(move |thing| reached.as_ref().is_none_or(|it| it.contains(thing)))
    }

    /// None: everything.
    fn reached(&self) -> Option<HashSet<Thing>> {
        let does_not_count = |it: &Impl| !self.context.counts(self.program, it);
        let all_count = !self.program.functions.iter().any(|function| match &function.body {
            Body::Supplied { impls, .. } => impls.iter().any(does_not_count),
            _ => false,
        });
        if all_count {
            return None;
        }
        let mut queue: Vec<Thing> =
            self.program.entries.iter().map(|entry| entry.target.into()).collect();
        let mut reached: HashSet<Thing> = queue.iter().copied().collect();
        while let Some(thing) = queue.pop() {
            let refs = self.things.shape(thing).refs.iter().copied();
            queue.extend(refs.filter(|it| reached.insert(*it)));
        }
        Some(reached)
    }

    pub fn class(&self, thing: Thing) -> Class {
        self.classes[self.things.index(thing)]
    }

    /// Whether the other side has an equal thing.
    pub fn is_identical(&self, thing: Thing) -> bool {
        self.shared.contains(&self.class(thing))
    }

    /// The shape of a thing as it is written, without what was inlined to compare it.
    pub fn own_shape(&self, thing: Thing) -> Arc<Shape> {
        let Thing::Function(id) = thing else { return Arc::new(self.things.shape(thing).clone()) };
        self.own.get_or_make(id, || {
            Arc::new(shape::function(self.program, id, Depth::Own, &self.context))
        })
    }

    pub fn name(&self, thing: Thing) -> String {
        match thing {
            Thing::Function(id) => self.program.function(id).name.clone(),
            Thing::Type(id) => self.program.ty(id).name.clone(),
            Thing::Static(id) => self.program.statics[id.index()].name.clone(),
            Thing::VTable(id) => {
                let vtable = &self.program.vtables[id.index()];
                format!("{} as {}", self.program.ty(vtable.ty).name, vtable.dyn_name)
            }
            Thing::Memory(_) => "a constant".to_owned(),
        }
    }

    pub fn origin(&self, thing: Thing) -> Origin {
        match thing {
            Thing::Function(id) => self.program.origin(self.program.function(id).krate),
            Thing::Static(id) => self.program.origin(self.program.statics[id.index()].krate),
            // A type's crate is the first name in it.
            Thing::Type(_) | Thing::VTable(_) => {
                let name = self.name(thing);
                self.program
                    .crates
                    .iter()
                    .find(|krate| {
                        name.strip_prefix(&krate.name).is_some_and(|rest| rest.starts_with("::"))
                    })
                    .map_or(Origin::Std, |krate| krate.origin)
            }
            Thing::Memory(_) => Origin::Std,
        }
    }

    pub fn span(&self, thing: Thing) -> Span {
        match thing {
            Thing::Function(id) => self.program.function(id).span,
            Thing::Static(id) => self.program.statics[id.index()].span,
            _ => Span::UNKNOWN,
        }
    }

    fn named(&self, key: &(u8, String)) -> Option<Thing> {
        let named = self.named.get_or_init(|| {
            let mut named = HashMap::new();
            for thing in self.all() {
                if let Some(name) = self.name_key(thing) {
                    named.entry(name).or_insert(thing);
                }
            }
            named
        });
        named.get(key).copied()
    }

    fn name_key(&self, thing: Thing) -> Option<(u8, String)> {
        let kind = match thing {
            Thing::Function(_) => 0,
            Thing::Type(_) => 1,
            Thing::Static(_) => 2,
            Thing::VTable(_) => 3,
            Thing::Memory(_) => return None,
        };
        Some((kind, self.name(thing)))
    }
}

/// What happened to a thing that is not kept.
fn change(here: &Side<'_>, there: &Side<'_>, thing: Thing) -> Change {
    let Some(key) = here.name_key(thing) else {
        // Constants have no name: whoever holds one that differs counts as changed.
        return Change::None;
    };
    let Some(other) = there.named(&key) else {
        return Change::Added;
    };
    let (own, others) = (here.own_shape(thing), there.own_shape(other));
    if own.hash != others.hash || own.refs.len() != others.refs.len() {
        return Change::Changed(changed_part(here, thing));
    }
    for (&one, &two) in own.refs.iter().zip(&others.refs) {
        if !agree(here, one, there, two) {
            return Change::Changed(match (one, two) {
                (Thing::Function(_), Thing::Function(_)) => ChangedPart::Callee(here.name(one)),
                (Thing::Memory(_), _) => ChangedPart::Constant,
                (Thing::Type(_), _) => ChangedPart::Type(here.name(one)),
                _ => ChangedPart::Reference,
            });
        }
    }
    Change::None
}

/// What of a thing is not the same, where the thing itself changed.
fn changed_part(side: &Side<'_>, thing: Thing) -> ChangedPart {
    match thing {
        Thing::Function(id) => match &side.program.function(id).body {
            Body::Cfa(_) => ChangedPart::Body,
            Body::Foreign { .. } => ChangedPart::ForeignCode,
            Body::Missing(reason) | Body::Elsewhere(reason) => ChangedPart::NoCode(reason.clone()),
            _ => ChangedPart::Meaning,
        },
        Thing::Type(_) => ChangedPart::Form,
        Thing::Static(_) | Thing::Memory(_) => ChangedPart::Value,
        Thing::VTable(_) => ChangedPart::Methods,
    }
}

/// Whether two references at the same place stand for the same thing, which may itself have changed.
fn agree(here: &Side<'_>, one: Thing, there: &Side<'_>, two: Thing) -> bool {
    if here.class(one) == there.class(two) {
        return true;
    }
    match (one, two) {
        (Thing::Memory(_), Thing::Memory(_)) => {
            let (one, two) = (here.own_shape(one), there.own_shape(two));
            one.hash == two.hash
                && one.refs.len() == two.refs.len()
                && one.refs.iter().zip(&two.refs).all(|(&one, &two)| agree(here, one, there, two))
        }
        _ => here.name_key(one).is_some() && here.name_key(one) == there.name_key(two),
    }
}
