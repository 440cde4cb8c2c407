//! Which items of two programs are equal, with everything they refer to.
//!
//! The coarsest partition in which equal items have equal digests and refer to equal items, found
//! by refinement: recursion, renamed functions and renumbered closures need no special care. Two
//! items in one class behave the same. Errs only towards too many classes.

use std::collections::HashMap;
use std::sync::Arc;

use super::digest::{self, Digest, DigestContext, Item};
use crate::cfa::normalize::Depth;
use crate::cfa::{FnId, MemoryId, Program, StaticId, TyId, VTableId};
use crate::version::Both;

/// The name of a class; equal on both sides for equal items.
pub type Class = u32;

/// A program's items, numbered one after the other.
pub struct Items {
    starts: [usize; 5],
    /// Shared by the forms of a program, of which most functions have only one.
    pub digests: Vec<Arc<Digest>>,
}

impl Items {
    /// All items, with functions as they were lowered.
    pub fn of(program: &Program, context: &DigestContext) -> Items {
        let counts = [
            program.functions.len(),
            program.types.len(),
            program.memories.len(),
            program.statics.len(),
            program.vtables.len(),
        ];
        let mut starts = [0; 5];
        for kind in 1..5 {
            starts[kind] = starts[kind - 1] + counts[kind - 1];
        }
        let numbers = |count: usize| 0..count as u32;
        let mut digests = Vec::with_capacity(counts.iter().sum());
        for id in numbers(counts[0]) {
            digests.push(Arc::new(digest::function(program, FnId(id), Depth::AsLowered, context)));
        }
        digests.extend(numbers(counts[1]).map(|id| Arc::new(digest::ty(program, TyId(id)))));
        digests
            .extend(numbers(counts[2]).map(|id| Arc::new(digest::memory(program, MemoryId(id)))));
        digests.extend(
            numbers(counts[3]).map(|id| Arc::new(digest::static_(program, StaticId(id), context))),
        );
        digests
            .extend(numbers(counts[4]).map(|id| Arc::new(digest::vtable(program, VTableId(id)))));
        Items { starts, digests }
    }

    /// The same items, with some functions in another form: `depth` says in which.
    pub fn at(
        &self,
        program: &Program,
        depth: impl Fn(FnId) -> Depth,
        context: &DigestContext,
    ) -> Items {
        let mut items = Items { starts: self.starts, digests: self.digests.clone() };
        for (index, function) in program.functions.iter().enumerate() {
            let id = FnId(index as u32);
            let depth = depth(id);
            if depth != Depth::AsLowered && function.cfa().is_some() {
                items.digests[index] = Arc::new(digest::function(program, id, depth, context));
            }
        }
        items
    }

    pub fn index(&self, item: Item) -> usize {
        match item {
            Item::Function(id) => self.starts[0] + id.index(),
            Item::Type(id) => self.starts[1] + id.index(),
            Item::Memory(id) => self.starts[2] + id.index(),
            Item::Static(id) => self.starts[3] + id.index(),
            Item::VTable(id) => self.starts[4] + id.index(),
        }
    }

    pub fn item(&self, index: usize) -> Item {
        let kind = self.starts.iter().rposition(|&start| start <= index).expect("starts at 0");
        let number = (index - self.starts[kind]) as u32;
        match kind {
            0 => Item::Function(FnId(number)),
            1 => Item::Type(TyId(number)),
            2 => Item::Memory(MemoryId(number)),
            3 => Item::Static(StaticId(number)),
            _ => Item::VTable(VTableId(number)),
        }
    }

    pub fn digest(&self, item: Item) -> &Arc<Digest> {
        &self.digests[self.index(item)]
    }

    fn refs(&self, first: u32) -> impl Iterator<Item = Vec<u32>> {
        let number = move |item: &Item| first + self.index(*item) as u32;
        self.digests.iter().map(move |digest| digest.refs.iter().map(number).collect())
    }
}

/// The class of each item of both sides.
pub fn classes(Both { old, new }: Both<&Items>) -> Both<Vec<Class>> {
    let first_new = old.digests.len();
    let refs: Vec<Vec<u32>> = old.refs(0).chain(new.refs(first_new as u32)).collect();
    let mut referrers = vec![Vec::new(); refs.len()];
    for (item, targets) in refs.iter().enumerate() {
        targets.iter().for_each(|&target| referrers[target as usize].push(item as u32));
    }
    let mut partition = Partition::by_digest(old.digests.iter().chain(&new.digests));
    let mut dirty: Vec<u32> = (0..refs.len() as u32).collect();
    while !dirty.is_empty() {
        let moved = partition.refine(dirty, &refs);
        dirty = moved.iter().flat_map(|&item| &referrers[item as usize]).copied().collect();
        dirty.sort_unstable();
        dirty.dedup();
    }
    let new = partition.class_of.split_off(first_new);
    Both::new(partition.class_of, new)
}

struct Partition {
    class_of: Vec<Class>,
    /// How many items each class has.
    sizes: Vec<u32>,
}

