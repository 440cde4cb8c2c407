//! From an instance to a function of the IR: which kind of body it has, and where its MIR is.
//!
//! `body` lowers control flow, `value` what stands inside statements; `checks` is what is left out.

mod body;
mod checks;
mod value;

use cargo_cse::cfa::{Body, Cfa, Edge, Local, LocalId, Location, Op, Operand, Place, Rvalue, Span};
use cargo_cse::reason::NoCode;
use rustc_hir::def::DefKind;
use rustc_middle::mir::{self, UnevaluatedConst};
use rustc_middle::ty::{EarlyBinder, Instance, InstanceKind, Ty, TypeVisitableExt, TypingEnv};
use rustc_span::def_id::DefId;

use crate::collect::Collector;
use crate::generated::Checks;
use crate::std_items;

/// What the lowering of a function fills in.
pub struct Lowered {
    pub params: u32,
    pub locals: Vec<Local>,
    pub body: Body,
}

impl Lowered {
    pub fn without_code(body: Body) -> Lowered {
        Lowered { params: 0, locals: Vec::new(), body }
    }
}

pub fn instance<'tcx>(
    collector: &mut Collector<'tcx>,
    instance: Instance<'tcx>,
    env: TypingEnv<'tcx>,
) -> Lowered {
    let tcx = collector.tcx;
    let def_id = instance.def_id();
    match instance.def {
        InstanceKind::Intrinsic(_) => {
            let intrinsic = std_items::intrinsic(collector, def_id);
            return Lowered::without_code(Body::Intrinsic(intrinsic));
        }
        InstanceKind::LlvmIntrinsic(_) => {
            let symbol = tcx.item_name(def_id).to_string();
            return Lowered::without_code(Body::Foreign { symbol });
        }
        InstanceKind::Virtual(..) => return Lowered::without_code(Body::VirtualCall),
        InstanceKind::Item(_) => {
            if tcx.is_foreign_item(def_id) {
                let symbol = tcx.symbol_name(instance).name.to_owned();
                return Lowered::without_code(Body::Foreign { symbol });
            }
            if let Some(outcome) = std_items::outcome(collector, def_id) {
                let outcome = match outcome {
                    Body::Panic if collector.implicit.messages_count => Body::PanicWithMessage,
                    outcome => outcome,
                };
                return Lowered::without_code(outcome);
            }
            if !has_mir(collector, def_id) {
                return Lowered::without_code(Body::Missing(NoCode::NoMir.into()));
            }
        }
        InstanceKind::Shim(_) => {}
    }
    let mut body = tcx.instance_mir(instance.def).clone();
    if collector.is_std(def_id.krate) {
        checks::leave_out(collector, &mut body);
    }
    // The compiler leaves out what the client's own overflow checks make unreachable.
    let as_the_client = matches!(collector.checks,
        Checks::Known { on, .. } if on == tcx.sess.overflow_checks());
    let reachable = match collector.is_generic(env) || !as_the_client {
        true => mir::traversal::reachable_as_bitset(&body),
        false => mir::traversal::mono_reachable_as_bitset(&body, tcx, instance),
    };
    let bound = EarlyBinder::bind(tcx, body);
    match instance.try_instantiate_mir_and_normalize_erasing_regions(tcx, env, bound) {
        Ok(body) => body::lower(collector, &body, &reachable, env),
        Err(error) => {
            let ty = error.get_type_for_failure().to_string();
            let reason = NoCode::UnresolvedType(Some(ty.into()));
            Lowered::without_code(Body::Missing(reason.into()))
        }
    }
}

/// The code that computes a constant which depends on parameters, or that gives one that does not.
pub fn constant<'tcx>(
    collector: &mut Collector<'tcx>,
    constant: UnevaluatedConst<'tcx>,
    env: TypingEnv<'tcx>,
) -> Lowered {
    let tcx = collector.tcx;
    if !constant.args.has_param()
        && let Some(known) = known_constant(collector, constant)
    {
        return known;
    }
    // Of a literal there is no code in other crates.
    if constant.promoted.is_none()
        && let Some((value, ty)) = tcx.trivial_const(constant.def)
    {
        return given_constant(collector, value, ty);
    }
    let body = match constant.promoted {
        Some(promoted) => &tcx.promoted_mir(constant.def)[promoted],
        None if has_mir(collector, constant.def) => tcx.mir_for_ctfe(constant.def),
        None => {
            let reason = NoCode::ConstantWithoutValue;
            return Lowered::without_code(Body::Missing(reason.into()));
        }
    };
    let reachable = mir::traversal::reachable_as_bitset(body);
    let bound = EarlyBinder::bind(tcx, body.clone());
    match tcx.try_instantiate_and_normalize_erasing_regions(constant.args, env, bound) {
        Ok(body) => body::lower(collector, &body, &reachable, env),
        Err(_) => Lowered::without_code(Body::Missing(NoCode::UnresolvedType(None).into())),
    }
}

fn known_constant<'tcx>(
    collector: &mut Collector<'tcx>,
    constant: UnevaluatedConst<'tcx>,
) -> Option<Lowered> {
    let tcx = collector.tcx;
    let env = TypingEnv::fully_monomorphized();
    let ty = tcx.type_of(constant.def).instantiate(tcx, constant.args);
    let ty = collector.normalize(ty, env);
    let evaluated = mir::Const::Unevaluated(constant, ty);
    let value = evaluated.eval(tcx, env, tcx.def_span(constant.def)).ok()?;
    Some(given_constant(collector, value, ty))
}

/// Code that gives a value.
fn given_constant<'tcx>(
    collector: &mut Collector<'tcx>,
    value: mir::ConstValue,
    ty: Ty<'tcx>,
) -> Lowered {
    let env = TypingEnv::fully_monomorphized();
    let value = Operand::Const(collector.value(value, ty, env));
    let result = Op::Assign(Place::local(LocalId(0)), Rvalue::Use(value));
    let edge = Edge { from: Location(0), to: Location(1), op: result, span: Span::UNKNOWN };
    Lowered {
        params: 0,
        locals: vec![Local { name: None, ty: collector.ty(ty, env) }],
        body: Body::Cfa(Cfa { locations: 2, edges: vec![edge] }),
    }
}

pub fn has_mir(collector: &Collector<'_>, def_id: DefId) -> bool {
    let tcx = collector.tcx;
    match tcx.def_kind(def_id) {
        // Only a trait can leave out the value.
        DefKind::Const | DefKind::AssocConst => {
            tcx.trait_of_assoc(def_id).is_none() || tcx.defaultness(def_id).has_value()
        }
        DefKind::AnonConst | DefKind::Ctor(..) => true,
        _ => tcx.is_mir_available(def_id),
    }
}

impl<'tcx> Collector<'tcx> {
    fn is_generic(&self, env: TypingEnv<'tcx>) -> bool {
        env != TypingEnv::fully_monomorphized()
    }
}
