//! From the flat inputs of the engines to arguments, and back.

use super::value::Concrete;
use crate::cfa::{Entry, EntryTarget, Program, TyId};
use crate::reason::{Reason, UnexpectedForm};
use crate::solver::Sort;
use crate::sym::{Descent, Fields, Kind, LeafWalk, Shapes, Whole};

/// The arguments that flat inputs stand for, in the order in which [`Shapes::any`] asks for parts.
/// None if the entry point is no function, or takes what engines do not make.
pub fn arguments(program: &Program, entry: &Entry, inputs: &[u128]) -> Option<Vec<Concrete>> {
    let EntryTarget::Function(id) = entry.target else { return None };
    let function = program.function(id);
    let shapes = Shapes::new(program);
    let mut words = FromWords(inputs.iter().copied());
    let params = &function.locals[1..=function.params as usize];
    params.iter().map(|local| shapes.walk(local.ty, (), &mut words).ok()).collect()
}

/// Makes arguments of words, which are the leaves of their types.
struct FromWords<I>(I);

impl<I: Iterator<Item = u128>> FromWords<I> {
    fn next(&mut self) -> Result<u128, Reason> {
        self.0.next().ok_or_else(|| UnexpectedForm::NoSuchPart.into())
    }
}

impl<I: Iterator<Item = u128>> LeafWalk for FromWords<I> {
    type Given = ();
    type Tag = u128;
    type Made = Concrete;

    fn scalar(&mut self, ty: TyId, _: Sort, (): &()) -> Result<Concrete, Reason> {
        Ok(Concrete::Bits { bits: self.next()?, ty })
    }

    fn tag(&mut self, _: &[Fields], (): &()) -> Result<u128, Reason> {
        self.next()
    }

    fn descend(&mut self, (): &(), _: Descent<'_, u128>) -> Result<(), Reason> {
        Ok(())
    }

    fn ascend(&mut self, ty: TyId, whole: Whole<Concrete, u128>) -> Result<Concrete, Reason> {
        Ok(match whole {
            Whole::Fields(fields) => Concrete::Fields { ty, fields },
            // The words of all variants are there; those of the others have no meaning.
            Whole::Variants { tag, mut variants } => {
                let chosen = usize::try_from(tag).ok().filter(|&it| it < variants.len());
                let chosen = chosen.ok_or(UnexpectedForm::UnknownVariant)?;
                let fields = variants.swap_remove(chosen).into_iter().flatten().collect();
                Concrete::Variant { ty, variant: chosen as u32, fields }
            }
            Whole::Reference { mutable, target, .. } => {
                Concrete::Reference { ty, mutable, to: Box::new(target) }
            }
        })
    }
}

/// The flat inputs that stand for arguments: [`arguments`] gives these for them. None if the entry
/// point is no function, or takes what engines do not make.
pub fn inputs(program: &Program, entry: &Entry, arguments: &[Concrete]) -> Option<Vec<u128>> {
    let EntryTarget::Function(id) = entry.target else { return None };
    let function = program.function(id);
    let params = &function.locals[1..=function.params as usize];
    let shapes = Shapes::new(program);
    let mut into = IntoWords { arguments, words: Vec::new() };
    for (number, local) in params.iter().enumerate() {
        let argument = into.arguments.get(number)?;
        shapes.walk(local.ty, Argument::Value(argument), &mut into).ok()?;
    }
    (params.len() == arguments.len()).then_some(into.words)
}

/// Takes the words of arguments, leaf by leaf.
struct IntoWords<'v> {
    arguments: &'v [Concrete],
    words: Vec<u128>,
}

/// A value, or the fields of a variant.
enum Argument<'v> {
    Value(&'v Concrete),
    /// None for fields whose type has no values.
    Fields(Vec<Option<&'v Concrete>>),
    /// There is none, as in the variants that a value is not: its words are zero.
    Absent,
}

impl<'v> LeafWalk for IntoWords<'v> {
    type Given = Argument<'v>;
    type Tag = ();
    type Made = ();

    fn enter(&mut self, _: TyId, kind: &Kind<'_>, given: &Argument<'v>) -> Result<(), Reason> {
        let Argument::Value(value) = given else { return Ok(()) };
        let fits = match (kind, value) {
            (Kind::Scalar(_), Concrete::Bits { .. })
            | (Kind::Variants(_), Concrete::Variant { .. })
            | (Kind::Reference { .. }, Concrete::Reference { .. }) => true,
            (Kind::Fields(types), Concrete::Fields { fields, .. }) => types.len() == fields.len(),
            (Kind::Array(_, length), Concrete::Fields { fields, .. }) => {
                *length == fields.len() as u64
            }
            _ => false,
        };
        if fits { Ok(()) } else { Err(UnexpectedForm::NoSuchPart.into()) }
    }

    fn scalar(&mut self, _: TyId, _: Sort, given: &Argument<'v>) -> Result<(), Reason> {
        self.words.push(match given {
            Argument::Value(Concrete::Bits { bits, .. }) => *bits,
            _ => 0,
        });
        Ok(())
    }

    fn tag(&mut self, _: &[Fields], given: &Argument<'v>) -> Result<(), Reason> {
        self.words.push(match given {
            Argument::Value(Concrete::Variant { variant, .. }) => (*variant).into(),
            _ => 0,
        });
        Ok(())
    }

    fn descend(
        &mut self,
        given: &Argument<'v>,
        to: Descent<'_, ()>,
    ) -> Result<Argument<'v>, Reason> {
        let found = match (given, to) {
            (Argument::Value(Concrete::Fields { fields, .. }), Descent::Part(part)) => {
                fields.get(part)
            }
            (Argument::Fields(fields), Descent::Part(part)) => fields.get(part).copied().flatten(),
            (Argument::Value(Concrete::Reference { to, .. }), Descent::Pointee) => Some(&**to),
            (
                Argument::Value(Concrete::Variant { variant, fields, .. }),
                Descent::Variant { number, fields: types, .. },
            ) if *variant as usize == number => {
                if types.iter().flatten().count() != fields.len() {
                    return Err(UnexpectedForm::NoSuchPart.into());
                }
                let mut values = fields.iter();
                let fields = types.iter().map(|it| it.and_then(|_| values.next()));
                return Ok(Argument::Fields(fields.collect()));
            }
            _ => None,
        };
        Ok(found.map_or(Argument::Absent, Argument::Value))
    }

    fn ascend(&mut self, _: TyId, _: Whole<(), ()>) -> Result<(), Reason> {
        Ok(())
    }
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
