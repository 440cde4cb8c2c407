//! The call sites of an upgrade, as excerpts of the user's source in the look of rustc.
//!
//! The sources are read when the report is shown: a file that is gone, or no longer has the place
//! that the report names, is shown by its name, line and column alone.

use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::paths::ShownPaths;
use super::places::{self, MarkedSpan};
use super::schema::{Boundary, BoundaryKind, CallSite, Step, Undecided, Verdict};
use super::source::{Source, Sources};
use super::terminal::TerminalOptions;
use super::text;

/// How many call sites are shown without -v.
const SHOWN_CALL_SITES: usize = 8;
/// How many ways to changed code are shown of one function without -v.
const SHOWN_PATHS: usize = 3;
/// How many boundaries of one function that could not be decided are shown without -v.
const SHOWN_UNDECIDED: usize = 3;

/// Renders the call sites that are open, or all of them.
pub fn render(
    call_sites: &[CallSite],
    paths: &ShownPaths,
    workspace_root: &Path,
    options: &TerminalOptions,
    all: bool,
) -> String {
    let mut places = places::of(call_sites, all);
    let shown = options.most(SHOWN_CALL_SITES).min(places.len());
    let hidden = places.split_off(shown);
    let mut sources = Sources::new(workspace_root);
    let renderer = Renderer::styled().term_width(options.width).hyperlink(false);
    let mut blocks = Vec::new();
    for group in places::by_function(places) {
        let excerpt = Excerpt { group: &group, paths, options };
        let source = sources.read(&group[0].site.file);
        blocks.push(excerpt.render(source, &renderer));
    }
    if !hidden.is_empty() {
        blocks.push(rest(&hidden));
    }
    blocks.join("\n")
}

fn rest(hidden: &[MarkedSpan<'_>]) -> String {
    let mut files: Vec<_> = hidden.iter().map(|place| &place.site.file).collect();
    files.sort();
    files.dedup();
    let sites = text::count(hidden.len(), "more call site");
    let files = text::count(files.len(), "file");
    format!("... and {sites} in {files}; -v shows all\n")
}

/// The places of one function that have one verdict.
struct Excerpt<'a> {
    group: &'a [MarkedSpan<'a>],
    paths: &'a ShownPaths<'a>,
    options: &'a TerminalOptions,
}

