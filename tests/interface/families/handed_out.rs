//! What callers get, and drop.

use crate::pair::Template;

/// What is dropped: the dependency's `G`, made by `dep::g()` or `dep::C`.
const GUARDS: &[(&str, &str)] = &[
    (
        "drop",
        "pub struct G(pub u8); pub const C: G = G(0); pub fn g() -> G { C } impl Drop for G { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
    ),
    (
        "drop of a field",
        "pub struct G(Inner); struct Inner; pub const C: G = G(Inner); pub fn g() -> G { C } impl Drop for Inner { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
    ),
    (
        "drop of a generic field",
        "pub struct Wrap<T>(T); pub type G = Wrap<Inner>; pub struct Inner; pub const C: G = Wrap(Inner); pub fn g() -> G { C } impl Drop for Inner { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
    ),
    (
        "drop of a variant",
        "pub enum G { A(Inner), B } pub struct Inner; pub const C: G = G::A(Inner); pub fn g() -> G { C } impl Drop for Inner { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
    ),
];

/// Values that hold one: their type, an expression, and whether it can be constant.
const SHAPES: &[(&str, &str, &str)] = &[
    ("", "dep::G", "GUARD"),
    ("option", "Option<dep::G>", "Some(GUARD)"),
    ("result", "Result<dep::G, u8>", "Ok(GUARD)"),
    ("error", "Result<u8, dep::G>", "Err(GUARD)"),
    ("tuple", "(u8, dep::G)", "(1, GUARD)"),
    ("array", "[dep::G; 2]", "[GUARD, GUARD]"),
    ("box", "Box<dep::G>", "Box::new(GUARD)"),
    ("rc", "std::rc::Rc<dep::G>", "std::rc::Rc::new(GUARD)"),
    ("arc", "std::sync::Arc<dep::G>", "std::sync::Arc::new(GUARD)"),
    ("vector", "Vec<dep::G>", "vec![GUARD]"),
    ("boxed slice", "Box<[dep::G]>", "vec![GUARD].into_boxed_slice()"),
    ("cell", "std::cell::RefCell<dep::G>", "std::cell::RefCell::new(GUARD)"),
    ("mutex", "std::sync::Mutex<dep::G>", "std::sync::Mutex::new(GUARD)"),
    ("pinned box", "std::pin::Pin<Box<dep::G>>", "Box::pin(GUARD)"),
    (
        "map",
        "std::collections::BTreeMap<u8, dep::G>",
        "std::collections::BTreeMap::from([(1, GUARD)])",
    ),
    ("own struct", "Own", "Own { g: GUARD }"),
    ("own private struct", "Hidden", "Hidden(GUARD)"),
    ("own enum", "Either", "Either::A(GUARD)"),
    ("own generic struct", "Gen<dep::G>", "Gen(GUARD)"),
    (
        "own recursive struct",
        "List",
        "List { g: GUARD, next: Some(Box::new(List { g: GUARD, next: None })) }",
    ),
    ("box of any", "Box<dyn std::any::Any>", "Box::new(GUARD) as Box<dyn std::any::Any>"),
    ("box of an own trait", "Box<dyn Marker>", "Box::new(GUARD) as Box<dyn Marker>"),
    (
        "boxed closure",
        "Box<dyn Fn()>",
        "{ let g = GUARD; Box::new(move || { let _ = &g; }) as Box<dyn Fn()> }",
    ),
    ("control flow", "std::ops::ControlFlow<dep::G>", "std::ops::ControlFlow::Break(GUARD)"),
    ("once cell", "std::cell::OnceCell<dep::G>", "std::cell::OnceCell::from(GUARD)"),
    (
        "peekable",
        "std::iter::Peekable<std::vec::IntoIter<dep::G>>",
        "vec![GUARD].into_iter().peekable()",
    ),
    ("manually dropped", "std::mem::ManuallyDrop<dep::G>", "std::mem::ManuallyDrop::new(GUARD)"),
];

/// Items of the client that shapes mention.
const OWN: &[(&str, &str)] = &[
    ("Own", "pub struct Own { pub g: dep::G }"),
    ("Hidden", "pub struct Hidden(dep::G);"),
    ("Either", "pub enum Either { A(dep::G), B }"),
    ("Gen", "pub struct Gen<T>(pub T);"),
    ("List", "pub struct List { g: dep::G, next: Option<Box<List>> }"),
    ("Marker", "pub trait Marker {} impl Marker for dep::G {}"),
];

