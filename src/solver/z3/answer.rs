//! One question: said, asked, and the answer read.

use std::{collections::HashMap, time::Duration};

use cargo_cse::bits::mask;
use cargo_cse::reason::NoAnswer;
use cargo_cse::solver::{
    Term, Var,
    query::{Encoding, Query, Reply, Request},
};
use z3::{
    Model, Params, SatResult, Solver,
    ast::{Ast, BV, Bool, Dynamic, Int},
};

use super::{bits, horn, integers};

pub fn answer(request: &Request) -> Reply {
    match request {
        Request::Check { encoding, query, limit } => {
            let encoded = match encoding {
                Encoding::Bits => bits::encode(&query.dag),
                Encoding::Integers => integers::encode(&query.dag),
            };
            solve(query, encoded, *limit)
        }
        Request::Horn { query, limit } => horn::solve(query, *limit),
    }
}

/// What a variable is to Z3.
pub enum Z3Value {
    Bool(Bool),
    Bits(BV),
    /// The value, or the value below zero that wraps to it, in so many bits.
    Number(Int, u32),
    EffectState(Dynamic),
}

/// A query's terms, said in one of the encodings.
pub struct Encoded {
    /// Each truth value among the terms.
    pub truths: HashMap<Term, Bool>,
    /// What the variables and functions are restricted to by their sort.
    pub ranges: Vec<Bool>,
    pub variables: Vec<(Var, Z3Value)>,
}

fn solve(query: &Query, encoded: Result<Encoded, NoAnswer>, limit: Duration) -> Reply {
    let encoded = match encoded {
        Ok(encoded) => encoded,
        Err(why) => return Reply::Unknown(why),
    };
    let solver = Solver::new();
    solver.set_params(&time_limit(limit));
    encoded.ranges.iter().for_each(|range| solver.assert(range));
    query.asserted.iter().for_each(|term| solver.assert(&encoded.truths[term]));
    match solver.check() {
        SatResult::Unsat => Reply::Unsat,
        SatResult::Unknown => {
            let words = solver.get_reason_unknown().filter(|words| !words.is_empty());
            Reply::Unknown(words.map_or(NoAnswer::GaveUp, |words| unknown(&words)))
        }
        SatResult::Sat => match solver.get_model().and_then(|model| values(&model, &encoded)) {
            Some(values) => Reply::Sat(values),
            None => Reply::Unknown(NoAnswer::NoModel),
        },
    }
}

/// What Z3's own words for having no answer mean. They are no promise of Z3's: whatever is not known
/// here is kept as it is.
pub fn unknown(words: &str) -> NoAnswer {
    match words {
        "timeout" => NoAnswer::TimedOut,
        "canceled" => NoAnswer::Canceled,
        _ => NoAnswer::Unknown { words: words.into(), out_of_memory: speaks_of_memory(words) },
    }
}

/// Whether words of Z3, or of the code around it, are about a lack of memory. Errs towards yes.
pub fn speaks_of_memory(words: &str) -> bool {
    words.contains("memory")
}

pub fn time_limit(limit: Duration) -> Params {
    let mut params = Params::new();
    let milliseconds = u32::try_from(limit.as_millis()).unwrap_or(u32::MAX - 1);
    // Zero would be no limit.
    params.set_u32("timeout", milliseconds.max(1));
    params
}

fn values(model: &Model, encoded: &Encoded) -> Option<Vec<(Var, u128)>> {
    let mut worlds: Vec<Dynamic> = Vec::new();
    let mut values = Vec::new();
    for (var, known) in &encoded.variables {
        let value = match known {
            Z3Value::Bool(known) => model.eval(known, true)?.as_bool()?.into(),
            Z3Value::Bits(known) => bits_value(model, known)?,
            Z3Value::Number(known, width) => {
                let value = model.eval(known, true)?;
                let value = value.as_u128().or_else(|| value.as_i128().map(|value| value as u128));
                value? & mask(*width)
            }
            Z3Value::EffectState(known) => {
                let effect_state = model.eval(known, true)?;
                let index = worlds.iter().position(|other| *other == effect_state);
                index.unwrap_or_else(|| {
                    worlds.push(effect_state);
                    worlds.len() - 1
                }) as u128
            }
        };
        values.push((*var, value));
    }
    Some(values)
}

/// In halves, since a numeral is read in 64 bits.
fn bits_value(model: &Model, known: &BV) -> Option<u128> {
    let width = known.get_size();
    let half = |high: u32, low: u32| {
        let value = model.eval(&known.extract(high, low), true)?.simplify().as_u64()?;
        Some(u128::from(value))
    };
    if width <= 64 {
        return half(width - 1, 0);
    }
    Some(half(width - 1, 64)? << 64 | half(63, 0)?)
}
