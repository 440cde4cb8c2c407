//! What is mutated: libraries with a client, taken from the fixtures and from the end-to-end cases.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A client and a library.
pub struct Subject {
    pub name: String,
    pub client: String,
    pub old: String,
    /// What mutants are made of: the old version of the library, or the new one that it is compared
    /// with.
    pub mutated: String,
    /// What the client calls the library.
    pub library: &'static str,
    /// Whether the client reaches everything whose name does not start with `unused`.
    pub is_reached: bool,
}

/// A function of a client that can be run on inputs that are made up.
pub struct Runnable {
    pub name: String,
    pub parameters: Vec<Parameter>,
}

pub struct Parameter {
    /// What is made up, and how the name of such a value is passed.
    pub owned: String,
    pub passed: &'static str,
}

pub fn subjects() -> Vec<Subject> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut subjects = Vec::new();
    for folder in folders(&root.join("fixtures/mutants")) {
        subjects.extend(subject(&folder, "dep", "dep.rs", "dep.rs"));
    }
    for folder in folders(&root.join("fixtures/papers/cases")) {
        subjects.extend(subject(&folder, "lib", "old.rs", "old.rs"));
        subjects.extend(subject(&folder, "lib", "old.rs", "new.rs"));
    }
    for folder in folders(&root.join("tests/cases")).iter().flat_map(|verdict| folders(verdict)) {
        // What has settings of its own does not fit into one package with others.
        if !folder.join("client.toml").exists() && !folder.join("dep.toml").exists() {
            subjects.extend(subject(&folder, "dep", "old.rs", "old.rs"));
            subjects.extend(subject(&folder, "dep", "old.rs", "new.rs"));
        }
    }
    let mut known = HashSet::new();
    subjects.retain(|it| {
        known.insert((
            without_comments(&it.client),
            without_comments(&it.old),
            without_comments(&it.mutated),
        ))
    });
    subjects
}

fn subject(folder: &Path, library: &'static str, old: &str, mutated: &str) -> Option<Subject> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let subject = Subject {
        name: format!("{} ({mutated})", folder.file_name()?.to_str()?),
        client: read("client.rs")?,
        old: read(old)?,
        mutated: read(mutated)?,
        library,
        is_reached: old == "dep.rs",
    };
    let sources = [&subject.client, &subject.old, &subject.mutated];
    let has = |text: &str| sources.iter().any(|source| source.contains(text));
    // What prints past Rust, or aborts, cannot be run in one process with others, and features are
    // those of a whole crate.
    let stands_alone = has("extern \"C\"") || has("#![feature");
    // What one entry point leaves behind, another one finds: here they are judged one by one.
    let runnable = subject.runnable().len();
    let shares_state = runnable > 1 && (has("Atomic") || has("static mut") || has("thread_local"));
    // Addresses are no behaviour: any two builds can differ in them.
    let looks_at_addresses = has("{:p}") || has(".addr()");
    (!stands_alone && !shares_state && !looks_at_addresses && runnable > 0).then_some(subject)
}

fn without_comments(source: &str) -> String {
    source.lines().filter(|line| !line.trim_start().starts_with("//")).collect()
}

impl Subject {
    pub fn runnable(&self) -> Vec<Runnable> {
        let file = syn::parse_file(&self.client).expect("fixtures are Rust");
        let functions = file.items.iter().filter_map(|item| match item {
            syn::Item::Fn(function) => runnable(function, &self.client),
            _ => None,
        });
        functions.collect()
    }

    /// The integers in the code, from which inputs are made.
    pub fn constants(&self) -> BTreeSet<i128> {
        let mut constants = Constants(BTreeSet::from([0]));
        for source in [&self.client, &self.old, &self.mutated] {
            constants.visit_file(&syn::parse_file(source).expect("fixtures are Rust"));
        }
        constants.0
    }
}

struct Constants(BTreeSet<i128>);

impl<'ast> Visit<'ast> for Constants {
    fn visit_lit(&mut self, literal: &'ast syn::Lit) {
        let value = match literal {
            syn::Lit::Int(int) => int.base10_parse::<i128>().ok(),
            syn::Lit::Byte(byte) => Some(byte.value().into()),
            syn::Lit::Char(char) => Some(u32::from(char.value()).into()),
            _ => None,
        };
        self.0.extend(value);
        visit::visit_lit(self, literal);
    }
}

fn runnable(function: &syn::ItemFn, source: &str) -> Option<Runnable> {
    let signature = &function.sig;
    let is_plain = matches!(function.vis, syn::Visibility::Public(_))
        && signature.generics.params.is_empty()
        && signature.asyncness.is_none()
        && matches!(signature.safety, syn::Safety::Default);
    let is_shown = match &signature.output {
        syn::ReturnType::Default => true,
        syn::ReturnType::Type(_, result) => is_simple(result),
    };
    if !is_plain || !is_shown {
        return None;
    }
    let parameters = signature.inputs.iter().map(|input| match input {
        syn::FnArg::Typed(typed) => parameter(&typed.ty, source),
        syn::FnArg::Receiver(_) => None,
    });
    Some(Runnable {
        name: signature.ident.to_string(),
        parameters: parameters.collect::<Option<_>>()?,
    })
}

fn parameter(ty: &syn::Type, source: &str) -> Option<Parameter> {
    let text = |ty: &syn::Type| source[ty.span().byte_range()].to_owned();
    if !is_simple(ty) {
        return None;
    }
    let syn::Type::Reference(reference) = ty else {
        let owned = text(ty);
        // References inside of values are to nothing that could be made up.
        return (!owned.contains('&')).then_some(Parameter { owned, passed: "NAME.clone()" });
    };
    let owned = match &*reference.elem {
        syn::Type::Slice(slice) => format!("Vec<{}>", text(&slice.elem)),
        other if text(other) == "str" => "String".to_owned(),
        other => text(other),
    };
    let passed = if reference.mutability.is_some() { "&mut NAME" } else { "&NAME" };
    (!owned.contains('&')).then_some(Parameter { owned, passed })
}

/// Types of which values can be made up and shown.
fn is_simple(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => is_simple(&array.elem),
        syn::Type::Slice(slice) => is_simple(&slice.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(is_simple),
        syn::Type::Reference(reference) => is_simple(&reference.elem),
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|segment| {
            let inside = match &segment.arguments {
                syn::PathArguments::AngleBracketed(arguments) => arguments.args.iter().all(
                    |argument| matches!(argument, syn::GenericArgument::Type(ty) if is_simple(ty)),
                ),
                other => other.is_empty(),
            };
            inside && SIMPLE.contains(&segment.ident.to_string().as_str())
        }),
        _ => false,
    }
}

const SIMPLE: &[&str] = &[
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "bool",
    "char",
    "f32",
    "f64",
    "str",
    "String",
    "Option",
    "Vec",
    "Result",
    "ParseIntError",
];

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    paths.sort();
    paths
}
