//! The types that callers have without naming a package that moves: those of dependencies that stand
//! anywhere in what callers see of the client.
//!
//! Errs towards too many.

use rustc_data_structures::fx::FxHashSet;
use rustc_hir::def::{DefKind, Res};
use rustc_middle::ty::{
    self, Clause, GenericArgsRef, GenericParamDefKind, ImplTraitInTraitData, TraitRef, Ty, TyCtxt,
    TypeVisitableExt, TypingEnv, Unnormalized,
};
use rustc_span::def_id::DefId;

use super::tree::Path;
use crate::collect::Collector;

#[derive(Default)]
pub struct HandedOut<'tcx> {
    /// The types of dependencies that callers can have values of, also those that only the methods of
    /// other such types give: callers can hand them in.
    pub types: FxHashSet<DefId>,
    /// The types that the client itself gives away, as they stand there, with the item that says what
    /// their parameters are. Whoever has such a value drops it.
    pub values: Vec<(Ty<'tcx>, DefId)>,
    /// The traits of std behind trait objects there, for the type of the object.
    pub objects: Vec<(TraitRef<'tcx>, DefId)>,
}

pub fn handed_out<'tcx>(collector: &Collector<'tcx>, paths: &[Path]) -> HandedOut<'tcx> {
    let tcx = collector.tcx;
    let mut seen = Seen {
        collector,
        types: FxHashSet::default(),
        traits: Vec::new(),
        objects: Vec::new(),
        bounds_of: Vec::new(),
    };
    let mut result = HandedOut::default();
    let mut values: FxHashSet<(Ty<'tcx>, Option<DefId>)> = FxHashSet::default();
    let mut known_traits: FxHashSet<DefId> = FxHashSet::default();
    let mut items = items(tcx, paths, collector);
    let mut queue: Vec<DefId> = Vec::new();
    while let Some(item) = items.pop() {
        for ty in seen.in_item(item) {
            let Some(adt) = ty.ty_adt_def().filter(|adt| is_of_dependency(collector, adt.did()))
            else {
                continue;
            };
            queue.push(adt.did());
            if values.insert((ty, ty.has_param().then_some(item))) {
                result.values.push((ty, item));
            }
        }
        result.objects.extend(seen.objects.drain(..).map(|it| (it, item)));
        for trait_id in std::mem::take(&mut seen.traits) {
            let is_trait = tcx.def_kind(trait_id) == DefKind::Trait;
            if is_trait && !collector.is_std(trait_id.krate) && known_traits.insert(trait_id) {
                items.extend(tcx.associated_item_def_ids(trait_id));
            }
        }
    }
    while let Some(ty) = queue.pop() {
        if result.types.insert(ty) {
            for item in [ty].into_iter().chain(methods(tcx, ty)) {
                let types = seen.in_item(item).into_iter().filter_map(|ty| ty.ty_adt_def());
                let types = types.map(|adt| adt.did());
                queue.extend(types.filter(|&id| is_of_dependency(collector, id)));
            }
        }
    }
    result
}

/// What callers see: of the client all that they can reach, and what it re-exports.
fn items(tcx: TyCtxt<'_>, paths: &[Path], collector: &Collector<'_>) -> Vec<DefId> {
    let visibilities = tcx.effective_visibilities(());
    let own = tcx.hir_crate_items(()).definitions().filter(|id| visibilities.is_reachable(*id));
    let mut items: Vec<DefId> = own.map(|id| id.to_def_id()).collect();
    let mut known: FxHashSet<DefId> = FxHashSet::default();
    for path in paths.iter().filter(|path| path.is_foreign) {
        let Res::Def(_, def_id) = path.leads_to else { continue };
        let def_id = with_values(tcx, def_id);
        if collector.is_std(def_id.krate) || !known.insert(def_id) {
            continue;
        }
        items.push(def_id);
        match tcx.def_kind(def_id) {
            DefKind::Struct | DefKind::Enum | DefKind::Union => items.extend(methods(tcx, def_id)),
            DefKind::Trait => items.extend(tcx.associated_item_def_ids(def_id)),
            _ => {}
        }
    }
    items
}

/// The type that a variant or a constructor makes values of; everything else is itself.
pub fn with_values(tcx: TyCtxt<'_>, item: DefId) -> DefId {
    match tcx.def_kind(item) {
        DefKind::Variant | DefKind::Ctor(..) => with_values(tcx, tcx.parent(item)),
        _ => item,
    }
}

