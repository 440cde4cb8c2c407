//! How values of a type are written in Rust from outside of the client.

use super::value::Concrete;
use crate::bits::mask;
use crate::cfa::{
    ArrayLen, OutsideType, Program, StdType, Stored, Style, TyId, Type, TypeKind,
    Variant as TypeVariant,
};
use crate::model::{NotRun, NotWritable, WrongValue};

/// The deepest nesting that is written down; deeper ones are types that contain themselves.
const DEEPEST: usize = 24;

/// A type whose values can be written down.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Bool,
    Char,
    Int {
        bits: u32,
        signed: bool,
        name: String,
    },
    Float {
        bits: u32,
    },
    Tuple(Vec<Shape>),
    Array(Box<Shape>, u64),
    Struct(Variant),
    /// Variants that cannot be written have the reason instead.
    Enum(Vec<Result<Variant, NotRun>>),
    /// A struct with private fields, and functions that make it; each fits some values.
    Made(Vec<Constructor>),
    NonZero(Box<Shape>),
    /// Seconds and nanoseconds.
    Duration,
    Reference {
        mutable: bool,
        to: Box<Shape>,
    },
    Box(Box<Shape>),
    Vec(Box<Shape>),
    String,
    /// Only behind a reference.
    Slice(Box<Shape>),
    /// Only behind a reference.
    Str,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    pub path: String,
    pub style: Style,
    pub fields: Vec<(String, Shape)>,
}

/// A function that stores its parameters in a new value.
#[derive(Clone, Debug, PartialEq)]
pub struct Constructor {
    pub call: String,
    pub parameters: Vec<Shape>,
    pub fields: Vec<Stored>,
}

impl Shape {
    /// Or why values of the type cannot be written down.
    pub fn of(program: &Program, ty: TyId) -> Result<Shape, NotRun> {
        Reader { program, depth: 0 }.ty(ty)
    }

    /// The numbers by which the generated program knows a value; see `decode`.
    pub fn words(&self, value: &Concrete, words: &mut Vec<u128>) -> Result<(), NotRun> {
        match (self, value) {
            (Shape::Char, value) => {
                // Without the gap in the middle, so that every word is a char.
                let number = self.scalar(value)?;
                words.push(if number < 0xd800 { number } else { number - 0x800 });
            }
            (Shape::Bool | Shape::Int { .. } | Shape::Float { .. }, value) => {
                words.push(self.scalar(value)?);
            }
            (Shape::NonZero(of), value) => match of.scalar(value)? {
                0 => return Err(WrongValue::Zero.into()),
                bits => words.push(bits),
            },
            (Shape::Duration, value) => match value.bits()[..] {
                [seconds, nanos] if nanos < 1_000_000_000 => words.extend([seconds, nanos]),
                _ => return Err(WrongValue::Duration.into()),
            },
            (Shape::Tuple(shapes), Concrete::Fields { fields, .. }) => {
                all_words(shapes.iter(), fields, words)?;
            }
            (Shape::Array(element, len), Concrete::Fields { fields, .. })
                if fields.len() as u64 == *len =>
            {
                all_words(fields.iter().map(|_| &**element), fields, words)?;
            }
            (Shape::Struct(only), Concrete::Fields { fields, .. }) => {
                all_words(only.fields.iter().map(|(_, shape)| shape), fields, words)?;
            }
            (Shape::Enum(variants), Concrete::Variant { variant, fields, .. }) => {
                let chosen = variants.get(*variant as usize).ok_or(WrongValue::NoVariant)?;
                let chosen = chosen.as_ref().map_err(NotRun::clone)?;
                words.push(u128::from(*variant));
                all_words(chosen.fields.iter().map(|(_, shape)| shape), fields, words)?;
            }
            (Shape::Made(makers), Concrete::Fields { fields, .. }) => {
                let (number, arguments) = choose(makers, fields)?;
                words.push(number as u128);
                all_words(makers[number].parameters.iter(), &arguments, words)?;
            }
            (
                Shape::Reference { to, .. } | Shape::Box(to),
                Concrete::Reference { to: value, .. },
            ) => {
                to.words(value, words)?;
            }
            (Shape::Slice(element) | Shape::Vec(element), Concrete::Slice { elements, .. }) => {
                words.push(elements.len() as u128);
                all_words(elements.iter().map(|_| &**element), elements, words)?;
            }
            (Shape::Str | Shape::String, Concrete::Slice { .. }) => {
                let text = text(value)?;
                words.push(text.len() as u128);
                words.extend(text.bytes().map(u128::from));
            }
            _ => return Err(WrongValue::Form.into()),
        }
        Ok(())
    }

