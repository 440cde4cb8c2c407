//! Moves the edges of each loop into a function of its own, as in differential assertion checking,
//! section 9. There, the last iteration is repeated after the call so that jumps out of the loop find
//! their way; here, the loop function says which exit it took.

use std::collections::{BTreeSet, HashMap};

use fixedbitset::FixedBitSet;

use super::interface::Interface;
use super::regions::Region;
use crate::cfa::graph::ReducibleCfa;
use crate::cfa::liveness::Liveness;
use crate::cfa::{
    Call, Callee, Cfa, Condition, Const, Edge, Layout, Local, LocalId, Location, LoopId, Op,
    Operand, Place, Program, Rvalue, Span, TyId, Type, TypeKind,
};

/// A function's body without cycles, and its loops and regions.
///
/// A loop is entered by a call of [`Callee::Loop`], with `unwind` empty: what has to be cleaned up
/// when an iteration panics is in the loop function. After the call, `exit_taken` holds the number of the
/// exit, and assumptions on it lead on.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// Those of the function, and `exit_taken`.
    pub locals: Vec<Local>,
    pub exit_taken: LocalId,
    pub body: Cfa,
    /// By [`LoopId`]; each before those that call it, but for itself. Regions come after all loops.
    pub loops: Vec<LoopFunction>,
}

/// A loop as a function that runs in the frame of the function it was taken from.
///
/// It names the locals of that function. Seen from outside it is a function of the values of
/// `params` to the values of `results` and the exit taken, but for `shared`: pointers to those are
/// about, so that they have to stay where they are, and whatever happens in memory can read and
/// change them.
#[derive(Clone, Debug)]
pub struct LoopFunction {
    /// In the function it was taken from.
    pub header: Location,
    /// The locals whose value before the loop can matter to it.
    pub params: Vec<LocalId>,
    /// The locals that it may change and whose value can matter after it.
    pub results: Vec<LocalId>,
    /// The locals whose address may be known in it: among the params and the results.
    pub shared: Vec<LocalId>,
    /// Exits have numbers from 0 on. With none, the loop goes on for ever or panics.
    pub exits: u32,
    /// Whether it is a loop, and not a region.
    pub repeats: bool,
    /// Acyclic: one iteration. It ends by setting `exit_taken`, by calling itself, or without returning.
    pub body: Cfa,
    pub span: Span,
}

const EXIT_TYPE: TypeKind = TypeKind::Int { bits: 32, signed: false };

/// Adds the type of [`Extracted::exit_taken`] to a program that does not have it, so that loops can be
/// taken out of its functions.
pub fn add_exit_type(program: &mut Program) {
    if find_exit_type(program).is_none() {
        let layout = Layout { size: 4, align: 4, offsets: Vec::new(), tag: None, valid: None };
        let (name, layout) = ("u32".to_owned(), Some(layout));
        program.types.push(Type { name, kind: EXIT_TYPE, layout, std: None });
    }
}

/// The type of [`Extracted::exit_taken`], which [`add_exit_type`] made sure of.
pub fn exit_type(program: &Program) -> TyId {
    find_exit_type(program).expect("the type was added when the program was read")
}

fn find_exit_type(program: &Program) -> Option<TyId> {
    let index = program.types.iter().position(|ty| ty.kind == EXIT_TYPE)?;
    Some(TyId(index as u32))
}

/// Takes out all loops, those of clean-up code too, inner ones first, and then some regions.
///
/// Errs by passing too many locals in and out, never too few.
pub fn extract(
    cfa: &ReducibleCfa,
    regions: &[Region],
    locals: &[Local],
    exit_type: TyId,
) -> Extracted {
    let mut outgoing = vec![Vec::new(); cfa.cfa().locations as usize];
    for edge in &cfa.cfa().edges {
        outgoing[edge.from.index()].push(edge.clone());
    }
    let mut extraction = Extraction {
        source: cfa,
        liveness: Liveness::new(cfa.cfa(), cfa.graph(), locals.len()),
        exit_taken: LocalId(locals.len() as u32),
        exit_type,
        outgoing,
        added: vec![Vec::new(); cfa.loops().all().len() + regions.len()],
    };
    let mut parts: Vec<Part> = Vec::new();
    for found in cfa.loops().all() {
        let around = |region: &Region| region.body.contains(&found.header);
        let region = || Some(cfa.loops().all().len() + regions.iter().position(around)?);
        let parent = found.parent.or_else(region);
        parts.push(Part { body: &found.body, parent, repeats: true });
    }
    parts.extend(regions.iter().map(|it| Part { body: &it.body, parent: None, repeats: false }));
    let loops =
        parts.iter().enumerate().map(|(index, part)| extraction.take_out(index, part)).collect();
    let mut locals = locals.to_vec();
    locals.push(Local { name: None, ty: exit_type });
    Extracted {
        locals,
        exit_taken: extraction.exit_taken,
        body: extraction.body_from(Cfa::ENTRY),
        loops,
    }
}

/// What is to be taken out.
struct Part<'a> {
    /// The only way in first.
    body: &'a [Location],
    /// The next larger part that this one is inside of.
    parent: Option<usize>,
    repeats: bool,
}

