//! Items of the standard library that the tool knows: the only place that tells them by their names.
//!
//! Lang items and diagnostic items come first. Where std marks an item as neither, its path stands in a
//! table here, as [`Names::bare_path`](crate::names::Names::bare_path) prints it. Only items of crates
//! that came with the compiler are looked up.

use cargo_cse::cfa::{Body, Function, Intrinsic, StdFn, StdType};
use rustc_attr_ir::lang_items::LangItem;
use rustc_hir::def::DefKind;
use rustc_middle::ty::{self, GenericArgsRef, Ty};
use rustc_span::def_id::DefId;
use rustc_span::sym;

use crate::collect::{Code, Collector};

/// Functions by their paths.
const FUNCTIONS: &[(&str, StdFn)] = &[
    ("alloc::alloc::__rust_alloc", StdFn::Alloc),
    ("alloc::alloc::__rust_alloc_zeroed", StdFn::AllocZeroed),
    ("alloc::alloc::__rust_realloc", StdFn::Realloc),
    ("alloc::alloc::__rust_dealloc", StdFn::Dealloc),
    ("alloc::alloc::__rust_no_alloc_shim_is_unstable_v2", StdFn::AllocatorShim),
    ("core::hint::unreachable_unchecked", StdFn::UnreachableUnchecked),
    ("core::fmt::Arguments::new", StdFn::FormatArguments),
    ("core::fmt::Arguments::from_str", StdFn::FormatArguments),
    ("core::fmt::Arguments::from_str_nonconst", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new_display", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new_debug", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new_debug_noop", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new_octal", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new_lower_hex", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new_upper_hex", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new_binary", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new_lower_exp", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new_upper_exp", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::from_usize", StdFn::FormatArguments),
    ("core::fmt::rt::Argument::new_pointer", StdFn::FormatPointer),
    ("<[#0]>::align_to", StdFn::QueryAddress),
    ("<[#0]>::align_to_mut", StdFn::QueryAddress),
    ("<[#0]>::as_simd", StdFn::QueryAddress),
    ("<[#0]>::as_simd_mut", StdFn::QueryAddress),
    ("core::mem::transmute_copy", StdFn::Transmute),
    ("core::mem::transmute_neo", StdFn::Transmute),
    ("core::mem::transmute_prefix", StdFn::Transmute),
];

/// What is asked of pointers, by the names of functions and methods.
const ASKED_OF_POINTERS: &[&str] = &[
    "addr",
    "addr_eq",
    "align_offset",
    "eq",
    "expose_provenance",
    "fn_addr_eq",
    "is_aligned",
    "is_aligned_to",
];

/// Where the functions and types are that are about pointers.
const POINTERS: &str = "core::ptr::";

/// Functions that do not return, with those inside of them. All others of core and alloc panic.
const NEVER_RETURN: &[(&str, Diverges)] = &[
    ("alloc::alloc::handle_alloc_error", Diverges::AllocError),
    ("std::alloc::rust_oom", Diverges::AllocError),
    // Passes on to one of these, or to a panic.
    ("alloc::raw_vec::handle_error", Diverges::Entered),
    ("core::hint::unreachable_unchecked", Diverges::Entered),
    // These do not unwind: they end the process.
    ("core::process::abort_immediate", Diverges::Entered),
    ("core::panicking::panic_nounwind", Diverges::Entered),
    ("core::panicking::panic_nounwind_fmt", Diverges::Entered),
    ("core::panicking::panic_nounwind_nobacktrace", Diverges::Entered),
    ("core::panicking::panic_cannot_unwind", Diverges::Entered),
    ("core::panicking::panic_in_cleanup", Diverges::Entered),
];

/// The modules in which what does not return panics, unless [`NEVER_RETURN`] says otherwise.
const PANIC_INSIDE: &[&str] = &["core::", "alloc::", "std::panicking::", "std::rt::"];

/// What set or take the code that panics run.
const PANIC_HOOKS: &[&str] =
    &["std::panicking::set_hook", "std::panicking::take_hook", "std::panicking::update_hook"];

/// Where types are whose values can own values of types that their own does not name.
pub const MAY_OWN_OTHERS: &[&str] = &["core::io::", "std::"];

/// The types that are formatted by code that they do not name.
pub const FORMAT_OTHERS: &[&str] = &["core::fmt::Arguments"];

/// The modules of core that need not be looked into to know that they only make text.
pub const ONLY_MAKE_TEXT: &[&str] = &["core::panicking::", "core::io::error::"];