/// What callers who have a value of the type can use of it.
pub fn methods(tcx: TyCtxt<'_>, ty: DefId) -> Vec<DefId> {
    let is_for_it = |impl_id: DefId| {
        let own_type = tcx.type_of(impl_id).skip_binder();
        own_type.peel_refs().ty_adt_def().is_some_and(|adt| adt.did() == ty)
    };
    let of_traits = tcx.trait_impls_in_crate(ty.krate).iter().filter(|&&id| is_for_it(id));
    let impls = tcx.inherent_impls(ty).iter().chain(of_traits);
    impls.flat_map(|&id| tcx.associated_item_def_ids(id)).copied().collect()
}

/// Goes through types and what they promise.
struct Seen<'a, 'tcx> {
    collector: &'a Collector<'tcx>,
    /// The types of the item at hand that were looked at.
    types: FxHashSet<Ty<'tcx>>,
    /// Traits that were met, whose methods callers call or are called by.
    traits: Vec<DefId>,
    objects: Vec<TraitRef<'tcx>>,
    /// The opaque and associated types whose bounds are being looked at, from the outside in.
    bounds_of: Vec<DefId>,
}

/// How often the bounds of a type are looked at inside of themselves. They name no other traits and
/// types of their own then, and what is put in is looked at where it stands.
const NESTED_BOUNDS: usize = 3;

