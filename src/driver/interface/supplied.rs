//! What code does with types that its callers bring: items of traits for a parameter, or behind a
//! trait object.
//!
//! Errs towards too many impls.

use std::rc::Rc;

use cargo_cse::cfa::{Body, CrateId, Impl, ImplContent, Op, Operand, Place};
use cargo_cse::reason::GenericCode;
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::DefKind;
use rustc_middle::mir::UnevaluatedConst;
use rustc_middle::ty::fast_reject::DeepRejectCtxt;
use rustc_middle::ty::{
    self, GenericArg, GenericArgs, GenericArgsRef, Instance, TraitRef, Ty, TyCtxt, TypeFoldable,
    TypingEnv, Unnormalized,
};
use rustc_span::def_id::DefId;
use rustc_type_ir::elaborate::supertraits;

use super::hidden::arguments;
use crate::collect::{Code, Collector};
use crate::drops;
use crate::lower::{Lowered, has_mir};

/// So many bounds of std's impls are told apart by their types; from then on only by their traits.
const BOUNDS: usize = 200;

/// A trait's method, constant or associated type for a type that is not known yet.
pub fn supplied<'tcx>(
    collector: &mut Collector<'tcx>,
    def_id: DefId,
    args: GenericArgsRef<'tcx>,
    env: TypingEnv<'tcx>,
) -> Lowered {
    let default = has_default(collector, def_id).then(|| {
        let code = item_code(collector.tcx, def_id, args);
        collector.function(code, env)
    });
    let impls = impls(collector, def_id, args);
    Lowered::without_code(Body::Supplied { default, impls })
}

/// A type, or what an impl says an associated type is: its name, its form and what dropping it runs. It
/// serves to compare, not to execute.
pub fn given_type<'tcx>(
    collector: &mut Collector<'tcx>,
    item: DefId,
    env: TypingEnv<'tcx>,
) -> Lowered {
    let tcx = collector.tcx;
    let ty = tcx.type_of(item).instantiate_identity().skip_norm_wip();
    let ty = collector.normalize(Unnormalized::new_wip(ty), env);
    let ty = tcx.erase_and_anonymize_regions(ty);
    let runs = collector.drop_function(ty, env).into_iter().collect();
    let whole = Op::Unsupported {
        reason: GenericCode::GivenType(collector.names.ty(ty).into()).into(),
        reads: vec![Operand::Read(Place::local(drops::DROPPED))],
        writes: Vec::new(),
    };
    drops::list(collector, ty, env, whole, runs)
}

fn has_default(collector: &Collector<'_>, def_id: DefId) -> bool {
    match collector.tcx.def_kind(def_id) {
        DefKind::AssocTy => collector.tcx.defaultness(def_id).has_value(),
        _ => has_mir(collector, def_id),
    }
}

fn item_code<'tcx>(tcx: TyCtxt<'tcx>, item: DefId, args: GenericArgsRef<'tcx>) -> Code<'tcx> {
    match tcx.def_kind(item) {
        DefKind::Fn | DefKind::AssocFn => Code::Instance(Instance::new_raw(item, args)),
        DefKind::AssocTy | DefKind::Struct | DefKind::Enum | DefKind::Union => {
            Code::GivenType(item)
        }
        _ => Code::Constant(UnevaluatedConst { def: item, args, promoted: None }),
    }
}

/// The types that the client hands out, each by its name and its form.
pub fn any_handed_out(collector: &mut Collector<'_>) -> Lowered {
    let handed_out = Rc::clone(&collector.handed_out);
    let mut types: Vec<DefId> = handed_out.types.iter().copied().collect();
    types.sort_by_cached_key(|&ty| collector.names.bare_path(ty));
    let impls = types.into_iter().map(|ty| Impl {
        header: collector.names.bare_path(ty),
        needs: Vec::new(),
        content: ImplContent::Item(of_impl_item(collector, ty)),
    });
    let impls = impls.collect();
    Lowered::without_code(Body::Supplied { default: None, impls })
}

