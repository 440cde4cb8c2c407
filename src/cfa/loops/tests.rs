//! Extraction against execution: a small interpreter runs random structured functions before and
//! after. Loops and regions get a frame with nothing in it but their params, and give back nothing but
//! their results.

use proptest::prelude::*;

use super::{Extracted, Region, around, extract};
use crate::cfa::graph::{Graph, ReducibleCfa, components};
use crate::cfa::{
    BinaryOp, Call, Callee, Cfa, Condition, Const, Edge, FnId, Local, LocalId, Location, Op,
    Operand, Place, Projection, Rvalue, Span, TyId,
};

/// Locals 0 to 3 are numbers, 4 and 5 are for pointers, 6 is for what a call returns.
const LOCALS: usize = 7;

#[derive(Clone, Debug)]
enum Statement {
    Set(u32, u128),
    Add(u32, u32, u128),
    TakeAddress {
        pointer: u32,
        of: u32,
    },
    Load {
        into: u32,
        pointer: u32,
    },
    Store {
        pointer: u32,
        from: u32,
    },
    /// Calls a function that tells the world its argument, and panics if that is 3.
    Tell(u32),
    Panic,
    Return,
    Break(usize),
    Continue(usize),
    If(u32, u128, Vec<Statement>, Vec<Statement>),
    /// As long as the local is not the number.
    While(u32, u128, Vec<Statement>),
}

fn any_statements() -> impl Strategy<Value = Vec<Statement>> {
    use Statement::*;
    let (number, pointer, value) = (0..4u32, 4..6u32, 0..4u128);
    let simple = prop_oneof![
        2 => (number.clone(), value.clone()).prop_map(|(x, c)| Set(x, c)),
        4 => (number.clone(), number.clone(), value.clone()).prop_map(|(x, y, c)| Add(x, y, c)),
        2 => (pointer.clone(), number.clone()).prop_map(|(pointer, of)| TakeAddress { pointer, of }),
        2 => (number.clone(), pointer.clone()).prop_map(|(into, pointer)| Load { into, pointer }),
        2 => (pointer, number.clone()).prop_map(|(pointer, from)| Store { pointer, from }),
        2 => number.clone().prop_map(Tell),
        1 => prop_oneof![Just(Panic), Just(Return), (0..2usize).prop_map(Break), (0..2usize).prop_map(Continue)],
    ];
    let one = simple.prop_recursive(4, 40, 6, move |inner| {
        let block = proptest::collection::vec(inner, 0..5);
        let test = (number.clone(), value.clone());
        prop_oneof![
            1 => (test.clone(), block.clone(), block.clone()).prop_map(|((x, c), a, b)| If(x, c, a, b)),
            2 => (test, block).prop_map(|((x, c), body)| While(x, c, body)),
        ]
    });
    proptest::collection::vec(one, 1..8)
}

fn place(local: u32) -> Place {
    Place::local(LocalId(local))
}

fn read(local: u32) -> Operand {
    Operand::Read(place(local))
}

fn behind(pointer: u32) -> Place {
    Place { local: LocalId(pointer), projections: vec![Projection::Deref] }
}

fn number(bits: u128) -> Operand {
    Operand::Const(Const::Bits { bits, ty: TyId(0) })
}

/// The automaton of some statements. The locations 1 and 2 are the final one, until the end, and the
/// start of clean-up.
struct Builder {
    locations: u32,
    edges: Vec<Edge>,
    /// Where to go on with the next iteration and after the loop, for the loops around.
    loops: Vec<(Location, Location)>,
}

const LAST: Location = Location(1);
const CLEAN_UP: Location = Location(2);

