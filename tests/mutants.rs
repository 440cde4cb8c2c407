//! No mutant that behaves differently is called equivalent: tried in bulk, with mutants of the
//! libraries in `fixtures/` and in `tests/cases/`, and told by running them natively.
//!
//! Besides, every mutant in code that the clients of `fixtures/mutants/` reach is seen as a change,
//! and none in what they do not reach: there, the client reaches every function of the library but
//! those whose names start with `unused`.
//!
//! Some of the mutants are tried; with `SOUNDNESS=all` many are, and the result is written to
//! `docs/soundness.md`. `SOUNDNESS_SEED` chooses others, `SOUNDNESS_MUTANTS` says how many,
//! and `SOUNDNESS_ONLY` is a part of the names of what is mutated.

#[path = "mutants/batch.rs"]
mod batch;
#[path = "mutants/mutate.rs"]
mod mutate;
mod soundness;
#[path = "mutants/subjects.rs"]
mod subjects;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use batch::{Batch, Native, Trial, Tried};
use cargo_cse::random::Random;
use cargo_cse::report::schema::{Engine, Verdict};
use mutate::{Mutant, mutants};
use similar::TextDiff;
use soundness::document;
use soundness::options::{Options, number};
use subjects::{Subject, subjects};
use tempfile::TempDir;

/// How much is tried.
struct Size {
    mutants: usize,
    batch: usize,
    /// Seconds that the tool may take for a batch.
    timeout: u64,
}

const SOME: Size = Size { mutants: 160, batch: 80, timeout: 20 };
const ALL: Size = Size { mutants: 4200, batch: 140, timeout: 100 };
const WORKERS: usize = 2;

#[derive(Default)]
struct Counts {
    /// That compiled.
    mutants: usize,
    natively_different: usize,
    /// Of all, and of those that behave differently, by verdict and engine.
    verdicts: BTreeMap<String, [usize; 2]>,
    /// Called equivalent, although only one of the two versions ended in time.
    hanging: Vec<String>,
    /// Among those, what does not say that a version may not end.
    unsaid: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn no_mutant_that_behaves_differently_is_called_equivalent() {
    let Options { is_full, seed, only } = Options::from_environment();
    let size = if is_full { ALL } else { SOME };
    let started = Instant::now();

    let mut subjects = subjects();
    if let Some(name) = &only {
        subjects.retain(|subject| subject.name.contains(name));
    }
    let count = number("SOUNDNESS_MUTANTS").map_or(size.mutants, |it| it as usize);
    let (made, trials) = chosen(&subjects, count, seed);
    let batches: Vec<_> = trials.chunks(size.batch).collect();
    let next = AtomicUsize::new(0);
    let counts = Mutex::new(Counts::default());
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            let (next, batches, counts, size) = (&next, &batches, &counts, &size);
            scope.spawn(move || {
                let folder = TempDir::new().unwrap();
                let root = folder.path().canonicalize().unwrap();
                while let Some(trials) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let tried = Batch::new(&root, trials, seed).run(size.timeout);
                    let mut counts = counts.lock().unwrap();
                    let known = counts.wrong.len();
                    tried.iter().for_each(|tried| counts.add(tried));
                    counts.wrong[known..].iter().for_each(|wrong| eprintln!("{wrong}"));
                    eprintln!("{} mutants tried, {} wrong", counts.mutants, counts.wrong.len());
                }
            });
        }
    });

    let counts = counts.into_inner().unwrap();
    let summary = counts.summary(made, trials.len(), seed, subjects.len());
    eprintln!("{summary}in {} s", started.elapsed().as_secs());
    if is_full {
        document::write_section(document::MUTANTS, &section(&summary));
    }
    for hanging in &counts.hanging {
        eprintln!("called equivalent, but only the old version ends in time: {hanging}");
    }
    assert!(counts.wrong.is_empty(), "{} mutants, see above", counts.wrong.len());
    assert!(counts.unsaid.is_empty(), "called equivalent without a word: {:#?}", counts.unsaid);
    assert!(counts.mutants * 2 > trials.len(), "most mutants compile");
}

/// How many mutants there are, and some of them.
fn chosen(subjects: &[Subject], count: usize, seed: u64) -> (usize, Vec<Trial<'_>>) {
    let mut trials = Vec::new();
    for subject in subjects {
        if subject.old != subject.mutated {
            trials.push(Trial { subject, mutant: Mutant::unedited(&subject.mutated) });
        }
        let made = mutants(&subject.mutated).into_iter();
        trials.extend(made.map(|mutant| Trial { subject, mutant }));
    }
    let made = trials.len();
    Random::new(seed).shuffle(&mut trials);
    trials.truncate(count);
    (made, trials)
}

