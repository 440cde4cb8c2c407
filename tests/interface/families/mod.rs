//! The families of pairs, one a file: tables of what can be combined.
//!
//! In a file, words in capitals stand for what another table puts there.

mod coroutines;
mod floats;
mod generic;
mod handed_out;
mod linkage;
mod macros;
mod own_impls;
mod panics;
mod profiles;
mod reexports;
mod shown;
mod supplied;

use crate::pair::Template;

pub struct Family {
    pub name: &'static str,
    pub templates: Vec<Template>,
}

pub fn all() -> Vec<Family> {
    vec![
        Family { name: "re-exports", templates: reexports::templates() },
        Family { name: "handed in", templates: supplied::templates() },
        Family { name: "handed out", templates: handed_out::templates() },
        Family { name: "asked by generic code", templates: shown::templates() },
        Family { name: "provided methods", templates: shown::provided() },
        Family { name: "own impls", templates: own_impls::templates() },
        Family { name: "generic drops", templates: generic::templates() },
        Family { name: "generic facts", templates: generic::facts() },
        Family { name: "futures", templates: coroutines::templates() },
        Family { name: "profiles", templates: profiles::templates() },
        Family { name: "symbols and sections", templates: linkage::templates() },
        Family { name: "panics and programs", templates: panics::templates() },
        Family { name: "bits of NaNs", templates: floats::nans() },
        Family { name: "addresses", templates: floats::addresses() },
        Family { name: "macros", templates: macros::templates() },
        Family { name: "meaning of client code", templates: macros::meant() },
    ]
}
