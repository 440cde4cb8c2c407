//! Trait objects and hidden types that callers get and call methods of, which needs no name of the
//! dependency; and types that callers only name, by a path of the client.

use crate::pair::Template;

/// What a `dyn dep::Tr` has, and what implements it: the dependency's items, the client's items, and
/// the client's expression.
const IMPLEMENTORS: &[(&str, &str, &str, &str)] = &[
    (
        "the dependency's type",
        "pub trait Tr { fn v(&self) -> i32; } pub struct X; impl Tr for X { fn v(&self) -> i32 { VALUE } }",
        "",
        "dep::X",
    ),
    (
        "the dependency's generic type",
        "pub trait Tr { fn v(&self) -> i32; } pub struct Y<T>(pub T); impl<T> Tr for Y<T> { fn v(&self) -> i32 { VALUE } }",
        "",
        "dep::Y(1u8)",
    ),
    (
        "std's type",
        "pub trait Tr { fn v(&self) -> i32; } impl Tr for u8 { fn v(&self) -> i32 { VALUE } }",
        "",
        "1u8",
    ),
    (
        "a type of the client, with a provided method",
        "pub trait Tr { fn v(&self) -> i32 { VALUE } }",
        "pub struct Own; impl dep::Tr for Own {}",
        "Own",
    ),
    (
        "a type of the client, with a provided method that calls back",
        "pub trait Tr { fn w(&self) -> i32; fn v(&self) -> i32 { self.w() * VALUE } }",
        "pub struct Own; impl dep::Tr for Own { fn w(&self) -> i32 { 5 } }",
        "Own",
    ),
    (
        "a supertrait's method",
        "pub trait Super { fn v(&self) -> i32; } pub trait Tr: Super {} pub struct X; impl Super for X { fn v(&self) -> i32 { VALUE } } impl Tr for X {}",
        "",
        "dep::X",
    ),
    (
        "a blanket impl",
        "pub trait Tr { fn v(&self) -> i32; } impl<T: Copy> Tr for T { fn v(&self) -> i32 { VALUE } }",
        "",
        "7u16",
    ),
    (
        "a private type",
        "pub trait Tr { fn v(&self) -> i32; } struct X; impl Tr for X { fn v(&self) -> i32 { VALUE } } pub fn x() -> Box<dyn Tr> { Box::new(X) } impl Tr for Box<dyn Tr> { fn v(&self) -> i32 { (**self).v() } }",
        "",
        "dep::x()",
    ),
    (
        "an impl for trait objects",
        "pub trait Tr { fn v(&self) -> i32 { self.w() } fn w(&self) -> i32 { VALUE } } pub struct X; impl Tr for X {}",
        "",
        "dep::X",
    ),
];

