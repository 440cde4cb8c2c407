//! Bits of a NaN that calls pass on, and addresses.

use crate::pair::{Meaning, Template};

/// Two ways to give a float, and what the same is.
const GIVEN: &[(&str, &str, &str, Meaning)] = &[
    ("passed on or not", "a", "if a.is_nan() { FLOAT::NAN } else { a }", Meaning::Measured),
    ("negated or not", "-a", "if a.is_nan() { a } else { -a }", Meaning::Measured),
    ("without a sign or not", "a.abs()", "if a.is_nan() { a } else { a.abs() }", Meaning::Measured),
    (
        "a sign copied or not",
        "a.copysign(-1.0)",
        "if a.is_nan() { a } else { a.copysign(-1.0) }",
        Meaning::Measured,
    ),
    ("a constant NaN", "FLOAT::NAN", "-FLOAT::NAN", Meaning::Measured),
    (
        "bits of a constant NaN",
        "FLOAT::from_bits(FLOAT::NAN.to_bits() | 1)",
        "FLOAT::from_bits(FLOAT::NAN.to_bits() | 2)",
        Meaning::Measured,
    ),
    (
        "a signaling NaN",
        "FLOAT::from_bits(FLOAT::INFINITY.to_bits() | 1)",
        "FLOAT::NAN",
        Meaning::Measured,
    ),
    ("a zero", "0.0", "-0.0", Meaning::Measured),
    ("by its bits", "a", "FLOAT::from_bits(a.to_bits())", Meaning::Same),
    ("by its bytes", "a", "FLOAT::from_ne_bytes(a.to_ne_bytes())", Meaning::Same),
    ("negated twice", "a", "-(-a)", Meaning::Same),
];

/// How the client looks at it.
const LOOKED: &[(&str, &str)] = &[
    ("to_bits", "x.to_bits()"),
    ("its sign", "x.is_sign_negative()"),
    ("copysign", "(1.0 as FLOAT).copysign(x)"),
    ("total_cmp", "x.total_cmp(&FLOAT::NAN)"),
    ("bytes", "x.to_be_bytes()"),
    ("a transmuted value", "unsafe { std::mem::transmute::<FLOAT, [u8; size_of::<FLOAT>()]>(x) }"),
    ("signum", "x.signum().to_bits()"),
    ("in an array", "[x, 1.0].map(FLOAT::to_bits)"),
];

const FORMS: &[(&str, &str, &str)] = &[
    ("a function", "pub fn g(a: FLOAT) -> FLOAT { CODE }", "dep::g(a)"),
    ("a generic function", "pub fn g<T>(a: FLOAT, t: T) -> FLOAT { CODE }", "dep::g(a, 1u8)"),
    (
        "a struct",
        "pub struct S { pub x: FLOAT } pub fn g(a: FLOAT) -> S { S { x: CODE } }",
        "dep::g(a).x",
    ),
    ("an option", "pub fn g(a: FLOAT) -> Option<FLOAT> { Some(CODE) }", "dep::g(a).unwrap()"),
    (
        "a reference",
        "pub fn g(a: &mut FLOAT) { *a = { let a = *a; CODE } }",
        "{ let mut a = a; dep::g(&mut a); a }",
    ),
    (
        "a trait object",
        "pub trait Tr { fn g(&self, a: FLOAT) -> FLOAT; } impl Tr for u8 { fn g(&self, a: FLOAT) -> FLOAT { CODE } }",
        "{ let x: &dyn dep::Tr = &1u8; x.g(a) }",
    ),
];

