//! What callers hand in: values of types for which the dependency has impls.

use crate::pair::Template;

/// What the dependency's trait `Tr` says of a type: declarations, an impl's items, and how the client
/// asks a `T: Tr` that it has as `x`.
struct Asked {
    name: &'static str,
    declared: &'static str,
    implemented: &'static str,
    asked: &'static str,
    /// More items of the dependency.
    items: &'static str,
    is_dyn: bool,
}

const ASKED: &[Asked] = &[
    Asked {
        name: "method",
        declared: "fn v(&self) -> i32;",
        implemented: "fn v(&self) -> i32 { VALUE }",
        asked: "x.v()",
        items: "",
        is_dyn: true,
    },
    Asked {
        name: "method that prints",
        declared: "fn v(&self) -> i32;",
        implemented: "fn v(&self) -> i32 { println!(\"{}\", VALUE); 0 }",
        asked: "x.v()",
        items: "",
        is_dyn: true,
    },
    Asked {
        name: "provided method",
        declared: "fn v(&self) -> i32 { VALUE }",
        implemented: "",
        asked: "x.v()",
        items: "",
        is_dyn: true,
    },
    Asked {
        name: "provided method that calls another",
        declared: "fn w(&self) -> i32; fn v(&self) -> i32 { self.w() + 10 }",
        implemented: "fn w(&self) -> i32 { VALUE }",
        asked: "x.v()",
        items: "",
        is_dyn: true,
    },
    Asked {
        name: "overridden method",
        declared: "fn v(&self) -> i32 { 0 }",
        implemented: "fn v(&self) -> i32 { VALUE }",
        asked: "x.v()",
        items: "",
        is_dyn: true,
    },
    Asked {
        name: "supertrait",
        declared: "",
        implemented: "",
        asked: "dep::Super::s(&x)",
        items: "pub trait Super { fn s(&self) -> i32; } impl Super for TYPE { fn s(&self) -> i32 { VALUE } }",
        is_dyn: false,
    },
    Asked {
        name: "mutable method",
        declared: "fn v(&mut self) -> i32;",
        implemented: "fn v(&mut self) -> i32 { VALUE }",
        asked: "{ let mut x = x; x.v() }",
        items: "",
        is_dyn: false,
    },
    Asked {
        name: "method by value",
        declared: "fn v(self) -> i32;",
        implemented: "fn v(self) -> i32 { VALUE }",
        asked: "x.v()",
        items: "",
        is_dyn: false,
    },
    Asked {
        name: "associated function",
        declared: "fn v() -> i32;",
        implemented: "fn v() -> i32 { VALUE }",
        asked: "T::v()",
        items: "",
        is_dyn: false,
    },
    Asked {
        name: "associated constant",
        declared: "const K: i32;",
        implemented: "const K: i32 = VALUE;",
        asked: "T::K",
        items: "",
        is_dyn: false,
    },
    Asked {
        name: "provided constant",
        declared: "const K: i32 = VALUE;",
        implemented: "",
        asked: "T::K",
        items: "",
        is_dyn: false,
    },
    Asked {
        name: "associated type's method",
        declared: "type A: Default + Show;",
        implemented: "type A = Shown;",
        asked: "dep::Show::show(&<T::A as Default>::default())",
        items: "pub trait Show { fn show(&self) -> i32; } #[derive(Default)] pub struct Shown; impl Show for Shown { fn show(&self) -> i32 { VALUE } }",
        is_dyn: false,
    },
    Asked {
        name: "associated type's drop",
        declared: "type A: Default;",
        implemented: "type A = Dropped;",
        asked: "{ drop(<T::A as Default>::default()); 0 }",
        items: "#[derive(Default)] pub struct Dropped; impl Drop for Dropped { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
        is_dyn: false,
    },
    Asked {
        name: "associated type's size",
        declared: "type A;",
        implemented: "type A = [u8; VALUE as usize];",
        asked: "size_of::<T::A>() as i32",
        items: "",
        is_dyn: false,
    },
    Asked {
        name: "generic method",
        declared: "fn v<U: Copy>(&self, u: U) -> i32;",
        implemented: "fn v<U: Copy>(&self, u: U) -> i32 { VALUE }",
        asked: "x.v(1u8)",
        items: "",
        is_dyn: false,
    },
    Asked {
        name: "impl Trait of a method",
        declared: "fn v(&self) -> impl Iterator<Item = i32>;",
        implemented: "fn v(&self) -> impl Iterator<Item = i32> { 0..VALUE }",
        asked: "x.v().count() as i32",
        items: "",
        is_dyn: false,
    },
    Asked {
        name: "async method",
        declared: "fn v(&self) -> impl Future<Output = i32>;",
        implemented: "async fn v(&self) -> i32 { VALUE }",
        asked: "{ let mut f = std::pin::pin!(x.v()); match f.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) { std::task::Poll::Ready(it) => it, _ => 0 } }",
        items: "",
        is_dyn: false,
    },
];