/// What the methods that a trait of std provides can run of a type: the impls of what they ask for, as
/// `Iterator::max` does of `Ord` for the items.
pub fn provided<'tcx>(
    collector: &mut Collector<'tcx>,
    trait_ref: TraitRef<'tcx>,
    env: TypingEnv<'tcx>,
) -> Lowered {
    let tcx = collector.tcx;
    let mut bounds = Vec::new();
    for item in tcx.associated_items(trait_ref.def_id).in_definition_order() {
        if !item.is_fn() || !item.defaultness(tcx).has_value() {
            continue;
        }
        let args = arguments(tcx, item.def_id, trait_ref);
        for (clause, _) in tcx.explicit_clauses_of(item.def_id).instantiate_own(tcx, args) {
            bounds.extend(with_supertraits(tcx, clause.skip_norm_wip()).into_iter().map(|bound| {
                let normal = tcx.try_normalize_erasing_regions(env, Unnormalized::new_wip(bound));
                normal.unwrap_or(bound)
            }));
        }
    }
    bounds.retain(|bound| is_of_interest(collector, *bound));
    let impls = found_impls(collector, bounds, |item| tcx.def_kind(item) != DefKind::AssocTy);
    Lowered::without_code(Body::Supplied { default: None, impls })
}

/// Whether the arguments or associated types of a trait that is implemented are anything but types of
/// std.
pub fn has_own_types<'tcx>(
    collector: &Collector<'tcx>,
    trait_ref: TraitRef<'tcx>,
    env: TypingEnv<'tcx>,
) -> bool {
    let tcx = collector.tcx;
    let items = tcx.associated_items(trait_ref.def_id).in_definition_order();
    let types = items.filter(|item| item.is_type()).map(|item| {
        let args = arguments(tcx, item.def_id, trait_ref);
        let alias = Ty::new_projection(tcx, ty::IsRigid::No, item.def_id, args);
        collector.normalize(Unnormalized::new_wip(alias), env)
    });
    types.chain(trait_ref.args.types().skip(1)).any(|ty| is_not_of_std(collector, ty))
}

/// The impls of a trait's item in dependencies that callers can use without bringing one, in generic
/// form, and the impls that those of std pass on to. Those of the client itself are entry points.
fn impls<'tcx>(
    collector: &mut Collector<'tcx>,
    def_id: DefId,
    args: GenericArgsRef<'tcx>,
) -> Vec<Impl> {
    let tcx = collector.tcx;
    let Some(trait_id) = tcx.trait_of_assoc(def_id) else {
        return Vec::new();
    };
    let asked = TraitRef::from_assoc(tcx, trait_id, args);
    let is_type = |item: DefId| tcx.def_kind(item) == DefKind::AssocTy;
    found_impls(collector, vec![asked], |item| match tcx.parent(item) == trait_id {
        true => item == def_id,
        false => is_type(item) == is_type(def_id),
    })
}

/// The impls of these traits, and of what std's impls of them pass on to, with the items that are asked
/// for.
fn found_impls<'tcx>(
    collector: &mut Collector<'tcx>,
    asked: Vec<TraitRef<'tcx>>,
    is_asked: impl Fn(DefId) -> bool,
) -> Vec<Impl> {
    let tcx = collector.tcx;
    let mut found = Vec::new();
    let (mut seen, mut builds) = (FxHashSet::default(), FxHashSet::default());
    let given = given(collector, &asked);
    let asked: Vec<_> = asked.into_iter().map(|asked| passed_on(collector, asked)).collect();
    for trait_ref in asked.iter().flat_map(|it| it.iter()) {
        let items = tcx.associated_item_def_ids(trait_ref.def_id).iter().copied();
        let items: Vec<DefId> = items.filter(|item| is_asked(*item)).collect();
        for &impl_id in of_dependencies(collector, trait_ref.def_id).iter() {
            let of_impl = tcx.impl_trait_ref(impl_id).skip_binder();
            let Some(needs) = needs(collector, of_impl.args, trait_ref.args, &given) else {
                continue;
            };
            if !seen.insert(impl_id) {
                continue;
            }
            // Whoever uses it names its crate, and so what that depends on: in such numbers, impls are not
            // worth a look at their code. What a type does by a trait of std is taken for what it is, as
            // with types of the callers' own crates.
            if needs.contains(&collector.krate(impl_id.krate)) {
                let trait_crate = trait_ref.def_id.krate;
                if !collector.is_std(trait_crate) && builds.insert((impl_id.krate, trait_crate)) {
                    let [own, of_trait] = [impl_id.krate, trait_crate].map(|it| tcx.crate_name(it));
                    let header = format!("impls of traits of {of_trait} for types of {own}");
                    let build = tcx.crate_hash(impl_id.krate).to_string();
                    let of_trait = collector.krate(trait_crate);
                    let content = ImplContent::Build { build, of_trait };
                    found.push(Impl { header, needs, content });
                }
                continue;
            }
            let header = collector.names.bare_path(impl_id);
            for item in &items {
                let item = tcx.impl_item_implementor_ids(impl_id).get(item).copied();
                let content = match item {
                    Some(item) => ImplContent::Item(of_impl_item(collector, item)),
                    None => ImplContent::Default,
                };
                found.push(Impl { header: header.clone(), needs: needs.clone(), content });
            }
        }
    }
    // Stable, so that the items of an impl stay in their order.
    found.sort_by(|a, b| a.header.cmp(&b.header));
    found
}

