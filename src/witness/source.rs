//! The generated program: `main.rs`, `runtime.rs`, and a module a call.

use std::collections::BTreeSet;

use super::decode::{decoder, owned};
use super::expression::{expression, readable};
use super::shape::Shape;
use super::value::Concrete;
use super::view::Viewer;
use crate::cfa::{Entry, EntryKind, EntryTarget, Program, TyId};
use crate::model::{NotCallable, NotRun, WrongValue};

/// The part that is always the same.
pub const RUNTIME: &str = include_str!("runtime.rs");

/// What is needed to write calls of an entry point.
#[derive(Clone, Debug)]
pub struct Signature {
    call: String,
    parameters: Vec<(TyId, Shape)>,
    /// None for a constant or static, of which `call` is the name.
    result: Option<TyId>,
}

impl Signature {
    /// Or why the entry point cannot be called from outside.
    pub fn of(program: &Program, entry: &Entry) -> Result<Signature, NotRun> {
        let function = match entry.target {
            EntryTarget::Function(id) => program.function(id),
            _ => return Signature::of_value(entry),
        };
        let call = entry.call.clone();
        let call = call.ok_or_else(|| not_callable(entry, NotCallable::NoName))?;
        let locals = &function.locals;
        let parameters = locals.get(1..=function.params as usize).unwrap_or_default();
        Ok(Signature {
            call,
            parameters: parameters
                .iter()
                .map(|local| Ok((local.ty, Shape::of(program, local.ty)?)))
                .collect::<Result<_, NotRun>>()?,
            result: Some(
                locals.first().ok_or_else(|| not_callable(entry, NotCallable::NoResult))?.ty,
            ),
        })
    }

    /// A constant or static, which is named as it is defined: what cannot be named so does not compile.
    fn of_value(entry: &Entry) -> Result<Signature, NotRun> {
        let is_name = |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_value = matches!(entry.kind, EntryKind::Value | EntryKind::Reexport);
        match is_value && entry.name.split("::").all(is_name) {
            true => Ok(Signature {
                call: format!("::{}", entry.name),
                parameters: Vec::new(),
                result: None,
            }),
            false => Err(not_callable(entry, NotCallable::NoValue)),
        }
    }

    pub fn shapes(&self) -> impl ExactSizeIterator<Item = &Shape> {
        self.parameters.iter().map(|(_, shape)| shape)
    }

    pub fn words(&self, arguments: &[Concrete]) -> Result<Vec<u128>, NotRun> {
        self.require_all(arguments)?;
        let mut words = Vec::new();
        for (shape, value) in self.shapes().zip(arguments) {
            shape.words(value, &mut words)?;
        }
        Ok(words)
    }

    /// The arguments as people read them.
    pub fn expressions(&self, arguments: &[Concrete]) -> Result<Vec<String>, NotRun> {
        self.require_all(arguments)?;
        let written = self.shapes().zip(arguments).map(|(shape, value)| match (shape, value) {
            (Shape::Reference { mutable, to }, Concrete::Reference { to: value, .. })
                if **to != Shape::Str =>
            {
                let sign = if *mutable { "&mut " } else { "&" };
                Ok(format!("{sign}{}", expression(to, value)?))
            }
            _ => expression(shape, value),
        });
        written.collect()
    }

    /// The call as people read it.
    pub fn readable_call(&self, arguments: &[Concrete]) -> Result<String, NotRun> {
        let call = readable(&self.call);
        Ok(match self.result {
            Some(_) => format!("{call}({})", self.expressions(arguments)?.join(", ")),
            None => call,
        })
    }

    fn require_all(&self, arguments: &[Concrete]) -> Result<(), NotRun> {
        match arguments.len() == self.parameters.len() {
            true => Ok(()),
            false => Err(WrongValue::ArgumentCount.into()),
        }
    }

    /// A module that calls it with arguments from words.
    pub fn module(&self, viewer: &Viewer<'_>) -> String {
        let values: Vec<String> = self
            .shapes()
            .map(|shape| match shape {
                Shape::Reference { to, .. } => owned(to),
                other => decoder(other),
            })
            .collect();
        self.module_with(viewer, &values, &self.call)
    }

