//! The operations that the compiler implements itself, each by its own name: what is not in this table
//! is known to no stage.

use serde::{Deserialize, Serialize};

/// What an [`Intrinsic`] can do besides giving a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntrinsicEffect {
    /// Nothing: its result, and what it writes to where its arguments point, follow from its arguments
    /// and from what they point to.
    Computes,
    /// It ends the process.
    Aborts,
    /// It can see or change what no argument leads to, or run code that only a value knows.
    ReachesOutside,
}

/// Declares [`Intrinsic`] from rows of a variant and the compiler's name for it, in blocks of one
/// [`IntrinsicEffect`] each.
macro_rules! intrinsics {
    ($($effect:ident { $($variant:ident = $name:literal,)* })*) => {
        /// An operation that the compiler implements, as the driver made it from the compiler's name.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Intrinsic {
            $($($variant,)*)*
            /// An operation on vectors, by its name.
            Simd(String),
            /// One that the table does not have, by its name.
            Other(String),
        }

        impl Intrinsic {
            /// The intrinsic that the compiler has under a name.
            pub fn named(name: &str) -> Intrinsic {
                match name {
                    $($($name => Intrinsic::$variant,)*)*
                    _ if name.starts_with("simd_") || name.starts_with("sve_") => {
                        Intrinsic::Simd(name.to_owned())
                    }
                    _ => Intrinsic::Other(name.to_owned()),
                }
            }

            /// The compiler's name for it.
            pub fn name(&self) -> &str {
                match self {
                    $($(Intrinsic::$variant => $name,)*)*
                    Intrinsic::Simd(name) | Intrinsic::Other(name) => name,
                }
            }

            /// What it can do besides giving a result. Errs towards everything.
            pub fn effect(&self) -> IntrinsicEffect {
                match self {
                    $($(Intrinsic::$variant)|* => IntrinsicEffect::$effect,)*
                    Intrinsic::Simd(_) => IntrinsicEffect::Computes,
                    Intrinsic::Other(_) => IntrinsicEffect::ReachesOutside,
                }
            }
        }
    };
}

