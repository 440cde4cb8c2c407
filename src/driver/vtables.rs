//! Vtables: what a trait object can run.

use cargo_cse::cfa::{FnId, PointerMeta, VTable, VTableId};
use rustc_middle::ty::{self, Instance, ShimKind, Ty, TypeVisitableExt, TypingEnv, VtblEntry};
use rustc_type_ir::elaborate::supertraits;

use crate::collect::{Code, Collector};

impl<'tcx> Collector<'tcx> {
    pub fn vtable(&mut self, ty: Ty<'tcx>, object: Ty<'tcx>, env: TypingEnv<'tcx>) -> VTableId {
        let tcx = self.tcx;
        let generic = ty.has_param() || object.has_param();
        let env = if generic { env } else { TypingEnv::fully_monomorphized() };
        let (ty, object) =
            (tcx.erase_and_anonymize_regions(ty), tcx.erase_and_anonymize_regions(object));
        let key = (ty, object, env, self.checks);
        if let Some(&id) = self.vtables.get(&key) {
            return id;
        }
        let dyn_name = self.names.ty(object);
        let own_type = self.ty(ty, env);
        let id =
            self.push_vtable(VTable { ty: own_type, dyn_name, drop: None, methods: Vec::new() });
        self.vtables.insert(key, id);
        let drop = self.drop_function(ty, env);
        let methods = match object.kind() {
            ty::Dynamic(predicates, _) if let Some(principal) = predicates.principal() => {
                let trait_ref =
                    tcx.instantiate_bound_regions_with_erased(principal.with_self_ty(tcx, ty));
                match generic {
                    true => self.generic_methods(trait_ref, env),
                    false => self.methods(trait_ref, env),
                }
            }
            _ => Vec::new(),
        };
        let entry = &mut self.program.vtables[id.index()];
        (entry.drop, entry.methods) = (drop, methods);
        id
    }

    /// What an unsizing coercion adds to a pointer.
    pub fn unsize_meta(
        &mut self,
        from: Ty<'tcx>,
        to: Ty<'tcx>,
        env: TypingEnv<'tcx>,
    ) -> Option<PointerMeta> {
        let tcx = self.tcx;
        match (*from.kind(), *to.kind()) {
            (ty::Ref(_, from, _) | ty::RawPtr(from, _), ty::Ref(_, to, _) | ty::RawPtr(to, _)) => {
                let (from, to) = tcx.struct_lockstep_tails_for_codegen(from, to, env);
                match (*from.kind(), *to.kind()) {
                    (ty::Array(_, len), ty::Slice(_)) => {
                        len.try_to_target_usize(tcx).map(PointerMeta::Length)
                    }
                    (ty::Dynamic(..), ty::Dynamic(..)) => None,
                    (_, ty::Dynamic(..)) => Some(PointerMeta::VTable(self.vtable(from, to, env))),
                    _ => None,
                }
            }
            // A smart pointer is coerced by the one field in it that is.
            (ty::Adt(from_adt, from_args), ty::Adt(to_adt, to_args)) if from_adt == to_adt => {
                from_adt.all_fields().find_map(|field| {
                    let from = self.normalize(field.ty(tcx, from_args), env);
                    let to = self.normalize(field.ty(tcx, to_args), env);
                    if from == to { None } else { self.unsize_meta(from, to, env) }
                })
            }
            (ty::Pat(from, _), ty::Pat(to, _)) => self.unsize_meta(from, to, env),
            _ => None,
        }
    }

    fn methods(
        &mut self,
        trait_ref: ty::TraitRef<'tcx>,
        env: TypingEnv<'tcx>,
    ) -> Vec<Option<FnId>> {
        let entries = self.tcx.vtable_entries(trait_ref);
        entries
            .iter()
            .map(|entry| match entry {
                VtblEntry::Method(instance) => Some(self.function(Code::Instance(*instance), env)),
                _ => None,
            })
            .collect()
    }

    /// In generic form there is no vtable yet: all methods of the trait and its supertraits, as far
    /// as they are known. Errs towards too many.
    fn generic_methods(
        &mut self,
        trait_ref: ty::TraitRef<'tcx>,
        env: TypingEnv<'tcx>,
    ) -> Vec<Option<FnId>> {
        let tcx = self.tcx;
        let mut found = Vec::new();
        for current in supertraits(tcx, ty::Binder::dummy(trait_ref)) {
            let current = tcx.instantiate_bound_regions_with_erased(current);
            found.extend(self.trait_methods(current, env).into_iter().map(Some));
        }
        found
    }

    /// The methods of one trait for one type that have no type parameters of their own.
    pub fn trait_methods(
        &mut self,
        trait_ref: ty::TraitRef<'tcx>,
        env: TypingEnv<'tcx>,
    ) -> Vec<FnId> {
        let tcx = self.tcx;
        let mut found = Vec::new();
        for method in tcx.associated_items(trait_ref.def_id).in_definition_order() {
            if !method.is_fn() || tcx.generics_of(method.def_id).own_requires_monomorphization() {
                continue;
            }
            let args =
                ty::GenericArgs::for_item(tcx, method.def_id, |parameter, _| {
                    match trait_ref.args.get(parameter.index as usize) {
                        Some(&arg) => arg,
                        None => tcx.lifetimes.re_erased.into(),
                    }
                });
            let code = self.resolve(method.def_id, args, env);
            found.push(self.function(code, env));
        }
        found
    }
}

/// Whether the instance is drop glue that does nothing.
pub fn is_empty_drop(instance: Instance<'_>) -> bool {
    matches!(instance.def, ty::InstanceKind::Shim(ShimKind::DropGlue(_, None)))
}