/// The modules of std that do not deal with the system.
pub const ONLY_COMPUTE: &[&str] =
    &["std::collections::", "std::path::", "std::ffi::", "std::sys::os_str::"];

/// What a function that does not return does.
#[derive(Clone, Copy)]
enum Diverges {
    /// It is looked into, like any other.
    Entered,
    AllocError,
}

/// What the callee of a panic throws.
pub enum Throws {
    /// Its argument.
    Argument,
    /// What is in the box that it is given.
    Boxed,
    Message,
}

/// Which well-known type a struct, enum or union is.
pub fn type_tag(collector: &Collector<'_>, def_id: DefId) -> Option<StdType> {
    let tcx = collector.tcx;
    if !collector.is_std(def_id.krate) {
        return None;
    }
    match tcx.as_lang_item(def_id) {
        Some(LangItem::UnsafeCell) => return Some(StdType::UnsafeCell),
        Some(LangItem::OwnedBox) => return Some(StdType::Box),
        Some(LangItem::String) => return Some(StdType::String),
        Some(LangItem::Option) => return Some(StdType::Option),
        _ => {}
    }
    match tcx.get_diagnostic_name(def_id)?.as_str() {
        "Rc" => Some(StdType::Rc),
        "Arc" => Some(StdType::Arc),
        "Vec" => Some(StdType::Vec),
        "NonZero" => Some(StdType::NonZero),
        "Duration" => Some(StdType::Duration),
        _ => None,
    }
}

/// Which well-known function some code is.
pub fn function_tag<'tcx>(collector: &Collector<'tcx>, code: Code<'tcx>) -> Option<StdFn> {
    let (def_id, args) = match code {
        Code::Instance(instance) => (instance.def_id(), instance.args),
        Code::Supplied(def_id, args) => (def_id, args),
        _ => return None,
    };
    if !collector.is_std(def_id.krate) {
        return None;
    }
    let path = collector.names.bare_path(def_id);
    let listed = FUNCTIONS.iter().find(|(known, _)| *known == path);
    match listed {
        Some((_, tag)) => Some(*tag),
        None if asks_of_pointers(collector, def_id, args) => Some(StdFn::QueryAddress),
        None if shows_pointers(collector, def_id, args) => Some(StdFn::ShowAddress),
        None => None,
    }
}

/// The operation that the compiler implements in place of a function. What others than std declare is
/// known by its name alone, and so to no one.
pub fn intrinsic(collector: &Collector<'_>, def_id: DefId) -> Intrinsic {
    let name = collector.tcx.item_name(def_id);
    match collector.is_std(def_id.krate) {
        true => Intrinsic::named(name.as_str()),
        false => Intrinsic::Other(name.to_string()),
    }
}