    /// A module that calls it with these arguments, written out.
    pub fn written_module(
        &self,
        viewer: &Viewer<'_>,
        arguments: &[Concrete],
    ) -> Result<String, NotRun> {
        self.require_all(arguments)?;
        let values = self.shapes().zip(arguments).map(|(shape, value)| match (shape, value) {
            (Shape::Reference { to, .. }, Concrete::Reference { to: value, .. }) => {
                let inner = expression(to, value)?;
                Ok(match **to {
                    Shape::Slice(_) => format!("vec!{inner}"),
                    Shape::Str => format!("String::from({inner})"),
                    _ => inner,
                })
            }
            _ => expression(shape, value),
        });
        let values = values.collect::<Result<Vec<_>, NotRun>>()?;
        Ok(self.module_with(viewer, &values, &readable(&self.call)))
    }

    fn module_with(&self, viewer: &Viewer<'_>, values: &[String], call: &str) -> String {
        let Some(result) = self.result else {
            return format!(
                "use super::*;\nuse super::runtime::*;\n\n\
                 pub fn call(w: &mut Words, out: &mut Out) {{\n    \
                 out.value(|out| (&Value(&{call})).show(out));\n}}\n"
            );
        };
        let mut lets = String::new();
        let mut passed = Vec::new();
        let mut afterwards = String::new();
        for (index, ((ty, shape), value)) in self.parameters.iter().zip(values).enumerate() {
            let number = index + 1;
            match shape {
                Shape::Reference { mutable, to } => {
                    let sign = if *mutable { "&mut " } else { "&" };
                    let name = format!("argument_{number}");
                    let binding = if *mutable { "let mut" } else { "let" };
                    lets.push_str(&format!("    {binding} {name} = {value};\n"));
                    let all =
                        if matches!(**to, Shape::Slice(_) | Shape::Str) { "[..]" } else { "" };
                    passed.push(format!("{sign}{name}{all}"));
                    if *mutable {
                        afterwards.push_str(&format!(
                            "    out.argument({number}, |out| {{ let v = &&{name}{all}; {} }});\n",
                            viewer.view(*ty)
                        ));
                    }
                }
                _ => {
                    lets.push_str(&format!("    let argument_{number} = {value};\n"));
                    passed.push(format!("argument_{number}"));
                }
            }
        }
        format!(
            "use super::*;\nuse super::runtime::*;\n\n\
             pub fn call(w: &mut Words, out: &mut Out) {{\n\
             {lets}    out.run(|out| {{\n        let result = {call}({});\n        \
             let v = &result;\n        {}\n    }});\n{afterwards}}}\n",
            passed.join(", "),
            viewer.view(result),
        )
    }
}

fn not_callable(entry: &Entry, why: NotCallable) -> NotRun {
    NotRun::Entry(entry.name.clone(), why)
}

/// The root file of a program with these modules, each of which has a call.
pub fn main(modules: &[String], all: &[String]) -> String {
    let mut roots = BTreeSet::new();
    all.iter().for_each(|text| crate_names(text, &mut roots));
    let crates: String = roots.iter().map(|name| format!("extern crate {name};\n")).collect();
    let mods: String = modules.iter().map(|name| format!("mod {name};\n")).collect();
    let calls: Vec<_> = modules.iter().map(|name| format!("{name}::call")).collect();
    format!(
        "#![allow(warnings)]\n\n{crates}\nmod runtime;\n{mods}\n\
         fn main() {{\n    runtime::main(&[{}]);\n}}\n",
        calls.join(", ")
    )
}

/// The crates whose names stand at the beginning of paths such as `::client::f`.
fn crate_names(text: &str, found: &mut BTreeSet<String>) {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    for (at, _) in text.match_indices("::") {
        let before = text[..at].chars().last();
        if before.is_some_and(|c| is_name(c) || c == '>') {
            continue;
        }
        let rest = &text[at + 2..];
        let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
        if !name.is_empty() && name != "std" {
            found.insert(name);
        }
    }
}
