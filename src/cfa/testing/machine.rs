//! Runs functions over the library's types and tells everything that shows.

use super::library::{self, ARRAY_LENGTH, TO_INT};
use crate::cfa::{
    BinaryOp, Body, Call, Callee, Cfa, Condition, Const, FnId, Function, Op, Operand, Place,
    Program, Projection, Rvalue, TyId, TypeKind,
};
use crate::random::Random;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Uninit,
    /// Modulo 8: with few values, random tests meet equal ones.
    Int(u128),
    /// Of a tuple, struct or array.
    Fields(Vec<Value>),
    /// With the fields of all variants: to read those of another variant gives what was there.
    Enum {
        variant: u32,
        fields: Vec<Vec<Value>>,
    },
    Pointer(Pointer),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pointer {
    frame: usize,
    local: usize,
    path: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Field(usize),
    Variant(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Returned(Value),
    Panicked,
    Aborted,
    OutOfFuel,
    /// A value without content was used, or control came where it must not.
    Undefined(&'static str),
}

/// Everything that shows of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    pub outcome: Outcome,
    pub told: Vec<(FnId, Value)>,
    /// What stands behind the pointers among the arguments.
    pub outside: Vec<Value>,
}

impl Behaviour {
    /// Whether `other`, which had more fuel, can be the same run of another form.
    pub fn allows(&self, other: &Behaviour) -> bool {
        match self.outcome {
            Outcome::OutOfFuel => other.told.starts_with(&self.told),
            _ => self == other,
        }
    }
}

/// Runs a function; `input` decides the arguments.
pub fn run(program: &Program, function: &Function, input: u32, fuel: u32) -> Behaviour {
    // Frame 0 is what is outside: two ints and a choice for each pointer parameter.
    let mut machine =
        Machine { program, frames: vec![vec![]], told: vec![], fuel, remembered: None };
    let mut random = Random::new(input.into());
    let mut args = Vec::new();
    for local in &function.locals[1..=function.params as usize] {
        let arg = machine.argument(local.ty, &mut random);
        args.push(arg);
    }
    let outcome = match machine.call_body(function, args) {
        Ok(value) if value.has_holes() => Outcome::Undefined("a hole is returned"),
        Ok(value) => Outcome::Returned(value),
        Err(outcome) => outcome,
    };
    let Machine { mut frames, told, .. } = machine;
    Behaviour { outcome, told, outside: frames.swap_remove(0) }
}

struct Machine<'a> {
    program: &'a Program,
    frames: Vec<Vec<Value>>,
    told: Vec<(FnId, Value)>,
    fuel: u32,
    remembered: Option<Pointer>,
}

/// Of an enum that has parts at most.
const NO_VARIANT: u32 = u32::MAX;

type Run<T> = Result<T, Outcome>;

impl Value {
    fn has_holes(&self) -> bool {
        match self {
            Value::Uninit => true,
            Value::Int(_) | Value::Pointer(_) => false,
            Value::Fields(fields) => fields.iter().any(Value::has_holes),
            Value::Enum { variant, fields } => {
                *variant == NO_VARIANT || fields.iter().flatten().any(Value::has_holes)
            }
        }
    }
}

