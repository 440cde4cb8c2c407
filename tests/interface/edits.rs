//! How a value of the dependency changes, or does not, apart from where it is used.

/// A value in two versions: what is written where it stands, and the items that this needs.
pub struct Edit {
    pub name: &'static str,
    pub value: [&'static str; 2],
    pub items: [&'static str; 2],
    pub is_same: bool,
}

/// Both versions, where one word makes the difference.
macro_rules! versions {
    ($before:literal, $old:literal => $new:literal, $after:literal) => {
        [concat!($before, $old, $after), concat!($before, $new, $after)]
    };
}

const fn changes(name: &'static str, value: [&'static str; 2], items: [&'static str; 2]) -> Edit {
    Edit { name, value, items, is_same: false }
}

const fn keeps(name: &'static str, value: [&'static str; 2], items: [&'static str; 2]) -> Edit {
    Edit { name, value, items, is_same: true }
}

/// The value is 1, and becomes 2. All of these can stand in constants.
pub const CHANGES: &[Edit] = &[
    changes("literal", ["1", "2"], ["", ""]),
    changes(
        "helper",
        ["crate::edit::helper()"; 2],
        versions!("mod edit { pub const fn helper() -> i32 { ", "1" => "2", " } }"),
    ),
    changes(
        "constant",
        ["crate::edit::C"; 2],
        versions!("mod edit { pub const C: i32 = ", "1" => "2", "; }"),
    ),
    changes(
        "associated constant",
        ["<crate::edit::P as crate::edit::Q>::V"; 2],
        versions!(
            "mod edit { pub trait Q { const V: i32; } pub struct P; impl Q for P { const V: i32 = ",
            "1" => "2",
            "; } }"
        ),
    ),
    changes(
        "associated type",
        ["<<u8 as crate::edit::Q>::T as crate::edit::N>::V"; 2],
        versions!(
            "mod edit { pub trait N { const V: i32; } pub trait Q { type T: N; } pub struct A; pub struct B; \
             impl N for A { const V: i32 = 1; } impl N for B { const V: i32 = 2; } impl Q for u8 { type T = ",
            "A" => "B",
            "; } }"
        ),
    ),
    changes(
        "alias",
        ["crate::edit::Chosen::V"; 2],
        versions!(
            "mod edit { pub struct A; pub struct B; impl A { pub const V: i32 = 1; } \
             impl B { pub const V: i32 = 2; } pub type Chosen = ",
            "A" => "B",
            "; }"
        ),
    ),
    changes(
        "glob",
        ["crate::edit::chosen()"; 2],
        versions!(
            "mod edit { mod first { pub const fn chosen() -> i32 { 1 } } \
             mod second { pub const fn chosen() -> i32 { 2 } } pub use ",
            "first" => "second",
            "::*; }"
        ),
    ),
    changes(
        "rename",
        ["crate::edit::chosen()"; 2],
        versions!(
            "mod edit { pub const fn first() -> i32 { 1 } pub const fn second() -> i32 { 2 } pub use self::",
            "first" => "second",
            " as chosen; }"
        ),
    ),
    changes(
        "size",
        ["(size_of::<crate::edit::Block>() as i32)"; 2],
        versions!("mod edit { pub struct Block(u8", "" => ", u8", "); }"),
    ),
    changes(
        "macro",
        ["chosen!()"; 2],
        versions!("macro_rules! chosen { () => { ", "1" => "2", " } }"),
    ),
    changes(
        "constant argument",
        ["crate::edit::number::<1>()", "crate::edit::number::<2>()"],
        ["mod edit { pub const fn number<const N: i32>() -> i32 { N } }"; 2],
    ),
    changes(
        "default argument",
        ["<crate::edit::Chosen>::V"; 2],
        versions!(
            "mod edit { pub struct A; pub struct B; impl Chosen<A> { pub const V: i32 = 1; } \
             impl Chosen<B> { pub const V: i32 = 2; } pub struct Chosen<T = ",
            "A" => "B",
            ">(T); }"
        ),
    ),
    changes(
        "discriminant",
        ["(crate::edit::E::B as i32)"; 2],
        versions!("mod edit { pub enum E { A, ", "B, C" => "C, B", " } }"),
    ),
    changes(
        "static",
        ["*crate::edit::chosen()"; 2],
        versions!(
            "mod edit { static CHOSEN: i32 = ",
            "1" => "2",
            "; pub const fn chosen() -> &'static i32 { &CHOSEN } }"
        ),
    ),
];

/// The value stays 1.
pub const SAME: &[Edit] = &[
    keeps("spelled otherwise", ["1", "(3 - 2)"], ["", ""]),
    keeps(
        "helper renamed",
        ["crate::edit::helper()", "crate::edit::renamed()"],
        versions!("mod edit { pub const fn ", "helper" => "renamed", "() -> i32 { 1 } }"),
    ),
    keeps(
        "helper moved",
        ["crate::edit::helper()"; 2],
        [
            "mod edit { pub const fn helper() -> i32 { 1 } }",
            "mod edit { mod moved { pub const fn helper() -> i32 { 1 } } pub use moved::*; }",
        ],
    ),
    keeps(
        "constant for literal",
        ["1", "crate::edit::C"],
        ["", "mod edit { pub const C: i32 = 1; }"],
    ),
    keeps("lines moved", ["1", "1"], ["", "// One.\n\n\n// Two.\n"]),
    keeps("something added", ["1", "1"], ["", "pub fn unrelated() -> i32 { 7 }"]),
    keeps(
        "something else changed",
        ["1", "1"],
        ["fn unrelated() -> i32 { 7 }", "fn unrelated() -> i32 { println!(\"8\"); 8 }"],
    ),
    keeps(
        "alias renamed",
        ["crate::edit::Chosen::V", "crate::edit::Renamed::V"],
        versions!(
            "mod edit { pub struct A; impl A { pub const V: i32 = 1; } pub type ",
            "Chosen" => "Renamed",
            " = A; }"
        ),
    ),
];
