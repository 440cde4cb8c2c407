//! What generic code of the client does with a dependency's generic types.

use crate::pair::Template;

/// The dependency's `W<T>`, made by `dep::w(t)`.
const GUARDS: &[(&str, &str)] = &[
    (
        "drop",
        "pub struct W<T>(pub T); pub fn w<T>(t: T) -> W<T> { W(t) } impl<T> Drop for W<T> { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
    ),
    (
        "drop of a field",
        "pub struct W<T>(T, Inner); pub fn w<T>(t: T) -> W<T> { W(t, Inner) } struct Inner; impl Drop for Inner { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
    ),
    (
        "drop of a generic field",
        "pub struct W<T>(Inner<T>); pub fn w<T>(t: T) -> W<T> { W(Inner(t)) } struct Inner<T>(T); impl<T> Drop for Inner<T> { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
    ),
    (
        "drop of an associated type",
        "pub struct W<T: Tr>(pub T, pub T::A); pub trait Tr { type A: Default; } impl<T> Tr for T { type A = Inner; } #[derive(Default)] pub struct Inner; pub fn w<T>(t: T) -> W<T> { W(t, Inner) } impl Drop for Inner { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
    ),
    (
        "drop of a variant",
        "pub enum W<T> { A(T, Inner), B } pub struct Inner; pub fn w<T>(t: T) -> W<T> { W::A(t, Inner) } impl Drop for Inner { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
    ),
    (
        "drop with a constant argument",
        "pub struct Fixed<T, const N: i32>(T); pub type W<T> = Fixed<T, { VALUE }>; pub fn w<T>(t: T) -> W<T> { Fixed(t) } impl<T, const N: i32> Drop for Fixed<T, N> { fn drop(&mut self) { println!(\"{N}\") } }",
    ),
];

const SHAPES: &[(&str, &str, &str)] = &[
    ("", "dep::W<T>", "dep::w(t)"),
    ("box", "Box<dep::W<T>>", "Box::new(dep::w(t))"),
    ("pinned box", "std::pin::Pin<Box<dep::W<T>>>", "Box::pin(dep::w(t))"),
    ("option", "Option<dep::W<T>>", "Some(dep::w(t))"),
    ("boxed option", "Option<Box<dep::W<T>>>", "Some(Box::new(dep::w(t)))"),
    ("vector", "Vec<dep::W<T>>", "vec![dep::w(t)]"),
    ("boxed slice", "Box<[dep::W<T>]>", "vec![dep::w(t)].into_boxed_slice()"),
    ("tuple", "(u8, dep::W<T>)", "(1, dep::w(t))"),
    ("tuple of boxes", "(Box<dep::W<T>>, u8)", "(Box::new(dep::w(t)), 1)"),
    ("array", "[dep::W<T>; 1]", "[dep::w(t)]"),
    ("rc", "std::rc::Rc<dep::W<T>>", "std::rc::Rc::new(dep::w(t))"),
    (
        "cell",
        "std::cell::RefCell<Option<Box<dep::W<T>>>>",
        "std::cell::RefCell::new(Some(Box::new(dep::w(t))))",
    ),
    ("own struct", "Own<T>", "Own { w: dep::w(t) }"),
    ("own enum", "Either<T>", "Either::A(dep::w(t))"),
    (
        "own recursive struct",
        "List<T>",
        "List { w: Some(dep::w(t)), next: Some(Box::new(List { w: None, next: None })) }",
    ),
    ("own struct with Drop", "Guarded<T>", "Guarded(dep::w(t))"),
    ("nested", "dep::W<dep::W<T>>", "dep::w(dep::w(t))"),
    (
        "map",
        "std::collections::BTreeMap<u8, dep::W<T>>",
        "std::collections::BTreeMap::from([(1, dep::w(t))])",
    ),
    ("trait object", "Box<dyn std::any::Any>", "Box::new(dep::w(t)) as Box<dyn std::any::Any>"),
    (
        "manually dropped",
        "std::mem::ManuallyDrop<dep::W<T>>",
        "std::mem::ManuallyDrop::new(dep::w(t))",
    ),
    (
        "closure",
        "Box<dyn FnOnce()>",
        "{ let w = dep::w(t); Box::new(move || drop(w)) as Box<dyn FnOnce()> }",
    ),
];

const OWN: &[(&str, &str)] = &[
    ("Own", "pub struct Own<T> { w: dep::W<T> }"),
    ("Either", "pub enum Either<T> { A(dep::W<T>), B(T) }"),
    ("List", "pub struct List<T> { w: Option<dep::W<T>>, next: Option<Box<List<T>>> }"),
    (
        "Guarded",
        "pub struct Guarded<T>(dep::W<T>); impl<T> Drop for Guarded<T> { fn drop(&mut self) {} }",
    ),
];

