//! What to do next: commands that show what changed, and those that take an upgrade.

use textwrap::core::display_width;

use super::schema::{Changed, Item, Report, Upgrade, Verdict};
use super::terminal::{TerminalOptions, is_unused};
use super::text;

/// How many changed functions are offered to be read.
const SHOWN_COMMANDS: usize = 3;

/// How to read on: the commands that show the changed functions nearest to the user's code.
pub fn reading(upgrade: &Upgrade, options: &TerminalOptions) -> String {
    let from_sites = upgrade.call_sites.iter().filter_map(|site| site.path.last());
    let from_entries = upgrade.entries.iter().flat_map(|entry| &entry.reaches);
    let from_entries = from_entries.filter_map(|path| path.last());
    let mut functions: Vec<&str> = Vec::new();
    let mut ends: Vec<_> = from_sites.chain(from_entries).collect();
    ends.sort_by_key(|step| text::is_generic(&step.function));
    for step in ends {
        let named = upgrade.changed.iter().find(|it| it.function == step.function);
        let is_function = named.is_none_or(|it| it.item == Item::Function);
        let is_new = !functions.contains(&step.function.as_str());
        if functions.len() < SHOWN_COMMANDS && is_function && is_new {
            functions.push(&step.function);
        }
    }
    if functions.is_empty() || upgrade.verdict == Some(Verdict::Equivalent) {
        return String::new();
    }
    let mut rows: Vec<(String, String)> = functions
        .iter()
        .map(|function| {
            let has_source = |it: &Changed| it.function == **function && it.new_source.is_some();
            let command = match upgrade.changed.iter().any(has_source) {
                true => options.command("show --source", &[function]),
                false => options.command("show", &[function]),
            };
            (command, "read it, old beside new".to_owned())
        })
        .collect();
    if upgrade.verdict == Some(Verdict::Unknown) && upgrade.lockable {
        let command = format!("cargo update {} --precise {}", upgrade.dependency, upgrade.to);
        rows.push((command, "take it all the same".to_owned()));
    }
    next(&rows, options)
}

/// What the run came to, and how to take what is equivalent.
pub fn summary(report: &Report, options: &TerminalOptions) -> String {
    let upgrades = &report.upgrades;
    if upgrades.is_empty() {
        return format!("{}: no upgrade to check\n", report.client.name);
    }
    let mut summary = String::new();
    if upgrades.len() > 1 {
        let failed = upgrades.iter().filter(|upgrade| upgrade.verdict.is_none()).count();
        let mut parts = Vec::new();
        for verdict in [Verdict::Different, Verdict::Unknown, Verdict::Equivalent] {
            let judged = upgrades.iter().filter(|upgrade| upgrade.verdict == Some(verdict));
            let number = judged.filter(|upgrade| !is_unused(upgrade)).count();
            if number > 0 {
                let word = text::paint(text::verdict_style(verdict), text::verdict_word(verdict));
                parts.push(format!("{number} {word}"));
            }
        }
        let unused = upgrades.iter().filter(|upgrade| is_unused(upgrade)).count();
        if unused > 0 {
            parts.push(format!("{unused} not in your build"));
        }
        if failed > 0 {
            parts.push(format!("{failed} {}", text::paint(text::ERROR, "not checked")));
        }
        summary = format!("{} upgrades: {}\n", upgrades.len(), parts.join(", "));
    }
    let ready: Vec<String> = upgrades
        .iter()
        .filter(|upgrade| upgrade.verdict == Some(Verdict::Equivalent) && upgrade.lockable)
        .map(|upgrade| format!("{}@{}", upgrade.dependency, upgrade.to))
        .collect();
    if !ready.is_empty() && !options.updating {
        let ready: Vec<&str> = ready.iter().map(String::as_str).collect();
        let command = options.command("update", &ready);
        let what = if ready.len() == 1 { "write it" } else { "write them" };
        summary += &next(&[(command, format!("{what} into Cargo.lock"))], options);
    }
    summary
}

/// Commands to run, and what each is for where there is room to say it.
fn next(rows: &[(String, String)], options: &TerminalOptions) -> String {
    let rows: Vec<[String; 2]> = rows
        .iter()
        .map(|(command, what)| {
            let fits = display_width(command) <= text::widest_name(options.width);
            let what =
                if fits { text::paint(text::DIM, &format!("# {what}")) } else { String::new() };
            [command.clone(), what]
        })
        .collect();
    let title = text::paint(text::HELP, "next:");
    format!("  {title}\n{}", text::table(&rows, "    ", options.width))
}

#[cfg(test)]
mod tests {
    use snapbox::{IntoData, assert_data_eq, str};

    use super::*;
    use crate::report::samples::*;
    use crate::report::terminal::render;

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
    fn several_upgrades_end_in_a_summary_and_one_command() {
        let mut other = equivalent_upgrade();
        other.dependency = "fnv".into();
        let upgrades = vec![equivalent_upgrade(), failed_upgrade(), other];
        assert_data_eq!(
            show(upgrades),
            str![[r#"
heck 0.4.0 -> 0.4.1: equivalent
  nothing that changed is reachable from the entry points of demo
  412 functions reachable, all identical

semver 1.0.0 -> 2.0.0: not checked
error: demo does not compile with semver 2.0.0
  error[E0425]: cannot find function `parse`
   --> src/lib.rs:3:5
  help: the API changed: adapt demo to semver 2.0.0, then check again

fnv 0.4.0 -> 0.4.1: equivalent
  nothing that changed is reachable from the entry points of demo
  412 functions reachable, all identical

3 upgrades: 2 equivalent, 1 not checked
  next:
    cargo cse update heck@0.4.1 fnv@0.4.1  # write them into Cargo.lock

"#]]
            .raw()
        );
    }

    #[test]
    fn nothing_to_upgrade_is_said() {
        assert_eq!(show(Vec::new()), "demo: no upgrade to check\n");
    }

    #[test]
    fn an_update_does_not_advise_to_update() {
        let options = TerminalOptions { updating: true, ..options() };
        let shown = render(&report(vec![equivalent_upgrade()]), &options);
        assert!(!shown.contains("next"), "{shown}");
    }

    #[test]
    fn only_what_the_lock_file_can_take_is_offered_for_it() {
        let mut local = equivalent_upgrade();
        local.lockable = false;
        assert!(!show(vec![local]).contains("cargo cse update"));
        let mut local = unknown_upgrade();
        local.lockable = false;
        assert!(!show(vec![local]).contains("cargo update"));
    }
}