struct Extraction<'a> {
    source: &'a ReducibleCfa<'a>,
    liveness: Liveness,
    exit_taken: LocalId,
    exit_type: TyId,
    /// What is left of the function, by the location that edges start from. New locations come
    /// after the old ones; the final location stays the same one for all functions.
    outgoing: Vec<Vec<Edge>>,
    /// The new locations in each part, where loops inside it come out.
    added: Vec<Vec<Location>>,
}

impl Extraction<'_> {
    fn take_out(&mut self, index: usize, part: &Part) -> LoopFunction {
        let (header, old_body) = (part.body[0], part.body);
        let body = [old_body, &self.added[index]].concat();
        let exits = self.exits(&body);
        let Interface { params, results, shared } =
            Interface::new(self.source, &self.liveness, old_body, &exits);
        let span = self.span(old_body);
        let call = Op::Call(Call {
            callee: Callee::Loop { id: LoopId(index as u32), writes: results.clone() },
            args: params.iter().map(|&id| Operand::Read(Place::local(id))).collect(),
            result: Place::local(self.exit_taken),
            unwind: None,
        });

        let last = self.source.graph().exit();
        let again = self.add_location();
        self.add_edge(again, last, call.clone(), span);
        let ways_out: Vec<_> = (0..exits.len()).map(|_| self.add_location()).collect();
        for (number, &way_out) in ways_out.iter().enumerate() {
            let ty = self.exit_type;
            let number = Operand::Const(Const::Bits { bits: number as u128, ty });
            let op = Op::Assign(Place::local(self.exit_taken), Rvalue::Use(number));
            self.add_edge(way_out, last, op, span);
        }
        for from in &body {
            for edge in &mut self.outgoing[from.index()] {
                if edge.to == header {
                    edge.to = again;
                } else if !edge.op.ends_function()
                    && let Ok(number) = exits.binary_search(&edge.to)
                {
                    edge.to = ways_out[number];
                }
            }
        }
        let iteration = self.body_from(header);

        for location in &body {
            self.outgoing[location.index()].clear();
        }
        let after = match exits[..] {
            [only] => only,
            _ => self.lead_on(part.parent, &exits, span),
        };
        self.add_edge(header, after, call, span);
        LoopFunction {
            header,
            params,
            results,
            shared,
            exits: exits.len() as u32,
            repeats: part.repeats,
            body: iteration,
            span,
        }
    }

    /// A new location that leads from the end of a loop to the exit that it took.
    fn lead_on(&mut self, parent: Option<usize>, exits: &[Location], span: Span) -> Location {
        let after = self.add_location();
        if let Some(parent) = parent {
            self.added[parent].push(after);
        }
        for (number, &exit) in exits.iter().enumerate() {
            let taken = Operand::Read(Place::local(self.exit_taken));
            let op = Op::Assume(Condition::Equals(taken, number as u128));
            self.add_edge(after, exit, op, span);
        }
        if exits.is_empty() {
            self.add_edge(after, self.source.graph().exit(), Op::Unreachable, span);
        }
        after
    }

    /// Where control can go on after the loop, sorted.
    fn exits(&self, body: &[Location]) -> Vec<Location> {
        let mut inside = FixedBitSet::with_capacity(self.outgoing.len());
        inside.extend(body.iter().map(|location| location.index()));
        let edges = body.iter().flat_map(|from| &self.outgoing[from.index()]);
        let leaving =
            edges.filter(|edge| !edge.op.ends_function() && !inside.contains(edge.to.index()));
        let mut exits: Vec<_> = leaving.map(|edge| edge.to).collect();
        exits.sort_unstable();
        exits.dedup();
        exits
    }

    /// From the first source line of the loop to the last, in the file of its header.
    fn span(&self, body: &[Location]) -> Span {
        let steps = body.iter().flat_map(|&from| self.source.graph().successors(from));
        Span::around(steps.map(|step| self.source.cfa().edges[step.edge.index()].span))
    }

    fn add_location(&mut self) -> Location {
        self.outgoing.push(Vec::new());
        Location(self.outgoing.len() as u32 - 1)
    }

    fn add_edge(&mut self, from: Location, to: Location, op: Op, span: Span) {
        self.outgoing[from.index()].push(Edge { from, to, op, span });
    }

    /// What can run from a location on, clean-up included, as an automaton of its own.
    fn body_from(&self, first: Location) -> Cfa {
        let last = self.source.graph().exit();
        let mut reached = BTreeSet::new();
        let mut pending = vec![first];
        while let Some(location) = pending.pop() {
            if reached.insert(location) {
                let edges = self.outgoing[location.index()].iter();
                pending.extend(edges.flat_map(|edge| [Some(edge.to), edge.op.unwind()]).flatten());
            }
        }
        let between = reached.iter().filter(|&&location| location != first && location != last);
        let order: Vec<_> = [first].iter().chain(between).chain([&last]).copied().collect();
        let numbers: HashMap<_, _> =
            order.iter().zip(0..).map(|(&old, new)| (old, Location(new))).collect();
        let edges = order.iter().flat_map(|location| &self.outgoing[location.index()]);
        let edges = edges.cloned().map(|mut edge| {
            edge.from = numbers[&edge.from];
            edge.to = numbers[&edge.to];
            if let Op::Call(Call { unwind: Some(unwind), .. })
            | Op::Panic { unwind: Some(unwind) } = &mut edge.op
            {
                *unwind = numbers[unwind];
            }
            edge
        });
        Cfa { locations: order.len() as u32, edges: edges.collect() }
    }
}
