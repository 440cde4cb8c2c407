//! The entry points: what the interface has, item by item, each with all that it reaches.

use std::rc::Rc;

use cargo_cse::cfa::{Entry, EntryKind, EntryTarget, FnId, Listing, Span};
use cargo_cse::reason::CodeElsewhere;
use rustc_ast_pretty::pprust;
use rustc_data_structures::fx::FxHashSet;
use rustc_hir::ItemKind;
use rustc_hir::def::{DefKind, Namespace, Res};
use rustc_middle::mir::UnevaluatedConst;
use rustc_middle::ty::{
    self, GenericArgs, Instance, TraitRef, Ty, TypeVisitableExt, TypingEnv, Unnormalized,
};
use rustc_span::Ident;
use rustc_span::def_id::{DefId, LocalDefId};
use rustc_structures::CrateType;

use super::handed_out::with_values;
use super::tree::Path;
use super::{hidden, supplied};
use crate::collect::{Code, Collector};
use crate::constants::plain_memory;
use crate::paths::Paths;
use crate::{lower, outside};

/// Finds all entry points and walks what they reach.
pub fn collect(collector: &mut Collector<'_>, public: &[Path]) {
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
    if entries.collector.has_callers() {
        entries.own_items();
        for path in public.iter().filter(|path| path.is_foreign) {
            entries.reexported(path.leads_to);
        }
        public.iter().for_each(|path| entries.path(path));
        entries.handed_out();
    }
    let Entries { collector, mut paths, .. } = entries;
    outside::collect(collector, &mut paths);
}

impl Collector<'_> {
    /// Whether the crate is one that others can depend on.
    pub fn has_callers(&self) -> bool {
        self.tcx.crate_types().iter().any(|kind| *kind != CrateType::Executable)
    }
}

struct Entries<'a, 'tcx> {
    collector: &'a mut Collector<'tcx>,
    paths: Paths<'tcx>,
    seen: FxHashSet<DefId>,
    /// The drops that are entry points already.
    dropped: FxHashSet<FnId>,
}

