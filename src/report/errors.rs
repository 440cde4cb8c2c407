//! Errors in the look of cargo and rustc, whether they end the run or one upgrade of a report.

use super::schema::Failure;
use super::text;
use crate::error::Error;

/// How many lines of cargo's or the compiler's words a report shows of one upgrade.
const SHOWN_LINES: usize = 40;

/// The error that ended a run. It holds escape codes: print it through `anstream`.
pub fn render(error: &Error) -> String {
    block(&error.to_string(), error.detail(), &error.help(), usize::MAX)
}

/// What kept one upgrade from being judged.
pub(super) fn failure(failure: &Failure, verbose: bool) -> String {
    let lines = if verbose { usize::MAX } else { SHOWN_LINES };
    block(&failure.message, &failure.detail, &failure.help, lines)
}

fn block(message: &str, detail: &str, help: &str, shown_lines: usize) -> String {
    let mut block = labelled("", text::paint(text::ERROR, "error"), "error", message);
    let detail: Vec<&str> = detail.trim_end().lines().collect();
    for line in detail.iter().take(shown_lines) {
        block += format!("  {line}").trim_end();
        block += "\n";
    }
    if let Some(rest) = detail.len().checked_sub(shown_lines).filter(|rest| *rest > 0) {
        block += &format!("  ... and {}; -v shows all\n", text::count(rest, "more line"));
    }
    if !help.is_empty() {
        block += &labelled("  ", text::paint(text::HELP, "help"), "help", help);
    }
    block
}

/// `label: text`, with further lines of the text under its first.
fn labelled(indent: &str, painted: String, label: &str, text: &str) -> String {
    let under = format!("\n{indent}{:1$}  ", "", label.len());
    format!("{indent}{painted}: {}\n", text.trim_end().replace('\n', &under))
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;
    use snapbox::{IntoData, assert_data_eq, str};

    use super::*;

    fn plain(failure: &Failure, verbose: bool) -> String {
        strip_str(&super::failure(failure, verbose)).to_string()
    }

    #[test]
    fn an_error_says_what_happened_and_what_to_run() {
        let error = Error::ToolchainMissing { name: "nightly-2026-10-30".into() };
        assert_data_eq!(
            strip_str(&render(&error)).to_string(),
            str![[r#"
error: the toolchain nightly-2026-10-30 is not installed
  help: run `rustup toolchain install nightly-2026-10-30 --profile minimal -c rustc-dev -c rust-src -c llvm-tools`

"#]]
            .raw()
        );
    }

    #[test]
    fn the_words_of_the_compiler_stand_between_the_message_and_the_help() {
        let failure = Failure {
            message: "demo does not compile with hex 0.5.0".into(),
            detail: "error[E0425]: cannot find function\n --> src/lib.rs:3:5\n\n".into(),
            help: "the API changed:\nadapt src/lib.rs first".into(),
        };
        assert_data_eq!(
            plain(&failure, false),
            str![[r#"
error: demo does not compile with hex 0.5.0
  error[E0425]: cannot find function
   --> src/lib.rs:3:5
  help: the API changed:
        adapt src/lib.rs first

"#]]
            .raw()
        );
    }

    #[test]
    fn pages_of_compiler_errors_are_cut_unless_asked_for() {
        let failure = Failure {
            message: "demo does not compile with hex 0.5.0".into(),
            detail: "error\n".repeat(100),
            help: String::new(),
        };
        let short = plain(&failure, false);
        assert!(short.ends_with("  error\n  ... and 60 more lines; -v shows all\n"));
        assert_eq!(plain(&failure, true).lines().count(), 101);
    }
}