impl Counts {
    fn add(&mut self, tried: &Tried) {
        self.mutants += 1;
        let is_different =
            tried.functions.iter().any(|(_, native)| matches!(native, Native::Different { .. }));
        self.natively_different += usize::from(is_different);
        let worst = tried.entries.iter().max_by_key(|entry| match entry.verdict {
            Verdict::Equivalent => (0, entry.engine != Some(Engine::Same)),
            Verdict::Unknown => (1, true),
            Verdict::Different => (2, true),
        });
        let verdict = worst.map_or("nothing to judge".to_owned(), |entry| match entry.engine {
            Some(engine) if entry.verdict == Verdict::Equivalent => {
                format!("equivalent, {engine:?}").to_lowercase()
            }
            _ => format!("{:?}", entry.verdict).to_lowercase(),
        });
        let [all, different] = self.verdicts.entry(verdict).or_default();
        *all += 1;
        *different += usize::from(is_different);

        for (entry, native) in &tried.functions {
            match native {
                _ if entry.verdict != Verdict::Equivalent => {}
                Native::Different { input, old, new } => {
                    let claim = format!(
                        "{} is called equivalent ({:?}: {}), but on {input} it is\n  {old} with the old version\n  {new} with the new one",
                        entry.function, entry.engine, entry.reason
                    );
                    self.wrong.push(claim + "\n" + &described(&tried.trial));
                }
                Native::Hangs { deep, .. } => {
                    let (name, what) = (&tried.trial.subject.name, &tried.trial.mutant.description);
                    let hanging = format!("{name}: {what} ({:?}: {})", entry.engine, entry.reason);
                    // How deep calls may be nested is a matter of memory, which is no behaviour.
                    if !deep && !entry.partial {
                        self.unsaid.push(hanging.clone());
                    }
                    self.hanging.push(hanging);
                }
                Native::Agree(_) => {}
            }
        }
        if tried.trial.subject.is_reached
            && let Some(complaint) = overlooked(tried)
        {
            self.wrong.push(complaint + "\n" + &described(&tried.trial));
        }
    }

    fn summary(&self, made: usize, chosen: usize, seed: u64, subjects: usize) -> String {
        let mut text = format!(
            "{made} mutants of {subjects} pairs of a client and a library; with seed {seed}, {chosen} \
             of them were tried.\n\n"
        );
        let mut row = |name: &str, [all, different]: [usize; 2]| {
            writeln!(text, "| {name} | {all} | {different} |").unwrap();
        };
        row("", [0, 0]);
        row("compiled", [self.mutants, self.natively_different]);
        for (verdict, counts) in &self.verdicts {
            row(verdict, *counts);
        }
        let header = "| | mutants | of these, natively different |\n| --- | --- | --- |";
        let text = text.replace("|  | 0 | 0 |", header);
        format!(
            "{text}\nCalled equivalent, but only one version ended in time: {} ({} of these without saying \
             so). Wrong: {}.\n",
            self.hanging.len(),
            self.unsaid.len(),
            self.wrong.len()
        )
    }
}

/// What is wrong with how a change was seen, apart from what it does.
fn overlooked(tried: &Tried) -> Option<String> {
    let mutant = &tried.trial.mutant;
    let is_seen = tried.entries.iter().any(|entry| entry.engine != Some(Engine::Same));
    let is_listed = mutant.item.is_empty()
        || tried.changed.iter().any(|name| {
            name.split(|char: char| !char.is_alphanumeric() && char != '_')
                .any(|it| it == mutant.item)
        });
    match mutant.reachable {
        true if !is_seen => Some("reachable, but not seen".to_owned()),
        true if !is_listed => Some(format!("not among what changed: {:?}", tried.changed)),
        false if is_seen => Some("not reachable, but seen".to_owned()),
        _ => None,
    }
}

fn described(trial: &Trial) -> String {
    let Trial { subject, mutant } = trial;
    let diff = TextDiff::from_lines(&subject.old, &mutant.source);
    format!(
        "{}, {}\n--- client\n{}\n{}",
        subject.name,
        mutant.description,
        subject.client,
        diff.unified_diff().header("old", "new")
    )
}

fn section(summary: &str) -> String {
    format!(
        "Small changes are made to libraries, the tool judges each, and each is run natively with both \
         versions\non thousands of inputs.\n\n{summary}"
    )
}
