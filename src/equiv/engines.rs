//! The engines by name, and what a schedule of them is made of. The one schedule that there is stands in
//! `check/schedule.rs`.

use std::time::Duration;

/// A way to decide a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// A symbolic run of all but loops and recursion, which can give anything. Unless that shows at once
    /// that nothing differs, inputs are tried before the solver is asked.
    Summary(Trial),
    /// A symbolic run of that many iterations of each loop, and calls of a function within itself.
    Unroll(u32),
    /// A relation between the loops of both versions that every iteration keeps, looked for in these
    /// steps.
    Product(&'static [ProductStep]),
    /// Runs of an interpreter on chosen inputs.
    Inputs(Trial),
}

/// A row of the schedule: one engine at one pair.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    pub method: Method,
    pub needs: Needs,
    /// It gets one in so many parts of the time that is left.
    pub share: u32,
    /// If there is that much time, it does not get less.
    pub least: Duration,
    /// Left out for an entry point that had a round before.
    pub is_short: bool,
}

/// What has to be so for an attempt to be worth its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    /// No unrolling ended elsewhere than at its bound: it would be more iterations that help.
    OpenLoops,
}

/// How many inputs an interpreter tries on a pair, for how long, and how many steps each may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trial {
    pub inputs: u32,
    pub time: Duration,
    pub steps: u64,
    pub only_small: bool,
}

/// A row of the schedule inside of [`Method::Product`]: it goes on from what the steps before it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProductStep {
    pub method: ProductMethod,
    /// It gets one in so many parts of the time that is left.
    pub share: u32,
}

/// A way to refute a difference that rests on what loops give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProductMethod {
    /// What loops give that only count and add up, as a formula over what they are given. Needs a loop
    /// of this kind.
    ClosedForms,
    /// Facts that hold at first and that every iteration keeps, of candidates that hold in some states
    /// that were run.
    Facts(Effort),
    /// A relation that the solver finds by itself. Needs a single pair of loops, all of whose paths were
    /// followed.
    HornClauses,
}

/// Which facts are tried together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effort {
    /// Those that do not follow from others which hold in the states seen.
    Strongest,
    /// Also those that follow from them, which may hold where the stronger ones do not.
    All,
}

/// The attempts at the pairs of a round, and how long they may take.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// How long the first candidates may take.
    pub candidate: Duration,
    /// How long an entry point may take.
    pub entry: Duration,
    /// In the order of trying.
    pub attempts: &'static [Attempt],
    /// Whether entry points had a round before.
    pub is_repeated: bool,
}
