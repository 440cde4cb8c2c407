//! A value as a Rust expression that people can read.

use super::shape::{Shape, Variant, choose, text};
use super::value::Concrete;
use crate::bits::mask;
use crate::cfa::Style;
use crate::model::{NotRun, WrongValue};

/// The expression of a value. Paths start with a crate's name, but for what is in every scope.
pub fn expression(shape: &Shape, value: &Concrete) -> Result<String, NotRun> {
    let wrong = || NotRun::from(WrongValue::Form);
    Ok(match (shape, value) {
        (Shape::Bool, value) => (shape.scalar(value)? == 1).to_string(),
        (Shape::Char, value) => {
            let number = shape.scalar(value)? as u32;
            char::from_u32(number).map(|it| format!("{it:?}")).ok_or_else(wrong)?
        }
        (Shape::Int { bits, signed, name }, value) => {
            integer(shape.scalar(value)?, *bits, *signed, name)
        }
        (Shape::Float { bits: 32 }, value) => {
            let bits = shape.scalar(value)? as u32;
            let number = f32::from_bits(bits);
            match number.is_nan() && bits != f32::NAN.to_bits() {
                true => format!("f32::from_bits({bits:#010x})"),
                false => float(f64::from(number), "f32", || format!("{number:?}")),
            }
        }
        (Shape::Float { .. }, value) => {
            let bits = shape.scalar(value)? as u64;
            let number = f64::from_bits(bits);
            match number.is_nan() && bits != f64::NAN.to_bits() {
                true => format!("f64::from_bits({bits:#018x})"),
                false => float(number, "f64", || format!("{number:?}")),
            }
        }
        (Shape::Tuple(shapes), Concrete::Fields { fields, .. }) => {
            let parts = all(shapes.iter(), fields)?;
            match parts.len() {
                1 => format!("({},)", parts[0]),
                _ => format!("({})", parts.join(", ")),
            }
        }
        (Shape::Array(element, _), Concrete::Fields { fields, .. }) => list(element, fields)?,
        (Shape::Struct(only), Concrete::Fields { fields, .. }) => variant(only, fields)?,
        (Shape::Enum(variants), Concrete::Variant { variant: number, fields, .. }) => {
            let chosen = variants.get(*number as usize).ok_or_else(wrong)?;
            variant(chosen.as_ref().map_err(NotRun::clone)?, fields)?
        }
        (Shape::Made(makers), Concrete::Fields { fields, .. }) => {
            let (number, arguments) = choose(makers, fields)?;
            let maker = &makers[number];
            let arguments = all(maker.parameters.iter(), &arguments)?;
            format!("{}({})", readable(&maker.call), arguments.join(", "))
        }
        (Shape::NonZero(of), value) => {
            format!("std::num::NonZero::new({}).unwrap()", with_type(of, value)?)
        }
        (Shape::Duration, value) => match value.bits()[..] {
            [seconds, nanos] => format!("std::time::Duration::new({seconds}, {nanos})"),
            _ => return Err(wrong()),
        },
        (Shape::Reference { mutable, to }, Concrete::Reference { to: value, .. }) => {
            reference(*mutable, to, value)?
        }
        (Shape::Box(to), Concrete::Reference { to: value, .. }) => {
            format!("Box::new({})", expression(to, value)?)
        }
        (Shape::Vec(element), Concrete::Slice { elements, .. }) => {
            format!("vec!{}", list(element, elements)?)
        }
        (Shape::Slice(element), Concrete::Slice { elements, .. }) => list(element, elements)?,
        (Shape::String, value) => format!("String::from({:?})", text(value)?),
        (Shape::Str, value) => format!("{:?}", text(value)?),
        _ => return Err(wrong()),
    })
}

/// A path or call without the `::` that a generated module needs before a crate's name.
pub fn readable(path: &str) -> String {
    let mut readable = String::new();
    let mut rest = path;
    while let Some(at) = rest.find("::") {
        let before = &rest[..at];
        readable.push_str(before);
        let last = before.chars().last().or(readable.chars().last());
        let joins = last.is_some_and(|it| it.is_alphanumeric() || it == '_' || it == '>');
        if joins {
            readable.push_str("::");
        }
        rest = &rest[at + 2..];
    }
    readable.push_str(rest);
    let in_scope = ["std::option::Option::", "std::result::Result::"];
    let short = in_scope.iter().find_map(|prefix| readable.strip_prefix(prefix));
    short.map(str::to_owned).unwrap_or(readable)
}