impl Partition {
    fn by_digest<'a>(digests: impl Iterator<Item = &'a Arc<Digest>>) -> Partition {
        let mut known: HashMap<u128, Class> = HashMap::new();
        let mut partition = Partition { class_of: Vec::new(), sizes: Vec::new() };
        for digest in digests {
            let next = partition.sizes.len() as Class;
            let class = *known.entry(digest.hash).or_insert(next);
            if class == next {
                partition.sizes.push(0);
            }
            partition.sizes[class as usize] += 1;
            partition.class_of.push(class);
        }
        partition
    }

    /// Splits the classes of items by the classes that they refer to, and gives the items that
    /// are now in another class. `dirty` are all items, or those that refer to what moved in the
    /// last round: then the other items of a class still agree among themselves, and with none of
    /// the dirty ones.
    fn refine(&mut self, mut dirty: Vec<u32>, refs: &[Vec<u32>]) -> Vec<u32> {
        let class_of = |item: &u32| self.class_of[*item as usize];
        let signature = |item: &u32| refs[*item as usize].iter().map(class_of);
        // What is alone in its class stays there.
        dirty.retain(|item| self.sizes[class_of(item) as usize] > 1);
        dirty.sort_unstable_by_key(|item| (class_of(item), *item));
        // Taken for all of a round before any of them moves.
        let mut splits: Vec<(Class, Vec<u32>)> = Vec::new();
        for class in dirty.chunk_by_mut(|a, b| class_of(a) == class_of(b)) {
            let number = class_of(&class[0]);
            let all_dirty = class.len() as u32 == self.sizes[number as usize];
            let agree = |a: &u32, b: &u32| signature(a).eq(signature(b));
            // Nearly all classes.
            if all_dirty && class.windows(2).all(|pair| agree(&pair[0], &pair[1])) {
                continue;
            }
            class.sort_by_cached_key(|item| signature(item).collect::<Vec<_>>());
            let groups: Vec<_> = class.chunk_by(agree).collect();
            // One group keeps the name of the class.
            let keeps = match all_dirty {
                true => (0..groups.len()).max_by_key(|&group| groups[group].len()),
                false => None,
            };
            let others = groups.into_iter().enumerate().filter(|(index, _)| keeps != Some(*index));
            splits.extend(others.map(|(_, group)| (number, group.to_vec())));
        }
        let mut moved = Vec::new();
        for (class, group) in splits {
            let next = self.sizes.len() as Class;
            self.sizes.push(group.len() as u32);
            self.sizes[class as usize] -= group.len() as u32;
            for item in group {
                self.class_of[item as usize] = next;
                moved.push(item);
            }
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Items that are all functions, each by its hash and the numbers that it refers to.
    fn items(digests: &[(u128, &[u32])]) -> Items {
        let digest = |&(hash, refs): &(u128, &[u32])| Digest {
            hash,
            refs: refs.iter().map(|&number| Item::Function(FnId(number))).collect(),
        };
        let digests: Vec<_> = digests.iter().map(digest).map(Arc::new).collect();
        Items { starts: [0, 1, 1, 1, 1].map(|part| part * digests.len()), digests }
    }

    #[test]
    fn a_change_far_below_shows_in_all_that_reach_it() {
        let old = items(&[(1, &[1]), (1, &[2]), (1, &[3]), (7, &[]), (1, &[5]), (7, &[])]);
        let new = items(&[(1, &[1]), (1, &[2]), (1, &[3]), (8, &[]), (1, &[5]), (7, &[])]);
        let Both { old, new } = classes(Both::new(&old, &new));
        assert!((0..4).all(|index| old[index] != new[index]), "{old:?} {new:?}");
        assert!((4..6).all(|index| old[index] == new[index]), "{old:?} {new:?}");
    }

    #[test]
    fn recursion_is_equal_to_itself_in_any_order() {
        let old = items(&[(1, &[1]), (2, &[0])]);
        let new = items(&[(2, &[1]), (1, &[0])]);
        let Both { old, new } = classes(Both::new(&old, &new));
        assert_eq!((old[0], old[1]), (new[1], new[0]));
    }

    #[test]
    fn the_order_of_what_is_referred_to_counts() {
        let old = items(&[(1, &[1, 2]), (2, &[]), (3, &[])]);
        let new = items(&[(1, &[2, 1]), (2, &[]), (3, &[])]);
        let Both { old, new } = classes(Both::new(&old, &new));
        assert_ne!(old[0], new[0]);
        assert_eq!(old[1..], new[1..]);
    }

    /// The coarsest partition by its definition: items are told apart once anything in them or below them
    /// differs, and only then.
    fn by_definition(sides: Both<&[(u128, Vec<u32>)]>) -> Vec<usize> {
        let first_new = sides.old.len() as u32;
        let new = sides.new.iter();
        let new = new.map(|(hash, refs)| (*hash, refs.iter().map(|it| it + first_new).collect()));
        let all: Vec<(u128, Vec<u32>)> = sides.old.iter().cloned().chain(new).collect();
        let mut classes = vec![0; all.len()];
        loop {
            let mut known = HashMap::new();
            let refined = all.iter().zip(&classes).map(|((hash, refs), class)| {
                let below: Vec<usize> = refs.iter().map(|it| classes[*it as usize]).collect();
                let next = known.len();
                *known.entry((*class, *hash, below)).or_insert(next)
            });
            let refined: Vec<usize> = refined.collect();
            if refined == classes {
                return classes;
            }
            classes = refined;
        }
    }

    proptest! {
        #[test]
        fn classes_are_as_coarse_as_they_can_be(
            old in vec((0..3u128, vec(0..12u32, 0..3)), 12),
            new in vec((0..3u128, vec(0..12u32, 0..3)), 12),
        ) {
            let expected = by_definition(Both::new(&old, &new));
            let side = |digests: &[(u128, Vec<u32>)]| {
                let digests: Vec<_> = digests.iter().map(|(hash, refs)| (*hash, &refs[..])).collect();
                items(&digests)
            };
            let found = classes(Both::new(&side(&old), &side(&new)));
            let found = [found.old, found.new].concat();
            for one in 0..found.len() {
                for two in 0..found.len() {
                    prop_assert_eq!(found[one] == found[two], expected[one] == expected[two]);
                }
            }
        }
    }
}
