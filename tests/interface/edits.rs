//! How a value of the dependency changes, or does not, apart from where it is used.

/// A value in two versions: what is written where it stands, and the items that this needs.
pub struct Edit {
    pub name: &'static str,
    pub value: [&'static str; 2],
    pub items: [&'static str; 2],
    pub is_same: bool,
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
        ["crate::helper()"; 2],
        ["pub(crate) const fn helper() -> i32 { 1 }", "pub(crate) const fn helper() -> i32 { 2 }"],
    ),
    changes(
        "constant",
        ["crate::C"; 2],
        ["pub(crate) const C: i32 = 1;", "pub(crate) const C: i32 = 2;"],
    ),
    changes(
        "associated constant",
        ["<crate::P as crate::Q>::V"; 2],
        [
            "pub(crate) trait Q { const V: i32; } pub(crate) struct P; impl Q for P { const V: i32 = 1; }",
            "pub(crate) trait Q { const V: i32; } pub(crate) struct P; impl Q for P { const V: i32 = 2; }",
        ],
    ),
    changes(
        "associated type",
        ["<<u8 as crate::Q>::T as crate::N>::V"; 2],
        [
            "pub(crate) trait N { const V: i32; } pub(crate) trait Q { type T: N; } pub(crate) struct A; \
             pub(crate) struct B; impl N for A { const V: i32 = 1; } impl N for B { const V: i32 = 2; } \
             impl Q for u8 { type T = A; }",
            "pub(crate) trait N { const V: i32; } pub(crate) trait Q { type T: N; } pub(crate) struct A; \
             pub(crate) struct B; impl N for A { const V: i32 = 1; } impl N for B { const V: i32 = 2; } \
             impl Q for u8 { type T = B; }",
        ],
    ),
    changes(
        "alias",
        ["crate::Chosen::V"; 2],
        [
            "pub(crate) struct A; pub(crate) struct B; impl A { pub(crate) const V: i32 = 1; } \
             impl B { pub(crate) const V: i32 = 2; } pub(crate) type Chosen = A;",
            "pub(crate) struct A; pub(crate) struct B; impl A { pub(crate) const V: i32 = 1; } \
             impl B { pub(crate) const V: i32 = 2; } pub(crate) type Chosen = B;",
        ],
    ),
    changes(
        "glob",
        ["crate::chosen()"; 2],
        [
            "mod first { pub(crate) const fn chosen() -> i32 { 1 } } \
             mod second { pub(crate) const fn chosen() -> i32 { 2 } } pub(crate) use first::*;",
            "mod first { pub(crate) const fn chosen() -> i32 { 1 } } \
             mod second { pub(crate) const fn chosen() -> i32 { 2 } } pub(crate) use second::*;",
        ],
    ),
    changes(
        "rename",
        ["crate::chosen()"; 2],
        [
            "pub(crate) const fn first() -> i32 { 1 } pub(crate) const fn second() -> i32 { 2 } \
             pub(crate) use self::first as chosen;",
            "pub(crate) const fn first() -> i32 { 1 } pub(crate) const fn second() -> i32 { 2 } \
             pub(crate) use self::second as chosen;",
        ],
    ),
    changes(
        "size",
        ["(size_of::<crate::Block>() as i32)"; 2],
        ["pub(crate) struct Block(u8);", "pub(crate) struct Block(u8, u8);"],
    ),
    changes(
        "macro",
        ["chosen!()"; 2],
        ["macro_rules! chosen { () => { 1 } }", "macro_rules! chosen { () => { 2 } }"],
    ),
    changes(
        "constant argument",
        ["crate::number::<1>()", "crate::number::<2>()"],
        ["pub(crate) const fn number<const N: i32>() -> i32 { N }"; 2],
    ),
    changes(
        "default argument",
        ["<crate::Chosen>::V"; 2],
        [
            "pub(crate) struct A; pub(crate) struct B; pub(crate) struct Chosen<T = A>(T); \
             impl Chosen<A> { pub(crate) const V: i32 = 1; } impl Chosen<B> { pub(crate) const V: i32 = 2; }",
            "pub(crate) struct A; pub(crate) struct B; pub(crate) struct Chosen<T = B>(T); \
             impl Chosen<A> { pub(crate) const V: i32 = 1; } impl Chosen<B> { pub(crate) const V: i32 = 2; }",
        ],
    ),
    changes(
        "discriminant",
        ["(crate::E::B as i32)"; 2],
        ["pub(crate) enum E { A, B, C }", "pub(crate) enum E { A, C, B }"],
    ),
];

/// The value stays 1.
pub const SAME: &[Edit] = &[
    keeps("spelled otherwise", ["1", "(3 - 2)"], ["", ""]),
    keeps(
        "helper renamed",
        ["crate::helper()", "crate::renamed()"],
        ["pub(crate) const fn helper() -> i32 { 1 }", "pub(crate) const fn renamed() -> i32 { 1 }"],
    ),
    keeps(
        "helper moved",
        ["crate::helper()"; 2],
        [
            "pub(crate) const fn helper() -> i32 { 1 }",
            "mod moved { pub(crate) const fn helper() -> i32 { 1 } } pub(crate) use moved::*;",
        ],
    ),
    keeps("constant for literal", ["1", "crate::C"], ["", "pub(crate) const C: i32 = 1;"]),
    keeps("lines moved", ["1", "1"], ["", "// One.\n\n\n// Two.\n"]),
    keeps("something added", ["1", "1"], ["", "pub fn unrelated() -> i32 { 7 }"]),
    keeps(
        "something else changed",
        ["1", "1"],
        ["pub fn unrelated() -> i32 { 7 }", "pub fn unrelated() -> i32 { println!(\"8\"); 8 }"],
    ),
    keeps(
        "alias renamed",
        ["crate::Chosen::V", "crate::Renamed::V"],
        [
            "pub(crate) struct A; impl A { pub(crate) const V: i32 = 1; } pub(crate) type Chosen = A;",
            "pub(crate) struct A; impl A { pub(crate) const V: i32 = 1; } pub(crate) type Renamed = A;",
        ],
    ),
];
