//! Functions as the compiler could write them: structured, and no local is read before it is
//! assigned. The exception are flagged locals: like what may have to be dropped, they are read only
//! where another local says that they were assigned.

use proptest::prelude::*;

use super::library::{
    ARRAY, CALLEES, CHOICE, DISCRIMINANT, FLOW, INT, MARKER, NEST, ONLY, PAIR, TAGGED, TELL,
    TO_CHOICE, TO_INT, UNIT, ask, build, call, equals, int, none_of, place, set, signature,
    with_body,
};
use crate::cfa::{
    BinaryOp, Body, Call, CastKind, Cfa, Condition, Const, Edge, FnId, Function, LocalId, Location,
    Op, Operand, Place, Projection, Rvalue, Span, TyId,
};

/// A statement, but for what is at hand where it stands: numbers choose from that.
#[derive(Clone, Debug)]
pub enum Statement {
    Simple {
        kind: u8,
        into: u8,
        picks: [u8; 4],
    },
    /// A value of an enum that is built on two paths and taken apart where they meet.
    Join {
        picks: [u8; 4],
    },
    Switch {
        on: [u8; 2],
        arms: Vec<Vec<Statement>>,
    },
    Loop {
        at_once: bool,
        body: Vec<Statement>,
    },
    /// A loop that carries a value from iteration to iteration, and copies it.
    Carry {
        picks: [u8; 4],
        body: Vec<Statement>,
        rest: Vec<Statement>,
    },
    /// Leaves a loop, starts its next iteration, returns or panics: if a value is a number, or always.
    Leave {
        how: u8,
        depth: u8,
        when: Option<[u8; 2]>,
    },
    /// While the body runs, a panic runs the clean-up.
    Guarded {
        clean_up: Vec<Statement>,
        body: Vec<Statement>,
    },
}

pub fn any_statements() -> impl Strategy<Value = Vec<Statement>> {
    let simple = prop_oneof![
        20 => (0..24u8, any::<u8>(), any::<[u8; 4]>())
            .prop_map(|(kind, into, picks)| Statement::Simple { kind, into, picks }),
        2 => any::<[u8; 4]>().prop_map(|picks| Statement::Join { picks }),
        3 => (0..8u8, 0..2u8, proptest::option::weighted(0.8, any::<[u8; 2]>()))
            .prop_map(|(how, depth, when)| Statement::Leave { how, depth, when }),
    ];
    let one = simple.prop_recursive(4, 60, 6, |inner| {
        let block = proptest::collection::vec(inner, 0..6);
        prop_oneof![
            3 => (any::<[u8; 2]>(), proptest::collection::vec(block.clone(), 1..4))
                .prop_map(|(on, arms)| Statement::Switch { on, arms }),
            3 => (any::<bool>(), block.clone())
                .prop_map(|(at_once, body)| Statement::Loop { at_once, body }),
            2 => (any::<[u8; 4]>(), block.clone(), block.clone())
                .prop_map(|(picks, body, rest)| Statement::Carry { picks, body, rest }),
            1 => (block.clone(), block)
                .prop_map(|(clean_up, body)| Statement::Guarded { clean_up, body }),
        ]
    });
    proptest::collection::vec(one, 1..12)
}

/// The parameters, after the place of the result.
const PARAMS: [TyId; 8] = [INT, INT, CHOICE, PAIR, TO_INT, TO_INT, FLOW, NEST];
const RESULTS: [TyId; 4] = [INT, CHOICE, PAIR, DISCRIMINANT];
const FLAGGED: u32 = 3;

/// The function of some statements; `result` chooses its type.
pub fn function(result: u8, statements: &[Statement]) -> Function {
    let result = RESULTS[result as usize % RESULTS.len()];
    let mut writer = Writer {
        locals: [result].into_iter().chain(PARAMS).collect(),
        edges: vec![],
        locations: 2,
        assigned: (0..=PARAMS.len()).map(|local| local != 0).collect(),
        loops: vec![],
        unwind: vec![],
        aborts: None,
        first_flagged: 0,
    };
    let end = writer.start(Cfa::ENTRY).and_then(|at| writer.block(at, statements));
    if let Some(at) = end {
        writer.leave(at, None);
    }
    let Writer { locals, mut edges, locations, .. } = writer;
    let renumbered = |location: &mut Location| {
        if *location == LAST {
            *location = Location(locations);
        }
    };
    edges.iter_mut().for_each(|edge| renumbered(&mut edge.to));
    let body = Body::Cfa(Cfa { locations: locations + 1, edges });
    with_body(PARAMS.len() as u32, &locals, body)
}

