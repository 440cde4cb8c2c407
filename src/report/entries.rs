//! The entry points of the user's crate: which of them an upgrade reaches, and by what.

use super::paths::ShownPaths;
use super::schema::{Entry, Verdict};
use super::terminal::{TerminalOptions, difference};
use super::text;

/// How many entry points of a target are listed without -v.
const SHOWN_ENTRIES: usize = 10;

/// Renders the entry points that are open, or all of them with -v, a target at a time.
pub fn render(entries: &[Entry], paths: &ShownPaths, options: &TerminalOptions) -> String {
    let shown: Vec<&Entry> = entries
        .iter()
        .filter(|entry| entry.verdict != Verdict::Equivalent || options.verbose)
        .collect();
    if shown.is_empty() {
        return String::new();
    }
    let mut block = format!("  {}\n", heading(entries));
    let mut groups: Vec<(&str, bool, Vec<&Entry>)> = Vec::new();
    for entry in shown {
        let target = entry.target.as_str();
        match groups.iter_mut().find(|(of, generic, _)| *of == target && *generic == entry.generic)
        {
            Some((_, _, group)) => group.push(entry),
            None => groups.push((target, entry.generic, vec![entry])),
        }
    }
    let named = groups.len() > 1;
    for (target, generic, group) in groups {
        match (named, generic) {
            (_, true) => block += &format!("    {target}, generic functions:\n"),
            (true, false) => block += &format!("    {target}:\n"),
            (false, false) => {}
        }
        let indent = if named || generic { "      " } else { "    " };
        block += &list(group, indent, paths, options);
    }
    block
}

/// `entry points: 3 unknown, 12 equivalent`
fn heading(entries: &[Entry]) -> String {
    let numbers: Vec<String> = [Verdict::Different, Verdict::Unknown, Verdict::Equivalent]
        .into_iter()
        .filter_map(|verdict| {
            let number = entries.iter().filter(|entry| entry.verdict == verdict).count();
            (number > 0).then(|| format!("{number} {}", text::verdict_word(verdict)))
        })
        .collect();
    format!("{} {}", text::paint(text::BOLD, "entry points:"), numbers.join(", "))
}

fn list(
    mut group: Vec<&Entry>,
    indent: &str,
    paths: &ShownPaths,
    options: &TerminalOptions,
) -> String {
    group.sort_by_key(|entry| text::urgency(entry.verdict));
    if options.verbose {
        return group.iter().map(|entry| in_full(entry, indent, paths, options)).collect();
    }
    let (different, others): (Vec<&Entry>, Vec<&Entry>) =
        group.into_iter().partition(|entry| entry.counterexample.is_some());
    let mut block: String = different
        .iter()
        .take(SHOWN_ENTRIES)
        .map(|entry| in_full(entry, indent, paths, options))
        .collect();
    block += &text::rest(different.len().saturating_sub(SHOWN_ENTRIES), indent);
    let group = others;
    let rows: Vec<[String; 2]> = group
        .iter()
        .take(SHOWN_ENTRIES)
        .map(|entry| [options.name(&entry.function).into_owned(), in_short(entry, options)])
        .collect();
    let rest = text::rest(group.len() - rows.len(), indent);
    block + &text::table(&rows, indent, options.width) + &rest
}

/// The changed code that it reaches; where there is none, why it is open.
fn in_short(entry: &Entry, options: &TerminalOptions) -> String {
    let mut ends: Vec<&str> = Vec::new();
    for step in entry.reaches.iter().filter_map(|path| path.last()) {
        if !ends.contains(&step.function.as_str()) {
            ends.push(&step.function);
        }
    }
    if entry.blocked {
        return entry.reason.clone();
    }
    match (ends.first(), ends.len()) {
        (None, _) => entry.reason.clone(),
        (Some(end), _) if *end == entry.function => "changed itself".to_owned(),
        (Some(end), 1) => format!("reaches {}", options.name(end)),
        (Some(end), number) => format!("reaches {} and {} more", options.name(end), number - 1),
    }
}

fn in_full(entry: &Entry, indent: &str, paths: &ShownPaths, options: &TerminalOptions) -> String {
    let style = text::verdict_style(entry.verdict);
    let word = text::paint(style, text::verdict_word(entry.verdict));
    let mut block = format!("{indent}{}: {word}\n", entry.function);
    let inner = format!("{indent}  ");
    if !entry.reason.is_empty() {
        block += &text::wrap(&entry.reason, &inner, options.width);
    }
    if let Some(found) = &entry.counterexample {
        block += &text::indent(&difference(found, options), &inner);
    }
    for path in entry.reaches.iter().take(options.most(1)) {
        let width = options.width.saturating_sub(inner.len());
        block += &text::indent(&paths.render(path, width), &inner);
    }
    block
}
