//! What code gets from its callers without a word in its text: where a call is (`#[track_caller]`),
//! and what a panic says to whoever catches it.
//!
//! Neither is behaviour as long as it ends in a message that nobody reads back, and that is made by
//! code that does nothing else. Only the whole program can tell, so that the walk notes both down, and
//! they are put in when it is over.

use cargo_cse::cfa::{
    Body, Call, Callee, Cfa, Const, Edge, EntryTarget, FnId, Function, Intrinsic, Local, LocalId,
    Op, Operand, Place, Pointee, TyId,
};
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_middle::ty::TypingEnv;
use rustc_span::Span;

use crate::collect::{Code, Collector};
use crate::messages::{self, Panics};
use crate::std_items;

/// What the walk notes down.
#[derive(Default)]
pub struct Implicit<'tcx> {
    /// The functions that are told where they are called.
    pub tracked: FxHashSet<FnId>,
    /// Where the calls of such functions are, by function and edge.
    pub places: FxHashMap<(FnId, usize), Span>,
    pub panics: Vec<Panicking<'tcx>>,
    /// What panics say counts, so that they are calls like others.
    pub messages_count: bool,
}

/// An [`Op::Panic`], and the call that it stands for.
pub struct Panicking<'tcx> {
    pub function: FnId,
    pub edge: usize,
    pub callee: Code<'tcx>,
    pub env: TypingEnv<'tcx>,
    pub args: Vec<Operand>,
    pub result: Place,
    pub does: Panics,
}

/// Puts in what counts, once everything is walked.
pub fn add(collector: &mut Collector<'_>) {
    let hooked = has_hook(collector);
    let panics = std::mem::take(&mut collector.implicit.panics);
    if hooked || collector.program.functions.iter().any(std_items::catches_panics) {
        collector.implicit.messages_count = true;
        add_messages(collector, panics);
    } else {
        let counting = that_run_code(collector, panics);
        add_messages(collector, counting);
    }
    add_places(collector, hooked);
}

/// Whether code of the program is run by panics, which get to see their places as well.
fn has_hook(collector: &Collector<'_>) -> bool {
    let handler = collector.tcx.lang_items().panic_impl();
    handler.is_some_and(|id| !collector.is_std(id.krate))
        || collector.program.functions.iter().any(std_items::is_panic_hook)
}

/// The panics that run code of a user's which is not plain: when what is thrown is dropped, or when
/// the message is printed.
fn that_run_code<'tcx>(
    collector: &Collector<'tcx>,
    panics: Vec<Panicking<'tcx>>,
) -> Vec<Panicking<'tcx>> {
    let formats = panics.iter().filter(|it| it.does.formats);
    let asked: Vec<_> = formats.map(|it| (it.function, &it.does.runs[..])).collect();
    let counting = messages::with_effects(&collector.program, &asked);
    let counts =
        |it: &Panicking<'_>| it.does.throws || (it.does.formats && counting.contains(&it.function));
    panics.into_iter().filter(counts).collect()
}

/// Makes each panic a call with what it says and runs. No one looks into the callee: it is the same
/// as long as its name and what it is given are.
fn add_messages<'tcx>(collector: &mut Collector<'tcx>, panics: Vec<Panicking<'tcx>>) {
    if panics.is_empty() {
        return;
    }
    let unit = collector.ty(collector.tcx.types.unit, TypingEnv::fully_monomorphized());
    let mut callees = Vec::new();
    for panicking in panics {
        let callee = collector.function(panicking.callee, panicking.env);
        callees.push(callee);
        if let Some(edge) = edge_mut(collector, panicking.function, panicking.edge)
            && let Op::Panic { unwind } = edge.op
        {
            let mut args = panicking.args;
            args.extend(panicking.does.runs.into_iter().map(|run| {
                let to = Pointee::Function(run);
                Operand::Const(Const::Pointer { to, offset: 0, meta: None, ty: unit })
            }));
            let callee = Callee::Function(callee);
            edge.op = Op::Call(Call { callee, args, result: panicking.result, unwind });
        }
    }
    collector.walk("a panic");
    let is_called: FxHashSet<FnId> = callees.into_iter().collect();
    let all = collector.implicit.messages_count;
    for (id, function) in (0..).map(FnId).zip(&mut collector.program.functions) {
        if matches!(function.body, Body::Panic) && (all || is_called.contains(&id)) {
            function.body = Body::PanicWithMessage;
        }
    }
}

