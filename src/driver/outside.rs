//! What code outside of the client can write down of the types in the signatures of entry points.

use std::collections::BTreeSet;

use cargo_cse::cfa::{
    Constructor, EntryTarget, OutsideType, OutsideVariant, Stored, Style, TyId, TypeKind,
};
use rustc_data_structures::fx::FxHashMap;
use rustc_hir::def::{CtorKind, DefKind};
use rustc_middle::mir::{self, AggregateKind, Operand, Rvalue, StatementKind, TerminatorKind};
use rustc_middle::ty::{
    self, AdtDef, EarlyBinder, GenericArgs, GenericArgsRef, GenericParamDef, GenericParamDefKind,
    Instance, InstanceKind, Ty, TyCtxt, TypeVisitableExt, TypingEnv,
};
use rustc_span::def_id::{CrateNum, DefId};
use rustc_span::{Ident, sym};

use crate::collect::Collector;
use crate::panics;
use crate::paths::Paths;

/// Fills [`Program::outside`](cargo_cse::cfa::Program::outside), once all entry points are known.
pub fn collect<'tcx>(collector: &mut Collector<'tcx>, paths: &mut Paths<'tcx>) {
    let mut known: FxHashMap<TyId, Ty<'tcx>> = FxHashMap::default();
    let mut queue = signatures(collector);
    let mut seen = BTreeSet::new();
    while let Some(id) = queue.pop() {
        if !seen.insert(id) {
            continue;
        }
        queue.extend(parts(&collector.program.ty(id).kind));
        if known.len() < collector.types.len() {
            known = collector.types.iter().map(|((ty, _), &id)| (id, *ty)).collect();
        }
        if let Some(&ty) = known.get(&id)
            && let ty::Adt(adt, args) = *ty.kind()
            && !ty.has_param()
        {
            let outside = of_type(collector, paths, ty, adt, args);
            queue.extend(outside.args.iter().copied());
            collector.program.outside.insert(id, outside);
        }
    }
}

fn signatures(collector: &Collector<'_>) -> Vec<TyId> {
    let program = &collector.program;
    let callable = program.entries.iter().filter(|entry| entry.call.is_some());
    let functions = callable.filter_map(|entry| match entry.target {
        EntryTarget::Function(id) => Some(program.function(id)),
        _ => None,
    });
    functions
        .flat_map(|function| function.locals.iter().take(function.params as usize + 1))
        .map(|local| local.ty)
        .collect()
}

fn parts(kind: &TypeKind) -> Vec<TyId> {
    match kind {
        TypeKind::Slice(part)
        | TypeKind::Array(part, _)
        | TypeKind::Reference { to: part, .. }
        | TypeKind::RawPointer { to: part, .. } => vec![*part],
        TypeKind::Tuple(parts) => parts.clone(),
        TypeKind::Struct(only) => only.fields.iter().map(|field| field.ty).collect(),
        TypeKind::Enum(variants) => {
            variants.iter().flat_map(|it| &it.fields).map(|field| field.ty).collect()
        }
        _ => Vec::new(),
    }
}

fn of_type<'tcx>(
    collector: &mut Collector<'tcx>,
    paths: &mut Paths<'tcx>,
    ty: Ty<'tcx>,
    adt: AdtDef<'tcx>,
    args: GenericArgsRef<'tcx>,
) -> OutsideType {
    let is_std = collector.is_std(adt.did().krate);
    let variants: Vec<_> = adt.variants().iter().map(variant).collect();
    let needs_constructor = adt.is_struct() && !variants.iter().all(|it| it.buildable);
    OutsideType {
        path: paths.item(adt.did(), is_std),
        package: collector.package_name(adt.did().krate),
        args: args
            .types()
            .map(|arg| plain_type(collector, arg))
            .collect::<Option<_>>()
            .unwrap_or_default(),
        variants,
        constructors: match needs_constructor {
            true => constructors(collector, paths, ty, adt, args),
            false => Vec::new(),
        },
    }
}

fn variant(variant: &ty::VariantDef) -> OutsideVariant {
    let public: Vec<bool> = variant.fields.iter().map(|field| field.vis.is_public()).collect();
    OutsideVariant {
        style: match variant.ctor_kind() {
            Some(CtorKind::Const) => Style::Unit,
            Some(CtorKind::Fn) => Style::Tuple,
            None => Style::Named,
        },
        buildable: public.iter().all(|it| *it) && !variant.is_field_list_non_exhaustive(),
        public,
    }
}