/// Types that callers have: the type as the dependency names it, an expression for callers, and
/// items of `third` and of the client that it takes.
const TYPES: &[(&str, &str, &str, &str, &str)] = &[
    ("u8", "u8", "1u8", "", ""),
    ("bool", "bool", "true", "", ""),
    ("String", "String", "String::from(\"s\")", "", ""),
    ("Vec<u8>", "Vec<u8>", "vec![1u8]", "", ""),
    ("&str", "&'static str", "\"s\"", "", ""),
    ("Option", "Option<u8>", "Some(1u8)", "", ""),
    ("tuple", "(u8, u16)", "(1u8, 2u16)", "", ""),
    ("closure", "F", "(|it: u8| it)", "", ""),
    ("unit", "()", "()", "", ""),
    ("array", "[u8; 3]", "[1u8, 2, 3]", "", ""),
    ("function pointer", "fn(u8) -> u8", "((|it: u8| it) as fn(u8) -> u8)", "", ""),
    ("Ordering", "std::cmp::Ordering", "std::cmp::Ordering::Less", "", ""),
    ("Duration", "std::time::Duration", "std::time::Duration::from_secs(1)", "", ""),
    ("Rc", "std::rc::Rc<u8>", "std::rc::Rc::new(1u8)", "", ""),
    ("a third crate's", "third::Mine", "third::Mine", "pub struct Mine;", ""),
    (
        "a third crate's generic",
        "third::Mine<u8>",
        "third::Mine(1u8)",
        "pub struct Mine<T>(pub T);",
        "",
    ),
    (
        "a box of a third crate's",
        "Box<third::Mine>",
        "Box::new(third::Mine)",
        "pub struct Mine;",
        "",
    ),
    (
        "one that the client hands out",
        "Given",
        "client::given()",
        "",
        "pub fn given() -> dep::Given { dep::Given }",
    ),
    (
        "one that the client hides",
        "Given",
        "client::given()",
        "",
        "pub fn given() -> impl dep::Tr { dep::Given }",
    ),
];

/// Impls of the dependency for more than a type: `BODY` is an impl's items.
const IMPLS: &[(&str, &str, &str)] = &[
    ("", "impl GENERICS Tr for TYPE { BODY }", "VALUE_OF"),
    (" in a box", "impl<T> Tr for Box<T> { BODY }", "Box::new(VALUE_OF)"),
    (" in an option", "impl<T> Tr for Option<T> { BODY }", "Some(VALUE_OF)"),
    (" in a vector", "impl<T> Tr for Vec<T> { BODY }", "vec![VALUE_OF]"),
    (" by a blanket impl", "impl<T> Tr for T { BODY }", "VALUE_OF"),
    (
        " by a reference's impl",
        "impl<T> Tr for &'static T { BODY }",
        "&*Box::leak(Box::new(VALUE_OF))",
    ),
    (" in a tuple", "impl<T> Tr for (T, T) { BODY }", "(VALUE_OF, VALUE_OF)"),
];

