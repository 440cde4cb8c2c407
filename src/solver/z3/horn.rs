//! Horn clauses over integers, for Spacer.
//!
//! What linear arithmetic cannot say in a clause becomes any value of its sort that is the same where
//! the operands are, and for which a few obvious facts hold. The clauses then allow more than the
//! program does: safe stays safe, and unsafe is a hint.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use cargo_cse::solver::{
    BitsOp, Node, OverflowOp, Sort, Term,
    query::{Dag, HornClause, HornQuery, Reply},
};
use z3::{
    Fixedpoint, FuncDecl, SatResult,
    ast::{Ast, Bool, Dynamic, forall_const},
};

use super::{
    answer::{time_limit, unknown},
    integers::{Integers, Value, votes},
    numbers::integer,
};

/// So many pairs of unknown results are related to each other in one clause.
const PAIRS: usize = 500;

/// How often the clauses are gone through for how their predicates' arguments are used.
const ROUNDS: usize = 3;

pub fn solve(query: &HornQuery, limit: Duration) -> Reply {
    let fixedpoint = Fixedpoint::new();
    let mut params = time_limit(limit);
    params.set_symbol("engine", "spacer");
    fixedpoint.set_params(&params);
    let system = System::new(query);
    system.predicates.iter().for_each(|predicate| fixedpoint.register_relation(predicate));
    fixedpoint.register_relation(&system.failure);
    for clause in &query.clauses {
        fixedpoint.add_rule(&system.rule(clause), None);
    }
    match fixedpoint.query(&system.failure.apply(&[])) {
        SatResult::Unsat => Reply::Unsat,
        SatResult::Sat => Reply::Sat(Vec::new()),
        SatResult::Unknown => Reply::Unknown(unknown(&fixedpoint.get_reason_unknown())),
    }
}

struct System<'q> {
    query: &'q HornQuery,
    predicates: Vec<FuncDecl>,
    /// Holds if a clause without a head is violated.
    failure: FuncDecl,
    /// Which arguments of each predicate are passed as signed numbers.
    signed: Vec<Vec<bool>>,
    exact: HashMap<Term, bool>,
}