/// A type argument; none where the program does not have it and taking it in could bring in code.
fn plain_type<'tcx>(collector: &mut Collector<'tcx>, ty: Ty<'tcx>) -> Option<TyId> {
    let env = TypingEnv::fully_monomorphized();
    if let Some(&id) = collector.types.get(&(ty, env)) {
        return Some(id);
    }
    let is_plain = |part: Ty<'tcx>| match part.kind() {
        ty::Adt(..) => collector.types.contains_key(&(part, env)),
        ty::Ref(..) | ty::Tuple(_) | ty::Array(..) | ty::Slice(_) | ty::Str => true,
        _ => part.is_primitive(),
    };
    let plain = ty.walk().filter_map(|part| part.as_type()).all(is_plain);
    plain.then(|| collector.ty(ty, env))
}

/// Public functions that only store their parameters in a new value of the type.
fn constructors<'tcx>(
    collector: &Collector<'tcx>,
    paths: &mut Paths<'tcx>,
    ty: Ty<'tcx>,
    adt: AdtDef<'tcx>,
    args: GenericArgsRef<'tcx>,
) -> Vec<Constructor> {
    let tcx = collector.tcx;
    let mut impls: Vec<DefId> = tcx.inherent_impls(adt.did()).to_vec();
    if let Some(from) = tcx.get_diagnostic_item(sym::From) {
        impls.extend(tcx.non_blanket_impls_for_ty(from, ty));
    }
    let mut found = Vec::new();
    for impl_id in impls {
        // What the compiler fails on here only makes fewer native runs possible.
        let of_impl = panics::caught(|| of_impl(collector, paths, ty, impl_id, args));
        found.extend(of_impl.unwrap_or_default());
    }
    let is_std = |number: CrateNum| collector.is_std(number);
    for id in tcx.hir_crate_items(()).definitions() {
        let function = id.to_def_id();
        if tcx.def_kind(id) == DefKind::Fn
            && !tcx.generics_of(id).requires_monomorphization(tcx)
            && is_callable(tcx, function)
            && let Some((parameters, fields)) = stores(tcx, function, GenericArgs::empty(), ty)
            && let Some(call) = paths.call(function, &is_std)
        {
            found.push(Constructor { call, parameters, fields });
        }
    }
    found
}

fn of_impl<'tcx>(
    collector: &Collector<'tcx>,
    paths: &mut Paths<'tcx>,
    ty: Ty<'tcx>,
    impl_id: DefId,
    args: GenericArgsRef<'tcx>,
) -> Vec<Constructor> {
    let tcx = collector.tcx;
    let is_std = |number: CrateNum| collector.is_std(number);
    let mut found = Vec::new();
    let Some(args) = impl_args(tcx, impl_id, ty, args) else {
        return found;
    };
    for &item in tcx.associated_item_def_ids(impl_id) {
        let is_function = tcx.def_kind(item) == DefKind::AssocFn
            && !tcx.generics_of(item).own_requires_monomorphization()
            && tcx.is_mir_available(item);
        if is_function
            && is_callable(tcx, item)
            && let Some((parameters, fields)) = stores(tcx, item, args, ty)
            && let Some(call) = constructor_call(tcx, paths, item, impl_id, ty, args, &is_std)
        {
            found.push(Constructor { call, parameters, fields });
        }
    }
    found
}

fn constructor_call<'tcx>(
    tcx: TyCtxt<'tcx>,
    paths: &mut Paths<'tcx>,
    item: DefId,
    impl_id: DefId,
    ty: Ty<'tcx>,
    args: GenericArgsRef<'tcx>,
    is_std: &dyn Fn(CrateNum) -> bool,
) -> Option<String> {
    let name = Ident::with_dummy_span(tcx.item_name(item));
    match tcx.impl_opt_trait_ref(impl_id) {
        Some(trait_ref) => {
            let trait_ref = trait_ref.instantiate(tcx, args).skip_norm_wip();
            paths.method(trait_ref, name, is_std)
        }
        None if tcx.visibility(item).is_public() => {
            Some(format!("<{}>::{name}", paths.ty(ty, is_std)?))
        }
        None => None,
    }
}

/// The arguments with which an impl is for this very type, in the cases that are easy to tell.
fn impl_args<'tcx>(
    tcx: TyCtxt<'tcx>,
    impl_id: DefId,
    ty: Ty<'tcx>,
    args: GenericArgsRef<'tcx>,
) -> Option<GenericArgsRef<'tcx>> {
    let generics = tcx.generics_of(impl_id);
    let fits = |parameter: &GenericParamDef| match args.get(parameter.index as usize) {
        Some(arg) => match parameter.kind {
            GenericParamDefKind::Lifetime => arg.as_region().is_some(),
            GenericParamDefKind::Type { .. } => arg.as_type().is_some(),
            GenericParamDefKind::Const { .. } => arg.as_const().is_some(),
        },
        None => false,
    };
    let args = match generics.requires_monomorphization(tcx) {
        true if generics.own_params.iter().all(fits) && generics.count() == args.len() => args,
        true => return None,
        false => GenericArgs::for_item(tcx, impl_id, |_, _| tcx.lifetimes.re_erased.into()),
    };
    let own_type = tcx.type_of(impl_id).instantiate(tcx, args).skip_norm_wip();
    (tcx.erase_and_anonymize_regions(own_type) == ty).then_some(args)
}