fn edge_mut<'a>(
    collector: &'a mut Collector<'_>,
    function: FnId,
    edge: usize,
) -> Option<&'a mut Edge> {
    match &mut collector.program.functions[function.index()].body {
        Body::Cfa(cfa) => cfa.edges.get_mut(edge),
        _ => None,
    }
}

/// Makes the place of a call a parameter of all functions that do something with it.
fn add_places(collector: &mut Collector<'_>, panics_show_it: bool) {
    let users = users(collector, panics_show_it);
    if users.is_empty() {
        return;
    }
    for entry in &mut collector.program.entries {
        if let EntryTarget::Function(id) = entry.target
            && users.contains(&id)
        {
            // No argument can stand for the place.
            entry.call = None;
        }
    }
    let tcx = collector.tcx;
    let env = TypingEnv::fully_monomorphized();
    let place_type = tcx.caller_location_ty();
    let ty = collector.ty(place_type, env);
    for id in (0..collector.program.functions.len() as u32).map(FnId) {
        let calls = calls_of(collector.program.function(id), &users);
        // What is itself told the place passes it on.
        let own = users.contains(&id).then(|| add_parameter(collector, id, ty)).flatten();
        for index in calls {
            let place = match own {
                Some(parameter) => Operand::Read(Place::local(parameter)),
                None => match collector.implicit.places.get(&(id, index)) {
                    Some(&span) => {
                        let value = tcx.span_as_caller_location(span);
                        Operand::Const(collector.value(value, place_type, env))
                    }
                    None => continue,
                },
            };
            if let Some(Edge { op: Op::Call(call), .. }) = edge_mut(collector, id, index) {
                call.args.push(place);
            }
        }
    }
}

/// The functions to which it makes a difference where they are called.
fn users(collector: &Collector<'_>, panics_show_it: bool) -> FxHashSet<FnId> {
    let tracked = &collector.implicit.tracked;
    let numbered = || (0..).map(FnId).zip(&collector.program.functions);
    let is_source = |(id, function): &(FnId, &Function)| match function.body {
        Body::Intrinsic(Intrinsic::CallerLocation) => true,
        Body::Intrinsic(_) | Body::VirtualCall | Body::PanicWithMessage => {
            panics_show_it && tracked.contains(id)
        }
        _ => false,
    };
    let mut users: FxHashSet<FnId> = numbered().filter(is_source).map(|(id, _)| id).collect();
    // A panic that cannot unwind only prints it.
    let only_prints = |function: &Function| !panics_show_it && std_items::is_panicking(function);
    loop {
        let before = users.len();
        for (id, function) in numbered() {
            if tracked.contains(&id)
                && !only_prints(function)
                && !calls_of(function, &users).is_empty()
            {
                users.insert(id);
            }
        }
        if users.len() == before {
            return users;
        }
    }
}

/// The edges on which a function calls one of these.
fn calls_of(function: &Function, callees: &FxHashSet<FnId>) -> Vec<usize> {
    let edges = function.cfa().map_or(&[][..], |cfa| &cfa.edges);
    let is_call = |edge: &Edge| match &edge.op {
        Op::Call(Call { callee: Callee::Function(callee), .. }) => callees.contains(callee),
        _ => false,
    };
    (0..edges.len()).filter(|&index| is_call(&edges[index])).collect()
}

/// Adds a parameter after the others, if the function has a body.
fn add_parameter(collector: &mut Collector<'_>, id: FnId, ty: TyId) -> Option<LocalId> {
    let function = &mut collector.program.functions[id.index()];
    let Body::Cfa(Cfa { edges, .. }) = &mut function.body else {
        return None;
    };
    function.params += 1;
    let parameter = LocalId(function.params);
    function.locals.insert(parameter.index(), Local { name: None, ty });
    let shift = |local: &mut LocalId| {
        if *local >= parameter {
            local.0 += 1;
        }
    };
    for edge in edges {
        edge.op.places_mut(&mut |place, _| place.locals_mut(&mut |local| shift(local)));
    }
    Some(parameter)
}
