//! Items that moved to another module or crate: the old program is given the names that they have in
//! the new one, so that they are matched by what they are and not by where they stand.
//!
//! A name says nothing but which item is meant. So names may be exchanged as long as what was told apart
//! stays apart: a path gives way only to one that the old program does not have, each to another, and
//! only if the new program does not have it any more. Which paths are taken for one item then decides
//! what is shown as changed, and never a verdict: items are equal by their content alone.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::iter;

use super::compare::on_both;
use crate::cfa::{EntryTarget, Listing, Package, Program};
use crate::version::Version;

/// The new path of what stood at another.
type Moves = HashMap<String, String>;

/// Renames in the old program what stands elsewhere in the new one.
pub fn follow_moves(old: &mut Program, new: &Program) {
    let names = on_both(|version| match version {
        Version::Old => names(old),
        Version::New => names(new),
    });
    if names.old.is_subset(&names.new) {
        return;
    }
    let paths = on_both(|version| match version {
        Version::Old => moving_paths(old, new),
        Version::New => moving_paths(new, old),
    });
    let moves = moves(&paths.old, &paths.new);
    if moves.is_empty() {
        return;
    }
    old.names_mut(&mut |name| {
        if let Some(renamed) = renamed(name.text(), &moves) {
            name.set(renamed);
        }
    });
    // Where a path leads that is no code, the program says in words.
    for entry in &old.entries {
        if let (EntryTarget::Constant(id), Listing::IfRedirected(to)) =
            (entry.target, &entry.listing)
        {
            old.memories[id.index()].bytes = to.clone().into_bytes();
        }
    }
}

/// The hashes of all texts in which a program names items. Where one program has all those of another, no
/// item of the other moved: to find that out takes far less time than to look into each text.
fn names(program: &Program) -> HashSet<u64> {
    let mut found = HashSet::new();
    program.names(&mut |name| {
        let mut hasher = DefaultHasher::new();
        name.text().hash(&mut hasher);
        found.insert(hasher.finish());
    });
    found
}

/// The paths by which a program names items of packages that the other one does not have, or not in this
/// version or from this place.
fn moving_paths(program: &Program, other: &Program) -> HashSet<String> {
    let others: HashSet<&Package> = other.packages().map(|(_, package)| package).collect();
    let mut crates = Vec::new();
    for (krate, package) in program.packages().filter(|(_, package)| !others.contains(package)) {
        // The second where the build has two crates of this name.
        crates.extend([krate.name.clone(), format!("{}@{}", krate.name, package.version)]);
    }
    let mut found = HashSet::new();
    if crates.is_empty() {
        return found;
    }
    program.names(&mut |name| {
        for (_, path) in paths(name.text()) {
            let krate = path.split(':').next().unwrap_or_default();
            if crates.iter().any(|it| it == krate) && !found.contains(path) {
                found.insert(path.to_owned());
            }
        }
    });
    found
}

/// Which path that only the old program has became which path that only the new one has: the one with the
/// most names in common, counted from the end, if each is that for the other and no third one is as near.
fn moves(old: &HashSet<String>, new: &HashSet<String>) -> Moves {
    let gone: Vec<&str> = old.difference(new).map(String::as_str).collect();
    let came: Vec<&str> = new.difference(old).map(String::as_str).collect();
    let (forth, back) = (nearest(&gone, &came), nearest(&came, &gone));
    let is_mutual = |from: &str, to: &str| back.get(to) == Some(&from);
    // What belongs to an item, as a method to its type, stays with it.
    let stays = |from: &str, to: &str| match (item_of(from, old), item_of(to, new)) {
        (None, None) => true,
        (Some(from), Some(to)) => from == to || forth.get(from) == Some(&to) && is_mutual(from, to),
        _ => false,
    };
    let moves = forth.iter().filter(|(from, to)| is_mutual(from, to) && stays(from, to));
    moves.map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
}

/// The item that a path leads through before its last name; none where that is only a module.
fn item_of<'a>(path: &'a str, items: &HashSet<String>) -> Option<&'a str> {
    path.rsplit_once("::").map(|(item, _)| item).filter(|item| items.contains(*item))
}

/// The one path among `others` that ends most like each of `paths`.
fn nearest<'a>(paths: &[&'a str], others: &[&'a str]) -> HashMap<&'a str, &'a str> {
    // None: several end so.
    let mut by_end: HashMap<&str, Option<&'a str>> = HashMap::new();
    for other in others {
        for end in ends(other) {
            by_end.entry(end).and_modify(|it| *it = None).or_insert(Some(other));
        }
    }
    let nearest = |path: &&'a str| {
        let longest = ends(path).find_map(|end| by_end.get(end))?;
        longest.map(|other| (*path, other))
    };
    paths.iter().filter_map(nearest).collect()
}