/// Whether safe code can call it with ordinary arguments.
pub fn is_callable(tcx: TyCtxt<'_>, function: DefId) -> bool {
    let signature = tcx.fn_sig(function).instantiate_identity().skip_norm_wip().skip_binder();
    let features = &tcx.codegen_fn_attrs(function).target_features;
    signature.safety().is_safe() && !signature.c_variadic() && features.is_empty()
}

/// How many parameters a function has and where it puts them, if that is all that it does.
fn stores<'tcx>(
    tcx: TyCtxt<'tcx>,
    function: DefId,
    args: GenericArgsRef<'tcx>,
    ty: Ty<'tcx>,
) -> Option<(u32, Vec<Stored>)> {
    let args = args.extend_to(tcx, function, |_, _| tcx.lifetimes.re_erased.into());
    let output = tcx.fn_sig(function).instantiate(tcx, args).skip_norm_wip().output();
    let output = tcx.instantiate_bound_regions_with_erased(output);
    if tcx.erase_and_anonymize_regions(output) != ty {
        return None;
    }
    let body = tcx.instance_mir(InstanceKind::Item(function));
    let instance = Instance::new_raw(function, tcx.erase_and_anonymize_regions(args));
    let env = TypingEnv::fully_monomorphized();
    let bound = EarlyBinder::bind(tcx, body.clone());
    let body = instance.try_instantiate_mir_and_normalize_erasing_regions(tcx, env, bound).ok()?;
    let block = &body.basic_blocks[mir::START_BLOCK];
    if !matches!(block.terminator().kind, TerminatorKind::Return) {
        return None;
    }
    let parameters = body.arg_count as u32;
    let mut values: FxHashMap<mir::Local, Stored> =
        body.args_iter().map(|local| (local, Stored::Parameter(local.as_u32() - 1))).collect();
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::Assign(assignment) => {
                let (place, rvalue) = &**assignment;
                let value = stored(tcx, &values, rvalue)?;
                values.insert(place.as_local()?, value);
            }
            StatementKind::StorageLive(_) | StatementKind::StorageDead(_) | StatementKind::Nop => {}
            _ => return None,
        }
    }
    match values.remove(&mir::RETURN_PLACE)? {
        Stored::Fields(fields) => {
            let mut used = vec![0; parameters as usize];
            count(&fields, &mut used);
            used.iter().all(|times| *times == 1).then_some((parameters, fields))
        }
        _ => None,
    }
}

fn count(fields: &[Stored], used: &mut [u32]) {
    for field in fields {
        match field {
            Stored::Parameter(number) => used[*number as usize] += 1,
            Stored::Bits(_) => {}
            Stored::Fields(fields) => count(fields, used),
        }
    }
}

fn stored<'tcx>(
    tcx: TyCtxt<'tcx>,
    values: &FxHashMap<mir::Local, Stored>,
    rvalue: &Rvalue<'tcx>,
) -> Option<Stored> {
    let operand = |operand: &Operand<'tcx>| match operand {
        Operand::Copy(place) | Operand::Move(place) => values.get(&place.as_local()?).cloned(),
        Operand::Constant(constant) => {
            let env = TypingEnv::fully_monomorphized();
            match constant.const_.ty().kind() {
                ty::Bool | ty::Char | ty::Int(_) | ty::Uint(_) | ty::Float(_) => {
                    constant.const_.try_eval_bits(tcx, env).map(Stored::Bits)
                }
                // The one value of a type without fields.
                ty::Adt(adt, _) if adt.is_phantom_data() => Some(Stored::Fields(Vec::new())),
                _ => None,
            }
        }
        _ => None,
    };
    match rvalue {
        Rvalue::Use(value, _) => operand(value),
        Rvalue::Aggregate(kind, fields) => {
            let is_struct = match **kind {
                AggregateKind::Adt(def_id, _, _, _, active) => {
                    tcx.adt_def(def_id).is_struct() && active.is_none()
                }
                AggregateKind::Tuple => true,
                _ => false,
            };
            let fields: Option<Vec<_>> = fields.iter().map(operand).collect();
            fields.filter(|_| is_struct).map(Stored::Fields)
        }
        _ => None,
    }
}
