//! The JSON document: fields are only ever added.
//!
//! Every output format renders these types, which `assemble` makes; a kept document reads back as them.

use serde::{Deserialize, Serialize};

pub const SCHEMA: u32 = 1;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub schema: u32,
    pub tool: Tool,
    pub client: Client,
    pub upgrades: Vec<Upgrade>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tool {
    pub version: String,
    pub toolchain: String,
    pub z3: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Client {
    /// The package, or the packages joined by ", " where a workspace is checked.
    pub name: String,
    pub version: String,
    pub manifest_path: String,
    pub profile: String,
    /// What the `file`s of this report are relative to.
    pub workspace_root: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Equivalent,
    Different,
    Unknown,
}

/// One upgrade, with every package that moves along with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Upgrade {
    pub dependency: String,
    pub from: String,
    pub to: String,
    /// None: it could not be checked, for the reason that `error` gives.
    pub verdict: Option<Verdict>,
    /// Why, in one sentence.
    pub reason: String,
    /// What kind of reason that is, one of a fixed list. None: it could not be judged.
    #[serde(default)]
    pub reason_code: Option<String>,
    /// Whether Cargo.lock can take it: the manifest allows the new version, and the old one is locked.
    pub lockable: bool,
    /// What kept the upgrade from being checked. There is no verdict then.
    pub error: Option<Failure>,
    /// Where the source of the dependency is kept, as its manifest says.
    #[serde(default)]
    pub repository: Option<String>,
    /// The other packages that this upgrade adds, removes or moves.
    pub moved: Vec<Moved>,
    pub functions: Counts,
    pub changed: Vec<Changed>,
    /// How many changed items are left out of `changed`.
    #[serde(default)]
    pub more_changed: usize,
    pub entries: Vec<Entry>,
    pub call_sites: Vec<CallSite>,
    pub time_ms: Times,
}

/// A failure of an upgrade's judgement: never a verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// What happened, in one sentence.
    pub message: String,
    /// What cargo or the compiler said, as they said it.
    pub detail: String,
    /// What the user can do.
    pub help: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    pub name: String,
    /// None: added by the upgrade.
    pub from: Option<String>,
    /// None: removed by the upgrade.
    pub to: Option<String>,
}

/// Functions reachable from the client's entry points with the new version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub reachable: usize,
    /// Of those, the same as with the old version, with everything they can call.
    pub identical: usize,
    /// Of those, changed themselves or added.
    pub changed: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// The name of the function, or of the type, static or constant that `item` says.
    pub function: String,
    pub kind: ChangeKind,
    pub item: Item,
    pub file: String,
    pub line: u32,
    /// What is different, in a few words.
    pub what: String,
    /// The package whose source it stands in; empty for the standard library.
    #[serde(default)]
    pub package: String,
    #[serde(default)]
    pub version: String,
    /// Where its source stands in each version, of a function that both have.
    #[serde(default)]
    pub old_source: Option<SourceLines>,
    #[serde(default)]
    pub new_source: Option<SourceLines>,
    /// Of a package that does not move: why it counts, and in a few words.
    #[serde(default)]
    pub counts_code: Option<WhyItCounts>,
    #[serde(default)]
    pub counts: String,
}

