//! Macros that callers expand, and code of the client that means something else with the new version.

use crate::pair::{Meaning, Template};

/// What a macro of the dependency or of the client expands to: `ROOT` is where the dependency is.
const EXPANSIONS: &[(&str, &str, &str)] = &[
    ("a call", "pub fn f() -> i32 { VALUE }", "ROOT::f()"),
    ("a constant", "pub const K: i32 = VALUE;", "ROOT::K"),
    ("a static", "pub static K: i32 = VALUE;", "ROOT::K"),
    ("a generic call", "pub fn f<T>(t: T) -> (T, i32) { (t, VALUE) }", "ROOT::f(1u8)"),
    (
        "a value that is dropped",
        "pub struct G; impl Drop for G { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
        "{ let _g = ROOT::G; }",
    ),
    ("a method", "pub struct S; impl S { pub fn get(&self) -> i32 { VALUE } }", "ROOT::S.get()"),
    (
        "a trait's method",
        "pub trait Tr { fn get(&self) -> i32; } impl Tr for u8 { fn get(&self) -> i32 { VALUE } }",
        "{ use ROOT::Tr; 1u8.get() }",
    ),
    (
        "a provided method",
        "pub trait Tr { fn get(&self) -> i32 { VALUE } }",
        "{ struct Mine; impl ROOT::Tr for Mine {} ROOT::Tr::get(&Mine) }",
    ),
    ("an item", "pub const K: i32 = VALUE;", "{ fn item() -> i32 { ROOT::K } item() }"),
    (
        "a format",
        "pub struct S; impl std::fmt::Display for S { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"{}\", VALUE) } }",
        "format!(\"{}\", ROOT::S)",
    ),
];

const MACROS: &[(&str, &str, &str, &str)] = &[
    (
        "the dependency's, passed on",
        "#[macro_export] macro_rules! mac_MOD { () => { EXPANSION } } pub use mac_MOD as mac;",
        "pub use dep::mac;",
        "$crate::MOD",
    ),
    (
        "the dependency's, passed on by a glob",
        "#[macro_export] macro_rules! mac_MOD { () => { EXPANSION } } pub use mac_MOD as mac;",
        "pub use dep::*;",
        "$crate::MOD",
    ),
    (
        "the client's, by a hidden re-export",
        "",
        "#[doc(hidden)] pub use dep::MOD_ITSELF as __private; #[macro_export] macro_rules! mac_MOD { () => { EXPANSION } } pub use mac_MOD as mac;",
        "$crate::__private",
    ),
    (
        "the client's, by a glob",
        "",
        "#[doc(hidden)] pub mod __private { pub use dep::*; } #[macro_export] macro_rules! mac_MOD { () => { EXPANSION } } pub use mac_MOD as mac;",
        "$crate::__private",
    ),
    (
        "the dependency's, called by the client's",
        "#[macro_export] macro_rules! mac_MOD { () => { EXPANSION } } pub use mac_MOD as mac;",
        "#[doc(hidden)] pub use dep::mac as inner; #[macro_export] macro_rules! outer_MOD { () => { $crate::inner!() } } pub use outer_MOD as mac;",
        "$crate::MOD",
    ),
];