/// Stands for the final location while their number is not known.
const LAST: Location = Location(1);

struct Around {
    header: Location,
    after: Location,
    unwinding: usize,
    /// What is assigned wherever the loop is left; none as long as it is not.
    assigned_after: Option<Vec<bool>>,
}

struct Writer {
    locals: Vec<TyId>,
    edges: Vec<Edge>,
    locations: u32,
    /// Which locals are assigned on all ways to the statement that is written next.
    assigned: Vec<bool>,
    loops: Vec<Around>,
    unwind: Vec<Location>,
    aborts: Option<Location>,
    /// The flagged locals, then their flags.
    first_flagged: u32,
}

/// Where to go on, if anywhere.
type Next = Option<Location>;

impl Writer {
    /// Assigns one local of each type that is not a parameter's, and the flags.
    fn start(&mut self, at: Location) -> Next {
        let (array, tagged, to_choice, marker) =
            (self.fresh(ARRAY), self.fresh(TAGGED), self.fresh(TO_CHOICE), self.fresh(MARKER));
        let (only, answer) = (self.fresh(ONLY), self.fresh(DISCRIMINANT));
        let choice = self.fresh(CHOICE);
        let mut at = self.then(at, build(array, ARRAY, 0, &[int(1), read(1), read(2)]))?;
        at = self.then(at, build(marker, MARKER, 0, &[]))?;
        at = self.then(at, build(tagged, TAGGED, 0, &[read(marker), read(1)]))?;
        at = self.then(at, build(only, ONLY, 0, &[]))?;
        at = self.then(at, set(choice, read(3)))?;
        at = self.then(at, ask(answer, place(choice)))?;
        let to = Rvalue::Ref { mutable: true, place: place(choice) };
        at = self.then(at, Op::Assign(place(to_choice), to))?;
        self.first_flagged = self.locals.len() as u32;
        self.locals.extend([INT; 2 * FLAGGED as usize]);
        self.assigned.extend([false; 2 * FLAGGED as usize]);
        for flag in 0..FLAGGED {
            let flag = self.first_flagged + FLAGGED + flag;
            at = self.then(at, set(flag, int(0)))?;
        }
        Some(at)
    }

    fn block(&mut self, at: Location, statements: &[Statement]) -> Next {
        statements.iter().try_fold(at, |at, statement| self.statement(at, statement))
    }

