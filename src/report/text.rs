//! The pieces that human-readable output is made of: colours, wrapped prose, columns, names, places.
//!
//! Everything here may hold escape codes; whoever writes it out strips them where they do not belong.

use std::borrow::Cow;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use textwrap::WordSplitter;
use textwrap::core::display_width;

use super::schema::{Engine, Verdict};

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const ERROR: Style = AnsiColor::BrightRed.on_default().bold();
pub const ADDED: Style = AnsiColor::Green.on_default();
pub const REMOVED: Style = AnsiColor::Red.on_default();
pub const HELP: Style = AnsiColor::BrightCyan.on_default().bold();

/// Prose wider than this is hard to read, whatever the terminal offers.
const WIDEST_PROSE: usize = 100;

pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Equivalent => "equivalent",
        Verdict::Different => "different",
        Verdict::Unknown => "unknown",
    }
}

pub fn engine_word(engine: Engine) -> &'static str {
    match engine {
        Engine::Same => "identical",
        Engine::Run => "all inputs were run",
        Engine::Summary => "proved on all paths",
        Engine::Unroll => "proved for as many iterations as there can be",
        Engine::Product => "proved by induction",
    }
}

pub fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Equivalent => AnsiColor::BrightGreen.on_default().bold(),
        Verdict::Different => ERROR,
        Verdict::Unknown => AnsiColor::Yellow.on_default().bold(),
    }
}

/// The order in which a reader wants to see things.
pub fn urgency(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Different => 0,
        Verdict::Unknown => 1,
        Verdict::Equivalent => 2,
    }
}

/// `1 call site`, `2 call sites`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Stands for a space at which prose is not broken.
pub const HARD_SPACE: &str = "\u{a0}";

/// Lines of at most `width` columns, each ending in a newline; paths and names stay whole.
pub fn wrap(text: &str, indent: &str, width: usize) -> String {
    let options = textwrap::Options::new(width.min(WIDEST_PROSE))
        .initial_indent(indent)
        .subsequent_indent(indent)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(text.trim_end(), options).replace(HARD_SPACE, " ") + "\n"
}

/// Every line of the text behind `indent`.
pub fn indent(text: &str, indent: &str) -> String {
    text.lines().map(|line| format!("{indent}{line}\n")).collect()
}

/// The line that stands for what a list leaves out.
pub fn rest(left_out: usize, indent: &str) -> String {
    match left_out {
        0 => String::new(),
        left_out => format!("{indent}... and {left_out} more; -v shows all\n"),
    }
}

/// Rows of cells in columns. A cell of the first column that would leave the others too little of
/// the width pushes only its own row.
pub fn table<const N: usize>(rows: &[[String; N]], indent: &str, width: usize) -> String {
    let mut columns = [0; N];
    for row in rows {
        for (index, cell) in row.iter().enumerate() {
            let cell = display_width(cell);
            if index > 0 || cell <= widest_name(width) {
                columns[index] = columns[index].max(cell);
            }
        }
    }
    let line = |row: &[String; N]| {
        let mut line = indent.to_owned();
        for (cell, column) in row.iter().zip(columns) {
            let gap = column.saturating_sub(display_width(cell)) + 2;
            line += &format!("{cell}{:gap$}", "");
        }
        line.trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// How much of a line a name may take.
pub fn widest_name(width: usize) -> usize {
    width * 3 / 5
}

/// A name cut in its middle to at most `most` columns: both ends of a Rust path tell most.
pub fn elide(name: &str, most: usize) -> Cow<'_, str> {
    let most = most.max(16);
    if display_width(name) <= most {
        return Cow::Borrowed(name);
    }
    let half = (most - 3) / 2;
    let head = widest(name.chars(), half);
    let tail = widest(name.chars().rev(), half);
    let tail: String = tail.chars().rev().collect();
    Cow::Owned(format!("{head}...{tail}"))
}

/// Whether a name has parameters in it, which say little to people.
pub fn is_generic(name: &str) -> bool {
    name.contains('#')
}

/// The beginning of a line that may have colours, as far as it fits.
pub fn cut(line: &str, most: usize) -> String {
    let plain = anstream::adapter::strip_str(line).to_string();
    match display_width(&plain) <= most {
        true => line.to_owned(),
        false => line.replace(&plain, &format!("{}...", widest(plain.chars(), most.max(16) - 3))),
    }
}

fn widest(letters: impl Iterator<Item = char>, most: usize) -> String {
    let mut taken = String::new();
    for letter in letters {
        taken.push(letter);
        if display_width(&taken) > most {
            taken.pop();
            break;
        }
    }
    taken
}

/// `file:line`, or as much of it as is known. Unless `full`, the folders that cargo and rustup keep
/// sources in are left out.
pub fn place(file: &str, line: u32, full: bool) -> String {
    let file = if full { file } else { short_file(file) };
    match (file, line) {
        ("", _) => String::new(),
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    }
}

fn short_file(file: &str) -> &str {
    let after = |marker: &str, folders: usize| {
        let start = file.find(marker)? + marker.len();
        let rest = &file[start..];
        let skipped: usize = rest.split_inclusive('/').take(folders).map(str::len).sum();
        Some(&rest[skipped..]).filter(|rest| !rest.is_empty() && Path::new(file).is_absolute())
    };
    after("/registry/src/", 1)
        .or_else(|| after("/git/checkouts/", 0))
        .or_else(|| after("/lib/rustlib/src/rust/", 0))
        .or_else(|| after("/rustc/", 1))
        .unwrap_or(file)
}

/// The word as a shell takes it: quoted where it would not stay one word.
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let plain = |letter: char| letter.is_alphanumeric() || "_-:./@=+,".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_keeps_both_ends_and_its_width() {
        let name = "<alloc::vec::Vec<u8> as hex::FromHex>::from_hex::<&str>";
        assert_eq!(elide(name, 80), name);
        assert_eq!(elide(name, 27), "<alloc::vec:..._hex::<&str>");
        assert_eq!(display_width(&elide("日本語日本語日本語日本語", 17)), 15);
    }

    #[test]
    fn places_of_sources_that_cargo_keeps_start_at_the_package() {
        let registry = "/home/u/.cargo/registry/src/index-1949cf8c6b5b557f/hex-0.4.3/src/lib.rs";
        assert_eq!(place(registry, 7, false), "hex-0.4.3/src/lib.rs:7");
        assert_eq!(place(registry, 7, true), format!("{registry}:7"));
        let std = "/rustc/0123abcd/library/core/src/str/mod.rs";
        assert_eq!(place(std, 9, false), "library/core/src/str/mod.rs:9");
        assert_eq!(place("src/rustc/a/b.rs", 9, false), "src/rustc/a/b.rs:9");
        assert_eq!(place("src/lib.rs", 0, false), "src/lib.rs");
        assert_eq!(place("", 3, false), "");
    }

    #[test]
    fn a_name_that_a_shell_would_split_is_quoted() {
        assert_eq!(shell_word("hex::val"), "hex::val");
        assert_eq!(shell_word("<u8 as T>::f"), "'<u8 as T>::f'");
        assert_eq!(shell_word("f::<'a>"), r"'f::<'\''a>'");
    }

    #[test]
    fn a_cell_too_wide_for_its_column_does_not_push_the_others_out() {
        let rows = [["ab", "x", "1"], ["a-very-long-cell", "yy", "2"], ["日本", "z", "3"]]
            .map(|row| row.map(str::to_owned));
        assert_eq!(table(&rows, " ", 20), " ab    x   1\n a-very-long-cell  yy  2\n 日本  z   3\n");
    }
}
