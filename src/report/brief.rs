//! An unknown upgrade in few lines: where the user's code reaches what changed, what that is, what kept
//! it from being decided.

use std::collections::BTreeMap;
use std::path::Path;

use similar::{ChangeTag, TextDiff};

use super::reasons::in_plain_words;
use super::schema::{CallSite, Changed, SourceLines, Upgrade, Verdict};
use super::source::Sources;
use super::terminal::TerminalOptions;
use super::text;

/// How many places in the user's code are shown.
const SHOWN_PLACES: usize = 2;
/// How many changed functions are shown.
const SHOWN_CHANGES: usize = 2;
/// How many lines of the source diff of a changed function are shown.
const SHOWN_LINES: usize = 4;

pub fn render(upgrade: &Upgrade, root: &Path, options: &TerminalOptions) -> String {
    let blocks = [
        reached_from(upgrade, root, options),
        changes(upgrade, root, options),
        obstacles(upgrade, options),
    ];
    blocks.concat() + &repository(upgrade)
}

/// `reached from src/lib.rs:21, where settings::load calls serde_json::from_str`
fn reached_from(upgrade: &Upgrade, root: &Path, options: &TerminalOptions) -> String {
    let open = upgrade.call_sites.iter().filter(|site| site.verdict != Verdict::Equivalent);
    let mut open: Vec<&CallSite> = open.collect();
    open.dedup_by_key(|site| (&site.file, site.line));
    // The user's own lines say more than what the compiler makes of them.
    open.sort_by_key(|site| {
        let is_own = root.join(&site.file).is_file();
        (!is_own, text::is_generic(&site.caller), site.caller == site.callee)
    });
    let mut block = String::new();
    for site in open.iter().take(SHOWN_PLACES) {
        let place = text::place(&site.file, site.line, options.verbose);
        let [caller, callee] = [&site.caller, &site.callee].map(|it| options.name(it));
        let what = match caller == callee {
            true => format!("at {place}: {caller} itself changed"),
            false => format!("from {place}: {caller} calls {callee}"),
        };
        block += &text::wrap(&format!("reached {what}"), "  ", options.width);
    }
    block + &rest(open.len(), SHOWN_PLACES, "place")
}

fn changes(upgrade: &Upgrade, root: &Path, options: &TerminalOptions) -> String {
    let mut sources = Sources::new(root);
    let with_diff = upgrade.changed.iter().map(|change| (change, diff(change, &mut sources)));
    let mut with_diff: Vec<_> = with_diff.collect();
    // What was rewritten comes before what is only reached or not reached any more.
    with_diff.sort_by_key(|(it, diff)| (diff.is_empty(), text::is_generic(&it.function)));
    let mut block = String::new();
    for (change, diff) in with_diff.iter().take(SHOWN_CHANGES) {
        let mut line = change_line(change, options);
        if diff.is_empty() && !change.what.is_empty() {
            line += &format!(": {}", change.what);
        }
        block += &text::wrap(&line, "  ", options.width);
        for line in diff.iter().take(SHOWN_LINES) {
            block += &format!("    {}\n", text::cut(line, options.width.saturating_sub(4)));
        }
    }
    block + &rest(upgrade.changed.len() + upgrade.more_changed, SHOWN_CHANGES, "change")
}

fn change_line(change: &Changed, options: &TerminalOptions) -> String {
    let place = text::place(&change.file, change.line, options.verbose);
    let name = options.name(&change.function);
    let whose = match (change.package.as_str(), change.counts.as_str()) {
        ("", _) => "the standard library, where it follows from other changes".to_owned(),
        (package, "") => package.to_owned(),
        (package, counts) => format!("{package}, which does not move: {counts}"),
    };
    let place = if place.is_empty() { place } else { format!(" ({place})") };
    format!("{} {name}{place}, of {whose}", super::paths::kind_word(change.kind))
}

/// The lines of a changed function that are not in both versions, each after its sign.
pub fn diff(change: &Changed, sources: &mut Sources<'_>) -> Vec<String> {
    let mut read = |lines: &Option<SourceLines>| {
        let SourceLines { file, first_line, last_line } = lines.as_ref()?;
        let source = sources.read(file)?;
        Some(format!("{}\n", source.text(source.lines(*first_line, *last_line)?)))
    };
    let (Some(old), Some(new)) = (read(&change.old_source), read(&change.new_source)) else {
        return Vec::new();
    };
    let diff = TextDiff::from_lines(&old, &new);
    let changes = diff.iter_all_changes().filter_map(|change| {
        let (sign, style) = match change.tag() {
            ChangeTag::Delete => ("-", text::REMOVED),
            ChangeTag::Insert => ("+", text::ADDED),
            ChangeTag::Equal => return None,
        };
        let line = format!("{sign} {}", change.value().trim_end());
        (line.len() > 2).then(|| text::paint(style, &line))
    });
    changes.collect()
}

/// `not decided: callers choose its types (7 entry points), it allocates memory (2)`
fn obstacles(upgrade: &Upgrade, options: &TerminalOptions) -> String {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in upgrade.entries.iter().filter(|it| it.verdict == Verdict::Unknown) {
        *numbers.entry(in_plain_words(entry.reason_code.as_deref().unwrap_or(""))).or_default() +=
            1;
    }
    let mut numbers: Vec<(&str, usize)> = numbers.into_iter().collect();
    numbers.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    let parts: Vec<String> = match numbers[..] {
        [] => return String::new(),
        [(only, _)] => vec![only.to_owned()],
        _ => numbers.iter().map(|(words, number)| format!("{words} ({number})")).collect(),
    };
    text::wrap(&format!("not decided: {}", parts.join("; ")), "  ", options.width)
}

/// Where the authors say what they changed.
fn repository(upgrade: &Upgrade) -> String {
    let Some(repository) = &upgrade.repository else { return String::new() };
    let repository = repository.trim_end_matches('/').trim_end_matches(".git");
    let page = if repository.contains("://github.com/") { "/releases" } else { "" };
    format!("  its authors: {repository}{page}\n")
}

fn rest(all: usize, shown: usize, noun: &str) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        more => {
            format!("    ... and {}; -v shows all\n", text::count(more, &format!("more {noun}")))
        }
    }
}
