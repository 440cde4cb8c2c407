//! The sentences for reasons: see [`crate::reason`].
//!
//! They are a few words each, without a capital and a full stop, so that they can follow "not decided:"
//! or be followed by "in" and a function.

use std::fmt::{self, Display, Formatter};

use crate::reason::{
    AddressUse, CodeElsewhere, ConstantForm, CoroutineUse, Extent, GenericCode, HeapUse,
    LimitReached, NoAnswer, NoCode, NoProof, OverflowChecks, PointerUse, Reason, ReferenceUse,
    Reinterpretation, SharedState, UnexpectedForm, UnknownCallee, UnsupportedOperation,
    UnsupportedType,
};

impl Display for Reason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Limit(limit) => f.write_str(of_limit(*limit)),
            Reason::Solver(why) => why.fmt(f),
            Reason::Proof(why) => f.write_str(of_proof(*why)),
            Reason::Code(why) => of_code(why, f),
            Reason::Elsewhere(what) => f.write_str(of_code_elsewhere(*what)),
            Reason::Intrinsic(name) => write!(f, "the intrinsic `{name}`"),
            Reason::Heap(HeapUse::Allocator) => f.write_str("memory on the heap"),
            Reason::Heap(HeapUse::FailedAllocation) => f.write_str("an allocation that fails"),
            Reason::Callee(callee) => f.write_str(of_callee(*callee)),
            Reason::Generic(what) => of_generic(what, f),
            Reason::OverflowChecks(why) => f.write_str(of_overflow_checks(*why)),
            Reason::Coroutine(what) => f.write_str(of_coroutine(*what)),
            Reason::Shared(what) => of_shared_state(what, f),
            Reason::Type(why) => of_type(why, f),
            Reason::Reference(what) => of_reference(what, f),
            Reason::Reinterpreted(what) => of_reinterpretation(what, f),
            Reason::Constant(form) => of_constant(form, f),
            Reason::Extent(what) => f.write_str(of_extent(*what)),
            Reason::Pointer(what) => f.write_str(of_pointer(*what)),
            Reason::Address(what) => f.write_str(of_address(*what)),
            Reason::NanBits => f.write_str("the bits of a NaN that arithmetic may have given"),
            Reason::Operation(what) => of_operation(*what, f),
            Reason::Form(form) => f.write_str(of_form(*form)),
        }
    }
}

impl Display for NoAnswer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoAnswer::TimedOut => "timeout",
            NoAnswer::Canceled => "canceled",
            NoAnswer::UpgradeTimedOut => "the upgrade took longer than --timeout allows",
            NoAnswer::Interrupted => "interrupted",
            NoAnswer::OutOfMemory => "the solver ran out of memory",
            NoAnswer::Unknown { words, .. } => words,
            NoAnswer::GaveUp => "the solver gave up",
            NoAnswer::NotInIntegers => "integers cannot say this",
            NoAnswer::FloatRemainder => "the solver has no remainder of floats",
            NoAnswer::NoModel => "the solver gives no model",
            NoAnswer::FalseModel => "the solver's model does not satisfy the query",
            NoAnswer::Failed { message, .. } => return write!(f, "the solver failed: {message}"),
            NoAnswer::NotStarted(error) => {
                return write!(f, "the solver cannot be started: {error}");
            }
            NoAnswer::Killed { signal } => {
                return write!(f, "the solver ended unexpectedly (signal {signal})");
            }
            NoAnswer::Exited { code } => {
                return write!(f, "the solver ended unexpectedly (code {code})");
            }
            NoAnswer::Lost(error) => error,
            NoAnswer::Several(all) => {
                let mut all: Vec<String> = all.iter().map(NoAnswer::to_string).collect();
                all.sort();
                return f.write_str(&all.join("; "));
            }
        })
    }
}

fn of_limit(limit: LimitReached) -> &'static str {
    match limit {
        LimitReached::Time => "the time for it was over",
        LimitReached::RunSteps | LimitReached::RunTerms | LimitReached::RunTime => {
            "more code than the budget allows"
        }
        LimitReached::CallDepth => "calls nested too deeply",
        LimitReached::Iterations => "more iterations than were tried",
    }
}