intrinsics! {
    Computes {
        // Promises and hints.
        Assume = "assume",
        Unreachable = "unreachable",
        BlackBox = "black_box",
        ColdPath = "cold_path",
        Forget = "forget",
        AssertInhabited = "assert_inhabited",
        AssertZeroValid = "assert_zero_valid",
        AssertMemUninitializedValid = "assert_mem_uninitialized_valid",
        IsValStaticallyKnown = "is_val_statically_known",
        SelectUnpredictable = "select_unpredictable",
        PrefetchReadData = "prefetch_read_data",
        PrefetchReadInstruction = "prefetch_read_instruction",
        PrefetchWriteData = "prefetch_write_data",
        PrefetchWriteInstruction = "prefetch_write_instruction",
        UbChecks = "ub_checks",
        OverflowChecks = "overflow_checks",
        CallerLocation = "caller_location",
        // Integers.
        WrappingAdd = "wrapping_add",
        WrappingSub = "wrapping_sub",
        WrappingMul = "wrapping_mul",
        AddWithOverflow = "add_with_overflow",
        SubWithOverflow = "sub_with_overflow",
        MulWithOverflow = "mul_with_overflow",
        UncheckedAdd = "unchecked_add",
        UncheckedSub = "unchecked_sub",
        UncheckedMul = "unchecked_mul",
        UncheckedDiv = "unchecked_div",
        UncheckedRem = "unchecked_rem",
        UncheckedShl = "unchecked_shl",
        UncheckedShr = "unchecked_shr",
        UncheckedFunnelShl = "unchecked_funnel_shl",
        UncheckedFunnelShr = "unchecked_funnel_shr",
        ExactDiv = "exact_div",
        DisjointBitor = "disjoint_bitor",
        ThreeWayCompare = "three_way_compare",
        SaturatingAdd = "saturating_add",
        SaturatingSub = "saturating_sub",
        RotateLeft = "rotate_left",
        RotateRight = "rotate_right",
        Ctpop = "ctpop",
        Ctlz = "ctlz",
        CtlzNonzero = "ctlz_nonzero",
        Cttz = "cttz",
        CttzNonzero = "cttz_nonzero",
        Bitreverse = "bitreverse",
        Bswap = "bswap",
        CarryingMulAdd = "carrying_mul_add",
        CarrylessMul = "carryless_mul",
        IntegerMin = "integer_min",
        IntegerMax = "integer_max",
        // Floats.
        Fabs = "fabs",
        Copysignf16 = "copysignf16",
        Copysignf32 = "copysignf32",
        Copysignf64 = "copysignf64",
        Copysignf128 = "copysignf128",
        MinimumNumberNszF16 = "minimum_number_nsz_f16",
        MinimumNumberNszF32 = "minimum_number_nsz_f32",
        MinimumNumberNszF64 = "minimum_number_nsz_f64",
        MinimumNumberNszF128 = "minimum_number_nsz_f128",
        MaximumNumberNszF16 = "maximum_number_nsz_f16",
        MaximumNumberNszF32 = "maximum_number_nsz_f32",
        MaximumNumberNszF64 = "maximum_number_nsz_f64",
        MaximumNumberNszF128 = "maximum_number_nsz_f128",
        Minimumf16 = "minimumf16",
        Minimumf32 = "minimumf32",
        Minimumf64 = "minimumf64",
        Minimumf128 = "minimumf128",
        Maximumf16 = "maximumf16",
        Maximumf32 = "maximumf32",
        Maximumf64 = "maximumf64",
        Maximumf128 = "maximumf128",
        Floor = "floor",
        Ceil = "ceil",
        Trunc = "trunc",
        Round = "round",
        RoundTiesEven = "round_ties_even",
        Sqrt = "sqrt",
        Fma = "fma",
        Fmuladd = "fmuladd",
        Powi = "powi",
        Powf = "powf",
        Exp = "exp",
        Exp2 = "exp2",
        Log = "log",
        Log2 = "log2",
        Log10 = "log10",
        Sin = "sin",
        Cos = "cos",
        FaddFast = "fadd_fast",
        FsubFast = "fsub_fast",
        FmulFast = "fmul_fast",
        FdivFast = "fdiv_fast",
        FremFast = "frem_fast",
        FaddAlgebraic = "fadd_algebraic",
        FsubAlgebraic = "fsub_algebraic",
        FmulAlgebraic = "fmul_algebraic",
        FdivAlgebraic = "fdiv_algebraic",
        FremAlgebraic = "frem_algebraic",
        FloatToIntUnchecked = "float_to_int_unchecked",
        // Memory behind the arguments.
        ReadViaCopy = "read_via_copy",
        WriteViaMove = "write_via_move",
        TypedSwapNonoverlapping = "typed_swap_nonoverlapping",
        Copy = "copy",
        CopyNonoverlapping = "copy_nonoverlapping",
        WriteBytes = "write_bytes",
        CompareBytes = "compare_bytes",
        RawEq = "raw_eq",
        NontemporalStore = "nontemporal_store",
        SliceGetUnchecked = "slice_get_unchecked",
        VaArg = "va_arg",
        VaCopy = "va_copy",
        VaEnd = "va_end",
        // Pointers.
        Offset = "offset",
        ArithOffset = "arith_offset",
        PtrOffsetFrom = "ptr_offset_from",
        PtrOffsetFromUnsigned = "ptr_offset_from_unsigned",
        PtrMetadata = "ptr_metadata",
        PtrMask = "ptr_mask",
        PtrGuaranteedCmp = "ptr_guaranteed_cmp",
        AggregateRawPtr = "aggregate_raw_ptr",
        // Types and what is known of values by them.
        Transmute = "transmute",
        TransmuteUnchecked = "transmute_unchecked",
        DiscriminantValue = "discriminant_value",
        SizeOf = "size_of",
        SizeOfVal = "size_of_val",
        AlignOf = "align_of",
        AlignOfVal = "align_of_val",
        OffsetOf = "offset_of",
        FieldOffset = "field_offset",
        NeedsDrop = "needs_drop",
        VariantCount = "variant_count",
        VtableSize = "vtable_size",
        VtableAlign = "vtable_align",
        TypeName = "type_name",
        TypeId = "type_id",
        TypeIdEq = "type_id_eq",
    }
    Aborts {
        Abort = "abort_immediate",
    }
    ReachesOutside {
        // What threads share.
        AtomicLoad = "atomic_load",
        AtomicStore = "atomic_store",
        AtomicXchg = "atomic_xchg",
        AtomicCxchg = "atomic_cxchg",
        AtomicCxchgweak = "atomic_cxchgweak",
        AtomicXadd = "atomic_xadd",
        AtomicXsub = "atomic_xsub",
        AtomicAnd = "atomic_and",
        AtomicNand = "atomic_nand",
        AtomicOr = "atomic_or",
        AtomicXor = "atomic_xor",
        AtomicMax = "atomic_max",
        AtomicMin = "atomic_min",
        AtomicUmax = "atomic_umax",
        AtomicUmin = "atomic_umin",
        AtomicFence = "atomic_fence",
        AtomicSinglethreadfence = "atomic_singlethreadfence",
        // What devices see.
        VolatileLoad = "volatile_load",
        VolatileStore = "volatile_store",
        VolatileCopyMemory = "volatile_copy_memory",
        VolatileCopyNonoverlappingMemory = "volatile_copy_nonoverlapping_memory",
        VolatileSetMemory = "volatile_set_memory",
        UnalignedVolatileLoad = "unaligned_volatile_load",
        UnalignedVolatileStore = "unaligned_volatile_store",
        // Code that is given as a pointer, debuggers, callers.
        CatchUnwind = "catch_unwind",
        Breakpoint = "breakpoint",
        ResumableBreakpoint = "resumable_breakpoint",
        ReturnAddress = "return_address",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_one_intrinsic_and_back() {
        for name in ["abort_immediate", "atomic_load", "simd_add", "sve_cast", "no_such_thing"] {
            assert_eq!(Intrinsic::named(name).name(), name);
        }
        assert_eq!(Intrinsic::named("abort_immediate"), Intrinsic::Abort);
    }

    #[test]
    fn what_is_not_known_can_do_anything() {
        let unknown = Intrinsic::named("no_such_thing");
        assert_eq!(unknown, Intrinsic::Other("no_such_thing".to_owned()));
        assert_eq!(unknown.effect(), IntrinsicEffect::ReachesOutside);
    }
}
