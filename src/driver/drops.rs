//! Dropping: drop glue of known types, and its counterpart for types with parameters.

use cargo_cse::cfa::{
    Body, Call, Callee, Cfa, Edge, FnId, Local, LocalId, Location, Op, Operand, Place, Span,
};
use cargo_cse::reason::GenericCode;
use rustc_middle::ty::{self, GenericArgsRef, Instance, Ty, TypeVisitableExt, TypingEnv};
use rustc_span::def_id::DefId;

use crate::collect::{Code, Collector};
use crate::lower::Lowered;
use crate::vtables::is_empty_drop;

impl<'tcx> Collector<'tcx> {
    /// What runs when a value of the type is dropped; none if nothing does.
    pub fn drop_function(&mut self, ty: Ty<'tcx>, env: TypingEnv<'tcx>) -> Option<FnId> {
        if !ty.needs_drop(self.tcx, env) {
            return None;
        }
        if ty.has_param() {
            let ty = self.tcx.erase_and_anonymize_regions(ty);
            return Some(self.function(Code::GenericDrop(ty), env));
        }
        let instance = Instance::resolve_drop_glue(self.tcx, ty);
        (!is_empty_drop(instance)).then(|| self.function(Code::Instance(instance), env))
    }

    /// The types of what lives in a coroutine while it waits.
    pub fn saved_types(
        &self,
        coroutine: DefId,
        args: GenericArgsRef<'tcx>,
        env: TypingEnv<'tcx>,
    ) -> Vec<Ty<'tcx>> {
        let tcx = self.tcx;
        let saved = tcx.mir_coroutine_witnesses(coroutine).into_iter();
        let saved = saved.flat_map(|layout| &layout.field_tys).filter(|it| !it.ignore_for_traits);
        let types = saved.map(|it| ty::EarlyBinder::bind(tcx, it.ty).instantiate(tcx, args));
        types.map(|ty| self.normalize(ty, env)).collect()
    }
}

/// The local of a list that stands for what is dropped.
pub const DROPPED: LocalId = LocalId(1);

/// The drop glue of a type with parameters, as the list of what it may run: the type's own `Drop`
/// first, then its parts in order.
pub fn generic<'tcx>(
    collector: &mut Collector<'tcx>,
    ty: Ty<'tcx>,
    env: TypingEnv<'tcx>,
) -> Lowered {
    let tcx = collector.tcx;
    let mut runs = Vec::new();
    let mut parts: Vec<Ty<'tcx>> = Vec::new();
    match *ty.kind() {
        ty::Adt(adt, args) => {
            // The compiler drops what is in a box itself, before the box.
            parts.extend(ty.boxed_ty());
            if let Some(destructor) = tcx.adt_destructor(adt.did()) {
                let drop_trait_method = tcx
                    .associated_item(destructor.did)
                    .trait_item_def_id()
                    .expect("a destructor is the method of an impl of Drop");
                let code = collector.resolve(drop_trait_method, tcx.mk_args(&[ty.into()]), env);
                runs.push(collector.function(code, env));
            }
            if !adt.is_manually_drop() && !adt.is_union() {
                for field in adt.all_fields() {
                    parts.push(collector.normalize(field.ty(tcx, args), env));
                }
            }
        }
        ty::Tuple(elements) => parts.extend(elements),
        ty::Array(element, _) | ty::Slice(element) | ty::Pat(element, _) => parts.push(element),
        ty::Closure(_, args) => parts.extend(args.as_closure().upvar_tys()),
        ty::Coroutine(def_id, args) => {
            parts.extend(args.as_coroutine().upvar_tys());
            parts.extend(collector.saved_types(def_id, args, env));
        }
        ty::CoroutineClosure(_, args) => parts.extend(args.as_coroutine_closure().upvar_tys()),
        // What the impls that callers can use give for it.
        ty::Alias(_, alias) if let ty::AliasTyKind::Projection { def_id } = alias.kind => {
            runs.push(collector.function(Code::Supplied(def_id, alias.args), env));
        }
        // A parameter: whoever brings the type brings its drop.
        _ => {}
    }
    for part in parts {
        runs.extend(collector.drop_function(part, env));
    }
    let whole = Op::Unsupported {
        reason: GenericCode::Drop.into(),
        reads: vec![Operand::Read(Place::local(DROPPED))],
        writes: Vec::new(),
    };
    list(collector, ty, env, whole, runs)
}

/// A function that takes a pointer to a value, for `whole`, and then calls all of these. It serves to
/// compare, not to execute: the callees get no value, and the operation that stands for the whole keeps
/// it from being taken for code that can be inlined.
pub fn list<'tcx>(
    collector: &mut Collector<'tcx>,
    ty: Ty<'tcx>,
    env: TypingEnv<'tcx>,
    whole: Op,
    runs: Vec<FnId>,
) -> Lowered {
    let unit = collector.ty(collector.tcx.types.unit, env);
    let pointer = collector.ty(Ty::new_mut_ptr(collector.tcx, ty), env);
    let calls = runs.iter().map(|&function| {
        Op::Call(Call {
            callee: Callee::Function(function),
            args: Vec::new(),
            result: Place::local(LocalId(0)),
            unwind: None,
        })
    });
    let edges: Vec<Edge> = [whole]
        .into_iter()
        .chain(calls)
        .enumerate()
        .map(|(index, op)| Edge {
            from: Location(index as u32),
            to: Location(index as u32 + 1),
            op,
            span: Span::UNKNOWN,
        })
        .collect();
    Lowered {
        params: 1,
        locals: [unit, pointer].map(|ty| Local { name: None, ty }).into(),
        body: Body::Cfa(Cfa { locations: edges.len() as u32 + 1, edges }),
    }
}
