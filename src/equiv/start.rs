//! Where runs begin: any values of the types that code takes.

use super::context::Context;
use super::matching::Matched;
use crate::cfa::{LocalId, TyId};
use crate::change::Item;
use crate::reason::{NoCode, NoProof, Reason, ReferenceUse};
use crate::solver::{Sort, Term, Terms};
use crate::sym::{Called, Kind, Making, NanBits, Object, Shapes, State, Value};
use crate::version::{Both, Version};

/// What code takes and gives, the same on both sides.
pub struct Interface {
    pub called: Matched,
    /// The locals of each side that hold what is given, with their types.
    pub params: Both<Locals>,
    /// Those that hold the results.
    pub results: Both<Locals>,
}

/// A state that both sides begin in.
pub struct Start {
    pub values: Vec<Value>,
    /// What references among the values point to, with the types of the new side.
    pub objects: Vec<(Object, Value, TyId)>,
    pub next_object: u32,
    pub effect_state: Term,
    /// What the types promise.
    pub facts: Vec<Term>,
    /// The leaves of all values, in order: the inputs.
    pub leaves: Vec<Term>,
}

impl Interface {
    /// Fails where the two sides do not take or give values of the same types: there is nothing to
    /// be compared then.
    pub fn new(context: &Context<'_>, called: Matched) -> Result<Interface, Reason> {
        let locals = Both::try_from_fn(|version| locals(context, version, called[version]))?;
        let (params, results) = locals.unzip();
        let same = |(old, new): (&(LocalId, TyId), &(LocalId, TyId))| {
            context.pair.equal(Item::Type(old.1), Item::Type(new.1))
        };
        let equal = |of: &Both<Locals>| {
            of.old.len() == of.new.len() && of.old.iter().zip(&of.new).all(same)
        };
        if !equal(&params) || !equal(&results) {
            return Err(NoProof::OtherTypes.into());
        }
        Ok(Interface { called, params, results })
    }

    /// The interface of code of one side, seen alone.
    pub fn of_one(
        context: &Context<'_>,
        version: Version,
        called: Called,
    ) -> Result<Interface, Reason> {
        let (params, results) = locals(context, version, called)?;
        Ok(Interface {
            called: Both::new(called, called),
            params: Both::new(params.clone(), params),
            results: Both::new(results.clone(), results),
        })
    }
}

type Locals = Vec<(LocalId, TyId)>;

/// The locals that hold what code is given and what it gives.
fn locals(
    context: &Context<'_>,
    version: Version,
    called: Called,
) -> Result<(Locals, Locals), Reason> {
    let code = &context.matching.codes[version];
    match called {
        Called::Function(id) => {
            let function = code.program.function(id);
            if function.cfa().is_none() {
                return Err(NoCode::Bodyless.into());
            }
            let of = |index: u32| (LocalId(index), function.locals[index as usize].ty);
            Ok(((1..=function.params).map(of).collect(), vec![of(0)]))
        }
        Called::Loop(id, number) => {
            let ready = code.ready(id)?;
            let found = ready.a_loop(number);
            check_aliasing(
                &context.shapes[version],
                &ready,
                found,
                code.program.function(id).params,
            )?;
            let of = |&local: &LocalId| (local, ready.locals[local.index()].ty);
            let results = found.results.iter().chain([&ready.exit_taken]);
            Ok((found.params.iter().map(of).collect(), results.map(of).collect()))
        }
    }
}

/// Refuses loops in which a reference may point to a local of the frame that is given to the loop
/// beside it, or to what another reference points to: the state would not be that of two objects.
fn check_aliasing(
    shapes: &Shapes,
    ready: &crate::sym::Ready,
    found: &crate::sym::ReadyLoop,
    params: u32,
) -> Result<(), Reason> {
    let refuse = || Err(ReferenceUse::AliasedInLoop.into());
    let mut targets: Vec<(TyId, bool, bool)> = Vec::new();
    for &local in &found.params {
        let is_param = (1..=params).contains(&local.0);
        references(shapes, ready.locals[local.index()].ty, is_param, &mut targets, 16);
    }
    for (index, &(one, mutable, of_param)) in targets.iter().enumerate() {
        for &local in &found.shared {
            if overlap(shapes, one, ready.locals[local.index()].ty) {
                return refuse();
            }
        }
        for &(two, also_mutable, of_other) in &targets[..index] {
            let independent = of_param && of_other;
            if !independent && (mutable || also_mutable) && overlap(shapes, one, two) {
                return refuse();
            }
        }
    }
    Ok(())
}

fn references(
    shapes: &Shapes,
    ty: TyId,
    of_param: bool,
    found: &mut Vec<(TyId, bool, bool)>,
    depth: u32,
) {
    if depth == 0 {
        return;
    }
    match shapes.kind(ty) {
        Kind::Reference { to, mutable } => {
            found.push((to, mutable, of_param));
            references(shapes, to, of_param, found, depth - 1);
        }
        Kind::Fields(parts) => {
            parts.into_iter().for_each(|it| references(shapes, it, of_param, found, depth - 1));
        }
        Kind::Array(element, _) => references(shapes, element, of_param, found, depth - 1),
        Kind::Variants(variants) => variants
            .iter()
            .flat_map(|it| &it.fields)
            .for_each(|it| references(shapes, it.ty, of_param, found, depth - 1)),
        Kind::Scalar(_) | Kind::Other(_) => {}
    }
}

/// Whether a value of one type can be a part of one of the other. Errs towards yes.
fn overlap(shapes: &Shapes, one: TyId, two: TyId) -> bool {
    fn contains(shapes: &Shapes, whole: TyId, part: TyId, depth: u32) -> bool {
        if whole == part || depth == 0 {
            return true;
        }
        match shapes.kind(whole) {
            Kind::Fields(parts) => {
                parts.into_iter().any(|it| contains(shapes, it, part, depth - 1))
            }
            Kind::Array(element, _) => contains(shapes, element, part, depth - 1),
            Kind::Variants(variants) => variants
                .iter()
                .flat_map(|it| &it.fields)
                .any(|it| contains(shapes, it.ty, part, depth - 1)),
            Kind::Scalar(_) | Kind::Reference { .. } => false,
            Kind::Other(_) => true,
        }
    }
    contains(shapes, one, two, 12) || contains(shapes, two, one, 12)
}

impl Start {
    /// Any values of the parameters' types; `leaf` gives their parts.
    pub fn new(
        terms: &mut Terms,
        shapes: &Shapes,
        interface: &Interface,
        floats: NanBits,
        leaf: &mut dyn FnMut(&mut Terms, Sort) -> Term,
    ) -> Result<Start, Reason> {
        let (mut objects, mut leaves) = (Vec::new(), Vec::new());
        let mut made = |terms: &mut Terms, sort: Sort| {
            let term = leaf(terms, sort);
            leaves.push(term);
            term
        };
        let mut making = Making {
            leaves: &mut made,
            facts: Vec::new(),
            objects: Some(&mut objects),
            next_object: 0,
            floats,
        };
        let mut values = Vec::new();
        for &(_, ty) in &interface.params.new {
            values.push(shapes.any(terms, ty, &mut making)?);
        }
        let (facts, next_object) = (making.facts, making.next_object);
        let effect_state = terms.var(Sort::EffectState);
        Ok(Start { values, objects, next_object, effect_state, facts, leaves })
    }

    pub fn state(&self) -> State {
        State {
            path: Default::default(),
            objects: self
                .objects
                .iter()
                .map(|(object, value, _)| (*object, value.clone()))
                .collect(),
            effect_state: self.effect_state,
        }
    }
}
