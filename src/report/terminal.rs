//! The report for people: each upgrade's verdict and why, where the user's code meets what changed,
//! and what to do next.

use std::borrow::Cow;
use std::path::Path;

use super::paths::{ShownPaths, kind_word};
use super::schema::{
    Changed, Counterexample, Counts, Item, Moved, Parting, PartingCall, Place, Report, Upgrade,
    Verdict,
};
use super::{advice, brief, entries, errors, excerpts, text};
use crate::upgrade::Unused;

/// How many changed functions are listed without -v.
const SHOWN_CHANGES: usize = 8;
/// How many packages that move along are listed without -v.
const SHOWN_MOVED: usize = 8;
/// The width of what is not read on a terminal.
const USUAL_WIDTH: usize = 100;
const NARROWEST: usize = 40;
/// What stands before the facts of an entry point, at most.
const DEEPEST_INDENT: usize = 8;

#[derive(Clone, Debug)]
pub struct TerminalOptions {
    /// Columns.
    pub width: usize,
    pub color: bool,
    /// Nothing is abbreviated, and what is equivalent is listed too.
    pub verbose: bool,
    /// The run is `cargo cse update`, which takes the equivalent upgrades by itself.
    pub updating: bool,
    /// What commands that are suggested must be given to be about the same build.
    pub selection: Vec<String>,
}

impl TerminalOptions {
    /// What suits the stdout of this process, with the colour choice made for `anstream`.
    pub fn for_stdout(verbose: bool, updating: bool, selection: Vec<String>) -> TerminalOptions {
        let stdout = std::io::stdout();
        let columns = rustix::termios::tcgetwinsize(&stdout).map_or(0, |size| size.ws_col);
        let width = if columns == 0 { USUAL_WIDTH } else { usize::from(columns).max(NARROWEST) };
        let color = anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
        TerminalOptions { width, color, verbose, updating, selection }
    }

    /// A command of this tool, for the same build.
    pub(super) fn command(&self, subcommand: &str, arguments: &[&str]) -> String {
        let selection = self.selection.iter().map(String::as_str);
        let words = arguments.iter().copied().chain(selection).map(text::shell_word);
        let words: Vec<Cow<'_, str>> = words.collect();
        format!("cargo cse {subcommand} {}", words.join(" "))
    }

    /// How many items of a list to show, of which `shown` are enough without -v.
    pub(super) fn most(&self, shown: usize) -> usize {
        if self.verbose { usize::MAX } else { shown }
    }

    /// The name of a function, cut where it would fill most of a line.
    pub(super) fn name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.verbose {
            return Cow::Borrowed(name);
        }
        text::elide(name, text::widest_name(self.width))
    }
}

/// The whole report, ending in a newline; it has escape codes only where the options ask for colour.
pub fn render(report: &Report, options: &TerminalOptions) -> String {
    let upgrades = report.upgrades.iter().map(|upgrade| render_upgrade(report, upgrade, options));
    let summary = std::iter::once(advice::summary(report, options));
    let blocks: Vec<String> = upgrades.chain(summary).filter(|block| !block.is_empty()).collect();
    let styled = blocks.join("\n");
    if options.color { styled } else { anstream::adapter::strip_str(&styled).to_string() }
}

