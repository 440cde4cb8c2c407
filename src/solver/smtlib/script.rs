//! What stands around the terms of a question.

use super::functions::Functions;
use super::writer::{Item, Scope, Writer, call, implication};
use crate::solver::{
    Node, Sort, Term,
    query::{Application, Dag, HornClause, HornQuery, Query},
};

/// What a script says is its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Sat,
    Unsat,
    Unknown,
}

impl Status {
    /// In the standard's words.
    pub fn name(self) -> &'static str {
        match self {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown => "unknown",
        }
    }
}

/// Asks whether all that a query asserts can be true. Each of `comments` is a line at the top.
pub fn check(query: &Query, status: Status, comments: &[String]) -> String {
    let dag = &query.dag;
    let mut functions = Functions::default();
    let writer = Writer::write(dag, &mut functions, Scope::Script, &query.asserted);
    let mut commands = Vec::new();
    for item in &writer.items {
        commands.push(match item {
            Item::Unknown { name, sort } => {
                format!("(declare-const {name} {})", sort_name(*sort, WORLD))
            }
            Item::Function { name, parameters, result } => {
                let result = sort_name(*result, WORLD);
                format!("(declare-fun {name} {} {result})", sort_names(parameters, WORLD))
            }
            Item::Definition { name, sort, text, .. } => {
                format!("(define-fun {name} () {} {text})", sort_name(*sort, WORLD))
            }
            Item::Constraint(text) => format!("(assert {text})"),
        });
    }
    let asserted = query.asserted.iter().map(|term| format!("(assert {})", writer.text(*term)));
    commands.extend(asserted);
    let mut all = vec![format!("(set-logic {})", logic(dag))];
    if dag.sorts.contains(&Sort::EffectState) {
        all.push(format!("(declare-sort {WORLD} 0)"));
    }
    all.extend(functions.definitions().map(str::to_owned));
    all.append(&mut commands);
    script(status, comments, all)
}

/// Asks whether there are relations that make all clauses of a system true: if so, it is safe. Each of
/// `comments` is a line at the top.
///
/// The terms keep their meaning. The solver is asked over integers, where more is possible: see
/// [`HornAnswer`](crate::solver::HornAnswer).
pub fn horn(query: &HornQuery, status: Status, comments: &[String]) -> String {
    let mut functions = Functions::default();
    let clauses: Vec<String> =
        query.clauses.iter().map(|it| clause(&query.dag, it, &mut functions)).collect();
    let mut commands = vec!["(set-logic HORN)".to_owned()];
    for (number, sorts) in query.predicates.iter().enumerate() {
        let sorts = sort_names(sorts, WORLD_IN_CLAUSES);
        commands.push(format!("(declare-fun {} {sorts} Bool)", predicate(number)));
    }
    commands.extend(functions.definitions().map(str::to_owned));
    commands.extend(clauses);
    script(status, comments, commands)
}

/// The sort of effect states, of which nothing is known but equality.
const WORLD: &str = "EffectState";

/// In Horn clauses there are no sorts to declare, and any that has enough values does as well.
const WORLD_IN_CLAUSES: &str = "Int";

fn script(status: Status, comments: &[String], commands: Vec<String>) -> String {
    // Whatever they say, they end with their line.
    let comments = comments.iter().map(|it| format!("; {}\n", it.replace(['\n', '\r'], " ")));
    let mut text: String = comments.collect();
    text += "(set-info :smt-lib-version 2.6)\n";
    text += &format!("(set-info :status {})\n", status.name());
    for command in commands {
        text += &command;
        text.push('\n');
    }
    text + "(check-sat)\n(exit)\n"
}

fn clause(dag: &Dag, clause: &HornClause, functions: &mut Functions) -> String {
    let applications = clause.body.iter().chain(&clause.head);
    let arguments = applications.flat_map(|(_, arguments)| arguments.iter().copied());
    let roots: Vec<Term> = arguments.chain([clause.constraint]).collect();
    let writer = Writer::write(dag, functions, Scope::Clause, &roots);
    let applied = |(number, arguments): &Application| {
        let arguments = arguments.iter().map(|term| writer.text(*term));
        call(&predicate(*number as usize), arguments)
    };
    let mut unknowns = Vec::new();
    let mut levels: Vec<Vec<String>> = Vec::new();
    let mut body: Vec<String> = clause.body.iter().map(applied).collect();
    for item in &writer.items {
        match item {
            Item::Unknown { name, sort } => {
                unknowns.push(format!("({name} {})", sort_name(*sort, WORLD_IN_CLAUSES)));
            }
            Item::Definition { name, text, level, .. } => {
                levels.resize_with(levels.len().max(*level), Vec::new);
                levels[level - 1].push(format!("({name} {text})"));
            }
            Item::Constraint(text) => body.push(text.clone()),
            Item::Function { .. } => unreachable!("a clause has no functions"),
        }
    }
    if !matches!(dag.node(clause.constraint), Node::Bool(true)) {
        body.push(writer.text(clause.constraint).to_owned());
    }
    let head = clause.head.as_ref().map_or_else(|| "false".to_owned(), applied);
    let mut text = implication(&body, &head);
    for level in levels.iter().rev() {
        text = format!("(let ({})\n  {text})", level.join(" "));
    }
    if !unknowns.is_empty() {
        text = format!("(forall ({})\n  {text})", unknowns.join(" "));
    }
    format!("(assert {text})")
}

