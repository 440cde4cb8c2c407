//! Who reaches what changed, and by which way.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet, VecDeque};

use super::body::mentions;
use super::compare::{Change, Pair};
use super::digest::Item;
use crate::cfa::{FnId, Origin, Program, Span};
use crate::model::PathStep;
use crate::version::Version;

/// A path from something to what changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangePath {
    pub items: Vec<Item>,
    /// Its functions, and what changed at its end.
    pub steps: Vec<PathStep>,
}

/// Finds paths through the new program, from any item to the changed ones that it reaches.
pub struct Reach<'a> {
    pub pair: &'a Pair<'a>,
    changes: RefCell<HashMap<Item, Change>>,
    refs: RefCell<HashMap<Item, Vec<Item>>>,
    nearest: RefCell<HashMap<Item, Option<Vec<Item>>>>,
    /// Made when first needed.
    users: OnceCell<HashMap<Item, Vec<Item>>>,
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

    pub fn change(&self, item: Item) -> Change {
        if let Some(known) = self.changes.borrow().get(&item) {
            return known.clone();
        }
        let change = self.pair.change(Version::New, item);
        self.changes.borrow_mut().insert(item, change.clone());
        change
    }

    pub fn is_changed(&self, item: Item) -> bool {
        self.change(item) != Change::None
    }

    /// A shortest path to each changed item that `start` reaches; `start` comes first in each.
    pub fn all_ways(&self, start: Item) -> Vec<Vec<Item>> {
        let (mut ways, mut into_std) = (Vec::new(), Vec::new());
        self.search(start, &|_| true, &mut |way, item| {
            if self.is_changed(item) {
                match self.pair.new.origin(item) {
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
    pub fn nearest_outside_client(&self, start: Item) -> Option<Vec<Item>> {
        if let Some(known) = self.nearest.borrow().get(&start) {
            return known.clone();
        }
        let (mut nearest, mut into_std) = (None, None);
        let outside = |item: Item| match item {
            Item::Function(_) => self.pair.new.origin(item) != Origin::Client,
            _ => true,
        };
        if outside(start) {
            self.search(start, &outside, &mut |way, item| {
                if self.is_changed(item) {
                    match self.pair.new.origin(item) {
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

    /// Everything that leads to an item that is not kept, nearest first, after the item itself.
    pub fn leading_to(&self, item: Item) -> Vec<Item> {
        let users = self.users.get_or_init(|| {
            let mut users: HashMap<Item, Vec<Item>> = HashMap::new();
            for user in self.pair.new.all().filter(|it| !self.pair.is_kept(Version::New, *it)) {
                for used in self.different_refs(user) {
                    users.entry(used).or_default().push(user);
                }
            }
            users
        });
        let mut found = vec![item];
        let mut seen = HashSet::from([item]);
        let mut next = 0;
        while let Some(item) = found.get(next) {
            next += 1;
            let users = users.get(item).into_iter().flatten();
            found.extend(users.filter(|user| seen.insert(**user)).copied().collect::<Vec<_>>());
        }
        found
    }

    pub fn way(&self, items: Vec<Item>) -> ChangePath {
        let steps = self.steps(&items);
        ChangePath { items, steps }
    }

    fn steps(&self, way: &[Item]) -> Vec<PathStep> {
        let side = &self.pair.new;
        let shown: Vec<usize> = (0..way.len())
            .filter(|&at| matches!(way[at], Item::Function(_)) || at + 1 == way.len())
            .collect();
        shown
            .iter()
            .map(|&at| {
                let span = match (way[at], way.get(at + 1)) {
                    (Item::Function(caller), Some(&next)) => {
                        self.call_span(caller, next).unwrap_or(side.span(way[at]))
                    }
                    (item, _) => side.span(item),
                };
                step(side.program, side.name(way[at]), span)
            })
            .collect()
    }

    /// Where a function mentions an item.
    fn call_span(&self, caller: FnId, next: Item) -> Option<Span> {
        let program = self.pair.new.program;
        let function = program.function(caller);
        let edges = &function.cfa()?.edges;
        let edge = edges.iter().find(|edge| mentions(program, function, &edge.op).contains(&next));
        edge.map(|edge| edge.span).filter(|span| span.is_known())
    }

    /// What an item refers to that is not kept.
    fn different_refs(&self, item: Item) -> Vec<Item> {
        if let Some(known) = self.refs.borrow().get(&item) {
            return known.clone();
        }
        let side = &self.pair.new;
        let mut refs = side.own_digest(item).refs.clone();
        let mut seen = HashSet::new();
        refs.retain(|&target| !self.pair.is_kept(Version::New, target) && seen.insert(target));
        self.refs.borrow_mut().insert(item, refs.clone());
        refs
    }

    /// Breadth first from `start` through what is not kept. `found` gets each item with its
    /// way, made on demand, and says whether to go on.
    fn search(
        &self,
        start: Item,
        allowed: &dyn Fn(Item) -> bool,
        found: &mut dyn FnMut(MakeWay<'_>, Item) -> bool,
    ) {
        if self.pair.is_kept(Version::New, start) {
            return;
        }
        let mut came_from: HashMap<Item, Item> = HashMap::new();
        let mut seen = HashSet::from([start]);
        let mut queue = VecDeque::from([start]);
        while let Some(item) = queue.pop_front() {
            let way = || {
                let mut way = vec![item];
                while let Some(&before) = came_from.get(way.last().expect("it has a start")) {
                    way.push(before);
                }
                way.reverse();
                way
            };
            if !found(&way, item) {
                return;
            }
            for next in self.different_refs(item) {
                if allowed(next) && seen.insert(next) {
                    came_from.insert(next, item);
                    queue.push_back(next);
                }
            }
        }
    }
}

/// Makes the way from where a search began, on demand.
type MakeWay<'a> = &'a dyn Fn() -> Vec<Item>;

pub fn step(program: &Program, function: String, span: Span) -> PathStep {
    let file = if span.is_known() { program.file(span).to_owned() } else { String::new() };
    PathStep { function, file, line: span.line }
}