fn of_impl_item(collector: &mut Collector<'_>, item: DefId) -> cargo_cse::cfa::FnId {
    let tcx = collector.tcx;
    let args = tcx.erase_and_anonymize_regions(GenericArgs::identity_for_item(tcx, item));
    let env = match tcx.generics_of(item).requires_monomorphization(tcx) {
        true => TypingEnv::codegen(tcx, item),
        false => TypingEnv::fully_monomorphized(),
    };
    collector.function(item_code(tcx, item, args), env)
}

/// The types that callers have as associated types in these: what the impls give that they can use.
fn given<'tcx>(collector: &mut Collector<'tcx>, asked: &[TraitRef<'tcx>]) -> FxHashSet<DefId> {
    let tcx = collector.tcx;
    let mut found = FxHashSet::default();
    let parts = asked.iter().flat_map(|it| it.args.types()).flat_map(|ty| ty.walk());
    let parts: FxHashSet<Ty<'tcx>> = parts.filter_map(|part| part.as_type()).collect();
    for part in parts {
        let ty::Alias(_, alias) = *part.kind() else { continue };
        let ty::AliasTyKind::Projection { def_id } = alias.kind else { continue };
        let Some(trait_id) = tcx.trait_of_assoc(def_id) else { continue };
        for trait_ref in
            passed_on(collector, TraitRef::from_assoc(tcx, trait_id, alias.args)).iter()
        {
            for &impl_id in of_dependencies(collector, trait_ref.def_id).iter() {
                for &item in tcx.associated_item_def_ids(impl_id) {
                    if tcx.def_kind(item) == DefKind::AssocTy {
                        let ty = tcx.type_of(item).instantiate_identity().skip_norm_wip();
                        let env = TypingEnv::codegen(tcx, item);
                        let ty = collector.normalize(Unnormalized::new_wip(ty), env);
                        let types = ty.walk().filter_map(|part| part.as_type()?.ty_adt_def());
                        found.extend(types.map(|adt| adt.did()));
                    }
                }
            }
        }
    }
    found
}

/// The crates that callers have to name to use an impl for these arguments, once they have put their
/// types in; none where the impl cannot be for them.
fn needs<'tcx>(
    collector: &mut Collector<'tcx>,
    of_impl: GenericArgsRef<'tcx>,
    args: GenericArgsRef<'tcx>,
    given: &FxHashSet<DefId>,
) -> Option<Vec<CrateId>> {
    let mut crates = Vec::new();
    for (of_impl, arg) in of_impl.types().zip(args.types()) {
        if !is_open(arg) && !may_be(collector.tcx, of_impl, arg) {
            return None;
        }
        for part in of_impl.walk().filter_map(|part| part.as_type()?.ty_adt_def()) {
            let id = part.did();
            let is_at_hand = id.is_local()
                || collector.is_std(id.krate)
                || collector.handed_out.types.contains(&id)
                || given.contains(&id);
            if !is_at_hand {
                crates.push(collector.krate(id.krate));
            }
        }
    }
    crates.sort();
    crates.dedup();
    Some(crates)
}

/// Whether callers decide what type it is.
fn is_open(ty: Ty<'_>) -> bool {
    matches!(ty.kind(), ty::Param(_) | ty::Alias(..) | ty::Dynamic(..))
}

fn may_be<'tcx>(tcx: TyCtxt<'tcx>, of_impl: Ty<'tcx>, arg: Ty<'tcx>) -> bool {
    DeepRejectCtxt::relate_infer_infer(tcx).types_may_unify(arg, of_impl)
}

