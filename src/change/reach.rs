//! Who reaches what changed, and by which way.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet, VecDeque};

use super::body::mentions;
use super::compare::{Change, Pair};
use super::shape::Thing;
use crate::cfa::{FnId, Origin, Program, Span};
use crate::model::Step;
use crate::version::Version;

/// A path from something to what changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub items: Vec<Thing>,
    /// Its functions, and what changed at its end.
    pub steps: Vec<Step>,
}

/// Ways through the new side of a pair, from anything to the changed things that it reaches.
pub struct Reach<'a> {
    pub pair: &'a Pair<'a>,
    changes: RefCell<HashMap<Thing, Change>>,
    refs: RefCell<HashMap<Thing, Vec<Thing>>>,
    nearest: RefCell<HashMap<Thing, Option<Vec<Thing>>>>,
    /// Made when first needed.
    users: OnceCell<HashMap<Thing, Vec<Thing>>>,
}

impl<'a> Reach<'a> {
    pub fn new(pair: &'a Pair<'a>) -> Reach<'a> {
        Reach {
            pair,
            changes: RefCell::default(),
            refs: RefCell::default(),
            nearest: RefCell::default(),
            users: OnceCell::new(),
        }
    }

    pub fn change(&self, thing: Thing) -> Change {
        if let Some(known) = self.changes.borrow().get(&thing) {
            return known.clone();
        }
        let change = self.pair.change(Version::New, thing);
        self.changes.borrow_mut().insert(thing, change.clone());
        change
    }

    pub fn is_changed(&self, thing: Thing) -> bool {
        self.change(thing) != Change::None
    }

    /// A shortest way to each changed thing that `start` reaches; `start` comes first in each.
    pub fn all_ways(&self, start: Thing) -> Vec<Vec<Thing>> {
        let (mut ways, mut into_std) = (Vec::new(), Vec::new());
        self.search(start, &|_| true, &mut |way, thing| {
            if self.is_changed(thing) {
                match self.pair.new.origin(thing) {
                    Origin::Std => into_std.push(way()),
                    _ => ways.push(way()),
                }
            }
            true
        });
        // Std is the same on both sides: what of it looks different follows from other changes.
        if ways.is_empty() { into_std } else { ways }
    }

    /// A shortest way to changed code that does not lead through code of the client: that has call
    /// sites of its own.
    pub fn nearest_outside_client(&self, start: Thing) -> Option<Vec<Thing>> {
        if let Some(known) = self.nearest.borrow().get(&start) {
            return known.clone();
        }
        let (mut nearest, mut into_std) = (None, None);
        let outside = |thing: Thing| match thing {
            Thing::Function(_) => self.pair.new.origin(thing) != Origin::Client,
            _ => true,
        };
        if outside(start) {
            self.search(start, &outside, &mut |way, thing| {
                if self.is_changed(thing) {
                    match self.pair.new.origin(thing) {
                        Origin::Std => into_std = into_std.take().or_else(|| Some(way())),
                        _ => nearest = Some(way()),
                    }
                }
                nearest.is_none()
            });
        }
        let nearest = nearest.or(into_std);
        self.nearest.borrow_mut().insert(start, nearest.clone());
        nearest
    }

    /// Everything that leads to a thing that is not kept, nearest first, after the thing itself.
    pub fn leading_to(&self, thing: Thing) -> Vec<Thing> {
        let users = self.users.get_or_init(|| {
            let mut users: HashMap<Thing, Vec<Thing>> = HashMap::new();
            for user in self.pair.new.all().filter(|it| !self.pair.is_kept(Version::New, *it)) {
                for used in self.different_refs(user) {
                    users.entry(used).or_default().push(user);
                }
            }
            users
        });
        let mut found = vec![thing];
        let mut seen = HashSet::from([thing]);
        let mut next = 0;
        while let Some(thing) = found.get(next) {
            next += 1;
            let users = users.get(thing).into_iter().flatten();
            found.extend(users.filter(|user| seen.insert(**user)).copied().collect::<Vec<_>>());
        }
        found
    }

    pub fn way(&self, items: Vec<Thing>) -> Way {
        let steps = self.steps(&items);
        Way { items, steps }
    }

    fn steps(&self, way: &[Thing]) -> Vec<Step> {
        let side = &self.pair.new;
        let shown: Vec<usize> = (0..way.len())
            .filter(|&at| matches!(way[at], Thing::Function(_)) || at + 1 == way.len())
            .collect();
        shown
            .iter()
            .map(|&at| {
                let span = match (way[at], way.get(at + 1)) {
                    (Thing::Function(caller), Some(&next)) => {
                        self.call_span(caller, next).unwrap_or(side.span(way[at]))
                    }
                    (thing, _) => side.span(thing),
                };
                step(side.program, side.name(way[at]), span)
            })
            .collect()
    }

    /// Where a function mentions a thing.
    fn call_span(&self, caller: FnId, next: Thing) -> Option<Span> {
        let program = self.pair.new.program;
        let function = program.function(caller);
        let edges = &function.cfa()?.edges;
        let edge = edges.iter().find(|edge| mentions(program, function, &edge.op).contains(&next));
        edge.map(|edge| edge.span).filter(|span| span.is_known())
    }

    /// What a thing refers to that is not kept.
    fn different_refs(&self, thing: Thing) -> Vec<Thing> {
        if let Some(known) = self.refs.borrow().get(&thing) {
            return known.clone();
        }
        let side = &self.pair.new;
        let mut refs = side.own_shape(thing).refs.clone();
        let mut seen = HashSet::new();
        refs.retain(|&target| !self.pair.is_kept(Version::New, target) && seen.insert(target));
        self.refs.borrow_mut().insert(thing, refs.clone());
        refs
    }

    /// Breadth first from `start` through what is not kept. `found` gets each thing with its
    /// way, made on demand, and says whether to go on.
    fn search(
        &self,
        start: Thing,
        allowed: &dyn Fn(Thing) -> bool,
        found: &mut dyn FnMut(MakeWay<'_>, Thing) -> bool,
    ) {
        if self.pair.is_kept(Version::New, start) {
            return;
        }
        let mut came_from: HashMap<Thing, Thing> = HashMap::new();
        let mut seen = HashSet::from([start]);
        let mut queue = VecDeque::from([start]);
        while let Some(thing) = queue.pop_front() {
            let way = || {
                let mut way = vec![thing];
                while let Some(&before) = came_from.get(way.last().expect("it has a start")) {
                    way.push(before);
                }
                way.reverse();
                way
            };
            if !found(&way, thing) {
                return;
            }
            for next in self.different_refs(thing) {
                if allowed(next) && seen.insert(next) {
                    came_from.insert(next, thing);
                    queue.push_back(next);
                }
            }
        }
    }
}

/// Makes the way from where a search began, on demand.
type MakeWay<'a> = &'a dyn Fn() -> Vec<Thing>;

pub fn step(program: &Program, function: String, span: Span) -> Step {
    let file = if span.is_known() { program.file(span).to_owned() } else { String::new() };
    Step { function, file, line: span.line }
}
