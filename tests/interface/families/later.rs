//! What runs later than the call that it comes from: when callers first look, when a thread ends, when
//! a callback is passed on.

use crate::pair::Template;

/// What is made when callers first look, or dropped when a thread ends, or what they see by `Any`.
const LATER: &[(&str, &str, &str)] = &[
    (
        "thread-local's drop",
        "thread_local! { pub static T: dep::G = dep::g(); }",
        "std::thread::spawn(|| client::T.with(|_| ())).join().unwrap()",
    ),
    (
        "thread-local option's drop",
        "thread_local! { pub static T: std::cell::RefCell<Option<dep::G>> = const { std::cell::RefCell::new(None) }; } pub fn fill() { T.with(|t| *t.borrow_mut() = Some(dep::g())) }",
        "std::thread::spawn(|| client::fill()).join().unwrap()",
    ),
    (
        "private thread-local's drop",
        "thread_local! { static T: dep::G = dep::g(); } pub fn touch() { T.with(|_| ()) }",
        "std::thread::spawn(|| client::touch()).join().unwrap()",
    ),
    (
        "lazy static's value",
        "pub static L: std::sync::LazyLock<i32> = std::sync::LazyLock::new(|| dep::v());",
        "*client::L",
    ),
    (
        "lazy static's function",
        "pub static L: std::sync::LazyLock<i32> = std::sync::LazyLock::new(dep::v);",
        "*client::L",
    ),
    (
        "thread-local's value",
        "thread_local! { pub static T: i32 = dep::v(); }",
        "client::T.with(|it| *it)",
    ),
    (
        "static with a constant of the dependency",
        "pub static S: i32 = dep::C; pub static R: &i32 = &dep::C;",
        "*client::R",
    ),
    (
        "any that callers look into",
        "pub fn k() -> Box<dyn std::any::Any> { Box::new(dep::v()) }",
        "client::k().downcast_ref::<i32>().copied()",
    ),
    (
        "any that may be another type",
        "pub fn k() -> Box<dyn std::any::Any> { if dep::v() == 1 { Box::new(1u8) } else { Box::new(1u16) } }",
        "client::k().is::<u8>()",
    ),
    (
        "error that callers look into",
        "#[derive(Debug)] pub struct E; impl std::fmt::Display for E { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"{}\", dep::v()) } } impl std::error::Error for E {} pub fn k() -> Result<u8, Box<dyn std::error::Error>> { Err(Box::new(E)) }",
        "client::k().unwrap_err().to_string()",
    ),
    (
        "io error with a source",
        "pub fn k() -> std::io::Error { std::io::Error::other(dep::E) }",
        "client::k().to_string()",
    ),
    (
        "io error with a source that is dropped",
        "pub fn k() -> std::io::Error { std::io::Error::other(dep::E) }",
        "client::k();",
    ),
    (
        "upcast",
        "pub trait Own: std::fmt::Display {} impl Own for dep::E {} pub fn k() -> Box<dyn Own> { Box::new(dep::E) }",
        "let it: Box<dyn std::fmt::Display> = client::k(); it.to_string()",
    ),
    (
        "arguments of a format",
        "pub fn k(f: impl FnOnce(std::fmt::Arguments)) { f(format_args!(\"{}\", dep::E)) }",
        "client::k(|it| println!(\"{it}\"))",
    ),
    (
        "scope guard on a mutable reference",
        "pub fn k(to: &mut i32) -> impl Drop { struct D<'a>(&'a mut i32); impl Drop for D<'_> { fn drop(&mut self) { *self.0 = dep::v() } } D(to) }",
        "let mut n = 0; drop(client::k(&mut n)); n",
    ),
];

const LATER_DEP: &str = "pub struct G(u8); pub fn g() -> G { G(0) } impl Drop for G { fn drop(&mut self) { println!(\"{}\", VALUE) } } \
    pub fn v() -> i32 { VALUE } pub const C: i32 = VALUE; \
    #[derive(Debug)] pub struct E; impl std::fmt::Display for E { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"{}\", VALUE) } } \
    impl std::error::Error for E {} impl Drop for E { fn drop(&mut self) { println!(\"{}\", VALUE) } }";

/// What the dependency does with a callers' callback, and how the client passes that on.
const CALLED: &[(&str, &str, &str)] = &[
    (
        "so many times",
        "pub fn each(mut f: impl FnMut(i32)) { for it in 0..VALUE { f(it) } }",
        "dep::each(f)",
    ),
    ("with a value", "pub fn each(mut f: impl FnMut(i32)) { f(VALUE) }", "dep::each(f)"),
    (
        "as a trait object",
        "pub fn each(f: &mut dyn FnMut(i32)) { f(VALUE) }",
        "{ let mut f = f; dep::each(&mut f) }",
    ),
    (
        "boxed",
        "pub fn each<'a>(f: Box<dyn FnMut(i32) + 'a>) { let mut f = f; f(VALUE) }",
        "dep::each(Box::new(f))",
    ),
    (
        "in a struct",
        "pub struct S<F>(pub F); impl<F: FnMut(i32)> S<F> { pub fn go(mut self) { (self.0)(VALUE) } }",
        "dep::S(f).go()",
    ),
    (
        "by an iterator's adapter",
        "pub fn all() -> std::ops::Range<i32> { 0..VALUE }",
        "dep::all().for_each(f)",
    ),
];

const PASSED: &[(&str, &str, &str)] = &[
    ("impl Trait", "pub fn k(f: impl FnMut(i32)) { CALL }", "client::k(|it| println!(\"{it}\"))"),
    (
        "generic function",
        "pub fn k<F: FnMut(i32)>(f: F) { CALL }",
        "client::k(|it| println!(\"{it}\"))",
    ),
    (
        "box",
        "pub fn k(f: Box<dyn FnMut(i32)>) { CALL }",
        "client::k(Box::new(|it| println!(\"{it}\")))",
    ),
    (
        "trait object",
        "pub fn k(f: &mut dyn FnMut(i32)) { CALL }",
        "client::k(&mut |it| println!(\"{it}\"))",
    ),
    ("function pointer", "pub fn k(f: fn(i32)) { CALL }", "client::k(|it| println!(\"{it}\"))"),
    (
        "own trait",
        "pub trait See { fn see(&mut self, it: i32); } pub fn k<S: See>(mut s: S) { let f = |it| s.see(it); CALL }",
        "struct Mine; impl client::See for Mine { fn see(&mut self, it: i32) { println!(\"{it}\") } } client::k(Mine)",
    ),
    (
        "method",
        "pub struct S<F>(pub F); impl<F: FnMut(i32)> S<F> { pub fn k(self) { let f = self.0; CALL } }",
        "client::S(|it| println!(\"{it}\")).k()",
    ),
];

pub fn templates() -> Vec<Template> {
    let later = LATER.iter();
    let mut templates: Vec<_> = later
        .map(|(name, client, used)| Template::new(*name, client, LATER_DEP, &[used]))
        .collect();
    for (called, dep, call) in CALLED {
        for (passed, client, used) in PASSED {
            let name = format!("callback called {called}, passed on by {passed}");
            templates.push(Template::new(name, &client.replace("CALL", call), dep, &[used]));
        }
    }
    templates
}