impl Builder {
    fn build(statements: &[Statement]) -> Cfa {
        let mut builder = Builder { locations: 3, edges: Vec::new(), loops: Vec::new() };
        let end = builder.block(Cfa::ENTRY, statements);
        builder.edge(end, LAST, Op::Nop);
        let done = Statement::While(1, 2, vec![Statement::Tell(1), Statement::Add(1, 1, 1)]);
        let end = builder.statement(CLEAN_UP, &done, None);
        builder.edge(end, LAST, Op::Resume);
        let Builder { mut locations, mut edges, .. } = builder;
        // The final location has the largest number.
        for edge in &mut edges {
            if edge.to == LAST {
                edge.to = Location(locations);
            }
        }
        locations += 1;
        Cfa { locations, edges }
    }

    fn block(&mut self, start: Location, statements: &[Statement]) -> Location {
        let unwind = Some(CLEAN_UP);
        statements.iter().fold(start, |at, statement| self.statement(at, statement, unwind))
    }

    /// Adds a statement and says where it goes on.
    fn statement(
        &mut self,
        at: Location,
        statement: &Statement,
        unwind: Option<Location>,
    ) -> Location {
        let assign = |place, value| Op::Assign(place, Rvalue::Use(value));
        let op = match *statement {
            Statement::Set(x, value) => assign(place(x), number(value)),
            Statement::Add(x, y, value) => {
                Op::Assign(place(x), Rvalue::Binary(BinaryOp::Add, read(y), number(value)))
            }
            Statement::TakeAddress { pointer, of } => {
                Op::Assign(place(pointer), Rvalue::Ref { mutable: true, place: place(of) })
            }
            Statement::Load { into, pointer } => {
                assign(place(into), Operand::Read(behind(pointer)))
            }
            Statement::Store { pointer, from } => assign(behind(pointer), read(from)),
            Statement::Tell(x) => Op::Call(Call {
                callee: Callee::Function(FnId(0)),
                args: vec![read(x)],
                result: place(6),
                unwind,
            }),
            Statement::Panic => return self.leave(at, LAST, Op::Panic { unwind }),
            Statement::Return => return self.leave(at, LAST, Op::Nop),
            Statement::Break(depth) | Statement::Continue(depth) => {
                let around = self.loops.iter().rev().nth(depth).or(self.loops.first());
                let Some(&(again, after)) = around else {
                    return at;
                };
                let goes_on = matches!(statement, Statement::Continue(_));
                return self.leave(at, if goes_on { again } else { after }, Op::Nop);
            }
            Statement::If(x, value, ref yes, ref no) => {
                let [if_yes, if_no, after] = std::array::from_fn(|_| self.location());
                self.branch(at, x, value, if_yes, if_no);
                for (start, block) in [(if_yes, yes), (if_no, no)] {
                    let end = self.block(start, block);
                    self.edge(end, after, Op::Nop);
                }
                return after;
            }
            Statement::While(x, value, ref body) => {
                let [header, first, after] = std::array::from_fn(|_| self.location());
                self.edge(at, header, Op::Nop);
                self.branch(header, x, value, after, first);
                self.loops.push((header, after));
                let end = body.iter().fold(first, |at, inner| self.statement(at, inner, unwind));
                self.loops.pop();
                self.edge(end, header, Op::Nop);
                return after;
            }
        };
        let next = self.location();
        self.edge(at, next, op);
        next
    }

    /// Goes elsewhere; what follows is unreachable.
    fn leave(&mut self, at: Location, to: Location, op: Op) -> Location {
        self.edge(at, to, op);
        self.location()
    }

    fn branch(&mut self, at: Location, x: u32, value: u128, yes: Location, no: Location) {
        self.edge(at, yes, Op::Assume(Condition::Equals(read(x), value)));
        self.edge(at, no, Op::Assume(Condition::NoneOf(read(x), vec![value])));
    }

    fn location(&mut self) -> Location {
        self.locations += 1;
        Location(self.locations - 1)
    }

    fn edge(&mut self, from: Location, to: Location, op: Op) {
        self.edges.push(Edge { from, to, op, span: Span::UNKNOWN });
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Returned,
    Panicked,
    OutOfFuel,
}

struct Machine<'a> {
    extracted: Option<&'a Extracted>,
    told: Vec<u128>,
    fuel: u32,
}