impl<'tcx> Seen<'_, 'tcx> {
    /// The structs, enums and unions in what callers see of an item.
    fn in_item(&mut self, item: DefId) -> Vec<Ty<'tcx>> {
        let tcx = self.collector.tcx;
        let type_of = |id: DefId| tcx.type_of(id).instantiate_identity().skip_norm_wip();
        let mut stated: Vec<Ty<'tcx>> = Vec::new();
        let is_type = match tcx.def_kind(item) {
            DefKind::Fn | DefKind::AssocFn => {
                let signature = tcx.fn_sig(item).instantiate_identity().skip_norm_wip();
                let signature = tcx.instantiate_bound_regions_with_erased(signature);
                stated.extend(signature.inputs_and_output);
                true
            }
            DefKind::Struct | DefKind::Enum | DefKind::Union => {
                stated.push(type_of(item));
                let fields = tcx.adt_def(item).all_fields().filter(|field| field.vis.is_public());
                stated.extend(fields.map(|field| type_of(field.did)));
                true
            }
            DefKind::Static { nested: false, .. }
            | DefKind::Const
            | DefKind::AssocConst
            | DefKind::TyAlias => {
                stated.push(type_of(item));
                true
            }
            DefKind::AssocTy => {
                let is_given =
                    tcx.trait_of_assoc(item).is_none() || tcx.defaultness(item).has_value();
                stated.extend(is_given.then(|| type_of(item)));
                true
            }
            DefKind::Trait => true,
            _ => false,
        };
        if !is_type {
            return Vec::new();
        }
        // Callers name the default of a parameter by leaving it out.
        stated.extend(tcx.generics_of(item).own_params.iter().filter_map(|it| match it.kind {
            GenericParamDefKind::Type { has_default: true, .. } => Some(type_of(it.def_id)),
            _ => None,
        }));
        self.types.clear();
        let env = TypingEnv::codegen(tcx, item);
        let mut found = Vec::new();
        for ty in stated {
            self.visit(ty, env, &mut found);
        }
        if matches!(tcx.def_kind(item), DefKind::AssocTy | DefKind::Trait) {
            let bounds = match tcx.def_kind(item) {
                DefKind::Trait => tcx.explicit_super_clauses_of(item),
                _ if tcx.trait_of_assoc(item).is_some() => tcx.explicit_item_bounds(item),
                _ => return found,
            };
            for &(clause, _) in bounds.skip_binder() {
                self.clause(clause, env, &mut found);
            }
        }
        // What callbacks get and give.
        let mut of = Some(item);
        while let Some(item) = of {
            let clauses = tcx.explicit_clauses_of(item);
            for &(clause, _) in clauses.clauses {
                self.clause(clause, env, &mut found);
            }
            of = clauses.parent;
        }
        found
    }

    fn clause(&mut self, clause: Clause<'tcx>, env: TypingEnv<'tcx>, found: &mut Vec<Ty<'tcx>>) {
        match clause.kind().skip_binder() {
            ty::ClauseKind::Trait(bound) => {
                self.traits.push(bound.trait_ref.def_id);
                self.args(bound.trait_ref.args, env, found);
            }
            ty::ClauseKind::Projection(bound) => {
                self.args(bound.projection_term.args, env, found);
                if let Some(term) = bound.term.as_type() {
                    self.visit(term, env, found);
                }
            }
            _ => {}
        }
    }

    fn args(
        &mut self,
        args: GenericArgsRef<'tcx>,
        env: TypingEnv<'tcx>,
        found: &mut Vec<Ty<'tcx>>,
    ) {
        args.types().for_each(|ty| self.visit(ty, env, found));
    }

    /// The type as it is written, for what that promises, and as it is, for what stands behind it.
    fn visit(&mut self, ty: Ty<'tcx>, env: TypingEnv<'tcx>, found: &mut Vec<Ty<'tcx>>) {
        let tcx = self.collector.tcx;
        let ty = tcx.erase_and_anonymize_regions(ty);
        if !self.types.insert(ty) {
            return;
        }
        if !ty.has_escaping_bound_vars() {
            let normal = self.collector.normalize(Unnormalized::new_wip(ty), env);
            if normal != ty {
                self.visit(normal, env, found);
            }
        }
        for part in ty.walk().filter_map(|part| part.as_type()) {
            match *part.kind() {
                ty::Adt(..) => {
                    let normal = match part.has_escaping_bound_vars() {
                        true => part,
                        false => self.collector.normalize(Unnormalized::new_wip(part), env),
                    };
                    found.push(normal);
                }
                ty::Alias(_, alias) => match alias.kind {
                    ty::AliasTyKind::Opaque { def_id } => {
                        self.opaque(def_id, alias.args, env, found)
                    }
                    ty::AliasTyKind::Projection { def_id } => {
                        self.bounds(def_id, alias.args, env, found);
                        if let Some(ImplTraitInTraitData::Trait { opaque_def_id, .. }) =
                            tcx.opt_rpitit_info(def_id)
                            && tcx.defaultness(def_id).has_value()
                        {
                            self.opaque(opaque_def_id, alias.args, env, found);
                        }
                    }
                    _ => {}
                },
                ty::Dynamic(predicates, _) => {
                    self.traits.extend(predicates.principal_def_id());
                    if let Some(principal) = predicates.principal()
                        && self.collector.is_std(principal.def_id().krate)
                        && !part.has_escaping_bound_vars()
                    {
                        let object = principal.with_self_ty(tcx, part);
                        self.objects.push(tcx.instantiate_bound_regions_with_erased(object));
                    }
                }
                ty::Closure(_, args) => {
                    let signature = args.as_closure().sig();
                    let signature = tcx.instantiate_bound_regions_with_erased(signature);
                    let types = signature.inputs_and_output.iter();
                    types.for_each(|ty| self.visit(ty, env, found));
                }
                ty::Coroutine(_, args) => {
                    let coroutine = args.as_coroutine();
                    self.visit(coroutine.return_ty(), env, found);
                    self.visit(coroutine.yield_ty(), env, found);
                }
                ty::FnDef(def_id, args) => {
                    let signature = tcx.fn_sig(def_id).instantiate(tcx, args.skip_binder());
                    let signature = signature.skip_norm_wip();
                    let signature = tcx.instantiate_bound_regions_with_erased(signature);
                    let types = signature.inputs_and_output.iter();
                    types.for_each(|ty| self.visit(ty, env, found));
                }
                _ => {}
            }
        }
    }

    fn opaque(
        &mut self,
        def_id: DefId,
        args: GenericArgsRef<'tcx>,
        env: TypingEnv<'tcx>,
        found: &mut Vec<Ty<'tcx>>,
    ) {
        let tcx = self.collector.tcx;
        self.bounds(def_id, args, env, found);
        let hidden = tcx.type_of(def_id).instantiate(tcx, args).skip_norm_wip();
        self.visit(hidden, env, found);
    }

    /// What is promised of an opaque or associated type.
    fn bounds(
        &mut self,
        def_id: DefId,
        args: GenericArgsRef<'tcx>,
        env: TypingEnv<'tcx>,
        found: &mut Vec<Ty<'tcx>>,
    ) {
        // Bounds may lead to themselves for ever larger types, as those of `Try::Residual` do.
        if self.bounds_of.iter().filter(|it| **it == def_id).count() >= NESTED_BOUNDS {
            return;
        }
        self.bounds_of.push(def_id);
        let tcx = self.collector.tcx;
        for clause in tcx.explicit_item_bounds(def_id).iter_instantiated_copied(tcx, args) {
            let (clause, _) = clause.skip_norm_wip();
            self.clause(clause, env, found);
        }
        self.bounds_of.pop();
    }
}

fn is_of_dependency(collector: &Collector<'_>, id: DefId) -> bool {
    !id.is_local() && !collector.is_std(id.krate)
}
