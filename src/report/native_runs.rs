//! The words for why native runs tell nothing: see [`NotRun`].
//!
//! They are a clause each, without a capital and a full stop, so that they can follow "could not be
//! run:".

use std::fmt::{self, Display, Formatter};

use crate::model::{
    BuildFailure, NoOutcome, NoTarget, NotAllInputs, NotCallable, NotRun, NotWritable, WrongValue,
};

impl Display for NotRun {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NotRun::Target(why) => of_target(why, f),
            NotRun::Entry(name, why) => of_entry(name, *why, f),
            NotRun::Type(name, why) => of_type(name, why, f),
            NotRun::Value(why) => of_value(*why, f),
            NotRun::Build(failure) => of_build(failure, f),
            NotRun::NotStarted(error) => write!(f, "the generated program cannot be run: {error}"),
            NotRun::Failed(words) => f.write_str(words),
            NotRun::NoOutcome { with, outcome, why: NoOutcome::EndedProcess } => {
                write!(f, "with {with} a call {outcome}")
            }
            NotRun::NoOutcome { with, outcome, .. } => write!(f, "with {with} it {outcome}"),
            NotRun::Unrepeatable { with } => write!(f, "with {with} it does not do the same twice"),
            NotRun::Inputs(why) => f.write_str(of_inputs(*why)),
        }
    }
}

fn of_target(why: &NoTarget, f: &mut Formatter<'_>) -> fmt::Result {
    match why {
        NoTarget::Package(name) => write!(f, "the client has no package `{name}`"),
        NoTarget::NotInBinary(name) => write!(f, "`{name}` is not in a binary"),
        NoTarget::OtherMachine(target) => write!(f, "programs for {target} cannot be run here"),
        NoTarget::File(name) => write!(f, "{name} is missing"),
    }
}

fn of_entry(name: &str, why: NotCallable, f: &mut Formatter<'_>) -> fmt::Result {
    match why {
        NotCallable::NoName => write!(f, "other crates cannot call `{name}` by its name"),
        NotCallable::NoResult => f.write_str("its result is not known"),
        NotCallable::NoValue => write!(f, "`{name}` has no value that can be shown"),
        NotCallable::IsMain => write!(f, "`{name}` takes no arguments"),
    }
}

fn of_type(name: &str, why: &NotWritable, f: &mut Formatter<'_>) -> fmt::Result {
    match why {
        NotWritable::Recursive => write!(f, "`{name}` contains itself"),
        NotWritable::NoExpression => {
            write!(f, "a value of type `{name}` cannot be written in Rust")
        }
        NotWritable::Unseen => write!(f, "how `{name}` is written is not known"),
        NotWritable::PrivateFields => write!(
            f,
            "`{name}` has private fields, and no public constructor only stores its parameters"
        ),
        NotWritable::Variant(variant) => {
            write!(f, "`{name}::{variant}` cannot be written outside of its crate")
        }
        NotWritable::NoPath => write!(f, "other crates cannot name `{name}`"),
    }
}

fn of_value(why: WrongValue, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(match why {
        WrongValue::Form => "the value does not have the form of its type",
        WrongValue::Bool(bits) => return write!(f, "no bool has the bits {bits}"),
        WrongValue::Char(number) => return write!(f, "no char has the number {number}"),
        WrongValue::Zero => "a number that is never 0 is 0",
        WrongValue::Duration => "no duration is like this",
        WrongValue::NoVariant => "there is no such variant",
        WrongValue::NoText => "the bytes are no text",
        WrongValue::NoConstructor => "no public constructor makes a value with these fields",
        WrongValue::ArgumentCount => "there are not as many arguments as parameters",
    })
}

fn of_build(failure: &BuildFailure, f: &mut Formatter<'_>) -> fmt::Result {
    match failure {
        BuildFailure::Call { with, message } => {
            write!(f, "the call does not compile with {with}: {message}")
        }
        BuildFailure::Package { name, with, message } => {
            write!(f, "{name} does not build with {with}: {message}")
        }
        BuildFailure::Cargo { with, message } => {
            write!(f, "the call does not build with {with}: {message}")
        }
    }
}

fn of_inputs(why: NotAllInputs) -> &'static str {
    match why {
        NotAllInputs::TooMany => "there are too many inputs",
        NotAllInputs::Nan => "it gives a NaN, whose bits are not shown",
        NotAllInputs::PrintedSomewhere => "what is printed differs, in a place that is not known",
        NotAllInputs::AfterOtherCalls => "what differs does so only after other calls",
        NotAllInputs::NotWritable => "an input that differs cannot be written down",
    }
}
