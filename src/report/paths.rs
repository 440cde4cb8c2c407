//! Ways through the calls to changed code: `dep::f (src/lib.rs:3) -> dep::g (changed)`.

use std::collections::HashMap;

use textwrap::core::display_width;

use super::schema::{ChangeKind, Changed, Step};
use super::terminal::TerminalOptions;
use super::text;

/// How many functions of a path are shown without -v.
const SHOWN_STEPS: usize = 6;

const ARROW: &str = "-> ";

/// What is needed to show paths: the changes that they lead to.
pub struct ShownPaths<'a> {
    changed: HashMap<&'a str, &'a Changed>,
    options: &'a TerminalOptions,
}

impl<'a> ShownPaths<'a> {
    pub fn new(changed: &'a [Changed], options: &'a TerminalOptions) -> ShownPaths<'a> {
        let changed = changed.iter().map(|item| (item.function.as_str(), item));
        ShownPaths { changed: changed.collect(), options }
    }

    /// `changed`, `added` or `removed`.
    pub fn kind(&self, function: &str) -> &'static str {
        self.changed.get(function).map_or("changed", |item| kind_word(item.kind))
    }

    /// What is different about it, in a few words; empty where that is not known.
    pub fn what(&self, function: &str) -> &'a str {
        self.changed.get(function).map_or("", |item| &item.what)
    }

    /// The path on one line where that fits, and otherwise one function a line.
    pub fn render(&self, path: &[Step], width: usize) -> String {
        let mut steps: Vec<String> = path
            .iter()
            .enumerate()
            .map(|(index, step)| self.step(step, index + 1 == path.len(), width))
            .collect();
        if steps.len() > self.options.most(SHOWN_STEPS) {
            let left_out = steps.len() - (SHOWN_STEPS - 1);
            let middle = SHOWN_STEPS / 2;
            let note = format!("... {} ...", text::count(left_out, "function"));
            steps.splice(middle..middle + left_out, [note]);
        }
        let line = steps.join(&format!(" {ARROW}"));
        if display_width(&line) <= width { line } else { steps.join(&format!("\n{ARROW}")) }
    }

    fn step(&self, step: &Step, is_last: bool, width: usize) -> String {
        let kind = if is_last { self.kind(&step.function) } else { "" };
        let place = text::place(&step.file, step.line, self.options.verbose);
        let facts = match (kind, place.as_str()) {
            ("", "") => String::new(),
            (kind, "") => format!(" ({kind})"),
            ("", place) => format!(" ({place})"),
            (kind, place) => format!(" ({kind}, {place})"),
        };
        let name = self.options.name(&step.function);
        if self.options.verbose {
            return format!("{name}{facts}");
        }
        let room = width.saturating_sub(ARROW.len() + display_width(&facts));
        format!("{}{facts}", text::elide(&name, room))
    }
}

pub fn kind_word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Changed => "changed",
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
    }
}
