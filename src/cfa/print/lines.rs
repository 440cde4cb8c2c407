//! A function as lines of text: its signature, its named locals, and one line an edge.

use super::place::{Piece, Writer, to_string};
use super::scope::Scope;
use crate::cfa::graph::Graph;
use crate::cfa::loops::Extracted;
use crate::cfa::{
    Body, Cfa, Edge, EdgeId, FnId, Function, Impl, ImplContent, LocalId, Location, Op, Program,
};

/// A function as text.
///
/// Edges stand in an order in which control runs down where it can. A line without arrow goes on to
/// the next line; a number before a line is a location that another line leads to.
pub fn function(program: &Program, id: FnId) -> String {
    join(&lines((program, program.function(id))))
}

/// A function whose loops were taken out, followed by its loops.
pub fn extracted(program: &Program, function: &Function, extracted: &Extracted) -> String {
    let scope = Scope::new(program, &extracted.locals);
    let mut lines = header(&scope, function);
    lines.extend(body(&scope, &extracted.body));
    for (id, found) in extracted.loops.iter().enumerate() {
        let mut writer = Writer::new(&scope);
        let name = |writer: &mut Writer, local: &LocalId| writer.local(*local);
        writer.text(format!("loop {id}("));
        writer.list(&found.params, name);
        writer.text(") changing ");
        if found.results.is_empty() {
            writer.text("nothing");
        }
        writer.list(&found.results, name);
        if !found.shared.is_empty() {
            writer.text(", through pointers too: ");
            writer.list(&found.shared, name);
        }
        lines.push(Line::new(Writer::new(&scope)));
        lines.push(Line::new(writer));
        lines.extend(body(&scope, &found.body));
    }
    join(&lines)
}

/// A line of text, and the edge it is about.
pub(super) struct Line {
    pub pieces: Vec<Piece>,
    pub edge: Option<EdgeId>,
}

pub(super) fn lines((program, function): super::Code) -> Vec<Line> {
    let scope = Scope::new(program, &function.locals);
    let mut lines = header(&scope, function);
    let without_code = match &function.body {
        Body::Cfa(cfa) => {
            lines.extend(body(&scope, cfa));
            return lines;
        }
        Body::Intrinsic(_) | Body::VirtualCall | Body::PanicWithMessage => {
            "the compiler implements it".into()
        }
        Body::Foreign { symbol } => format!("foreign code: {symbol}"),
        Body::Panic => "panics".into(),
        Body::AllocError => "ends for want of memory".into(),
        Body::Supplied { default: None, .. } => "the caller's types supply it".into(),
        Body::Supplied { default: Some(id), .. } => {
            let default = &program.function(*id).name;
            format!("the caller's types supply it, or it is {default}")
        }
        Body::Missing(reason) | Body::Elsewhere(reason) => format!("no code: {reason}"),
    };
    lines.push(Line::text(format!("{INDENT}{without_code}")));
    if let Body::Supplied { impls, .. } = &function.body {
        lines.extend(
            impls.iter().map(|it| Line::text(format!("{INDENT}or {}", impl_line(program, it)))),
        );
    }
    lines
}

/// Where the code is that an impl has.
fn impl_line(program: &Program, it: &Impl) -> String {
    match &it.content {
        ImplContent::Item(id) => program.function(*id).name.clone(),
        ImplContent::Default => format!("the default, in {}", it.header),
        ImplContent::Build { build, .. } => format!("{} (build {build})", it.header),
    }
}

/// The width of the column of locations.
const INDENT: &str = "        ";

impl Line {
    fn new(writer: Writer) -> Line {
        Line { pieces: writer.pieces, edge: None }
    }

    fn text(text: String) -> Line {
        Line { pieces: vec![Piece::Text(text)], edge: None }
    }
}

fn join(lines: &[Line]) -> String {
    lines.iter().map(|line| to_string(&line.pieces) + "\n").collect()
}

