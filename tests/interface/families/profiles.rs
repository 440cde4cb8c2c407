//! Settings under which the dependency, the client or both are compiled, and arithmetic that depends
//! on them.

use crate::pair::{Meaning, Setting, Template};

/// Manifests' ends, and whether the release profile is meant.
const SETTINGS: &[(&str, bool)] = &[
    ("[profile.dev]\noverflow-checks = false\n", false),
    ("[profile.dev]\ndebug-assertions = false\n", false),
    ("[profile.dev.package.dep]\noverflow-checks = false\n", false),
    ("[profile.dev.package.dep]\ndebug-assertions = false\n", false),
    ("[profile.dev.package.dep]\noverflow-checks = false\ndebug-assertions = false\n", false),
    ("[profile.dev.package.client]\noverflow-checks = false\ndebug-assertions = false\n", false),
    ("[profile.dev.package.\"*\"]\noverflow-checks = false\ndebug-assertions = false\n", false),
    (
        "[profile.dev]\noverflow-checks = false\n[profile.dev.package.dep]\noverflow-checks = true\n",
        false,
    ),
    ("[profile.dev.package.dep]\nopt-level = 2\n", false),
    ("", true),
    ("[profile.release.package.dep]\noverflow-checks = true\ndebug-assertions = true\n", true),
    (
        "[profile.release]\noverflow-checks = true\n[profile.release.package.dep]\noverflow-checks = false\n",
        true,
    ),
];

/// Ways to do something with two numbers of a type: the first is checked or not, by the setting.
const OPERATIONS: &[(&str, &str, &[&str], &str)] = &[
    ("+", "u8", &["a + b", "a.wrapping_add(b)", "a.checked_add(b).unwrap()"], "200, 100"),
    ("-", "u8", &["a - b", "a.wrapping_sub(b)", "a.checked_sub(b).unwrap()"], "1, 2"),
    ("*", "u8", &["a * b", "a.wrapping_mul(b)", "a.checked_mul(b).unwrap()"], "20, 20"),
    (
        "+=",
        "i8",
        &["{ let mut a = a; a += b; a }", "a.wrapping_add(b)", "a.checked_add(b).unwrap()"],
        "100, 100",
    ),
    ("negation", "i8", &["-a", "a.wrapping_neg()", "a.checked_neg().unwrap()"], "-128, 0"),
    (
        "<<",
        "u8",
        &["a << b", "a.wrapping_shl(b.into())", "a.checked_shl(b.into()).unwrap()"],
        "1, 9",
    ),
    (
        ">>",
        "u8",
        &["a >> b", "a.wrapping_shr(b.into())", "a.checked_shr(b.into()).unwrap()"],
        "9, 8",
    ),
    (
        "Add::add",
        "u8",
        &["std::ops::Add::add(a, b)", "a.wrapping_add(b)", "a.checked_add(b).unwrap()"],
        "200, 100",
    ),
    (
        "Neg::neg",
        "i8",
        &["std::ops::Neg::neg(a)", "a.wrapping_neg()", "a.checked_neg().unwrap()"],
        "-128, 0",
    ),
    (
        "AddAssign",
        "u8",
        &[
            "{ let mut a = a; std::ops::AddAssign::add_assign(&mut a, b); a }",
            "a.wrapping_add(b)",
            "a.checked_add(b).unwrap()",
        ],
        "200, 100",
    ),
    ("abs", "i8", &["a.abs()", "a.wrapping_abs()", "a.checked_abs().unwrap()"], "-128, 0"),
    ("pow", "u8", &["a.pow(3)", "a.wrapping_pow(3)", "a.checked_pow(3).unwrap()"], "9, 0"),
    (
        "sum",
        "u8",
        &["[a, b].iter().sum()", "a.wrapping_add(b)", "a.checked_add(b).unwrap()"],
        "200, 100",
    ),
    (
        "product",
        "u8",
        &["[a, b].into_iter().product()", "a.wrapping_mul(b)", "a.checked_mul(b).unwrap()"],
        "20, 20",
    ),
    (
        "fold",
        "u8",
        &[
            "[a, b].into_iter().fold(0, |a, b| a + b)",
            "a.wrapping_add(b)",
            "a.checked_add(b).unwrap()",
        ],
        "200, 100",
    ),
    (
        "fold with a function",
        "u8",
        &[
            "[a, b].into_iter().fold(0, std::ops::Add::add)",
            "a.wrapping_add(b)",
            "a.checked_add(b).unwrap()",
        ],
        "200, 100",
    ),
    (
        "next_power_of_two",
        "u8",
        &[
            "a.next_power_of_two()",
            "a.checked_next_power_of_two().unwrap_or(0)",
            "a.checked_next_power_of_two().unwrap()",
        ],
        "200, 0",
    ),
    (
        "count",
        "u8",
        &[
            "{ let mut n: u8 = a; for _ in 0..b { n += 1 } n }",
            "a.wrapping_add(b)",
            "a.checked_add(b).unwrap()",
        ],
        "200, 100",
    ),
    ("debug_assert", "u8", &["{ debug_assert!(a < b); a }", "a", "{ assert!(a < b); a }"], "2, 1"),
    (
        "debug_assert_eq",
        "u8",
        &["{ debug_assert_eq!(a, b); a }", "a", "{ assert_eq!(a, b); a }"],
        "2, 1",
    ),
    (
        "debug_assert that prints",
        "u8",
        &["{ debug_assert!({ println!(\"x\"); true }); a }", "a", "{ println!(\"x\"); a }"],
        "2, 1",
    ),
    ("debug_assertions", "u8", &["cfg!(debug_assertions).into()", "0", "1"], "2, 1"),
    (
        "debug_assertions of an item",
        "u8",
        &["{ #[cfg(debug_assertions)] return 1; #[cfg(not(debug_assertions))] 0 }", "0", "1"],
        "2, 1",
    ),
];

