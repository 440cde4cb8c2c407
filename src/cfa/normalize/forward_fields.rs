//! Reads a field of a value that was just put together from what it was put together from.

use super::cfa_mut;
use super::locals::constants;
use crate::cfa::{Function, Op, Operand, Place, Projection, Rvalue};

pub fn run(function: &mut Function) {
    let constant = constants(function);
    let mut built: Vec<Option<(u32, Vec<Operand>)>> = vec![None; function.locals.len()];
    for edge in &cfa_mut(function).edges {
        let Op::Assign(place, Rvalue::Aggregate { variant, fields, .. }) = &edge.op else {
            continue;
        };
        let stable = |operand: &Operand| match operand {
            Operand::Const(_) => true,
            Operand::Read(place) => {
                !place.derefs()
                    && constant[place.local.index()]
                    && place.index_locals().all(|local| constant[local.index()])
            }
        };
        if let Some(local) = place.as_local()
            && constant[local.index()]
            && fields.iter().all(stable)
        {
            built[local.index()] = Some((*variant, fields.clone()));
        }
    }
    for edge in &mut cfa_mut(function).edges {
        edge.op.operands_mut(&mut |operand| {
            // Values can be nested: each iteration takes one layer off.
            for _ in 0..built.len() {
                match forwarded(operand, &built) {
                    Some(value) => *operand = value,
                    None => break,
                }
            }
        });
    }
}

fn forwarded(operand: &Operand, built: &[Option<(u32, Vec<Operand>)>]) -> Option<Operand> {
    let Operand::Read(Place { local, projections }) = operand else { return None };
    let (variant, fields) = built[local.index()].as_ref()?;
    let (field, rest) = match &projections[..] {
        [Projection::Variant(asked), Projection::Field(field), rest @ ..] if asked == variant => {
            (*field, rest)
        }
        [Projection::Field(field), rest @ ..] if *variant == 0 => (*field, rest),
        _ => return None,
    };
    match (fields.get(field as usize)?, rest) {
        (value, []) => Some(value.clone()),
        (Operand::Read(place), rest) => {
            let mut place = place.clone();
            place.projections.extend(rest.iter().cloned());
            Some(Operand::Read(place))
        }
        (Operand::Const(_), _) => None,
    }
}