    fn statement(&mut self, at: Location, statement: &Statement) -> Next {
        match statement {
            Statement::Simple { kind, into, picks } => self.simple(at, *kind, *into, *picks),
            Statement::Join { picks } => self.join(at, *picks),
            Statement::Switch { on, arms } => self.switch(at, *on, arms),
            Statement::Loop { at_once, body } => {
                // A loop can start where the function does.
                let header = if *at_once { at } else { self.then(at, Op::Nop)? };
                let after = self.location();
                let unwinding = self.unwind.len();
                self.loops.push(Around { header, after, unwinding, assigned_after: None });
                if let Some(end) = self.block(header, body) {
                    self.edge(end, header, Op::Nop);
                }
                self.assigned = self.loops.pop().and_then(|around| around.assigned_after)?;
                self.assigned.resize(self.locals.len(), false);
                Some(after)
            }
            Statement::Carry { picks: [a, b, c, d], body, rest } => {
                let (carried, copy) = (self.fresh(INT), self.fresh(INT));
                let first = self.operand(INT, *a);
                let header = self.then(at, set(carried, first))?;
                let after = self.location();
                let unwinding = self.unwind.len();
                self.loops.push(Around { header, after, unwinding, assigned_after: None });
                // No other statement reads what is carried.
                self.assigned[carried as usize] = false;
                let copied = self.then(header, set(copy, read(carried)));
                let end = copied.and_then(|at| self.block(at, body)).and_then(|at| {
                    let next = self.operand(INT, *b);
                    let at = self.then(at, super::library::add(carried, next, int(1)))?;
                    self.assigned[carried as usize] = false;
                    let at = self.block(at, rest)?;
                    let told = place(self.fresh(INT));
                    let unwind = self.unwind.last().map(|it| it.0);
                    let at = match d % 2 {
                        0 => self.then(at, call(TELL, &[read(copy)], told, unwind))?,
                        _ => at,
                    };
                    let value = u128::from(c % 8);
                    let leaves = self.then(at, equals(read(copy), value))?;
                    let goes_on = self.then(at, none_of(read(copy), &[value]))?;
                    self.jump(leaves, 4, 0);
                    Some(goes_on)
                });
                if let Some(end) = end {
                    self.edge(end, header, Op::Nop);
                }
                let assigned = self.loops.pop().and_then(|around| around.assigned_after)?;
                self.restore(assigned);
                Some(after)
            }
            Statement::Leave { how, depth, when } => match when {
                None => {
                    self.jump(at, *how, *depth);
                    None
                }
                Some([of, value]) => {
                    let operand = self.operand(INT, *of);
                    let value = u128::from(value % 4);
                    let leaves = self.then(at, equals(operand.clone(), value))?;
                    let goes_on = self.then(at, none_of(operand, &[value]))?;
                    let assigned = self.assigned.clone();
                    self.jump(leaves, *how, *depth);
                    self.restore(assigned);
                    Some(goes_on)
                }
            },
            Statement::Guarded { clean_up, body } => {
                let start = self.location();
                let assigned = self.assigned.clone();
                let loops = std::mem::take(&mut self.loops);
                let aborts = self.aborts();
                let outer = self.unwind.last().copied();
                self.unwind.push(aborts);
                let mut at_end = Some(start);
                for inner in clean_up {
                    // What clean-up does is to drop: it does not leave.
                    if let (Some(at), Statement::Simple { .. }) = (at_end, inner) {
                        at_end = self.statement(at, inner);
                    }
                }
                self.unwind.pop();
                match (at_end, outer) {
                    (Some(end), Some(outer)) => self.edge(end, outer, Op::Nop),
                    (Some(end), None) => self.edge(end, LAST, Op::Resume),
                    (None, _) => {}
                }
                self.restore(assigned);
                self.loops = loops;
                self.unwind.push(start);
                let next = self.block(at, body);
                self.unwind.pop();
                next
            }
        }
    }