/// A pointer to a local is the local's number plus this; any other number points nowhere.
const POINTER: u128 = 100;

impl Machine<'_> {
    /// Everything that shows of a run: what was told, how it ended, and what it returned.
    fn run(extracted: Option<&Extracted>, cfa: &Cfa, fuel: u32) -> (Vec<u128>, End, Option<u128>) {
        let mut machine = Machine { extracted, told: Vec::new(), fuel };
        let mut frame = vec![Some(0); LOCALS + 1];
        let end = machine.execute(cfa, &mut frame);
        (machine.told, end, frame[0].filter(|_| end == End::Returned))
    }

    fn execute(&mut self, cfa: &Cfa, frame: &mut [Option<u128>]) -> End {
        let mut at = Cfa::ENTRY;
        while at != cfa.exit() {
            if self.fuel == 0 {
                return End::OutOfFuel;
            }
            self.fuel -= 1;
            let mut edges = cfa.edges.iter().filter(|edge| edge.from == at);
            let edge = edges.find(|edge| allows(&edge.op, frame)).expect("a way on");
            let end = match &edge.op {
                Op::Assign(place, Rvalue::Ref { place: of, .. }) => {
                    write(frame, place, POINTER + of.local.0 as u128);
                    End::Returned
                }
                Op::Assign(place, Rvalue::Use(value)) => {
                    let value = eval(value, frame);
                    write(frame, place, value);
                    End::Returned
                }
                Op::Assign(place, Rvalue::Binary(BinaryOp::Add, a, b)) => {
                    let sum = (eval(a, frame) + eval(b, frame)) % 4;
                    write(frame, place, sum);
                    End::Returned
                }
                Op::Call(call) => self.call(call, frame),
                Op::Nop | Op::Assume(_) => End::Returned,
                Op::Panic { .. } | Op::Resume => End::Panicked,
                other => panic!("{other:?} was not generated"),
            };
            at = match (end, edge.op.unwind()) {
                (End::Returned, _) => edge.to,
                (End::Panicked, Some(unwind)) => unwind,
                (end, _) => return end,
            };
        }
        End::Returned
    }

    fn call(&mut self, call: &Call, frame: &mut [Option<u128>]) -> End {
        match &call.callee {
            Callee::Loop { id, writes } => {
                let extracted = self.extracted.expect("loop functions");
                let function = &extracted.loops[id.index()];
                assert_eq!(writes, &function.results);
                let mut inner = vec![None; frame.len()];
                for param in &function.params {
                    inner[param.index()] = frame[param.index()];
                }
                let end = self.execute(&function.body, &mut inner);
                for result in function.results.iter().chain([&extracted.exit_taken]) {
                    frame[result.index()] = inner[result.index()];
                }
                end
            }
            _ => {
                let value = eval(&call.args[0], frame);
                self.told.push(value);
                write(frame, &call.result, 0);
                if value == 3 { End::Panicked } else { End::Returned }
            }
        }
    }
}

fn allows(op: &Op, frame: &[Option<u128>]) -> bool {
    match op {
        Op::Assume(Condition::Equals(operand, value)) => eval(operand, frame) == *value,
        Op::Assume(Condition::NoneOf(operand, values)) => !values.contains(&eval(operand, frame)),
        _ => true,
    }
}

fn eval(operand: &Operand, frame: &[Option<u128>]) -> u128 {
    match operand {
        Operand::Const(Const::Bits { bits, .. }) => *bits,
        Operand::Read(place) => {
            let value = frame[place.local.index()].expect("a local that was passed");
            match (place.projections.is_empty(), value.checked_sub(POINTER)) {
                (true, _) => value,
                (false, Some(local)) => frame[local as usize].expect("a local that was passed"),
                (false, None) => 0,
            }
        }
        other => panic!("{other:?} was not generated"),
    }
}

fn write(frame: &mut [Option<u128>], place: &Place, value: u128) {
    if place.projections.is_empty() {
        frame[place.local.index()] = Some(value);
    } else if let Some(local) = frame[place.local.index()].expect("a pointer").checked_sub(POINTER)
    {
        frame[local as usize] = Some(value);
    }
}

