//! The functions that are tried: templates with each type they are for, and random ones.

use cargo_cse::random::Random;

use super::random::{constant, random_function};

/// A function of the generated crate.
pub struct Function {
    pub name: String,
    pub source: String,
    params: Vec<Param>,
}

struct Param {
    /// Without the reference.
    ty: String,
    /// `&`, `&mut ` or nothing.
    reference: &'static str,
}

/// The two sources of the generated crate.
pub struct Sources {
    pub lib: String,
    pub main: String,
}

const TEMPLATES: [&str; 3] = [
    include_str!("numbers.template"),
    include_str!("structures.template"),
    include_str!("memory.template"),
];

/// All functions, the same for the same seed.
pub fn functions(seed: u64, random_functions: usize) -> Vec<Function> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    for text in TEMPLATES {
        let mut types: Vec<&str> = vec![""];
        for block in text.split("\n\n").map(str::trim).filter(|it| !it.is_empty()) {
            match block.strip_prefix('@') {
                Some("") => types = vec![""],
                Some(list) => types = list.split_whitespace().collect(),
                None => {
                    for ty in &types {
                        let text = instance(block, ty, &mut random);
                        found.push(Function::new(found.len(), &text));
                    }
                }
            }
        }
    }
    for _ in 0..random_functions {
        let text = random_function(&mut random);
        found.push(Function::new(found.len(), &text));
    }
    found
}

pub fn sources(functions: &[Function]) -> Sources {
    let mut lib = include_str!("generated/lib.rs").to_owned();
    let mut main = include_str!("generated/main.rs").to_owned();
    main.push_str("\nstatic FUNCTIONS: &[fn(&mut dyn Iterator<Item = u128>) -> Ended] = &[\n");
    for function in functions {
        lib.push_str(&format!("\n{}\n", function.source));
        main.push_str(&function.call());
    }
    main.push_str("];\n");
    Sources { lib, main }
}

impl Function {
    /// The text is that of a function without a name.
    fn new(number: usize, text: &str) -> Function {
        let name = format!("f{number}");
        let rest = text.strip_prefix("fn (").expect("a template begins with `fn (`");
        let end = rest.find(") -> ").expect("a template has a result");
        Function {
            source: format!("pub fn {name}({rest}"),
            params: split(&rest[..end]).iter().map(|it| Param::new(it)).collect(),
            name,
        }
    }

    /// Reads the arguments, calls the function, and gives what it returned and what references
    /// point to afterwards.
    fn call(&self) -> String {
        let mut text = "    |from| {\n".to_owned();
        let mut arguments = Vec::new();
        let mut after = String::new();
        for (number, param) in self.params.iter().enumerate() {
            text.push_str(&format!("        let mut a{number} = <{}>::read(from);\n", param.ty));
            arguments.push(format!("{}a{number}", param.reference));
            if !param.reference.is_empty() {
                after.push_str(&format!("        a{number}.write(&mut ended.1);\n"));
            }
        }
        let arguments = arguments.join(", ");
        text.push_str(&format!("        let mut ended = ended(|| {}({arguments}));\n", self.name));
        text + &after + "        ended\n    },\n"
    }
}

impl Param {
    fn new(text: &str) -> Param {
        let (_, ty) = text.split_once(": ").expect("a parameter has a type");
        let (reference, ty) = match (ty.strip_prefix("&mut "), ty.strip_prefix('&')) {
            (Some(ty), _) => ("&mut ", ty),
            (None, Some(ty)) => ("&", ty),
            (None, None) => ("", ty),
        };
        Param { ty: ty.to_owned(), reference }
    }
}

/// Splits at the commas that are not within brackets.
fn split(params: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for char in params.chars() {
        match char {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            _ => {}
        }
        match char {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().expect("there is one").push(char),
        }
    }
    parts.into_iter().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}

/// A template for a type: `T` stands for it, `U` and `S` for the unsigned and signed type of its
/// width, `BYTES` for its size, each `K` for some constant.
fn instance(template: &str, ty: &str, random: &mut Random) -> String {
    if ty.is_empty() {
        return template.to_owned();
    }
    let width = &ty[1..];
    let bytes = width.parse().unwrap_or(64) / 8;
    let mut text = String::new();
    let mut word = String::new();
    for char in template.chars().chain([' ']) {
        if char.is_alphanumeric() || char == '_' {
            word.push(char);
            continue;
        }
        match word.as_str() {
            "T" => text.push_str(ty),
            "U" => {
                text.push_str(&format!("u{}", if ty.ends_with("size") { "size" } else { width }))
            }
            "S" => {
                text.push_str(&format!("i{}", if ty.ends_with("size") { "size" } else { width }))
            }
            "BYTES" => text.push_str(&bytes.to_string()),
            "K" => text.push_str(&constant(random, 8 * bytes as u32 - 1).to_string()),
            other => text.push_str(other),
        }
        word.clear();
        text.push(char);
    }
    text.trim_end().to_owned()
}