    fn simple(&mut self, at: Location, kind: u8, into: u8, picks: [u8; 4]) -> Next {
        let [a, b, c, d] = picks;
        match kind {
            0..6 => {
                let types = [INT, INT, INT, CHOICE, FLOW, PAIR, NEST, TO_INT, TAGGED, MARKER];
                let ty = types[a as usize % types.len()];
                let value = self.operand(ty, b);
                self.assign(at, ty, into, Rvalue::Use(value))
            }
            6..9 => {
                let ops =
                    [BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor, BinaryOp::Lt, BinaryOp::Eq];
                let (left, right) = (self.operand(INT, b), self.operand(INT, c));
                let op = ops[a as usize % ops.len()];
                self.assign(at, INT, into, Rvalue::Binary(op, left, right))
            }
            9..12 => {
                let all: [(TyId, u32, &[TyId]); 12] = [
                    (CHOICE, 0, &[INT]),
                    (CHOICE, 1, &[INT, INT]),
                    (CHOICE, 2, &[]),
                    (PAIR, 0, &[INT, INT]),
                    (FLOW, 0, &[INT]),
                    (FLOW, 1, &[CHOICE]),
                    (NEST, 0, &[]),
                    (NEST, 1, &[PAIR, CHOICE]),
                    (ARRAY, 0, &[INT, INT, INT]),
                    (TAGGED, 0, &[MARKER, INT]),
                    (MARKER, 0, &[]),
                    (ONLY, 0, &[]),
                ];
                let (ty, variant, fields) = all[a as usize % all.len()];
                let fields = fields.iter().zip([b, c, d]);
                let fields = fields.map(|(&ty, pick)| self.operand(ty, pick)).collect();
                self.assign(at, ty, into, Rvalue::Aggregate { ty, variant, fields })
            }
            12 | 13 => {
                let ty = [CHOICE, FLOW, NEST, ONLY][a as usize % 4];
                let of = self.place(ty, b);
                let answer = self.answer(c);
                let at = self.then(at, ask(answer, of))?;
                let cast = Rvalue::Cast(CastKind::IntToInt, read(answer), INT);
                self.assign(at, INT, into, cast)
            }
            14 => {
                let (ty, variants) = [(CHOICE, 3), (FLOW, 2), (NEST, 2)][a as usize % 3];
                let of = self.place(ty, b);
                self.then(at, Op::SetDiscriminant(of, u32::from(c) % variants))
            }
            15 | 16 => {
                let (ty, to) = [(TO_INT, INT), (TO_INT, INT), (TO_CHOICE, CHOICE)][a as usize % 3];
                let of = self.place(to, b);
                let value = match c % 2 {
                    0 => Rvalue::Ref { mutable: true, place: of },
                    _ => Rvalue::RawPtr { mutable: true, place: of },
                };
                self.assign(at, ty, into, value)
            }
            17 => {
                let (kind, ty) = [
                    (CastKind::IntToInt, INT),
                    (CastKind::PtrToPtr, TO_INT),
                    (CastKind::Transmute, PAIR),
                ][a as usize % 3];
                let value = self.operand(ty, b);
                self.assign(at, ty, into, Rvalue::Cast(kind, value, ty))
            }
            18..22 => {
                let callee = FnId(u32::from(a) % CALLEES);
                let (params, result) = signature(callee);
                let args = params.iter().zip([b, c]);
                let args = args.map(|(&ty, pick)| self.operand(ty, pick)).collect();
                let before = self.assigned.clone();
                let (result, whole) = self.target(result, into);
                let unwind = self.unwind.last().copied().filter(|_| d % 8 != 0);
                let callee = crate::cfa::Callee::Function(callee);
                self.restore(before);
                let next = self.then(at, Op::Call(Call { callee, args, result, unwind }))?;
                if let Some(local) = whole {
                    self.assigned[local as usize] = true;
                }
                Some(next)
            }
            22 => {
                let flagged = self.first_flagged + u32::from(a) % FLAGGED;
                let value = self.operand(INT, b);
                let at = self.then(at, set(flagged, value))?;
                // Flagged locals are for no other statement.
                self.assigned[flagged as usize] = false;
                let next = self.then(at, set(flagged + FLAGGED, int(1)))?;
                self.assigned[(flagged + FLAGGED) as usize] = false;
                Some(next)
            }
            _ => {
                let flagged = self.first_flagged + u32::from(a) % FLAGGED;
                let flag = read(flagged + FLAGGED);
                let is_set = self.then(at, equals(flag.clone(), 1))?;
                let is_not = self.then(at, none_of(flag, &[1]))?;
                let result = place(self.fresh(INT));
                let unwind = self.unwind.last().map(|it| it.0);
                let end = self.then(is_set, call(TELL, &[read(flagged)], result, unwind))?;
                self.edge(end, is_not, Op::Nop);
                Some(is_not)
            }
        }
    }

    fn join(&mut self, at: Location, [a, b, c, d]: [u8; 4]) -> Next {
        let (flow, answer) = (self.fresh(FLOW), self.answer(a));
        let (on, some, other) =
            (self.operand(INT, a), self.operand(INT, b), self.operand(CHOICE, c));
        let value = u128::from(d % 4);
        let go_on = self.then(at, equals(on.clone(), value))?;
        let give_up = self.then(at, none_of(on, &[value]))?;
        let meet = self.location();
        self.edge(go_on, meet, build(flow, FLOW, 0, &[some]));
        self.edge(give_up, meet, build(flow, FLOW, 1, &[other]));
        self.assigned[flow as usize] = true;
        let asked = self.then(meet, ask(answer, place(flow)))?;
        let goes_on = self.then(asked, equals(read(answer), 0))?;
        let gives_up = self.then(asked, equals(read(answer), 1))?;
        let never = self.then(asked, none_of(read(answer), &[0, 1]))?;
        self.edge(never, LAST, Op::Unreachable);
        let field = |variant| {
            let projections = vec![Projection::Variant(variant), Projection::Field(0)];
            Operand::Read(Place { local: LocalId(flow), projections })
        };
        let assigned = self.assigned.clone();
        let rest = self.fresh(CHOICE);
        let end = self.then(gives_up, set(rest, field(1)))?;
        self.jump(end, d, c);
        self.restore(assigned);
        self.assign(goes_on, INT, d, Rvalue::Use(field(0)))
    }