impl<'q> System<'q> {
    fn new(query: &'q HornQuery) -> System<'q> {
        let bool = z3::Sort::bool();
        let predicate = |(number, sorts): (usize, &Vec<Sort>)| {
            let sorts: Vec<z3::Sort> = sorts.iter().map(|sort| sort_of(*sort)).collect();
            FuncDecl::new(format!("p{number}"), &sorts.iter().collect::<Vec<_>>(), &bool)
        };
        System {
            query,
            predicates: query.predicates.iter().enumerate().map(predicate).collect(),
            failure: FuncDecl::new("failure", &[], &bool),
            signed: signed_arguments(query),
            exact: query.exact.iter().copied().collect(),
        }
    }

    fn rule(&self, clause: &HornClause) -> Bool {
        let dag = &self.query.dag;
        let reached = reached(dag, clause);
        let votes = self.votes(clause, &reached);
        let mut integers = Integers::new(dag, votes);
        integers.exact = self.exact.clone();
        // Equality is all that is asked of the effect state, and any integers are as good for that.
        integers.effect_state = z3::Sort::int();
        let mut unknown = Vec::new();
        for term in &reached {
            if is_unknown(dag, *term) {
                let value = integers.fresh(*term, "u");
                integers.values.insert(*term, value);
                unknown.push(*term);
            } else {
                integers.define(*term);
            }
        }
        let mut body = congruences(dag, &integers, &unknown);
        body.extend(unknown.iter().flat_map(|term| facts(dag, &integers, *term)));
        body.append(&mut integers.ranges);
        body.push(integers.bool(clause.constraint).clone());
        for (predicate, arguments) in &clause.body {
            body.push(self.apply(&integers, *predicate, arguments));
        }
        let head = match &clause.head {
            Some((predicate, arguments)) => self.apply(&integers, *predicate, arguments),
            None => self.failure.apply(&[]).as_bool().expect("is a truth value"),
        };
        let rule = Bool::and(&body).implies(head);
        let bound: Vec<&dyn Ast> =
            integers.unknowns.iter().map(|unknown| unknown as &dyn Ast).collect();
        if bound.is_empty() { rule } else { forall_const(&bound, &[], &rule) }
    }

    fn apply(&self, integers: &Integers, predicate: u32, arguments: &[Term]) -> Bool {
        let predicate = predicate as usize;
        let arguments: Vec<Dynamic> = (arguments.iter().zip(&self.signed[predicate]))
            .map(|(argument, signed)| match &integers.values[argument] {
                Value::Bool(value) => value.into(),
                Value::Bits(number) => number.form(*signed).into(),
                Value::EffectState(value) => value.clone(),
            })
            .collect();
        let arguments: Vec<&dyn Ast> =
            arguments.iter().map(|argument| argument as &dyn Ast).collect();
        self.predicates[predicate].apply(&arguments).as_bool().expect("is a truth value")
    }

    /// How the clause's terms are used, with their use by the predicates, which outweighs the rest:
    /// a loop's variable should not change its form in every round.
    fn votes(&self, clause: &HornClause, reached: &BTreeSet<Term>) -> HashMap<Term, i32> {
        let mut outside: HashMap<Term, i32> = HashMap::new();
        for (predicate, arguments) in clause.body.iter().chain(&clause.head) {
            for (argument, signed) in arguments.iter().zip(&self.signed[*predicate as usize]) {
                *outside.entry(*argument).or_default() += if *signed { 100 } else { -100 };
            }
        }
        votes(&self.query.dag, reached.iter().copied(), |term| {
            outside.get(&term).copied().unwrap_or(0)
        })
    }
}

/// An argument is passed as it is mostly used, in all clauses together.
fn signed_arguments(query: &HornQuery) -> Vec<Vec<bool>> {
    let mut uses: Vec<Vec<i32>> =
        query.predicates.iter().map(|sorts| vec![0; sorts.len()]).collect();
    for _ in 0..ROUNDS {
        let mut next = uses.clone();
        for clause in &query.clauses {
            let arguments = || {
                (clause.body.iter().chain(&clause.head)).flat_map(|(predicate, arguments)| {
                    let places = arguments.iter().enumerate();
                    places.map(|(place, term)| (*predicate as usize, place, *term))
                })
            };
            let mut outside: HashMap<Term, i32> = HashMap::new();
            for (predicate, place, term) in arguments() {
                *outside.entry(term).or_default() += uses[predicate][place].signum();
            }
            let reached = reached(&query.dag, clause);
            let votes = votes(&query.dag, reached.into_iter(), |term| {
                outside.get(&term).copied().unwrap_or(0)
            });
            for (predicate, place, term) in arguments() {
                next[predicate][place] += votes[&term].signum();
            }
        }
        uses = next;
    }
    uses.into_iter().map(|uses| uses.into_iter().map(|uses| uses > 0).collect()).collect()
}

fn reached(dag: &Dag, clause: &HornClause) -> BTreeSet<Term> {
    let applications = clause.body.iter().chain(&clause.head);
    let arguments = applications.flat_map(|(_, arguments)| arguments.iter().copied());
    dag.reached_by(arguments.chain([clause.constraint]))
}

fn sort_of(sort: Sort) -> z3::Sort {
    match sort {
        Sort::Bool => z3::Sort::bool(),
        Sort::Bits(_) | Sort::EffectState => z3::Sort::int(),
    }
}

/// Is the term's operator one that linear arithmetic has not?
fn is_unknown(dag: &Dag, term: Term) -> bool {
    let is_constant = |term: Term| dag.as_bits(term).is_some();
    match *dag.node(term) {
        Node::Apply(..) => true,
        Node::Binary(BitsOp::Mul, left, right)
        | Node::Overflows { op: OverflowOp::Mul, left, right, .. } => {
            !is_constant(left) && !is_constant(right)
        }
        Node::Binary(BitsOp::UDiv | BitsOp::URem | BitsOp::SDiv | BitsOp::SRem, _, divisor) => {
            !is_constant(divisor)
        }
        _ => !dag.in_integers(term),
    }
}

/// Equal operands give equal results. Relating fewer pairs allows more.
fn congruences(dag: &Dag, integers: &Integers, unknown: &[Term]) -> Vec<Bool> {
    let mut congruences = Vec::new();
    for (index, right) in unknown.iter().enumerate() {
        for left in &unknown[..index] {
            if congruences.len() == PAIRS {
                return congruences;
            }
            let Some(operands) = same_operator(dag, *left, *right) else { continue };
            let equal: Vec<Bool> = (operands.iter())
                .filter(|(left, right)| left != right)
                .map(|(left, right)| integers.equal(*left, *right))
                .collect();
            congruences.push(Bool::and(&equal).implies(integers.equal(*left, *right)));
        }
    }
    congruences
}

/// The pairs of operands of two terms that are otherwise the same.
fn same_operator(dag: &Dag, left: Term, right: Term) -> Option<Vec<(Term, Term)>> {
    let shape = |term: Term| {
        let mut operands = Vec::new();
        let node = dag.node(term).with_operands(|operand| {
            operands.push(operand);
            left
        });
        let sorts: Vec<Sort> = operands.iter().map(|operand| dag.sort(*operand)).collect();
        (node, sorts, operands)
    };
    let (left_node, left_sorts, left_operands) = shape(left);
    let (right_node, right_sorts, right_operands) = shape(right);
    (left_node == right_node && left_sorts == right_sorts)
        .then(|| left_operands.into_iter().zip(right_operands).collect())
}

/// What holds of an unknown result whatever its operands are.
fn facts(dag: &Dag, integers: &Integers, term: Term) -> Vec<Bool> {
    let (zero, one) = (integer(0), integer(1));
    let Node::Binary(op, left, right) = *dag.node(term) else { return Vec::new() };
    let [left, right, result] = [left, right, term].map(|term| integers.number(term));
    let signed = matches!(op, BitsOp::SRem);
    let (a, b, r) = (left.form(signed), right.form(signed), result.form(signed));
    match op {
        BitsOp::URem => vec![b.eq(&zero).not().implies(r.lt(b)), r.le(a)],
        BitsOp::UDiv => vec![b.eq(&zero).not().implies(r.le(a)), b.eq(&one).implies(r.eq(a))],
        BitsOp::SRem => vec![
            b.gt(&zero).implies(Bool::and(&[r.lt(b), (-r).lt(b)])),
            a.ge(&zero).implies(Bool::and(&[r.ge(&zero), r.le(a)])),
            a.le(&zero).implies(Bool::and(&[r.le(&zero), r.ge(a)])),
        ],
        BitsOp::Mul => vec![
            Bool::or(&[a.eq(&zero), b.eq(&zero)]).implies(r.eq(&zero)),
            a.eq(&one).implies(r.eq(b)),
            b.eq(&one).implies(r.eq(a)),
        ],
        BitsOp::And => vec![r.le(a), r.le(b)],
        BitsOp::Or => vec![r.ge(a), r.ge(b)],
        BitsOp::LShr => vec![r.le(a)],
        _ => Vec::new(),
    }
}