/// What is known of the impls of traits, each looked up once.
#[derive(Default)]
pub struct Impls<'tcx> {
    of_std: FxHashMap<DefId, Rc<Vec<StdImpl<'tcx>>>>,
    of_dependencies: FxHashMap<DefId, Rc<Vec<DefId>>>,
    passed_on: FxHashMap<TraitRef<'tcx>, Rc<Vec<TraitRef<'tcx>>>>,
}

/// An impl of std that has parameters, and what it asks of types.
struct StdImpl<'tcx> {
    id: DefId,
    trait_ref: TraitRef<'tcx>,
    asks_for: Vec<TraitRef<'tcx>>,
}

fn of_dependencies(collector: &mut Collector<'_>, trait_id: DefId) -> Rc<Vec<DefId>> {
    if let Some(known) = collector.impls.of_dependencies.get(&trait_id) {
        return Rc::clone(known);
    }
    let is_other = |id: &DefId| !id.is_local() && !collector.is_std(id.krate);
    let found = Rc::new(collector.tcx.all_impls(trait_id).filter(is_other).collect());
    collector.impls.of_dependencies.insert(trait_id, Rc::clone(&found));
    found
}

fn of_std<'tcx>(collector: &mut Collector<'tcx>, trait_id: DefId) -> Rc<Vec<StdImpl<'tcx>>> {
    if let Some(known) = collector.impls.of_std.get(&trait_id) {
        return Rc::clone(known);
    }
    let tcx = collector.tcx;
    let mut found = Vec::new();
    for id in tcx.all_impls(trait_id) {
        if !collector.is_std(id.krate) || !tcx.generics_of(id).requires_monomorphization(tcx) {
            continue;
        }
        let trait_ref = tcx.impl_trait_ref(id).skip_binder();
        let clauses = tcx.explicit_clauses_of(id).clauses.iter();
        let asks_for: Vec<_> =
            clauses.flat_map(|(clause, _)| with_supertraits(tcx, *clause)).collect();
        if is_nameable(tcx, trait_ref.self_ty()) && !asks_for.is_empty() {
            found.push(StdImpl { id, trait_ref, asks_for });
        }
    }
    let found = Rc::new(found);
    collector.impls.of_std.insert(trait_id, Rc::clone(&found));
    found
}

/// The trait and, if it is one of std, those that std's impls ask for, of the types that they are for,
/// and so on: `BufRead` of `BufReader<R>` runs `Read` of `R`. What impls outside of std pass on to is
/// found by walking their code.
fn passed_on<'tcx>(
    collector: &mut Collector<'tcx>,
    asked: TraitRef<'tcx>,
) -> Rc<Vec<TraitRef<'tcx>>> {
    let tcx = collector.tcx;
    let asked = any_of(tcx, asked);
    if let Some(known) = collector.impls.passed_on.get(&asked) {
        return Rc::clone(known);
    }
    let mut found = vec![asked];
    let mut seen: FxHashSet<TraitRef<'tcx>> = found.iter().copied().collect();
    let mut next = 0;
    while let Some(&current) = found.get(next) {
        next += 1;
        if !collector.is_std(current.def_id.krate) {
            continue;
        }
        for it in of_std(collector, current.def_id).iter() {
            let Some(known) = matched(tcx, it.id, it.trait_ref.args, current.args) else {
                continue;
            };
            for &bound in &it.asks_for {
                let bound = match found.len() > BOUNDS {
                    true => TraitRef::identity(tcx, bound.def_id),
                    false => any_of(tcx, bound.fold_with(&mut Put { tcx, known: &known })),
                };
                if is_of_interest(collector, bound) && seen.insert(bound) {
                    found.push(bound);
                }
            }
        }
    }
    let found = Rc::new(found);
    collector.impls.passed_on.insert(asked, Rc::clone(&found));
    found
}

/// The same for all types that callers decide on.
fn any_of<'tcx>(tcx: TyCtxt<'tcx>, trait_ref: TraitRef<'tcx>) -> TraitRef<'tcx> {
    let any = GenericArgs::identity_for_item(tcx, trait_ref.def_id);
    let args = trait_ref.args.iter().zip(any).map(|(arg, any)| match arg.as_type() {
        Some(ty) if is_open(ty) => any,
        _ => arg,
    });
    tcx.erase_and_anonymize_regions(TraitRef::new(tcx, trait_ref.def_id, args))
}