/// What the client does with it: `ASK` asks `x` of the type `T`.
const TAKERS: &[(&str, &str, &str)] = &[
    ("generic function", "pub fn f<T: dep::Tr>(x: T) -> i32 { ASK }", "client::f(ARG)"),
    (
        "generic struct",
        "pub struct S<T: dep::Tr>(pub T); impl<T: dep::Tr> S<T> { pub fn go(self) -> i32 { let x = self.0; ASK } }",
        "client::S(ARG).go()",
    ),
    (
        "generic struct with Drop",
        "pub struct S<T: dep::Tr>(Option<T>); impl<T: dep::Tr> Drop for S<T> { fn drop(&mut self) { let x = self.0.take().unwrap(); println!(\"{}\", ASK) } } pub fn s<T: dep::Tr>(t: T) -> S<T> { S(Some(t)) }",
        "client::s(ARG);",
    ),
    (
        "blanket impl of its own trait",
        "pub trait Ask { fn ask(self) -> i32; } impl<T: dep::Tr> Ask for T { fn ask(self) -> i32 { let x = self; ASK } }",
        "client::Ask::ask(ARG)",
    ),
    (
        "iterator of it",
        "pub fn f<T: dep::Tr>(all: impl Iterator<Item = T>) -> i32 { all.map(|x| ASK).sum() }",
        "client::f(std::iter::once(ARG))",
    ),
    (
        "generic constant",
        "pub struct S<T>(T); impl<T: dep::Tr> S<T> { pub const F: fn(T) -> i32 = |x: T| ASK; } pub fn f<T: dep::Tr>(x: T) -> i32 { (S::<T>::F)(x) }",
        "client::f(ARG)",
    ),
    (
        "closure that is returned",
        "pub fn f<T: dep::Tr + 'static>(x: T) -> Box<dyn FnOnce() -> i32> { Box::new(move || ASK) }",
        "client::f(ARG)()",
    ),
    (
        "async function",
        "pub async fn f<T: dep::Tr>(x: T) -> i32 { ASK }",
        "poll(client::f(ARG), 1)",
    ),
    (
        "registry of closures",
        "thread_local! { static ALL: std::cell::RefCell<Vec<Box<dyn FnOnce() -> i32>>> = std::cell::RefCell::new(Vec::new()); } pub fn add<T: dep::Tr + 'static>(x: T) { ALL.with(|all| all.borrow_mut().push(Box::new(move || ASK))) } pub fn run() -> i32 { ALL.with(|all| all.borrow_mut().drain(..).map(|it| it()).sum()) }",
        "client::add(ARG); client::run()",
    ),
];

/// What the client does with a trait object `x`.
const DYN_TAKERS: &[(&str, &str, &str)] = &[
    ("a reference", "pub fn f(x: &dyn dep::Tr) -> i32 { ASK }", "client::f(&ARG)"),
    ("a box", "pub fn f(x: Box<dyn dep::Tr>) -> i32 { ASK }", "client::f(Box::new(ARG))"),
    ("a mutable reference", "pub fn f(x: &mut dyn dep::Tr) -> i32 { ASK }", "client::f(&mut ARG)"),
    (
        "a slice",
        "pub fn f(all: &[&dyn dep::Tr]) -> i32 { all.iter().map(|x| ASK).sum() }",
        "client::f(&[&ARG])",
    ),
    (
        "an option",
        "pub fn f(x: Option<&dyn dep::Tr>) -> i32 { match x { Some(x) => ASK, None => 0 } }",
        "client::f(Some(&ARG))",
    ),
    (
        "an Rc",
        "pub fn f(x: std::rc::Rc<dyn dep::Tr>) -> i32 { ASK }",
        "client::f(std::rc::Rc::new(ARG))",
    ),
    (
        "a field",
        "pub struct S { pub x: Box<dyn dep::Tr> } impl S { pub fn go(&self) -> i32 { let x = &self.x; ASK } }",
        "client::S { x: Box::new(ARG) }.go()",
    ),
    (
        "a registry",
        "thread_local! { static ALL: std::cell::RefCell<Vec<Box<dyn dep::Tr>>> = std::cell::RefCell::new(Vec::new()); } pub fn add(x: Box<dyn dep::Tr>) { ALL.with(|all| all.borrow_mut().push(x)) } pub fn run() -> i32 { ALL.with(|all| all.borrow().iter().map(|x| ASK).sum()) }",
        "client::add(Box::new(ARG)); client::run()",
    ),
    (
        "a generic registry",
        "thread_local! { static ALL: std::cell::RefCell<Vec<Box<dyn dep::Tr>>> = std::cell::RefCell::new(Vec::new()); } pub fn add<T: dep::Tr + 'static>(x: T) { ALL.with(|all| all.borrow_mut().push(Box::new(x))) } pub fn run() -> i32 { ALL.with(|all| all.borrow().iter().map(|x| ASK).sum()) }",
        "client::add(ARG); client::run()",
    ),
    (
        "a returned one",
        "pub fn f<T: dep::Tr + 'static>(x: T) -> Box<dyn dep::Tr> { Box::new(x) } pub fn g(x: Box<dyn dep::Tr>) -> i32 { ASK }",
        "client::g(client::f(ARG))",
    ),
    (
        "a callback's",
        "pub fn f(make: impl Fn() -> Box<dyn dep::Tr>) -> i32 { let x = make(); ASK }",
        "client::f(|| Box::new(ARG))",
    ),
    (
        "a method's",
        "pub struct S; impl S { pub fn f(&self, x: &dyn dep::Tr) -> i32 { ASK } }",
        "client::S.f(&ARG)",
    ),
    (
        "a trait method's",
        "pub trait Own { fn f(&self, x: &dyn dep::Tr) -> i32 { ASK } } impl Own for u8 {}",
        "client::Own::f(&1u8, &ARG)",
    ),
    (
        "a function pointer's",
        "pub const F: fn(&dyn dep::Tr) -> i32 = |x| ASK;",
        "(client::F)(&ARG)",
    ),
    (
        "an async function's",
        "pub async fn f(x: &dyn dep::Tr) -> i32 { ASK }",
        "poll(client::f(&ARG), 1)",
    ),
];