impl Excerpt<'_> {
    fn render(&self, source: Option<&Source>, renderer: &Renderer) -> String {
        let verdict = self.group[0].site.verdict;
        let level = match verdict {
            Verdict::Equivalent => Level::NOTE,
            Verdict::Different => Level::ERROR,
            Verdict::Unknown => Level::WARNING,
        };
        let level = level.with_name(text::verdict_word(verdict));
        let mut group = Group::with_title(level.primary_title(self.title()));

        let mut spans = Vec::new();
        let mut unplaced = Vec::new();
        for place in self.group {
            match source.and_then(|source| place.span(source)) {
                Some(span) => spans.push((span, place)),
                None => unplaced.push(place),
            }
        }
        if let (Some(source), false) = (source, spans.is_empty()) {
            group = group.element(self.snippet(source, &spans));
        }
        for place in unplaced {
            group = group.element(self.origin(place));
        }
        for (name, message) in self.notes() {
            group = group.element(Level::NOTE.with_name(name).message(message));
        }
        renderer.render(&[group]) + "\n"
    }

    fn title(&self) -> String {
        let caller = self.name(&self.group[0].site.caller);
        let calls = self.group.iter().filter(|place| !place.is_definition()).count();
        match calls {
            0 => format!("the code of `{caller}` itself changed"),
            1 => format!("a call in `{caller}` reaches changed code"),
            _ => format!("{calls} calls in `{caller}` reach changed code"),
        }
    }

    fn snippet<'s>(
        &self,
        source: &'s Source,
        spans: &[(Range<usize>, &MarkedSpan<'_>)],
    ) -> Snippet<'s, annotate_snippets::Annotation<'s>> {
        let start = spans.iter().map(|(span, _)| span.start).min().unwrap_or(0);
        let end = spans.iter().map(|(span, _)| span.end).max().unwrap_or(0);
        let file = text::place(&self.group[0].site.file, 0, self.options.verbose);
        let boundaries = spans.iter().filter_map(|(_, place)| self.drawn(source, place));
        let mut boundaries: Vec<Range<usize>> = boundaries.collect();
        boundaries.sort_by_key(|span| (span.start, span.end));
        boundaries.dedup();
        let start = boundaries.iter().map(|span| span.start).fold(start, usize::min);
        let end = boundaries.iter().map(|span| span.end).fold(end, usize::max);
        let lines = source.lines_around(start..end);
        Snippet::source(source.text(lines.clone()))
            .path(file)
            .line_start(source.line_of(lines.start))
            .annotations(boundaries.iter().map(|span| {
                AnnotationKind::Context
                    .span(span.start - lines.start..span.end - lines.start)
                    .label("the change ends here")
            }))
            .annotations(spans.iter().map(|(span, place)| {
                AnnotationKind::Primary
                    .span(span.start - lines.start..span.end - lines.start)
                    .label(self.label(place))
            }))
    }

    /// The lines of a boundary that is larger than the call and in the same file.
    fn drawn(&self, source: &Source, place: &MarkedSpan<'_>) -> Option<Range<usize>> {
        let boundary = place.site.boundary.as_ref()?;
        let around = !matches!(boundary.kind, BoundaryKind::Call | BoundaryKind::Caller);
        (around && boundary.first_line < boundary.last_line)
            .then(|| source.lines(boundary.first_line, boundary.last_line))
            .flatten()
    }

    fn origin(&self, place: &MarkedSpan<'_>) -> Origin<'static> {
        let site = place.site;
        let file = text::place(&site.file, 0, self.options.verbose);
        match (file.as_str(), site.line) {
            ("", _) => Origin::path("(place not known)"),
            (_, 0) => Origin::path(file),
            (_, line) => {
                Origin::path(file).line(line as usize).char_column(site.column.max(1) as usize)
            }
        }
    }

    fn label(&self, place: &MarkedSpan<'_>) -> String {
        if place.is_definition() {
            return match self.paths.what(&place.site.caller) {
                "" => "changed".to_owned(),
                what => format!("changed: {what}"),
            };
        }
        let mut ends: Vec<&str> = Vec::new();
        for site in &place.sites {
            let end = site.path.last().map_or(&site.callee, |step| &step.function);
            if !ends.contains(&end.as_str()) {
                ends.push(end);
            }
        }
        let site = place.site;
        let direct = site.path.len() <= 1 && ends.len() == 1;
        let end = self.name(ends[0]);
        match (direct, ends.len() - 1) {
            (true, _) => format!("`{end}` {}", self.paths.kind(ends[0])),
            (false, 0) => format!("reaches `{end}`"),
            (false, more) => format!("reaches `{end}` and {more} more"),
        }
    }

    /// What is said under the source: how the changed code is reached, and what else is known.
    fn notes(&self) -> Vec<(&'static str, String)> {
        let mut notes: Vec<(&'static str, String)> = Vec::new();
        let mut hidden = 0;
        let sites = self.group.iter().flat_map(|place| &place.sites);
        // "  = path: " and the widest line number.
        let width = self.options.width.saturating_sub(14);
        for site in sites.clone().filter(|site| site.caller != site.callee) {
            let path = self.paths.render(&site.path, width);
            if path.is_empty() || notes.iter().any(|(_, known)| *known == path) {
                continue;
            }
            if notes.len() < self.options.most(SHOWN_PATHS) {
                notes.push(("path", path));
            } else {
                hidden += 1;
            }
        }
        if hidden > 0 {
            let hidden = text::count(hidden, "more path");
            notes.push(("note", format!("{hidden}; -v shows all")));
        }
        for site in sites {
            if let Some(local) = &site.local_difference {
                let difference = super::terminal::difference(local, self.options);
                let caveat = "no entry point is known to pass this input";
                notes.push(("note", format!("{difference}\n{caveat}")));
            }
            if let Some(boundary) = &site.boundary {
                let note = ("boundary", self.contained(site, boundary));
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        notes.extend(self.undecided());
        notes
    }

    /// The smallest boundaries that could not be decided.
    fn undecided(&self) -> Vec<(&'static str, String)> {
        let mut open: Vec<String> = Vec::new();
        for site in self.group.iter().flat_map(|place| &place.sites) {
            if let Some(undecided) = &site.undecided {
                let text = self.open(site, undecided);
                if !open.contains(&text) {
                    open.push(text);
                }
            }
        }
        let hidden = open.split_off(open.len().min(self.options.most(SHOWN_UNDECIDED)));
        let mut notes: Vec<_> = open.into_iter().map(|text| ("undecided", text)).collect();
        if !hidden.is_empty() {
            let hidden = text::count(hidden.len(), "more part");
            notes.push(("note", format!("{hidden} undecided; -v shows all")));
        }
        notes
    }

    /// A boundary that could not be decided, and why.
    fn open(&self, site: &CallSite, undecided: &Undecided) -> String {
        let Undecided { boundary, reason, place, .. } = undecided;
        let mut text = format!("{}: {}", self.part(site, boundary), reason.trim_end());
        if let Some(Step { function, file, line }) = place {
            let place = text::place(file, *line, self.options.verbose);
            text += &match place.as_str() {
                "" => format!("\nin {}", self.name(function)),
                place => format!("\nin {} ({place})", self.name(function)),
            };
        }
        text
    }

    /// Where a change ends, and by which engine that is known.
    fn contained(&self, site: &CallSite, boundary: &Boundary) -> String {
        let mut part = self.part(site, boundary);
        if boundary.kind == BoundaryKind::Call {
            part += ": it does the same for all arguments";
        }
        match site.engine {
            Some(engine) => format!("{part} ({})", text::engine_word(engine)),
            None => part,
        }
    }

    /// The part of the client that a boundary is around.
    fn part(&self, site: &CallSite, boundary: &Boundary) -> String {
        let function = self.name(&boundary.function);
        let (first, last) = (boundary.first_line, boundary.last_line);
        let lines = match first == last {
            true => format!("line {first}"),
            false => format!("lines {first} to {last}"),
        };
        match boundary.kind {
            BoundaryKind::Call if self.group.len() == 1 => "the call itself".to_owned(),
            BoundaryKind::Call => format!("the call of `{}`", self.name(&site.callee)),
            BoundaryKind::Loop => format!("one iteration of the loop in {lines}"),
            BoundaryKind::Part => lines,
            BoundaryKind::Function => format!("`{function}`, {lines}"),
            BoundaryKind::Caller => format!("its caller `{function}`, {lines}"),
        }
    }

    fn name<'n>(&self, name: &'n str) -> std::borrow::Cow<'n, str> {
        self.options.name(name)
    }
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;
    use snapbox::{IntoData, assert_data_eq, str};

    use super::*;
    use crate::report::samples::{call_site, unknown_upgrade};
    use crate::report::schema::{Counterexample, Engine};

    const LIB: &str = "//! Demo.

pub fn parse(text: &str) -> Option<Vec<u8>> {
    let x = hex::decode(text);
    x.ok()
}

pub fn print(bytes: &[u8]) -> String {
    hex::encode_to_iter(bytes).collect()
}
";

    fn show(file: &str, call_sites: &[CallSite], verbose: bool) -> String {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        std::fs::write(folder.path().join("src/lib.rs"), file).unwrap();
        let options = TerminalOptions {
            width: 80,
            color: false,
            verbose,
            updating: false,
            selection: Vec::new(),
        };
        let changed = unknown_upgrade().changed;
        let paths = ShownPaths::new(&changed, &options);
        let styled = render(call_sites, &paths, folder.path(), &options, options.verbose);
        strip_str(&styled).to_string()
    }

    fn calls(caller: &str, start: (u32, u32), end: (u32, u32)) -> CallSite {
        call_site(caller, &["hex::decode", "hex::val"], start, end)
    }

    #[test]
    fn a_call_is_shown_in_its_source_with_the_way_to_what_changed() {
        let shown = show(LIB, &unknown_upgrade().call_sites, false);
        assert_data_eq!(
            shown,
            str![[r#"
unknown: a call in `demo::parse` reaches changed code
 --> src/lib.rs:4:13
  |
4 |     let x = hex::decode(text);
  |             ^^^^^^^^^^^^^^ reaches `hex::val`
  |
  = path: hex::decode::<&str> (hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, hex-0.4.3/src/lib.rs:112)

unknown: a call in `demo::print` reaches changed code
 --> src/lib.rs:9:5
  |
9 |     hex::encode_to_iter(bytes).collect()
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ `hex::encode_to_iter` added
  |
  = path: hex::encode_to_iter (added, hex-0.4.3/src/lib.rs:112)

"#]]
            .raw()
        );
    }

    #[test]
    fn calls_of_one_function_stand_in_one_excerpt() {
        let file =
            "fn f() {\n    hex::decode(a);\n\n\n\n\n    g(hex::decode(b), hex::decode(c));\n}\n";
        let sites = [
            calls("demo::f", (2, 5), (2, 19)),
            calls("demo::g", (1, 1), (1, 3)),
            calls("demo::f", (7, 7), (7, 21)),
            calls("demo::f", (7, 23), (7, 37)),
        ];
        assert_data_eq!(
            show(file, &sites, false),
            str![[r#"
unknown: 3 calls in `demo::f` reach changed code
 --> src/lib.rs:2:5
  |
2 |     hex::decode(a);
  |     ^^^^^^^^^^^^^^ reaches `hex::val`
...
7 |     g(hex::decode(b), hex::decode(c));
  |       ^^^^^^^^^^^^^^  ^^^^^^^^^^^^^^ reaches `hex::val`
  |       |
  |       reaches `hex::val`
  |
  = path: hex::decode (hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, hex-0.4.3/src/lib.rs:112)

unknown: a call in `demo::g` reaches changed code
 --> src/lib.rs:1:1
  |
1 | fn f() {
  | ^^ reaches `hex::val`
  |
  = path: hex::decode (hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, hex-0.4.3/src/lib.rs:112)

"#]]
            .raw()
        );
    }

    #[test]
    fn instances_and_callees_of_one_span_are_one_place() {
        let one = calls("demo::f::<u8>", (1, 1), (1, 3));
        let two = call_site("demo::f::<u16>", &["hex::x", "hex::y"], (1, 1), (1, 3));
        assert_data_eq!(
            show("f()", &[one, two], false),
            str![[r#"
unknown: a call in `demo::f::<u8>` reaches changed code
 --> src/lib.rs:1:1
  |
1 | f()
  | ^^ reaches `hex::val` and 1 more
  |
  = path: hex::decode (hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, hex-0.4.3/src/lib.rs:112)
  = path: hex::x (hex-0.4.3/src/lib.rs:102)
          -> hex::y (changed, hex-0.4.3/src/lib.rs:112)

"#]]
            .raw()
        );
    }

    #[test]
    fn columns_count_characters_and_not_bytes_or_cells() {
        let file = "fn f() {\n\tlet größe = \"日本\"; hex::decode(größe);\n}\n";
        let site = calls("demo::f", (2, 21), (2, 39));
        assert_data_eq!(
            show(file, &[site], false),
            str![[r#"
unknown: a call in `demo::f` reaches changed code
 --> src/lib.rs:2:21
  |
2 |     let größe = "日本"; hex::decode(größe);
  |                          ^^^^^^^^^^^^^^^^^^ reaches `hex::val`
  |
  = path: hex::decode (hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, hex-0.4.3/src/lib.rs:112)

"#]]
            .raw()
        );
    }

    #[test]
    fn carriage_returns_and_a_byte_order_mark_move_nothing() {
        let file = format!("\u{feff}{}", LIB.replace('\n', "\r\n"));
        let sites = unknown_upgrade().call_sites;
        assert_eq!(show(&file, &sites, false), show(LIB, &sites, false));
        assert!(show(&file, &sites, false).contains("^ reaches `hex::val`"));
        let first_line = calls("demo::f", (1, 1), (1, 4));
        assert!(show(&file, &[first_line], false).contains("| //! Demo.\n  | ^^^ reaches"));
    }

    #[test]
    fn a_call_over_several_lines_is_marked_from_its_first_to_its_last() {
        let file = "fn f() {\n    hex::decode(\n        a,\n    )\n    .unwrap()\n}\n";
        let site = calls("demo::f", (2, 5), (4, 6));
        assert_data_eq!(
            show(file, &[site], false),
            str![[r#"
unknown: a call in `demo::f` reaches changed code
 --> src/lib.rs:2:5
  |
2 | /     hex::decode(
3 | |         a,
4 | |     )
  | |_____^ reaches `hex::val`
  |
  = path: hex::decode (hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, hex-0.4.3/src/lib.rs:112)

"#]]
            .raw()
        );
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_call() {
        let padding = "1234567, ".repeat(2000);
        let file = format!("fn f() {{ g([{padding}], hex::decode(text), [{padding}]) }}\n");
        let column = 12 + padding.len() as u32 + 3;
        let shown = show(&file, &[calls("demo::f", (1, column), (1, column + 17))], false);
        assert!(shown.lines().all(|line| line.len() <= 90), "{shown}");
        assert!(shown.contains("hex::decode(text)"), "{shown}");
    }

    #[test]
    fn a_function_that_changed_itself_is_marked_at_its_first_line() {
        let mut site = calls("demo::parse", (3, 1), (6, 2));
        site.callee = site.caller.clone();
        assert_data_eq!(
            show(LIB, &[site], false),
            str![[r#"
unknown: the code of `demo::parse` itself changed
 --> src/lib.rs:3:1
  |
3 | pub fn parse(text: &str) -> Option<Vec<u8>> {
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ changed

"#]]
            .raw()
        );
    }

    #[test]
    fn a_place_that_the_file_no_longer_has_is_named() {
        let gone = calls("demo::parse", (40, 13), (40, 27));
        let too_far = calls("demo::parse", (4, 300), (4, 301));
        let still_there = calls("demo::parse", (4, 13), (4, 30));
        let sites = [gone, too_far, still_there];
        assert_data_eq!(
            show(LIB, &sites, false),
            str![[r#"
unknown: 3 calls in `demo::parse` reach changed code
 --> src/lib.rs:4:13
  |
4 |     let x = hex::decode(text);
  |             ^^^^^^^^^^^^^^^^^ reaches `hex::val`
 ::: src/lib.rs:40:13
 ::: src/lib.rs:4:300
  = path: hex::decode (hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, hex-0.4.3/src/lib.rs:112)

"#]]
            .raw()
        );
    }

    #[test]
    fn a_file_that_is_gone_is_named() {
        let mut site = calls("demo::parse", (4, 13), (4, 27));
        site.file = "src/gone.rs".into();
        let mut nowhere = calls("demo::made_by_a_macro", (0, 0), (0, 0));
        nowhere.file = String::new();
        assert_data_eq!(
            show(LIB, &[site, nowhere], false),
            str![[r#"
unknown: a call in `demo::parse` reaches changed code
--> src/gone.rs:4:13
 = path: hex::decode (hex-0.4.3/src/lib.rs:102)
         -> hex::val (changed, hex-0.4.3/src/lib.rs:112)

unknown: a call in `demo::made_by_a_macro` reaches changed code
--> (place not known)
 = path: hex::decode (hex-0.4.3/src/lib.rs:102)
         -> hex::val (changed, hex-0.4.3/src/lib.rs:112)

"#]]
            .raw()
        );
    }

    #[test]
    fn two_thousand_call_sites_stay_readable() {
        let file = "    hex::decode(x);\n".repeat(2000);
        let sites: Vec<CallSite> = (1..=2000)
            .map(|line| calls(&format!("demo::f{}", line % 100), (line, 5), (line, 19)))
            .collect();
        let short = show(&file, &sites, false);
        assert!(short.lines().count() < 80, "{short}");
        assert!(short.ends_with("... and 1992 more call sites in 1 file; -v shows all\n"));
        let full = show(&file, &sites, true);
        assert_eq!(full.matches("^ reaches `hex::val`").count(), 2000);
    }

    #[test]
    fn what_is_known_to_differ_comes_first_and_what_is_equivalent_is_left_out() {
        let unknown = calls("demo::parse", (4, 13), (4, 27));
        let mut different = calls("demo::print", (9, 5), (9, 24));
        different.verdict = Verdict::Different;
        different.local_difference = Some(Counterexample {
            arguments: vec!["\"f\"".into(), "3".into()],
            old: "panics".into(),
            new: "Ok(15)".into(),
            replayed: true,
            test: "target/cse/print.rs".into(),
            parts: None,
        });
        let mut equivalent = calls("demo::same", (1, 1), (1, 2));
        equivalent.verdict = Verdict::Equivalent;
        let sites = [equivalent, unknown, different];
        assert_data_eq!(
            show(LIB, &sites, false),
            str![[r#"
different: a call in `demo::print` reaches changed code
 --> src/lib.rs:9:5
  |
9 |     hex::encode_to_iter(bytes).collect()
  |     ^^^^^^^^^^^^^^^^^^^ reaches `hex::val`
  |
  = path: hex::decode (hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, hex-0.4.3/src/lib.rs:112)
  = note: with ("f", 3):
          old: panics
          new: Ok(15)
          kept as target/cse/print.rs
          no entry point is known to pass this input

unknown: a call in `demo::parse` reaches changed code
 --> src/lib.rs:4:13
  |
4 |     let x = hex::decode(text);
  |             ^^^^^^^^^^^^^^ reaches `hex::val`
  |
  = path: hex::decode (hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, hex-0.4.3/src/lib.rs:112)

"#]]
            .raw()
        );
    }

    fn boundary(kind: BoundaryKind, lines: (u32, u32)) -> Boundary {
        let function = "demo::f".to_owned();
        Boundary { kind, function, first_line: lines.0, last_line: lines.1 }
    }

    #[test]
    fn a_boundary_around_calls_is_drawn_once_around_them() {
        let file = "fn f() {\n    let a = hex::decode(x);\n    let b = 1;\n    hex::decode(a)\n}\n";
        let mut sites = [calls("demo::f", (2, 13), (2, 27)), calls("demo::f", (4, 5), (4, 19))];
        for site in &mut sites {
            site.verdict = Verdict::Equivalent;
            site.engine = Some(Engine::Summary);
            site.boundary = Some(boundary(BoundaryKind::Function, (1, 5)));
        }
        assert_data_eq!(
            show(file, &sites, true),
            str![[r#"
equivalent: 2 calls in `demo::f` reach changed code
 --> src/lib.rs:2:13
  |
1 | / fn f() {
2 | |     let a = hex::decode(x);
  | |             ^^^^^^^^^^^^^^ reaches `hex::val`
3 | |     let b = 1;
4 | |     hex::decode(a)
  | |     ^^^^^^^^^^^^^^ reaches `hex::val`
5 | | }
  | |_- the change ends here
  |
  = path: hex::decode (/home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, /home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs:112)
  = boundary: `demo::f`, lines 1 to 5 (proved on all paths)

"#]]
            .raw()
        );
    }

    #[test]
    fn the_smallest_boundary_that_is_not_decided_stands_under_its_source_with_the_reason() {
        let mut sites = [calls("demo::f", (2, 5), (2, 19)), calls("demo::f", (3, 5), (3, 19))];
        sites[0].undecided = Some(Undecided {
            boundary: boundary(BoundaryKind::Call, (2, 2)),
            reason: "foreign code (`memchr`)".into(),
            reason_code: None,
            place: Some(Step { function: "hex::find".into(), file: "hex.rs".into(), line: 7 }),
        });
        sites[1].undecided = Some(Undecided {
            boundary: boundary(BoundaryKind::Loop, (1, 4)),
            reason: "the time for it was over".into(),
            reason_code: None,
            place: None,
        });
        let file = "loop {\n    hex::decode(a);\n    hex::decode(b);\n}\n";
        assert_data_eq!(
            show(file, &sites, false),
            str![[r#"
unknown: 2 calls in `demo::f` reach changed code
 --> src/lib.rs:2:5
  |
2 |     hex::decode(a);
  |     ^^^^^^^^^^^^^^ reaches `hex::val`
3 |     hex::decode(b);
  |     ^^^^^^^^^^^^^^ reaches `hex::val`
  |
  = path: hex::decode (hex-0.4.3/src/lib.rs:102)
          -> hex::val (changed, hex-0.4.3/src/lib.rs:112)
  = undecided: the call of `hex::decode`: foreign code (`memchr`)
               in hex::find (hex.rs:7)
  = undecided: one iteration of the loop in lines 1 to 4: the time for it was over

"#]]
            .raw()
        );
        let single = show(file, &sites[..1], false);
        assert!(single.contains("= undecided: the call itself: foreign code"), "{single}");
    }
}
