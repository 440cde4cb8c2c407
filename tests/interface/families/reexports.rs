//! What the client passes on of its dependency, by the path that callers write.

use crate::pair::{Meaning, Template};

/// Kinds of items: one called `NAME` whose value is `NUMBER`, and how a caller at `PATH` uses it.
const KINDS: &[(&str, &str, &str)] = &[
    ("function", "pub fn NAME() -> i32 { NUMBER }", "PATH()"),
    ("constant function", "pub const fn NAME() -> i32 { NUMBER }", "const C: i32 = PATH(); C"),
    ("constant", "pub const NAME: i32 = NUMBER;", "PATH"),
    ("static", "pub static NAME: i32 = NUMBER;", "PATH"),
    (
        "array constant",
        "pub const NAME: [u8; NUMBER as usize] = [0; NUMBER as usize];",
        "PATH.len()",
    ),
    ("generic function", "pub fn NAME<T: Copy>(t: T) -> (T, i32) { (t, NUMBER) }", "PATH(7u8)"),
    (
        "function of a callback",
        "pub fn NAME(f: impl Fn(i32) -> i32) -> i32 { f(NUMBER) }",
        "PATH(|it| it + 5)",
    ),
    ("extern function", "pub extern \"C\" fn NAME() -> i32 { NUMBER }", "PATH()"),
    ("unsafe function", "pub unsafe fn NAME() -> i32 { NUMBER }", "unsafe { PATH() }"),
    (
        "struct with Debug",
        "pub struct NAME; impl std::fmt::Debug for NAME { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"{}\", NUMBER) } }",
        "PATH",
    ),
    (
        "struct with Default",
        "pub struct NAME(pub i32); impl Default for NAME { fn default() -> Self { NAME(NUMBER) } }",
        "PATH::default().0",
    ),
    (
        "tuple struct",
        "pub struct NAME(pub u8, u8); impl NAME { pub fn new() -> NAME { NAME(NUMBER as u8, 0) } }",
        "PATH::new().0",
    ),
    (
        "struct with a constant",
        "pub struct NAME; impl NAME { pub const K: i32 = NUMBER; }",
        "PATH::K",
    ),
    (
        "struct with Drop",
        "pub struct NAME; impl Drop for NAME { fn drop(&mut self) { println!(\"{}\", NUMBER) } }",
        "let _it = PATH;",
    ),
    (
        "generic struct",
        "pub struct NAME<T>(pub T); impl<T> NAME<T> { pub fn get(&self) -> i32 { NUMBER } }",
        "PATH(1u8).get()",
    ),
    ("enum", "#[repr(i32)] pub enum NAME { A = NUMBER, B = 9 }", "PATH::A as i32"),
    (
        "trait with a provided method",
        "pub trait NAME { fn provided(&self) -> i32 { NUMBER } }",
        "struct Mine; impl PATH for Mine {} <Mine as PATH>::provided(&Mine)",
    ),
    (
        "trait with a constant",
        "pub trait NAME { const K: i32 = NUMBER; }",
        "struct Mine; impl PATH for Mine {} <Mine as PATH>::K",
    ),
    (
        "trait with impls",
        "pub trait NAME { fn get(&self) -> i32; } impl NAME for u8 { fn get(&self) -> i32 { NUMBER } }",
        "<u8 as PATH>::get(&3)",
    ),
    (
        "trait with a blanket impl",
        "pub trait NAME { fn get(&self) -> i32; } impl<T: Copy> NAME for T { fn get(&self) -> i32 { NUMBER } }",
        "struct Mine; impl Clone for Mine { fn clone(&self) -> Mine { Mine } } impl Copy for Mine {} <Mine as PATH>::get(&Mine)",
    ),
    ("async function", "pub async fn NAME() -> i32 { NUMBER }", "poll(PATH(), 1)"),
    (
        "function that returns impl Trait",
        "pub fn NAME() -> impl Iterator<Item = i32> { 0..NUMBER }",
        "PATH().count()",
    ),
    (
        "module",
        "pub mod NAME { pub fn get() -> i32 { NUMBER } pub mod deeper { pub const K: i32 = NUMBER; } }",
        "(PATH::get(), PATH::deeper::K)",
    ),
    ("type alias", "pub type NAME = [u8; NUMBER as usize];", "size_of::<PATH>()"),
    ("union", "pub union NAME { pub a: u8, pub b: [u8; NUMBER as usize] }", "size_of::<PATH>()"),
    ("function pointer", "pub const NAME: fn() -> i32 = || NUMBER;", "PATH()"),
];

