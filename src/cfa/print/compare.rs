//! Aligns the lines of two versions of a function.

use std::collections::HashMap;
use std::hash::Hash;

use similar::{Algorithm, DiffOp, capture_diff_slices_by_key};

use super::lines::Line;
use super::place::Piece;

/// Lines of the old and of the new version that belong beside each other.
pub(super) struct Row {
    pub old: Option<usize>,
    pub new: Option<usize>,
    pub same: bool,
}

/// Errs by calling too many lines different: those called the same are so up to the numbers of
/// temporaries and locations, which correspond one to one.
pub(super) fn compare(old: &[Line], new: &[Line]) -> Vec<Row> {
    let mut temporaries = Correspondence::default();
    let mut locations = Correspondence::default();
    let mut rows = Vec::new();
    for op in capture_diff_slices_by_key(Algorithm::Patience, old, new, key) {
        let (old_lines, new_lines) = (op.old_range(), op.new_range());
        let is_equal = matches!(op, DiffOp::Equal { .. });
        for index in 0..old_lines.len().max(new_lines.len()) {
            let mut row = Row {
                old: old_lines.clone().nth(index),
                new: new_lines.clone().nth(index),
                same: is_equal,
            };
            if let (true, Some(left), Some(right)) = (is_equal, row.old, row.new) {
                for pair in old[left].pieces.iter().zip(&new[right].pieces) {
                    row.same &= match pair {
                        (Piece::Temporary(left), Piece::Temporary(right)) => {
                            temporaries.relate(*left, *right)
                        }
                        (Piece::Location(left), Piece::Location(right)) => {
                            locations.relate(*left, *right)
                        }
                        _ => true,
                    };
                }
            }
            rows.push(row);
        }
    }
    rows
}

/// A line without its numbers. The space before a location is how wide its number is.
fn key(line: &Line) -> Vec<Option<String>> {
    let pieces = line.pieces.iter().map(|piece| match piece {
        Piece::Text(text) => Some(text.trim_start().to_string()),
        Piece::Temporary(_) => Some("_".into()),
        Piece::Location(_) => None,
    });
    pieces.collect()
}

/// Pairs that are each the only partner of the other.
struct Correspondence<T> {
    forward: HashMap<T, T>,
    backward: HashMap<T, T>,
}

impl<T> Default for Correspondence<T> {
    fn default() -> Self {
        Correspondence { forward: HashMap::new(), backward: HashMap::new() }
    }
}

impl<T: Copy + Eq + Hash> Correspondence<T> {
    /// Makes them partners if both are free, and says whether they are.
    fn relate(&mut self, old: T, new: T) -> bool {
        if !self.forward.contains_key(&old) && !self.backward.contains_key(&new) {
            self.forward.insert(old, new);
            self.backward.insert(new, old);
        }
        self.forward.get(&old) == Some(&new)
    }
}
