//! From the flat inputs of the engines to arguments, and back.

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

/// The flat inputs that stand for arguments: [`arguments`] gives these for them. None if the entry
/// point is no function, or takes what engines do not make.
pub fn inputs(program: &Program, entry: &Entry, arguments: &[Concrete]) -> Option<Vec<u128>> {
    let EntryTarget::Function(id) = entry.target else { return None };
    let function = program.function(id);
    let params = &function.locals[1..=function.params as usize];
    let shapes = Shapes::new(program);
    let mut words = Vec::new();
    for (local, argument) in params.iter().zip(arguments) {
        add_words(&shapes, local.ty, Some(argument), &mut words, DEEPEST)?;
    }
    (params.len() == arguments.len()).then_some(words)
}

/// Types that contain themselves have values of any depth.
const DEEPEST: u32 = 24;

/// Adds the words of a value; where there is none, as in the variants that a value is not, they are
/// zero.
fn add_words(
    shapes: &Shapes,
    ty: TyId,
    value: Option<&Concrete>,
    words: &mut Vec<u128>,
    depth: u32,
) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    let fields = match value {
        Some(Concrete::Fields { fields, .. }) => Some(&fields[..]),
        _ => None,
    };
    match (shapes.kind(ty), value) {
        (Kind::Scalar(_), None) => words.push(0),
        (Kind::Scalar(_), Some(Concrete::Bits { bits, .. })) => words.push(*bits),
        (Kind::Fields(types), None | Some(Concrete::Fields { .. })) => {
            add_all(shapes, &types, fields, words, depth)?;
        }
        (Kind::Array(element, length), None | Some(Concrete::Fields { .. })) => {
            add_all(shapes, &vec![element; length as usize], fields, words, depth)?;
        }
        (Kind::Variants(variants), None | Some(Concrete::Variant { .. })) => {
            let chosen = match value {
                Some(Concrete::Variant { variant, fields, .. }) => Some((*variant, &fields[..])),
                _ => None,
            };
            words.push(chosen.map_or(0, |(number, _)| number.into()));
            for (number, variant) in (0..).zip(variants) {
                let types = variant.fields.iter().map(|field| field.ty);
                let types: Vec<_> = types.filter(|&ty| !shapes.is_empty_type(ty)).collect();
                let fields = chosen.filter(|(chosen, _)| *chosen == number).map(|(_, it)| it);
                add_all(shapes, &types, fields, words, depth)?;
            }
        }
        (Kind::Reference { to, .. }, None) => add_words(shapes, to, None, words, depth)?,
        (Kind::Reference { to, .. }, Some(Concrete::Reference { to: value, .. })) => {
            add_words(shapes, to, Some(value), words, depth)?;
        }
        _ => return None,
    }
    Some(())
}

fn add_all(
    shapes: &Shapes,
    types: &[TyId],
    values: Option<&[Concrete]>,
    words: &mut Vec<u128>,
    depth: u32,
) -> Option<()> {
    if values.is_some_and(|it| it.len() != types.len()) {
        return None;
    }
    types.iter().enumerate().try_for_each(|(index, &ty)| {
        add_words(shapes, ty, values.map(|it| &it[index]), words, depth)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::samples::{BOOL, U32, program, push};
    use crate::cfa::{Body, EntryKind, Field, Span, Type, TypeKind, Variant};

    /// Adds a type, and gives its number.
    fn add(program: &mut Program, kind: TypeKind) -> TyId {
        program.types.push(Type { name: String::new(), kind, layout: None, std: None });
        TyId(program.types.len() as u32 - 1)
    }

    fn variant(types: &[TyId]) -> Variant {
        let field = |&ty: &TyId| Field { name: "0".to_owned(), ty, public: true };
        Variant { name: String::new(), discriminant: 0, fields: types.iter().map(field).collect() }
    }

    fn entry(program: &mut Program, param: TyId) -> Entry {
        let id = push(program, "f", 1, &[U32, param], Body::Panic);
        Entry {
            name: "f".to_owned(),
            kind: EntryKind::Function,
            target: EntryTarget::Function(id),
            span: Span::UNKNOWN,
            listing: crate::cfa::Listing::Always,
            call: None,
        }
    }

    #[test]
    fn arguments_stand_for_the_inputs_that_they_came_from() {
        let mut program = program();
        let either =
            add(&mut program, TypeKind::Enum(vec![variant(&[U32, BOOL]), variant(&[BOOL])]));
        let behind = add(&mut program, TypeKind::Reference { to: either, mutable: true });
        let both = add(&mut program, TypeKind::Tuple(vec![behind, U32]));
        let entry = entry(&mut program, both);
        // The tag, the fields of both variants, and the number; those of the other variant are lost.
        for (given, kept) in
            [([0, 7, 1, 1, 9], [0, 7, 1, 0, 9]), ([1, 7, 1, 1, 9], [1, 0, 0, 1, 9])]
        {
            let made = arguments(&program, &entry, &given).unwrap();
            assert_eq!(inputs(&program, &entry, &made).unwrap(), kept);
            assert_eq!(arguments(&program, &entry, &kept).unwrap(), made);
        }
    }

    #[test]
    fn what_does_not_have_the_form_of_its_type_has_no_inputs() {
        let mut program = program();
        let pair = add(&mut program, TypeKind::Tuple(vec![U32, U32]));
        let entry = entry(&mut program, pair);
        let number = Concrete::Bits { bits: 1, ty: U32 };
        let short = Concrete::Fields { ty: pair, fields: vec![number.clone()] };
        assert_eq!(inputs(&program, &entry, &[number]), None);
        assert_eq!(inputs(&program, &entry, &[short]), None);
        assert_eq!(inputs(&program, &entry, &[]), None);
    }
}
