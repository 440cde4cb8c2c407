//! Random functions that compile: expressions and statements by type.

use cargo_cse::bits::mask;
use cargo_cse::random::Random;

/// A number of at most so many bits, most often a small one.
pub fn constant(random: &mut Random, bits: u32) -> u128 {
    let most = mask(bits);
    match random.below(6) {
        0 => random.wide() & most,
        1 => most - (random.wide() & 3),
        2 => 1 << random.below(bits as usize),
        _ => (random.wide() % 20) & most,
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Ty {
    Int(&'static str),
    Float(&'static str),
    Bool,
    Char,
    Ordering,
    Shape,
    Pair,
    Option(Box<Ty>),
    Tuple(Box<Ty>, Box<Ty>),
    Array(Box<Ty>, usize),
}

const INTS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

impl Ty {
    fn name(&self) -> String {
        match self {
            Ty::Int(name) | Ty::Float(name) => (*name).to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::Char => "char".to_owned(),
            Ty::Ordering => "Ordering".to_owned(),
            Ty::Shape => "Shape".to_owned(),
            Ty::Pair => "Pair".to_owned(),
            Ty::Option(of) => format!("Option<{}>", of.name()),
            Ty::Tuple(a, b) => format!("({}, {})", a.name(), b.name()),
            Ty::Array(of, length) => format!("[{}; {length}]", of.name()),
        }
    }

    fn bits(&self) -> u32 {
        match self {
            Ty::Int(name) => name[1..].parse().unwrap_or(64),
            _ => 64,
        }
    }

    fn is_signed(&self) -> bool {
        matches!(self, Ty::Int(name) if name.starts_with('i'))
    }
}

/// `fn (a: i32, b: &mut u8) -> bool { … }`
pub fn random_function(random: &mut Random) -> String {
    let mut writer = Writer {
        random,
        vars: Vec::new(),
        made: 0,
        fuel: 60,
        result: None,
        in_loop: false,
        // Few types, so that variables meet.
        ints: Vec::new(),
    };
    for _ in 0..3 {
        let int = *writer.random.pick(&INTS);
        writer.ints.push(int);
    }
    let mut params = Vec::new();
    for _ in 0..1 + writer.random.below(4) {
        let ty = writer.ty(1);
        let name = writer.new_name();
        if writer.random.chance(15) {
            params.push(format!("{name}: &mut {}", ty.name()));
            writer.vars.push((format!("(*{name})"), ty, true));
        } else {
            params.push(format!("{name}: {}", ty.name()));
            writer.vars.push((name, ty, false));
        }
    }
    let result = writer.ty(1);
    writer.result = Some(result.clone());
    let count = 1 + writer.random.below(5);
    let body = writer.statements(count, 1);
    let last = writer.expr(&result, 4);
    format!("fn ({}) -> {} {{\n{body}    {last}\n}}", params.join(", "), result.name())
}

struct Writer<'r> {
    random: &'r mut Random,
    /// How a variable is written, its type, whether it can be assigned.
    vars: Vec<(String, Ty, bool)>,
    made: usize,
    /// How many more expressions with parts there may be.
    fuel: usize,
    /// What can be returned; nothing inside closures.
    result: Option<Ty>,
    in_loop: bool,
    ints: Vec<&'static str>,
}

impl Writer<'_> {
    fn new_name(&mut self) -> String {
        self.made += 1;
        format!("v{}", self.made)
    }

    fn int(&mut self) -> Ty {
        Ty::Int(match self.random.chance(85) {
            true => self.random.pick(&self.ints),
            false => self.random.pick(&INTS),
        })
    }

    fn ty(&mut self, depth: usize) -> Ty {
        match self.random.below(if depth == 0 { 12 } else { 19 }) {
            0..8 => self.int(),
            8 => Ty::Float(self.random.pick(&["f32", "f64"])),
            9 => Ty::Bool,
            10 => Ty::Char,
            11 => Ty::Ordering,
            12 => Ty::Shape,
            13 => Ty::Pair,
            14 | 15 => Ty::Option(Box::new(self.ty(depth - 1))),
            16 => Ty::Tuple(Box::new(self.ty(depth - 1)), Box::new(self.ty(depth - 1))),
            _ => Ty::Array(Box::new(self.ty(depth - 1)), 1 + self.random.below(4)),
        }
    }

    fn var(&mut self, ty: &Ty) -> Option<String> {
        let found: Vec<String> =
            self.vars.iter().filter(|it| it.1 == *ty).map(|it| it.0.clone()).collect();
        (!found.is_empty()).then(|| self.random.pick(&found).clone())
    }

    fn mutable(&mut self) -> Option<(String, Ty)> {
        let found: Vec<(String, Ty)> =
            self.vars.iter().filter(|it| it.2).map(|it| (it.0.clone(), it.1.clone())).collect();
        (!found.is_empty()).then(|| self.random.pick(&found).clone())
    }

    fn literal(&mut self, ty: &Ty) -> String {
        let value = constant(self.random, ty.bits() - u32::from(ty.is_signed()));
        match ty.is_signed() && self.random.chance(40) {
            true => format!("(-{value}{})", ty.name()),
            false => format!("{value}{}", ty.name()),
        }
    }

    /// A body in which some more variables can be read.
    fn with(&mut self, vars: &[(&str, &Ty)], write: impl FnOnce(&mut Self) -> String) -> String {
        let before = self.vars.len();
        self.vars.extend(vars.iter().map(|it| (it.0.to_owned(), it.1.clone(), false)));
        let text = write(self);
        self.vars.truncate(before);
        text
    }

    /// A closure of one parameter.
    fn closure(&mut self, of: &Ty, to: &Ty, depth: usize) -> String {
        let name = self.new_name();
        let body = self.inside(|this| this.with(&[(&name, of)], |this| this.expr(to, depth)));
        format!("|{name}: {}| {body}", of.name())
    }

    /// The inside of a closure, which cannot leave the function nor a loop, nor assign.
    fn inside(&mut self, write: impl FnOnce(&mut Self) -> String) -> String {
        let result = self.result.take();
        let in_loop = std::mem::replace(&mut self.in_loop, false);
        let text = self.sealed(write);
        self.result = result;
        self.in_loop = in_loop;
        text
    }

    /// Where no variable can be assigned: something else may read it at the same time.
    fn sealed(&mut self, write: impl FnOnce(&mut Self) -> String) -> String {
        let vars = self.vars.clone();
        self.vars.iter_mut().for_each(|it| it.2 = false);
        let text = write(self);
        self.vars = vars;
        text
    }

    fn expr(&mut self, ty: &Ty, depth: usize) -> String {
        if depth == 0 || self.fuel == 0 || self.random.chance(15) {
            return self.simple(ty);
        }
        self.fuel -= 1;
        let depth = depth - 1;
        if self.random.chance(25) {
            return self.control(ty, depth);
        }
        match ty {
            Ty::Int(_) => self.int_expr(ty, depth),
            Ty::Float(_) => self.float_expr(ty, depth),
            Ty::Bool => self.bool_expr(depth),
            Ty::Char => match self.random.below(4) {
                0 => format!("({} as char)", self.expr(&Ty::Int("u8"), depth)),
                1 => format!(
                    "char::from_u32({}).unwrap_or({})",
                    self.expr(&Ty::Int("u32"), depth),
                    self.simple(ty)
                ),
                2 => format!(
                    "char::from_digit({} % 12, 10).unwrap()",
                    self.expr(&Ty::Int("u32"), depth)
                ),
                _ => format!("{}.to_ascii_uppercase()", self.expr(ty, depth)),
            },
            Ty::Ordering => match self.random.below(3) {
                0 => {
                    let of = self.int();
                    format!("{}.cmp(&{})", self.expr(&of, depth), self.expr(&of, depth))
                }
                1 => format!("{}.reverse()", self.expr(ty, depth)),
                _ => format!("{}.then({})", self.expr(ty, depth), self.expr(ty, depth)),
            },
            Ty::Shape => match self.random.below(4) {
                0 => "Shape::Dot".to_owned(),
                1 => format!("Shape::Circle({})", self.expr(&Ty::Int("u8"), depth)),
                2 => format!(
                    "Shape::Rect {{ w: {}, h: {} }}",
                    self.expr(&Ty::Int("i16"), depth),
                    self.expr(&Ty::Int("i16"), depth)
                ),
                _ => format!(
                    "Shape::Named({}, {})",
                    self.expr(&Ty::Char, depth),
                    self.expr(&Ty::Bool, depth)
                ),
            },
            Ty::Pair => match self.random.below(3) {
                0 => format!(
                    "Pair {{ x: {}, ..{} }}",
                    self.expr(&Ty::Int("i32"), depth),
                    self.simple(ty)
                ),
                _ => format!(
                    "Pair {{ x: {}, y: {} }}",
                    self.expr(&Ty::Int("i32"), depth),
                    self.expr(&Ty::Int("u8"), depth)
                ),
            },
            Ty::Option(of) => self.option_expr(ty, of, depth),
            Ty::Tuple(a, b) => match self.random.below(3) {
                0 => {
                    let name = self.new_name();
                    let pair = self.expr(ty, depth);
                    let body = self
                        .with(&[(&format!("{name}.0"), a), (&format!("{name}.1"), b)], |this| {
                            format!("({}, {})", this.expr(a, depth), this.expr(b, depth))
                        });
                    format!("({{ let {name} = {pair}; {body} }})")
                }
                _ => format!("({}, {})", self.expr(a, depth), self.expr(b, depth)),
            },
            Ty::Array(of, length) => match self.random.below(4) {
                0 => format!("[{}; {length}]", self.expr(of, depth)),
                1 => {
                    let (array, map) = (self.expr(ty, depth), self.closure(of, of, depth));
                    format!("{array}.map({map})")
                }
                _ => {
                    let parts: Vec<String> = (0..*length).map(|_| self.expr(of, depth)).collect();
                    format!("[{}]", parts.join(", "))
                }
            },
        }
    }

    /// A variable, a part of one, or a literal.
    fn simple(&mut self, ty: &Ty) -> String {
        if self.random.chance(75)
            && let Some(var) = self.var(ty)
        {
            return var;
        }
        if self.random.chance(60)
            && let Some(part) = self.part(ty)
        {
            return part;
        }
        match ty {
            Ty::Int(_) => self.literal(ty),
            Ty::Float(name) => {
                let number = *self
                    .random
                    .pick(&["0.0", "1.0", "0.5", "2.75", "1e10", "3e-9", "100.0", "0.1", "7.0"]);
                format!("({}{number}{name})", if self.random.chance(30) { "-" } else { "" })
            }
            Ty::Bool => self.random.pick(&["true", "false"]).to_string(),
            Ty::Char => self.random.pick(&["'a'", "'Z'", "'7'", "'é'", "'\\0'"]).to_string(),
            Ty::Ordering => {
                format!("Ordering::{}", self.random.pick(&["Less", "Equal", "Greater"]))
            }
            Ty::Shape => format!("Shape::Circle({})", self.literal(&Ty::Int("u8"))),
            Ty::Pair => format!(
                "Pair {{ x: {}, y: {} }}",
                self.literal(&Ty::Int("i32")),
                self.literal(&Ty::Int("u8"))
            ),
            Ty::Option(of) => match self.random.chance(50) {
                true => format!("None::<{}>", of.name()),
                false => format!("Some({})", self.simple(of)),
            },
            Ty::Tuple(a, b) => format!("({}, {})", self.simple(a), self.simple(b)),
            Ty::Array(of, length) => format!("[{}; {length}]", self.simple(of)),
        }
    }

    /// A part of a variable.
    fn part(&mut self, ty: &Ty) -> Option<String> {
        let mut found = Vec::new();
        for (name, of, _) in self.vars.clone() {
            match of {
                Ty::Tuple(a, _) if *a == *ty => found.push(format!("{name}.0")),
                Ty::Tuple(_, b) if *b == *ty => found.push(format!("{name}.1")),
                Ty::Pair if *ty == Ty::Int("i32") => found.push(format!("{name}.x")),
                Ty::Pair if *ty == Ty::Int("u8") => found.push(format!("{name}.y")),
                Ty::Array(of, length) if *of == *ty => {
                    found.push(match self.var(&Ty::Int("usize")) {
                        Some(index) => {
                            format!("{name}[{index} % {}]", length + self.random.below(2))
                        }
                        None => format!("{name}[{}]", self.random.below(length)),
                    })
                }
                _ => {}
            }
        }
        (!found.is_empty()).then(|| self.random.pick(&found).clone())
    }

    /// Expressions of any type.
    fn control(&mut self, ty: &Ty, depth: usize) -> String {
        match self.random.below(9) {
            0 | 1 => {
                let condition = self.expr(&Ty::Bool, depth);
                format!(
                    "(if {condition} {{ {} }} else {{ {} }})",
                    self.expr(ty, depth),
                    self.expr(ty, depth)
                )
            }
            2 | 3 => {
                let of = self.int();
                let scrutinee = self.expr(&of, depth);
                let bits = of.bits() - 1;
                let [one, two, low, high] = std::array::from_fn(|_| constant(self.random, bits));
                let (low, high) = (low.min(high), low.max(high));
                let name = self.new_name();
                let arms = [self.expr(ty, depth), self.expr(ty, depth), self.expr(ty, depth)];
                let guarded = self.with(&[(&name, &of)], |this| {
                    format!("{name} if {} => {}", this.expr(&Ty::Bool, 1), this.expr(ty, depth))
                });
                format!(
                    "(match {scrutinee} {{ {one} | {two} => {}, {low}..={high} => {}, {guarded}, _ => {} }})",
                    arms[0], arms[1], arms[2]
                )
            }
            4 => {
                let of = self.ty(0);
                let option = self.expr(&Ty::Option(Box::new(of.clone())), depth);
                let name = self.new_name();
                let some = self.with(&[(&name, &of)], |this| this.expr(ty, depth));
                format!(
                    "(match {option} {{ Some({name}) => {some}, None => {} }})",
                    self.expr(ty, depth)
                )
            }
            5 => {
                let shape = self.expr(&Ty::Shape, depth);
                let names = [self.new_name(), self.new_name(), self.new_name()];
                let circle = self.with(&[(&names[0], &Ty::Int("u8"))], |this| this.expr(ty, depth));
                let rect = self
                    .with(&[(&names[1], &Ty::Int("i16")), (&names[2], &Ty::Int("i16"))], |this| {
                        this.expr(ty, depth)
                    });
                format!(
                    "(match ({shape}) {{ Shape::Circle({}) => {circle}, \
                     Shape::Rect {{ w: {}, h: {} }} => {rect}, _ => {} }})",
                    names[0],
                    names[1],
                    names[2],
                    self.expr(ty, depth)
                )
            }
            6 => {
                let of = self.ty(0);
                let (value, closure) = (self.expr(&of, depth), self.closure(&of, ty, depth));
                format!("apply({closure}, {value})")
            }
            7 => {
                let (made, name) = (self.expr(ty, depth), self.new_name());
                let statements = self.sealed(|this| {
                    this.vars.push((name.clone(), ty.clone(), true));
                    this.statements(1, depth.min(1))
                });
                format!("({{ let mut {name} = {made};\n{statements}    {name} }})")
            }
            _ => {
                let (first, second) = (self.expr(ty, depth), self.expr(ty, depth));
                let index = self.literal(&Ty::Int("usize"));
                format!("[{first}, {second}][{index} % 2]")
            }
        }
    }

    fn int_expr(&mut self, ty: &Ty, depth: usize) -> String {
        let name = ty.name();
        let one = self.expr(ty, depth);
        match self.random.below(24) {
            0..4 => {
                let op = *self.random.pick(&["+", "-", "*", "/", "%"]);
                format!("({one} {op} {})", self.expr(ty, depth))
            }
            4..8 => {
                let op = *self.random.pick(&["&", "|", "^"]);
                format!("({one} {op} {})", self.expr(ty, depth))
            }
            8..11 => {
                let op = *self.random.pick(&[
                    "wrapping_add",
                    "wrapping_sub",
                    "wrapping_mul",
                    "saturating_add",
                    "saturating_sub",
                    "saturating_mul",
                    "min",
                    "max",
                    "rem_euclid",
                    "midpoint",
                ]);
                format!("{one}.{op}({})", self.expr(ty, depth))
            }
            11 => {
                let op = *self.random.pick(&[
                    "checked_add",
                    "checked_sub",
                    "checked_mul",
                    "checked_div",
                ]);
                format!("{one}.{op}({}).unwrap_or({})", self.expr(ty, depth), self.simple(ty))
            }
            12 => {
                let op = *self.random.pick(&["<<", ">>"]);
                let limit = ty.bits() as usize + self.random.below(2);
                format!("({one} {op} ({} as u8 % {limit}))", self.expr(&Ty::Int("u32"), depth))
            }
            13 => {
                let op = *self.random.pick(&[
                    "rotate_left",
                    "rotate_right",
                    "wrapping_shl",
                    "wrapping_shr",
                ]);
                format!("{one}.{op}({})", self.expr(&Ty::Int("u32"), depth))
            }
            14 => {
                let op = *self.random.pick(&[
                    "count_ones",
                    "leading_zeros",
                    "trailing_zeros",
                    "count_zeros",
                ]);
                format!("({one}.{op}() as {name})")
            }
            15 => {
                let op =
                    *self.random.pick(&["swap_bytes", "reverse_bits", "isqrt", "wrapping_neg"]);
                format!("{one}.{op}()")
            }
            16 => format!("(!{one})"),
            17 if ty.is_signed() => {
                let op = *self.random.pick(&["abs", "signum", "wrapping_abs"]);
                format!("{one}.{op}()")
            }
            18 => format!("{one}.pow({})", self.random.below(4)),
            19 | 20 => {
                let from = match self.random.below(5) {
                    0 => Ty::Bool,
                    1 => Ty::Char,
                    2 => Ty::Float(self.random.pick(&["f32", "f64"])),
                    _ => self.int(),
                };
                format!("({} as {name})", self.expr(&from, depth))
            }
            21 => {
                let option = self.expr(&Ty::Option(Box::new(ty.clone())), depth);
                format!("{option}.unwrap_or({one})")
            }
            22 => {
                let (counter, sum) = (self.new_name(), self.new_name());
                let end = 1 + self.random.below(4);
                let added =
                    self.with(&[(&counter, ty), (&sum, ty)], |this| this.expr(ty, depth.min(1)));
                format!(
                    "({{ let mut {sum} = {one}; for {counter} in 0..{end}{name} {{ {sum} = \
                     {sum}.wrapping_add({added}); }} {sum} }})"
                )
            }
            _ => format!("generic_larger({one}, {})", self.expr(ty, depth)),
        }
    }

    fn float_expr(&mut self, ty: &Ty, depth: usize) -> String {
        let one = self.expr(ty, depth);
        match self.random.below(6) {
            0..2 => {
                let op = *self.random.pick(&["+", "-", "*", "/"]);
                format!("({one} {op} {})", self.expr(ty, depth))
            }
            2 => {
                let op = *self.random.pick(&["abs", "sqrt", "floor", "ceil", "trunc", "round"]);
                format!("{one}.{op}()")
            }
            3 => format!("{one}.min({})", self.expr(ty, depth)),
            4 => format!("(-{one})"),
            _ => {
                let from = self.int();
                format!("({} as {})", self.expr(&from, depth), ty.name())
            }
        }
    }

    fn bool_expr(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            0..4 => {
                let of = match self.random.below(6) {
                    0 => self.ty(0),
                    _ => self.int(),
                };
                let op = *self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
                format!("({} {op} {})", self.expr(&of, depth), self.expr(&of, depth))
            }
            4 => {
                let op = *self.random.pick(&["&&", "||", "^"]);
                format!("({} {op} {})", self.expr(&Ty::Bool, depth), self.expr(&Ty::Bool, depth))
            }
            5 => format!("(!{})", self.expr(&Ty::Bool, depth)),
            6 => {
                let of = Ty::Option(Box::new(self.ty(0)));
                let op = *self.random.pick(&["is_some", "is_none"]);
                format!("{}.{op}()", self.expr(&of, depth))
            }
            _ => {
                let of = self.ty(1);
                format!("(({}) == ({}))", self.expr(&of, depth), self.expr(&of, depth))
            }
        }
    }

    fn option_expr(&mut self, ty: &Ty, of: &Ty, depth: usize) -> String {
        match self.random.below(8) {
            0 | 1 => format!("Some({})", self.expr(of, depth)),
            2 if matches!(of, Ty::Int(_)) => {
                let op = *self.random.pick(&[
                    "checked_add",
                    "checked_sub",
                    "checked_mul",
                    "checked_rem",
                ]);
                format!("{}.{op}({})", self.expr(of, depth), self.expr(of, depth))
            }
            3 => {
                let (option, closure) = (self.expr(ty, depth), self.closure(of, of, depth));
                format!("{option}.map({closure})")
            }
            4 => {
                let (option, closure) = (self.expr(ty, depth), self.closure(of, ty, depth));
                format!("{option}.and_then({closure})")
            }
            5 => {
                let (option, name) = (self.expr(ty, depth), self.new_name());
                let of_param = format!("(*{name})");
                let body = self.inside(|this| {
                    this.with(&[(&of_param, of)], |this| this.expr(&Ty::Bool, depth))
                });
                format!("{option}.filter(|{name}: &{}| {body})", of.name())
            }
            6 => format!("{}.or({})", self.expr(ty, depth), self.expr(ty, depth)),
            _ => format!("{}.then_some({})", self.expr(&Ty::Bool, depth), self.expr(of, depth)),
        }
    }

    fn statements(&mut self, count: usize, nesting: usize) -> String {
        (0..count).map(|_| self.statement(nesting)).collect()
    }

    fn block(&mut self, nesting: usize) -> String {
        let before = self.vars.len();
        let count = 1 + self.random.below(2);
        let text = self.statements(count, nesting);
        self.vars.truncate(before);
        text
    }

    fn statement(&mut self, nesting: usize) -> String {
        let choice = self.random.below(if nesting == 0 { 9 } else { 14 });
        match choice {
            0..3 => {
                let (ty, name) = (self.ty(1), self.new_name());
                let value = self.expr(&ty, 3);
                self.vars.push((name.clone(), ty.clone(), true));
                format!("    let mut {name}: {} = {value};\n", ty.name())
            }
            3..6 => self.assignment(),
            6 => match self.result.clone() {
                Some(result) if self.random.chance(40) => {
                    let condition = self.expr(&Ty::Bool, 2);
                    format!("    if {condition} {{ return {}; }}\n", self.expr(&result, 2))
                }
                _ => self.assignment(),
            },
            7 if self.in_loop => {
                let exit = *self.random.pick(&["break", "continue"]);
                format!("    if {} {{ {exit}; }}\n", self.expr(&Ty::Bool, 2))
            }
            7 | 8 => self.borrow(),
            9 | 10 => {
                let condition = self.expr(&Ty::Bool, 2);
                let yes = self.block(nesting - 1);
                match self.random.chance(50) {
                    true => format!("    if {condition} {{\n{yes}    }}\n"),
                    false => {
                        let no = self.block(nesting - 1);
                        format!("    if {condition} {{\n{yes}    }} else {{\n{no}    }}\n")
                    }
                }
            }
            11 | 12 => {
                let (counter, ty) = (self.new_name(), self.int());
                let end = 1 + self.random.below(4);
                let range = match self.random.below(4) {
                    0 => format!("0..{end}"),
                    1 => format!("(1..={end}).rev()"),
                    2 => format!("(0..{}).step_by(2)", 2 * end),
                    _ => {
                        let limit = self.expr(&ty, 1);
                        format!("0..({limit}).clamp(0, {end})")
                    }
                };
                let before = self.vars.len();
                self.vars.push((counter.clone(), ty.clone(), false));
                let in_loop = std::mem::replace(&mut self.in_loop, true);
                let body = self.block(nesting - 1);
                self.in_loop = in_loop;
                self.vars.truncate(before);
                let ty = ty.name();
                format!(
                    "    for {counter} in {range} {{\n    let {counter}: {ty} = {counter};\n{body}    }}\n"
                )
            }
            _ => {
                let (counter, condition) = (self.new_name(), self.expr(&Ty::Bool, 2));
                let end = 1 + self.random.below(4);
                let in_loop = std::mem::replace(&mut self.in_loop, true);
                let body = self.block(nesting - 1);
                self.in_loop = in_loop;
                format!(
                    "    let mut {counter} = 0;\n    while {counter} < {end} && {condition} {{\n    \
                     {counter} += 1;\n{body}    }}\n"
                )
            }
        }
    }

    fn assignment(&mut self) -> String {
        let Some((name, ty)) = self.mutable() else {
            return format!("    assert!({});\n", self.expr(&Ty::Bool, 2));
        };
        match &ty {
            Ty::Int(_) if self.random.chance(50) => {
                let op = *self.random.pick(&["+", "-", "*", "&", "|", "^", "%"]);
                format!("    {name} {op}= {};\n", self.expr(&ty, 2))
            }
            Ty::Array(of, length) if self.random.chance(70) => {
                let index = self.expr(&Ty::Int("usize"), 1);
                format!("    {name}[{index} % {length}] = {};\n", self.expr(of, 2))
            }
            Ty::Tuple(a, _) if self.random.chance(50) => {
                format!("    {name}.0 = {};\n", self.expr(a, 2))
            }
            Ty::Pair if self.random.chance(50) => {
                format!("    {name}.y = {};\n", self.expr(&Ty::Int("u8"), 2))
            }
            _ => format!("    {name} = {};\n", self.expr(&ty, 3)),
        }
    }

    /// Changes a variable through a reference.
    fn borrow(&mut self) -> String {
        let Some((name, ty)) = self.mutable() else { return self.assignment() };
        // What is borrowed cannot be read meanwhile.
        let vars = self.vars.clone();
        self.vars.retain(|it| it.0 != name);
        let other = self.vars.iter().find(|it| it.2 && it.1 == ty).map(|it| it.0.clone());
        let made = self.new_name();
        let mut is_new = false;
        let text = match self.random.below(4) {
            0 if other.is_some() => {
                format!("    std::mem::swap(&mut {name}, &mut {});\n", other.unwrap_or_default())
            }
            1 => {
                let value = self.expr(&ty, 2);
                is_new = true;
                format!("    let mut {made} = std::mem::replace(&mut {name}, {value});\n")
            }
            2 => {
                let param = self.new_name();
                let body = self.inside(|this| {
                    this.with(&[(&param, &ty), (&name, &ty)], |this| this.expr(&ty, 2))
                });
                let (one, two) = (self.simple(&ty), self.simple(&ty));
                format!(
                    "    {{ let mut {made} = |{param}: {}| {name} = {body}; {made}({one}); \
                     {made}({two}); }}\n",
                    ty.name()
                )
            }
            _ => {
                let (condition, value) = (self.expr(&Ty::Bool, 1), self.expr(&ty, 2));
                format!(
                    "    {{ let {made} = &mut {name}; if {condition} {{ *{made} = {value}; }} }}\n"
                )
            }
        };
        self.vars = vars;
        if is_new {
            self.vars.push((made, ty, true));
        }
        text
    }
}
