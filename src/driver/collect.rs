//! The walk: from the entry points over everything they can reach, each thing numbered once.

use std::mem;
use std::rc::Rc;

use cargo_cse::cfa::{
    Body, Crate, CrateId, FnId, Function, Memory, MemoryId, Origin, Program, Span, Static,
    StaticId, TyId, Type, VTable, VTableId,
};
use cargo_cse::reason::{CodeElsewhere, NoCode};
use rustc_data_structures::fx::FxHashMap;
use rustc_hir::def::DefKind;
use rustc_middle::mir::UnevaluatedConst;
use rustc_middle::mir::interpret::AllocId;
use rustc_middle::ty::{
    self, GenericArgs, GenericArgsRef, Instance, InstanceKind, ShimKind, TraitRef, Ty, TyCtxt,
    TypeVisitableExt, TypingEnv,
};
use rustc_span::def_id::{CrateNum, DefId, LOCAL_CRATE};

use crate::generated::{Checks, Generation};
use crate::implicit::{self, Implicit};
use crate::interface::{self, HandedOut, Impls, Symbols};
use crate::lower::Lowered;
use crate::names::Names;
use crate::packages::Packages;
use crate::spans::Files;
use crate::{drops, lower, panics, std_items};

/// Generic arguments with more parts than this are not followed: recursion that makes new types for
/// ever (`f::<T>` calling `f::<Vec<T>>`) would not end.
const LARGEST_ARGUMENTS: usize = 500;

