//! What the locals of a function are called, and what type a place has.

use std::collections::HashSet;

use crate::cfa::{Local, LocalId, Operand, Place, Program, Projection, TyId, TypeKind, Variant};

/// The names and types that the text of one function uses.
pub(super) struct Scope<'a> {
    pub program: &'a Program,
    pub locals: &'a [Local],
    /// None for temporaries.
    names: Vec<Option<String>>,
}

impl<'a> Scope<'a> {
    pub fn new(program: &'a Program, locals: &'a [Local]) -> Scope<'a> {
        let mut used: HashSet<_> = (0..locals.len()).map(|index| format!("_{index}")).collect();
        used.extend(locals.iter().filter_map(|local| local.name.clone()));
        let mut seen = HashSet::new();
        let names = locals.iter().map(|local| {
            let name = local.name.clone()?;
            if seen.insert(name.clone()) && !is_temporary(&name, locals.len()) {
                return Some(name);
            }
            let mut variants = (2..).map(|number| format!("{name}_{number}"));
            variants.find(|variant| used.insert(variant.clone()))
        });
        Scope { program, locals, names: names.collect() }
    }

    /// The user's name for a local, made different from all others.
    pub fn name(&self, local: LocalId) -> Option<&str> {
        self.names.get(local.index())?.as_deref()
    }

    pub fn type_name(&self, ty: TyId) -> &str {
        &self.program.ty(ty).name
    }

    pub fn operand_type(&self, operand: &Operand) -> Option<TyId> {
        self.program.operand_type(self.locals, operand)
    }

    /// None where the shape of a type is not known.
    pub fn place_type(&self, local: LocalId, projections: &[Projection]) -> Option<TyId> {
        self.program.place_type(self.locals, local, projections)
    }

    /// The variant whose fields a place has.
    pub fn variant(&self, local: LocalId, projections: &[Projection]) -> Option<&Variant> {
        let (number, of) = match projections.split_last() {
            Some((Projection::Variant(number), before)) => (*number, before),
            _ => (0, projections),
        };
        match &self.program.ty(self.place_type(local, of)?).kind {
            TypeKind::Struct(variant) | TypeKind::Union(variant) => Some(variant),
            TypeKind::Enum(variants) => variants.get(number as usize),
            _ => None,
        }
    }

    pub fn is_unit(&self, place: &Place) -> bool {
        let ty = self.place_type(place.local, &place.projections);
        ty.is_some_and(|ty| self.program.ty(ty).kind == TypeKind::Tuple(Vec::new()))
    }
}

fn is_temporary(name: &str, locals: usize) -> bool {
    let number = name.strip_prefix('_').map(str::parse::<usize>);
    number.is_some_and(|number| number.is_ok_and(|number| number < locals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_locals_have_one_name() {
        let local = |name: Option<&str>| Local { name: name.map(String::from), ty: TyId(0) };
        let names = [Some("x"), Some("x"), Some("x_2"), Some("_4"), None];
        let locals: Vec<_> = names.into_iter().map(local).collect();
        let program = Program::default();
        let scope = Scope::new(&program, &locals);
        let names: Vec<_> = (0..5).map(|index| scope.name(LocalId(index))).collect();
        assert_eq!(names, [Some("x"), Some("x_3"), Some("x_2"), Some("_4_2"), None]);
    }
}
