//! Why native runs tell nothing of an entry point.

/// Why a native run was not made, or shows nothing that can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// There is nothing to build or run a call in.
    Target(NoTarget),
    /// Other code cannot make a call of the entry point of this name.
    Entry(String, NotCallable),
    /// Other crates cannot write values of the type of this name.
    Type(String, NotWritable),
    /// The value that is asked for is not one that can be written.
    Value(WrongValue),
    /// What makes the call does not build.
    Build(BuildFailure),
    /// What was built cannot be started, for the reason that the system gives.
    NotStarted(String),
    /// The tool itself failed, with these words.
    Failed(String),
    /// The run with this version has no outcome that can be compared: what it did, as the run showed it.
    NoOutcome { with: String, outcome: String, why: NoOutcome },
    /// Two runs with this version did not do the same.
    Unrepeatable { with: String },
    /// All inputs were to be run.
    Inputs(NotAllInputs),
}

/// Why there is nothing to run a call in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTarget {
    /// The client has no package of this name.
    Package(String),
    /// `main`, by this name, is not in a binary.
    NotInBinary(String),
    /// Programs for this target of the compiler do not run here.
    OtherMachine(String),
    /// A kept test lacks this file.
    File(&'static str),
}

/// Why other code cannot call an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCallable {
    /// It has no name that other crates can write.
    NoName,
    /// What it returns is not known.
    NoResult,
    /// It is no function, and has no value that could be shown.
    NoValue,
    /// It takes no arguments: it is a `main`.
    IsMain,
}

/// Why values of a type cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWritable {
    /// The type contains itself.
    Recursive,
    /// Rust has no expression for its values.
    NoExpression,
    /// How other crates see the type is not known.
    Unseen,
    /// Its fields are private, and no public constructor only stores its parameters.
    PrivateFields,
    /// The variant of this name is not open to other crates.
    Variant(String),
    /// It has no path that other crates can write.
    NoPath,
}

/// Why a value is none that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongValue {
    /// It does not have the form of its type.
    Form,
    /// No `bool` has these bits.
    Bool(u128),
    /// No `char` has this number.
    Char(u128),
    /// A number that is never zero is zero.
    Zero,
    /// A `Duration` has too many nanoseconds.
    Duration,
    /// There is no variant of this number.
    NoVariant,
    /// The bytes of a string are no text.
    NoText,
    /// No public constructor gives such fields.
    NoConstructor,
    /// There are not as many arguments as parameters.
    ArgumentCount,
}

/// What does not build, with which version, and what the compiler or cargo said first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildFailure {
    /// The generated call does not compile.
    Call { with: String, message: String },
    /// This package of the client's build does not compile.
    Package { name: String, with: String, message: String },
    /// Cargo failed before anything was compiled.
    Cargo { with: String, message: String },
}

/// Why what a run did cannot be compared. Time and memory are no behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOutcome {
    /// It did not end in the time that it was given.
    TimedOut,
    OutOfMemory,
    OutOfStack,
    Interrupted,
    /// Something outside ended it.
    Killed,
    /// Too many calls before it did not end.
    NotReached,
    /// A call among all others ended the process.
    EndedProcess,
}

/// Why running all inputs decided nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAllInputs {
    TooMany,
    /// A result is a NaN, whose bits are not shown.
    Nan,
    /// What is printed differs, and by which call is not known.
    PrintedSomewhere,
    /// What differs does so only after other calls.
    AfterOtherCalls,
    /// An input that differs cannot be written.
    NotWritable,
}

impl NotRun {
    /// What tells this apart from other causes, for programs. `docs/reasons.md` lists them.
    pub fn code(&self) -> &'static str {
        match self {
            NotRun::Target(_) => "no-target",
            NotRun::Entry(..) => "not-callable",
            NotRun::Type(..) | NotRun::Value(_) => "not-writable",
            NotRun::Build(_) => "build-failed",
            NotRun::NotStarted(_) | NotRun::Failed(_) => "tool-failure",
            NotRun::NoOutcome { why, .. } => match why {
                NoOutcome::TimedOut | NoOutcome::NotReached => "time",
                NoOutcome::OutOfMemory | NoOutcome::OutOfStack => "memory-limit",
                NoOutcome::Interrupted => "interrupted",
                NoOutcome::Killed | NoOutcome::EndedProcess => "process-ended",
            },
            NotRun::Unrepeatable { .. } => "unrepeatable",
            NotRun::Inputs(_) => "not-all-inputs",
        }
    }
}

impl From<WrongValue> for NotRun {
    fn from(why: WrongValue) -> NotRun {
        NotRun::Value(why)
    }
}

impl From<NotAllInputs> for NotRun {
    fn from(why: NotAllInputs) -> NotRun {
        NotRun::Inputs(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Unconfirmed;

    #[test]
    fn the_codes_of_runs_that_were_not_made_are_documented() {
        let no_outcome =
            |why| NotRun::NoOutcome { with: String::new(), outcome: String::new(), why };
        let not_run = [
            NotRun::Target(NoTarget::File("x")),
            NotRun::Entry(String::new(), NotCallable::NoName),
            NotRun::Type(String::new(), NotWritable::Recursive),
            WrongValue::Form.into(),
            NotRun::Build(BuildFailure::Cargo { with: String::new(), message: String::new() }),
            NotRun::NotStarted(String::new()),
            no_outcome(NoOutcome::TimedOut),
            no_outcome(NoOutcome::OutOfStack),
            no_outcome(NoOutcome::Interrupted),
            no_outcome(NoOutcome::Killed),
            NotRun::Unrepeatable { with: String::new() },
            NotAllInputs::TooMany.into(),
        ];
        let others = [Unconfirmed::NotTried, Unconfirmed::NotWritable, Unconfirmed::RunsAgree];
        let (_, documented) =
            include_str!("../../docs/reasons.md").split_once("## Native").unwrap();
        for why in not_run.into_iter().map(Unconfirmed::NotRun).chain(others) {
            let row = format!("| `{}` |", why.code());
            assert!(documented.contains(&row), "{row}");
        }
    }
}
