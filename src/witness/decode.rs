//! Rust code that reads values from words, in the order in which [`Shape::words`] writes them.

use super::shape::{Shape, Variant};
use crate::cfa::Style;

/// An expression that takes a value from `w`. What is behind references inside of it is never freed:
/// only what lives long enough can be borrowed.
pub fn decoder(shape: &Shape) -> String {
    match shape {
        Shape::Bool => "(w.next() != 0)".to_owned(),
        Shape::Char => "w.char()".to_owned(),
        Shape::Int { name, .. } => format!("(w.next() as {name})"),
        Shape::Float { bits } => {
            format!("::std::primitive::f{bits}::from_bits(w.next() as u{bits})")
        }
        Shape::Tuple(parts) => {
            format!("({})", parts.iter().map(|part| decoder(part) + ", ").collect::<String>())
        }
        Shape::Array(element, len) => format!("[(); {len}].map(|_| {})", decoder(element)),
        Shape::Struct(only) => variant(only),
        Shape::Enum(variants) => {
            let arms = variants.iter().enumerate().filter_map(|(number, it)| {
                Some(format!("{number} => {}, ", variant(it.as_ref().ok()?)))
            });
            format!("match w.next() {{ {}_ => w.wrong() }}", arms.collect::<String>())
        }
        Shape::Made(makers) => {
            let arms = makers.iter().enumerate().map(|(number, maker)| {
                let arguments: Vec<_> = maker.parameters.iter().map(decoder).collect();
                format!("{number} => {}({}), ", maker.call, arguments.join(", "))
            });
            format!("match w.next() {{ {}_ => w.wrong() }}", arms.collect::<String>())
        }
        Shape::NonZero(of) => format!("::std::num::NonZero::new({}).unwrap()", decoder(of)),
        Shape::Duration => {
            "::std::time::Duration::new(w.next() as u64, w.next() as u32)".to_owned()
        }
        Shape::Reference { mutable, to } => {
            let leaked = match &**to {
                Shape::Slice(_) | Shape::Str => format!("{}.leak()", owned(to)),
                to => format!("::std::boxed::Box::leak(::std::boxed::Box::new({}))", decoder(to)),
            };
            if *mutable { leaked } else { format!("&*{leaked}") }
        }
        Shape::Box(to) => format!("::std::boxed::Box::new({})", decoder(to)),
        Shape::Vec(_) | Shape::String | Shape::Slice(_) | Shape::Str => owned(shape),
    }
}

/// The same for what is only behind references: a `Vec` or a `String`.
pub fn owned(shape: &Shape) -> String {
    match shape {
        Shape::Vec(element) | Shape::Slice(element) => {
            let element = decoder(element);
            format!("(0..w.next()).map(|_| {element}).collect::<::std::vec::Vec<_>>()")
        }
        Shape::String | Shape::Str => "w.text()".to_owned(),
        other => decoder(other),
    }
}

fn variant(variant: &Variant) -> String {
    let path = &variant.path;
    let parts = variant.fields.iter().map(|(name, shape)| format!("{name}: {}, ", decoder(shape)));
    match variant.style {
        Style::Unit => path.clone(),
        // A tuple's fields can be named by their numbers.
        Style::Tuple | Style::Named => format!("{path} {{ {}}}", parts.collect::<String>()),
    }
}