const FORMS: &[(&str, &str, &str)] = &[
    (
        "a parameter",
        "pub fn f<T: 'static>(x: SHAPE) {} pub fn mk<T: 'static>(t: T) -> SHAPE { EXPR }",
        "client::f::<TYPE>(client::mk(ARG))",
    ),
    ("a local", "pub fn f<T: 'static>(t: T) { let x: SHAPE = EXPR; }", "client::f(ARG)"),
    (
        "given to drop",
        "pub fn f<T: 'static>(t: T) { let x: SHAPE = EXPR; drop(x) }",
        "client::f(ARG)",
    ),
    (
        "overwritten",
        "pub fn f<T: 'static>(t: T, u: T) { let mut x: SHAPE = EXPR; let t = u; x = EXPR; std::mem::forget(x) }",
        "client::f(ARG, ARG)",
    ),
    (
        "replaced",
        "pub fn f<T: 'static>(t: T) { let mut x: Option<SHAPE> = Some(EXPR); x.take(); }",
        "client::f(ARG)",
    ),
    ("returned", "pub fn f<T: 'static>(t: T) -> SHAPE { EXPR }", "let _it = client::f(ARG);"),
    (
        "across an await",
        "pub async fn f<T: 'static>(t: T) { let x: SHAPE = EXPR; std::future::pending::<()>().await; std::mem::forget(x) }",
        "poll(client::f(ARG), 1)",
    ),
    (
        "in a closure",
        "pub fn f<T: 'static>(t: T) -> impl FnOnce() { let x: SHAPE = EXPR; move || { let _x = x; } }",
        "client::f(ARG)()",
    ),
    (
        "in a closure that is dropped",
        "pub fn f<T: 'static>(t: T) -> impl FnOnce() { let x: SHAPE = EXPR; move || std::mem::forget(x) }",
        "drop(client::f(ARG))",
    ),
    (
        "while a panic unwinds",
        "pub fn f<T: 'static>(t: T) { let x: SHAPE = EXPR; if true { panic!() } std::mem::forget(x) }",
        "panics(|| client::f(ARG))",
    ),
    (
        "in a generic struct",
        "pub struct S<T: 'static>(SHAPE, std::marker::PhantomData<T>); impl<T> S<T> { pub fn new(t: T) -> S<T> { S(EXPR, std::marker::PhantomData) } }",
        "let _it = client::S::new(ARG);",
    ),
    (
        "conditionally",
        "pub fn f<T: 'static>(t: T, keep: bool) { let x: SHAPE = EXPR; if keep { std::mem::forget(x) } }",
        "client::f(ARG, false)",
    ),
    (
        "an associated type",
        "pub trait Tr { type A; fn a(self) -> Self::A; } impl<T: 'static> Tr for Vec<T> { type A = SHAPE; fn a(mut self) -> SHAPE { let t = self.remove(0); EXPR } }",
        "let _it = client::Tr::a(vec![ARG]);",
    ),
    (
        "an iterator's item",
        "pub fn f<T: 'static>(t: T) -> impl Iterator<Item = SHAPE> { std::iter::once(EXPR) }",
        "let _it = client::f(ARG).next();",
    ),
    (
        "a callback's argument",
        "pub fn f<T: 'static>(t: T, with: impl FnOnce(SHAPE)) { with(EXPR) }",
        "client::f(ARG, |_it| {})",
    ),
    (
        "a trait object",
        "pub fn f<T: 'static>(t: T) -> Box<dyn std::any::Any> { let x: SHAPE = EXPR; Box::new(x) }",
        "let _it = client::f(ARG);",
    ),
    (
        "never",
        "pub fn f<T: 'static>(t: T) { let x: SHAPE = EXPR; std::mem::forget(x) }",
        "client::f(ARG)",
    ),
];

const ARGUMENTS: &[(&str, &str, &str)] =
    &[("u8", "u8", "1u8"), ("String", "String", "String::from(\"s\")"), ("unit", "()", "()")];

