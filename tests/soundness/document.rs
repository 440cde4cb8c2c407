//! `docs/soundness.md`: one document, of which each measure rewrites its own section.

use std::fs;
use std::path::Path;

const TITLE: &str = "# Soundness\n\n\
    Made by `make soundness`: verdicts beside native runs, in bulk. Nothing that behaves differently \
    may be\ncalled equivalent.\n";

/// The headings, in the order in which they stand.
pub const MUTANTS: &str = "Changes of what functions do";
pub const INTERFACE: &str = "Changes of what callers reach";
const SECTIONS: [&str; 2] = [MUTANTS, INTERFACE];

/// Puts a text in the place of what stood under a heading.
pub fn write_section(heading: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/soundness.md");
    let before = fs::read_to_string(&path).unwrap_or_default();
    fs::write(path, replaced(&before, heading, text)).unwrap();
}

fn replaced(document: &str, heading: &str, text: &str) -> String {
    let sections = SECTIONS.iter().filter_map(|name| {
        let body = if *name == heading { text } else { section(document, name)? };
        Some(format!("\n## {name}\n\n{}\n", body.trim()))
    });
    TITLE.to_owned() + &sections.collect::<String>()
}

fn section<'d>(document: &'d str, heading: &str) -> Option<&'d str> {
    let rest = document.split_once(&format!("\n## {heading}\n"))?.1;
    Some(rest.split_once("\n## ").map_or(rest, |(body, _)| body))
}