/// How the dependency makes the item `item`: old and new, with `FIRST` and `SECOND` for items that
/// are not the same.
const MAKERS: &[(&str, &str, &str, Meaning)] = &[
    (
        "renamed from another",
        "FIRST SECOND pub use self::first as item;",
        "FIRST SECOND pub use self::second as item;",
        Meaning::Measured,
    ),
    (
        "by a glob of another module",
        "pub mod a { ITEM_FIRST } pub mod b { ITEM_SECOND } pub use a::*;",
        "pub mod a { ITEM_FIRST } pub mod b { ITEM_SECOND } pub use b::*;",
        Meaning::Measured,
    ),
    (
        "by a glob of a glob",
        "pub mod a { ITEM_FIRST } pub mod b { ITEM_SECOND } mod c { pub use super::a::*; } pub use c::*;",
        "pub mod a { ITEM_FIRST } pub mod b { ITEM_SECOND } mod c { pub use super::b::*; } pub use c::*;",
        Meaning::Measured,
    ),
    (
        "a glob that is shadowed",
        "mod a { ITEM_FIRST } pub mod b { ITEM_SECOND } pub use a::*;",
        "mod a { ITEM_FIRST } pub mod b { ITEM_SECOND } pub use a::*; pub use b::item;",
        Meaning::Measured,
    ),
    (
        "names exchanged",
        "ITEM_FIRST pub mod other { ITEM_SECOND }",
        "ITEM_SECOND pub mod other { ITEM_FIRST }",
        Meaning::Measured,
    ),
    (
        "a module renamed from another",
        "mod a { ITEM_FIRST } mod b { ITEM_SECOND } use self::a as chosen; pub use chosen::item;",
        "mod a { ITEM_FIRST } mod b { ITEM_SECOND } use self::b as chosen; pub use chosen::item;",
        Meaning::Measured,
    ),
    ("moved", "ITEM_FIRST", "pub mod moved { ITEM_FIRST } pub use moved::item;", Meaning::Same),
    ("moved by a glob", "ITEM_FIRST", "mod moved { ITEM_FIRST } pub use moved::*;", Meaning::Same),
    ("moved and renamed", "ITEM_FIRST", "FIRST pub use self::first as item;", Meaning::Same),
    (
        "another glob added",
        "mod a { ITEM_FIRST } pub use a::*;",
        "mod a { ITEM_FIRST } mod b { pub fn more() {} } pub use a::*; pub use b::*;",
        Meaning::Same,
    ),
];

/// How the client passes it on, and the path that callers write. `middle` passes on what it has.
const FORMS: &[(&str, &str, &str, &str)] = &[
    ("by name", "pub use dep::item;", "", "client::item"),
    ("renamed", "pub use dep::item as other;", "", "client::other"),
    ("by a glob", "pub use dep::*;", "", "client::item"),
    ("in a module", "pub mod x { pub use dep::item; }", "", "client::x::item"),
    ("by a glob in a module", "pub mod x { pub use dep::*; }", "", "client::x::item"),
    ("by its module", "pub use dep::MOD as x;", "", "client::x::item"),
    ("by two globs", "mod x { pub use dep::*; } pub use x::*;", "", "client::item"),
    (
        "by a prelude",
        "pub mod prelude { pub use super::x::*; } mod x { pub use dep::item; }",
        "",
        "client::prelude::item",
    ),
    ("through another crate", "pub use middle::item;", "pub use dep::item;", "client::item"),
    ("by globs through another crate", "pub use middle::*;", "pub use dep::*;", "client::item"),
    (
        "by another crate's module",
        "pub use middle::x;",
        "pub mod x { pub use dep::*; }",
        "client::x::item",
    ),
    (
        "renamed by another crate",
        "pub use middle::*;",
        "pub use dep::item as other;",
        "client::other",
    ),
    (
        "beside a glob",
        "mod own { pub fn item() {} } pub use own::*; pub use dep::item;",
        "",
        "client::item",
    ),
];

/// The whole dependency: other pairs would be passed on too.
const WHOLE: &[(&str, &str, &str, &str)] = &[
    ("with its crate", "pub use dep;", "", "client::dep::item"),
    ("with its crate, renamed", "pub use dep as x;", "", "client::x::MOD::item"),
    ("with an extern crate", "pub extern crate dep as x;", "", "client::x::MOD::item"),
    ("with a glob of its root", "pub use ::dep::*;", "", "client::MOD::item"),
    (
        "with its crate through another",
        "pub use middle::x;",
        "pub use dep as x;",
        "client::x::MOD::item",
    ),
];

pub fn templates() -> Vec<Template> {
    let mut templates = Vec::new();
    for (kind, item, used) in KINDS {
        let made = |name: &str, value: &str| item.replace("NAME", name).replace("NUMBER", value);
        let forms = FORMS.iter().map(|it| (it, false)).chain(WHOLE.iter().map(|it| (it, true)));
        for ((form, client, middle, path), is_alone) in forms {
            let template = |how: &str, dep: &str| {
                let name = format!("{kind} {form}{how}");
                let used = used.replace("PATH", path);
                let template = Template::new(name, client, dep, &[&used]).middle(middle).fixed();
                if is_alone { template.alone() } else { template }
            };
            templates.push(template("", &made("item", "VALUE")));
            for (maker, old, new, meaning) in MAKERS {
                let dep = |source: &str| {
                    source
                        .replace("ITEM_FIRST", &made("item", "1"))
                        .replace("ITEM_SECOND", &made("item", "2"))
                        .replace("FIRST", &made("first", "1"))
                        .replace("SECOND", &made("second", "2"))
                };
                let how = format!(", {maker}");
                templates.push(template(&how, &dep(old)).new_version(&dep(new), *meaning));
            }
        }
    }
    templates
}