    /// The bits of an integer, bool, char or float, if it is one that Rust allows.
    pub fn scalar(&self, value: &Concrete) -> Result<u128, NotRun> {
        let bits = match value.bits()[..] {
            [bits] => bits,
            _ => return Err(WrongValue::Form.into()),
        };
        match self {
            Shape::Bool if bits > 1 => Err(WrongValue::Bool(bits).into()),
            Shape::Char if u32::try_from(bits).ok().and_then(char::from_u32).is_none() => {
                Err(WrongValue::Char(bits).into())
            }
            Shape::Int { bits: width, .. } | Shape::Float { bits: width } => {
                Ok(bits & mask(*width))
            }
            _ => Ok(bits),
        }
    }
}

/// The text of a `str` or `String`.
pub fn text(value: &Concrete) -> Result<String, NotRun> {
    let bytes: Option<Vec<u8>> = value.bits().iter().map(|bits| u8::try_from(*bits).ok()).collect();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| WrongValue::NoText.into())
}

/// Which function makes a value with these fields, and from which arguments.
pub fn choose(
    makers: &[Constructor],
    fields: &[Concrete],
) -> Result<(usize, Vec<Concrete>), NotRun> {
    let fitting = makers.iter().enumerate().find_map(|(number, maker)| {
        let mut arguments = vec![None; maker.parameters.len()];
        fit(&maker.fields, fields, &mut arguments)?;
        Some((number, arguments.into_iter().collect::<Option<Vec<_>>>()?))
    });
    fitting.ok_or_else(|| WrongValue::NoConstructor.into())
}

fn fit(stored: &[Stored], fields: &[Concrete], arguments: &mut [Option<Concrete>]) -> Option<()> {
    if stored.len() != fields.len() {
        return None;
    }
    for (stored, field) in stored.iter().zip(fields) {
        match stored {
            Stored::Parameter(number) => arguments[*number as usize] = Some(field.clone()),
            Stored::Bits(bits) => (field.bits() == [*bits]).then_some(())?,
            Stored::Fields(parts) => match field {
                Concrete::Fields { fields, .. } => fit(parts, fields, arguments)?,
                _ => return None,
            },
        }
    }
    Some(())
}

fn all_words<'a>(
    shapes: impl ExactSizeIterator<Item = &'a Shape>,
    values: &[Concrete],
    words: &mut Vec<u128>,
) -> Result<(), NotRun> {
    if shapes.len() != values.len() {
        return Err(WrongValue::Form.into());
    }
    shapes.zip(values).try_for_each(|(shape, value)| shape.words(value, words))
}