    fn switch(&mut self, at: Location, [on, pick]: [u8; 2], arms: &[Vec<Statement>]) -> Next {
        let enums: [(TyId, &[u128]); 3] = [(CHOICE, &[0, 5, 7]), (FLOW, &[0, 1]), (NEST, &[0, 1])];
        let (at, operand, values, is_enum) = match on % 2 {
            0 => (at, self.operand(INT, pick), vec![0, 1, 2], false),
            _ => {
                let (ty, values) = enums[on as usize / 2 % 3];
                let of = self.place(ty, pick);
                let answer = self.answer(pick);
                (self.then(at, ask(answer, of))?, read(answer), values.to_vec(), true)
            }
        };
        // With fewer arms than values, several values lead to one arm.
        let starts: Vec<Location> = arms.iter().map(|_| self.location()).collect();
        for (number, &value) in values.iter().enumerate() {
            let to = starts[number % starts.len()];
            match pick % 2 {
                0 => self.edge(at, to, equals(operand.clone(), value)),
                _ => {
                    let between = self.then(at, equals(operand.clone(), value))?;
                    self.edge(between, to, Op::Nop);
                }
            }
        }
        let others = Op::Assume(Condition::NoneOf(operand, values));
        match is_enum {
            true => {
                let never = self.then(at, others)?;
                self.edge(never, LAST, Op::Unreachable);
            }
            false => self.edge(at, *starts.last().expect("there are arms"), others),
        }
        let after = self.location();
        let before = self.assigned.clone();
        let mut at_end: Option<Vec<bool>> = None;
        for (&start, arm) in starts.iter().zip(arms) {
            self.restore(before.clone());
            if let Some(end) = self.block(start, arm) {
                self.edge(end, after, Op::Nop);
                meet(&mut at_end, &self.assigned);
            }
        }
        self.restore(at_end?);
        Some(after)
    }

    fn jump(&mut self, at: Location, how: u8, depth: u8) {
        let around =
            self.loops.len().checked_sub(1 + depth as usize % 2).or(match self.loops.len() {
                0 => None,
                _ => Some(0),
            });
        let around = around.filter(|&it| self.loops[it].unwinding <= self.unwind.len());
        match (how % 8, around) {
            (0, _) => {
                let unwind = self.unwind.last().copied();
                self.edge(at, LAST, Op::Panic { unwind });
            }
            (1..4, Some(around)) => {
                let header = self.loops[around].header;
                self.edge(at, header, Op::Nop);
            }
            (4..8, Some(around)) => {
                let after = self.loops[around].after;
                self.edge(at, after, Op::Nop);
                meet(&mut self.loops[around].assigned_after, &self.assigned);
            }
            _ => self.leave(at, Some(depth)),
        }
    }

    /// Returns; without a result, or by chance, something is assigned to it first.
    fn leave(&mut self, at: Location, pick: Option<u8>) {
        let mut at = at;
        if !self.assigned[0] || pick.is_some_and(|pick| pick % 2 == 0) {
            let value = self.operand(self.locals[0], pick.unwrap_or(7));
            at = self.then(at, set(0, value)).expect("there is a way on");
        }
        self.edge(at, LAST, Op::Nop);
    }

    fn aborts(&mut self) -> Location {
        if let Some(location) = self.aborts {
            return location;
        }
        let location = self.location();
        self.edge(location, LAST, Op::Abort);
        *self.aborts.insert(location)
    }

    fn assign(&mut self, at: Location, ty: TyId, into: u8, value: Rvalue) -> Next {
        let (target, whole) = self.target(ty, into);
        let next = self.then(at, Op::Assign(target, value))?;
        if let Some(local) = whole {
            self.assigned[local as usize] = true;
        }
        Some(next)
    }

    /// Where to assign: a new local, a local of the type or an assigned place. If it is a local as a
    /// whole, it is said which.
    fn target(&mut self, ty: TyId, pick: u8) -> (Place, Option<u32>) {
        let choice = pick / 4;
        if pick % 4 >= 2 && ty != UNIT {
            let same: Vec<u32> = (0..self.locals.len() as u32)
                .filter(|&it| self.locals[it as usize] == ty && !self.is_flagged(it))
                .collect();
            let local = same.get(choice as usize % same.len().max(1)).copied();
            match local {
                Some(local) if pick % 4 == 2 => return (place(local), Some(local)),
                _ => {
                    let target = self.place(ty, choice);
                    let whole = target.as_local().map(|local| local.0);
                    return (target, whole);
                }
            }
        }
        let local = self.fresh(ty);
        (place(local), Some(local))
    }

    /// Where the answer goes which variant something is: a new local or, if it can, the result.
    fn answer(&mut self, pick: u8) -> u32 {
        match self.locals[0] {
            DISCRIMINANT if pick % 2 == 0 => 0,
            _ => self.fresh(DISCRIMINANT),
        }
    }

