//! No change of what callers reach through a client is called equivalent if they can tell: tried in
//! bulk, with pairs that differ in one way, and told by running callers natively.
//!
//! A pair is a template (a way in which something of the dependency comes out of a client, or into
//! it) with choices: how the dependency changes, where in the client it stands, and whether another
//! crate lies between. About a third of the pairs does the same with both versions.
//!
//! Some of the pairs are tried; with `SOUNDNESS=all` many are, and the result is written to
//! `docs/soundness.md`. `SOUNDNESS_SEED` chooses others, `SOUNDNESS_PAIRS` says how many, and
//! `SOUNDNESS_ONLY` is a part of the names of the pairs.

#[path = "interface/batch.rs"]
mod batch;
#[path = "interface/draw.rs"]
mod draw;
#[path = "interface/edits.rs"]
mod edits;
#[path = "interface/families/mod.rs"]
mod families;
#[path = "interface/pair.rs"]
mod pair;
#[path = "interface/table.rs"]
mod table;

mod soundness;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use batch::{Batch, Tried};
use draw::{Size, batches, drawn};
use soundness::document;
use soundness::options::{Options, number};
use table::Table;
use tempfile::TempDir;

const SOME: Size = Size { shared: 64, settings: 1, in_setting: 8, alone: 2, batch: 36 };
const ALL: Size = Size { shared: 1800, settings: 99, in_setting: 24, alone: 60, batch: 100 };
const WORKERS: usize = 2;
/// Seconds that the tool may take for a batch.
const TIMEOUT: u64 = 100;

#[test]
fn no_change_that_callers_can_tell_is_called_equivalent() {
    let options = Options::from_environment();
    let mut size = if options.is_full { ALL } else { SOME };
    if let Some(count) = number("SOUNDNESS_PAIRS") {
        size.shared = count as usize;
    }
    let started = Instant::now();
    let families = families::all();
    let pairs = drawn(&families, &size, &options);
    let count = pairs.len();
    let batches = batches(pairs, size.batch);
    let next = AtomicUsize::new(0);
    let table = Mutex::new(Table::default());
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            let (next, batches, table) = (&next, &batches, &table);
            scope.spawn(move || {
                while let Some(pairs) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let folder = TempDir::new().unwrap();
                    let root = folder.path().canonicalize().unwrap();
                    let tried = Batch::new(&root, pairs).run(TIMEOUT);
                    let tried: Vec<_> = tried.into_iter().map(judged_alone).collect();
                    let mut table = table.lock().unwrap();
                    let known = table.wrong.len();
                    tried.iter().for_each(|tried| table.add(tried));
                    table.wrong[known..].iter().for_each(|wrong| eprintln!("{wrong}"));
                    eprintln!("{} pairs tried, {} wrong", table.pairs(), table.wrong.len());
                }
            });
        }
    });

    let table = table.into_inner().unwrap();
    let section = table.section(&families, count, options.seed);
    eprintln!("{section}\nin {} s", started.elapsed().as_secs());
    if options.is_full && options.only.is_none() {
        document::write_section(document::INTERFACE, &section);
    }
    assert!(table.wrong.is_empty(), "{} pairs, see above", table.wrong.len());
    assert!(table.pairs() * 10 >= count * 9, "nearly all pairs compile");
}

/// The pair as it is judged in packages of its own, where others may have hidden what is said of it.
fn judged_alone(tried: Tried) -> Tried {
    if !tried.is_open() {
        return tried;
    }
    let folder = TempDir::new().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let alone = Batch::new(&root, std::slice::from_ref(&tried.pair)).run(TIMEOUT);
    alone.into_iter().next().expect("it compiled before")
}
