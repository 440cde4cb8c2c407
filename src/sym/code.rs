//! The functions of one program, made ready to be run: loops taken out, edges in order.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::value::Reason;
use crate::cfa::graph::{Graph, ReducibleCfa};
use crate::cfa::loops;
use crate::cfa::{
    Call, Callee, Cfa, Edge, FnId, Local, LocalId, Location, LoopId, Op, Program, Span, TyId,
};

/// One program, with what has been made ready of it.
pub struct Code<'a> {
    pub program: &'a Program,
    exit_type: TyId,
    /// Functions whose calls are taken out of their callers, with what belongs to them.
    apart: HashSet<FnId>,
    ready: RefCell<HashMap<FnId, Result<Rc<Ready>, Reason>>>,
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
}

impl Acyclic {
    fn new(cfa: &Cfa) -> Acyclic {
        let graph = Graph::with_unwinding(cfa);
        let mut edges = vec![Vec::new(); cfa.locations as usize];
        for edge in &cfa.edges {
            edges[edge.from.index()].push(edge.clone());
        }
        Acyclic { exit: cfa.exit(), order: graph.reverse_postorder().to_vec(), edges }
    }

    pub fn edges(&self, from: Location) -> &[Edge] {
        &self.edges[from.index()]
    }

    pub fn size(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    pub fn all_edges(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter().flatten()
    }
}

impl<'a> Code<'a> {
    /// `exit_type` is that of [`loops::exit_type`].
    pub fn new(program: &'a Program, exit_type: TyId, apart: HashSet<FnId>) -> Code<'a> {
        Code { program, exit_type, apart, ready: RefCell::default() }
    }

    pub fn ready(&self, id: FnId) -> Result<Rc<Ready>, Reason> {
        if let Some(known) = self.ready.borrow().get(&id) {
            return known.clone();
        }
        let made = self.make_ready(id).map(Rc::new);
        self.ready.borrow_mut().insert(id, made.clone());
        made
    }

    fn make_ready(&self, id: FnId) -> Result<Ready, Reason> {
        let function = self.program.function(id);
        let cfa = function.cfa().ok_or_else(|| Rc::from("a function without code"))?;
        let reducible = ReducibleCfa::new(cfa).map_err(|error| Rc::from(error.to_string()))?;
        let regions = loops::around(&reducible, &|op| match op {
            Op::Call(Call { callee: Callee::Function(id), .. }) => self.apart.contains(id),
            _ => false,
        });
        let extracted = loops::extract(&reducible, &regions, &function.locals, self.exit_type);
        let loops = extracted.loops.into_iter().map(|it| ReadyLoop {
            params: it.params,
            results: it.results,
            shared: it.shared,
            exits: it.exits,
            repeats: it.repeats,
            span: it.span,
            body: Acyclic::new(&it.body),
        });
        Ok(Ready {
            locals: extracted.locals,
            exit_taken: extracted.exit_taken,
            loops: loops.collect(),
            body: Acyclic::new(&extracted.body),
        })
    }
}

impl Ready {
    /// A function of which nothing is known.
    pub fn empty() -> Ready {
        let body = Acyclic { exit: Location(0), order: Vec::new(), edges: Vec::new() };
        Ready { locals: Vec::new(), exit_taken: LocalId(0), body, loops: Vec::new() }
    }

    pub fn a_loop(&self, id: LoopId) -> &ReadyLoop {
        &self.loops[id.index()]
    }
}
