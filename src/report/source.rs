//! The user's source files, with lines and columns as rustc counts them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// The files that excerpts are cut from, each read once.
pub struct Sources<'a> {
    root: &'a Path,
    files: BTreeMap<String, Option<Source>>,
}

impl<'a> Sources<'a> {
    pub fn new(root: &'a Path) -> Sources<'a> {
        Sources { root, files: BTreeMap::new() }
    }

    /// None: it cannot be read.
    pub fn read(&mut self, file: &str) -> Option<&Source> {
        let root = self.root;
        let source = self.files.entry(file.to_owned()).or_insert_with(|| {
            let text = std::fs::read_to_string(root.join(file)).ok()?;
            Some(Source::new(&text))
        });
        source.as_ref()
    }
}

/// A file without byte order mark and with plain line ends: rustc counts neither.
pub struct Source {
    text: String,
    line_starts: Vec<usize>,
}

impl Source {
    fn new(text: &str) -> Source {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(breaks).collect();
        Source { text, line_starts }
    }

    pub fn text(&self, range: Range<usize>) -> &str {
        &self.text[range]
    }

    /// Where a line and column are, unless the file is too short. Both count from 1; columns count
    /// characters, and the one behind the last is the end of the line.
    pub fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.line_starts.get(index)?;
        let line = self.text[start..].split('\n').next()?;
        let column = (column as usize).checked_sub(1)?;
        let mut offsets = line.char_indices().map(|(at, _)| at).chain([line.len()]);
        offsets.nth(column).map(|at| start + at)
    }

    /// The whole lines that a span touches, without the last line break.
    pub fn lines_around(&self, span: Range<usize>) -> Range<usize> {
        let start = self.text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &self.text[span.end..];
        start..span.end + rest.find('\n').unwrap_or(rest.len())
    }

    /// What lines contain, from the first character of the first to the end of the last.
    pub fn lines(&self, first: u32, last: u32) -> Option<Range<usize>> {
        let first = self.offset(first, 1)?;
        let last = self.offset(last, 1)?;
        let indent = self.text[first..].len() - self.text[first..].trim_start().len();
        Some(first + indent..self.lines_around(last..last).end)
    }

    /// The number of the line that the offset is in.
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_exists_up_to_the_end_of_its_line_and_no_further() {
        let source = Source::new("aé日\nb");
        let column = |column| source.offset(1, column);
        assert_eq!([1, 2, 3, 4, 5].map(column), [Some(0), Some(1), Some(3), Some(6), None]);
        assert_eq!(source.offset(2, 2), Some(8));
        assert_eq!(source.offset(3, 1), None);
        assert_eq!(source.offset(0, 1), None);
        assert_eq!(source.offset(1, 0), None);
    }

    #[test]
    fn the_lines_around_a_span_are_whole() {
        let source = Source::new("one\ntwo\nthree\n");
        assert_eq!(source.text(source.lines_around(5..9)), "two\nthree");
        assert_eq!(source.line_of(4), 2);
        assert_eq!(source.line_of(13), 3);
    }
}
