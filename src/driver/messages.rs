//! What a panic runs beside unwinding: it prints its message, which formats what stands in it, and
//! whoever catches it drops what was thrown.
//!
//! The text is no behaviour, but code of the user's makes it. Such code is *plain* if it can do nothing
//! else. What is not known to be plain is not: errs towards too many panics that count.

use cargo_cse::cfa::{
    Body, Callee, Const, FnId, Function, ImplContent, Intrinsic, IntrinsicEffect, MemoryId, Op,
    Operand, Origin, Place, Pointee, PointerMeta, Program, Projection, Rvalue, TypeKind, VTableId,
};
use cargo_cse::cfa::{CastKind, StaticId};
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_middle::ty::{self, Instance, Ty, TypingEnv};

use crate::collect::{Code, Collector};
use crate::std_items::{
    self, FORMAT_OTHERS, MAY_OWN_OTHERS, ONLY_COMPUTE, ONLY_MAKE_TEXT, Throws, is_formatting,
    is_in, is_of_formatting,
};

/// What the callee of a panic does with its arguments.
#[derive(Default)]
pub struct Panics {
    /// What it runs of the types that it is for: the drop of what it throws, and the formatting of
    /// what it shows.
    pub runs: Vec<FnId>,
    /// Whether dropping what it throws can run code of a user's.
    pub throws: bool,
    /// Whether it formats what it is given.
    pub formats: bool,
}

impl Panics {
    pub fn of<'tcx>(
        collector: &mut Collector<'tcx>,
        callee: Code<'tcx>,
        env: TypingEnv<'tcx>,
    ) -> Panics {
        let Code::Instance(instance) = callee else {
            return Panics::default();
        };
        match std_items::throws(collector, instance.def_id()) {
            Throws::Argument => {
                let thrown = instance.args.types();
                let runs: Vec<FnId> = thrown
                    .filter(|ty| !is_plain_data(collector, *ty, MAY_OWN_OTHERS))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .filter_map(|ty| collector.drop_function(ty, env))
                    .collect();
                Panics { throws: !runs.is_empty(), runs, formats: false }
            }
            // What is in the box brings its drop along.
            Throws::Boxed => Panics { throws: true, ..Panics::default() },
            Throws::Message => {
                let runs = formatting(collector, instance, env);
                let formats = !runs.is_empty() || takes_message(collector, instance);
                Panics { runs, throws: false, formats }
            }
        }
    }
}

/// Whether no code of a user's runs for values of the type: it is made of types of std only, and of
/// none of these.
fn is_plain_data(collector: &Collector<'_>, ty: Ty<'_>, but: &[&str]) -> bool {
    ty.walk().filter_map(|part| part.as_type()).all(|part| match *part.kind() {
        ty::Adt(adt, _) => {
            let name = collector.names.bare_path(adt.did());
            collector.is_std(adt.did().krate) && !is_in(&name, but)
        }
        ty::Bool | ty::Char | ty::Int(_) | ty::Uint(_) | ty::Float(_) | ty::Str | ty::Never => true,
        ty::Ref(..) | ty::RawPtr(..) | ty::Slice(_) | ty::Array(..) | ty::Tuple(_) => true,
        _ => false,
    })
}

/// How the function formats values of the types that it is for, as its bounds say.
fn formatting<'tcx>(
    collector: &mut Collector<'tcx>,
    instance: Instance<'tcx>,
    env: TypingEnv<'tcx>,
) -> Vec<FnId> {
    let tcx = collector.tcx;
    if instance.args.types().all(|ty| is_plain_data(collector, ty, FORMAT_OTHERS)) {
        return Vec::new();
    }
    let clauses = tcx.clauses_of(instance.def_id()).instantiate(tcx, instance.args);
    let mut found = Vec::new();
    for clause in clauses.clauses {
        let clause = clause.skip_norm_wip();
        if let Some(bound) = clause.as_trait_clause() {
            let trait_ref = tcx.instantiate_bound_regions_with_erased(bound).trait_ref;
            if std_items::is_formatting_trait(collector, trait_ref.def_id) {
                let trait_ref = tcx.erase_and_anonymize_regions(trait_ref);
                found.extend(collector.trait_methods(trait_ref, env));
            }
        }
    }
    found
}

/// Whether an argument can carry something to format.
fn takes_message(collector: &Collector<'_>, instance: Instance<'_>) -> bool {
    let tcx = collector.tcx;
    let signature = tcx.fn_sig(instance.def_id()).skip_binder().skip_binder();
    signature.inputs().iter().flat_map(|ty| ty.walk()).filter_map(|it| it.as_type()).any(|ty| {
        match ty.kind() {
            ty::Dynamic(..) => true,
            ty::Adt(adt, _) => Some(adt.did()) == tcx.lang_items().format_arguments(),
            _ => false,
        }
    })
}

