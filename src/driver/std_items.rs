//! Which items of the standard library are known to later stages.
//!
//! Lang items and diagnostic items come first. Where std marks an item as neither, its path stands in a
//! table here, as [`Names::bare_path`](crate::names::Names::bare_path) prints it. Only items of crates
//! that came with the compiler are looked up.

use cargo_cse::cfa::{StdFn, StdType};
use rustc_attr_ir::lang_items::LangItem;
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
