//! The families of pairs, one a file: tables of what can be combined.
//!
//! In a file, words in capitals stand for what another table puts there.

mod coroutines;
mod floats;
mod generic;
mod handed_out;
mod later;
mod linkage;
mod macros;
mod objects;
mod own_impls;
mod panics;
mod profiles;
mod reexports;
mod shown;
mod supplied;

use crate::pair::Template;

pub struct Family {
    pub name: &'static str,
    /// What its pairs have in common.
    pub about: &'static str,
    pub templates: Vec<Template>,
}

type Templates = fn() -> Vec<Template>;

const FAMILIES: &[(&str, &str, Templates)] = &[
    (
        "re-exports",
        "what a client passes on, by the path that callers write: items of all kinds, renamed, by globs, \
         through modules and crates",
        reexports::templates,
    ),
    (
        "handed in",
        "values of callers' types for which the dependency has impls, in generic code and as trait objects",
        supplied::templates,
    ),
    ("handed out", "what callers get in some way, and drop", handed_out::templates),
    (
        "asked by generic code",
        "what generic code of the client asks of a dependency's type that callers got from it, and what is \
         asked behind `impl Trait` and trait objects",
        shown::templates,
    ),
    (
        "provided methods",
        "std's methods of the client's iterators, whose items are a dependency's",
        shown::provided,
    ),
    (
        "objects",
        "methods of a dependency's trait on objects and hidden types that callers got",
        objects::templates,
    ),
    (
        "named types",
        "what generic code of the client does with a type that callers only name, by the client's paths",
        objects::named,
    ),
    (
        "later",
        "what runs when callers first look, when a thread ends, or when a callback is passed on",
        later::templates,
    ),
    ("own impls", "the client's impls of std's traits, by std's code", own_impls::templates),
    ("generic drops", "a dependency's generic types in generic code", generic::templates),
    ("generic facts", "sizes, names and constants of a dependency's generic items", generic::facts),
    (
        "futures",
        "what lives in futures that are polled some times and dropped",
        coroutines::templates,
    ),
    (
        "profiles",
        "arithmetic and assertions under profiles, also of single packages",
        profiles::templates,
    ),
    (
        "symbols and sections",
        "what is found by the names of symbols and sections",
        linkage::templates,
    ),
    (
        "panics and programs",
        "payloads, messages and hooks of panics, and how programs end",
        panics::templates,
    ),
    ("bits of NaNs", "which bits of a NaN calls pass on", floats::nans),
    ("addresses", "nothing but addresses differs: not to be called different", floats::addresses),
    ("macros", "macros that callers expand", macros::templates),
    (
        "meaning of client code",
        "the client's own code means something else, by new methods, impls, layouts or derives",
        macros::meant,
    ),
];

pub fn all() -> Vec<Family> {
    let families = FAMILIES.iter();
    families
        .map(|(name, about, templates)| Family { name, about, templates: templates() })
        .collect()
}