impl Machine<'_> {
    fn argument(&mut self, ty: TyId, random: &mut Random) -> Value {
        let number = random.number() >> 32;
        match &self.program.ty(ty).kind {
            TypeKind::Int { .. } => Value::Int(u128::from(number % 8)),
            TypeKind::Reference { to, .. } => {
                // Two pointers may point to one thing.
                let known = (0..self.frames[0].len()).find(|&it| {
                    number % 3 == 0 && matches!(self.frames[0][it], Value::Int(_)) == (ty == TO_INT)
                });
                let local = known.unwrap_or_else(|| {
                    let value = self.argument(*to, random);
                    self.frames[0].push(value);
                    self.frames[0].len() - 1
                });
                Value::Pointer(Pointer { frame: 0, local, path: vec![] })
            }
            TypeKind::Tuple(parts) => Value::Fields(
                parts.clone().iter().map(|&part| self.argument(part, random)).collect(),
            ),
            TypeKind::Enum(variants) => {
                let variants = variants.clone();
                let variant = number as u32 % variants.len() as u32;
                let fields = variants
                    .iter()
                    .map(|it| it.fields.iter().map(|it| self.argument(it.ty, random)).collect())
                    .collect();
                Value::Enum { variant, fields }
            }
            _ => self.default(ty),
        }
    }

    /// The value of a local before it is assigned: nothing but holes.
    fn holes(&self, ty: TyId) -> Value {
        fn empty(value: &mut Value) {
            match value {
                Value::Fields(fields) => fields.iter_mut().for_each(empty),
                Value::Enum { variant, fields } => {
                    *variant = NO_VARIANT;
                    fields.iter_mut().flatten().for_each(empty);
                }
                _ => *value = Value::Uninit,
            }
        }
        let mut value = self.default(ty);
        empty(&mut value);
        value
    }

    fn default(&self, ty: TyId) -> Value {
        let all =
            |types: &mut dyn Iterator<Item = TyId>| types.map(|ty| self.default(ty)).collect();
        match &self.program.ty(ty).kind {
            TypeKind::Tuple(parts) => Value::Fields(all(&mut parts.iter().copied())),
            TypeKind::Struct(only) => Value::Fields(all(&mut only.fields.iter().map(|it| it.ty))),
            TypeKind::Array(element, _) => {
                Value::Fields(vec![self.default(*element); ARRAY_LENGTH])
            }
            TypeKind::Enum(variants) => {
                let fields =
                    variants.iter().map(|it| all(&mut it.fields.iter().map(|it| it.ty))).collect();
                Value::Enum { variant: 0, fields }
            }
            _ => Value::Int(0),
        }
    }

    fn call_body(&mut self, function: &Function, args: Vec<Value>) -> Run<Value> {
        let cfa = function.cfa().expect("it has a body");
        let mut locals: Vec<Value> =
            function.locals.iter().map(|local| self.holes(local.ty)).collect();
        for (local, arg) in locals[1..].iter_mut().zip(args) {
            *local = arg;
        }
        let frame = self.frames.len();
        self.frames.push(locals);
        self.execute(function, cfa, frame)?;
        Ok(self.frames[frame][0].clone())
    }

    fn execute(&mut self, function: &Function, cfa: &Cfa, frame: usize) -> Run<()> {
        let mut out = vec![Vec::new(); cfa.locations as usize];
        cfa.edges.iter().for_each(|edge| out[edge.from.index()].push(edge));
        let mut at = Cfa::ENTRY;
        while at != cfa.exit() {
            if self.fuel == 0 {
                return Err(Outcome::OutOfFuel);
            }
            self.fuel -= 1;
            let mut taken = None;
            for &edge in &out[at.index()] {
                if taken.is_none() && self.allows(&edge.op, frame)? {
                    taken = Some(edge);
                }
            }
            let edge = taken.ok_or(Outcome::Undefined("no way on"))?;
            at = match (self.step(function, &edge.op, frame), edge.op.unwind()) {
                (Ok(()), _) => edge.to,
                (Err(Outcome::Panicked), Some(unwind)) => unwind,
                (Err(outcome), _) => return Err(outcome),
            };
        }
        Ok(())
    }

    fn allows(&self, op: &Op, frame: usize) -> Run<bool> {
        Ok(match op {
            Op::Assume(Condition::Equals(operand, value)) => self.int(operand, frame)? == *value,
            Op::Assume(Condition::NoneOf(operand, values)) => {
                !values.contains(&self.int(operand, frame)?)
            }
            _ => true,
        })
    }

    fn step(&mut self, function: &Function, op: &Op, frame: usize) -> Run<()> {
        match op {
            Op::Nop | Op::Assume(_) => Ok(()),
            Op::Assign(place, rvalue) => {
                let value = self.rvalue(function, rvalue, frame)?;
                let target = self.resolve(place, frame)?;
                self.write(&target, value)
            }
            Op::SetDiscriminant(place, to) => {
                let target = self.resolve(place, frame)?;
                match self.at_mut(&target)? {
                    Value::Enum { variant, .. } => *variant = *to,
                    _ => return Err(Outcome::Undefined("the discriminant of a hole is set")),
                }
                Ok(())
            }
            Op::Call(call) => self.call(call, frame),
            Op::Panic { .. } | Op::Resume => Err(Outcome::Panicked),
            Op::Abort => Err(Outcome::Aborted),
            Op::Unreachable => Err(Outcome::Undefined("came where it is promised not to")),
            Op::CopyMemory { .. } | Op::Unsupported { .. } => panic!("{op:?} is not generated"),
        }
    }

    fn call(&mut self, call: &Call, frame: usize) -> Run<()> {
        let Callee::Function(callee) = call.callee else {
            panic!("{call:?} is not generated");
        };
        let args: Vec<Value> =
            call.args.iter().map(|arg| self.operand(arg, frame)).collect::<Run<_>>()?;
        // Where the result goes is settled before the call.
        let target = self.resolve(&call.result, frame)?;
        let function = self.program.function(callee);
        let value = match function.body {
            Body::Cfa(_) => self.call_body(function, args)?,
            _ => self.opaque(callee, args)?,
        };
        self.write(&target, value)
    }

    fn opaque(&mut self, callee: FnId, mut args: Vec<Value>) -> Run<Value> {
        let int = |value: &Value| match value {
            Value::Int(value) => Ok(*value),
            _ => Err(Outcome::Undefined("a hole is told")),
        };
        match callee {
            library::TELL => {
                let value = int(&args[0])?;
                self.told.push((callee, Value::Int(value)));
                if value == 3 { Err(Outcome::Panicked) } else { Ok(Value::Int((value + 1) % 8)) }
            }
            library::TELL_CHOICE => {
                let choice = args.remove(0);
                let Value::Enum { variant, ref fields } = choice else {
                    return Err(Outcome::Undefined("a hole is told"));
                };
                let first = int(&fields[0][0])?;
                let flow = Value::Enum {
                    variant: u32::from(variant == 1),
                    fields: vec![vec![Value::Int(first)], vec![choice.clone()]],
                };
                if choice.has_holes() {
                    return Err(Outcome::Undefined("a hole is told"));
                }
                self.told.push((callee, choice));
                Ok(flow)
            }
            library::TOUCH | library::POKE => {
                let (pointer, step) = match (callee, args.pop()) {
                    (library::TOUCH, Some(Value::Pointer(pointer))) => (Some(pointer), 1),
                    (library::POKE, None) => (self.remembered.clone(), 3),
                    _ => return Err(Outcome::Undefined("a hole is touched")),
                };
                let Some(pointer) = pointer else { return Ok(Value::Int(0)) };
                let value = int(self.at(&pointer)?)?;
                self.told.push((callee, Value::Int(value)));
                self.write(&pointer, Value::Int((value + step) % 8))?;
                self.remembered = Some(pointer);
                Ok(if callee == library::POKE { Value::Int(value) } else { Value::Fields(vec![]) })
            }
            other => panic!("{other:?} has no code"),
        }
    }

    fn rvalue(&self, function: &Function, rvalue: &Rvalue, frame: usize) -> Run<Value> {
        Ok(match rvalue {
            Rvalue::Use(operand) | Rvalue::Cast(_, operand, _) => {
                match (rvalue, self.operand(operand, frame)?) {
                    (Rvalue::Cast(..), Value::Int(value)) => Value::Int(value % 8),
                    (_, value) => value,
                }
            }
            Rvalue::Ref { place, .. } | Rvalue::RawPtr { place, .. } => {
                Value::Pointer(self.resolve(place, frame)?)
            }
            Rvalue::Binary(op, left, right) => {
                let (left, right) = (self.int(left, frame)?, self.int(right, frame)?);
                Value::Int(match op {
                    BinaryOp::Add => (left + right) % 8,
                    BinaryOp::Sub => (left + 8 - right) % 8,
                    BinaryOp::BitXor => left ^ right,
                    BinaryOp::Lt => u128::from(left < right),
                    BinaryOp::Eq => u128::from(left == right),
                    other => panic!("{other:?} is not generated"),
                })
            }
            Rvalue::Discriminant(place) => {
                let ty = self
                    .program
                    .place_type(&function.locals, place.local, &place.projections)
                    .expect("places have types");
                let TypeKind::Enum(variants) = &self.program.ty(ty).kind else {
                    panic!("only enums are asked");
                };
                let variant = match self.at(&self.resolve(place, frame)?)? {
                    _ if variants.len() == 1 => 0,
                    Value::Enum { variant, .. } if *variant != NO_VARIANT => *variant as usize,
                    _ => return Err(Outcome::Undefined("a hole is asked for its variant")),
                };
                match variants.get(variant) {
                    Some(variant) => Value::Int(variant.discriminant),
                    None => return Err(Outcome::Undefined("a variant that there is not")),
                }
            }
            Rvalue::Aggregate { ty, variant, fields } => {
                let given =
                    fields.iter().map(|it| self.operand(it, frame)).collect::<Run<Vec<_>>>()?;
                match self.default(*ty) {
                    Value::Enum { mut fields, .. } => {
                        fields[*variant as usize] = given;
                        Value::Enum { variant: *variant, fields }
                    }
                    _ => Value::Fields(given),
                }
            }
            other => panic!("{other:?} is not generated"),
        })
    }

    fn operand(&self, operand: &Operand, frame: usize) -> Run<Value> {
        match operand {
            Operand::Const(Const::Bits { bits, .. }) => Ok(Value::Int(*bits)),
            Operand::Const(Const::ZeroSized(ty)) => Ok(self.default(*ty)),
            Operand::Read(place) => self.at(&self.resolve(place, frame)?).cloned(),
            other => panic!("{other:?} is not generated"),
        }
    }

    fn int(&self, operand: &Operand, frame: usize) -> Run<u128> {
        match self.operand(operand, frame)? {
            Value::Int(value) => Ok(value),
            _ => Err(Outcome::Undefined("a hole is used")),
        }
    }

    fn resolve(&self, place: &Place, frame: usize) -> Run<Pointer> {
        let mut pointer = Pointer { frame, local: place.local.index(), path: vec![] };
        for projection in &place.projections {
            match projection {
                Projection::Deref => match self.at(&pointer)? {
                    Value::Pointer(to) => pointer = to.clone(),
                    _ => return Err(Outcome::Undefined("a hole is followed")),
                },
                Projection::Field(field) => pointer.path.push(Step::Field(*field as usize)),
                Projection::Variant(variant) => pointer.path.push(Step::Variant(*variant as usize)),
                Projection::Index(local) => {
                    let index = self.int(&Operand::Read(Place::local(*local)), frame)? as usize;
                    pointer.path.push(Step::Field(index % ARRAY_LENGTH));
                }
                Projection::ConstantIndex { offset, from_end } => {
                    let offset = *offset as usize;
                    let index = if *from_end { ARRAY_LENGTH - offset } else { offset };
                    pointer.path.push(Step::Field(index));
                }
                other => panic!("{other:?} is not generated"),
            }
        }
        Ok(pointer)
    }

    fn at(&self, pointer: &Pointer) -> Run<&Value> {
        let mut value = &self.frames[pointer.frame][pointer.local];
        let mut variant = 0;
        for step in &pointer.path {
            value = match (step, value) {
                (Step::Variant(number), _) => {
                    variant = *number;
                    continue;
                }
                (Step::Field(field), Value::Fields(fields)) => &fields[*field],
                (Step::Field(field), Value::Enum { fields, .. }) => &fields[variant][*field],
                _ => return Err(Outcome::Undefined("a part of a hole is used")),
            };
        }
        Ok(value)
    }

    fn at_mut(&mut self, pointer: &Pointer) -> Run<&mut Value> {
        let mut value = &mut self.frames[pointer.frame][pointer.local];
        let mut variant = 0;
        for step in &pointer.path {
            value = match (step, value) {
                (Step::Variant(number), same) => {
                    variant = *number;
                    same
                }
                (Step::Field(field), Value::Fields(fields)) => &mut fields[*field],
                (Step::Field(field), Value::Enum { fields, .. }) => &mut fields[variant][*field],
                _ => return Err(Outcome::Undefined("a part of a hole is assigned")),
            };
        }
        Ok(value)
    }

    fn write(&mut self, pointer: &Pointer, value: Value) -> Run<()> {
        *self.at_mut(pointer)? = value;
        Ok(())
    }
}
