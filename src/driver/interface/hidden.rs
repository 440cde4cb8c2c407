//! What outside callers can run on a value whose type the client hides behind `impl Trait`.

use cargo_cse::cfa::FnId;
use rustc_data_structures::fx::FxHashSet;
use rustc_middle::ty::{
    self, GenericArgs, GenericArgsRef, ImplTraitInTraitData, ParamEnv, TraitRef, Ty, TyCtxt,
    TypingEnv, Unnormalized,
};
use rustc_span::def_id::DefId;
use rustc_type_ir::elaborate::{elaborate, supertraits};

use crate::collect::{Code, Collector};

/// What callers can run on hidden types.
#[derive(Default)]
pub struct HiddenRuns<'tcx> {
    /// Each with a name: drops and methods.
    pub functions: Vec<(String, FnId)>,
    /// The traits of std that are promised, whose provided methods callers can run.
    pub of_std: Vec<TraitRef<'tcx>>,
}

/// What callers can run on the hidden types inside of `ty`: their drop, the methods of the traits that
/// are promised and of their supertraits, and the same for their associated types. Errs towards too
/// many.
pub fn functions<'tcx>(
    collector: &mut Collector<'tcx>,
    ty: Ty<'tcx>,
    env: TypingEnv<'tcx>,
) -> HiddenRuns<'tcx> {
    let mut hidden = Hidden {
        collector,
        env,
        types: 0,
        seen: FxHashSet::default(),
        found: HiddenRuns::default(),
    };
    hidden.types_in(ty);
    hidden.found
}

/// The same for an associated type of an impl: callers run on it what its trait promises, as a loop over
/// a value runs the iterator that `IntoIterator` gives.
pub fn of_associated_type<'tcx>(
    collector: &mut Collector<'tcx>,
    item: DefId,
    env: TypingEnv<'tcx>,
) -> HiddenRuns<'tcx> {
    let tcx = collector.tcx;
    let (Some(in_trait), Some(impl_id)) =
        (tcx.associated_item(item).trait_item_def_id(), tcx.trait_impl_of_assoc(item))
    else {
        return HiddenRuns::default();
    };
    let trait_ref = tcx.impl_trait_ref(impl_id).instantiate_identity().skip_norm_wip();
    let args = arguments(tcx, in_trait, tcx.erase_and_anonymize_regions(trait_ref));
    let ty = tcx.type_of(item).instantiate_identity().skip_norm_wip();
    let ty = collector.normalize(Unnormalized::new_wip(ty), env);
    let mut hidden = Hidden {
        collector,
        env,
        types: 1,
        seen: FxHashSet::default(),
        found: HiddenRuns::default(),
    };
    hidden.promised(ty, in_trait, args);
    hidden.found
}

struct Hidden<'a, 'tcx> {
    collector: &'a mut Collector<'tcx>,
    env: TypingEnv<'tcx>,
    /// How many types were met, to tell their methods apart.
    types: u32,
    seen: FxHashSet<TraitRef<'tcx>>,
    found: HiddenRuns<'tcx>,
}