fn header(scope: &Scope, function: &Function) -> Vec<Line> {
    let typed = |local: LocalId| {
        let mut writer = Writer::new(scope);
        writer.local(local);
        let ty = scope.type_name(scope.locals[local.index()].ty);
        format!("{}: {ty}", to_string(&writer.pieces))
    };
    let params: Vec<_> = (1..=function.params).map(|index| typed(LocalId(index))).collect();
    let result = scope.locals.first().map_or("()", |local| scope.type_name(local.ty));
    let arrow = if result == "()" { String::new() } else { format!(" -> {result}") };
    let signature = format!("fn {}({}){arrow}", function.name, params.join(", "));
    let named = (function.params + 1..scope.locals.len() as u32).map(LocalId);
    let named = named.filter(|&local| scope.name(local).is_some());
    let lets = named.map(|local| format!("{INDENT}let {}", typed(local)));
    [signature].into_iter().chain(lets).map(Line::text).collect()
}

/// The edges, those of clean-up after a line of their own.
fn body(scope: &Scope, cfa: &Cfa) -> Vec<Line> {
    let graph = Graph::with_unwinding(cfa);
    let main = Graph::new(cfa);
    let mut layout =
        Layout { scope, cfa, graph: &graph, lines: Vec::new(), falls_to: Some(Cfa::ENTRY) };
    layout.add(&main.reading_order());
    let clean_up = graph.reading_order().into_iter();
    let clean_up: Vec<_> = clean_up.filter(|&location| !main.is_reachable(location)).collect();
    if clean_up.iter().any(|&location| location != graph.exit()) {
        layout.lines.push(Line::text("  when unwinding".into()));
        layout.add(&clean_up);
    }
    layout.lines
}

struct Layout<'a> {
    scope: &'a Scope<'a>,
    cfa: &'a Cfa,
    graph: &'a Graph,
    lines: Vec<Line>,
    /// Where the last line goes on without saying so.
    falls_to: Option<Location>,
}

impl Layout<'_> {
    fn add(&mut self, order: &[Location]) {
        let order: Vec<_> =
            order.iter().filter(|&&location| location != self.graph.exit()).collect();
        for (index, &&location) in order.iter().enumerate() {
            let next = order.get(index + 1).map(|&&next| next);
            // An operation that unwinds is two steps with one edge.
            let mut edges: Vec<_> =
                self.graph.successors(location).iter().map(|step| step.edge).collect();
            edges.sort_unstable();
            edges.dedup();
            let mut label = Some(location).filter(|&location| self.is_jumped_to(location));
            self.falls_to = None;
            for &id in &edges {
                let edge = &self.cfa.edges[id.index()];
                let falls = edges.len() == 1 && Some(edge.to) == next;
                if falls {
                    self.falls_to = next;
                }
                self.lines.push(self.line(id, edge, label.take(), falls));
            }
            if edges.is_empty() {
                let mut writer = self.start(label);
                writer.text("no way on");
                self.lines.push(Line::new(writer));
            }
        }
    }

    fn is_jumped_to(&self, location: Location) -> bool {
        let falls = usize::from(self.falls_to == Some(location));
        let ways = self.graph.predecessors(location).len() + usize::from(location == Cfa::ENTRY);
        ways > falls
    }

    /// A line with its location, if that has to be said.
    fn start(&self, label: Option<Location>) -> Writer<'_> {
        let mut writer = Writer::new(self.scope);
        match label {
            Some(location) => {
                let width = location.0.to_string().len();
                writer.text(" ".repeat((INDENT.len() - 2).saturating_sub(width)));
                writer.location(location);
                writer.text(": ");
            }
            None => writer.text(INDENT),
        }
        writer
    }

    fn line(&self, id: EdgeId, edge: &Edge, label: Option<Location>, falls: bool) -> Line {
        let mut writer = self.start(label);
        let is_last = edge.to == self.cfa.exit();
        match &edge.op {
            Op::Nop if is_last => writer.text("return"),
            Op::Nop if !falls => {
                writer.text("goto ");
                writer.location(edge.to);
            }
            op => {
                writer.op(op);
                if is_last && !op.ends_function() {
                    writer.text(" -> return");
                } else if !falls && !op.ends_function() {
                    writer.text(" -> ");
                    writer.location(edge.to);
                }
            }
        }
        if let Some(unwind) = edge.op.unwind() {
            writer.text(" (unwind ");
            writer.location(unwind);
            writer.text(")");
        }
        Line { pieces: writer.pieces, edge: Some(id) }
    }
}