/// Where the code of a function comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code<'tcx> {
    Instance(Instance<'tcx>),
    /// A constant that depends on parameters.
    Constant(UnevaluatedConst<'tcx>),
    /// Dropping a type that has parameters.
    GenericDrop(Ty<'tcx>),
    /// An item of a trait that is not known before the parameters are, or behind a trait object.
    Supplied(DefId, GenericArgsRef<'tcx>),
    /// A type, or what an impl says an associated type is.
    GivenType(DefId),
    /// The types that the client hands out, for what asks which type a parameter is.
    HandedOut,
    /// What the methods that a trait of std provides run of the types in it.
    Provided(TraitRef<'tcx>),
    /// Something that is no function, but that outside code can see the effects of.
    Elsewhere(DefId, CodeElsewhere),
}

/// Everything collected so far.
pub struct Collector<'tcx> {
    pub tcx: TyCtxt<'tcx>,
    pub names: Names<'tcx>,
    pub files: Files,
    pub program: Program,
    pub types: FxHashMap<(Ty<'tcx>, TypingEnv<'tcx>), TyId>,
    pub memories: FxHashMap<(AllocId, Checks), MemoryId>,
    pub vtables: FxHashMap<(Ty<'tcx>, Ty<'tcx>, TypingEnv<'tcx>, Checks), VTableId>,
    statics: FxHashMap<DefId, StaticId>,
    functions: FxHashMap<(Code<'tcx>, TypingEnv<'tcx>, Checks), FnId>,
    queue: Vec<(FnId, Code<'tcx>, TypingEnv<'tcx>, Checks)>,
    packages: FxHashMap<CrateNum, Crate>,
    crates: FxHashMap<CrateNum, CrateId>,
    /// The generic entry point that is being walked, to tell its functions from those of others.
    walking: Option<String>,
    pub implicit: Implicit<'tcx>,
    pub handed_out: Rc<HandedOut<'tcx>>,
    pub symbols: Rc<Symbols>,
    pub impls: Impls<'tcx>,
    /// The function that is being filled.
    pub filling: FnId,
    pub generation: Generation,
    /// Whether overflow is checked in what is being lowered.
    pub checks: Checks,
}

/// The program of the crate that is being compiled.
pub fn program<'tcx>(tcx: TyCtxt<'tcx>, packages: Packages) -> Program {
    let mut collector = Collector {
        tcx,
        names: Names::new(tcx, packages.labels),
        files: Files::default(),
        program: Program { linking: packages.linking, ..Program::default() },
        types: FxHashMap::default(),
        memories: FxHashMap::default(),
        vtables: FxHashMap::default(),
        statics: FxHashMap::default(),
        functions: FxHashMap::default(),
        queue: Vec::new(),
        packages: packages.crates,
        crates: FxHashMap::default(),
        walking: None,
        implicit: Implicit::default(),
        handed_out: Rc::default(),
        symbols: Rc::default(),
        impls: Impls::default(),
        filling: FnId(0),
        checks: packages.generation.in_crate(LOCAL_CRATE),
        generation: packages.generation,
    };
    collector.krate(LOCAL_CRATE);
    collector.symbols = Rc::new(Symbols::of(tcx, &|number| collector.is_std(number)));
    let public = match collector.has_callers() {
        true => interface::paths(tcx, &|number| collector.is_std(number)),
        false => Vec::new(),
    };
    if collector.has_callers() {
        collector.handed_out = Rc::new(interface::handed_out(&collector, &public));
    }
    interface::collect(&mut collector, &public);
    implicit::add(&mut collector);
    collector.finish()
}

impl<'tcx> Collector<'tcx> {
    /// The function for `code`, which is walked later.
    pub fn function(&mut self, code: Code<'tcx>, env: TypingEnv<'tcx>) -> FnId {
        let code = self.what_runs(code);
        let generic = code.has_parameters(self.tcx);
        let env = if generic { env } else { TypingEnv::fully_monomorphized() };
        let checks = self.checks_of(code);
        if let Some(&id) = self.functions.get(&(code, env, checks)) {
            return id;
        }
        let (def_id, args) = self.definition(code);
        let name = match code {
            Code::Instance(instance) => self.names.instance(instance),
            Code::Constant(UnevaluatedConst { promoted: Some(promoted), .. }) => {
                format!("{}::{{promoted#{}}}", self.names.path(def_id, args), promoted.as_u32())
            }
            Code::Constant(_) | Code::Supplied(..) => self.names.path(def_id, args),
            Code::GenericDrop(ty) => format!("drop of {}", self.names.ty(ty)),
            Code::GivenType(def_id) => format!("type {}", self.names.bare_path(def_id)),
            Code::HandedOut => "the types that the client hands out".to_owned(),
            Code::Provided(trait_ref) => {
                format!("methods of {}", self.names.of_trait(trait_ref))
            }
            Code::Elsewhere(def_id, _) => self.names.bare_path(def_id),
        };
        let id = FnId(self.program.functions.len() as u32);
        let function = Function {
            name: match &self.walking {
                Some(entry) if generic => format!("{name} in {entry}"),
                _ => name,
            },
            krate: self.krate(def_id.krate),
            generic,
            type_args: Vec::new(),
            tupled_args: false,
            std: std_items::function_tag(self, code),
            params: 0,
            locals: Vec::new(),
            span: Span::UNKNOWN,
            body: Body::Missing(NoCode::Bodyless.into()),
        };
        self.program.functions.push(function);
        self.functions.insert((code, env, checks), id);
        if code.is_told_its_place(self.tcx) {
            self.implicit.tracked.insert(id);
        }
        self.queue.push((id, code, env, checks));
        id
    }

    /// Foreign items that Rust code of the build defines are that code, and drop glue of types with
    /// parameters is none that the compiler can give.
    fn what_runs(&self, code: Code<'tcx>) -> Code<'tcx> {
        let tcx = self.tcx;
        let Code::Instance(instance) = code else { return code };
        match instance.def {
            InstanceKind::Item(item) if tcx.is_foreign_item(item) => {
                match self.symbols.definition(tcx, item) {
                    Some(definition) if is_declared_as(tcx, item, definition) => {
                        Code::Instance(Instance::mono(tcx, definition))
                    }
                    Some(definition) => {
                        Code::Elsewhere(definition, CodeElsewhere::OtherDeclaration)
                    }
                    None => code,
                }
            }
            InstanceKind::Shim(ShimKind::DropGlue(_, Some(ty))) if ty.has_param() => {
                Code::GenericDrop(tcx.erase_and_anonymize_regions(ty))
            }
            _ => code,
        }
    }

    /// The checks of what the code that is being lowered refers to.
    fn checks_of(&self, code: Code<'tcx>) -> Checks {
        match code {
            Code::Instance(instance) if !self.generation.agrees => {
                let ends_here = matches!(instance.def, InstanceKind::Item(def_id)
                    if std_items::outcome(self, def_id).is_some());
                match ends_here {
                    true => self.generation.in_crate(LOCAL_CRATE),
                    false => self.generation.of(self.tcx, instance, self.checks),
                }
            }
            _ => self.checks,
        }
    }

    /// Walks everything that was found since the last call. What is generic in it is told apart
    /// from what other generic entry points reach by this entry's name.
    pub fn walk(&mut self, entry: &str) {
        self.walking = Some(entry.to_owned());
        let outside = self.checks;
        while let Some((id, code, env, checks)) = self.queue.pop() {
            self.checks = checks;
            self.fill(id, code, env);
        }
        self.checks = outside;
        self.walking = None;
    }

    pub fn static_(&mut self, def_id: DefId) -> StaticId {
        let definition = match self.tcx.is_foreign_item(def_id) {
            true => self.symbols.definition(self.tcx, def_id),
            false => None,
        };
        let def_id = definition.unwrap_or(def_id);
        if let Some(&id) = self.statics.get(&def_id) {
            return id;
        }
        let tcx = self.tcx;
        let env = TypingEnv::fully_monomorphized();
        let id = StaticId(self.program.statics.len() as u32);
        self.statics.insert(def_id, id);
        let krate = self.krate(def_id.krate);
        self.program.statics.push(Static {
            name: self.names.bare_path(def_id),
            krate,
            ty: TyId(0),
            thread_local: tcx.is_thread_local_static(def_id),
            initial: None,
            span: Span::UNKNOWN,
        });
        // Nested statics are memory that has no type of its own.
        let nested = matches!(tcx.def_kind(def_id), DefKind::Static { nested: true, .. });
        let ty = match nested {
            true => tcx.types.unit,
            false => tcx.normalize_erasing_regions(env, tcx.type_of(def_id).instantiate_identity()),
        };
        let ty = self.ty(ty, env);
        // What its value points to is generated together with it.
        let user = mem::replace(&mut self.checks, self.generation.in_crate(def_id.krate));
        let initial = match tcx.is_foreign_item(def_id) {
            true => None,
            false => tcx.eval_static_initializer(def_id).ok().map(|memory| {
                let memory = self.lower_memory(memory.inner());
                self.push_memory(memory)
            }),
        };
        self.checks = user;
        let span = self.files.span(tcx, tcx.def_span(def_id));
        let entry = &mut self.program.statics[id.index()];
        (entry.ty, entry.initial, entry.span) = (ty, initial, span);
        id
    }

    pub fn push_memory(&mut self, memory: Memory) -> MemoryId {
        self.program.memories.push(memory);
        MemoryId(self.program.memories.len() as u32 - 1)
    }

    pub fn push_type(&mut self, ty: Type) -> TyId {
        self.program.types.push(ty);
        TyId(self.program.types.len() as u32 - 1)
    }

    pub fn push_vtable(&mut self, vtable: VTable) -> VTableId {
        self.program.vtables.push(vtable);
        VTableId(self.program.vtables.len() as u32 - 1)
    }

    /// Whether a crate is part of the compiler's own distribution.
    pub fn is_std(&self, number: CrateNum) -> bool {
        self.packages.get(&number).is_none_or(|krate| krate.origin == Origin::Std)
    }

    /// The package that a crate is built from; none for the standard library.
    pub fn package_name(&self, number: CrateNum) -> Option<String> {
        self.packages.get(&number)?.package.as_ref().map(|package| package.name.clone())
    }

    pub fn krate(&mut self, number: CrateNum) -> CrateId {
        let program = &mut self.program;
        let packages = &self.packages;
        *self.crates.entry(number).or_insert_with(|| {
            program.crates.push(packages[&number].clone());
            CrateId(program.crates.len() as u32 - 1)
        })
    }

    fn fill(&mut self, id: FnId, code: Code<'tcx>, env: TypingEnv<'tcx>) {
        let tcx = self.tcx;
        let (def_id, args) = self.definition(code);
        if args.iter().map(|arg| arg.walk().count()).sum::<usize>() > LARGEST_ARGUMENTS {
            self.program.functions[id.index()].body = Body::Missing(NoCode::EndlessTypes.into());
            return;
        }
        self.filling = id;
        let type_args = args.types().map(|ty| self.ty(ty, env)).collect();
        let lowered = panics::caught(|| self.lower(code, env)).unwrap_or_else(|message| {
            Lowered::without_code(Body::Missing(NoCode::CompilerFailed(message.into()).into()))
        });
        let span = self.files.span(tcx, tcx.def_span(def_id));
        let function = &mut self.program.functions[id.index()];
        function.type_args = type_args;
        function.span = span;
        function.tupled_args = matches!(
            code,
            Code::Instance(Instance { def: InstanceKind::Item(def_id), .. })
                if tcx.is_closure_like(def_id) && tcx.coroutine_kind(def_id).is_none()
        );
        function.params = lowered.params;
        function.locals = lowered.locals;
        function.body = lowered.body;
    }

    fn lower(&mut self, code: Code<'tcx>, env: TypingEnv<'tcx>) -> Lowered {
        match code {
            Code::Instance(instance) => lower::instance(self, instance, env),
            Code::Constant(constant) => lower::constant(self, constant, env),
            Code::GenericDrop(ty) => drops::generic(self, ty, env),
            Code::Supplied(def_id, args) => interface::supplied(self, def_id, args, env),
            Code::GivenType(def_id) => interface::given_type(self, def_id, env),
            Code::HandedOut => interface::any_handed_out(self),
            Code::Provided(trait_ref) => interface::provided(self, trait_ref, env),
            Code::Elsewhere(_, why) => Lowered::without_code(Body::Elsewhere(why.into())),
        }
    }

    /// Where the code is defined, to know whose it is, and its generic arguments.
    fn definition(&self, code: Code<'tcx>) -> (DefId, GenericArgsRef<'tcx>) {
        match code {
            Code::Instance(instance) => (instance.def_id(), instance.args),
            Code::Constant(constant) => (constant.def, constant.args),
            Code::Supplied(def_id, args) => (def_id, args),
            Code::GivenType(def_id) => (def_id, GenericArgs::identity_for_item(self.tcx, def_id)),
            Code::HandedOut => (LOCAL_CRATE.as_def_id(), GenericArgs::empty()),
            Code::Provided(trait_ref) => (trait_ref.def_id, trait_ref.args),
            Code::Elsewhere(def_id, _) => (def_id, GenericArgs::empty()),
            Code::GenericDrop(ty) => {
                let def_id = match ty.kind() {
                    ty::Adt(adt, _) => adt.did(),
                    _ => LOCAL_CRATE.as_def_id(),
                };
                (def_id, self.tcx.mk_args(&[ty.into()]))
            }
        }
    }

    /// Makes the names differ of functions that only differ in what is checked.
    fn tell_apart(&mut self) {
        if self.generation.agrees {
            return;
        }
        let mut occurrences: FxHashMap<String, u32> = FxHashMap::default();
        for function in &self.program.functions {
            *occurrences.entry(function.name.clone()).or_default() += 1;
        }
        let usual = self.generation.in_crate(LOCAL_CRATE);
        for (&(_, _, checks), id) in &self.functions {
            let name = &mut self.program.functions[id.index()].name;
            if checks != usual && occurrences[name] > 1 {
                name.push_str(checks.label());
            }
        }
    }

    fn finish(mut self) -> Program {
        self.tell_apart();
        let mut program = mem::take(&mut self.program);
        program.files = mem::take(&mut self.files.paths);
        // The process ends soon, and giving its memory back piece by piece would take long.
        mem::forget(self);
        program
    }
}

/// Whether a foreign function is declared with the types and the calling convention of its definition.
fn is_declared_as(tcx: TyCtxt<'_>, declared: DefId, defined: DefId) -> bool {
    let [declared, defined] = [declared, defined].map(|item| {
        let is_function = matches!(tcx.def_kind(item), DefKind::Fn | DefKind::AssocFn);
        is_function.then(|| {
            let signature = tcx.fn_sig(item).instantiate_identity().skip_norm_wip();
            let signature = tcx.instantiate_bound_regions_with_erased(signature);
            let types = tcx.erase_and_anonymize_regions(signature.inputs_and_output);
            (types, signature.abi(), signature.c_variadic())
        })
    });
    declared.is_some() && declared == defined
}

impl<'tcx> Code<'tcx> {
    /// Whether callers pass the place of the call.
    fn is_told_its_place(&self, tcx: TyCtxt<'tcx>) -> bool {
        match self {
            Code::Instance(Instance { def: def @ InstanceKind::Item(def_id), .. }) => {
                !tcx.is_closure_like(*def_id) && def.requires_caller_location(tcx)
            }
            _ => false,
        }
    }

    fn has_parameters(&self, tcx: TyCtxt<'tcx>) -> bool {
        match self {
            Code::Instance(instance) => {
                instance.args.has_param()
                    || matches!(instance.def, InstanceKind::Shim(shim) if shim.has_param())
            }
            Code::Constant(constant) => constant.args.has_param(),
            Code::GenericDrop(_) => true,
            Code::Supplied(_, args) => args.has_param(),
            Code::GivenType(def_id) => tcx.generics_of(*def_id).requires_monomorphization(tcx),
            Code::Provided(trait_ref) => trait_ref.has_param(),
            Code::HandedOut | Code::Elsewhere(..) => false,
        }
    }
}
