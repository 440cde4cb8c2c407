//! Why something is undecided, as data.
//!
//! A stage that cannot go on says so with a [`Reason`]: the driver in the programs that it writes, the
//! symbolic executor where a path ends, the solver where it has no answer, the prover where a pair stays
//! open. Reasons are compared, stored and counted; `report::reasons` makes sentences of them.
//!
//! **Invariant.** Nothing decides by the words of a reason.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Why code could not be followed, or a pair of functions not be decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reason {
    /// A limit was reached that is set to how long or how far things are followed.
    Limit(LimitReached),
    /// The solver has no answer.
    Solver(NoAnswer),
    /// What was found is not enough for a proof, and no difference either.
    Proof(NoProof),
    /// There is no code that could be followed.
    Code(NoCode),
    /// The code is not in the client's own build.
    Elsewhere(CodeElsewhere),
    /// The compiler implements the operation of this name, and it is not modelled.
    Intrinsic(Arc<str>),
    /// Memory comes from the allocator.
    Heap(HeapUse),
    /// Which function a call is of is known only at run time.
    Callee(UnknownCallee),
    /// It depends on parameters that callers choose.
    Generic(GenericCode),
    /// Whether code checks for overflow is not known.
    OverflowChecks(OverflowChecks),
    /// A coroutine, such as an async block, is at work.
    Coroutine(CoroutineUse),
    /// Something is read that other code can change meanwhile.
    Shared(SharedState),
    /// Values of a type are not modelled.
    Type(UnsupportedType),
    /// What references point to is not modelled, or may overlap.
    Reference(ReferenceUse),
    /// Memory is seen as another type than it was written as.
    Reinterpreted(Reinterpretation),
    /// A constant has a form that is not modelled.
    Constant(ConstantForm),
    /// Something is too long, or of unknown length.
    Extent(Extent),
    /// A pointer or an index leads to what is not modelled.
    Pointer(PointerUse),
    /// The number that an address is matters.
    Address(AddressUse),
    /// The bits of a NaN matter that arithmetic may have given: the language leaves them open.
    NanBits,
    /// An operation is not modelled for what it is applied to.
    Operation(UnsupportedOperation),
    /// A value has not the form that is needed.
    Form(UnexpectedForm),
}

/// Which limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LimitReached {
    /// The time for a pair.
    Time,
    /// How many edges one symbolic run may take.
    RunSteps,
    /// How many terms one symbolic run may make, which bounds its memory.
    RunTerms,
    /// The time for one symbolic run.
    RunTime,
    /// How many calls may be under way at once.
    CallDepth,
    /// How many iterations of a loop, or calls of a function within itself, are followed.
    Iterations,
}

/// Why the solver has no answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum NoAnswer {
    /// The time for the question was over.
    TimedOut,
    /// Z3 was stopped from outside, which only its time limit does.
    Canceled,
    /// The time for the whole upgrade was over.
    UpgradeTimedOut,
    /// The user ended the run.
    Interrupted,
    /// Z3 ended its process for want of memory.
    OutOfMemory,
    /// Z3's own words.
    Unknown { words: Arc<str>, out_of_memory: bool },
    /// Z3 gave no reason, as it does also after a lack of memory.
    GaveUp,
    /// The question cannot be put in integers.
    NotInIntegers,
    /// The question has a remainder of floats, for which Z3 has no operator.
    FloatRemainder,
    /// Z3 found values and did not give them.
    NoModel,
    /// The values that Z3 gave do not make the terms true.
    FalseModel,
    /// The code around Z3 panicked.
    Failed { message: Arc<str>, out_of_memory: bool },
    /// The process could not be started, for the reason that the system gives.
    NotStarted(Arc<str>),
    /// The process ended by a signal.
    Killed { signal: i32 },
    /// The process ended by itself.
    Exited { code: i32 },
    /// How the process ended is not known, for the reason that the system gives.
    Lost(Arc<str>),
    /// Several processes were asked, and these are all their reasons.
    Several(Arc<[NoAnswer]>),
}

/// Why neither a proof nor a difference was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NoProof {
    /// The two versions take or give values of different types, which cannot be compared.
    OtherTypes,
    /// No relation was found that the loops of the two versions keep.
    LoopRelation,
    /// The solver found a difference that a run on its inputs did not show.
    UnconfirmedDifference,
    /// The facts that a proof rests on exclude each other: at least one of them is wrong.
    ContradictoryFacts,
    /// The prover panicked.
    ProverFailed,
    /// A cycle of the control flow can be entered in two places.
    Irreducible,
}