/// How callers get it, and call `v`.
const OBJECTS: &[(&str, &str, &str)] = &[
    ("box", "pub fn k() -> Box<dyn dep::Tr> { Box::new(EXPR) }", "client::k().v()"),
    ("rc", "pub fn k() -> std::rc::Rc<dyn dep::Tr> { std::rc::Rc::new(EXPR) }", "client::k().v()"),
    (
        "reference",
        "pub fn k() -> &'static dyn dep::Tr { Box::leak(Box::new(EXPR)) }",
        "client::k().v()",
    ),
    (
        "vector",
        "pub fn k() -> Vec<Box<dyn dep::Tr>> { vec![Box::new(EXPR)] }",
        "client::k()[0].v()",
    ),
    (
        "option",
        "pub fn k() -> Option<Box<dyn dep::Tr>> { Some(Box::new(EXPR)) }",
        "client::k().unwrap().v()",
    ),
    (
        "field",
        "pub struct S { pub k: Box<dyn dep::Tr> } pub fn k() -> S { S { k: Box::new(EXPR) } }",
        "client::k().k.v()",
    ),
    (
        "callback's argument",
        "pub fn k<R>(f: impl FnOnce(&dyn dep::Tr) -> R) -> R { f(&EXPR) }",
        "client::k(|it| it.v())",
    ),
    (
        "trait object callback's argument",
        "pub fn k(f: &dyn Fn(&dyn dep::Tr) -> i32) -> i32 { f(&EXPR) }",
        "client::k(&|it| it.v())",
    ),
    (
        "iterator's item",
        "pub fn k() -> impl Iterator<Item = Box<dyn dep::Tr>> { std::iter::once_with(|| Box::new(EXPR) as Box<dyn dep::Tr>) }",
        "client::k().next().unwrap().v()",
    ),
    (
        "future's output",
        "pub async fn k() -> Box<dyn dep::Tr> { Box::new(EXPR) }",
        "poll(client::k(), 1).unwrap().v()",
    ),
    (
        "closure's output",
        "pub fn k() -> impl Fn() -> Box<dyn dep::Tr> { || Box::new(EXPR) }",
        "client::k()().v()",
    ),
    (
        "function pointer's output",
        "pub static K: fn() -> Box<dyn dep::Tr> = || Box::new(EXPR);",
        "(client::K)().v()",
    ),
    (
        "alias",
        "pub type Object = Box<dyn dep::Tr>; pub fn k() -> Object { Box::new(EXPR) }",
        "let k: client::Object = client::k(); k.v()",
    ),
    (
        "deref's target",
        "pub struct S(Box<dyn dep::Tr>); pub fn k() -> S { S(Box::new(EXPR)) } impl std::ops::Deref for S { type Target = dyn dep::Tr; fn deref(&self) -> &Self::Target { &*self.0 } }",
        "client::k().v()",
    ),
    (
        "re-exported trait",
        "pub use dep::Tr; pub fn k() -> impl Tr { EXPR }",
        "use client::Tr; client::k().v()",
    ),
    (
        "trait of its own above",
        "pub trait Above: dep::Tr {} impl<T: dep::Tr> Above for T {} pub fn k() -> Box<dyn Above> { Box::new(EXPR) }",
        "client::k().v()",
    ),
    (
        "generic function of its own",
        "pub fn k() -> Box<dyn dep::Tr> { Box::new(EXPR) } pub fn ask<T: dep::Tr + ?Sized>(t: &T) -> i32 { t.v() }",
        "client::ask(&*client::k())",
    ),
    (
        "static",
        "pub struct Sync_(Box<dyn dep::Tr>); unsafe impl Sync for Sync_ {} unsafe impl Send for Sync_ {} pub static K: std::sync::LazyLock<Sync_> = std::sync::LazyLock::new(|| Sync_(Box::new(EXPR))); impl Sync_ { pub fn get(&self) -> &dyn dep::Tr { &*self.0 } }",
        "client::K.get().v()",
    ),
];

/// What a bound lets generic code of the client do with a type alone.
const BY_TYPE: &[(&str, &str, &str, &str)] = &[
    (
        "Default",
        "Default + Into<i32>",
        "impl Default for K { fn default() -> K { K(VALUE) } } impl From<K> for i32 { fn from(k: K) -> i32 { k.0 } }",
        "T::default().into()",
    ),
    (
        "From",
        "From<u8> + Into<i32>",
        "impl From<u8> for K { fn from(_: u8) -> K { K(VALUE) } } impl From<K> for i32 { fn from(k: K) -> i32 { k.0 } }",
        "T::from(1u8).into()",
    ),
    (
        "TryFrom",
        "TryFrom<u8>",
        "impl TryFrom<u8> for K { type Error = (); fn try_from(_: u8) -> Result<K, ()> { if VALUE == 1 { Ok(K(1)) } else { Err(()) } } }",
        "i32::from(T::try_from(1u8).is_ok())",
    ),
    (
        "FromStr",
        "std::str::FromStr",
        "impl std::str::FromStr for K { type Err = (); fn from_str(_: &str) -> Result<K, ()> { if VALUE == 1 { Ok(K(1)) } else { Err(()) } } }",
        "i32::from(\"x\".parse::<T>().is_ok())",
    ),
    (
        "FromIterator",
        "FromIterator<u8> + Into<i32>",
        "impl FromIterator<u8> for K { fn from_iter<I: IntoIterator<Item = u8>>(_: I) -> K { K(VALUE) } } impl From<K> for i32 { fn from(k: K) -> i32 { k.0 } }",
        "[1u8].into_iter().collect::<T>().into()",
    ),
    (
        "Extend",
        "Extend<u8> + Default + Into<i32>",
        "impl Default for K { fn default() -> K { K(0) } } impl Extend<u8> for K { fn extend<I: IntoIterator<Item = u8>>(&mut self, _: I) { self.0 = VALUE } } impl From<K> for i32 { fn from(k: K) -> i32 { k.0 } }",
        "{ let mut t = T::default(); t.extend([1u8]); t.into() }",
    ),
    (
        "Sum",
        "std::iter::Sum<u8> + Into<i32>",
        "impl std::iter::Sum<u8> for K { fn sum<I: Iterator<Item = u8>>(_: I) -> K { K(VALUE) } } impl From<K> for i32 { fn from(k: K) -> i32 { k.0 } }",
        "[1u8].into_iter().sum::<T>().into()",
    ),
    ("size", "Sized", "pub struct Pad([u8; VALUE as usize]);", "size_of::<T>() as i32"),
    (
        "drop",
        "Default",
        "impl Default for K { fn default() -> K { K(0) } } impl Drop for K { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
        "{ T::default(); 0 }",
    ),
];