fn of_proof(why: NoProof) -> &'static str {
    match why {
        NoProof::OtherTypes => "the two versions do not work on values of the same types",
        NoProof::LoopRelation => "no relation between its loops was found",
        NoProof::UnconfirmedDifference => "a difference that the solver found could not be shown",
        NoProof::ContradictoryFacts => "contradictory facts",
        NoProof::ProverFailed => "the prover failed: please report this",
        NoProof::Irreducible => "a cycle has a second way in",
    }
}

fn of_code(why: &NoCode, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(match why {
        NoCode::Bodyless => "a function without code",
        NoCode::NoMir => "the compiler kept no MIR of it",
        NoCode::UnresolvedType(None) => "a type in it cannot be resolved",
        NoCode::UnresolvedType(Some(ty)) => {
            return write!(f, "a type in it cannot be resolved: {ty}");
        }
        NoCode::ConstantWithoutValue => "the constant's value is not given here",
        NoCode::EndlessTypes => "its types grow without end",
        NoCode::CompilerFailed(message) => {
            return write!(f, "the compiler failed on it: {message}");
        }
        NoCode::Foreign(symbol) => return write!(f, "foreign code (`{symbol}`)"),
        NoCode::Assembly(text) => return write!(f, "inline assembly: {text}"),
    })
}

fn of_code_elsewhere(what: CodeElsewhere) -> &'static str {
    match what {
        CodeElsewhere::Macro => "a macro, which expands in other crates",
        CodeElsewhere::OtherDeclaration => "it is declared in another way than it is defined",
    }
}

fn of_callee(callee: UnknownCallee) -> &'static str {
    match callee {
        UnknownCallee::Function => "a call of a function that is not known",
        UnknownCallee::Method => "a method of a trait object whose type is not known",
    }
}

fn of_generic(what: &GenericCode, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(match what {
        GenericCode::SuppliedMethod => "a method of a parameter",
        GenericCode::Drop => "drops a value of a type that has parameters",
        GenericCode::Constant => "a constant that depends on parameters",
        GenericCode::ArrayLength => "an array of unknown length",
        GenericCode::GivenType(ty) => return write!(f, "stands for {ty}"),
    })
}

fn of_overflow_checks(why: OverflowChecks) -> &'static str {
    match why {
        OverflowChecks::ProfilesDiffer => {
            "the profiles of packages differ in their overflow checks, and which of them generates \
             this code is not known"
        }
        OverflowChecks::OnlyStdKnows => {
            "only the compiled standard library can tell whether overflow is checked"
        }
    }
}

fn of_coroutine(what: CoroutineUse) -> &'static str {
    match what {
        CoroutineUse::Yield => "a coroutine gives up control",
        CoroutineUse::Drop => "a coroutine is dropped half-way",
        CoroutineUse::State => "an async block, whose states are not followed",
    }
}

fn of_shared_state(what: &SharedState, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(match what {
        SharedState::Static(name) => return write!(f, "the static `{name}`, which can change"),
        SharedState::Memory => "memory that can change",
        SharedState::ThreadLocal => "a value that each thread has of its own",
        SharedState::Cell => "a value that can change while it is shared",
    })
}

fn of_type(why: &UnsupportedType, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(match why {
        UnsupportedType::Named(name) => return write!(f, "a value of type `{name}`"),
        UnsupportedType::Recursive => "a type that contains itself",
        UnsupportedType::Empty => "a value of a type without values",
        UnsupportedType::UnknownSize => "the size of a type",
        UnsupportedType::UnknownAlignment => "the alignment of a type",
    })
}

fn of_reference(what: &ReferenceUse, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(match what {
        ReferenceUse::To(name) => return write!(f, "a reference to `{name}`"),
        ReferenceUse::UnknownTarget => "a reference whose target is not known",
        ReferenceUse::MutableInEnum => "a mutable reference in an enum",
        ReferenceUse::Nested => "a reference behind a reference",
        ReferenceUse::AliasedInLoop => "a loop with references to one another's targets",
    })
}