/// Addresses that callers see. In the new version they are not the same, and nothing else differs.
const ADDRESSES: &[(&str, &str, &str, &str)] = &[
    (
        "of a static",
        "pub static S: u8 = 1;",
        "pub static BEFORE: [u8; 4097] = [1; 4097]; pub static S: u8 = 1; pub fn keep() -> u8 { BEFORE[7] }",
        "pub fn f() -> usize { &raw const dep::S as usize }",
    ),
    (
        "of a function",
        "pub fn s() {}",
        "pub fn before() { println!(\"before\") } pub fn s() {}",
        "pub fn f() -> usize { dep::s as fn() as usize }",
    ),
    (
        "of a box",
        "pub fn s() -> Box<u8> { Box::new(1) }",
        "pub fn s() -> Box<u8> { let before = Box::new([0u8; 4096]); let s = Box::new(1); drop(before); s }",
        "pub fn f() -> usize { &raw const *dep::s() as usize }",
    ),
    (
        "of a local",
        "pub fn s() -> usize { let x = 1u8; &raw const x as usize }",
        "pub fn s() -> usize { let y = [1u8; 999]; let x = y[3]; &raw const x as usize }",
        "pub fn f() -> usize { dep::s() }",
    ),
    (
        "in a text",
        "pub static S: u8 = 1;",
        "pub static S: u8 = 1; pub static MORE: [u8; 77] = [3; 77];",
        "pub fn f() -> String { format!(\"{:p}\", &dep::S) }",
    ),
    (
        "of a constant",
        "pub const S: &[u8] = &[1, 2, 3];",
        "pub const S: &[u8] = &[1, 2, 3]; pub const T: &[u8] = &[4, 1, 2, 3];",
        "pub fn f() -> usize { dep::S.as_ptr() as usize }",
    ),
    (
        "of a vtable",
        "pub trait Tr { fn s(&self) {} } impl Tr for u8 {} pub fn s() -> &'static dyn Tr { &1u8 }",
        "pub trait Tr { fn s(&self) {} } impl Tr for u8 {} pub fn s() -> &'static dyn Tr { const { &1u8 } } pub fn t() {}",
        "pub fn f() -> usize { unsafe { std::mem::transmute::<_, (usize, usize)>(dep::s()).1 } }",
    ),
    (
        "of two functions compared",
        "pub fn s() -> u8 { 1 } pub fn t() -> u8 { 1 }",
        "pub fn t() -> u8 { 1 } pub fn s() -> u8 { 1 }",
        "pub fn f() -> bool { (dep::s as fn() -> u8 as usize) < (dep::t as fn() -> u8 as usize) }",
    ),
    (
        "of two statics compared",
        "pub static S: u8 = 1; pub static T: u8 = 2;",
        "pub static T: u8 = 2; pub static S: u8 = 1;",
        "pub fn f() -> bool { (&raw const dep::S as usize) < (&raw const dep::T as usize) }",
    ),
    (
        "that is hashed",
        "pub static S: u8 = 1;",
        "pub static A: u8 = 9; pub static S: u8 = 1;",
        "pub fn f() -> u64 { use std::hash::*; let mut h = DefaultHasher::new(); (&raw const dep::S).hash(&mut h); h.finish() }",
    ),
];

pub fn nans() -> Vec<Template> {
    let mut templates = Vec::new();
    for float in ["f32", "f64"] {
        let arguments = match float {
            "f32" => ["f32::from_bits(0x7fc00001)", "f32::from_bits(0xffc00000)", "1.5"],
            _ => {
                ["f64::from_bits(0x7ff8000000000001)", "f64::from_bits(0xfff8000000000000)", "1.5"]
            }
        };
        for (given, old, new, meaning) in GIVEN {
            for (looked, code) in LOOKED {
                for (form, dep, called) in FORMS {
                    let dep = |way: &str| dep.replace("CODE", way).replace("FLOAT", float);
                    let client = format!(
                        "pub fn f(a: FLOAT) -> String {{ let x = {called}; format!(\"{{:?}}\", {code}) }} pub fn g(a: FLOAT) -> bool {{ let x = {called}; x.is_sign_positive() }}"
                    );
                    let client = client.replace("FLOAT", float);
                    let uses = ["f", "g"]
                        .map(|it| arguments.map(|argument| format!("client::{it}({argument})")));
                    let uses: Vec<_> = uses.iter().flatten().map(String::as_str).collect();
                    let name = format!("{float} {given}, {form}, seen by {looked}");
                    let template = Template::new(name, &client, &dep(old), &uses);
                    templates.push(template.new_version(&dep(new), *meaning));
                }
            }
        }
    }
    templates
}

pub fn addresses() -> Vec<Template> {
    let addresses = ADDRESSES.iter().map(|(name, old, new, client)| {
        Template::new(*name, client, old, &["client::f()"]).new_version(new, Meaning::Address)
    });
    addresses.collect()
}