impl<'tcx> Hidden<'_, 'tcx> {
    fn types_in(&mut self, ty: Ty<'tcx>) {
        for part in ty.walk() {
            if let Some(part) = part.as_type()
                && let ty::Alias(_, alias) = *part.kind()
            {
                match alias.kind {
                    ty::AliasTyKind::Opaque { def_id } => self.opaque(def_id, alias.args),
                    ty::AliasTyKind::Projection { def_id } => self.in_trait(def_id, alias.args),
                    _ => {}
                }
            }
        }
    }

    /// What a method that a trait provides returns as `impl Trait`.
    fn in_trait(&mut self, def_id: DefId, args: GenericArgsRef<'tcx>) {
        let tcx = self.collector.tcx;
        if let Some(ImplTraitInTraitData::Trait { opaque_def_id, .. }) = tcx.opt_rpitit_info(def_id)
            && tcx.defaultness(def_id).has_value()
        {
            self.opaque(opaque_def_id, args);
        }
    }

    fn opaque(&mut self, def_id: DefId, args: GenericArgsRef<'tcx>) {
        let tcx = self.collector.tcx;
        let ty = self.collector.normalize(tcx.type_of(def_id).instantiate(tcx, args), self.env);
        self.types += 1;
        if let Some(function) = self.collector.drop_function(ty, self.env) {
            self.found.functions.push((format!("drop{}", self.suffix()), function));
        }
        self.promised(ty, def_id, args);
    }

    /// The bounds of an opaque or associated type, for the type that it stands for.
    fn promised(&mut self, ty: Ty<'tcx>, def_id: DefId, args: GenericArgsRef<'tcx>) {
        let tcx = self.collector.tcx;
        for clause in tcx.explicit_item_bounds(def_id).iter_instantiated_copied(tcx, args) {
            let (clause, _) = clause.skip_norm_wip();
            if let Some(bound) = clause.as_trait_clause() {
                let bound = tcx.instantiate_bound_regions_with_erased(bound).trait_ref;
                let bound = bound.with_replaced_self_ty(tcx, ty);
                self.trait_(tcx.erase_and_anonymize_regions(bound));
            } else if let Some(bound) = clause.as_projection_clause()
                && let Some(term) = bound.skip_binder().term.as_type()
            {
                self.types_in(term);
            }
        }
    }

    fn trait_(&mut self, promised: TraitRef<'tcx>) {
        let tcx = self.collector.tcx;
        for trait_ref in supertraits(tcx, ty::Binder::dummy(promised)) {
            let trait_ref = tcx.instantiate_bound_regions_with_erased(trait_ref);
            if !self.seen.insert(trait_ref) {
                continue;
            }
            if self.collector.is_std(trait_ref.def_id.krate) {
                self.found.of_std.push(trait_ref);
            }
            for item in tcx.associated_items(trait_ref.def_id).in_definition_order() {
                let own_parameters = tcx.generics_of(item.def_id).own_requires_monomorphization();
                if item.is_fn() {
                    self.method(item.def_id, trait_ref);
                } else if item.is_type() && !own_parameters {
                    let args = arguments(tcx, item.def_id, trait_ref);
                    let alias = Ty::new_projection(tcx, ty::IsRigid::No, item.def_id, args);
                    let ty = self.collector.normalize(Unnormalized::new_wip(alias), self.env);
                    self.promised(ty, item.def_id, args);
                }
            }
        }
    }

    fn method(&mut self, method: DefId, trait_ref: TraitRef<'tcx>) {
        let tcx = self.collector.tcx;
        let args = arguments(tcx, method, trait_ref);
        let env = method_env(tcx, method, args, self.env);
        let code = self.collector.resolve(method, args, env);
        // What std's traits provide runs other methods of the same value, and what is asked of its
        // associated types: see `supplied::provided`.
        if let Code::Instance(instance) = code
            && tcx.trait_of_assoc(instance.def_id()).is_some()
            && self.collector.is_std(instance.def_id().krate)
        {
            return;
        }
        let name = format!("{}{}", tcx.item_name(method), self.suffix());
        let function = self.collector.function(code, env);
        self.found.functions.push((name, function));
    }

    fn suffix(&self) -> String {
        if self.types == 1 { String::new() } else { format!(" of type {}", self.types) }
    }
}

/// What holds of a method's own parameters, with the type that it is called on known in `outer`.
pub fn method_env<'tcx>(
    tcx: TyCtxt<'tcx>,
    method: DefId,
    args: GenericArgsRef<'tcx>,
    outer: TypingEnv<'tcx>,
) -> TypingEnv<'tcx> {
    if !tcx.generics_of(method).own_requires_monomorphization() {
        return outer;
    }
    let own = tcx.clauses_of(method).instantiate_own(tcx, args);
    // A bound on what is known already would hide the impl that is known with it.
    let own = own.map(|(clause, _)| clause.skip_norm_wip()).filter(is_on_a_parameter);
    let own = own.map(|clause| {
        let clause = tcx.erase_and_anonymize_regions(clause);
        let normal = tcx.try_normalize_erasing_regions(outer, Unnormalized::new_wip(clause));
        normal.unwrap_or(clause)
    });
    let bounds = outer.param_env.caller_bounds();
    let clauses = elaborate(tcx, bounds.chain(own).collect::<Vec<_>>());
    let param_env = ParamEnv::new(tcx, clauses);
    match param_env.is_empty() {
        // Nothing but the method's own environment says that there are parameters.
        true => TypingEnv::codegen(tcx, method),
        false => TypingEnv::new(param_env, outer.typing_mode()),
    }
}

fn is_on_a_parameter(clause: &ty::Clause<'_>) -> bool {
    match clause.kind().skip_binder() {
        ty::ClauseKind::Trait(bound) => matches!(bound.self_ty().kind(), ty::Param(_)),
        ty::ClauseKind::Projection(bound) => matches!(bound.self_ty().kind(), ty::Param(_)),
        ty::ClauseKind::ConstArgHasType(..) => true,
        _ => false,
    }
}

/// The arguments of a trait's item: those of the trait, and parameters for its own.
pub fn arguments<'tcx>(
    tcx: TyCtxt<'tcx>,
    item: DefId,
    trait_ref: TraitRef<'tcx>,
) -> GenericArgsRef<'tcx> {
    let args = GenericArgs::for_item(tcx, item, |parameter, _| {
        match trait_ref.args.get(parameter.index as usize) {
            Some(&arg) => arg,
            None => tcx.mk_param_from_def(parameter),
        }
    });
    tcx.erase_and_anonymize_regions(args)
}