/// Facts about a dependency's generic items that generic code of the client asks for.
const FACTS: &[(&str, &str, &str, &str)] = &[
    (
        "size",
        "pub struct L<T>([T; VALUE as usize]);",
        "size_of::<dep::L<T>>()",
        "client::f::<u16>()",
    ),
    (
        "size of an option",
        "pub struct L<T>(T, [u8; VALUE as usize]);",
        "size_of::<Option<dep::L<T>>>()",
        "client::f::<u8>()",
    ),
    (
        "size of an associated type",
        "pub trait Tr { type A; } impl<T> Tr for T { type A = [u8; VALUE as usize]; }",
        "size_of::<<T as dep::Tr>::A>()",
        "client::f::<u16>()",
    ),
    (
        "alignment",
        "pub struct L<T>(Aligned<{ VALUE }>, T); pub struct Aligned<const N: i32>; pub trait A { type T; } impl A for Aligned<1> { type T = u8; } impl A for Aligned<2> { type T = u64; } pub type M = <Aligned<{ VALUE }> as A>::T;",
        "align_of::<(dep::M, T)>()",
        "client::f::<u8>()",
    ),
    (
        "needs_drop",
        "pub struct Aligned<const N: i32>; pub trait A { type T; } impl A for Aligned<1> { type T = u8; } impl A for Aligned<2> { type T = String; } pub type M = <Aligned<{ VALUE }> as A>::T;",
        "usize::from(std::mem::needs_drop::<(dep::M, T)>())",
        "client::f::<u8>()",
    ),
    (
        "name of a type",
        "pub struct Aligned<const N: i32>; pub type M = Aligned<{ VALUE }>;",
        "std::any::type_name::<(dep::M, T)>().len() + std::any::type_name::<dep::M>().bytes().filter(|it| *it == b'2').count()",
        "client::f::<u8>()",
    ),
    (
        "identity of a type",
        "pub struct Aligned<const N: i32>; pub type M = Aligned<{ VALUE }>; pub type Other = Aligned<1>;",
        "usize::from(std::any::TypeId::of::<dep::M>() == std::any::TypeId::of::<dep::Other>())",
        "client::f::<u8>()",
    ),
    (
        "generic constant",
        "pub struct L<T>(T); impl<T> L<T> { pub const N: usize = size_of::<T>() + VALUE as usize; }",
        "dep::L::<T>::N",
        "client::f::<u16>()",
    ),
    (
        "constant function",
        "pub const fn n<T>() -> usize { size_of::<T>() + VALUE as usize }",
        "const { dep::n::<T>() }",
        "client::f::<u16>()",
    ),
    (
        "phantom data",
        "pub struct L<T>(std::marker::PhantomData<T>); impl<T> L<T> { pub fn new() -> L<T> { L(std::marker::PhantomData) } pub fn n(&self) -> usize { VALUE as usize } }",
        "dep::L::<T>::new().n()",
        "client::f::<u16>()",
    ),
    (
        "function pointer",
        "pub fn n<T>() -> usize { VALUE as usize }",
        "{ let n: fn() -> usize = dep::n::<T>; n() }",
        "client::f::<u16>()",
    ),
    (
        "function pointer in a constant",
        "pub struct L<T>(T); impl<T> L<T> { pub const F: fn() -> usize = || VALUE as usize; }",
        "(dep::L::<T>::F)()",
        "client::f::<u16>()",
    ),
    (
        "static of a generic function",
        "pub fn n<T>() -> usize { static N: usize = VALUE as usize; N }",
        "dep::n::<T>()",
        "client::f::<u16>()",
    ),
    (
        "vtable",
        "pub trait Tr { fn n(&self) -> usize; } impl<T> Tr for T { fn n(&self) -> usize { VALUE as usize } } pub fn erase<T: 'static>() -> &'static dyn Tr { const { &[0u8; 3] } }",
        "dep::Tr::n(dep::erase::<T>())",
        "client::f::<u16>()",
    ),
];

/// Generic functions of the client that ask for a fact.
const ASKERS: &[(&str, &str)] = &[
    ("function", "pub fn f<T: 'static>() -> usize { FACT }"),
    (
        "method",
        "pub struct S<T>(T); impl<T: 'static> S<T> { fn n() -> usize { FACT } } pub fn f<T: 'static>() -> usize { S::<T>::n() }",
    ),
    (
        "constant",
        "pub struct S<T>(T); impl<T: 'static> S<T> { const F: fn() -> usize = || FACT; } pub fn f<T: 'static>() -> usize { (S::<T>::F)() }",
    ),
    (
        "trait method",
        "pub trait Tr { fn n() -> usize; } impl<T: 'static> Tr for T { fn n() -> usize { FACT } } pub fn f<T: 'static>() -> usize { <T as Tr>::n() }",
    ),
    ("closure", "pub fn f<T: 'static>() -> usize { (|| FACT)() }"),
];

pub fn templates() -> Vec<Template> {
    let mut templates = Vec::new();
    for (guard, dep) in GUARDS {
        for (shape, ty, expression) in SHAPES {
            let own = OWN.iter().filter(|(name, _)| ty.contains(name)).map(|(_, item)| *item);
            let own: String = own.collect();
            for (form, client, used) in FORMS {
                let client = client.replace("SHAPE", ty).replace("EXPR", expression) + " " + &own;
                for (argument, named, value) in ARGUMENTS {
                    let used = used.replace("TYPE", named).replace("ARG", value);
                    let shape = if shape.is_empty() { "itself" } else { shape };
                    let name = format!("{guard}, {shape}, {form}, of {argument}");
                    templates.push(Template::new(name, &client, dep, &[&used]));
                }
            }
        }
    }
    templates
}

pub fn facts() -> Vec<Template> {
    let mut templates = Vec::new();
    for (fact, dep, expression, used) in FACTS {
        for (asker, client) in ASKERS {
            let client = client.replace("FACT", expression);
            templates.push(Template::new(format!("{fact} in a {asker}"), &client, dep, &[used]));
        }
        // Without parameters of its own, and where callers see it without a call.
        let plain = expression
            .replace("(dep::M, T)", "dep::M")
            .replace("<T as", "<u16 as")
            .replace("<T>", "<u16>");
        let value = [
            ("plain function", format!("pub fn f() -> usize {{ {plain} }}"), "client::f()"),
            ("static", format!("pub static F: fn() -> usize = || {plain};"), "(client::F)()"),
        ];
        for (asker, client, used) in value {
            templates.push(Template::new(format!("{fact} in a {asker}"), &client, dep, &[used]));
        }
    }
    templates
}
