//! From the flat inputs of the engines to arguments.

use super::value::Concrete;
use crate::cfa::{Entry, EntryTarget, Program, TyId};
use crate::sym::{Kind, Shapes};

/// The arguments that flat inputs stand for, in the order in which [`Shapes::any`] asks for parts.
/// None if the entry point is no function, or takes what engines do not make.
pub fn arguments(program: &Program, entry: &Entry, inputs: &[u128]) -> Option<Vec<Concrete>> {
    let EntryTarget::Function(id) = entry.target else { return None };
    let function = program.function(id);
    let shapes = Shapes::new(program);
    let mut words = inputs.iter().copied();
    let params = &function.locals[1..=function.params as usize];
    params.iter().map(|local| concrete(&shapes, local.ty, &mut words)).collect()
}

fn concrete(shapes: &Shapes, ty: TyId, words: &mut impl Iterator<Item = u128>) -> Option<Concrete> {
    let mut all = |types: &[TyId]| -> Option<Vec<Concrete>> {
        types.iter().map(|&it| concrete(shapes, it, &mut *words)).collect()
    };
    Some(match shapes.kind(ty) {
        Kind::Scalar(_) => Concrete::Bits { bits: words.next()?, ty },
        Kind::Fields(parts) => Concrete::Fields { ty, fields: all(&parts)? },
        Kind::Array(element, length) => {
            Concrete::Fields { ty, fields: all(&vec![element; length as usize])? }
        }
        Kind::Variants(variants) => {
            let variant = words.next()? as usize;
            let mut chosen = None;
            // The words of all variants are there; those of the others have no meaning.
            for (number, it) in variants.iter().enumerate() {
                let types = it.fields.iter().map(|field| field.ty);
                let types: Vec<_> = types.filter(|&ty| !shapes.is_empty_type(ty)).collect();
                let fields: Option<Vec<Concrete>> =
                    types.iter().map(|&it| concrete(shapes, it, &mut *words)).collect();
                if number == variant {
                    chosen = fields;
                }
            }
            Concrete::Variant { ty, variant: variant as u32, fields: chosen? }
        }
        Kind::Reference { to, mutable } => {
            let to = Box::new(concrete(shapes, to, words)?);
            Concrete::Reference { ty, mutable, to }
        }
        Kind::Other(_) => return None,
    })
}