    fn is_flagged(&self, local: u32) -> bool {
        (self.first_flagged..self.first_flagged + 2 * FLAGGED).contains(&local)
    }

    fn operand(&mut self, ty: TyId, pick: u8) -> Operand {
        match ty {
            INT if pick < 48 => int(u128::from(pick % 4)),
            MARKER if pick < 48 => Operand::Const(Const::ZeroSized(MARKER)),
            _ => Operand::Read(self.place(ty, pick)),
        }
    }

    /// A place of the type that is assigned. There is always one.
    fn place(&mut self, ty: TyId, pick: u8) -> Place {
        use Projection::{ConstantIndex, Deref, Field, Index, Variant};
        let indices: Vec<LocalId> = (0..self.locals.len())
            .filter(|&it| {
                self.assigned[it] && self.locals[it] == INT && !self.is_flagged(it as u32)
            })
            .map(|it| LocalId(it as u32))
            .collect();
        let index = Index(indices[pick as usize / 3 % indices.len()]);
        let offset = 1 + u64::from(pick) % 2;
        let parts: &[(TyId, TyId, &[Projection])] = &[
            (PAIR, INT, &[Field(0)]),
            (PAIR, INT, &[Field(1)]),
            (TAGGED, INT, &[Field(1)]),
            (TAGGED, MARKER, &[Field(0)]),
            (ARRAY, INT, &[index]),
            (ARRAY, INT, &[ConstantIndex { offset, from_end: false }]),
            (ARRAY, INT, &[ConstantIndex { offset, from_end: true }]),
            (TO_INT, INT, &[Deref]),
            (CHOICE, INT, &[Variant(0), Field(0)]),
            (CHOICE, INT, &[Variant(1), Field(0)]),
            (CHOICE, INT, &[Variant(1), Field(1)]),
            (FLOW, INT, &[Variant(0), Field(0)]),
            (FLOW, CHOICE, &[Variant(1), Field(0)]),
            (FLOW, INT, &[Variant(1), Field(0), Variant(0), Field(0)]),
            (NEST, PAIR, &[Variant(1), Field(0)]),
            (NEST, CHOICE, &[Variant(1), Field(1)]),
            (NEST, INT, &[Variant(1), Field(0), Field(1)]),
            (TO_CHOICE, CHOICE, &[Deref]),
            (TO_CHOICE, INT, &[Deref, Variant(1), Field(1)]),
        ];
        let mut found = Vec::new();
        for local in (0..self.locals.len()).filter(|&it| self.assigned[it]) {
            if self.is_flagged(local as u32) {
                continue;
            }
            let of = |projections: &[Projection]| Place {
                local: LocalId(local as u32),
                projections: projections.to_vec(),
            };
            if self.locals[local] == ty {
                // Whole locals are what most code is about.
                found.extend(std::iter::repeat_n(of(&[]), 3));
            }
            let parts = parts.iter().filter(|part| part.0 == self.locals[local] && part.1 == ty);
            found.extend(parts.map(|part| of(part.2)));
        }
        // The newest first, so that small picks are about what was just made.
        found.reverse();
        found[pick as usize % found.len()].clone()
    }

    fn fresh(&mut self, ty: TyId) -> u32 {
        self.locals.push(ty);
        self.assigned.push(false);
        self.locals.len() as u32 - 1
    }

    fn restore(&mut self, assigned: Vec<bool>) {
        self.assigned = assigned;
        self.assigned.resize(self.locals.len(), false);
    }

    fn location(&mut self) -> Location {
        self.locations += 1;
        Location(self.locations - 1)
    }

    fn then(&mut self, from: Location, op: Op) -> Next {
        let to = self.location();
        if let Op::Assign(place, _) = &op
            && let Some(local) = place.as_local()
        {
            self.assigned[local.index()] = true;
        }
        self.edge(from, to, op);
        Some(to)
    }

    fn edge(&mut self, from: Location, to: Location, op: Op) {
        self.edges.push(Edge { from, to, op, span: Span::UNKNOWN });
    }
}

fn read(local: u32) -> Operand {
    super::library::read(local)
}

/// What is assigned where another path joins.
fn meet(so_far: &mut Option<Vec<bool>>, path: &[bool]) {
    match so_far {
        None => *so_far = Some(path.to_vec()),
        Some(all) => {
            all.iter_mut().zip(path).for_each(|(all, path)| *all &= path);
        }
    }
}