fn extracted(cfa: &Cfa) -> Extracted {
    with_regions(cfa, &[])
}

/// The regions around calls that tell one of some locals.
fn regions(cfa: &Cfa, told: &[u32]) -> Vec<Region> {
    around(&ReducibleCfa::new(cfa).unwrap(), &|op| match op {
        Op::Call(call) => told.iter().any(|&it| call.args[0] == read(it)),
        _ => false,
    })
}

fn with_regions(cfa: &Cfa, regions: &[Region]) -> Extracted {
    let locals = vec![Local { name: None, ty: TyId(0) }; LOCALS];
    extract(&ReducibleCfa::new(cfa).unwrap(), regions, &locals, TyId(0))
}

fn runs_alike(cfa: &Cfa, extracted: &Extracted) -> Result<(), TestCaseError> {
    let before = Machine::run(None, cfa, 200);
    let after = Machine::run(Some(extracted), &extracted.body, 2000);
    if before.1 == End::OutOfFuel {
        prop_assert!(after.0.starts_with(&before.0));
    } else {
        prop_assert_eq!(before, after);
    }
    Ok(())
}

fn is_acyclic(cfa: &Cfa) -> bool {
    let graph = Graph::with_unwinding(cfa);
    let no_self_loop = graph.steps().all(|(from, step)| from != step.location);
    no_self_loop && components(&graph).iter().all(|component| component.len() == 1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn taking_out_loops_keeps_behaviour(statements in any_statements()) {
        let cfa = Builder::build(&statements);
        let extracted = extracted(&cfa);
        runs_alike(&cfa, &extracted)?;
    }

    #[test]
    fn taking_out_regions_keeps_behaviour(
        statements in proptest::collection::vec(any_statements(), 1..5),
        told in 0..4u32,
    ) {
        let cfa = Builder::build(&statements.concat());
        let extracted = with_regions(&cfa, &regions(&cfa, &[told]));
        runs_alike(&cfa, &extracted)?;
        prop_assert!(extracted.loops.iter().all(|function| is_acyclic(&function.body)));
    }

    #[test]
    fn no_body_has_a_cycle_afterwards(statements in any_statements()) {
        let cfa = Builder::build(&statements);
        let extracted = extracted(&cfa);
        prop_assert!(is_acyclic(&extracted.body));
        prop_assert!(extracted.loops.iter().all(|function| is_acyclic(&function.body)));
    }
}

#[test]
fn a_region_has_what_leads_to_the_call_and_what_uses_it() {
    use Statement::*;
    let other = || [Set(0, 1), Add(0, 0, 1), Set(3, 1), Add(3, 3, 1)];
    let call = If(2, 0, vec![Tell(1)], vec![Set(1, 2)]);
    let cfa = Builder::build(
        &[&other()[..], &[Set(2, 1), call, Add(1, 1, 1)], &other(), &other()].concat(),
    );
    let found = regions(&cfa, &[1]);
    let extracted = with_regions(&cfa, &found);
    let region = extracted.loops.last().unwrap();
    assert!(!region.repeats);
    // Of `Set(2, 1)` to `Add(1, 1, 1)`, which nobody needs.
    assert_eq!((&region.params[..], &region.results[..]), (&[LocalId(1)][..], &[][..]));
    assert_eq!(found.len(), 1);
    let before = found[0].body[0];
    let sets = |local: u32| move |edge: &&Edge| matches!(&edge.op, Op::Assign(it, _) if *it == place(local));
    let first = cfa.edges.iter().find(|edge| edge.from == before).unwrap();
    assert!(sets(2)(&first));
    assert!(region.body.edges.iter().any(|edge| sets(1)(&edge)));
    assert!(!region.body.edges.iter().any(|edge| sets(3)(&edge)));
}

#[test]
fn where_what_regions_give_comes_together_is_outside_of_them() {
    use Statement::*;
    let part = |of: u32| [Set(of, 1), Tell(of), Add(of, 6, 1)];
    let cfa = Builder::build(&[&part(0)[..], &part(2), &part(3), &[Add(0, 2, 0)]].concat());
    let regions = regions(&cfa, &[0, 2, 3]);
    let sizes: Vec<_> = regions.iter().map(|region| region.body.len()).collect();
    assert_eq!(sizes, [3, 3, 3]);
}

#[test]
fn a_region_that_is_most_of_the_function_is_none() {
    use Statement::*;
    let cfa = Builder::build(&[Set(1, 1), Tell(1), Add(1, 1, 1)]);
    assert_eq!(regions(&cfa, &[1]), []);
}

#[test]
fn a_loop_gets_only_the_locals_it_needs() {
    use Statement::*;
    let cfa =
        Builder::build(&[While(1, 3, vec![Add(1, 1, 1), Set(2, 0), Add(3, 3, 1)]), Add(0, 3, 0)]);
    let extracted = extracted(&cfa);
    let counter = &extracted.loops[0];
    assert_eq!(counter.params, [LocalId(1), LocalId(3)]);
    assert_eq!(counter.results, [LocalId(3)]);
    assert_eq!(counter.shared, []);
    assert_eq!(counter.exits, 1);
}

#[test]
fn a_local_whose_address_is_known_goes_in_and_comes_out() {
    use Statement::*;
    let body = vec![Store { pointer: 4, from: 1 }, Add(1, 1, 1)];
    let cfa = Builder::build(&[TakeAddress { pointer: 4, of: 2 }, While(1, 3, body)]);
    let extracted = extracted(&cfa);
    assert_eq!(extracted.loops[0].params, [LocalId(1), LocalId(2), LocalId(4)]);
    assert_eq!(extracted.loops[0].results, [LocalId(2)]);
    assert_eq!(extracted.loops[0].shared, [LocalId(2)]);
}

#[test]
fn each_place_where_control_goes_on_is_an_exit() {
    use Statement::*;
    let inner = While(2, 3, vec![If(3, 0, vec![Break(1)], vec![]), If(3, 1, vec![Return], vec![])]);
    let cfa = Builder::build(&[While(1, 3, vec![inner, Tell(2)]), Tell(1)]);
    let extracted = extracted(&cfa);
    let exits: Vec<_> = extracted.loops.iter().map(|function| function.exits).collect();
    // That of clean-up comes first; a `break` out of both loops is an exit of both.
    assert_eq!(exits, [1, 3, 3]);
}

#[test]
fn an_address_taken_on_the_way_out_is_shared() {
    let mut cfa = crate::cfa::graph::testing::cfa(4, &[(0, 1), (1, 1), (1, 2), (2, 3)]);
    let address = Rvalue::Ref { mutable: true, place: place(2) };
    cfa.edges[2].op = Op::Assign(place(4), address);
    assert_eq!(extracted(&cfa).loops[0].shared, [LocalId(2)]);
}

#[test]
fn a_panic_in_a_loop_is_not_taken_for_a_way_out() {
    let mut cfa = crate::cfa::graph::testing::cfa(3, &[(0, 1), (1, 1), (1, 2), (1, 2)]);
    cfa.edges[2].op = Op::Panic { unwind: None };
    let iteration = &extracted(&cfa).loops[0].body;
    let mut panics = iteration.edges.iter().filter(|edge| edge.op.ends_function());
    assert!(panics.all(|edge| edge.to == iteration.exit()));
}

#[test]
fn a_loop_without_exit_is_not_gone_past() {
    let mut cfa = crate::cfa::graph::testing::cfa(3, &[(0, 1), (1, 1)]);
    cfa.edges[0].op = Op::Nop;
    let extracted = extracted(&cfa);
    assert_eq!(extracted.loops[0].exits, 0);
    let last = extracted.body.edges.iter().find(|edge| edge.to == extracted.body.exit());
    assert_eq!(last.unwrap().op, Op::Unreachable);
}
