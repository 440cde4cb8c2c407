//! Two versions of a function in two columns.

use super::Code;
use similar::{DiffTag, TextDiff};

use super::compare::{Row, compare};
use super::lines::{Line, lines};
use super::place::to_string;

/// The old version on the left and the new on the right, at most `width` characters wide.
///
/// Between them `|` marks lines that differ, `<` and `>` those that only one side has. Long lines
/// go on below.
pub fn side_by_side(old: Option<Code>, new: Option<Code>, width: usize) -> String {
    let column = (width.max(MINIMUM) - GAP) / 2;
    let (old, new) = (old.map_or(Vec::new(), lines), new.map_or(Vec::new(), lines));
    let line = |lines: &[Line], index: Option<usize>| Some(to_string(&lines[index?].pieces));
    let rows = compare(&old, &new);
    let row = |row: &Row| columns(line(&old, row.old), line(&new, row.new), row.same, column);
    rows.iter().map(row).collect()
}

/// Two texts in the same way, line by line.
pub fn texts_side_by_side(old: &str, new: &str, width: usize) -> String {
    let column = (width.max(MINIMUM) - GAP) / 2;
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
        (old.lines().collect(), new.lines().collect());
    let mut text = String::new();
    for change in TextDiff::from_slices(&old_lines, &new_lines).ops() {
        let (olds, news) = (&old_lines[change.old_range()], &new_lines[change.new_range()]);
        for index in 0..olds.len().max(news.len()) {
            let line = |lines: &[&str]| lines.get(index).map(|line| (*line).to_owned());
            text += &columns(line(olds), line(news), change.tag() == DiffTag::Equal, column);
        }
    }
    text
}

/// A line of each side, of which each can be missing.
fn columns(old: Option<String>, new: Option<String>, same: bool, column: usize) -> String {
    let mark = match (&old, &new) {
        _ if same => ' ',
        (Some(_), None) => '<',
        (None, Some(_)) => '>',
        _ => '|',
    };
    let [left, right] = [old, new].map(|line| line.map_or(Vec::new(), |line| wrap(&line, column)));
    let mut text = String::new();
    for index in 0..left.len().max(right.len()) {
        let left = left.get(index).map_or("", String::as_str);
        let right = right.get(index).map_or("", String::as_str);
        text.push_str(format!("{left:column$} {mark} {right}").trim_end());
        text.push('\n');
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