/// What a reference is to lives as long as the statement where the reference is written, if the
/// compiler cannot do better; where that may be too short, for ever.
fn reference(mutable: bool, to: &Shape, value: &Concrete) -> Result<String, NotRun> {
    let inner = expression(to, value)?;
    let is_constant = matches!(
        to,
        Shape::Bool | Shape::Char | Shape::Int { .. } | Shape::Float { .. } | Shape::Slice(_)
    );
    Ok(match (mutable, to) {
        (false, Shape::Str) => inner,
        (true, Shape::Str) => format!("String::from({inner}).leak()"),
        (true, Shape::Slice(_)) => format!("vec!{inner}.leak()"),
        (false, _) if is_constant => format!("&{inner}"),
        (false, _) => format!("&*Box::leak(Box::new({inner}))"),
        (true, _) => format!("Box::leak(Box::new({inner}))"),
    })
}

fn integer(bits: u128, width: u32, signed: bool, name: &str) -> String {
    let most = mask(width);
    let negative = signed && bits >> (width - 1) == 1;
    match bits {
        _ if signed && bits == most >> 1 => format!("{name}::MAX"),
        _ if signed && bits == (most >> 1) + 1 => format!("{name}::MIN"),
        _ if !signed && bits == most && width > 8 => format!("{name}::MAX"),
        _ if negative => format!("-{}", (!bits & most) + 1),
        _ => bits.to_string(),
    }
}

fn float(value: f64, name: &str, finite: impl FnOnce() -> String) -> String {
    if value.is_nan() {
        format!("{name}::NAN")
    } else if value.is_infinite() {
        let sign = if value > 0.0 { "" } else { "NEG_" };
        format!("{name}::{sign}INFINITY")
    } else {
        finite()
    }
}

/// A number whose type nothing else tells.
fn with_type(shape: &Shape, value: &Concrete) -> Result<String, NotRun> {
    let plain = expression(shape, value)?;
    Ok(match shape {
        Shape::Int { name, .. } if !plain.contains(':') => format!("{plain}_{name}"),
        _ => plain,
    })
}

fn variant(variant: &Variant, fields: &[Concrete]) -> Result<String, NotRun> {
    let path = readable(&variant.path);
    let values = all(variant.fields.iter().map(|(_, shape)| shape), fields)?;
    Ok(match variant.style {
        Style::Unit => path,
        Style::Tuple => format!("{path}({})", values.join(", ")),
        Style::Named => {
            let names = variant.fields.iter().map(|(name, _)| name);
            let fields: Vec<_> =
                names.zip(values).map(|(name, value)| format!("{name}: {value}")).collect();
            match fields.is_empty() {
                true => format!("{path} {{}}"),
                false => format!("{path} {{ {} }}", fields.join(", ")),
            }
        }
    })
}

/// `[1, 2]`, or `[1; 20]` where all elements are the same.
fn list(element: &Shape, values: &[Concrete]) -> Result<String, NotRun> {
    let is_copied =
        matches!(element, Shape::Bool | Shape::Char | Shape::Int { .. } | Shape::Float { .. });
    if is_copied && values.len() > 3 && values.iter().all(|value| *value == values[0]) {
        return Ok(format!("[{}; {}]", expression(element, &values[0])?, values.len()));
    }
    Ok(format!("[{}]", all(values.iter().map(|_| element), values)?.join(", ")))
}

fn all<'a>(
    shapes: impl ExactSizeIterator<Item = &'a Shape>,
    values: &[Concrete],
) -> Result<Vec<String>, NotRun> {
    if shapes.len() != values.len() {
        return Err(WrongValue::Form.into());
    }
    shapes.zip(values).map(|(shape, value)| expression(shape, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_with_a_crates_name() {
        assert_eq!(readable("::client::m::f"), "client::m::f");
        assert_eq!(
            readable("<::client::S<::dep::T> as ::std::ops::Add<u8>>::add"),
            "<client::S<dep::T> as std::ops::Add<u8>>::add"
        );
        assert_eq!(readable("::std::option::Option::Some"), "Some");
        assert_eq!(readable("<[::client::S; 2]>::f"), "<[client::S; 2]>::f");
    }

    #[test]
    fn numbers_at_the_edge_have_names() {
        assert_eq!(integer(0xff, 8, true, "i8"), "-1");
        assert_eq!(integer(0x80, 8, true, "i8"), "i8::MIN");
        assert_eq!(integer(0xff, 8, false, "u8"), "255");
        assert_eq!(integer(u128::MAX, 128, false, "u128"), "u128::MAX");
    }
}