/// How callers name the type, or have it inferred.
const NAMED: &[(&str, &str, &str)] = &[
    ("alias", "pub type A = dep::K;", "client::ask::<client::A>()"),
    (
        "generic alias",
        "pub type A<T> = (T, dep::K); pub fn ask_second<T, U: BOUND>(_: std::marker::PhantomData<(T, U)>) -> i32 { ask::<U>() }",
        "client::ask_second(std::marker::PhantomData::<client::A<u8>>)",
    ),
    ("re-export", "pub use dep::K;", "client::ask::<client::K>()"),
    (
        "associated type",
        "pub trait Tr { type A; } impl Tr for u8 { type A = dep::K; }",
        "client::ask::<<u8 as client::Tr>::A>()",
    ),
    (
        "default argument",
        "pub struct S<T = dep::K>(pub Option<T>); impl<T: BOUND> S<T> { pub fn go() -> i32 { ask::<T>() } }",
        "<client::S>::go()",
    ),
    (
        "default argument of a trait",
        "pub trait Tr<T = dep::K> { fn go(&self) -> i32; } impl<T: BOUND> Tr<T> for u8 { fn go(&self) -> i32 { ask::<T>() } }",
        "<u8 as client::Tr>::go(&1)",
    ),
    (
        "option that is returned",
        "pub fn none() -> Option<dep::K> { None } pub fn like<T: BOUND>(_: &Option<T>) -> i32 { ask::<T>() }",
        "client::like(&client::none())",
    ),
    (
        "phantom data",
        "pub const MARK: std::marker::PhantomData<dep::K> = std::marker::PhantomData; pub fn like<T: BOUND>(_: std::marker::PhantomData<T>) -> i32 { ask::<T>() }",
        "client::like(client::MARK)",
    ),
    (
        "function's argument",
        "pub fn takes(_: dep::K) {} pub fn like<T: BOUND>(_: fn(T)) -> i32 { ask::<T>() }",
        "client::like(client::takes)",
    ),
    (
        "own generic struct",
        "pub struct S<T>(pub Option<T>); pub fn s() -> S<dep::K> { S(None) } impl<T: BOUND> S<T> { pub fn go(&self) -> i32 { ask::<T>() } }",
        "client::s().go()",
    ),
    (
        "empty vector",
        "pub fn all() -> Vec<dep::K> { Vec::new() } pub fn like<T: BOUND>(_: &[T]) -> i32 { ask::<T>() }",
        "client::like(&client::all())",
    ),
    (
        "blanket impl of its own",
        "pub type A = dep::K; pub trait Ask { fn go() -> i32; } impl<T: BOUND> Ask for T { fn go() -> i32 { ask::<T>() } }",
        "<client::A as client::Ask>::go()",
    ),
];

pub fn templates() -> Vec<Template> {
    let mut templates = Vec::new();
    for (implementor, dep, items, expression) in IMPLEMENTORS {
        for (object, client, used) in OBJECTS {
            let client = format!("{} {items}", client.replace("EXPR", expression));
            let name = format!("{implementor} in a {object}");
            templates.push(Template::new(name, &client, dep, &[used]));
        }
    }
    templates
}

pub fn named() -> Vec<Template> {
    let mut templates = Vec::new();
    for (shown, bound, implemented, asked) in BY_TYPE {
        let field = if *shown == "size" { "pub Pad" } else { "pub i32" };
        let dep = format!("pub struct K({field}); {implemented}");
        for (named, client, used) in NAMED {
            let client = format!("{client} pub fn ask<T: BOUND>() -> i32 {{ {asked} }}");
            let name = format!("{shown} of a type named by {named}");
            let client = client.replace("BOUND", bound);
            templates.push(Template::new(name, &client, &dep, &[used]));
        }
    }
    templates
}