struct Reader<'a> {
    program: &'a Program,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn ty(&mut self, id: TyId) -> Result<Shape, NotRun> {
        let ty = self.program.ty(id);
        if self.depth == DEEPEST {
            return Err(NotRun::Type(ty.name.clone(), NotWritable::Recursive));
        }
        self.depth += 1;
        let shape = self.open(id, ty);
        self.depth -= 1;
        shape
    }

    fn boxed(&mut self, id: TyId) -> Result<Box<Shape>, NotRun> {
        self.ty(id).map(Box::new)
    }

    fn open(&mut self, id: TyId, ty: &Type) -> Result<Shape, NotRun> {
        Ok(match &ty.kind {
            TypeKind::Bool => Shape::Bool,
            TypeKind::Char => Shape::Char,
            TypeKind::Int { bits, signed } => {
                Shape::Int { bits: *bits, signed: *signed, name: ty.name.clone() }
            }
            TypeKind::Float { bits: bits @ (32 | 64) } => Shape::Float { bits: *bits },
            TypeKind::Tuple(parts) => {
                Shape::Tuple(parts.iter().map(|part| self.ty(*part)).collect::<Result<_, _>>()?)
            }
            TypeKind::Array(element, ArrayLen::Known(len)) => {
                Shape::Array(self.boxed(*element)?, *len)
            }
            TypeKind::Slice(element) => Shape::Slice(self.boxed(*element)?),
            TypeKind::Str => Shape::Str,
            TypeKind::Reference { to, mutable } => {
                Shape::Reference { mutable: *mutable, to: self.boxed(*to)? }
            }
            TypeKind::Struct(only) => {
                let outside = self.outside(id, ty)?;
                match self.well_known(ty, outside)? {
                    Some(shape) => shape,
                    None => self.structure(ty, only, outside)?,
                }
            }
            TypeKind::Enum(variants) => {
                let outside = self.outside(id, ty)?;
                let path = path(ty, outside)?;
                let variants = variants.iter().enumerate();
                Shape::Enum(
                    variants
                        .map(|(number, it)| {
                            self.variant(
                                ty,
                                it,
                                format!("{path}::{}", raw(&it.name)),
                                outside,
                                number,
                            )
                        })
                        .collect(),
                )
            }
            _ => return Err(NotRun::Type(ty.name.clone(), NotWritable::NoExpression)),
        })
    }

    fn outside(&self, id: TyId, ty: &Type) -> Result<&'a OutsideType, NotRun> {
        let outside = self.program.outside.get(&id);
        outside.ok_or_else(|| NotRun::Type(ty.name.clone(), NotWritable::Unseen))
    }

    /// Types of the standard library whose fields are private, but whose values have one form.
    fn well_known(&mut self, ty: &Type, outside: &OutsideType) -> Result<Option<Shape>, NotRun> {
        let Some(known) = ty.std else {
            return Ok(None);
        };
        let of = |reader: &mut Self| match outside.args.first() {
            Some(arg) => reader.boxed(*arg),
            None => Err(NotRun::Type(ty.name.clone(), NotWritable::NoExpression)),
        };
        Ok(Some(match known {
            StdType::NonZero => Shape::NonZero(of(self)?),
            StdType::Duration => Shape::Duration,
            StdType::Box => match of(self)? {
                to if matches!(*to, Shape::Slice(_) | Shape::Str) => return Ok(None),
                to => Shape::Box(to),
            },
            StdType::Vec => Shape::Vec(of(self)?),
            StdType::String => Shape::String,
            StdType::UnsafeCell | StdType::Rc | StdType::Arc | StdType::Option => return Ok(None),
        }))
    }

    fn structure(
        &mut self,
        ty: &Type,
        only: &TypeVariant,
        outside: &OutsideType,
    ) -> Result<Shape, NotRun> {
        if outside.variants.first().is_some_and(|it| it.buildable) {
            return Ok(Shape::Struct(self.variant(ty, only, path(ty, outside)?, outside, 0)?));
        }
        let mut makers = Vec::new();
        for constructor in &outside.constructors {
            let mut parameters = vec![None; constructor.parameters as usize];
            self.parameters(&constructor.fields, only, &mut parameters)?;
            if let Some(parameters) = parameters.into_iter().collect() {
                let (call, fields) = (constructor.call.clone(), constructor.fields.clone());
                makers.push(Constructor { call, parameters, fields });
            }
        }
        match makers.is_empty() {
            false => Ok(Shape::Made(makers)),
            true => Err(NotRun::Type(ty.name.clone(), NotWritable::PrivateFields)),
        }
    }

    fn parameters(
        &mut self,
        stored: &[Stored],
        only: &TypeVariant,
        parameters: &mut [Option<Shape>],
    ) -> Result<(), NotRun> {
        for (stored, field) in stored.iter().zip(&only.fields) {
            match stored {
                Stored::Parameter(number) => {
                    parameters[*number as usize] = Some(self.ty(field.ty)?);
                }
                Stored::Bits(_) => {}
                Stored::Fields(parts) => {
                    if let TypeKind::Struct(inner) = &self.program.ty(field.ty).kind {
                        self.parameters(parts, inner, parameters)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn variant(
        &mut self,
        ty: &Type,
        variant: &TypeVariant,
        path: String,
        outside: &OutsideType,
        number: usize,
    ) -> Result<Variant, NotRun> {
        let seen = outside.variants.get(number).filter(|it| it.buildable);
        let style = seen.map(|it| it.style).ok_or_else(|| {
            NotRun::Type(ty.name.clone(), NotWritable::Variant(variant.name.clone()))
        })?;
        let fields = variant
            .fields
            .iter()
            .map(|field| Ok((raw(&field.name), self.ty(field.ty)?)))
            .collect::<Result<_, NotRun>>()?;
        Ok(Variant { path, style, fields })
    }
}

fn path(ty: &Type, outside: &OutsideType) -> Result<String, NotRun> {
    outside.path.clone().ok_or_else(|| NotRun::Type(ty.name.clone(), NotWritable::NoPath))
}

/// A name that may be a keyword, as it is written.
pub fn raw(name: &str) -> String {
    const KEYWORDS: &[&str] = &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do",
        "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in",
        "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
        "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe",
        "unsized", "use", "virtual", "where", "while", "yield",
    ];
    if KEYWORDS.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}
