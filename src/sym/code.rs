//! The functions of one program, made ready to be run: loops taken out, edges in order.

use std::collections::HashSet;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::cfa::graph::{Graph, ReducibleCfa, Step};
use crate::cfa::liveness::{Access, Liveness};
use crate::cfa::loops;
use crate::cfa::{
    Call, Callee, Cfa, Edge, FnId, Local, LocalId, Location, LoopId, Op, Program, Span, TyId,
};
use crate::memo::Memo;
use crate::reason::{NoCode, NoProof, Reason};

/// One program, with what has been made ready of it.
pub struct Code<'a> {
    pub program: &'a Program,
    exit_type: TyId,
    /// Functions whose calls are taken out of their callers, with what belongs to them.
    outlined: HashSet<FnId>,
    ready: Memo<FnId, Result<Arc<Ready>, Reason>>,
}

/// A function whose body and loops are acyclic.
pub struct Ready {
    /// Those of the function, and the one that says which exit a loop took.
    pub locals: Vec<Local>,
    pub exit_taken: LocalId,
    pub body: Acyclic,
    pub loops: Vec<ReadyLoop>,
}

pub struct ReadyLoop {
    pub params: Vec<LocalId>,
    pub results: Vec<LocalId>,
    pub shared: Vec<LocalId>,
    pub exits: u32,
    /// Whether it is a loop, and not just a part.
    pub repeats: bool,
    pub span: Span,
    pub body: Acyclic,
}

/// A body in the order in which its locations can be run, each after all that lead to it.
pub struct Acyclic {
    pub exit: Location,
    pub order: Vec<Location>,
    edges: Vec<Vec<Edge>>,
    /// The locals that each of these edges needs to be there.
    mentioned: Vec<Vec<Vec<LocalId>>>,
    /// The locals that no longer matter from each location on. Errs by leaving some out, as
    /// [`Liveness`] does: one that mattered would be read as if nothing had been written to it.
    dead: Vec<Vec<LocalId>>,
    /// The locals whose first value can matter.
    pub live_at_start: Vec<LocalId>,
}

impl Acyclic {
    /// Locals that are `kept` can matter outside of the body.
    fn new(cfa: &Cfa, locals: usize, kept: &FixedBitSet) -> Acyclic {
        let graph = Graph::with_unwinding(cfa);
        let liveness = Liveness::new(cfa, &graph, locals);
        let mut edges = vec![Vec::new(); cfa.locations as usize];
        let mut mentioned = vec![Vec::new(); cfa.locations as usize];
        let mut all_mentioned = FixedBitSet::with_capacity(locals);
        for edge in &cfa.edges {
            let Access { reads, writes, exposes, .. } = Access::of(&edge.op);
            let mut of_edge: Vec<LocalId> = [reads, writes, exposes].concat();
            of_edge.sort_unstable();
            of_edge.dedup();
            all_mentioned.extend(of_edge.iter().map(|it| it.index()));
            edges[edge.from.index()].push(edge.clone());
            mentioned[edge.from.index()].push(of_edge);
        }
        all_mentioned.difference_with(kept);
        let mut dead = vec![FixedBitSet::with_capacity(locals); cfa.locations as usize];
        for (from, Step { edge, location }) in graph.steps() {
            let of_edge = Access::of(&cfa.edges[edge.index()].op);
            dead[location.index()].union_with(liveness.live(from));
            dead[location.index()].extend(of_edge.writes.iter().map(|it| it.index()));
        }
        let dead = dead.into_iter().zip(0..).map(|(mut before, location)| {
            before.intersect_with(&all_mentioned);
            before.difference_with(liveness.live(Location(location)));
            local_ids(&before)
        });
        Acyclic {
            exit: cfa.exit(),
            order: graph.reverse_postorder().to_vec(),
            dead: dead.collect(),
            live_at_start: local_ids(liveness.live(graph.reverse_postorder()[0])),
            edges,
            mentioned,
        }
    }

    /// The edges from a location, with the locals that they mention.
    pub fn edges(&self, from: Location) -> impl ExactSizeIterator<Item = (&Edge, &[LocalId])> {
        let mentioned = self.mentioned[from.index()].iter().map(Vec::as_slice);
        self.edges[from.index()].iter().zip(mentioned)
    }

    /// The locals that no longer matter once a run has come to a location.
    pub fn dead(&self, at: Location) -> &[LocalId] {
        &self.dead[at.index()]
    }

    pub fn size(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    pub fn all_edges(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter().flatten()
    }
}

impl<'a> Code<'a> {
    /// The program has the type of [`loops::exit_type`].
    pub fn new(program: &'a Program, outlined: HashSet<FnId>) -> Code<'a> {
        let exit_type = loops::exit_type(program);
        Code { program, exit_type, outlined, ready: Memo::default() }
    }

    pub fn ready(&self, id: FnId) -> Result<Arc<Ready>, Reason> {
        self.ready.get_or_make(id, || self.make_ready(id).map(Arc::new))
    }

    fn make_ready(&self, id: FnId) -> Result<Ready, Reason> {
        let function = self.program.function(id);
        let cfa = function.cfa().ok_or(NoCode::Bodyless)?;
        let reducible = ReducibleCfa::new(cfa).map_err(|_| NoProof::Irreducible)?;
        let regions = loops::around(&reducible, &|op| match op {
            Op::Call(Call { callee: Callee::Function(id), .. }) => self.outlined.contains(id),
            _ => false,
        });
        let extracted = loops::extract(&reducible, &regions, &function.locals, self.exit_type);
        let locals = extracted.locals.len();
        // Pointers that a loop makes can be used after it, and those from before it in it.
        let mut kept: FixedBitSet =
            extracted.loops.iter().flat_map(|it| exposed(&it.body)).collect();
        kept.grow(locals);
        let body = Acyclic::new(&extracted.body, locals, &kept);
        kept.extend(exposed(&extracted.body));
        let loops = extracted.loops.into_iter().map(|it| {
            let mut kept = kept.clone();
            let outside = it.params.iter().chain(&it.results).chain(&it.shared);
            kept.extend(outside.map(|it| it.index()));
            ReadyLoop {
                body: Acyclic::new(&it.body, locals, &kept),
                params: it.params,
                results: it.results,
                shared: it.shared,
                exits: it.exits,
                repeats: it.repeats,
                span: it.span,
            }
        });
        let loops = loops.collect();
        Ok(Ready { locals: extracted.locals, exit_taken: extracted.exit_taken, body, loops })
    }
}

fn local_ids(set: &FixedBitSet) -> Vec<LocalId> {
    set.ones().map(|it| LocalId(it as u32)).collect()
}

/// The locals whose address is taken somewhere in a body.
fn exposed(cfa: &Cfa) -> impl Iterator<Item = usize> {
    let exposes = |edge: &Edge| Access::of(&edge.op).exposes;
    cfa.edges.iter().flat_map(exposes).map(|it| it.index())
}

impl Ready {
    /// A function of which nothing is known.
    pub fn empty() -> Ready {
        let body = Acyclic {
            exit: Location(0),
            order: Vec::new(),
            edges: Vec::new(),
            mentioned: Vec::new(),
            dead: Vec::new(),
            live_at_start: Vec::new(),
        };
        Ready { locals: Vec::new(), exit_taken: LocalId(0), body, loops: Vec::new() }
    }

    pub fn a_loop(&self, id: LoopId) -> &ReadyLoop {
        &self.loops[id.index()]
    }
}