fn of_reinterpretation(what: &Reinterpretation, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(match what {
        Reinterpretation::Value => "a value seen as another type",
        Reinterpretation::Memory => "memory seen as another type",
        Reinterpretation::Union => "a union read through another field",
        Reinterpretation::UnknownBytes => "the bytes of a value that is not known",
        Reinterpretation::BytesOf(name) => return write!(f, "the bytes of a `{name}`"),
        Reinterpretation::ComparedBytes => "a comparison of bytes",
        Reinterpretation::WrittenBytes => "bytes written over what is no number",
        Reinterpretation::TwoForms => "two forms of one value that do not fit together",
    })
}

fn of_constant(form: &ConstantForm, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(match form {
        ConstantForm::Opaque(text) => return write!(f, "the constant `{text}`"),
        ConstantForm::OfType(name) => return write!(f, "a constant of type `{name}`"),
        ConstantForm::Pointer => "a pointer in a constant",
        ConstantForm::InnerPointer => "a pointer into the middle of a constant",
        ConstantForm::TooShort => "a constant that is too short",
        ConstantForm::LargeNumber => "a very large number",
    })
}

fn of_extent(what: Extent) -> &'static str {
    match what {
        Extent::LongArray => "a very long array",
        Extent::LongCopy => "a very long copy",
        Extent::LongConstant => "a very long constant",
        Extent::UnknownSlice => "a slice whose length is not known",
        Extent::UnknownCopy => "a copy of unknown length",
        Extent::UnknownPointee => "a pointer made to one of unknown size",
    }
}

fn of_pointer(what: PointerUse) -> &'static str {
    match what {
        PointerUse::Unknown => "a pointer that is not known",
        PointerUse::Nowhere => "a pointer to nowhere",
        PointerUse::Dangling => "a pointer to what is no longer there",
        PointerUse::ManyTargets => "a pointer that may point to very many places",
        PointerUse::FixedAddress => "memory at a fixed address",
        PointerUse::CodeAsData => "the code of a function read as data",
        PointerUse::WriteToNoObject => "a write to what is no object",
        PointerUse::PartOfNoObject => "a part of what is no object",
        PointerUse::PartOfNoSlice => "a part of what is no slice",
        PointerUse::ElementOfNoArray => "an element of what is no array",
        PointerUse::OffsetByNoNumber => "an offset that is no number",
        PointerUse::OffsetOfNoObject => "arithmetic on a pointer to what is no object",
        PointerUse::OffsetOfNoArray => "arithmetic on a pointer to what is no array",
        PointerUse::OtherUnits => "arithmetic on a pointer in other units than its array's",
        PointerUse::IndexBeyondEnd => "an index beyond the elements that are there",
        PointerUse::PartBeyondEnd => "a part beyond the end",
        PointerUse::UnknownIndex => "an index that is not known",
    }
}

fn of_address(what: AddressUse) -> &'static str {
    match what {
        AddressUse::CastToNumber => "an address as a number",
        AddressUse::ReadAsNumber => "an address read as a number",
        AddressUse::OfNumber => "a number seen as an address",
        AddressUse::Compared => "a comparison of addresses",
        AddressUse::Distance => "a distance of addresses",
    }
}

fn of_operation(what: UnsupportedOperation, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(match what {
        UnsupportedOperation::OnNoNumber => "arithmetic on what is no number",
        UnsupportedOperation::OnIntegers => "an operation on numbers that is not known",
        UnsupportedOperation::OnBools => "an operation on truth values that is not known",
        UnsupportedOperation::OnFloats => "an operation on floats that is not known",
        UnsupportedOperation::Unary => "an operation on a number that is not known",
        UnsupportedOperation::Comparison => "a comparison whose result is not known",
        UnsupportedOperation::CastToNoFloat => "a cast to what is no float",
        UnsupportedOperation::CastToNoInteger => "a cast to what is no integer",
        UnsupportedOperation::BitCount => "a count of bits",
        UnsupportedOperation::WideProduct => "a product of more than 128 bits",
        UnsupportedOperation::Reborrow { mutable } => {
            let mutability = if mutable { "Mut" } else { "Not" };
            return write!(f, "a reborrow of a user's type ({mutability})");
        }
        UnsupportedOperation::MissingArgument => "an argument is missing",
        UnsupportedOperation::UntupledArguments => "a closure called with what is no tuple",
        UnsupportedOperation::OtherArguments => "a call with other arguments than are expected",
    })
}

