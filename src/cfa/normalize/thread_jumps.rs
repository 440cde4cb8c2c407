//! Lets a path that has just built an enum's value skip the question which variant it is.
//!
//! `c = Continue(v); goto j; j: d = discriminant(c); assume d == …` goes on at the branch for
//! `Continue`. The question is skipped as a whole, so nothing but its own branches may read `d`.

use super::cfa_mut;
use super::locals::{LocalUses, uses};
use crate::cfa::{
    Cfa, Condition, Function, LocalId, Location, Op, Operand, Program, Rvalue, TypeKind,
};

pub fn run(program: &Program, function: &mut Function) {
    let uses = uses(function);
    let cfa = cfa_mut(function);
    let mut ways = WaysIn::of(cfa);
    for question in questions(cfa, &uses) {
        let mut edges = ways.edges[question.at.index()].clone();
        edges.sort_unstable();
        for index in edges {
            let Some(value) = known_variant(program, cfa, &ways, index, question.of) else {
                continue;
            };
            if let Some(to) = question.answer(cfa, value) {
                ways.edges[question.at.index()].retain(|&it| it != index);
                ways.edges[to.index()].push(index);
                cfa.edges[index].to = to;
            }
        }
    }
}

/// How control comes to each location.
struct WaysIn {
    edges: Vec<Vec<usize>>,
    /// Whether an unwinding panic comes here, or the function's caller.
    others: Vec<bool>,
}

impl WaysIn {
    fn of(cfa: &Cfa) -> WaysIn {
        let mut edges = vec![Vec::new(); cfa.locations as usize];
        let mut others = vec![false; cfa.locations as usize];
        others[Cfa::ENTRY.index()] = true;
        for (index, edge) in cfa.edges.iter().enumerate() {
            edges[edge.to.index()].push(index);
            if let Some(unwind) = edge.op.unwind() {
                others[unwind.index()] = true;
            }
        }
        WaysIn { edges, others }
    }
}

/// A location that asks for the variant of a local, and only branches on it.
struct Question {
    at: Location,
    of: LocalId,
    branches: Vec<usize>,
}

impl Question {
    fn answer(&self, cfa: &Cfa, value: u128) -> Option<Location> {
        self.branches.iter().map(|&edge| &cfa.edges[edge]).find_map(|edge| {
            let Op::Assume(condition) = &edge.op else { return None };
            let taken = match condition {
                Condition::Equals(_, other) => *other == value,
                Condition::NoneOf(_, others) => !others.contains(&value),
            };
            taken.then_some(edge.to)
        })
    }
}

fn questions(cfa: &Cfa, uses: &[LocalUses]) -> Vec<Question> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); cfa.locations as usize];
    for (index, edge) in cfa.edges.iter().enumerate() {
        out[edge.from.index()].push(index);
    }
    let mut questions = Vec::new();
    for (location, edges) in out.iter().enumerate() {
        let [only] = edges[..] else { continue };
        let Op::Assign(answer, Rvalue::Discriminant(of)) = &cfa.edges[only].op else { continue };
        let (Some(answer), Some(of)) = (answer.as_local(), of.as_local()) else { continue };
        let branches = out[cfa.edges[only].to.index()].clone();
        let asks = |&edge: &usize| match &cfa.edges[edge].op {
            Op::Assume(Condition::Equals(operand, _) | Condition::NoneOf(operand, _)) => {
                matches!(operand, Operand::Read(place) if place.as_local() == Some(answer))
            }
            _ => false,
        };
        // The return value is read by the caller.
        let only_asked_here = answer.0 != 0
            && branches.iter().all(asks)
            && uses[answer.index()].read as usize == branches.len()
            && !uses[answer.index()].addressed;
        if only_asked_here && !uses[of.index()].addressed {
            questions.push(Question { at: Location(location as u32), of, branches });
        }
    }
    questions
}

/// The discriminant that a local has after an edge, where the edge or the straight line before it
/// builds the value.
fn known_variant(
    program: &Program,
    cfa: &Cfa,
    ways: &WaysIn,
    last: usize,
    local: LocalId,
) -> Option<u128> {
    let mut index = last;
    for _ in 0..cfa.locations {
        let edge = &cfa.edges[index];
        match &edge.op {
            Op::Assign(place, Rvalue::Aggregate { ty, variant, .. })
                if place.as_local() == Some(local) =>
            {
                let TypeKind::Enum(variants) = &program.ty(*ty).kind else { return None };
                return variants.get(*variant as usize).map(|it| it.discriminant);
            }
            Op::Nop => {}
            Op::Assign(place, _) if place.local != local || place.derefs() => {}
            _ => return None,
        }
        let from = edge.from.index();
        match ways.edges[from][..] {
            [only] if !ways.others[from] => index = only,
            _ => return None,
        }
    }
    None
}