/// Whole lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLines {
    pub file: String,
    pub first_line: u32,
    pub last_line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhyItCounts {
    Instance,
    Features,
    Generated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    Changed,
    Added,
    Removed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Item {
    Function,
    Type,
    Static,
    Constant,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    pub function: String,
    /// `lib` or `bin NAME`.
    pub target: String,
    pub verdict: Verdict,
    pub engine: Option<Engine>,
    /// Of one that was proved equivalent: whether inputs on which one of the versions does not end are
    /// outside of the proof.
    #[serde(default)]
    pub partial: bool,
    /// Of one that was proved equivalent: whether some input leads to changed code (active), or none
    /// does (inactive).
    #[serde(default)]
    pub exercised: Option<bool>,
    /// Why, in one sentence.
    pub reason: String,
    /// Of one that is unknown: what kind of reason that is, one of a fixed list.
    #[serde(default)]
    pub reason_code: Option<String>,
    /// Of one that is unknown: whether the reason is what engines or native runs could not get past.
    #[serde(default)]
    pub blocked: bool,
    /// Of one that an engine saw differ: why native runs do not confirm it, one of a fixed list.
    #[serde(default)]
    pub run_code: Option<String>,
    pub time_ms: u64,
    pub counterexample: Option<Counterexample>,
    pub generic: bool,
    /// The changed code that it reaches, each by a shortest path of calls; the entry comes first.
    pub reaches: Vec<Vec<Step>>,
    /// How many paths are left out of `reaches`.
    #[serde(default)]
    pub more_reaches: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Identical in normal form.
    Same,
    /// All inputs that there are were run, and none differs.
    Run,
    /// No difference on any path, by symbolic execution.
    Summary,
    /// Loops and recursion run as often as they can, and no difference.
    Unroll,
    /// A relation between loops or recursive functions that every step keeps.
    Product,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    pub arguments: Vec<String>,
    pub old: String,
    pub new: String,
    pub replayed: bool,
    pub test: String,
    /// None: not known.
    #[serde(default)]
    pub parts: Option<Box<Parting>>,
}

/// Where the two runs of a counterexample part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parting {
    /// The last place in the client that both runs come to. None: the entry point is a dependency's
    /// own.
    pub client: Option<Place>,
    /// The call there, which does not do the same. None: they part in the client itself.
    pub call: Option<PartingCall>,
    /// The function where they part, and the first place in it where the two do not do the same.
    pub old: Step,
    pub new: Step,
}

/// A call that is given the same with both versions, and what came of it. What cannot be shown of
/// a value is `_`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartingCall {
    pub function: String,
    pub arguments: Vec<String>,
    pub old: String,
    pub new: String,
}

/// A place in the user's source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// What `cargo cse replay` prints.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Replays {
    pub schema: u32,
    pub tests: Vec<ReplayedTest>,
}

/// A kept test, run again with both versions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReplayedTest {
    /// Its name.
    pub test: String,
    pub call: String,
    pub dependency: String,
    pub from: String,
    pub to: String,
    pub old: Option<String>,
    pub new: Option<String>,
    /// None: it is not known, for the reason given.
    pub differs: Option<bool>,
    pub reason: Option<String>,
    /// What kind of reason that is, one of a fixed list.
    #[serde(default)]
    pub reason_code: Option<String>,
}

/// A function on the way to changed code, and where it calls the next one. The last one is what
/// changed, and its place is that of its definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub function: String,
    pub file: String,
    pub line: u32,
}

/// A place in the client that calls, or itself is, changed code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallSite {
    pub caller: String,
    pub callee: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub verdict: Verdict,
    pub local_difference: Option<Counterexample>,
    pub boundary: Option<Boundary>,
    pub engine: Option<Engine>,
    /// Where the verdict is unknown: the smallest boundary that could neither be proved nor be shown
    /// to differ.
    #[serde(default)]
    pub undecided: Option<Undecided>,
    /// From the callee to the nearest changed code.
    pub path: Vec<Step>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Boundary {
    pub kind: BoundaryKind,
    pub function: String,
    pub first_line: u32,
    pub last_line: u32,
}

/// A boundary that could not be decided.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Undecided {
    pub boundary: Boundary,
    /// Why, in a few words.
    pub reason: String,
    /// What kind of reason that is, one of a fixed list.
    #[serde(default)]
    pub reason_code: Option<String>,
    /// What could not be followed, and where that is.
    pub place: Option<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoundaryKind {
    Call,
    Loop,
    /// The statements that belong to the call.
    Part,
    Function,
    Caller,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Times {
    pub extract: u64,
    pub compare: u64,
    pub prove: u64,
    /// Native builds and runs.
    #[serde(default)]
    pub run: u64,
    pub total: u64,
}
