//! What is asked for by the environment, and choices that depend on nothing but a seed.

/// What a measure is asked to do.
pub struct Options {
    /// `SOUNDNESS=all`: many are tried, and the result is written down.
    pub is_full: bool,
    /// `SOUNDNESS_SEED`: which ones are tried.
    pub seed: u64,
    /// `SOUNDNESS_ONLY`: a part of the names of what is tried.
    pub only: Option<String>,
}

impl Options {
    pub fn from_environment() -> Options {
        Options {
            is_full: std::env::var("SOUNDNESS").is_ok_and(|value| value == "all"),
            seed: number("SOUNDNESS_SEED").unwrap_or(1),
            only: std::env::var("SOUNDNESS_ONLY").ok(),
        }
    }
}

/// A number that the environment may have.
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
