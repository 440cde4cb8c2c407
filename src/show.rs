//! Finds functions in two builds by what a person types, and prints them beside each other.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::cfa::graph::ReducibleCfa;
use crate::cfa::loops;
use crate::cfa::normalize::{Depth, normalize, without_nops};
use crate::cfa::print::{self, Code};
use crate::cfa::{Function, Program};
use crate::cli::Show;
use crate::extract::Build;
use crate::version::{Both, Version};

/// The most functions that are shown at once.
const MOST: usize = 12;

/// A function, old and new.
pub struct Found<'a> {
    pub name: String,
    pub old: Option<Code<'a>>,
    pub new: Option<Code<'a>>,
}

/// The functions of that name; failing that, whose names end with it, without generic arguments.
pub fn find<'a>(builds: &'a Both<Build>, wanted: &str) -> Vec<Found<'a>> {
    let exact = matching(builds, &|name| name == wanted);
    if !exact.is_empty() {
        return exact;
    }
    let wanted = plain(wanted);
    let whole = matching(builds, &|name| plain(name) == wanted);
    if !whole.is_empty() {
        return whole;
    }
    matching(builds, &|name| plain(name).ends_with(&format!("::{wanted}")))
}

/// Names that contain what was typed, or its last part.
pub fn near(builds: &Both<Build>, wanted: &str) -> Vec<String> {
    let last = wanted.rsplit("::").next().unwrap_or(wanted);
    let mut near: Vec<String> =
        matching(builds, &|name| name.contains(last)).into_iter().map(|it| it.name).collect();
    near.truncate(3);
    near
}

/// `root`: what the paths of sources are relative to.
pub fn render(found: &[Found<'_>], asked: &Show, root: &Path, width: usize) -> String {
    let mut text = String::new();
    for (number, found) in found.iter().take(MOST).enumerate() {
        if number > 0 {
            text.push('\n');
        }
        if asked.source {
            let [old, new] = [found.old, found.new].map(|code| source(code, root));
            text.push_str(&format!("{}\n", found.name));
            text.push_str(&print::texts_side_by_side(&old, &new, width));
            continue;
        }
        let read = |code: Option<Code<'_>>| {
            let (program, function) = code?;
            let normal = || normalize(program, function, Depth::WithWrappers);
            let normal = asked.normal.then(normal).flatten();
            Some(normal.unwrap_or_else(|| without_nops(function)))
        };
        let (old, new) = (read(found.old), read(found.new));
        let old = found.old.zip(old.as_ref()).map(|((program, _), it)| (program, it));
        let new = found.new.zip(new.as_ref()).map(|((program, _), it)| (program, it));
        if asked.loops {
            for (title, version) in [("old", old), ("new", new)] {
                let shown = version.map(|(program, function)| with_loops(program, function));
                text.push_str(&format!("{title}: {}\n", shown.as_deref().unwrap_or("none\n")));
            }
            continue;
        }
        match asked.dot {
            true => text.push_str(&print::dot(old, new)),
            false => text.push_str(&print::side_by_side(old, new, width)),
        }
    }
    if found.len() > MOST && !asked.dot {
        text.push_str(&format!("\n... and {} more with this name\n", found.len() - MOST));
    }
    text
}

/// The source of a function; empty where there is none.
fn source(code: Option<Code<'_>>, root: &Path) -> String {
    let lines = code.and_then(|(program, function)| program.lines_of(function));
    let Some((file, first, last)) = lines else { return String::new() };
    let Ok(text) = fs::read_to_string(root.join(file)) else { return String::new() };
    let (skipped, number) = (first as usize - 1, (last - first) as usize + 1);
    let lines: Vec<&str> = text.lines().skip(skipped).take(number).collect();
    lines.join("\n")
}

/// The function and its loops; as it is where a loop has more than one entry.
fn with_loops(program: &Program, function: &Function) -> String {
    let reducible = function.cfa().and_then(|cfa| ReducibleCfa::new(cfa).ok());
    match reducible {
        Some(cfa) => {
            let mut program = program.clone();
            loops::add_exit_type(&mut program);
            let exit_type = loops::exit_type(&program);
            let extracted = loops::extract(&cfa, &[], &function.locals, exit_type);
            print::extracted(&program, function, &extracted)
        }
        None => print::side_by_side(None, Some((program, function)), usize::MAX),
    }
}

fn matching<'a>(builds: &'a Both<Build>, accepts: &dyn Fn(&str) -> bool) -> Vec<Found<'a>> {
    let mut found: BTreeMap<&str, Found<'a>> = BTreeMap::new();
    for version in Version::BOTH {
        let build = &builds[version];
        for target in &build.targets {
            for function in target.program.functions.iter().filter(|it| accepts(&it.name)) {
                let entry = found.entry(&function.name).or_insert_with(|| Found {
                    name: function.name.clone(),
                    old: None,
                    new: None,
                });
                let code: Code<'_> = (&target.program, function);
                match version {
                    Version::Old => entry.old = Some(code),
                    Version::New => entry.new = Some(code),
                }
            }
        }
    }
    found.into_values().collect()
}

/// A name without generic arguments: `hex::encode::<&[u8]>` is `hex::encode`.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0;
    for (at, c) in name.char_indices() {
        match c {
            // A bracket at the start of a path belongs to the path: `<T as Trait>::f`.
            '<' if at > 0 => depth += 1,
            '>' if depth > 0 && !name[..at].ends_with('-') => depth -= 1,
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain.trim_end_matches("::").replace("::::", "::")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn generic_arguments_need_not_be_typed() {
        assert_eq!(plain("hex::encode::<&[u8]>"), "hex::encode");
        assert_eq!(plain("dep::Stack<u8>::push"), "dep::Stack::push");
        assert_eq!(plain("dep::apply::<fn(u8) -> u8>::{closure#0}"), "dep::apply::{closure#0}");
    }
}