/// Why there is no code to follow.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NoCode {
    /// What is called or compared is no function with a body.
    Bodyless,
    /// The compiler kept no MIR of the function.
    NoMir,
    /// A type in the function cannot be resolved: this one, if the compiler says which.
    UnresolvedType(Option<Arc<str>>),
    /// A trait declares the constant and gives it no value.
    ConstantWithoutValue,
    /// The function calls itself with ever larger types.
    EndlessTypes,
    /// The compiler panicked on the function, with this message.
    CompilerFailed(Arc<str>),
    /// A function outside of Rust, by its symbol.
    Foreign(Arc<str>),
    /// Inline assembly: its text, operands and options.
    Assembly(Arc<str>),
}

/// What is compiled outside of the client's own build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CodeElsewhere {
    /// A macro, which other crates expand.
    Macro,
    /// A function that is declared with another signature than it is defined with.
    OtherDeclaration,
}

/// How the allocator is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HeapUse {
    /// The allocator is called.
    Allocator,
    /// An allocation has failed.
    FailedAllocation,
}

/// What is called without it being known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnknownCallee {
    /// What a function pointer points to.
    Function,
    /// A method of a trait object.
    Method,
}

/// What depends on parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GenericCode {
    /// A method that callers supply with their types.
    SuppliedMethod,
    /// What is dropped.
    Drop,
    /// A constant.
    Constant,
    /// The length of an array.
    ArrayLength,
    /// No code: it stands for the type of this name, so that the type can be compared.
    GivenType(Arc<str>),
}

/// Why it is not known whether overflow is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OverflowChecks {
    /// The code may be generated in packages whose profiles differ in this.
    ProfilesDiffer,
    /// The code may be the one that was compiled with the standard library.
    OnlyStdKnows,
}

/// What a coroutine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CoroutineUse {
    /// It suspends itself.
    Yield,
    /// It is dropped while it is suspended.
    Drop,
    /// A value holds its state.
    State,
}

/// What other code can change.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SharedState {
    /// The static of this name.
    Static(Arc<str>),
    /// Memory behind a constant.
    Memory,
    /// A static of which each thread has its own.
    ThreadLocal,
    /// A cell: a value that can change behind a shared reference.
    Cell,
}

/// Why values of a type are not modelled.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnsupportedType {
    /// The type of this name is none of those that are.
    Named(Arc<str>),
    /// The type contains itself.
    Recursive,
    /// The type has no values.
    Empty,
    /// The size of the type is not known.
    UnknownSize,
    /// The alignment of the type is not known.
    UnknownAlignment,
}

/// How a reference is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReferenceUse {
    /// It points to a value of the type of this name, which is not modelled.
    To(Arc<str>),
    /// A call whose code is not entered gives it.
    UnknownTarget,
    /// It is mutable and part of an enum.
    MutableInEnum,
    /// It is behind another reference.
    Nested,
    /// It is used in a loop and may point to what another reference or variable there is.
    AliasedInLoop,
}

/// What is seen as another type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reinterpretation {
    /// A value, by a transmute.
    Value,
    /// Memory, through a pointer.
    Memory,
    /// A union, through another field than was written.
    Union,
    /// The bytes of a value that is not known.
    UnknownBytes,
    /// The bytes of a value of the type of this name, whose layout is not known.
    BytesOf(Arc<str>),
    /// Numbers or their bytes, compared byte by byte.
    ComparedBytes,
    /// What is no number, overwritten byte by byte.
    WrittenBytes,
    /// One value that has two forms, depending on the path.
    TwoForms,
}

/// The form of a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ConstantForm {
    /// The compiler gave only this text for it.
    Opaque(Arc<str>),
    /// It is of the type of this name, whose layout is not known.
    OfType(Arc<str>),
    /// It contains a pointer that is not modelled.
    Pointer,
    /// It contains a pointer into the middle of another constant.
    InnerPointer,
    /// It has fewer bytes than its type.
    TooShort,
    /// It contains a number of more than 128 bits.
    LargeNumber,
}

/// What is too long, or of unknown length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Extent {
    /// An array has more elements than are followed.
    LongArray,
    /// A copy is of more elements than are followed.
    LongCopy,
    /// A constant has more elements than are followed.
    LongConstant,
    /// The length of a slice is not known.
    UnknownSlice,
    /// The length of a copy is not known.
    UnknownCopy,
    /// A pointer becomes one to a slice or trait object of which nothing more is known.
    UnknownPointee,
}

