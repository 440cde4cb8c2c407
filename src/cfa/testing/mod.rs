//! Random functions and a small interpreter for them, to test rewrites against execution.
//!
//! `library` is a program of a few types and callees, `generate` writes functions over it as the
//! compiler could, `machine` runs them.

mod generate;
pub mod library;
pub mod machine;

pub use generate::{Statement, any_statements, function};

use proptest::test_runner::Config;

/// Tests run this many cases, a fifth of them if not optimised; or as many times more as
/// `CSE_CASES_FACTOR` says.
pub fn cases(count: u32) -> Config {
    let factor = std::env::var("CSE_CASES_FACTOR").ok().and_then(|it| it.parse().ok());
    let count = if cfg!(debug_assertions) { count / 5 } else { count };
    let cases = count * factor.unwrap_or(1);
    Config { max_shrink_iters: 20_000, failure_persistence: None, ..Config::with_cases(cases) }
}
