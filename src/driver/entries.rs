//! The entry points: where code outside of the client can see what the client does.
//!
//! Errs towards too many: an entry too much can only make a verdict weaker.

use cargo_cse::cfa::{Entry, EntryKind, EntryTarget, FnId, Span};
use rustc_data_structures::fx::FxHashSet;
use rustc_hir::ItemKind;
use rustc_hir::def::{DefKind, Res};
use rustc_middle::middle::codegen_fn_attrs::{CodegenFnAttrFlags, CodegenFnAttrs};
use rustc_middle::mir::UnevaluatedConst;
use rustc_middle::ty::{
    self, GenericArgs, Instance, TraitRef, TypeVisitableExt, TypingEnv, Unnormalized,
};
use rustc_span::Ident;
use rustc_span::def_id::{DefId, LOCAL_CRATE, LocalDefId};
use rustc_structures::CrateType;

use crate::collect::{Code, Collector};
use crate::paths::Paths;
use crate::{hidden, lower, outside, packages};

/// Finds all entry points and walks what they reach.
pub fn collect(collector: &mut Collector<'_>) {
    let tcx = collector.tcx;
    let mut entries = Entries {
        collector,
        paths: Paths::new(tcx),
        seen: FxHashSet::default(),
        dropped: FxHashSet::default(),
    };
    if let Some((main, _)) = tcx.entry_fn(()) {
        entries.item(main, EntryKind::Main);
        entries.result_of_main(main);
    }
    entries.exported_symbols();
    if tcx.crate_types().iter().any(|kind| *kind != CrateType::Executable) {
        entries.public_items();
    }
    let Entries { collector, mut paths, .. } = entries;
    outside::collect(collector, &mut paths);
}

struct Entries<'a, 'tcx> {
    collector: &'a mut Collector<'tcx>,
    paths: Paths<'tcx>,
    seen: FxHashSet<DefId>,
    /// The drops that are entry points already.
    dropped: FxHashSet<FnId>,
}