/// Where a pointer or an index leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PointerUse {
    /// The pointer itself is not known.
    Unknown,
    /// On no path does it point anywhere.
    Nowhere,
    /// What it pointed to is gone.
    Dangling,
    /// It may point to more places than are followed.
    ManyTargets,
    /// It points to a fixed address.
    FixedAddress,
    /// It points to the code of a function, which is read.
    CodeAsData,
    /// What is written to is no object.
    WriteToNoObject,
    /// A part is taken of what is no object.
    PartOfNoObject,
    /// A part is taken of what is no slice.
    PartOfNoSlice,
    /// An element is taken of what is no array.
    ElementOfNoArray,
    /// It is moved by what is no number.
    OffsetByNoNumber,
    /// It is moved, and points to no object.
    OffsetOfNoObject,
    /// It is moved, and points into no array.
    OffsetOfNoArray,
    /// It is moved in other units than the elements of its array.
    OtherUnits,
    /// The index is beyond the elements on some path.
    IndexBeyondEnd,
    /// The part is beyond the end.
    PartBeyondEnd,
    /// The index is not known.
    UnknownIndex,
}

/// How the number of an address matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AddressUse {
    /// A pointer is cast to an integer.
    CastToNumber,
    /// A pointer in a constant is read as an integer.
    ReadAsNumber,
    /// A number is seen as a reference.
    OfNumber,
    /// Two addresses are compared that are not in one array.
    Compared,
    /// The distance of two addresses is taken that are not in one array.
    Distance,
}

/// An operation that is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnsupportedOperation {
    /// Arithmetic on what is no number.
    OnNoNumber,
    /// A binary operation on integers.
    OnIntegers,
    /// A binary operation on truth values.
    OnBools,
    /// A binary operation on floats.
    OnFloats,
    /// A unary operation.
    Unary,
    /// A comparison whose result has an unexpected type.
    Comparison,
    /// A cast to what is no float.
    CastToNoFloat,
    /// A cast to what is no integer.
    CastToNoInteger,
    /// A count of bits whose result has an unexpected type.
    BitCount,
    /// A product that does not fit 128 bits.
    WideProduct,
    /// A reborrow of a type that a user made to be like a reference.
    Reborrow { mutable: bool },
    /// A call in which an argument is missing.
    MissingArgument,
    /// A call of a closure whose arguments are no tuple.
    UntupledArguments,
    /// A call with arguments of other forms than the function's parameters.
    OtherArguments,
}

/// A value that has not the form that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnexpectedForm {
    /// Nothing was written to it.
    Uninit,
    /// It is not a number.
    NoNumber,
    /// It is a slice where one value is needed.
    Slice,
    /// It is a slice, and the part that is read of it is no element.
    SlicePart,
    /// It has not the part that is read.
    NoSuchPart,
    /// It has not the part that is written.
    NoSuchPartToWrite,
    /// Which variant it is is not known.
    UnknownVariant,
    /// Its variants have no numbers.
    UnnumberedVariant,
    /// It has no variants.
    NoVariants,
}

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// What reasons have in common, for users and dashboards to count by. `docs/reasons.md` has the
        /// same table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Family {
            $(#[doc = concat!("`", $code, "`")] $(#[$doc])* $name,)*
        }

        impl Family {
            pub const ALL: &[Family] = &[$(Family::$name,)*];

            /// The code in JSON. It stays as it is once it is published.
            pub fn code(self) -> &'static str {
                match self {
                    $(Family::$name => $code,)*
                }
            }
        }
    };
}