fn of_form(form: UnexpectedForm) -> &'static str {
    match form {
        UnexpectedForm::Uninit => "a value that was not written",
        UnexpectedForm::NoNumber => "a value that is not a number",
        UnexpectedForm::Slice => "a slice taken as one value",
        UnexpectedForm::SlicePart => "a part of a slice that is no element",
        UnexpectedForm::NoSuchPart => "a part that the value does not have",
        UnexpectedForm::NoSuchPartToWrite => "a write to a part that the value does not have",
        UnexpectedForm::UnknownVariant => "the variant of a value that is not known",
        UnexpectedForm::UnnumberedVariant => "a variant without a number",
        UnexpectedForm::NoVariants => "the variant of a value without variants",
    }
}

/// What kept something from being decided, by its code, for someone who does not know this tool.
pub fn in_plain_words(code: &str) -> &'static str {
    match code {
        "time" | "code-budget" | "memory-limit" | "nesting" | "iterations" | "solver" => {
            "it takes more time or memory than is given"
        }
        "loop-relation" => "no rule was found that the loops of both versions keep",
        "unconfirmed" => "a difference was suspected, and no run showed it",
        "tool-failure" => "a part of this tool failed",
        "interrupted" => "the run was ended",
        "other-types" | "other-signature" => "callers see other types than before",
        "only-old" | "only-new" | "leads-elsewhere" => "a public path leads elsewhere, or nowhere",
        "other-linkage" => "it is linked in another way",
        "other-value" | "constant" => "a value changed",
        "control-flow" => "its loops have several ways in",
        "missing-code" => "a part of its code is not to be had",
        "foreign-code" | "inline-assembly" => "it runs code that is not Rust",
        "heap" => "it uses memory from the allocator, which is not followed yet",
        "intrinsic" | "operation" => {
            "it uses an operation of the compiler that is not followed yet"
        }
        "dynamic-call" => "what it calls is known only at run time",
        "generic" => {
            "its callers choose types, and only identical code is the same for all of them"
        }
        "profile" => "whether it checks for overflow depends on the crate that compiles it",
        "coroutine" => "it is asynchronous code, which is not followed yet",
        "shared-state" => "other code can change what it reads",
        "type" | "reference" | "reinterpretation" | "pointer" => {
            "it works on memory in a way that is not followed yet"
        }
        "length" => "it works on text or slices of any length, which are not followed yet",
        "address" => "it looks at addresses, by which any two builds can differ",
        "float-bits" => "it looks at bits of floats that the language leaves open",
        _ => "it reaches what changed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reason_is_about_stands_in_its_sentence() {
        let cases: [(Reason, &str); 7] = [
            (Reason::Intrinsic("sin".into()), "the intrinsic `sin`"),
            (NoCode::Foreign("memchr".into()).into(), "foreign code (`memchr`)"),
            (
                SharedState::Static("dep::STATE".into()).into(),
                "the static `dep::STATE`, which can change",
            ),
            (ReferenceUse::To("[u32]".into()).into(), "a reference to `[u32]`"),
            (NoAnswer::Exited { code: 3 }.into(), "the solver ended unexpectedly (code 3)"),
            (NoCode::UnresolvedType(None).into(), "a type in it cannot be resolved"),
            (
                UnsupportedOperation::Reborrow { mutable: true }.into(),
                "a reborrow of a user's type (Mut)",
            ),
        ];
        for (reason, sentence) in cases {
            assert_eq!(reason.to_string(), sentence);
        }
    }

    #[test]
    fn several_answers_of_the_solver_stand_in_the_order_of_their_words() {
        let several = NoAnswer::Several([NoAnswer::TimedOut, NoAnswer::NotInIntegers].into());
        assert_eq!(several.to_string(), "integers cannot say this; timeout");
    }

    #[test]
    fn every_kind_of_reason_has_plain_words() {
        for family in crate::reason::Family::ALL {
            assert_ne!(in_plain_words(family.code()), in_plain_words(""), "{}", family.code());
        }
    }
}