impl<'tcx> Entries<'_, 'tcx> {
    fn public_items(&mut self) {
        let tcx = self.collector.tcx;
        let visibilities = tcx.effective_visibilities(());
        for id in tcx.hir_crate_items(()).definitions() {
            let def_id = id.to_def_id();
            match tcx.def_kind(id) {
                DefKind::Mod => self.reexports(id),
                _ if !visibilities.is_reachable(id) => {}
                DefKind::TyAlias => {
                    self.item(def_id, EntryKind::Function);
                    let ty = tcx.type_of(def_id).instantiate_identity().skip_norm_wip();
                    if let ty::Adt(adt, _) = ty.kind()
                        && !adt.did().is_local()
                    {
                        self.reexported(Res::Def(tcx.def_kind(adt.did()), adt.did()));
                    }
                }
                DefKind::Impl { of_trait: true } => self.provided_methods(id),
                _ => self.item(def_id, EntryKind::Function),
            }
        }
    }

    /// Symbols that foreign code, the linker or the loader use, of every crate of the build.
    fn exported_symbols(&mut self) {
        let tcx = self.collector.tcx;
        for &number in tcx.crates(()).iter().chain([&LOCAL_CRATE]) {
            let macros_only = number != LOCAL_CRATE && tcx.crate_dep_kind(number).macros_only();
            if self.collector.is_std(number) || macros_only {
                continue;
            }
            let definitions: Vec<DefId> = match number {
                LOCAL_CRATE => {
                    tcx.hir_crate_items(()).definitions().map(|id| id.to_def_id()).collect()
                }
                _ => (0..tcx.num_extern_def_ids(number))
                    .map(|index| DefId { krate: number, index: index.into() })
                    .collect(),
            };
            for &def_id in &definitions {
                if tcx.def_kind(def_id) == DefKind::GlobalAsm {
                    self.assembly(def_id);
                }
            }
            for def_id in definitions {
                let kind = tcx.def_kind(def_id);
                if matches!(kind, DefKind::Fn | DefKind::AssocFn | DefKind::Static { .. })
                    && !tcx.is_foreign_item(def_id)
                    && is_exported(tcx.codegen_fn_attrs(def_id))
                {
                    self.item(def_id, EntryKind::Exported);
                }
            }
        }
    }

    /// Assembly outside of functions. Its text is known only in the crate that is being compiled.
    fn assembly(&mut self, def_id: DefId) {
        let tcx = self.collector.tcx;
        let text = def_id.as_local().and_then(|id| match tcx.hir_expect_item(id).kind {
            ItemKind::GlobalAsm { asm, .. } if asm.operands.is_empty() => {
                Some(asm.template.iter().map(ToString::to_string).collect())
            }
            _ => None,
        });
        let known = text.or_else(|| packages::unit(tcx, def_id.krate));
        self.collector.program.assembly.extend(known);
    }

    /// Adds what the item is to outside callers.
    fn item(&mut self, def_id: DefId, kind: EntryKind) {
        let tcx = self.collector.tcx;
        if !self.seen.insert(def_id) {
            return;
        }
        let generic = tcx.generics_of(def_id).requires_monomorphization(tcx);
        if let Some(types) = self.collector.signature(def_id, self.env(def_id, generic)) {
            let name = format!("types of {}", self.collector.names.bare_path(def_id));
            self.add(name, EntryKind::Signature, EntryTarget::Constant(types), def_id);
        }
        match tcx.def_kind(def_id) {
            DefKind::Fn | DefKind::AssocFn => {
                let env = self.env(def_id, generic);
                if tcx.trait_of_assoc(def_id).is_some() && !tcx.defaultness(def_id).has_value() {
                    return;
                }
                let args = GenericArgs::identity_for_item(tcx, def_id);
                let instance = match generic {
                    true => Instance::new_raw(def_id, tcx.erase_and_anonymize_regions(args)),
                    false => Instance::mono(tcx, def_id),
                };
                let name = self.collector.names.bare_path(def_id);
                let function = self.collector.function(Code::Instance(instance), env);
                self.add(name.clone(), kind, EntryTarget::Function(function), def_id);
                if !generic && kind != EntryKind::Main {
                    self.callable(def_id);
                }
                self.returned(def_id, &name, kind, env);
                self.dropped(def_id, env);
            }
            DefKind::Static { nested: false, .. } => {
                let target = EntryTarget::Static(self.collector.static_(def_id));
                self.add(self.collector.names.bare_path(def_id), kind.value(), target, def_id);
            }
            DefKind::Const | DefKind::AssocConst if !generic => {
                if let Some(value) = self.collector.constant_item(def_id) {
                    let name = self.collector.names.bare_path(def_id);
                    self.add(name, kind.value(), EntryTarget::Constant(value), def_id);
                }
            }
            DefKind::Const | DefKind::AssocConst if lower::has_mir(self.collector, def_id) => {
                let args = GenericArgs::identity_for_item(tcx, def_id);
                let args = tcx.erase_and_anonymize_regions(args);
                let constant = Code::Constant(UnevaluatedConst::new(def_id, args));
                let function = self.collector.function(constant, self.env(def_id, generic));
                let name = self.collector.names.bare_path(def_id);
                self.add(name, kind.value(), EntryTarget::Function(function), def_id);
            }
            DefKind::Struct | DefKind::Enum | DefKind::Union => {
                let env = self.env(def_id, generic);
                let ty = tcx.type_of(def_id).instantiate_identity().skip_norm_wip();
                let ty = tcx.erase_and_anonymize_regions(ty);
                let name = self.collector.names.bare_path(def_id);
                if let Some(function) = self.collector.drop_function(ty, env)
                    && self.dropped.insert(function)
                {
                    let name = format!("drop of {name}");
                    self.add(name, EntryKind::Drop, EntryTarget::Function(function), def_id);
                }
                if let Some(data) = self.collector.public_data(def_id, env) {
                    let target = EntryTarget::Constant(data);
                    self.add(format!("fields of {name}"), kind.value(), target, def_id);
                }
            }
            _ => {}
        }
    }

    /// Methods that an impl in the client takes from a trait of a dependency. Those of std's traits
    /// can reach a dependency only through methods that the client writes itself.
    fn provided_methods(&mut self, impl_id: LocalDefId) {
        let tcx = self.collector.tcx;
        let trait_ref = tcx.impl_trait_ref(impl_id).instantiate_identity().skip_norm_wip();
        if trait_ref.def_id.is_local() || self.collector.is_std(trait_ref.def_id.krate) {
            return;
        }
        let overridden = tcx.impl_item_implementor_ids(impl_id);
        let methods: Vec<DefId> = tcx
            .associated_items(trait_ref.def_id)
            .in_definition_order()
            .filter(|item| item.is_fn() && item.defaultness(tcx).has_value())
            .map(|item| item.def_id)
            .filter(|method| !overridden.contains_key(method))
            .collect();
        self.provided_constants(impl_id, trait_ref);
        for method in methods {
            let own_parameters = tcx.generics_of(method).own_requires_monomorphization();
            if trait_ref.has_param() {
                // In the generic form that holds for every impl.
                self.item(method, EntryKind::Function);
                continue;
            }
            let args = hidden::arguments(tcx, method, trait_ref);
            let env = hidden::method_env(tcx, method, args, TypingEnv::fully_monomorphized());
            let code = self.collector.resolve(method, args, env);
            let function = self.collector.function(code, env);
            let name = self.collector.names.path(method, args);
            let target = EntryTarget::Function(function);
            self.add(name, EntryKind::Function, target, impl_id.to_def_id());
            if !own_parameters && outside::is_callable(tcx, method) {
                let is_std = |number| self.collector.is_std(number);
                let name = Ident::with_dummy_span(tcx.item_name(method));
                let call = self.paths.method(trait_ref, name, &is_std);
                if let Some(entry) = self.collector.program.entries.last_mut() {
                    entry.call = call;
                }
            }
        }
    }

    /// The same for constants.
    fn provided_constants(&mut self, impl_id: LocalDefId, trait_ref: TraitRef<'tcx>) {
        let tcx = self.collector.tcx;
        let overridden = tcx.impl_item_implementor_ids(impl_id);
        let constants = tcx.associated_items(trait_ref.def_id).in_definition_order();
        let constants = constants.filter(|item| {
            tcx.def_kind(item.def_id) == DefKind::AssocConst
                && item.defaultness(tcx).has_value()
                && !overridden.contains_key(&item.def_id)
        });
        for constant in constants.map(|item| item.def_id).collect::<Vec<_>>() {
            if trait_ref.has_param() || tcx.generics_of(constant).own_requires_monomorphization() {
                self.item(constant, EntryKind::Function);
                continue;
            }
            let args = hidden::arguments(tcx, constant, trait_ref);
            let env = TypingEnv::fully_monomorphized();
            let code = Code::Constant(UnevaluatedConst { def: constant, args, promoted: None });
            let function = self.collector.function(code, env);
            let name = self.collector.names.path(constant, args);
            let target = EntryTarget::Function(function);
            self.add(name, EntryKind::Value, target, impl_id.to_def_id());
        }
    }

    /// Where a function returns `impl Trait`, outside callers run the trait's methods on the hidden
    /// type.
    fn returned(&mut self, function: DefId, name: &str, kind: EntryKind, env: TypingEnv<'tcx>) {
        let tcx = self.collector.tcx;
        let output = tcx.fn_sig(function).instantiate_identity().skip_norm_wip().output();
        let output = tcx.instantiate_bound_regions_with_erased(output);
        for (what, target) in hidden::functions(self.collector, output, env) {
            self.add(format!("{name} -> {what}"), kind, EntryTarget::Function(target), function);
        }
    }

    /// Whoever gets a value back drops it some time.
    fn dropped(&mut self, function: DefId, env: TypingEnv<'tcx>) {
        let tcx = self.collector.tcx;
        let output = tcx.fn_sig(function).instantiate_identity().skip_norm_wip().output();
        let output = tcx.instantiate_bound_regions_with_erased(output);
        let output = self.collector.normalize(Unnormalized::new_wip(output), env);
        if let Some(drop) = self.collector.drop_function(output, env)
            && self.dropped.insert(drop)
        {
            let name = self.collector.program.function(drop).name.clone();
            self.add(name, EntryKind::Drop, EntryTarget::Function(drop), function);
        }
    }

    /// What `main` returns is turned into the exit code, and an error is printed.
    fn result_of_main(&mut self, main: DefId) {
        let tcx = self.collector.tcx;
        let env = TypingEnv::fully_monomorphized();
        let output = tcx.fn_sig(main).instantiate_identity().skip_norm_wip().output();
        let output = tcx.instantiate_bound_regions_with_erased(output);
        let output = self.collector.normalize(Unnormalized::new_wip(output), env);
        let Some(termination) = tcx.lang_items().termination() else {
            return;
        };
        let trait_ref = TraitRef::new(tcx, termination, [output]);
        for report in self.collector.trait_methods(trait_ref, env) {
            let name = format!("{} -> result", self.collector.names.bare_path(main));
            self.add(name, EntryKind::Main, EntryTarget::Function(report), main);
        }
    }

    fn reexports(&mut self, module: LocalDefId) {
        let tcx = self.collector.tcx;
        for child in tcx.module_children_local(module) {
            if child.vis.is_public() {
                self.reexported(child.res);
            }
        }
    }

    /// An item of another crate that outside callers can name through the client.
    fn reexported(&mut self, res: Res<!>) {
        let tcx = self.collector.tcx;
        let Some(def_id) = res.opt_def_id() else {
            return;
        };
        if def_id.is_local() || self.collector.is_std(def_id.krate) {
            return;
        }
        match res {
            Res::Def(DefKind::Mod, _) => {
                if self.seen.insert(def_id) {
                    for child in tcx.module_children(def_id) {
                        if child.vis.is_public() {
                            self.reexported(child.res);
                        }
                    }
                }
            }
            Res::Def(DefKind::Struct | DefKind::Enum | DefKind::Union, _) => {
                if self.seen.contains(&def_id) {
                    return;
                }
                self.item(def_id, EntryKind::Reexport);
                let inherent = tcx.inherent_impls(def_id).iter().copied();
                let of_traits = tcx
                    .trait_impls_in_crate(def_id.krate)
                    .iter()
                    .copied()
                    .filter(|&id| mentions(tcx.impl_trait_ref(id).skip_binder(), def_id));
                for impl_id in inherent.chain(of_traits).collect::<Vec<_>>() {
                    self.reexported_impl(impl_id);
                }
            }
            Res::Def(DefKind::Trait, _) => {
                for &item in tcx.associated_item_def_ids(def_id) {
                    self.item(item, EntryKind::Reexport);
                }
                for impl_id in tcx.all_impls(def_id).collect::<Vec<_>>() {
                    if !impl_id.is_local() && !self.collector.is_std(impl_id.krate) {
                        self.reexported_impl(impl_id);
                    }
                }
            }
            Res::Def(DefKind::TyAlias, _) => {
                self.item(def_id, EntryKind::Reexport);
                let ty = tcx.type_of(def_id).instantiate_identity().skip_norm_wip();
                if let ty::Adt(adt, _) = ty.kind() {
                    self.reexported(Res::Def(tcx.def_kind(adt.did()), adt.did()));
                }
            }
            Res::Def(DefKind::Macro(_), _) => {
                if self.seen.insert(def_id) {
                    let env = TypingEnv::fully_monomorphized();
                    let code = Code::Elsewhere(def_id, "a macro, which expands in other crates");
                    let function = self.collector.function(code, env);
                    let name = format!("{}!", self.collector.names.bare_path(def_id));
                    let target = EntryTarget::Function(function);
                    self.add(name, EntryKind::Reexport, target, def_id);
                }
            }
            Res::Def(..) => self.item(def_id, EntryKind::Reexport),
            _ => {}
        }
    }

    fn reexported_impl(&mut self, impl_id: DefId) {
        let tcx = self.collector.tcx;
        let of_trait = tcx.impl_opt_trait_ref(impl_id).is_some();
        for &item in tcx.associated_item_def_ids(impl_id) {
            if of_trait || tcx.visibility(item).is_public() {
                self.item(item, EntryKind::Reexport);
            }
        }
    }

    fn env(&self, def_id: DefId, generic: bool) -> TypingEnv<'tcx> {
        match generic {
            true => TypingEnv::codegen(self.collector.tcx, def_id),
            false => TypingEnv::fully_monomorphized(),
        }
    }

    fn add(&mut self, name: String, kind: EntryKind, target: EntryTarget, def_id: DefId) {
        let tcx = self.collector.tcx;
        self.collector.walk(&name);
        let span: Span = self.collector.files.span(tcx, tcx.def_span(def_id));
        self.collector.program.entries.push(Entry { name, kind, target, span, call: None });
    }

    /// Says how the entry point that was added last is called from outside.
    fn callable(&mut self, function: DefId) {
        if outside::is_callable(self.collector.tcx, function) {
            let is_std = |number| self.collector.is_std(number);
            let call = self.paths.call(function, &is_std);
            if let Some(entry) = self.collector.program.entries.last_mut() {
                entry.call = call;
            }
        }
    }
}

/// Whether an impl is for the type, or for a trait or type that has the type inside.
fn mentions(trait_ref: TraitRef<'_>, def_id: DefId) -> bool {
    trait_ref.args.iter().flat_map(|arg| arg.walk()).any(|part| {
        part.as_type().and_then(|ty| ty.ty_adt_def()).is_some_and(|adt| adt.did() == def_id)
    })
}

/// Whether code outside of Rust can use the item: by its symbol, or because it lies where the linker
/// or the loader looks.
fn is_exported(attributes: &CodegenFnAttrs) -> bool {
    let used = CodegenFnAttrFlags::USED_COMPILER | CodegenFnAttrFlags::USED_LINKER;
    attributes.contains_extern_indicator()
        || attributes.flags.intersects(used)
        || attributes.link_section.is_some()
}

trait ValueKind {
    fn value(self) -> EntryKind;
}

impl ValueKind for EntryKind {
    fn value(self) -> EntryKind {
        match self {
            EntryKind::Function => EntryKind::Value,
            other => other,
        }
    }
}