/// The functions whose messages run code that is not plain, of those that are asked about: each with
/// what its panics run by themselves.
pub fn with_effects(program: &Program, asked: &[(FnId, &[FnId])]) -> FxHashSet<FnId> {
    let formatted: Vec<(FnId, Vec<FnId>)> = asked
        .iter()
        .map(|&(function, runs)| {
            let mut all = formatted_in(program, function);
            all.extend(runs);
            (function, all)
        })
        .collect();
    let starts = formatted.iter().flat_map(|(_, all)| all.iter().copied()).collect();
    let impure = impure(program, starts);
    let counts = |(_, all): &(FnId, Vec<FnId>)| all.iter().any(|it| impure.contains(it));
    formatted.into_iter().filter(counts).map(|(function, _)| function).collect()
}

/// How a function formats what can stand in a message of it.
fn formatted_in(program: &Program, id: FnId) -> Vec<FnId> {
    let mut mentioned = mentions(program, id);
    for callee in mentioned.clone() {
        // They pair a value with the function that formats it.
        if std_items::pairs_with_formatting(program.function(callee)) {
            mentioned.extend(mentions(program, callee));
        }
    }
    mentioned.retain(|it| is_formatting(program.function(*it)));
    mentioned
}

/// What of all that is reached from the starts does, or calls, something that is not plain.
fn impure(program: &Program, starts: Vec<FnId>) -> FxHashSet<FnId> {
    let mut users: FxHashMap<FnId, Vec<FnId>> = FxHashMap::default();
    let mut seen: FxHashSet<FnId> = starts.iter().copied().collect();
    let mut left: Vec<FnId> = seen.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(id) = left.pop() {
        if is_plain_std(program, id) {
            continue;
        }
        if has_effect(program, id) {
            found.push(id);
            continue;
        }
        let mentioned = all_mentions(program, id);
        if mentioned.changes {
            found.push(id);
            continue;
        }
        for next in mentioned.functions {
            users.entry(next).or_default().push(id);
            if seen.insert(next) {
                left.push(next);
            }
        }
    }
    let mut impure: FxHashSet<FnId> = found.iter().copied().collect();
    while let Some(id) = found.pop() {
        let users = users.get(&id).into_iter().flatten();
        found.extend(users.filter(|user| impure.insert(**user)).copied().collect::<Vec<_>>());
    }
    impure
}

/// What of the standard library need not be looked into: a type of `std` that holds no values of
/// others and formats itself, such as a point in time; errors of input and output; and what core does
/// when it finds that it was used wrongly.
fn is_plain_std(program: &Program, id: FnId) -> bool {
    let function = program.function(id);
    match crate_of(program, function) {
        "std" => is_formatting(function) && function.type_args.is_empty(),
        "core" => is_in(&function.name, ONLY_MAKE_TEXT),
        _ => false,
    }
}

/// The name of the crate if it is part of the standard library, and nothing otherwise.
fn crate_of<'a>(program: &'a Program, function: &Function) -> &'a str {
    match program.origin(function.krate) {
        Origin::Std => &program.crates[function.krate.index()].name,
        _ => "",
    }
}

/// Whether a function itself does more than to compute and to hand text to a formatter.
fn has_effect(program: &Program, id: FnId) -> bool {
    let function = program.function(id);
    let name = function.name.as_str();
    let krate = crate_of(program, function);
    match &function.body {
        Body::Cfa(cfa) => {
            // Cells are how what is shared changes.
            let is_cell = std_items::is_about_cells(function);
            let is_system = krate == "std" && !is_in(name, ONLY_COMPUTE);
            // What comes in as text to be made is made by code that is not to be seen here.
            let is_passed_on = std_items::formats_arguments(function);
            let effect = |op: &Op| match krate {
                "" => does_more(program, function, op) || calls_unknown(name, op),
                _ => calls_unknown(name, op),
            };
            let never_ends = cfa.edges.iter().all(|edge| edge.to != cfa.exit());
            never_ends
                || (!krate.is_empty() && (is_cell || is_system || is_passed_on))
                || cfa.edges.iter().any(|edge| effect(&edge.op))
        }
        Body::Intrinsic(intrinsic) => intrinsic.effect() != IntrinsicEffect::Computes,
        // Anyone can give a function of their own the name of one of the compiler's.
        Body::Foreign { symbol } => krate.is_empty() || !std_items::is_of_compiler(symbol),
        Body::VirtualCall | Body::PanicWithMessage => true,
        Body::Missing(_) | Body::Elsewhere(_) => true,
        Body::Panic | Body::AllocError => krate.is_empty(),
        Body::Supplied { .. } => false,
    }
}

/// Whether code is called of which only a value knows which it is. Formatting does so for what it is
/// given, which is among what its users mention.
fn calls_unknown(name: &str, op: &Op) -> bool {
    let Op::Call(call) = op else {
        return false;
    };
    match &call.callee {
        Callee::Function(_) => false,
        Callee::Virtual { method, .. } => {
            let formats = is_of_formatting(name) && is_of_formatting(method);
            !formats && !std_items::takes_text(method)
        }
        Callee::Pointer(_) => !is_of_formatting(name),
        Callee::Loop { .. } => true,
    }
}

