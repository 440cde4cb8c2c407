//! Names that hold across versions: crate names without hashes, impls by what they are for, type
//! parameters by position, no lifetimes.

use std::cell::RefCell;
use std::fmt::Write;

use rustc_data_structures::fx::FxHashMap;
use rustc_hir::def::DefKind;
use rustc_hir_id::definitions::DefPathData;
use rustc_middle::ty::print::with_no_trimmed_paths;
use rustc_middle::ty::{self, GenericArg, GenericArgKind, GenericArgsRef, Instance, Ty, TyCtxt};
use rustc_span::def_id::{CrateNum, DefId};

/// Prints names; `labels` are those of the crates.
pub struct Names<'tcx> {
    tcx: TyCtxt<'tcx>,
    labels: FxHashMap<CrateNum, String>,
    /// A type stands in the names of many functions and of other types, and is printed once.
    types: RefCell<FxHashMap<Ty<'tcx>, String>>,
    bare_paths: RefCell<FxHashMap<DefId, String>>,
}

impl<'tcx> Names<'tcx> {
    pub fn new(tcx: TyCtxt<'tcx>, labels: FxHashMap<CrateNum, String>) -> Names<'tcx> {
        Names { tcx, labels, types: RefCell::default(), bare_paths: RefCell::default() }
    }

    pub fn instance(&self, instance: Instance<'tcx>) -> String {
        use ty::{InstanceKind, ShimKind};
        let path = self.path(instance.def_id(), instance.args);
        let InstanceKind::Shim(shim) = instance.def else {
            return path;
        };
        match shim {
            ShimKind::VTable(_) => format!("{path} {{vtable shim}}"),
            ShimKind::Reify(..) => format!("{path} {{function pointer}}"),
            ShimKind::FnPtr(_, ty)
            | ShimKind::FnPtrAsPtr(_, ty)
            | ShimKind::FnPtrFromPtr(_, ty) => {
                format!("{path} {{through {}}}", self.ty(ty))
            }
            // It has the arguments of the trait's method, of which the first is the closure.
            ShimKind::ClosureOnce { .. } => {
                format!("{path} {{once {}}}", self.ty(instance.args.type_at(0)))
            }
            ShimKind::DropGlue(_, Some(ty)) => format!("drop of {}", self.ty(ty)),
            ShimKind::DropGlue(_, None) => "drop of nothing".to_owned(),
            ShimKind::Clone(_, ty) => format!("clone of {}", self.ty(ty)),
            ShimKind::ThreadLocal(_) => format!("{path} {{thread local}}"),
            ShimKind::ConstructCoroutineInClosure { receiver_by_ref, .. } => {
                format!("{path} {{coroutine, by reference: {receiver_by_ref}}}")
            }
            ShimKind::FutureDropPoll(_, a, b) => {
                format!("{path} {{drop {} in {}}}", self.ty(a), self.ty(b))
            }
            ShimKind::AsyncDropGlueCtor(_, ty) | ShimKind::AsyncDropGlue(_, ty) => {
                format!("{path} {{async drop of {}}}", self.ty(ty))
            }
        }
    }

    /// The path of an item with its generic arguments in the places where they belong.
    pub fn path(&self, def_id: DefId, args: GenericArgsRef<'tcx>) -> String {
        let key = self.tcx.def_key(def_id);
        let data = key.disambiguated_data;
        let Some(parent) = key.parent else {
            return self.label(def_id.krate);
        };
        let parent = DefId { krate: def_id.krate, index: parent };
        if data.data == DefPathData::Impl {
            return self.impl_header(def_id, args);
        }
        let generics = match self.tcx.def_kind(def_id) {
            DefKind::Mod | DefKind::ForeignMod => None,
            _ => Some(self.tcx.generics_of(def_id)),
        };
        let mut path = match self.tcx.trait_of_assoc(def_id) {
            Some(trait_id) => {
                let trait_args = &args[..self.tcx.generics_of(trait_id).count().min(args.len())];
                let own_type = trait_args.first().and_then(|arg| arg.as_type());
                match own_type {
                    Some(ty) => format!(
                        "<{} as {}{}>",
                        self.ty(ty),
                        self.bare_path(trait_id),
                        self.args(&trait_args[1..], "")
                    ),
                    None => self.bare_path(trait_id),
                }
            }
            // A function inside of a generic one does not share its parameters.
            None if generics.is_some_and(|it| it.parent.is_some()) => self.path(parent, args),
            None => self.bare_path(parent),
        };
        self.push_segment(&mut path, data.data, data.disambiguator);
        if let Some(generics) = generics
            && !matches!(data.data, DefPathData::Closure | DefPathData::Ctor)
        {
            let start = generics.parent_count.min(args.len());
            let end = generics.count().min(args.len());
            let turbofish = if matches!(data.data, DefPathData::ValueNs(_)) { "::" } else { "" };
            path.push_str(&self.args(&args[start..end], turbofish));
        }
        path
    }

    /// A trait for the type that it is implemented for.
    pub fn of_trait(&self, trait_ref: ty::TraitRef<'tcx>) -> String {
        let (own_type, path) = (self.ty(trait_ref.self_ty()), self.bare_path(trait_ref.def_id));
        format!("<{own_type} as {path}{}>", self.args(&trait_ref.args[1..], ""))
    }

    /// The path of an item without any generic arguments.
    pub fn bare_path(&self, def_id: DefId) -> String {
        // The borrow must end before printing, which comes back here.
        let known = self.bare_paths.borrow().get(&def_id).cloned();
        known.unwrap_or_else(|| {
            let path = self.print_bare_path(def_id);
            self.bare_paths.borrow_mut().insert(def_id, path.clone());
            path
        })
    }

    pub fn ty(&self, ty: Ty<'tcx>) -> String {
        let known = self.types.borrow().get(&ty).cloned();
        known.unwrap_or_else(|| {
            let name = self.print_ty(ty);
            self.types.borrow_mut().insert(ty, name.clone());
            name
        })
    }

    fn print_bare_path(&self, def_id: DefId) -> String {
        let key = self.tcx.def_key(def_id);
        let Some(parent) = key.parent else {
            return self.label(def_id.krate);
        };
        let data = key.disambiguated_data;
        if data.data == DefPathData::Impl {
            return self.impl_header(def_id, ty::GenericArgs::identity_for_item(self.tcx, def_id));
        }
        let mut path = self.bare_path(DefId { krate: def_id.krate, index: parent });
        self.push_segment(&mut path, data.data, data.disambiguator);
        path
    }

    fn print_ty(&self, ty: Ty<'tcx>) -> String {
        match *ty.kind() {
            ty::Adt(adt, args) => self.path(adt.did(), args),
            ty::Foreign(def_id) => self.bare_path(def_id),
            ty::Array(element, len) => format!("[{}; {}]", self.ty(element), self.constant(len)),
            ty::Slice(element) => format!("[{}]", self.ty(element)),
            ty::RawPtr(to, mutability) => {
                format!("*{} {}", mutability.ptr_str(), self.ty(to))
            }
            ty::Ref(_, to, mutability) => {
                format!("&{}{}", mutability.prefix_str(), self.ty(to))
            }
            ty::FnDef(def_id, args) => {
                format!("fn {}", self.path(def_id, args.skip_binder()))
            }
            ty::FnPtr(signature, header) => {
                let signature = signature.skip_binder();
                let inputs: Vec<_> = signature.inputs().iter().map(|&ty| self.ty(ty)).collect();
                format!(
                    "{:?} {:?} fn({}) -> {}",
                    header.safety(),
                    header.abi(),
                    inputs.join(", "),
                    self.ty(signature.output())
                )
            }
            ty::Dynamic(predicates, _) => {
                let mut parts = Vec::new();
                for predicate in predicates.iter() {
                    parts.push(match predicate.skip_binder() {
                        ty::ExistentialPredicate::Trait(trait_ref) => format!(
                            "{}{}",
                            self.bare_path(trait_ref.def_id),
                            self.args(trait_ref.args, "")
                        ),
                        ty::ExistentialPredicate::Projection(projection) => {
                            let term = match projection.term.kind() {
                                ty::TermKind::Ty(ty) => self.ty(ty),
                                ty::TermKind::Const(constant) => self.constant(constant),
                            };
                            format!("{} = {term}", self.bare_path(projection.def_id))
                        }
                        ty::ExistentialPredicate::AutoTrait(def_id) => self.bare_path(def_id),
                    });
                }
                // The compiler sorts auto traits by hash, which is not stable across versions.
                parts[1.min(predicates.len())..].sort();
                format!("dyn {}", parts.join(" + "))
            }
            ty::Closure(def_id, args)
            | ty::Coroutine(def_id, args)
            | ty::CoroutineClosure(def_id, args)
            | ty::CoroutineWitness(def_id, args) => self.path(def_id, args),
            ty::Tuple(elements) => {
                let elements: Vec<_> = elements.iter().map(|ty| self.ty(ty)).collect();
                match elements.len() {
                    1 => format!("({},)", elements[0]),
                    _ => format!("({})", elements.join(", ")),
                }
            }
            ty::Alias(_, alias) => match alias.kind {
                ty::AliasTyKind::Projection { def_id } => self.path(def_id, alias.args),
                ty::AliasTyKind::Inherent { def_id } => self.path(def_id, alias.args),
                ty::AliasTyKind::Opaque { def_id } => {
                    format!("impl {}{}", self.bare_path(def_id), self.args(alias.args, ""))
                }
                ty::AliasTyKind::Free { def_id } => self.path(def_id, alias.args),
            },
            ty::Param(parameter) => format!("#{}", parameter.index),
            ty::Pat(base, pattern) => format!("{} is {pattern:?}", self.ty(base)),
            _ => with_no_trimmed_paths!(ty.to_string()),
        }
    }

    pub fn constant(&self, constant: ty::Const<'tcx>) -> String {
        match constant.kind() {
            ty::ConstKind::Param(parameter) => format!("#{}", parameter.index),
            ty::ConstKind::Value(value) => match value.try_to_leaf() {
                Some(leaf) => leaf.to_bits_unchecked().to_string(),
                None => with_no_trimmed_paths!(format!("{:?}", value)),
            },
            _ => with_no_trimmed_paths!(format!("{constant:?}")),
        }
    }

    fn impl_header(&self, impl_id: DefId, args: GenericArgsRef<'tcx>) -> String {
        let tcx = self.tcx;
        let args = &args[..tcx.generics_of(impl_id).count().min(args.len())];
        match tcx.impl_opt_trait_ref(impl_id) {
            Some(trait_ref) => self.of_trait(trait_ref.instantiate(tcx, args).skip_norm_wip()),
            None => {
                let own_type = tcx.type_of(impl_id).instantiate(tcx, args).skip_norm_wip();
                match own_type.kind() {
                    ty::Adt(..) => self.ty(own_type),
                    _ => format!("<{}>", self.ty(own_type)),
                }
            }
        }
    }

    fn label(&self, krate: CrateNum) -> String {
        self.labels.get(&krate).cloned().unwrap_or_else(|| self.tcx.crate_name(krate).to_string())
    }

    fn push_segment(&self, path: &mut String, data: DefPathData, disambiguator: u32) {
        let segment = match data {
            DefPathData::TypeNs(name)
            | DefPathData::ValueNs(name)
            | DefPathData::MacroNs(name)
            | DefPathData::LifetimeNs(name) => name.to_string(),
            DefPathData::ForeignMod | DefPathData::Ctor => return,
            DefPathData::Closure => {
                write!(path, "::{{closure#{disambiguator}}}").expect("writing to a string");
                return;
            }
            DefPathData::AnonConst => "{const}".to_owned(),
            other => format!("{{{other:?}}}"),
        };
        path.push_str("::");
        path.push_str(&segment);
        if disambiguator != 0 {
            write!(path, "#{disambiguator}").expect("writing to a string");
        }
    }

    fn args(&self, args: &[GenericArg<'tcx>], prefix: &str) -> String {
        let parts: Vec<_> = args
            .iter()
            .filter_map(|arg| match arg.kind() {
                GenericArgKind::Lifetime(_) => None,
                GenericArgKind::Type(ty) => Some(self.ty(ty)),
                GenericArgKind::Const(constant) => Some(self.constant(constant)),
            })
            .collect();
        if parts.is_empty() { String::new() } else { format!("{prefix}<{}>", parts.join(", ")) }
    }
}
