//! What Z3 knows nothing of but that equal is equal.

use std::collections::HashMap;

use cargo_cse::solver::{Node, Sort, Symbol, Term, query::Dag};
use z3::{
    FuncDecl,
    ast::{Ast, Dynamic},
};

/// The uninterpreted functions of a query. Applied to other sorts of arguments, one is another one.
#[derive(Default)]
pub struct Functions {
    known: HashMap<(Symbol, Vec<Sort>), FuncDecl>,
}

impl Functions {
    pub fn apply(
        &mut self,
        dag: &Dag,
        term: Term,
        arguments: &[Dynamic],
        sort_of: impl Fn(Sort) -> z3::Sort,
    ) -> Dynamic {
        let Node::Apply(symbol, operands) = dag.node(term) else {
            unreachable!("asked for an application")
        };
        let sorts: Vec<Sort> = operands.iter().map(|operand| dag.sort(*operand)).collect();
        let number = self.known.len();
        let function = self.known.entry((*symbol, sorts)).or_insert_with_key(|(_, sorts)| {
            let domain: Vec<z3::Sort> = sorts.iter().map(|sort| sort_of(*sort)).collect();
            let domain: Vec<&z3::Sort> = domain.iter().collect();
            FuncDecl::new(format!("f{number}"), &domain, &sort_of(dag.sort(term)))
        });
        let arguments: Vec<&dyn Ast> =
            arguments.iter().map(|argument| argument as &dyn Ast).collect();
        function.apply(&arguments)
    }
}

pub fn world_sort() -> z3::Sort {
    z3::Sort::uninterpreted(z3::Symbol::String("EffectState".to_owned()))
}
