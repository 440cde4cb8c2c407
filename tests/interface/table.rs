//! What came of all pairs, by family.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cargo_cse::report::schema::Verdict;
use similar::TextDiff;

use crate::batch::{Tried, rank};
use crate::families::Family;
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
    pub fn section(&self, families: &[Family], drawn: usize, seed: u64) -> String {
        let mut text = format!(
            "Pairs of versions of a dependency are made that differ in one way in what callers of a client \
             reach, or in\nwhat its settings make of it: ways for something of the dependency to come out \
             of the client, or into it,\ntimes ways to change it. A caller that does not name the \
             dependency is run natively with both versions. Wrong\nis what differs and has nothing but \
             equivalent entry points, and what does the same and is called different.\n\n\
             With seed {seed}, {drawn} pairs were drawn, of which {} compiled. E, U and D are the verdicts \
             equivalent,\nunknown and different.\n\n\
             | | pairs | natively different | E | U | D | natively the same | E | U | D | wrong |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
            self.pairs()
        );
        let mut total = Row::default();
        for (family, row) in &self.rows {
            row.write(family, &mut text);
            total.add(row);
        }
        total.write("all", &mut text);
        text.push('\n');
        for Family { name, about, .. } in families {
            writeln!(text, "- {name}: {about}").unwrap();
        }
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
        write!(text, "| {name} | {}", self.pairs()).unwrap();
        for counts in [self.different, self.same] {
            let [equivalent, unknown, different] = counts;
            let all = equivalent + unknown + different;
            write!(text, " | {all} | {equivalent} | {unknown} | {different}").unwrap();
        }
        writeln!(text, " | {} |", self.wrong).unwrap();
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
