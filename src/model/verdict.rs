//! What is known of an entry point, with its evidence.

use super::not_run::NotRun;
use super::place::{PathStep, SourceLocation};
use crate::reason::Reason;

/// Whether an entry point does the same with both versions.
#[derive(Clone, Debug)]
pub enum Verdict {
    Equivalent(Proof),
    Different(Box<Counterexample>),
    Unknown(Undecided),
}

/// A [`Verdict`] without its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Equivalent,
    Different,
    Unknown,
}

impl Verdict {
    pub fn decision(&self) -> Decision {
        match self {
            Verdict::Equivalent(_) => Decision::Equivalent,
            Verdict::Different(_) => Decision::Different,
            Verdict::Unknown(_) => Decision::Unknown,
        }
    }

    pub fn is_equivalent(&self) -> bool {
        self.decision() == Decision::Equivalent
    }

    pub fn is_different(&self) -> bool {
        self.decision() == Decision::Different
    }

    pub fn is_unknown(&self) -> bool {
        self.decision() == Decision::Unknown
    }
}

/// Why an entry point is known to do the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    pub engine: Engine,
    /// Whether inputs on which one of the versions does not end are outside of the proof.
    pub is_partial: bool,
    /// Whether some input leads to changed code. None: not known.
    pub exercised: Option<bool>,
}

impl Proof {
    /// A proof that holds for all inputs, and says nothing of which ones meet changed code.
    pub fn by(engine: Engine) -> Proof {
        Proof { engine, is_partial: false, exercised: None }
    }
}

/// What decided that two pieces of code do the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Identical in normal form.
    Same,
    /// All inputs that there are were run, and none differs.
    Run,
    /// No difference on any path, by symbolic execution.
    Summary,
    /// Loops and recursion run as often as they can, and no difference.
    Unroll,
    /// A relation between loops or recursive functions that every iteration keeps.
    Product,
}

/// A native run of both versions that differs, and is kept as a test.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub observed: Observation,
    /// As Rust expressions.
    pub arguments: Vec<String>,
    /// What each version did, as the run showed it.
    pub old: String,
    pub new: String,
    /// Where the test is kept, relative to the root of the workspace.
    pub test: String,
    /// None: not known.
    pub parting: Option<Box<Parting>>,
}

/// What was looked at in a native run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation {
    /// A call with arguments.
    Call,
    /// `main`, which takes none.
    Main,
    /// A constant or a static.
    Value,
}

/// Where the two runs of a counterexample part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The last place in the client that both runs come to. None: the entry point is a dependency's
    /// own.
    pub client: Option<SourceLocation>,
    /// The call there, which does not do the same. None: they part in the client itself.
    pub call: Option<PartingCall>,
    /// The function where they part, and the first place in it where the two do not do the same.
    pub old: PathStep,
    pub new: PathStep,
}

/// A call that is given the same with both versions, and what came of it. What cannot be shown of
/// a value is `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartingCall {
    pub function: String,
    pub arguments: Vec<String>,
    pub old: String,
    pub new: String,
}

/// Why it is not known whether an entry point does the same.
#[derive(Clone, Debug)]
pub enum Undecided {
    /// Only one of the versions has it.
    OnlyNew,
    OnlyOld,
    /// It takes or gives values of another type.
    OtherTypes,
    /// The path leads to something else.
    LeadsElsewhere,
    /// Callers see other types in it.
    OtherSignature,
    /// Its section, linkage or calling convention changed.
    OtherLinkage,
    /// It is a value, and that changed.
    OtherValue,
    /// It reaches changed code, and nothing more was found out.
    Reaches {
        nearest: String,
        others: usize,
        in_generic_form: bool,
    },
    /// Engines tried to prove it.
    NotProved(Incomplete),
    /// An interpreter saw the versions differ, and native runs did not confirm it.
    SeemsDifferent(Unconfirmed),
    /// The function named looks at an address, by which any two builds can differ.
    LooksAtAddress {
        function: String,
    },
}

/// Where and why engines could not go on.
#[derive(Clone, Debug)]
pub struct Incomplete {
    pub reason: Reason,
    /// What could not be followed.
    pub place: Option<PathStep>,
}

/// Why a difference that an interpreter saw is not confirmed.
#[derive(Clone, Debug)]
pub enum Unconfirmed {
    /// Native runs have the last word, and there were none.
    NotTried,
    /// What the entry point takes cannot be written down.
    NotWritable,
    /// Both builds did the same.
    RunsAgree,
    /// The builds could not be run, or their runs show nothing.
    NotRun(NotRun),
}

impl Unconfirmed {
    /// What tells this apart from other causes, for programs. `docs/reasons.md` lists them.
    pub fn code(&self) -> &'static str {
        match self {
            Unconfirmed::NotTried => "not-tried",
            Unconfirmed::NotWritable => "not-writable",
            Unconfirmed::RunsAgree => "runs-agree",
            Unconfirmed::NotRun(why) => why.code(),
        }
    }
}

impl Undecided {
    /// Whether engines or native runs tried to decide it, and met what they could not get past.
    pub fn is_blocked(&self) -> bool {
        matches!(self, Undecided::NotProved(_) | Undecided::LooksAtAddress { .. })
    }

    /// What tells this apart from other causes, for programs: see the README.
    pub fn code(&self) -> &'static str {
        match self {
            Undecided::OnlyNew => "only-new",
            Undecided::OnlyOld => "only-old",
            Undecided::OtherTypes => "other-types",
            Undecided::LeadsElsewhere => "leads-elsewhere",
            Undecided::OtherSignature => "other-signature",
            Undecided::OtherLinkage => "other-linkage",
            Undecided::OtherValue => "other-value",
            Undecided::Reaches { in_generic_form: true, .. } => "generic",
            Undecided::Reaches { .. } => "reaches-change",
            Undecided::NotProved(incomplete) => incomplete.reason.code(),
            Undecided::SeemsDifferent(_) => "unconfirmed",
            Undecided::LooksAtAddress { .. } => "address",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::NoProof;

    #[test]
    fn the_codes_of_undecided_entry_points_are_documented() {
        let text = String::new;
        let reaches =
            |in_generic_form| Undecided::Reaches { nearest: text(), others: 0, in_generic_form };
        let all = [
            Undecided::OnlyNew,
            Undecided::OnlyOld,
            Undecided::OtherTypes,
            Undecided::LeadsElsewhere,
            Undecided::OtherSignature,
            Undecided::OtherLinkage,
            Undecided::OtherValue,
            reaches(false),
            reaches(true),
            Undecided::NotProved(Incomplete { reason: NoProof::LoopRelation.into(), place: None }),
            Undecided::SeemsDifferent(Unconfirmed::NotTried),
            Undecided::LooksAtAddress { function: text() },
        ];
        for undecided in all {
            let row = format!("| `{}` |", undecided.code());
            assert!(include_str!("../../docs/reasons.md").contains(&row), "{row}");
        }
    }
}