/// How the dependency offers it, and how the client gets to it.
const FORMS: &[(&str, &str, &str)] = &[
    (
        "function",
        "pub fn op(a: TYPE, b: TYPE) -> TYPE { CODE }",
        "pub fn f(a: TYPE, b: TYPE) -> TYPE { dep::op(a, b) }",
    ),
    (
        "inline function",
        "#[inline(always)] pub fn op(a: TYPE, b: TYPE) -> TYPE { CODE }",
        "pub fn f(a: TYPE, b: TYPE) -> TYPE { dep::op(a, b) }",
    ),
    (
        "generic function",
        "pub fn op<T>(a: TYPE, b: TYPE, t: T) -> TYPE { CODE }",
        "pub fn f(a: TYPE, b: TYPE) -> TYPE { dep::op(a, b, ()) }",
    ),
    (
        "closure",
        "pub fn op() -> impl Fn(TYPE, TYPE) -> TYPE { |a: TYPE, b: TYPE| -> TYPE { CODE } }",
        "pub fn f(a: TYPE, b: TYPE) -> TYPE { dep::op()(a, b) }",
    ),
    (
        "trait method",
        "pub trait Op { fn op(self, b: Self) -> Self; } impl Op for TYPE { fn op(self, b: TYPE) -> TYPE { let a = self; CODE } }",
        "pub fn f(a: TYPE, b: TYPE) -> TYPE { dep::Op::op(a, b) }",
    ),
    (
        "function pointer",
        "pub const OP: fn(TYPE, TYPE) -> TYPE = |a: TYPE, b: TYPE| -> TYPE { CODE };",
        "pub fn f(a: TYPE, b: TYPE) -> TYPE { (dep::OP)(a, b) }",
    ),
    ("re-exported function", "pub fn f(a: TYPE, b: TYPE) -> TYPE { CODE }", "pub use dep::f;"),
    (
        "generic client",
        "pub fn op(a: TYPE, b: TYPE) -> TYPE { CODE }",
        "pub fn g<T>(a: TYPE, b: TYPE, t: T) -> TYPE { dep::op(a, b) } pub fn f(a: TYPE, b: TYPE) -> TYPE { g(a, b, 1u8) }",
    ),
];

/// Which way becomes which; the last does the same.
const BECOMES: &[(usize, usize)] = &[(0, 1), (0, 2), (1, 2), (2, 0), (1, 0), (1, 1)];

pub fn templates() -> Vec<Template> {
    let usual = Setting::default();
    let others = SETTINGS.iter().map(|(profile, is_release)| Setting {
        profile,
        is_release: *is_release,
        is_alone: false,
    });
    let mut templates = Vec::new();
    for setting in std::iter::once(usual).chain(others) {
        let shown = match setting.is_release {
            true => format!("release {}", setting.profile.replace('\n', " ")),
            false => setting.profile.replace('\n', " "),
        };
        for (operation, ty, ways, arguments) in OPERATIONS {
            for (form, dep, client) in FORMS {
                for (old, new) in BECOMES {
                    let dep = |way: usize| dep.replace("CODE", ways[way]).replace("TYPE", ty);
                    let (before, mut after) = (dep(*old), dep(*new));
                    if old == new {
                        after += "\n// More.\n";
                    }
                    let name = format!("{operation} in a {form}, {old} to {new} {shown}");
                    let used = format!("client::f({arguments})");
                    let client = client.replace("TYPE", ty);
                    let template = Template::new(name, &client, &before, &[&used])
                        .new_version(&after, Meaning::Measured)
                        .setting(setting.clone())
                        .fixed();
                    templates.push(template);
                }
            }
        }
    }
    templates
}
