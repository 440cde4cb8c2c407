//! The families of pairs, one a file: tables of what can be combined.
//!
//! In a file, words in capitals stand for what another table puts there.

mod handed_out;
mod reexports;
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
    ]
}