/// What is left of a path without its crate, then without one module after the other.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices("::").map(|(at, separator)| &path[at + separator.len()..])
}

/// A name with all paths in it as they are now; none if it stays as it is.
fn renamed(name: &str, moves: &Moves) -> Option<String> {
    let mut renamed = String::new();
    let mut done = 0;
    for (start, path) in paths(name) {
        if let Some(to) = moves.get(path) {
            renamed.push_str(&name[done..start]);
            renamed.push_str(to);
            done = start + path.len();
        }
    }
    (done > 0).then(|| renamed + &name[done..])
}

/// The paths in a name, with where they start: `a::b` and `c::d::E` of
/// `<a::b<u8> as c::d::E>::f::{closure#0}`. What has no name of its own ends a path.
fn paths(name: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = name.as_bytes();
    let mut done = 0;
    let parts = iter::from_fn(move || {
        let start = done + bytes[done..].iter().position(|it| is_of_path(*it))?;
        let length = bytes[start..].iter().position(|it| !is_of_path(*it));
        done = length.map_or(bytes.len(), |length| start + length);
        Some((start, &name[start..done]))
    });
    let named = parts.map(|(start, part)| {
        let named = part.split('{').next().unwrap_or_default();
        (start, named.trim_end_matches(':'))
    });
    let begins = |path: &str| path.starts_with(|it: char| it.is_alphanumeric() || it == '_');
    named.filter(move |(_, path)| path.contains(':') && begins(path))
}

/// Whether a byte can stand in a path. All of letters that are not ASCII can.
fn is_of_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_:#@.-+{}".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(paths: &[&str]) -> HashSet<String> {
        paths.iter().map(|&path| path.to_owned()).collect()
    }

    fn moved(old: &[&str], new: &[&str]) -> Vec<(String, String)> {
        let mut moves: Vec<_> = moves(&set(old), &set(new)).into_iter().collect();
        moves.sort();
        moves
    }

    #[test]
    fn paths_stand_between_what_is_no_path() {
        let name = "<&[a::b::S<u8>] as c@1.0.0-rc.1::T#1<dyn d::E + d::F>>::f::{closure#0}::<g::H>";
        let found: Vec<&str> = paths(name).map(|(_, path)| path).collect();
        assert_eq!(found, ["a::b::S", "c@1.0.0-rc.1::T#1", "d::E", "d::F", "g::H"]);
        assert!(paths(name).all(|(start, path)| name[start..].starts_with(path)));
    }

    #[test]
    fn an_item_is_followed_to_where_most_of_its_path_is_the_same() {
        let old = ["serde::ser::Error", "serde::de::Error", "serde::de::Visitor"];
        let new = ["core::ser::Error", "core::de::Error", "serde::private::Visitor"];
        let expected = [(old[1], new[1]), (old[2], new[2]), (old[0], new[0])];
        let expected = expected.map(|(from, to)| (from.to_owned(), to.to_owned()));
        assert_eq!(moved(&old, &new), expected);
    }

    #[test]
    fn nothing_takes_the_name_of_another() {
        assert!(moved(&["a::x::S", "a::y::S"], &["a::y::S"]).is_empty(), "the name is taken");
        assert!(moved(&["a::x::S", "a::y::S"], &["a::z::S"]).is_empty(), "two for one");
        assert!(moved(&["a::x::S"], &["a::y::S", "a::z::S"]).is_empty(), "one for two");
        assert!(moved(&["a::x::S"], &["a::x::S", "a::y::S"]).is_empty(), "it is there still");
    }

    #[test]
    fn methods_stay_with_their_types() {
        assert!(moved(&["a::S", "a::S::f"], &["a::T", "a::T::f"]).is_empty());
        assert!(moved(&["a::S", "a::S::f"], &["a::x::f"]).is_empty());
        assert_eq!(moved(&["a::S", "a::S::f"], &["a::x::S", "a::x::S::f"]).len(), 2);
    }

    #[test]
    fn all_paths_of_a_name_are_renamed() {
        let moves = [("a::S", "b::c::S"), ("a::f", "b::f")];
        let moves = moves.map(|(from, to)| (from.to_owned(), to.to_owned())).into();
        let name = "<a::S as x::T<a::S>>::g::<fn a::f::{closure#1}>";
        let expected = "<b::c::S as x::T<b::c::S>>::g::<fn b::f::{closure#1}>";
        assert_eq!(renamed(name, &moves).as_deref(), Some(expected));
        assert_eq!(renamed("a::S2", &moves), None);
    }
}