pub fn templates() -> Vec<Template> {
    let mut templates = Vec::new();
    for asked in ASKED {
        for (ty, named, expression, third, client_items) in TYPES {
            for (covered, implemented, argument) in IMPLS {
                let is_hidden = client_items.contains("impl dep::Tr");
                if is_hidden && !covered.is_empty() {
                    continue;
                }
                let implemented =
                    implemented.replace("TYPE", named).replace("BODY", asked.implemented);
                let implemented = implemented.replace("GENERICS", generics(named));
                let covers = if covered.is_empty() { named } else { "T" };
                let own = if client_items.is_empty() { "" } else { "pub struct Given;" };
                let dep = format!("{} {implemented} {own}", asked.declarations(covers));
                let argument = argument.replace("VALUE_OF", expression);
                for (taker, client, used) in asked.takers() {
                    let client = format!("use dep::Tr as _;\n{client} {client_items}");
                    let name = format!("{} of {ty}{covered}, {taker}", asked.name);
                    let used = used.replace("ARG", &argument);
                    templates.push(Template::new(name, &client, &dep, &[&used]).third(third));
                }
            }
        }
        // The client, or a crate that depends on the dependency, has the impl, and the dependency the
        // value.
        if asked.items.contains("Super") {
            continue;
        }
        let dep = format!("{} pub const NUMBER: i32 = VALUE;", asked.declarations(""));
        let implemented = asked.implemented.replace("VALUE", "dep::NUMBER");
        let own = format!("pub struct Own; impl dep::Tr for Own {{ {implemented} }}");
        for (taker, client, used) in asked.takers() {
            let client = format!("use dep::*;\n{client} {own}");
            let name = format!("{} of one of the client, {taker}", asked.name);
            let used = used.replace("ARG", "client::Own");
            templates.push(Template::new(name, &client, &dep, &[&used]));
        }
        let middle =
            format!("use dep::*;\npub struct Mine; impl dep::Tr for Mine {{ {implemented} }}");
        for (taker, client, used) in asked.takers() {
            let client = format!("use dep::Tr as _;\n{client}");
            let name = format!("{} of one of a crate between, {taker}", asked.name);
            let used = used.replace("ARG", "middle::Mine");
            templates.push(Template::new(name, &client, &dep, &[&used]).middle(&middle));
        }
    }
    templates
}

/// The parameters of an impl for a type.
fn generics(ty: &str) -> &'static str {
    match ty {
        "T" => "<T>",
        "F" => "<F: Fn(u8) -> u8>",
        _ => "",
    }
}

impl Asked {
    /// The dependency's trait, and what it needs for impls that cover a type.
    fn declarations(&self, covers: &str) -> String {
        let covered = format!("impl{} Super for {covers}", generics(covers));
        let items = self.items.replace("impl Super for TYPE", &covered);
        let bound = if items.contains("Super") { ": Super" } else { "" };
        format!("pub trait Tr{bound} {{ {} }} {items}", self.declared)
    }

    /// What clients do with a value: their names, the clients, and the uses.
    fn takers(&self) -> Vec<(String, String, &'static str)> {
        let objects = DYN_TAKERS.iter().filter(|_| self.is_dyn);
        let objects = objects.map(|it| (format!("trait object in {}", it.0), it));
        let takers = TAKERS.iter().map(|it| (it.0.to_owned(), it)).chain(objects);
        takers.map(|(name, it)| (name, it.1.replace("ASK", self.asked), it.2)).collect()
    }
}
