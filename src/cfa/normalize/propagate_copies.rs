//! Replaces a local that is a copy of a constant, or of another local that does not change.
//!
//! Both have to be [constant](constants): then the source still has the value wherever the copy is
//! read.

use super::locals::constants;
use super::{cfa, cfa_mut};
use crate::cfa::visit::Use;
use crate::cfa::{Function, LocalId, Op, Operand, Place, Projection, Rvalue};

pub fn run(function: &mut Function) {
    let constant = constants(function);
    let mut copies: Vec<Option<Operand>> = vec![None; function.locals.len()];
    let edges: Vec<(LocalId, Operand)> = cfa(function)
        .edges
        .iter()
        .filter_map(|edge| match &edge.op {
            Op::Assign(place, Rvalue::Use(value)) => Some((place.as_local()?, value.clone())),
            _ => None,
        })
        .collect();
    for (local, value) in edges {
        // The return value is read by the caller.
        if local.0 == 0 || !constant[local.index()] {
            continue;
        }
        let stable = match &value {
            Operand::Const(_) => true,
            Operand::Read(place) => {
                !place.derefs()
                    && constant[place.local.index()]
                    && place.index_locals().all(|index| constant[index.index()])
            }
        };
        if stable {
            copies[local.index()] = Some(value);
        }
    }
    resolve_chains(&mut copies);
    for edge in &mut cfa_mut(function).edges {
        edge.op.operands_mut(&mut |operand| replace_operand(operand, &copies));
        edge.op.places_mut(&mut |place, kind| replace_place(place, kind, &copies));
    }
}

/// Copies of copies become copies of the first source.
fn resolve_chains(copies: &mut [Option<Operand>]) {
    // Sources are resolved before what is copied from them. There are no rings: a copy that is made
    // before it is read is not its own source.
    let mut met = vec![false; copies.len()];
    for start in 0..copies.len() {
        let mut stack = vec![start];
        while let Some(&at) = stack.last() {
            let Some(Operand::Read(place)) = &copies[at] else {
                stack.pop();
                continue;
            };
            let sources = place.locals().map(LocalId::index);
            let next: Vec<usize> = sources.filter(|&source| !met[source]).collect();
            if !next.is_empty() {
                next.iter().for_each(|&source| met[source] = true);
                stack.extend(next);
                continue;
            }
            stack.pop();
            let mut value = Operand::Read(place.clone());
            replace_operand(&mut value, copies);
            copies[at] = Some(value);
        }
        met[start] = true;
    }
}

fn replace_operand(operand: &mut Operand, copies: &[Option<Operand>]) {
    let Operand::Read(place) = operand else {
        return;
    };
    match &copies[place.local.index()] {
        Some(value) if place.projections.is_empty() => *operand = value.clone(),
        _ => replace_place(place, Use::Read, copies),
    }
}

fn replace_place(place: &mut Place, kind: Use, copies: &[Option<Operand>]) {
    for projection in &mut place.projections {
        if let Projection::Index(local) = projection
            && let Some(Operand::Read(source)) = &copies[local.index()]
            && let Some(source) = source.as_local()
        {
            *local = source;
        }
    }
    // A copy is written as a whole by its own assignment only.
    let reads = kind == Use::Read || !place.projections.is_empty();
    if let Some(Operand::Read(source)) = &copies[place.local.index()]
        && reads
    {
        let mut projections = source.projections.clone();
        projections.append(&mut place.projections);
        *place = Place { local: source.local, projections };
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{add_one, copy, function, local, ops};
    use super::*;

    #[test]
    fn a_copy_of_a_whole_local_is_followed() {
        let steps = vec![
            (0, 1, add_one(local(2), local(1))),
            (1, 2, copy(local(3), local(2))),
            (2, 3, add_one(local(0), local(3))),
        ];
        let mut function = function(4, 4, steps);
        function.params = 1;
        run(&mut function);
        assert_eq!(ops(&function)[2], add_one(local(0), local(2)));
    }

    #[test]
    fn a_copy_of_what_changes_later_is_not() {
        let steps = vec![
            (0, 1, add_one(local(2), local(1))),
            (1, 2, copy(local(3), local(2))),
            (2, 3, add_one(local(2), local(2))),
            (3, 4, add_one(local(0), local(3))),
        ];
        let mut function = function(4, 5, steps);
        let before = ops(&function);
        run(&mut function);
        assert_eq!(ops(&function), before);
    }
}
