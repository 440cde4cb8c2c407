//! Rust code that prints what came out, part by part, as far as other crates can see it.
//!
//! Private parts show by `Debug`, unless that could be other code with the other version: then the
//! texts would differ where the values need not. What cannot be seen is `_`, which is equal to `_`.

use std::collections::HashSet;

use super::shape::raw;
use crate::cfa::{OutsideType, Program, StdType, Style, TyId, TypeKind, Variant};

/// The deepest nesting that is printed.
const DEEPEST: usize = 16;

pub struct Viewer<'a> {
    pub program: &'a Program,
    /// The packages that the upgrade moves.
    pub moving: &'a HashSet<String>,
}

impl Viewer<'_> {
    /// Statements that write the value behind the reference `v` to `out`.
    pub fn view(&self, ty: TyId) -> String {
        self.at(ty, 0)
    }

    fn at(&self, id: TyId, depth: usize) -> String {
        let ty = self.program.ty(id);
        if depth > DEEPEST {
            return self.hidden(id);
        }
        let inside = |id: TyId| self.at(id, depth + 1);
        match &ty.kind {
            TypeKind::Bool | TypeKind::Char | TypeKind::Int { .. } | TypeKind::Str => {
                "out.plain(v);".to_owned()
            }
            TypeKind::Float { bits: 32 | 64 } => "out.float(v);".to_owned(),
            TypeKind::Tuple(parts) => {
                let fields = parts.iter().enumerate().map(|(number, part)| {
                    format!("{{ let v = &v.{number}; {} }} out.text(\", \"); ", inside(*part))
                });
                format!("out.text(\"(\"); {}out.close(\")\");", fields.collect::<String>())
            }
            TypeKind::Array(element, _) | TypeKind::Slice(element) => sequence(&inside(*element)),
            TypeKind::Reference { to, .. } => format!("let v = &**v; {}", inside(*to)),
            TypeKind::Struct(only) => {
                let Some(outside) = self.program.outside.get(&id) else {
                    return unseen();
                };
                match (ty.std, outside.args.first()) {
                    (Some(StdType::Box | StdType::Rc | StdType::Arc), Some(to)) => {
                        format!("let v = &**v; {}", inside(*to))
                    }
                    (Some(StdType::Vec), Some(element)) => {
                        format!("let v = &v[..]; {}", sequence(&inside(*element)))
                    }
                    (Some(StdType::String), _) => "out.plain(&v[..]);".to_owned(),
                    _ => self.structure(id, only, outside, depth),
                }
            }
            TypeKind::Enum(variants) => match self.program.outside.get(&id) {
                Some(outside) => self.choice(id, variants, outside, depth),
                None => unseen(),
            },
            _ => self.hidden(id),
        }
    }

    fn structure(&self, id: TyId, only: &Variant, outside: &OutsideType, depth: usize) -> String {
        let Some(seen) = outside.variants.first() else {
            return unseen();
        };
        if !seen.public.iter().all(|it| *it) && self.debug_is_the_same(id) {
            return self.hidden(id);
        }
        let (open, close) = brackets(seen.style);
        let mut code = format!("out.text({:?}); ", format!("{}{open}", only.name));
        for (field, public) in only.fields.iter().zip(&seen.public) {
            code.push_str(&label(seen.style, &field.name));
            match public {
                true => code.push_str(&format!(
                    "{{ let v = &v.{}; {} }} ",
                    raw(&field.name),
                    self.at(field.ty, depth + 1)
                )),
                false => code.push_str(&unseen()),
            }
            code.push_str("out.text(\", \"); ");
        }
        code + &format!("out.close({close:?});")
    }

    fn choice(
        &self,
        id: TyId,
        variants: &[Variant],
        outside: &OutsideType,
        depth: usize,
    ) -> String {
        let Some(path) = &outside.path else {
            return self.hidden(id);
        };
        let mut arms = String::new();
        for (variant, seen) in variants.iter().zip(&outside.variants) {
            let (open, close) = brackets(seen.style);
            let mut pattern = String::new();
            let mut code = format!("out.text({:?}); ", format!("{}{open}", variant.name));
            for (number, field) in variant.fields.iter().enumerate() {
                pattern.push_str(&format!("{}: f{number}, ", raw(&field.name)));
                code.push_str(&label(seen.style, &field.name));
                code.push_str(&format!(
                    "{{ let v = f{number}; {} }} out.text(\", \"); ",
                    self.at(field.ty, depth + 1)
                ));
            }
            code.push_str(&format!("out.close({close:?});"));
            arms.push_str(&format!(
                "{path}::{} {{ {pattern}.. }} => {{ {code} }} ",
                raw(&variant.name)
            ));
        }
        format!("match v {{ {arms}_ => {{ {} }} }}", unseen())
    }

    /// What is not open to other crates.
    fn hidden(&self, id: TyId) -> String {
        match self.debug_is_the_same(id) {
            true => "(&Probe(v)).show(out);".to_owned(),
            false => unseen(),
        }
    }

    /// Whether nothing that moves takes part in what `Debug` prints. Errs towards no.
    fn debug_is_the_same(&self, id: TyId) -> bool {
        let mut seen = HashSet::from([id]);
        let mut queue = vec![id];
        while let Some(id) = queue.pop() {
            let mut parts: Vec<TyId> = Vec::new();
            match &self.program.ty(id).kind {
                TypeKind::Bool
                | TypeKind::Char
                | TypeKind::Int { .. }
                | TypeKind::Float { .. }
                | TypeKind::Str
                | TypeKind::Never => {}
                TypeKind::Slice(part)
                | TypeKind::Array(part, _)
                | TypeKind::Reference { to: part, .. }
                | TypeKind::RawPointer { to: part, .. } => parts.push(*part),
                TypeKind::Tuple(tuple) => parts.extend(tuple),
                TypeKind::Struct(only) => parts.extend(only.fields.iter().map(|field| field.ty)),
                TypeKind::Enum(variants) => {
                    parts.extend(variants.iter().flat_map(|it| &it.fields).map(|field| field.ty));
                }
                // Those of the standard library, such as `MaybeUninit`, hold what the arguments say.
                TypeKind::Union(_) => {}
                TypeKind::Opaque(_) => {}
                _ => return false,
            }
            if let TypeKind::Struct(_) | TypeKind::Enum(_) | TypeKind::Union(_) =
                &self.program.ty(id).kind
            {
                let Some(outside) = self.program.outside.get(&id) else {
                    return false;
                };
                if outside.package.as_ref().is_some_and(|name| self.moving.contains(name)) {
                    return false;
                }
                parts.extend(&outside.args);
            }
            queue.extend(parts.into_iter().filter(|part| seen.insert(*part)));
        }
        true
    }
}

fn sequence(element: &str) -> String {
    format!(
        "out.text(\"[\"); for v in v.iter() {{ {element} out.text(\", \"); }} out.close(\"]\");"
    )
}

fn unseen() -> String {
    "out.text(\"_\"); ".to_owned()
}

fn brackets(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Unit => ("", ""),
        Style::Tuple => ("(", ")"),
        Style::Named => (" { ", " }"),
    }
}

fn label(style: Style, name: &str) -> String {
    match style {
        Style::Named => format!("out.text(\"{name}: \"); "),
        _ => String::new(),
    }
}