/// Old and new dependency, with what the client's own code then means.
const MEANT: &[(&str, &str, &str, &str, Meaning)] = &[
    (
        "a literal of a macro that is passed on",
        "#[macro_export] macro_rules! mac_MOD { () => { 1 } } pub use mac_MOD as f;",
        "#[macro_export] macro_rules! mac_MOD { () => { 2 } } pub use mac_MOD as f;",
        "pub use dep::f;",
        Meaning::Measured,
    ),
    (
        "an inherent method before a trait's",
        "pub struct S;",
        "pub struct S; impl S { pub fn get(&self) -> i32 { 2 } }",
        "trait Get { fn get(&self) -> i32; } impl Get for dep::S { fn get(&self) -> i32 { 1 } } pub fn f() -> i32 { dep::S.get() }",
        Meaning::Measured,
    ),
    (
        "an inherent method in the client's generic code",
        "pub struct S<T>(pub T);",
        "pub struct S<T>(pub T); impl<T> S<T> { pub fn get(&self) -> i32 { 2 } }",
        "trait Get { fn get(&self) -> i32; } impl<T> Get for dep::S<T> { fn get(&self) -> i32 { 1 } } fn g<T>(t: T) -> i32 { dep::S(t).get() } pub fn f() -> i32 { g(1u8) }",
        Meaning::Measured,
    ),
    (
        "a method by value before one by reference",
        "pub struct S; impl S { pub fn other(&self) {} }",
        "pub struct S; impl S { pub fn get(self) -> i32 { 2 } }",
        "trait Get { fn get(&self) -> i32; } impl Get for dep::S { fn get(&self) -> i32 { 1 } } pub fn f() -> i32 { dep::S.get() }",
        Meaning::Measured,
    ),
    (
        "a macro in the client's code",
        "#[macro_export] macro_rules! mac_MOD { () => { 1 } } pub use mac_MOD as mac;",
        "#[macro_export] macro_rules! mac_MOD { () => { 2 } } pub use mac_MOD as mac;",
        "pub fn f() -> i32 { dep::mac!() }",
        Meaning::Measured,
    ),
    (
        "a macro in a constant of the client",
        "#[macro_export] macro_rules! mac_MOD { () => { 1 } } pub use mac_MOD as mac;",
        "#[macro_export] macro_rules! mac_MOD { () => { 2 } } pub use mac_MOD as mac;",
        "pub const K: i32 = dep::mac!(); pub fn f() -> i32 { K }",
        Meaning::Measured,
    ),
    (
        "a macro in a pattern of the client",
        "#[macro_export] macro_rules! mac_MOD { () => { 1 } } pub use mac_MOD as mac;",
        "#[macro_export] macro_rules! mac_MOD { () => { 2 } } pub use mac_MOD as mac;",
        "pub fn f() -> bool { matches!(std::hint::black_box(1), dep::mac!()) }",
        Meaning::Measured,
    ),
    (
        "a macro that makes a public item of the client",
        "#[macro_export] macro_rules! mac_MOD { () => { pub fn f() -> i32 { 1 } } } pub use mac_MOD as mac;",
        "#[macro_export] macro_rules! mac_MOD { () => { pub fn f() -> i32 { 2 } } } pub use mac_MOD as mac;",
        "dep::mac!();",
        Meaning::Measured,
    ),
    (
        "a constant in a pattern",
        "pub const K: i32 = 1;",
        "pub const K: i32 = 2;",
        "pub fn f() -> bool { matches!(std::hint::black_box(1), dep::K) }",
        Meaning::Measured,
    ),
    (
        "a constant in a length",
        "pub const K: usize = 1;",
        "pub const K: usize = 2;",
        "pub type A = [u8; dep::K]; pub fn f() -> usize { size_of::<A>() }",
        Meaning::Measured,
    ),
    (
        "a length of a field",
        "pub const K: usize = 1;",
        "pub const K: usize = 2;",
        "pub struct S(pub [u8; dep::K]); pub fn f() -> usize { S([0; dep::K]).0.len() }",
        Meaning::Measured,
    ),
    (
        "a default argument",
        "pub struct A; pub struct B; pub struct S<T = A>(std::marker::PhantomData<T>); impl S<A> { pub fn get() -> i32 { 1 } } impl S<B> { pub fn get() -> i32 { 2 } }",
        "pub struct A; pub struct B; pub struct S<T = B>(std::marker::PhantomData<T>); impl S<A> { pub fn get() -> i32 { 1 } } impl S<B> { pub fn get() -> i32 { 2 } }",
        "pub fn f() -> i32 { <dep::S>::get() }",
        Meaning::Measured,
    ),
    (
        "a default argument of a public alias",
        "pub struct A; pub struct B; pub struct S<T = A>(std::marker::PhantomData<T>); impl S<A> { pub fn get() -> i32 { 1 } } impl S<B> { pub fn get() -> i32 { 2 } }",
        "pub struct A; pub struct B; pub struct S<T = B>(std::marker::PhantomData<T>); impl S<A> { pub fn get() -> i32 { 1 } } impl S<B> { pub fn get() -> i32 { 2 } }",
        "pub type Alias = dep::S; pub fn f() -> i32 { Alias::get() }",
        Meaning::Measured,
    ),
    (
        "the order of fields that are dropped",
        "pub struct P(pub &'static str); impl Drop for P { fn drop(&mut self) { println!(\"{}\", self.0) } } pub struct S { a: P, b: P } pub fn s() -> S { S { a: P(\"a\"), b: P(\"b\") } }",
        "pub struct P(pub &'static str); impl Drop for P { fn drop(&mut self) { println!(\"{}\", self.0) } } pub struct S { b: P, a: P } pub fn s() -> S { S { a: P(\"a\"), b: P(\"b\") } }",
        "pub fn f() -> dep::S { dep::s() }",
        Meaning::Measured,
    ),
    (
        "a drop that is new",
        "pub struct S(u8); pub fn s() -> S { S(1) }",
        "pub struct S(u8); pub fn s() -> S { S(1) } impl Drop for S { fn drop(&mut self) { println!(\"new\") } }",
        "pub fn f() -> dep::S { dep::s() }",
        Meaning::Measured,
    ),
    (
        "a field with a drop that is new",
        "struct P; pub struct S(P); pub fn s() -> S { S(P) }",
        "struct P; impl Drop for P { fn drop(&mut self) { println!(\"new\") } } pub struct S(P); pub fn s() -> S { S(P) }",
        "pub fn f() -> dep::S { dep::s() }",
        Meaning::Measured,
    ),
    (
        "variants exchanged",
        "#[repr(u8)] #[derive(Clone, Copy)] pub enum E { A, B }",
        "#[repr(u8)] #[derive(Clone, Copy)] pub enum E { B, A }",
        "pub fn f() -> u8 { dep::E::A as u8 }",
        Meaning::Measured,
    ),
    (
        "variants exchanged under a derived order",
        "#[derive(PartialEq, PartialOrd)] pub enum E { A, B }",
        "#[derive(PartialEq, PartialOrd)] pub enum E { B, A }",
        "pub fn f() -> bool { dep::E::A < dep::E::B }",
        Meaning::Measured,
    ),
    (
        "fields exchanged under a derived order",
        "#[derive(PartialEq, PartialOrd)] pub struct S { pub a: u8, pub b: u8 }",
        "#[derive(PartialEq, PartialOrd)] pub struct S { pub b: u8, pub a: u8 }",
        "pub fn f() -> bool { dep::S { a: 1, b: 2 } < dep::S { a: 2, b: 1 } }",
        Meaning::Measured,
    ),
    (
        "a derived impl that became another",
        "#[derive(Default)] pub struct S { pub a: u8 }",
        "pub struct S { pub a: u8 } impl Default for S { fn default() -> S { S { a: 7 } } }",
        "pub fn f() -> u8 { dep::S::default().a }",
        Meaning::Measured,
    ),
    (
        "a derived impl that was written out",
        "#[derive(Default)] pub struct S { pub a: u8 }",
        "pub struct S { pub a: u8 } impl Default for S { fn default() -> S { S { a: 0 } } }",
        "pub fn f() -> u8 { dep::S::default().a }",
        Meaning::Same,
    ),
    (
        "a representation",
        "pub struct S(pub u8, pub u16);",
        "#[repr(C, packed)] pub struct S(pub u8, pub u16);",
        "pub fn f() -> usize { size_of::<dep::S>() }",
        Meaning::Measured,
    ),
    (
        "a representation that callers see",
        "pub struct S(pub u8, pub u16);",
        "#[repr(C, packed)] pub struct S(pub u8, pub u16);",
        "pub struct Own(pub dep::S); pub fn own() -> Own { Own(dep::S(1, 2)) } pub fn f() -> usize { size_of_val(&own()) }",
        Meaning::Measured,
    ),
    (
        "the caller's place",
        "#[track_caller] pub fn line() -> u32 { std::panic::Location::caller().column() }",
        "pub fn line() -> u32 { std::panic::Location::caller().column() }",
        "pub fn f() -> u32 { dep::line() }",
        Meaning::Measured,
    ),
    (
        "a trait's new impl for a reference",
        "pub trait Tr { fn get(self) -> i32; } impl Tr for u8 { fn get(self) -> i32 { 1 } } impl Tr for &&u8 { fn get(self) -> i32 { 3 } }",
        "pub trait Tr { fn get(self) -> i32; } impl Tr for u8 { fn get(self) -> i32 { 1 } } impl Tr for &&u8 { fn get(self) -> i32 { 3 } } impl Tr for &u8 { fn get(self) -> i32 { 2 } }",
        "use dep::Tr; pub fn f() -> i32 { let x: &u8 = &1; x.get() }",
        Meaning::Measured,
    ),
    (
        "a glob's new name",
        "pub mod all { pub fn other() {} }",
        "pub mod all { pub fn other() {} pub fn get() -> i32 { 2 } }",
        "mod own { pub fn get() -> i32 { 1 } } mod x { use super::own::get; use dep::all::*; pub fn f() -> i32 { get() } } pub use x::f;",
        Meaning::Same,
    ),
];

pub fn templates() -> Vec<Template> {
    let mut templates = Vec::new();
    for (expansion, items, code) in EXPANSIONS {
        for (who, dep_macro, client, root) in MACROS {
            let code = code.replace("ROOT", root);
            let dep = format!("{items} {}", dep_macro.replace("EXPANSION", &code));
            let client = client.replace("EXPANSION", &code).replace("MOD_ITSELF", "MOD");
            let name = format!("{expansion}, by a macro, {who}");
            templates.push(Template::new(name, &client, &dep, &["client::mac!()"]).fixed());
        }
    }
    templates
}

pub fn meant() -> Vec<Template> {
    let meant = MEANT.iter().map(|(name, old, new, client, meaning)| {
        let used = if new.contains("Drop") || name.contains("order of fields") {
            "let _it = client::f();"
        } else {
            "client::f()"
        };
        // What callers expand is no function.
        let used = if client.contains("pub use dep::f;") { "client::f!()" } else { used };
        Template::new(*name, client, old, &[used]).new_version(new, *meaning)
    });
    meant.collect()
}
