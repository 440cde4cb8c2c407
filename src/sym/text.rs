//! Known values, and functions, for people to read.

use super::memory::State;
use super::shape::{Kind, MAX_DEPTH, Shapes};
use super::value::Value;
use crate::bits;
use crate::cfa::{Function, TyId, TypeKind, Variant};
use crate::solver::{Term, Terms};

/// Stands for what is not known.
const HIDDEN: &str = "_";

impl Shapes<'_> {
    /// A value as `Debug` would show it, with what is behind references in their place; `_` stands
    /// for what is not known. Values of one type with two texts differ where neither has a `_`.
    pub fn text(&self, terms: &mut Terms, state: &State, ty: TyId, value: &Value) -> String {
        Text { shapes: self, state, terms }.at(ty, value, MAX_DEPTH)
    }
}

/// The last part of a function's path, without its type arguments.
pub(super) fn item_name(function: &Function) -> &str {
    let path = function.name.split("::<").next().unwrap_or_default();
    path.rsplit("::").next().unwrap_or_default()
}

struct Text<'t, 's> {
    shapes: &'t Shapes<'s>,
    state: &'t State,
    terms: &'t mut Terms,
}

impl Text<'_, '_> {
    fn at(&mut self, ty: TyId, value: &Value, depth: u32) -> String {
        self.known(ty, value, depth).unwrap_or_else(|| HIDDEN.to_owned())
    }

    fn known(&mut self, ty: TyId, value: &Value, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let program = self.shapes.program;
        let kind = &program.ty(ty).kind;
        Some(match (kind, value) {
            (TypeKind::Struct(only), Value::Fields(fields)) => self.variant(only, fields, depth),
            (TypeKind::Enum(types), Value::Variant { tag, variants }) => {
                let number = self.terms.as_bits(*tag)? as usize;
                self.variant(types.get(number)?, variants.get(number)?, depth)
            }
            (TypeKind::Tuple(parts), Value::Fields(fields)) => {
                match self.all(parts.iter().copied().zip(fields.iter()), depth) {
                    one if one.len() == 1 => format!("({},)", one[0]),
                    more => format!("({})", more.join(", ")),
                }
            }
            (TypeKind::Closure { captures, .. }, Value::Fields(fields)) => {
                let captures = self.all(captures.iter().copied().zip(fields.iter()), depth);
                format!("|..| [{}]", captures.join(", "))
            }
            (TypeKind::FnItem(id), _) => program.function(*id).name.clone(),
            (TypeKind::Array(element, _), Value::Fields(fields)) => {
                self.list(*element, fields, depth)
            }
            (TypeKind::Reference { to, .. }, Value::Pointer(choices)) => {
                match &program.ty(*to).kind {
                    TypeKind::Slice(element) => {
                        let elements = self.state.read_slice(self.terms, choices)?;
                        self.list(*element, &elements, depth)
                    }
                    TypeKind::Str => {
                        let bytes = self.state.read_slice(self.terms, choices)?;
                        let byte = |it: &Value| self.terms.as_bits(it.scalar().ok()?);
                        let bytes: Option<Vec<u8>> =
                            bytes.iter().map(|it| byte(it).map(|it| it as u8)).collect();
                        format!("{:?}", String::from_utf8(bytes?).ok()?)
                    }
                    _ => {
                        let content = self.state.read_choices(self.terms, choices).ok()?;
                        self.at(*to, &content, depth)
                    }
                }
            }
            (_, Value::Scalar(term)) if matches!(self.shapes.kind(ty), Kind::Scalar(_)) => {
                number(kind, known_bits(self.terms, *term)?)
            }
            _ => return None,
        })
    }

    fn variant(&mut self, variant: &Variant, fields: &[Value], depth: u32) -> String {
        let name = &variant.name;
        let types = variant.fields.iter().map(|it| it.ty);
        let values = self.all(types.zip(fields), depth);
        let names = variant.fields.iter().map(|it| it.name.as_str());
        match variant.fields.first() {
            None => name.clone(),
            Some(first) if first.name == "0" => format!("{name}({})", values.join(", ")),
            Some(_) => {
                let fields: Vec<String> =
                    names.zip(values).map(|(name, value)| format!("{name}: {value}")).collect();
                format!("{name} {{ {} }}", fields.join(", "))
            }
        }
    }

    fn list(&mut self, element: TyId, values: &[Value], depth: u32) -> String {
        format!("[{}]", self.all(values.iter().map(|it| (element, it)), depth).join(", "))
    }

    fn all<'v>(
        &mut self,
        values: impl Iterator<Item = (TyId, &'v Value)>,
        depth: u32,
    ) -> Vec<String> {
        values.map(|(ty, value)| self.at(ty, value, depth)).collect()
    }
}

/// The bits of a scalar that is known.
pub(super) fn known_bits(terms: &Terms, term: Term) -> Option<u128> {
    terms.as_bits(term).or_else(|| terms.as_bool(term).map(u128::from))
}

fn number(kind: &TypeKind, bits: u128) -> String {
    match kind {
        TypeKind::Bool => (bits == 1).to_string(),
        TypeKind::Char => match char::from_u32(bits as u32) {
            Some(letter) => format!("{letter:?}"),
            None => HIDDEN.to_owned(),
        },
        TypeKind::Int { bits: width, signed: true } => bits::signed(bits, *width).to_string(),
        TypeKind::Float { bits: 32 } => format!("{:?}", f32::from_bits(bits as u32)),
        TypeKind::Float { bits: 64 } => format!("{:?}", f64::from_bits(bits as u64)),
        TypeKind::Float { .. } => format!("{bits:#x}"),
        _ => bits.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_show_as_what_their_type_says_that_they_are() {
        let int = |bits, signed| TypeKind::Int { bits, signed };
        assert_eq!(number(&int(8, true), 0xff), "-1");
        assert_eq!(number(&int(8, false), 0xff), "255");
        assert_eq!(number(&int(128, true), 1 << 127), i128::MIN.to_string());
        assert_eq!(number(&TypeKind::Bool, 1), "true");
        assert_eq!(number(&TypeKind::Char, 0x41), "'A'");
        assert_eq!(number(&TypeKind::Char, 0xd800), "_");
        assert_eq!(number(&TypeKind::Float { bits: 64 }, 1 << 63), "-0.0");
    }
}