families! {
    /// The time was over. More time may help.
    Time = "time",
    /// A symbolic run took more steps than it may.
    CodeBudget = "code-budget",
    /// The solver or a symbolic run needed more memory than it may take.
    MemoryLimit = "memory-limit",
    /// Calls are nested too deeply.
    Nesting = "nesting",
    /// A loop or a recursion goes on for longer than is tried.
    Iterations = "iterations",
    /// No relation between the loops of the two versions was found.
    LoopRelation = "loop-relation",
    /// The solver found a difference that could not be confirmed.
    Unconfirmed = "unconfirmed",
    /// The solver found no answer.
    Solver = "solver",
    /// A part of the tool, or the compiler, failed. Please report it.
    ToolFailure = "tool-failure",
    /// The run was interrupted.
    Interrupted = "interrupted",
    /// The two versions take or give values of different types.
    OtherTypes = "other-types",
    /// The control flow has a form that is not modelled.
    ControlFlow = "control-flow",
    /// No code is to be had.
    MissingCode = "missing-code",
    /// A function outside of Rust is called.
    ForeignCode = "foreign-code",
    /// There is inline assembly.
    InlineAssembly = "inline-assembly",
    /// Memory comes from the heap.
    Heap = "heap",
    /// An operation of the compiler is not modelled.
    Intrinsic = "intrinsic",
    /// A function pointer or a trait object is called whose target is not known.
    DynamicCall = "dynamic-call",
    /// Code depends on parameters that callers choose.
    Generic = "generic",
    /// Whether overflow is checked depends on profiles.
    Profile = "profile",
    /// There is async code or another coroutine.
    Coroutine = "coroutine",
    /// Statics, cells or other state is read that can change meanwhile.
    SharedState = "shared-state",
    /// Values of a type are not modelled.
    Type = "type",
    /// References point to what is not modelled, or may overlap.
    Reference = "reference",
    /// Values or memory are seen as another type.
    Reinterpretation = "reinterpretation",
    /// A constant has a form that is not modelled.
    Constant = "constant",
    /// An array, slice, copy or constant is too long or of unknown length.
    Length = "length",
    /// A pointer or index leads to what is not modelled.
    Pointer = "pointer",
    /// The number that an address is matters.
    Address = "address",
    /// The bits of a NaN matter that arithmetic may have given.
    FloatBits = "float-bits",
    /// An operation is not modelled for what it is applied to.
    Operation = "operation",
}

impl Reason {
    /// The stable code of its [`Family`], as the JSON report has it.
    pub fn code(&self) -> &'static str {
        self.family().code()
    }

    pub fn family(&self) -> Family {
        match self {
            Reason::Limit(limit) => limit.family(),
            Reason::Solver(why) => why.family(),
            Reason::Proof(why) => why.family(),
            Reason::Code(why) => why.family(),
            Reason::Elsewhere(_) => Family::MissingCode,
            Reason::Intrinsic(_) => Family::Intrinsic,
            Reason::Heap(_) => Family::Heap,
            Reason::Callee(_) => Family::DynamicCall,
            Reason::Generic(_) => Family::Generic,
            Reason::OverflowChecks(_) => Family::Profile,
            Reason::Coroutine(_) => Family::Coroutine,
            Reason::Shared(_) => Family::SharedState,
            Reason::Type(_) => Family::Type,
            Reason::Reference(_) => Family::Reference,
            Reason::Reinterpreted(_) => Family::Reinterpretation,
            Reason::Constant(_) => Family::Constant,
            Reason::Extent(_) => Family::Length,
            Reason::Pointer(_) => Family::Pointer,
            Reason::Address(_) => Family::Address,
            Reason::NanBits => Family::FloatBits,
            Reason::Operation(_) | Reason::Form(_) => Family::Operation,
        }
    }
}

impl LimitReached {
    fn family(self) -> Family {
        match self {
            LimitReached::Time | LimitReached::RunTime => Family::Time,
            LimitReached::RunSteps => Family::CodeBudget,
            LimitReached::RunTerms => Family::MemoryLimit,
            LimitReached::CallDepth => Family::Nesting,
            LimitReached::Iterations => Family::Iterations,
        }
    }
}

impl NoAnswer {
    /// Whether Z3 may have run out of memory, after which its process finds no answer any more. Errs
    /// towards yes.
    pub fn lacks_memory(&self) -> bool {
        match self {
            NoAnswer::OutOfMemory | NoAnswer::GaveUp => true,
            NoAnswer::Unknown { out_of_memory, .. } | NoAnswer::Failed { out_of_memory, .. } => {
                *out_of_memory
            }
            NoAnswer::Several(all) => all.iter().any(NoAnswer::lacks_memory),
            _ => false,
        }
    }

    /// Of several reasons the one counts that a user can do most about.
    fn family(&self) -> Family {
        match self {
            NoAnswer::TimedOut | NoAnswer::Canceled | NoAnswer::UpgradeTimedOut => Family::Time,
            NoAnswer::Interrupted => Family::Interrupted,
            NoAnswer::OutOfMemory
            | NoAnswer::Unknown { out_of_memory: true, .. }
            | NoAnswer::Failed { out_of_memory: true, .. } => Family::MemoryLimit,
            NoAnswer::Unknown { .. }
            | NoAnswer::GaveUp
            | NoAnswer::NotInIntegers
            | NoAnswer::FloatRemainder => Family::Solver,
            NoAnswer::NoModel
            | NoAnswer::FalseModel
            | NoAnswer::Failed { .. }
            | NoAnswer::NotStarted(_)
            | NoAnswer::Killed { .. }
            | NoAnswer::Exited { .. }
            | NoAnswer::Lost(_) => Family::ToolFailure,
            NoAnswer::Several(all) => {
                let has = |family: &Family| all.iter().any(|it| it.family() == *family);
                let by_weight =
                    [Family::Interrupted, Family::Time, Family::MemoryLimit, Family::ToolFailure];
                by_weight.into_iter().find(has).unwrap_or(Family::Solver)
            }
        }
    }
}

