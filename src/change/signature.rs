//! Types that look alike and are not one: callers of an entry point that takes or gives another of
//! these run other code with it.

use std::collections::HashSet;

use crate::cfa::{Entry, EntryTarget, Program};
use crate::version::Both;

/// Whether an entry point names other types than it did. A type that was only renamed or moved is
/// the same one: its old name is gone, and its new one was not there. Errs towards yes where a type
/// took the name of another.
pub fn names_other_types(old: (&Program, &Entry), new: (&Program, &Entry)) -> bool {
    let (EntryTarget::Function(old_id), EntryTarget::Function(new_id)) =
        (old.1.target, new.1.target)
    else {
        return false;
    };
    let signature = |(program, _): (&Program, &Entry), id| {
        let function = program.function(id);
        let locals = function.locals.iter().take(function.params as usize + 1);
        locals.map(|local| program.ty(local.ty).name.clone()).collect::<Vec<String>>()
    };
    let (before, after) = (signature(old, old_id), signature(new, new_id));
    let mut known: Option<Both<HashSet<&str>>> = None;
    before.iter().zip(&after).filter(|(before, after)| before != after).any(|(before, after)| {
        let (before, after): (Vec<&str>, Vec<&str>) =
            (names(before).collect(), names(after).collect());
        let known = known.get_or_insert_with(|| Both::new(all_names(old.0), all_names(new.0)));
        let is_known =
            |name: &str, names: &HashSet<&str>| !name.contains("::") || names.contains(name);
        let is_other = |(before, after): (&&str, &&str)| {
            before != after && (is_known(before, &known.new) || is_known(after, &known.old))
        };
        before.len() != after.len() || before.iter().zip(&after).any(is_other)
    })
}

/// The paths and numbers in the name of a type, without what has no name of its own, such as closures.
fn names(of: &str) -> impl Iterator<Item = &str> {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':' | '{' | '}' | '#');
    let parts = of.split(move |it| !is_part(it));
    parts.filter(|part| {
        part.starts_with(|it: char| it.is_alphanumeric() || it == '_') && !part.contains(['{', '#'])
    })
}

fn all_names(program: &Program) -> HashSet<&str> {
    let types = program.types.iter().map(|ty| ty.name.as_str());
    let entries = program.entries.iter().map(|entry| entry.name.as_str());
    types.chain(entries).flat_map(names).collect()
}