/// Whether a function of the standard library is where a panic or a failed allocation begins: the
/// walk ends there. All of core and alloc that never returns is, except what only passes on.
pub fn outcome(collector: &Collector<'_>, def_id: DefId) -> Option<Body> {
    let tcx = collector.tcx;
    if !collector.is_std(def_id.krate)
        || !matches!(tcx.def_kind(def_id), DefKind::Fn | DefKind::AssocFn)
        || !tcx.fn_sig(def_id).skip_binder().output().skip_binder().is_never()
    {
        return None;
    }
    let path = collector.names.bare_path(def_id);
    let is_inside = |known: &str| {
        path.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    match NEVER_RETURN.iter().find(|(known, _)| is_inside(known)) {
        Some((_, Diverges::Entered)) => None,
        Some((_, Diverges::AllocError)) => Some(Body::AllocError),
        None => PANIC_INSIDE.iter().any(|it| path.starts_with(it)).then_some(Body::Panic),
    }
}

/// What is thrown where some code begins a panic.
pub fn throws(collector: &Collector<'_>, def_id: DefId) -> Throws {
    match collector.names.bare_path(def_id).as_str() {
        "std::panicking::begin_panic" => Throws::Argument,
        "std::panicking::resume_unwind" => Throws::Boxed,
        _ => Throws::Message,
    }
}

/// Whether a function sets or takes the code that panics run.
pub fn is_panic_hook(function: &Function) -> bool {
    is_in(&function.name, PANIC_HOOKS)
}

/// Whether a function catches panics. What the runtime catches at the end of a thread ends the process.
pub fn catches_panics(function: &Function) -> bool {
    matches!(function.body, Body::Intrinsic(Intrinsic::CatchUnwind))
        && !function.name.contains("Data<std::rt::")
}

/// Whether a function is a part of the panic machinery of core.
pub fn is_panicking(function: &Function) -> bool {
    function.name.starts_with("core::panicking::")
}

/// Whether a path is in one of the modules, or is that of a method of a type in one.
pub fn is_in(path: &str, modules: &[&str]) -> bool {
    let path = path.trim_start_matches(['<', '&']);
    modules.iter().any(|module| path.starts_with(module))
}

/// Whether a trait is one of those that format.
pub fn is_formatting_trait(collector: &Collector<'_>, trait_id: DefId) -> bool {
    is_of_formatting(&collector.names.bare_path(trait_id))
}

/// Whether a path is one of the formatting machinery.
pub fn is_of_formatting(path: &str) -> bool {
    path.starts_with("core::fmt::")
}

/// Whether a function pairs values with the functions that format them.
pub fn pairs_with_formatting(function: &Function) -> bool {
    function.name.starts_with("core::fmt::rt::")
}

/// Whether a function formats values of a type.
pub fn is_formatting(function: &Function) -> bool {
    function.name.contains(" as core::fmt::")
}

/// Whether a function formats what was put together elsewhere.
pub fn formats_arguments(function: &Function) -> bool {
    function.name.starts_with("<core::fmt::Arguments as ")
}

/// Whether a method takes the text that others make.
pub fn takes_text(method: &str) -> bool {
    method.starts_with("core::fmt::Write::")
}

/// Whether a function is about what can change while it is shared, or is given something of the kind.
pub fn is_about_cells(function: &Function) -> bool {
    function.name.contains("core::cell::") || function.name.contains("core::sync::")
}

/// Whether a foreign function is one that the compiler brings along: the allocator, the unwinder, and
/// instructions of the machine.
pub fn is_of_compiler(symbol: &str) -> bool {
    symbol.contains("__rust_") || symbol.starts_with("llvm.")
}

/// Whether a function asks whether to check for undefined behaviour.
pub fn asks_for_checks(collector: &Collector<'_>, def_id: DefId) -> bool {
    collector.is_std(def_id.krate)
        && collector.names.bare_path(def_id) == "core::ub_checks::check_language_ub"
}

/// Whether a function gives an address, compares two or says how one is aligned: one of those that are
/// asked of pointers, and pointers are among what it is for. Errs towards yes.
fn asks_of_pointers<'tcx>(
    collector: &Collector<'tcx>,
    def_id: DefId,
    args: GenericArgsRef<'tcx>,
) -> bool {
    let tcx = collector.tcx;
    let asked = tcx.opt_item_name(tcx.typeck_root_def_id(def_id));
    if !asked.is_some_and(|name| ASKED_OF_POINTERS.contains(&name.as_str())) {
        return false;
    }
    let path = collector.names.bare_path(def_id);
    let is_about_pointers = |ty: Ty<'tcx>| match ty.kind() {
        ty::Adt(adt, _) => collector.names.bare_path(adt.did()).starts_with(POINTERS),
        _ => false,
    };
    path.contains(POINTERS)
        || path.starts_with("<*")
        || args.types().next().is_some_and(|own| own.is_raw_ptr() || own.is_fn_ptr())
        || args
            .types()
            .flat_map(|ty| ty.walk())
            .filter_map(|it| it.as_type())
            .any(is_about_pointers)
}

/// Whether a method makes a text, a hash or an order of an address.
fn shows_pointers<'tcx>(
    collector: &Collector<'tcx>,
    def_id: DefId,
    args: GenericArgsRef<'tcx>,
) -> bool {
    let tcx = collector.tcx;
    let method = tcx.typeck_root_def_id(def_id);
    let (trait_id, own_type) = if let Some(trait_id) = tcx.trait_of_assoc(method) {
        (trait_id, args.types().next())
    } else if let Some(impl_id) = tcx.trait_impl_of_assoc(method) {
        let args = &args[..tcx.generics_of(impl_id).count().min(args.len())];
        let trait_ref = tcx.impl_trait_ref(impl_id).instantiate(tcx, args).skip_norm_wip();
        (trait_ref.def_id, Some(trait_ref.self_ty()))
    } else {
        return false;
    };
    let is_pointer = own_type.is_some_and(|ty| match ty.kind() {
        ty::RawPtr(..) | ty::FnPtr(..) => true,
        ty::Adt(adt, _) => tcx.is_lang_item(adt.did(), LangItem::NonNull),
        _ => false,
    });
    match tcx.get_diagnostic_name(trait_id) {
        Some(sym::Pointer) => true,
        Some(sym::Debug | sym::Hash | sym::Ord | sym::PartialOrd) => is_pointer,
        _ => false,
    }
}