impl NoProof {
    fn family(self) -> Family {
        match self {
            NoProof::OtherTypes => Family::OtherTypes,
            NoProof::LoopRelation => Family::LoopRelation,
            NoProof::UnconfirmedDifference => Family::Unconfirmed,
            NoProof::ContradictoryFacts | NoProof::ProverFailed => Family::ToolFailure,
            NoProof::Irreducible => Family::ControlFlow,
        }
    }
}

impl NoCode {
    fn family(&self) -> Family {
        match self {
            NoCode::Bodyless
            | NoCode::NoMir
            | NoCode::UnresolvedType(_)
            | NoCode::ConstantWithoutValue
            | NoCode::EndlessTypes => Family::MissingCode,
            NoCode::CompilerFailed(_) => Family::ToolFailure,
            NoCode::Foreign(_) => Family::ForeignCode,
            NoCode::Assembly(_) => Family::InlineAssembly,
        }
    }
}

macro_rules! kinds {
    ($($kind:ident => $variant:ident,)*) => {
        $(impl From<$kind> for Reason {
            fn from(kind: $kind) -> Reason {
                Reason::$variant(kind)
            }
        })*
    };
}

kinds! {
    LimitReached => Limit,
    NoAnswer => Solver,
    NoProof => Proof,
    NoCode => Code,
    CodeElsewhere => Elsewhere,
    HeapUse => Heap,
    UnknownCallee => Callee,
    GenericCode => Generic,
    OverflowChecks => OverflowChecks,
    CoroutineUse => Coroutine,
    SharedState => Shared,
    UnsupportedType => Type,
    ReferenceUse => Reference,
    Reinterpretation => Reinterpreted,
    ConstantForm => Constant,
    Extent => Extent,
    PointerUse => Pointer,
    AddressUse => Address,
    UnsupportedOperation => Operation,
    UnexpectedForm => Form,
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_family_has_a_code_of_its_own_in_kebab_case() {
        let codes: HashSet<&str> = Family::ALL.iter().map(|family| family.code()).collect();
        assert_eq!(codes.len(), Family::ALL.len());
        let is_kebab = |code: &&str| code.chars().all(|it| it.is_ascii_lowercase() || it == '-');
        assert!(codes.iter().all(is_kebab), "{codes:?}");
    }

    #[test]
    fn the_documented_codes_are_those_that_there_are() {
        let (engines, _) = include_str!("../docs/reasons.md").split_once("## Entry").unwrap();
        let documented: Vec<&str> = engines
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split_once("` |"))
            .map(|(code, _)| code)
            .collect();
        let codes: Vec<&str> = Family::ALL.iter().map(|family| family.code()).collect();
        assert_eq!(documented, codes);
    }

    #[test]
    fn a_reason_is_the_same_after_it_was_written_and_read() {
        let several = NoAnswer::Several([NoAnswer::TimedOut, NoAnswer::Lost("x".into())].into());
        let unresolved = NoCode::UnresolvedType(Some("dep::T".into()));
        for reason in [several.into(), unresolved.into(), Reason::NanBits] {
            let bytes = postcard::to_stdvec(&reason).unwrap();
            assert_eq!(postcard::from_bytes::<Reason>(&bytes).unwrap(), reason);
        }
    }

    #[test]
    fn of_several_answers_the_one_counts_that_more_time_may_change() {
        let several = |all: &[NoAnswer]| Reason::from(NoAnswer::Several(all.into())).code();
        assert_eq!(several(&[NoAnswer::OutOfMemory, NoAnswer::TimedOut]), "time");
        assert_eq!(several(&[NoAnswer::NotInIntegers, NoAnswer::OutOfMemory]), "memory-limit");
        assert_eq!(several(&[NoAnswer::NotInIntegers, NoAnswer::GaveUp]), "solver");
    }

    #[test]
    fn the_limits_of_one_run_are_told_apart_by_their_codes() {
        let codes = [LimitReached::RunSteps, LimitReached::RunTerms, LimitReached::RunTime]
            .map(|limit| Reason::from(limit).code());
        assert_eq!(codes, ["code-budget", "memory-limit", "time"]);
    }
}