/// Whether an operation of a user's function can panic, or changes what is not its own.
fn does_more(program: &Program, function: &Function, op: &Op) -> bool {
    let through_raw = |place: &Place| {
        let is_raw = |at: usize| {
            let ty = program.place_type(&function.locals, place.local, &place.projections[..at]);
            ty.is_none_or(|ty| matches!(program.ty(ty).kind, TypeKind::RawPointer { .. }))
        };
        let derefs = (0..place.projections.len())
            .filter(|&at| matches!(place.projections[at], Projection::Deref));
        derefs.into_iter().any(is_raw)
    };
    match op {
        Op::Panic { .. } | Op::Unsupported { .. } | Op::CopyMemory { .. } => true,
        Op::Assign(_, Rvalue::ThreadLocal(_)) => true,
        Op::Assign(place, _) | Op::SetDiscriminant(place, _) => through_raw(place),
        Op::Call(call) => {
            let writes = match &call.callee {
                Callee::Function(callee) => {
                    let callee = program.function(*callee);
                    let params = callee.locals.iter().skip(1).take(callee.params as usize);
                    let is_raw = |ty| match program.ty(ty).kind {
                        TypeKind::RawPointer { mutable, .. } => mutable,
                        _ => false,
                    };
                    matches!(callee.body, Body::Intrinsic(Intrinsic::Abort))
                        || !callee.name.starts_with("drop of ")
                            && params.into_iter().any(|it| is_raw(it.ty))
                }
                _ => false,
            };
            writes || through_raw(&call.result)
        }
        Op::Nop | Op::Assume(_) | Op::Resume | Op::Abort | Op::Unreachable => false,
    }
}

/// All functions that a function calls or takes the address of, also in constants and vtables.
fn mentions(program: &Program, id: FnId) -> Vec<FnId> {
    all_mentions(program, id).functions
}

fn all_mentions(program: &Program, id: FnId) -> Mentions<'_> {
    let mut found =
        Mentions { program, functions: Vec::new(), changes: false, seen: FxHashSet::default() };
    match &program.function(id).body {
        Body::Cfa(cfa) => cfa.edges.iter().for_each(|edge| found.op(&edge.op)),
        Body::Supplied { default, impls } => {
            found.functions.extend(default);
            found.functions.extend(impls.iter().filter_map(|it| match it.content {
                ImplContent::Item(id) => Some(id),
                ImplContent::Default | ImplContent::Build { .. } => None,
            }));
        }
        _ => {}
    }
    found.functions.sort();
    found.functions.dedup();
    found
}

struct Mentions<'a> {
    program: &'a Program,
    functions: Vec<FnId>,
    /// Whether memory is among it that can change.
    changes: bool,
    seen: FxHashSet<MemoryId>,
}

impl Mentions<'_> {
    fn op(&mut self, op: &Op) {
        if let Op::Call(call) = op
            && let Callee::Function(callee) = call.callee
        {
            self.functions.push(callee);
        }
        if let Op::Assign(_, Rvalue::Cast(CastKind::Unsize(Some(PointerMeta::VTable(id))), ..)) = op
        {
            self.vtable(*id);
        }
        op.operands(&mut |operand| {
            if let Operand::Const(constant) = operand {
                self.constant(constant);
            }
        });
    }

    fn constant(&mut self, constant: &Const) {
        match constant {
            Const::Pointer { to, meta, .. } => {
                self.pointee(*to);
                if let Some(PointerMeta::VTable(id)) = meta {
                    self.vtable(*id);
                }
            }
            Const::Value { memory, .. } => self.memory(*memory),
            Const::Generic { computed_by, .. } => self.functions.push(*computed_by),
            Const::Bits { .. } | Const::ZeroSized(_) | Const::Opaque { .. } => {}
        }
    }

    fn pointee(&mut self, to: Pointee) {
        match to {
            Pointee::Function(id) => self.functions.push(id),
            Pointee::VTable(id) => self.vtable(id),
            Pointee::Memory(id) => self.memory(id),
            Pointee::Static(id) => self.static_(id),
            Pointee::TypeIdentity(_) => {}
        }
    }

    fn vtable(&mut self, id: VTableId) {
        let vtable = &self.program.vtables[id.index()];
        self.functions.extend(vtable.drop);
        self.functions.extend(vtable.methods.iter().flatten());
    }

    fn static_(&mut self, id: StaticId) {
        let entry = &self.program.statics[id.index()];
        match entry.initial {
            Some(initial) if !entry.thread_local => self.memory(initial),
            _ => self.changes = true,
        }
    }

    fn memory(&mut self, id: MemoryId) {
        if self.seen.insert(id) {
            let memory = &self.program.memories[id.index()];
            self.changes |= memory.mutable;
            memory.pointers.iter().for_each(|(_, to)| self.pointee(*to));
        }
    }
}