/// How it comes out: `TYPE` and `EXPR` are a shape's.
const WAYS: &[(&str, &str, &str)] = &[
    ("returned", "pub fn f() -> TYPE { EXPR }", "let _it = client::f();"),
    (
        "returned by a method",
        "pub struct S; impl S { pub fn f(&self) -> TYPE { EXPR } }",
        "let _it = client::S.f();",
    ),
    (
        "returned by a trait method",
        "pub trait Tr { fn f(&self) -> TYPE; } impl Tr for u8 { fn f(&self) -> TYPE { EXPR } }",
        "let _it = client::Tr::f(&1u8);",
    ),
    (
        "returned by a provided method",
        "pub trait Tr { fn f(&self) -> TYPE { EXPR } }",
        "struct Mine; impl client::Tr for Mine {} let _it = client::Tr::f(&Mine);",
    ),
    (
        "returned by a generic function",
        "pub fn f<T>(t: T) -> (T, TYPE) { (t, EXPR) }",
        "let _it = client::f(1u8);",
    ),
    (
        "an async function's output",
        "pub async fn f() -> TYPE { EXPR }",
        "let _it = poll(client::f(), 1);",
    ),
    (
        "a future's output",
        "pub fn f() -> impl Future<Output = TYPE> { async { EXPR } }",
        "let _it = poll(client::f(), 1);",
    ),
    (
        "a boxed future's output",
        "pub fn f() -> std::pin::Pin<Box<dyn Future<Output = TYPE>>> { Box::pin(async { EXPR }) }",
        "let _it = poll(client::f(), 1);",
    ),
    (
        "an async method's output",
        "pub trait Tr { async fn f(&self) -> TYPE { EXPR } } impl Tr for u8 {}",
        "let _it = poll(client::Tr::f(&1u8), 1);",
    ),
    (
        "an iterator's item",
        "pub fn f() -> impl Iterator<Item = TYPE> { std::iter::once_with(|| EXPR) }",
        "let _it = client::f().next();",
    ),
    (
        "a boxed iterator's item",
        "pub fn f() -> Box<dyn Iterator<Item = TYPE>> { Box::new(std::iter::once_with(|| EXPR)) }",
        "let _it = client::f().next();",
    ),
    (
        "an own iterator's item",
        "pub struct It; impl Iterator for It { type Item = TYPE; fn next(&mut self) -> Option<TYPE> { Some(EXPR) } }",
        "let _it = client::It.nth(1);",
    ),
    (
        "an own collection's item",
        "pub struct C; impl IntoIterator for C { type Item = TYPE; type IntoIter = std::option::IntoIter<TYPE>; fn into_iter(self) -> Self::IntoIter { Some(EXPR).into_iter() } }",
        "for _it in client::C {}",
    ),
    (
        "a closure's output",
        "pub fn f() -> impl Fn() -> TYPE { || EXPR }",
        "let _it = client::f()();",
    ),
    (
        "a boxed closure's output",
        "pub fn f() -> Box<dyn Fn() -> TYPE> { Box::new(|| EXPR) }",
        "let _it = client::f()();",
    ),
    (
        "a function pointer's output",
        "pub fn f() -> fn() -> TYPE { || EXPR }",
        "let _it = client::f()();",
    ),
    (
        "a constant function pointer's output",
        "pub const F: fn() -> TYPE = || EXPR;",
        "let _it = (client::F)();",
    ),
    (
        "a static function pointer's output",
        "pub static F: fn() -> TYPE = || EXPR;",
        "let _it = (client::F)();",
    ),
    (
        "a closure's closure's output",
        "pub fn f() -> impl Fn() -> Box<dyn Fn() -> TYPE> { || Box::new(|| EXPR) }",
        "let _it = client::f()()();",
    ),
    (
        "a generic callback's argument",
        "pub fn f<R>(with: impl FnOnce(TYPE) -> R) -> R { with(EXPR) }",
        "client::f(|_it| {})",
    ),
    (
        "a generic callback's, with a parameter",
        "pub fn f<F: Fn(TYPE)>(with: F) { with(EXPR) }",
        "client::f(|_it| {})",
    ),
    (
        "a trait object callback's argument",
        "pub fn f(with: &dyn Fn(TYPE)) { with(EXPR) }",
        "client::f(&|_it| {})",
    ),
    (
        "a boxed callback's argument",
        "pub fn f(with: Box<dyn FnOnce(TYPE)>) { with(EXPR) }",
        "client::f(Box::new(|_it| {}))",
    ),
    (
        "a function pointer callback's argument",
        "pub fn f(with: fn(TYPE)) { with(EXPR) }",
        "client::f(|_it| {})",
    ),
    (
        "an own generic trait's argument",
        "pub trait Sink<T> { fn take(&mut self, it: T); } pub fn f<S: Sink<TYPE>>(mut sink: S) { sink.take(EXPR) }",
        "struct Mine; impl<T> client::Sink<T> for Mine { fn take(&mut self, _: T) {} } client::f(Mine)",
    ),
    (
        "written through a reference",
        "pub fn f(to: &mut Option<TYPE>) { if to.is_none() { *to = Some(EXPR) } }",
        "let mut it = None; client::f(&mut it);",
    ),
    (
        "pushed",
        "pub fn f(to: &mut Vec<TYPE>) { to.push(EXPR) }",
        "let mut it = Vec::new(); client::f(&mut it);",
    ),
    (
        "written to uninitialized memory",
        "pub fn f(to: &mut std::mem::MaybeUninit<TYPE>) { to.write(EXPR); }",
        "let mut it = std::mem::MaybeUninit::uninit(); client::f(&mut it); unsafe { it.assume_init_drop() }",
    ),
    (
        "swapped out by a callback",
        "pub fn f(with: impl FnOnce(&mut Option<TYPE>)) { let mut it = Some(EXPR); with(&mut it); std::mem::forget(it) }",
        "client::f(|it| drop(it.take()))",
    ),
    (
        "a public field",
        "pub struct S { pub it: Option<TYPE> } pub fn f() -> S { S { it: Some(EXPR) } }",
        "let _it = client::f().it;",
    ),
    (
        "an own Default",
        "pub struct S(Option<TYPE>); impl Default for S { fn default() -> S { S(Some(EXPR)) } }",
        "let _it = client::S::default();",
    ),
    (
        "an own From",
        "pub struct S(pub Option<TYPE>); impl From<u8> for S { fn from(_: u8) -> S { S(Some(EXPR)) } }",
        "let _it: client::S = 1u8.into();",
    ),
    (
        "an associated type",
        "pub trait Tr { type A; fn f() -> Self::A; } impl Tr for u8 { type A = TYPE; fn f() -> TYPE { EXPR } }",
        "let _it = <u8 as client::Tr>::f();",
    ),
    (
        "impl Sized",
        "pub fn f() -> impl Sized { let it: TYPE = EXPR; it }",
        "let _it = client::f();",
    ),
    (
        "impl Trait of a provided method",
        "pub trait Tr { fn f(&self) -> impl Sized { let it: TYPE = EXPR; it } } impl Tr for u8 {}",
        "let _it = client::Tr::f(&1u8);",
    ),
    (
        "taken from a static",
        "thread_local! { static ALL: std::cell::RefCell<Vec<TYPE>> = std::cell::RefCell::new(Vec::new()); } pub fn fill() { ALL.with(|all| all.borrow_mut().push(EXPR)) } pub fn take() -> Option<TYPE> { ALL.with(|all| all.borrow_mut().pop()) }",
        "client::fill(); let _it = client::take();",
    ),
    (
        "from a deref",
        "pub struct S(std::cell::Cell<Option<TYPE>>); pub fn s() -> S { S(std::cell::Cell::new(Some(EXPR))) } impl std::ops::Deref for S { type Target = std::cell::Cell<Option<TYPE>>; fn deref(&self) -> &Self::Target { &self.0 } }",
        "let s = client::s(); let _it = s.take(); std::mem::forget(s);",
    ),
    ("dropped by the client", "pub fn f() -> u8 { let it = EXPR; drop(it); 1 }", "client::f()"),
    (
        "dropped by a generic function",
        "pub fn f() -> TYPE { EXPR } pub fn end<T>(t: T) {}",
        "client::end(client::f())",
    ),
    (
        "replaced through a reference",
        "pub fn f() -> Option<TYPE> { Some(EXPR) } pub fn clear<T>(to: &mut Option<T>) { *to = None }",
        "let mut it = client::f(); client::clear(&mut it); std::mem::forget(it);",
    ),
];

