//! Scripts in SMT-LIB, such as `--dump-queries` writes.

use std::time::Duration;

use z3::{SatResult, Solver};

use super::answer::time_limit;

/// What Z3 says of a script's assertions, in the standard's words, or why it says nothing.
pub fn answer_script(text: &str, limit: Duration) -> Result<&'static str, &'static str> {
    let is_horn = text.lines().any(|line| line == "(set-logic HORN)");
    let solver = if is_horn { Solver::new_for_logic("HORN") } else { Some(Solver::new()) };
    let solver = solver.ok_or("the solver cannot solve Horn clauses")?;
    solver.set_params(&time_limit(limit));
    solver.from_string(text);
    // Of a script that it cannot read, Z3 takes nothing, and does not say so.
    if solver.get_assertions().is_empty() {
        return Err("nothing is asserted, or it cannot be read");
    }
    Ok(match solver.check() {
        SatResult::Sat => "sat",
        SatResult::Unsat => "unsat",
        SatResult::Unknown => "unknown",
    })
}
