//! Dropping: drop glue of known types, and its counterpart for types with parameters.

use cargo_cse::cfa::{
    Body, Call, Callee, Cfa, Edge, FnId, Local, LocalId, Location, Op, Operand, Place, Span,
};
use rustc_middle::ty::{self, Instance, Ty, TypeVisitableExt, TypingEnv};

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
}

/// The drop glue of a type with parameters, as the list of what it may run: the type's own `Drop`
/// first, then its parts in order. It serves to compare, not to execute: the parts get no value, and
/// an operation that stands for the whole keeps it from being taken for code that can be inlined.
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
            if let Some(destructor) = tcx.adt_destructor(adt.did()) {
                let drop_trait_method = tcx
                    .associated_item(destructor.did)
                    .trait_item_def_id()
                    .expect("a destructor is the method of an impl of Drop");
                let code = collector.resolve(drop_trait_method, tcx.mk_args(&[ty.into()]), env);
                runs.push(collector.function(code, env));
            }
            if !adt.is_manually_drop() {
                for field in adt.all_fields() {
                    parts.push(collector.normalize(field.ty(tcx, args), env));
                }
            }
        }
        ty::Tuple(elements) => parts.extend(elements),
        ty::Array(element, _) | ty::Slice(element) => parts.push(element),
        ty::Closure(_, args) => parts.extend(args.as_closure().upvar_tys()),
        ty::Coroutine(_, args) => parts.extend(args.as_coroutine().upvar_tys()),
        ty::CoroutineClosure(_, args) => parts.extend(args.as_coroutine_closure().upvar_tys()),
        // A parameter: whoever brings the type brings its drop.
        _ => {}
    }
    for part in parts {
        runs.extend(collector.drop_function(part, env));
    }
    let unit = collector.ty(tcx.types.unit, env);
    let pointer = collector.ty(Ty::new_mut_ptr(tcx, ty), env);
    let whole = Op::Unsupported {
        reason: "drops a value of a type that has parameters".to_owned(),
        reads: vec![Operand::Read(Place::local(LocalId(1)))],
        writes: Vec::new(),
    };
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