impl<'tcx> Entries<'_, 'tcx> {
    /// What the client defines and callers can reach.
    fn own_items(&mut self) {
        let tcx = self.collector.tcx;
        let visibilities = tcx.effective_visibilities(());
        for id in tcx.hir_crate_items(()).definitions() {
            let def_id = id.to_def_id();
            match tcx.def_kind(id) {
                DefKind::Mod => {}
                _ if !visibilities.is_reachable(id) => {}
                DefKind::TyAlias => self.alias(def_id, EntryKind::Function),
                DefKind::Impl { of_trait: true } => self.provided_methods(id),
                DefKind::Macro(_) => self.own_macro(id),
                _ => self.item(def_id, EntryKind::Function),
            }
        }
    }

    /// Symbols that foreign code, the linker or the loader use, of every crate of the build.
    fn exported_symbols(&mut self) {
        let symbols = Rc::clone(&self.collector.symbols);
        self.collector.program.assembly.extend(symbols.assembly.iter().cloned());
        for exported in &symbols.exported {
            self.item(exported.item, EntryKind::Exported);
            let name = self.collector.names.bare_path(exported.item);
            let found_as = match &exported.symbol {
                Some(symbol) => format!("symbol {symbol}"),
                None => name.clone(),
            };
            if exported.symbol.is_some()
                && let Some(target) = self.target(exported.item)
            {
                let listing = Listing::IfRedirected(name);
                let kind = EntryKind::Exported;
                self.add(found_as.clone(), kind, target, exported.item, listing);
            }
            let text = exported.attributes.clone();
            self.text(format!("linkage of {found_as}"), EntryKind::Linkage, text, exported.item);
        }
    }

    /// What stands at a public path, where that is not the item's own name.
    fn path(&mut self, path: &Path) {
        let tcx = self.collector.tcx;
        let Some(namespace) = path.leads_to.ns() else { return };
        let (what, def_id) = match path.leads_to {
            Res::Def(kind, def_id) => {
                let name = self.collector.names.bare_path(def_id);
                if name == path.path && def_id.is_local() {
                    return;
                }
                (format!("{} {name}", kind.descr(def_id)), def_id)
            }
            other => (format!("{other:?}"), rustc_span::def_id::LOCAL_CRATE.as_def_id()),
        };
        let (name, kind) = match namespace {
            Namespace::ValueNS => (path.path.clone(), EntryKind::Reexport),
            Namespace::TypeNS => (path.path.clone(), EntryKind::Signature),
            Namespace::MacroNS => (format!("{}!", path.path), EntryKind::Signature),
        };
        let is_std = self.collector.is_std(def_id.krate);
        let target = (!is_std && namespace == Namespace::ValueNS).then(|| self.target(def_id));
        let target = target.flatten().unwrap_or_else(|| {
            let text = plain_memory(what.clone().into_bytes(), Vec::new());
            EntryTarget::Constant(self.collector.push_memory(text))
        });
        self.add(name, kind, target, def_id, Listing::IfRedirected(what));
        if matches!(target, EntryTarget::Function(_))
            && !tcx.generics_of(def_id).requires_monomorphization(tcx)
            && outside::is_callable(tcx, def_id)
            && let Some(entry) = self.collector.program.entries.last_mut()
        {
            entry.call = Some(format!("::{}", path.path));
        }
    }

    /// The drop of what callers get, and what std's methods run of it.
    fn handed_out(&mut self) {
        let handed_out = Rc::clone(&self.collector.handed_out);
        for &(ty, item) in &handed_out.values {
            let env = self.env(item, ty.has_param());
            self.dropped(ty, env, item, Listing::IfChanged);
        }
        for &(trait_ref, item) in &handed_out.objects {
            self.provided_by_std(trait_ref, self.env(item, trait_ref.has_param()), item);
        }
    }

    fn alias(&mut self, def_id: DefId, kind: EntryKind) {
        let tcx = self.collector.tcx;
        self.item(def_id, kind);
        let ty = tcx.type_of(def_id).instantiate_identity().skip_norm_wip();
        let ty =
            self.collector.normalize(Unnormalized::new_wip(ty), TypingEnv::codegen(tcx, def_id));
        if let ty::Adt(adt, _) = ty.kind()
            && !adt.did().is_local()
        {
            self.reexported(Res::Def(tcx.def_kind(adt.did()), adt.did()));
        }
    }

    /// The text of a macro, which another macro may have written. What it names, it names by paths.
    fn own_macro(&mut self, id: LocalDefId) {
        let tcx = self.collector.tcx;
        if let ItemKind::Macro(_, definition, _) = tcx.hir_expect_item(id).kind {
            let text = pprust::tts_to_string(&definition.body.tokens);
            let name = format!("{}!", self.collector.names.bare_path(id.to_def_id()));
            self.text(name, EntryKind::Signature, text, id.to_def_id());
        }
    }

    /// What an item is that does or is something by itself.
    fn target(&mut self, def_id: DefId) -> Option<EntryTarget> {
        let tcx = self.collector.tcx;
        let generic = tcx.generics_of(def_id).requires_monomorphization(tcx);
        let env = self.env(def_id, generic);
        let args = tcx.erase_and_anonymize_regions(GenericArgs::identity_for_item(tcx, def_id));
        match tcx.def_kind(def_id) {
            DefKind::Fn | DefKind::AssocFn => {
                if tcx.trait_of_assoc(def_id).is_some() && !tcx.defaultness(def_id).has_value() {
                    return None;
                }
                let instance = match generic {
                    true => Instance::new_raw(def_id, args),
                    false => Instance::mono(tcx, def_id),
                };
                let function = self.collector.function(Code::Instance(instance), env);
                Some(EntryTarget::Function(function))
            }
            DefKind::Static { nested: false, .. } => {
                Some(EntryTarget::Static(self.collector.static_(def_id)))
            }
            DefKind::Const | DefKind::AssocConst if !generic => {
                self.collector.constant_item(def_id).map(EntryTarget::Constant)
            }
            DefKind::Const | DefKind::AssocConst if lower::has_mir(self.collector, def_id) => {
                let constant = Code::Constant(UnevaluatedConst::new(def_id, args));
                Some(EntryTarget::Function(self.collector.function(constant, env)))
            }
            _ => None,
        }
    }

    /// Adds what the item is to outside callers.
    fn item(&mut self, def_id: DefId, kind: EntryKind) {
        let tcx = self.collector.tcx;
        if !self.seen.insert(def_id) {
            return;
        }
        let generic = tcx.generics_of(def_id).requires_monomorphization(tcx);
        let env = self.env(def_id, generic);
        let name = self.collector.names.bare_path(def_id);
        if let Some(types) = self.collector.signature(def_id, env) {
            let (name, types) = (format!("types of {name}"), EntryTarget::Constant(types));
            self.add(name, EntryKind::Signature, types, def_id, Listing::IfChanged);
        }
        match tcx.def_kind(def_id) {
            DefKind::Fn | DefKind::AssocFn => {
                let Some(target) = self.target(def_id) else { return };
                self.add(name.clone(), kind, target, def_id, Listing::Always);
                if !generic && kind != EntryKind::Main {
                    self.callable(def_id);
                }
                let output = tcx.fn_sig(def_id).instantiate_identity().skip_norm_wip().output();
                let output = tcx.instantiate_bound_regions_with_erased(output);
                let run = hidden::functions(self.collector, output, env);
                self.run_on_hidden(run, &name, kind, env, def_id, Listing::Always);
                let output = self.collector.normalize(Unnormalized::new_wip(output), env);
                self.dropped(output, env, def_id, Listing::Always);
            }
            DefKind::AssocTy => {
                let run = hidden::of_associated_type(self.collector, def_id, env);
                self.run_on_hidden(run, &name, kind, env, def_id, Listing::IfChanged);
            }
            DefKind::Static { .. } | DefKind::Const | DefKind::AssocConst => {
                if let Some(target) = self.target(def_id) {
                    self.add(name, kind.value(), target, def_id, Listing::Always);
                }
            }
            DefKind::Struct | DefKind::Enum | DefKind::Union => {
                let ty = tcx.type_of(def_id).instantiate_identity().skip_norm_wip();
                let ty = tcx.erase_and_anonymize_regions(ty);
                if let Some(function) = self.collector.drop_function(ty, env)
                    && self.dropped.insert(function)
                {
                    let (name, drop) = (format!("drop of {name}"), EntryTarget::Function(function));
                    self.add(name, EntryKind::Drop, drop, def_id, Listing::Always);
                }
                if let Some(data) = self.collector.public_data(def_id, env) {
                    let target = EntryTarget::Constant(data);
                    let name = format!("fields of {name}");
                    self.add(name, kind.value(), target, def_id, Listing::Always);
                }
            }
            _ => {}
        }
    }

    /// Methods that an impl in the client takes from a trait of a dependency. Those of std's traits
    /// reach a dependency through methods that the client writes itself, and through what they ask of
    /// its associated types.
    fn provided_methods(&mut self, impl_id: LocalDefId) {
        let tcx = self.collector.tcx;
        let trait_ref = tcx.impl_trait_ref(impl_id).instantiate_identity().skip_norm_wip();
        if trait_ref.def_id.is_local() {
            return;
        }
        if self.collector.is_std(trait_ref.def_id.krate) {
            let env = self.env(impl_id.to_def_id(), trait_ref.has_param());
            return self.provided_by_std(trait_ref, env, impl_id.to_def_id());
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
            let kind = EntryKind::Function;
            self.add(name.clone(), kind, target, impl_id.to_def_id(), Listing::Always);
            let added = self.collector.program.entries.len() - 1;
            let output = tcx.fn_sig(method).instantiate(tcx, args).skip_norm_wip().output();
            let output = tcx.instantiate_bound_regions_with_erased(output);
            let run = hidden::functions(self.collector, output, env);
            let of = impl_id.to_def_id();
            self.run_on_hidden(run, &name, kind, env, of, Listing::Always);
            if !own_parameters && outside::is_callable(tcx, method) {
                let is_std = |number| self.collector.is_std(number);
                let name = Ident::with_dummy_span(tcx.item_name(method));
                let call = self.paths.method(trait_ref, name, &is_std);
                self.collector.program.entries[added].call = call;
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
            self.add(name, EntryKind::Value, target, impl_id.to_def_id(), Listing::Always);
        }
    }

    /// What std's provided methods run of the types in a trait of std that is implemented.
    fn provided_by_std(&mut self, trait_ref: TraitRef<'tcx>, env: TypingEnv<'tcx>, of: DefId) {
        if supplied::has_own_types(self.collector, trait_ref, env) {
            let trait_ref = self.collector.tcx.erase_and_anonymize_regions(trait_ref);
            let function = self.collector.function(Code::Provided(trait_ref), env);
            let name = format!("methods of {}", self.collector.names.of_trait(trait_ref));
            let target = EntryTarget::Function(function);
            self.add(name, EntryKind::Function, target, of, Listing::IfChanged);
        }
    }

    /// Where `impl Trait` is returned or an associated type has bounds, outside callers run the methods of
    /// the traits on the type behind it.
    fn run_on_hidden(
        &mut self,
        run: hidden::HiddenRuns<'tcx>,
        name: &str,
        kind: EntryKind,
        env: TypingEnv<'tcx>,
        of: DefId,
        listing: Listing,
    ) {
        for (what, target) in run.functions {
            let target = EntryTarget::Function(target);
            self.add(format!("{name} -> {what}"), kind, target, of, listing.clone());
        }
        for trait_ref in run.of_std {
            self.provided_by_std(trait_ref, env, of);
        }
    }

    /// Whoever gets a value drops it some time.
    fn dropped(&mut self, ty: Ty<'tcx>, env: TypingEnv<'tcx>, of: DefId, listing: Listing) {
        if let Some(drop) = self.collector.drop_function(ty, env)
            && self.dropped.insert(drop)
        {
            let name = match listing {
                Listing::Always => self.collector.program.function(drop).name.clone(),
                _ => format!("drop of {}", self.collector.names.ty(ty)),
            };
            self.add(name, EntryKind::Drop, EntryTarget::Function(drop), of, listing);
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
            let target = EntryTarget::Function(report);
            self.add(name, EntryKind::Main, target, main, Listing::Always);
        }
    }

    /// An item of another crate that outside callers can name through the client.
    fn reexported(&mut self, res: Res<!>) {
        let tcx = self.collector.tcx;
        let Res::Def(kind, def_id) = res else { return };
        if def_id.is_local() || self.collector.is_std(def_id.krate) {
            return;
        }
        match kind {
            // Compared by its name: too many paths lead there.
            DefKind::Mod => {}
            DefKind::Struct | DefKind::Enum | DefKind::Union => {
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
            DefKind::Variant | DefKind::Ctor(..) => {
                let ty = with_values(tcx, def_id);
                self.reexported(Res::Def(tcx.def_kind(ty), ty));
            }
            DefKind::Trait => {
                if !self.seen.insert(def_id) {
                    return;
                }
                for &item in tcx.associated_item_def_ids(def_id) {
                    self.item(item, EntryKind::Reexport);
                }
                let impls = tcx.all_impls(def_id).chain(tcx.inherent_impls(def_id).iter().copied());
                for impl_id in impls.collect::<Vec<_>>() {
                    if !impl_id.is_local() && !self.collector.is_std(impl_id.krate) {
                        self.reexported_impl(impl_id);
                    }
                }
            }
            DefKind::TyAlias => self.alias(def_id, EntryKind::Reexport),
            DefKind::Macro(_) => {
                if self.seen.insert(def_id) {
                    let env = TypingEnv::fully_monomorphized();
                    let code = Code::Elsewhere(def_id, CodeElsewhere::Macro);
                    let function = self.collector.function(code, env);
                    let name = format!("{}!", self.collector.names.bare_path(def_id));
                    let target = EntryTarget::Function(function);
                    self.add(name, EntryKind::Reexport, target, def_id, Listing::Always);
                }
            }
            _ => self.item(def_id, EntryKind::Reexport),
        }
    }

    fn reexported_impl(&mut self, impl_id: DefId) {
        let tcx = self.collector.tcx;
        let trait_ref = tcx.impl_opt_trait_ref(impl_id);
        for &item in tcx.associated_item_def_ids(impl_id) {
            if trait_ref.is_some() || tcx.visibility(item).is_public() {
                self.item(item, EntryKind::Reexport);
            }
        }
        // Its methods can be called on the value itself.
        if trait_ref.map(|it| it.skip_binder().def_id) == tcx.lang_items().deref_trait() {
            for &item in tcx.associated_item_def_ids(impl_id) {
                if tcx.def_kind(item) == DefKind::AssocTy {
                    self.alias(item, EntryKind::Reexport);
                }
            }
        }
    }

    fn env(&self, def_id: DefId, generic: bool) -> TypingEnv<'tcx> {
        match generic {
            true => TypingEnv::codegen(self.collector.tcx, def_id),
            false => TypingEnv::fully_monomorphized(),
        }
    }

    /// Adds what is compared by its text, where that changed.
    fn text(&mut self, name: String, kind: EntryKind, text: String, of: DefId) {
        let text = self.collector.push_memory(plain_memory(text.into_bytes(), Vec::new()));
        self.add(name, kind, EntryTarget::Constant(text), of, Listing::IfChanged);
    }

    fn add(
        &mut self,
        name: String,
        kind: EntryKind,
        target: EntryTarget,
        of: DefId,
        listing: Listing,
    ) {
        let tcx = self.collector.tcx;
        self.collector.walk(&name);
        let span: Span = self.collector.files.span(tcx, tcx.def_span(of));
        let entry = Entry { name, kind, target, span, call: None, listing };
        self.collector.program.entries.push(entry);
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
