//! What came of all pairs, by family.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cargo_cse::report::schema::Verdict;
use similar::TextDiff;

use crate::batch::{Tried, rank};
use crate::pair::Meaning;

#[derive(Default)]
pub struct Table {
    rows: BTreeMap<&'static str, Row>,
    pub wrong: Vec<String>,
}

/// The pairs of a family.
#[derive(Clone, Copy, Default)]
struct Row {
    /// Natively the same, and natively different: equivalent, unknown, different.
    same: [usize; 3],
    different: [usize; 3],
    wrong: usize,
}

impl Table {
    pub fn add(&mut self, tried: &Tried) {
        let verdict = tried.verdict();
        let is_different = tried.difference.is_some();
        let complaint = match tried.pair.meaning {
            Meaning::Address if verdict == Verdict::Different => {
                Some("called different, but only addresses are")
            }
            Meaning::Same if is_different => Some("meant to do the same, but it does not"),
            Meaning::Same if verdict == Verdict::Different => {
                Some("called different, but it does the same")
            }
            Meaning::Measured if is_different && verdict == Verdict::Equivalent => {
                Some("called equivalent, but it is not")
            }
            _ => None,
        };
        let row = self.rows.entry(tried.pair.family).or_default();
        let counts = if is_different { &mut row.different } else { &mut row.same };
        counts[rank(verdict)] += 1;
        if let Some(complaint) = complaint {
            row.wrong += 1;
            self.wrong.push(described(tried, complaint));
        }
    }

    pub fn pairs(&self) -> usize {
        self.rows.values().map(Row::pairs).sum()
    }

    /// The section of the document.
    pub fn section(&self, drawn: usize, seed: u64) -> String {
        let mut text = format!(
            "Pairs of versions of a dependency are made that differ in one way in what callers of a client \
             reach, or in\nthe settings that it is compiled with: ways for something of the dependency to \
             come out of the client, or\ninto it, times ways to change it. A caller that does not name the \
             dependency is run natively with both.\nWrong is what differs and has nothing but \
             equivalent entry points, and what does the same and is called\ndifferent.\n\n\
             With seed {seed}, {drawn} pairs were drawn; {} compiled.\n\n\
             | | pairs | natively the same: equivalent | unknown | different | natively different: \
             equivalent | unknown | different | wrong |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
            self.pairs()
        );
        let mut total = Row::default();
        for (family, row) in &self.rows {
            row.write(family, &mut text);
            total.add(row);
        }
        total.write("all", &mut text);
        text
    }
}

impl Row {
    fn pairs(&self) -> usize {
        self.same.iter().chain(&self.different).sum()
    }

    fn add(&mut self, other: &Row) {
        for index in 0..3 {
            self.same[index] += other.same[index];
            self.different[index] += other.different[index];
        }
        self.wrong += other.wrong;
    }

    fn write(&self, name: &str, text: &mut String) {
        let counts = self.same.iter().chain(&self.different).map(usize::to_string);
        let counts: Vec<_> = counts.collect();
        let counts = counts.join(" | ");
        writeln!(text, "| {name} | {} | {counts} | {} |", self.pairs(), self.wrong).unwrap();
    }
}

fn described(tried: &Tried, complaint: &str) -> String {
    let pair = &tried.pair;
    let mut text = format!("WRONG: {}\n  {complaint}\n", pair.name);
    if let Some(difference) = &tried.difference {
        let [old, new] = &difference.outcomes;
        writeln!(text, "  {}\n    old: {old}\n    new: {new}", difference.used).unwrap();
    }
    for entry in &tried.entries {
        writeln!(text, "  {} {:?}: {}", entry.function, entry.verdict, entry.reason).unwrap();
    }
    for (name, source) in
        [("client", &pair.client), ("third", &pair.third), ("middle", &pair.middle)]
    {
        if !source.is_empty() {
            writeln!(text, "--- {name}\n{source}").unwrap();
        }
    }
    let diff = TextDiff::from_lines(&pair.dep[0], &pair.dep[1]);
    write!(text, "--- dep (old)\n{}\n{}", pair.dep[0], diff.unified_diff().header("old", "new"))
        .unwrap();
    text
}
