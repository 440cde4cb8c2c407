//! Two versions of a function in two columns.

use super::Code;
use super::compare::compare;
use super::lines::{Line, lines};
use super::place::to_string;

/// The old version on the left and the new on the right, at most `width` characters wide.
///
/// Between them `|` marks lines that differ, `<` and `>` those that only one side has. Long lines
/// go on below.
pub fn side_by_side(old: Option<Code>, new: Option<Code>, width: usize) -> String {
    let column = (width.max(MINIMUM) - GAP) / 2;
    let (old, new) = (old.map_or(Vec::new(), lines), new.map_or(Vec::new(), lines));
    let mut text = String::new();
    for row in compare(&old, &new) {
        let mark = match (row.old, row.new) {
            _ if row.same => ' ',
            (Some(_), None) => '<',
            (None, Some(_)) => '>',
            _ => '|',
        };
        let wrapped = |lines: &[Line], index: Option<usize>| {
            index.map_or(Vec::new(), |index| wrap(&to_string(&lines[index].pieces), column))
        };
        let (left, right) = (wrapped(&old, row.old), wrapped(&new, row.new));
        for index in 0..left.len().max(right.len()) {
            let left = left.get(index).map_or("", String::as_str);
            let right = right.get(index).map_or("", String::as_str);
            text.push_str(format!("{left:column$} {mark} {right}").trim_end());
            text.push('\n');
        }
    }
    text
}

/// The mark and the space around it.
const GAP: usize = 3;
/// Below this, nothing is readable.
const MINIMUM: usize = 40;
/// How far the rest of a long line stands to the right of its start.
const CONTINUED: usize = 2;

/// Breaks a line after a space where there is one, and anywhere else if not.
fn wrap(line: &str, width: usize) -> Vec<String> {
    let characters: Vec<char> = line.chars().collect();
    let indent = characters.iter().take_while(|&&first| first == ' ').count();
    let hang = (indent + CONTINUED).min(width / 2);
    let mut wrapped = Vec::new();
    let mut rest = &characters[..];
    loop {
        let start = if wrapped.is_empty() { 0 } else { hang };
        let room = width - start;
        let break_at = if rest.len() <= room {
            rest.len()
        } else {
            let space = rest[..room].iter().rposition(|&last| last == ' ');
            let earliest = if wrapped.is_empty() { indent } else { 0 };
            space.map(|space| space + 1).filter(|&after| after > earliest).unwrap_or(room)
        };
        let (part, after) = rest.split_at(break_at);
        wrapped.push(" ".repeat(start) + part.iter().collect::<String>().trim_end());
        rest = after;
        if rest.is_empty() {
            return wrapped;
        }
    }
}
