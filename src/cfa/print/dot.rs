//! Both versions of a function as one graph, in the language of Graphviz.

use std::collections::HashSet;
use std::fmt::{self, Write};

use super::Code;
use super::compare::compare;
use super::lines::lines;
use super::place::{Writer, to_string};
use super::scope::Scope;
use crate::cfa::graph::Graph;
use crate::cfa::{Cfa, EdgeId};

/// The versions as clusters, drawn as in 2clever's figures: the initial location shaded, the final
/// one with a double line, operations on the edges. What differs is red; unwinding is dashed.
pub fn dot(old: Option<Code>, new: Option<Code>) -> String {
    let (old_lines, new_lines) = (old.map_or(Vec::new(), lines), new.map_or(Vec::new(), lines));
    let mut old_changed = HashSet::new();
    let mut new_changed = HashSet::new();
    if old.is_some() && new.is_some() {
        for row in compare(&old_lines, &new_lines).iter().filter(|row| !row.same) {
            old_changed.extend(row.old.and_then(|index| old_lines[index].edge));
            new_changed.extend(row.new.and_then(|index| new_lines[index].edge));
        }
    }
    let mut text = String::from("digraph {\n  node [shape=circle]\n");
    for (side, version, changed) in [("old", old, old_changed), ("new", new, new_changed)] {
        if let Some(version) = version {
            cluster(&mut text, side, version, &changed).expect("writing to a string");
        }
    }
    text.push_str("}\n");
    text
}

fn cluster(
    text: &mut String,
    side: &str,
    (program, function): Code,
    changed: &HashSet<EdgeId>,
) -> fmt::Result {
    writeln!(text, "  subgraph cluster_{side} {{")?;
    writeln!(text, "    label={}", quoted(&format!("{side}: {}", function.name)))?;
    let none = Cfa { locations: 1, edges: Vec::new() };
    let cfa = function.cfa().unwrap_or(&none);
    let graph = Graph::with_unwinding(cfa);
    for &location in graph.reverse_postorder() {
        let filled = if location == Cfa::ENTRY { " style=filled" } else { "" };
        let shape = if location == graph.exit() { " shape=doublecircle" } else { "" };
        writeln!(text, "    {side}_{0} [label=\"{0}\"{filled}{shape}]", location.0)?;
    }
    let scope = Scope::new(program, &function.locals);
    for (from, step) in graph.steps() {
        let edge = &cfa.edges[step.edge.index()];
        let arrow = format!("    {side}_{} -> {side}_{}", from.0, step.location.0);
        if edge.to != step.location {
            writeln!(text, "{arrow} [style=dashed]")?;
            continue;
        }
        let mut writer = Writer::new(&scope);
        writer.op(&edge.op);
        let label = quoted(&to_string(&writer.pieces));
        let colour = if changed.contains(&step.edge) { " color=red fontcolor=red" } else { "" };
        writeln!(text, "{arrow} [label={label}{colour}]")?;
    }
    writeln!(text, "  }}")
}

/// A string of the language, in which only these two characters are special.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