/// Whether a bound is on anything but types of std.
fn is_of_interest<'tcx>(collector: &Collector<'tcx>, bound: TraitRef<'tcx>) -> bool {
    bound.args.types().any(|ty| is_not_of_std(collector, ty))
}

fn is_not_of_std<'tcx>(collector: &Collector<'tcx>, ty: Ty<'tcx>) -> bool {
    ty.walk().filter_map(|part| part.as_type()).any(|part| match part.kind() {
        ty::Adt(adt, _) => !collector.is_std(adt.did().krate),
        _ => is_open(part),
    })
}

/// The trait that a clause asks for and its supertraits, as far as they have anything to run.
fn with_supertraits<'tcx>(tcx: TyCtxt<'tcx>, clause: ty::Clause<'tcx>) -> Vec<TraitRef<'tcx>> {
    let Some(bound) = clause.as_trait_clause() else {
        return Vec::new();
    };
    let bound = tcx.instantiate_bound_regions_with_erased(bound).trait_ref;
    supertraits(tcx, ty::Binder::dummy(bound))
        .map(|it| tcx.erase_and_anonymize_regions(tcx.instantiate_bound_regions_with_erased(it)))
        .filter(|it| tcx.def_kind(it.def_id) == DefKind::Trait)
        .filter(|it| !tcx.associated_item_def_ids(it.def_id).is_empty())
        .collect()
}

/// Errs towards yes.
fn is_nameable(tcx: TyCtxt<'_>, ty: Ty<'_>) -> bool {
    ty.peel_refs().ty_adt_def().is_none_or(|adt| tcx.visibility(adt.did()).is_public())
}

/// The parameters of an impl as far as the arguments of its trait say what they are; none where it
/// cannot be for them.
fn matched<'tcx>(
    tcx: TyCtxt<'tcx>,
    impl_id: DefId,
    of_impl: GenericArgsRef<'tcx>,
    args: GenericArgsRef<'tcx>,
) -> Option<Vec<Option<GenericArg<'tcx>>>> {
    let mut known = vec![None; tcx.generics_of(impl_id).count()];
    for (of_impl, arg) in of_impl.types().zip(args.types()) {
        if is_open(arg) {
            continue;
        }
        if !may_be(tcx, of_impl, arg) {
            return None;
        }
        find(of_impl, arg, &mut known);
    }
    Some(known)
}

fn find<'tcx>(pattern: Ty<'tcx>, ty: Ty<'tcx>, known: &mut [Option<GenericArg<'tcx>>]) {
    match (*pattern.kind(), *ty.kind()) {
        (ty::Param(parameter), _) => {
            if let Some(slot) = known.get_mut(parameter.index as usize) {
                *slot = Some(ty.into());
            }
        }
        (ty::Adt(one, ones), ty::Adt(two, twos)) if one == two => {
            ones.types().zip(twos.types()).for_each(|(one, two)| find(one, two, known));
        }
        (ty::Ref(_, one, _), ty::Ref(_, two, _))
        | (ty::RawPtr(one, _), ty::RawPtr(two, _))
        | (ty::Slice(one), ty::Slice(two))
        | (ty::Array(one, _), ty::Array(two, _)) => find(one, two, known),
        (ty::Tuple(ones), ty::Tuple(twos)) => {
            ones.iter().zip(twos).for_each(|(one, two)| find(one, two, known));
        }
        _ => {}
    }
}

/// Puts in what is known of parameters.
struct Put<'a, 'tcx> {
    tcx: TyCtxt<'tcx>,
    known: &'a [Option<GenericArg<'tcx>>],
}

impl<'tcx> ty::TypeFolder<TyCtxt<'tcx>> for Put<'_, 'tcx> {
    fn cx(&self) -> TyCtxt<'tcx> {
        self.tcx
    }

    fn fold_ty(&mut self, ty: Ty<'tcx>) -> Ty<'tcx> {
        use rustc_middle::ty::TypeSuperFoldable;
        match ty.kind() {
            ty::Param(parameter) => {
                let known = self.known.get(parameter.index as usize).copied().flatten();
                known.and_then(|arg| arg.as_type()).unwrap_or(ty)
            }
            _ => ty.super_fold_with(self),
        }
    }
}