fn render_upgrade(report: &Report, upgrade: &Upgrade, options: &TerminalOptions) -> String {
    let paths = ShownPaths::new(&upgrade.changed, options);
    let root = Path::new(&report.client.workspace_root);
    let is_equivalent = upgrade.verdict == Some(Verdict::Equivalent);
    let mut blocks = vec![heading(upgrade, options)];
    let all = options.verbose || is_equivalent;
    let excerpts = || excerpts::render(&upgrade.call_sites, &paths, root, options, all);
    match upgrade.verdict {
        // What was proved, and where each change ends.
        Some(Verdict::Equivalent) if !options.verbose => blocks.push(excerpts()),
        Some(Verdict::Unknown) if !options.verbose => {
            blocks[0] += &brief::render(upgrade, root, options);
            blocks.push(advice::reading(upgrade, options));
        }
        _ => {
            blocks.push(entries::render(&upgrade.entries, &paths, options));
            blocks.push(excerpts());
            blocks.push(changes(upgrade, options));
            blocks.push(advice::reading(upgrade, options));
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

fn heading(upgrade: &Upgrade, options: &TerminalOptions) -> String {
    let Upgrade { dependency, from, to, verdict, .. } = upgrade;
    // What the client does not depend on has no versions.
    let versions: Vec<&str> =
        [from, to].into_iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
    let what = format!("{dependency} {}", versions.join(" -> "));
    let name = text::paint(text::BOLD, &format!("{}:", what.trim_end()));
    let word = match *verdict {
        Some(verdict) if is_unused(upgrade) => {
            text::paint(text::verdict_style(verdict), "not in your build")
        }
        Some(verdict) => text::paint(text::verdict_style(verdict), text::verdict_word(verdict)),
        None => text::paint(text::ERROR, "not checked"),
    };
    let mut heading = format!("{name} {word}\n");
    let mut line = |text: &str| {
        if !text.is_empty() {
            heading.push_str(&text::wrap(text, "  ", options.width));
        }
    };
    // The error says more than the reason that was made from it.
    if upgrade.error.is_none() {
        line(&upgrade.reason);
    }
    line(&counts(upgrade.functions));
    line(&moved(&upgrade.moved, options));
    if options.verbose {
        let time = upgrade.time_ms;
        line(&format!(
            "took {} ms: extract {}, compare {}, prove {}, run {}",
            time.total, time.extract, time.compare, time.prove, time.run
        ));
    }
    if let Some(failure) = &upgrade.error {
        heading += &errors::failure(failure, options.verbose);
    }
    heading
}

/// Whether the user's build contains nothing of an upgrade, so that nothing was compared.
pub(super) fn is_unused(upgrade: &Upgrade) -> bool {
    upgrade.reason_code.as_deref().is_some_and(|code| Unused::of_code(code).is_some())
}

fn counts(functions: Counts) -> String {
    let Counts { reachable, identical, changed } = functions;
    let total = text::count(reachable, "function");
    let callers = reachable.saturating_sub(identical + changed);
    match (reachable, callers) {
        (0, _) => String::new(),
        _ if identical == reachable => format!("{total} reachable, all identical"),
        (_, 0) => format!("{total} reachable: {identical} identical, {changed} changed"),
        _ => format!(
            "{total} reachable: {identical} identical, {changed} changed, {callers} that call these"
        ),
    }
}

fn moved(moved: &[Moved], options: &TerminalOptions) -> String {
    if moved.is_empty() {
        return String::new();
    }
    let mut packages: Vec<String> = moved
        .iter()
        .take(options.most(SHOWN_MOVED))
        .map(|Moved { name, from, to }| {
            let package = match (from, to) {
                (Some(from), Some(to)) => format!("{name} {from} -> {to}"),
                (None, Some(to)) => format!("{name} {to} added"),
                (Some(from), None) => format!("{name} {from} removed"),
                (None, None) => name.clone(),
            };
            package.replace(' ', text::HARD_SPACE)
        })
        .collect();
    if moved.len() > packages.len() {
        let left_out = moved.len() - packages.len();
        packages.push(format!("and {left_out} more; -v shows all"));
    }
    format!("moves along: {}", packages.join(", "))
}

/// The changed items, package by package.
fn changes(upgrade: &Upgrade, options: &TerminalOptions) -> String {
    let shown = upgrade.changed.len().min(options.most(SHOWN_CHANGES));
    if shown == 0 {
        return String::new();
    }
    let mut block = format!("  {}\n", text::paint(text::BOLD, "changed code within reach:"));
    let groups = upgrade.changed[..shown].chunk_by(|one, two| one.package == two.package);
    for group in groups {
        let Changed { package, version, counts_code, .. } = &group[0];
        block += &match (package.as_str(), counts_code) {
            ("", _) => {
                "    in the standard library, where it follows from other changes:\n".to_owned()
            }
            (_, None) => format!("    in {package}:\n"),
            (_, Some(_)) => format!("    in {package} {version}, which does not move:\n"),
        };
        let rows: Vec<[String; 3]> =
            group.iter().map(|change| change_row(change, options)).collect();
        block += &text::table(&rows, "      ", options.width);
    }
    block + &text::rest(upgrade.changed.len() - shown, "    ")
}

fn change_row(change: &Changed, options: &TerminalOptions) -> [String; 3] {
    let item = match change.item {
        Item::Function => "",
        Item::Type => "type ",
        Item::Static => "static ",
        Item::Constant => "const ",
    };
    let name = options.name(&change.function);
    let mut what = kind_word(change.kind).to_owned();
    if !change.what.is_empty() {
        what += &format!(": {}", change.what);
    }
    if !change.counts.is_empty() {
        what += &format!(" ({})", change.counts);
    }
    let place = text::place(&change.file, change.line, options.verbose);
    [format!("{item}{name}"), what, text::paint(text::DIM, &place)]
}

/// A counterexample in one line a fact.
pub(super) fn difference(found: &Counterexample, options: &TerminalOptions) -> String {
    let mut text = match found.arguments[..] {
        [] => String::new(),
        _ => format!("with ({}):\n", found.arguments.join(", ")),
    };
    text += &format!("old: {}\nnew: {}", found.old, found.new);
    if let Some(parts) = &found.parts {
        text += &format!("\n{}", parting(parts, options));
    }
    if !found.test.is_empty() {
        text += &format!("\nkept as {}", found.test);
    }
    text
}

/// Where two runs part: in the user's source, and in the function that is not the same.
fn parting(parts: &Parting, options: &TerminalOptions) -> String {
    let mut text = "they part ".to_owned();
    if let Some(Place { file, line, .. }) = &parts.client {
        text += &format!("at {}, ", text::place(file, *line, options.verbose));
    }
    if let Some(PartingCall { function, arguments, old, new }) = &parts.call {
        let call = format!("{function}({})", arguments.join(", "));
        let [call, old, new] = [&call, old, new].map(|it| options.name(it));
        text += &format!("where {call} {old} before, and {new} now");
        text = text::wrap(&text, "", options.width.saturating_sub(DEEPEST_INDENT));
    }
    let [old, new] = [&parts.old, &parts.new].map(|step| {
        let function = options.name(&step.function);
        (function, text::place(&step.file, step.line, options.verbose))
    });
    text += &match (old.0 == new.0, old.1 == new.1) {
        (true, true) => format!("in {}", new.0),
        (true, false) => format!("in {}: {} before, {} now", new.0, old.1, new.1),
        (false, _) => format!("in {} before ({}), {} now ({})", old.0, old.1, new.0, new.1),
    };
    text
}

#[cfg(test)]
mod tests {
    use snapbox::{IntoData, assert_data_eq, str};

    use super::*;
    use crate::report::samples::*;
    use crate::report::schema::{ChangeKind, Entry, Step};

    fn options() -> TerminalOptions {
        TerminalOptions {
            width: 80,
            color: false,
            verbose: false,
            updating: false,
            selection: Vec::new(),
        }
    }

    fn show(upgrades: Vec<Upgrade>) -> String {
        render(&report(upgrades), &options())
    }

    #[test]
    fn an_equivalent_upgrade_takes_a_few_lines() {
        assert_data_eq!(
            show(vec![equivalent_upgrade()]),
            str![[r#"
heck 0.4.0 -> 0.4.1: equivalent
  nothing that changed is reachable from the entry points of demo
  412 functions reachable, all identical

  next:
    cargo cse update heck@0.4.1  # write it into Cargo.lock

"#]]
            .raw()
        );
    }

    #[test]
    fn an_unknown_upgrade_says_what_is_reached_and_how_to_read_on() {
        assert_data_eq!(
            show(vec![unknown_upgrade()]),
            str![[r#"
hex 0.4.2 -> 0.4.3: unknown
  2 of 3 entry points reach changed code
  412 functions reachable: 397 identical, 2 changed, 13 that call these
  moves along: serde 1.0.200 -> 1.0.203, faster-hex 0.9.0 added,
  lazy_static 1.4.0 removed
  reached from src/lib.rs:4: demo::parse calls hex::decode::<&str>
  reached from src/lib.rs:9: demo::print calls hex::encode_to_iter
  changed hex::val (hex-0.4.3/src/lib.rs:112), of hex: its body
  added hex::encode_to_iter (hex-0.4.3/src/lib.rs:80), of hex
  not decided: it reaches what changed

  next:
    cargo cse show hex::val             # read it, old beside new
    cargo cse show hex::encode_to_iter  # read it, old beside new
    cargo update hex --precise 0.4.3    # take it all the same

"#]]
            .raw()
        );
    }

    #[test]
    fn with_v_everything_is_listed_in_full() {
        let options = TerminalOptions { verbose: true, ..options() };
        assert_data_eq!(render(&unknown(), &options), str![[r#"
hex 0.4.2 -> 0.4.3: unknown
  2 of 3 entry points reach changed code
  412 functions reachable: 397 identical, 2 changed, 13 that call these
  moves along: serde 1.0.200 -> 1.0.203, faster-hex 0.9.0 added,
  lazy_static 1.4.0 removed
  took 950 ms: extract 900, compare 4, prove 0, run 0

  entry points: 2 unknown, 1 equivalent
    demo::parse: unknown
      it reaches changed code
      demo::parse (src/lib.rs:92)
      -> hex::decode::<&str> (/home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs:102)
      -> hex::val (changed, /home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs:112)
    demo::print: unknown
      it reaches changed code
      demo::print (src/lib.rs:102)
      -> hex::encode_to_iter (added, /home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs:112)
    demo::version: equivalent
      everything that it can reach is identical

unknown: a call in `demo::parse` reaches changed code
--> src/lib.rs:4:13
 = path: hex::decode::<&str> (/home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs:102)
         -> hex::val (changed, /home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs:112)

unknown: a call in `demo::print` reaches changed code
--> src/lib.rs:9:5
 = path: hex::encode_to_iter (added, /home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs:112)

  changed code within reach:
    in hex:
      hex::val             changed: its body  /home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs:112
      hex::encode_to_iter  added              /home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs:80

  next:
    cargo cse show hex::val             # read it, old beside new
    cargo cse show hex::encode_to_iter  # read it, old beside new
    cargo update hex --precise 0.4.3    # take it all the same

"#]].raw());
    }

    #[test]
    fn many_changes_and_entry_points_are_abbreviated_by_target() {
        let mut upgrade = unknown_upgrade();
        upgrade.call_sites.clear();
        upgrade.changed = (0..20)
            .map(|n| changed(&format!("hex::f{n}"), ChangeKind::Changed, n, "its body"))
            .collect();
        let reaching = |n: usize, target: &str, generic| {
            let name = format!("demo::entry{n}");
            let entry = entry(&name, Verdict::Unknown, &[&name, "hex::f0"]);
            Entry { target: target.into(), generic, ..entry }
        };
        upgrade.entries = (0..30).map(|n| reaching(n, "lib", false)).collect();
        upgrade.entries.push(reaching(30, "bin demo", false));
        upgrade.entries.push(reaching(31, "lib", true));
        upgrade.entries[3].counterexample = Some(Counterexample {
            arguments: vec!["\"f\"".into()],
            old: "panics".into(),
            new: "Ok(15)".into(),
            replayed: true,
            test: String::new(),
            parts: None,
        });
        upgrade.entries[3].verdict = Verdict::Different;
        assert_data_eq!(
            show(vec![upgrade]),
            str![[r#"
hex 0.4.2 -> 0.4.3: unknown
  2 of 3 entry points reach changed code
  412 functions reachable: 397 identical, 2 changed, 13 that call these
  moves along: serde 1.0.200 -> 1.0.203, faster-hex 0.9.0 added,
  lazy_static 1.4.0 removed
  changed hex::f0 (hex-0.4.3/src/lib.rs), of hex: its body
  changed hex::f1 (hex-0.4.3/src/lib.rs:1), of hex: its body
    ... and 18 more changes; -v shows all
  not decided: it reaches what changed

  next:
    cargo cse show hex::f0            # read it, old beside new
    cargo update hex --precise 0.4.3  # take it all the same

"#]]
            .raw()
        );
    }

    #[test]
    fn long_names_and_long_paths_are_cut_but_commands_are_whole() {
        let long =
            "<alloc::vec::Vec<hex::inner::Nibble<'_, u8>> as hex::FromHex>::from_hex::<&str>";
        let mut upgrade = unknown_upgrade();
        let path = ["hex::a", "hex::b", "hex::c", "hex::d", "hex::e", "hex::f", "hex::g", long];
        upgrade.call_sites = vec![call_site("demo::parse", &path, (4, 13), (4, 27))];
        upgrade.changed = vec![changed(long, ChangeKind::Changed, 7, "its body")];
        upgrade.entries.clear();
        assert_data_eq!(show(vec![upgrade]), str![[r#"
hex 0.4.2 -> 0.4.3: unknown
  2 of 3 entry points reach changed code
  412 functions reachable: 397 identical, 2 changed, 13 that call these
  moves along: serde 1.0.200 -> 1.0.203, faster-hex 0.9.0 added,
  lazy_static 1.4.0 removed
  reached from src/lib.rs:4: demo::parse calls hex::a
  changed <alloc::vec::Vec<hex::...Hex>::from_hex::<&str>
  (hex-0.4.3/src/lib.rs:7), of hex: its body

  next:
    cargo cse show '<alloc::vec::Vec<hex::inner::Nibble<'\''_, u8>> as hex::FromHex>::from_hex::<&str>'
    cargo update hex --precise 0.4.3  # take it all the same

"#]].raw());
    }

    #[test]
    fn colour_adds_escape_codes_and_nothing_else() {
        let report = report(vec![unknown_upgrade(), failed_upgrade(), equivalent_upgrade()]);
        let plain = render(&report, &options());
        let colored = render(&report, &TerminalOptions { color: true, ..options() });
        assert!(!plain.contains('\x1b') && colored.contains('\x1b'));
        assert_eq!(anstream::adapter::strip_str(&colored).to_string(), plain);
    }

    #[test]
    fn where_two_runs_part_is_said_in_the_client_and_in_the_dependency() {
        let step = |function: &str, line| Step {
            function: function.into(),
            file: format!("/home/u/.cargo/registry/src/index-0/hex-0.4.{line}/src/lib.rs"),
            line,
        };
        let place = Place { file: "src/lib.rs".into(), line: 4, column: 13 };
        let call = PartingCall {
            function: "hex::decode".into(),
            arguments: vec!["7".into(), "_".into()],
            old: "panicked".into(),
            new: "returned 1".into(),
        };
        let (old, new) = (step("hex::val", 2), step("hex::val", 3));
        let below = Parting { client: Some(place), call: Some(call), old, new };
        assert_data_eq!(
            parting(&below, &options()),
            str![[r#"
they part at src/lib.rs:4, where hex::decode(7, _) panicked before, and
returned 1 now
in hex::val: hex-0.4.2/src/lib.rs:2 before, hex-0.4.3/src/lib.rs:3 now
"#]]
            .raw()
        );
        let renamed = Parting { call: None, new: step("hex::value", 3), ..below.clone() };
        assert_data_eq!(parting(&renamed, &options()), str!["they part at src/lib.rs:4, in hex::val before (hex-0.4.2/src/lib.rs:2), hex::value now (hex-0.4.3/src/lib.rs:3)"].raw());
        let in_the_client = Parting { call: None, new: below.old.clone(), ..below.clone() };
        assert_data_eq!(
            parting(&in_the_client, &options()),
            str!["they part at src/lib.rs:4, in hex::val"].raw()
        );
        let reexported = Parting { client: None, call: None, ..below };
        assert_data_eq!(
            parting(&reexported, &options()),
            str![
                "they part in hex::val: hex-0.4.2/src/lib.rs:2 before, hex-0.4.3/src/lib.rs:3 now"
            ]
            .raw()
        );
    }
}
