//! The types of dependencies that callers meet in the client's signatures, and in those of the
//! methods of such types: they can have values of these without naming the dependency.
//!
//! Errs towards too many.

use rustc_data_structures::fx::FxHashSet;
use rustc_hir::def::{DefKind, Res};
use rustc_middle::ty::{self, Ty, TypingEnv, Unnormalized};
use rustc_span::def_id::DefId;

use crate::collect::Collector;

pub fn types(collector: &Collector<'_>) -> FxHashSet<DefId> {
    let tcx = collector.tcx;
    let visibilities = tcx.effective_visibilities(());
    let mut queue: Vec<DefId> = Vec::new();
    let mut types: FxHashSet<DefId> = FxHashSet::default();
    for id in tcx.hir_crate_items(()).definitions() {
        if visibilities.is_reachable(id) {
            queue.extend(in_signature(collector, id.to_def_id()));
        }
        if tcx.def_kind(id) == DefKind::Mod {
            queue.extend(tcx.module_children_local(id).iter().filter_map(
                |child| match child.res {
                    Res::Def(DefKind::Struct | DefKind::Enum | DefKind::Union, id) => Some(id),
                    _ => None,
                },
            ));
        }
    }
    queue.retain(|&id| is_of_dependency(collector, id));
    while let Some(ty) = queue.pop() {
        if types.insert(ty) {
            queue.extend(in_signature(collector, ty));
            for item in items(collector, ty) {
                queue.extend(in_signature(collector, item));
            }
        }
    }
    types
}

/// What callers who have a value of the type can use of it.
fn items(collector: &Collector<'_>, ty: DefId) -> Vec<DefId> {
    let tcx = collector.tcx;
    let is_for_it = |impl_id: DefId| {
        let own_type = tcx.type_of(impl_id).skip_binder();
        own_type.peel_refs().ty_adt_def().is_some_and(|adt| adt.did() == ty)
    };
    let of_traits = tcx.trait_impls_in_crate(ty.krate).iter().filter(|&&id| is_for_it(id));
    let impls = tcx.inherent_impls(ty).iter().chain(of_traits);
    impls.flat_map(|&id| tcx.associated_item_def_ids(id)).copied().collect()
}

/// The types of dependencies in what callers see of an item.
fn in_signature(collector: &Collector<'_>, item: DefId) -> Vec<DefId> {
    let tcx = collector.tcx;
    let type_of = |id: DefId| tcx.type_of(id).instantiate_identity().skip_norm_wip();
    let mut seen: Vec<Ty<'_>> = Vec::new();
    match tcx.def_kind(item) {
        DefKind::Fn | DefKind::AssocFn => {
            let signature = tcx.fn_sig(item).instantiate_identity().skip_norm_wip();
            let signature = tcx.instantiate_bound_regions_with_erased(signature);
            seen.extend(signature.inputs_and_output);
            // What callbacks get and give.
            for (clause, _) in tcx.explicit_clauses_of(item).clauses {
                match clause.kind().skip_binder() {
                    ty::ClauseKind::Trait(bound) => seen.extend(bound.trait_ref.args.types()),
                    ty::ClauseKind::Projection(bound) => seen.extend(bound.term.as_type()),
                    _ => {}
                }
            }
        }
        DefKind::Struct | DefKind::Enum | DefKind::Union => {
            let fields = tcx.adt_def(item).all_fields().filter(|field| field.vis.is_public());
            seen.extend(fields.map(|field| type_of(field.did)));
        }
        DefKind::Static { nested: false, .. }
        | DefKind::Const
        | DefKind::AssocConst
        | DefKind::TyAlias => {
            seen.push(type_of(item));
        }
        DefKind::AssocTy if tcx.trait_of_assoc(item).is_none() => seen.push(type_of(item)),
        _ => return Vec::new(),
    }
    // Reveals what stands behind `impl Trait`.
    let env = TypingEnv::codegen(tcx, item);
    seen.into_iter()
        .map(|ty| collector.normalize(Unnormalized::new_wip(ty), env))
        .flat_map(|ty| ty.walk())
        .filter_map(|part| Some(part.as_type()?.ty_adt_def()?.did()))
        .filter(|&id| is_of_dependency(collector, id))
        .collect()
}

fn is_of_dependency(collector: &Collector<'_>, id: DefId) -> bool {
    !id.is_local() && !collector.is_std(id.krate)
}