/// Constants that callers drop: only what can be constant.
const CONSTANTS: &[(&str, &str, &str)] = &[
    ("constant", "pub const IT: TYPE = EXPR;", "let _it = client::IT;"),
    (
        "associated constant",
        "pub struct S; impl S { pub const IT: TYPE = EXPR; }",
        "let _it = client::S::IT;",
    ),
    (
        "trait's constant",
        "pub trait Tr { const IT: TYPE = EXPR; } impl Tr for u8 {}",
        "let _it = <u8 as client::Tr>::IT;",
    ),
    (
        "generic constant",
        "pub struct S<T>(T); impl<T> S<T> { pub const IT: TYPE = EXPR; }",
        "let _it = client::S::<u8>::IT;",
    ),
    ("constant function", "pub const fn f() -> TYPE { EXPR }", "let _it = client::f();"),
];
const CONSTANT_SHAPES: &[&str] = &[
    "",
    "option",
    "result",
    "error",
    "tuple",
    "array",
    "cell",
    "own struct",
    "own enum",
    "own generic struct",
    "control flow",
    "manually dropped",
];

pub fn templates() -> Vec<Template> {
    let mut templates = Vec::new();
    for (guard, dep) in GUARDS {
        for (shape, ty, expression) in SHAPES {
            let own = OWN.iter().filter(|(name, _)| ty.contains(name)).map(|(_, item)| *item);
            let own: String = own.collect();
            let template = |way: &str, client: &str, used: &str, made: &str| {
                let client =
                    client.replace("TYPE", ty).replace("EXPR", &expression.replace("GUARD", made));
                let shape = if shape.is_empty() { String::new() } else { format!("{shape} of ") };
                let name = format!("{shape}{guard}, {way}");
                Template::new(name, &format!("{client} {own}"), dep, &[used])
            };
            for (way, client, used) in WAYS {
                templates.push(template(way, client, used, "dep::g()"));
            }
            if CONSTANT_SHAPES.contains(shape) {
                let constants = CONSTANTS.iter();
                templates.extend(
                    constants.map(|(way, client, used)| template(way, client, used, "dep::C")),
                );
            }
        }
    }
    templates
}