fn predicate(number: usize) -> String {
    format!("p{number}")
}

fn sort_name(sort: Sort, effect_state: &str) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::EffectState => effect_state.to_owned(),
    }
}

fn sort_names(sorts: &[Sort], effect_state: &str) -> String {
    let names: Vec<String> = sorts.iter().map(|sort| sort_name(*sort, effect_state)).collect();
    format!("({})", names.join(" "))
}

/// The smallest logic that has all terms.
fn logic(dag: &Dag) -> String {
    let (mut functions, mut bits, mut floats) = (false, false, false);
    for (node, sort) in dag.nodes.iter().zip(&dag.sorts) {
        functions |= matches!(node, Node::Apply(..)) || *sort == Sort::EffectState;
        bits |= matches!(sort, Sort::Bits(_));
        floats |= node.is_about_floats();
    }
    let parts = [(functions || !bits, "UF"), (bits, "BV"), (floats, "FP")];
    let parts = parts.iter().filter(|(is_used, _)| *is_used).map(|(_, name)| *name);
    format!("QF_{}", parts.collect::<String>())
}

#[cfg(test)]
mod tests {
    use snapbox::{assert_data_eq, str};

    use super::*;
    use crate::solver::{BitsOp, Clause, FloatOp, HornSystem, OverflowOp, Predicate, Terms};

    #[test]
    fn a_question_reads_like_its_terms() {
        let mut t = Terms::new();
        let [x, y] = [(); 2].map(|()| t.var(Sort::Bits(32)));
        let sum = t.float(FloatOp::Add, x, y);
        let differs = t.eq(sum, x);
        let differs = t.not(differs);
        let overflows = t.overflows(OverflowOp::Add, false, x, y);
        let query = Query::of(&t, &[differs, overflows]);
        assert_data_eq!(
            check(&query, Status::Sat, &["two\nlines".to_owned()]),
            str![[r#"
; two lines
(set-info :smt-lib-version 2.6)
(set-info :status sat)
(set-logic QF_BVFP)
(define-fun are-bits-of-f32 ((b (_ BitVec 32)) (x (_ FloatingPoint 8 24))) Bool
  (and (= ((_ to_fp 8 24) b) x) (=> (fp.isNaN x) (= b #x7fc00000))))
(define-fun add-overflows-u32 ((x (_ BitVec 32)) (y (_ BitVec 32))) Bool
  (let ((exact (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y)))) (distinct exact ((_ zero_extend 1) ((_ extract 31 0) exact)))))
(declare-const x0 (_ BitVec 32))
(declare-const x1 (_ BitVec 32))
(declare-const b2 (_ BitVec 32))
(assert (are-bits-of-f32 b2 (fp.add RNE ((_ to_fp 8 24) x0) ((_ to_fp 8 24) x1))))
(assert (not (= x0 b2)))
(assert (add-overflows-u32 x0 x1))
(check-sat)
(exit)

"#]]
        );
    }

    #[test]
    fn uninterpreted_calls_in_a_clause_agree_where_their_arguments_do() {
        let mut t = Terms::new();
        let [x, y] = [(); 2].map(|()| t.var(Sort::Bits(8)));
        let effect_state = t.var(Sort::EffectState);
        let f = t.symbol(Sort::Bits(8));
        let [one, two] = [x, y].map(|it| t.apply(f, [effect_state, it]));
        let shared = t.binary(BitsOp::Mul, one, two);
        let constraint = t.eq(shared, x);
        let state = (Predicate(0), vec![x, effect_state]);
        let next = (Predicate(0), vec![shared, effect_state]);
        let clauses = vec![
            Clause { body: vec![state.clone()], constraint, head: Some(next) },
            Clause { body: vec![state], constraint: t.bool(true), head: None },
        ];
        let predicates = vec![vec![Sort::Bits(8), Sort::EffectState]];
        let system = HornSystem { predicates, clauses, ..HornSystem::default() };
        assert_data_eq!(
            horn(&HornQuery::of(&t, &system), Status::Unknown, &[]),
            str![[r#"
(set-info :smt-lib-version 2.6)
(set-info :status unknown)
(set-logic HORN)
(declare-fun p0 ((_ BitVec 8) Int) Bool)
(assert (forall ((x0 (_ BitVec 8)) (x1 (_ BitVec 8)) (x2 Int) (f0-3 (_ BitVec 8)) (f0-4 (_ BitVec 8)))
  (let ((t5 (bvmul f0-3 f0-4)))
  (=> (and (p0 x0 x2) (=> (and (= x2 x2) (= x0 x1)) (= f0-3 f0-4)) (= x0 t5)) (p0 t5 x2)))))
(assert (forall ((x0 (_ BitVec 8)) (x2 Int))
  (=> (p0 x0 x2) false)))
(check-sat)
(exit)

"#]]
        );
    }
}
