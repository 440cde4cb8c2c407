//! What the client's generic functions, and std's provided methods of the client's iterators, ask of
//! a dependency's type that callers got from the client.

use crate::pair::Template;

/// A trait of std that the dependency implements for `K`, which holds a `u8`.
struct Shown {
    name: &'static str,
    bound: &'static str,
    implemented: &'static str,
    /// What a generic function makes of `x`.
    asked: &'static str,
    /// Whether there are trait objects of it.
    is_dyn: bool,
}

const SHOWN: &[Shown] = &[
    Shown {
        name: "Display",
        bound: "std::fmt::Display",
        implemented: "impl std::fmt::Display for K { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"{}\", VALUE) } }",
        asked: "x.to_string()",
        is_dyn: true,
    },
    Shown {
        name: "Debug",
        bound: "std::fmt::Debug",
        implemented: "impl std::fmt::Debug for K { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"{}\", VALUE) } }",
        asked: "format!(\"{x:?}\")",
        is_dyn: true,
    },
    Shown {
        name: "LowerHex",
        bound: "std::fmt::LowerHex",
        implemented: "impl std::fmt::LowerHex for K { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"{}\", VALUE) } }",
        asked: "format!(\"{x:x}\")",
        is_dyn: true,
    },
    Shown {
        name: "Clone",
        bound: "Clone",
        implemented: "impl Clone for K { fn clone(&self) -> K { println!(\"{}\", VALUE); K(0) } }",
        asked: "{ let _y = x.clone(); }",
        is_dyn: false,
    },
    Shown {
        name: "PartialEq",
        bound: "PartialEq",
        implemented: "impl PartialEq for K { fn eq(&self, other: &K) -> bool { VALUE == 1 } }",
        asked: "x == x",
        is_dyn: false,
    },
    Shown {
        name: "PartialEq's provided method",
        bound: "PartialEq",
        implemented: "impl PartialEq for K { fn eq(&self, other: &K) -> bool { true } fn ne(&self, other: &K) -> bool { VALUE == 1 } }",
        asked: "x != x",
        is_dyn: false,
    },
    Shown {
        name: "PartialOrd",
        bound: "PartialOrd",
        implemented: "impl PartialEq for K { fn eq(&self, other: &K) -> bool { false } } impl PartialOrd for K { fn partial_cmp(&self, other: &K) -> Option<std::cmp::Ordering> { VALUE.partial_cmp(&1) } }",
        asked: "x <= x",
        is_dyn: false,
    },
    Shown {
        name: "Ord",
        bound: "Ord",
        implemented: "impl PartialEq for K { fn eq(&self, other: &K) -> bool { false } } impl Eq for K {} impl PartialOrd for K { fn partial_cmp(&self, other: &K) -> Option<std::cmp::Ordering> { Some(self.cmp(other)) } } impl Ord for K { fn cmp(&self, other: &K) -> std::cmp::Ordering { Ord::cmp(&VALUE, &1) } }",
        asked: "x.cmp(&x)",
        is_dyn: false,
    },
    Shown {
        name: "Hash",
        bound: "std::hash::Hash",
        implemented: "impl std::hash::Hash for K { fn hash<H: std::hash::Hasher>(&self, state: &mut H) { state.write_i32(VALUE) } }",
        asked: "std::hash::BuildHasher::hash_one(&std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default(), &x)",
        is_dyn: false,
    },
    Shown {
        name: "Into",
        bound: "Into<i32>",
        implemented: "impl From<K> for i32 { fn from(_: K) -> i32 { VALUE } }",
        asked: "x.into()",
        is_dyn: false,
    },
    Shown {
        name: "AsRef",
        bound: "AsRef<i32>",
        implemented: "impl AsRef<i32> for K { fn as_ref(&self) -> &i32 { const { &VALUE } } }",
        asked: "*x.as_ref()",
        is_dyn: true,
    },
    Shown {
        name: "Deref",
        bound: "std::ops::Deref<Target = i32>",
        implemented: "impl std::ops::Deref for K { type Target = i32; fn deref(&self) -> &i32 { const { &VALUE } } }",
        asked: "*x",
        is_dyn: true,
    },
    Shown {
        name: "Add",
        bound: "std::ops::Add<Output = i32>",
        implemented: "impl std::ops::Add for K { type Output = i32; fn add(self, _: K) -> i32 { VALUE } }",
        asked: "{ let y = unsafe { std::ptr::read(&x) }; x + y }",
        is_dyn: false,
    },
    Shown {
        name: "Neg",
        bound: "std::ops::Neg<Output = i32>",
        implemented: "impl std::ops::Neg for K { type Output = i32; fn neg(self) -> i32 { VALUE } }",
        asked: "-x",
        is_dyn: false,
    },
    Shown {
        name: "Index",
        bound: "std::ops::Index<u8, Output = i32>",
        implemented: "impl std::ops::Index<u8> for K { type Output = i32; fn index(&self, _: u8) -> &i32 { const { &VALUE } } }",
        asked: "x[0]",
        is_dyn: true,
    },
    Shown {
        name: "Iterator",
        bound: "Iterator<Item = i32>",
        implemented: "impl Iterator for K { type Item = i32; fn next(&mut self) -> Option<i32> { self.0 += 1; (i32::from(self.0) <= VALUE).then_some(0) } }",
        asked: "{ let mut x = x; x.by_ref().count() }",
        is_dyn: true,
    },
    Shown {
        name: "Iterator's provided method",
        bound: "Iterator<Item = i32>",
        implemented: "impl Iterator for K { type Item = i32; fn next(&mut self) -> Option<i32> { None } fn size_hint(&self) -> (usize, Option<usize>) { (0, Some(VALUE as usize)) } }",
        asked: "{ let mut x = x; x.by_ref().size_hint() }",
        is_dyn: true,
    },
    Shown {
        name: "IntoIterator",
        bound: "IntoIterator<Item = i32>",
        implemented: "impl IntoIterator for K { type Item = i32; type IntoIter = std::ops::Range<i32>; fn into_iter(self) -> Self::IntoIter { 0..VALUE } }",
        asked: "x.into_iter().count()",
        is_dyn: false,
    },
    Shown {
        name: "Read",
        bound: "std::io::Read",
        implemented: "impl std::io::Read for K { fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> { to[0] = VALUE as u8; Ok(1) } }",
        asked: "{ let mut x = x; let mut to = [0u8; 2]; std::io::Read::read_exact(&mut x, &mut to).unwrap(); to }",
        is_dyn: true,
    },
    Shown {
        name: "Write",
        bound: "std::io::Write",
        implemented: "impl std::io::Write for K { fn write(&mut self, from: &[u8]) -> std::io::Result<usize> { println!(\"{}\", VALUE); Ok(from.len()) } fn flush(&mut self) -> std::io::Result<()> { Ok(()) } }",
        asked: "{ let mut x = x; std::io::Write::write_all(&mut x, b\"x\").unwrap() }",
        is_dyn: true,
    },
    Shown {
        name: "Error",
        bound: "std::error::Error",
        implemented: "#[derive(Debug)] pub struct L; impl std::fmt::Display for L { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"{}\", VALUE) } } impl std::error::Error for L {} impl std::fmt::Debug for K { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str(\"k\") } } impl std::fmt::Display for K { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str(\"k\") } } impl std::error::Error for K { fn source(&self) -> Option<&(dyn std::error::Error + 'static)> { Some(&L) } }",
        asked: "x.source().unwrap().to_string()",
        is_dyn: true,
    },
    Shown {
        name: "Drop",
        bound: "Sized",
        implemented: "impl Drop for K { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
        asked: "drop(x)",
        is_dyn: false,
    },
    Shown {
        name: "Future",
        bound: "Future<Output = i32> + Unpin",
        implemented: "impl Future for K { type Output = i32; fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context) -> std::task::Poll<i32> { std::task::Poll::Ready(VALUE) } }",
        asked: "{ let mut x = x; match std::pin::Pin::new(&mut x).poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) { std::task::Poll::Ready(it) => it, _ => 0 } }",
        is_dyn: true,
    },
    Shown {
        name: "ToOwned",
        bound: "ToOwned",
        implemented: "impl Clone for K { fn clone(&self) -> K { println!(\"{}\", VALUE); K(0) } }",
        asked: "{ let _y = x.to_owned(); }",
        is_dyn: false,
    },
];

/// How a caller gets a `K`.
const GOT: &[(&str, &str, &str)] = &[
    ("returned", "pub fn k() -> dep::K { dep::K(0) }", "client::k()"),
    ("option", "pub fn k() -> Option<dep::K> { Some(dep::K(0)) }", "client::k().unwrap()"),
    ("vector", "pub fn k() -> Vec<dep::K> { vec![dep::K(0)] }", "client::k().remove(0)"),
    (
        "iterator's item",
        "pub fn k() -> impl Iterator<Item = dep::K> { std::iter::once(dep::K(0)) }",
        "client::k().next().unwrap()",
    ),
    (
        "boxed iterator's item",
        "pub fn k() -> Box<dyn Iterator<Item = dep::K>> { Box::new(std::iter::once(dep::K(0))) }",
        "client::k().next().unwrap()",
    ),
    (
        "own iterator's item",
        "pub struct It; impl Iterator for It { type Item = dep::K; fn next(&mut self) -> Option<dep::K> { Some(dep::K(0)) } }",
        "client::It.next().unwrap()",
    ),
    ("constant", "pub const K: dep::K = dep::K(0);", "client::K"),
    (
        "field",
        "pub struct S { pub k: dep::K } pub fn s() -> S { S { k: dep::K(0) } }",
        "client::s().k",
    ),
    (
        "async function's output",
        "pub async fn k() -> dep::K { dep::K(0) }",
        "poll(client::k(), 1).unwrap()",
    ),
    (
        "associated type",
        "pub trait Tr { type A; fn k() -> Self::A; } impl Tr for u8 { type A = dep::K; fn k() -> dep::K { dep::K(0) } }",
        "<u8 as client::Tr>::k()",
    ),
    ("closure's output", "pub fn k() -> impl Fn() -> dep::K { || dep::K(0) }", "client::k()()"),
    ("function pointer's output", "pub const F: fn() -> dep::K = || dep::K(0);", "(client::F)()"),
    ("alias", "pub type Alias = dep::K; pub fn k() -> Alias { dep::K(0) }", "client::k()"),
    ("public alias and its constructor", "pub type Alias = dep::K;", "client::Alias { 0: 0 }"),
    (
        "own generic struct",
        "pub struct W<T>(pub T); pub fn k() -> W<dep::K> { W(dep::K(0)) }",
        "client::k().0",
    ),
    (
        "out parameter",
        "pub fn k(to: &mut Option<dep::K>) { *to = Some(dep::K(0)) }",
        "{ let mut k = None; client::k(&mut k); k.unwrap() }",
    ),
    (
        "callback's argument",
        "pub fn k<R>(f: impl FnOnce(dep::K) -> R) -> R { f(dep::K(0)) }",
        "client::k(|it| it)",
    ),
    ("re-export", "pub use dep::K;", "client::K(0)"),
    (
        "default of an own struct",
        "#[derive(Default)] pub struct S { pub k: Option<Hold> } pub struct Hold(pub dep::K); impl Default for Hold { fn default() -> Hold { Hold(dep::K(0)) } }",
        "client::Hold::default().0",
    ),
];

/// What the client asks of an `x: T`: a generic function of its own.
const ASKERS: &[(&str, &str, &str)] = &[
    (
        "generic function",
        "pub fn ask<T: BOUND>(x: T) { println!(\"{:?}\", ASKED) }",
        "client::ask(GOT)",
    ),
    ("impl Trait", "pub fn ask(x: impl BOUND) { println!(\"{:?}\", ASKED) }", "client::ask(GOT)"),
    (
        "generic struct",
        "pub struct Ask<T>(pub T); impl<T: BOUND> Ask<T> { pub fn go(self) { let x = self.0; println!(\"{:?}\", ASKED) } }",
        "client::Ask(GOT).go()",
    ),
    (
        "blanket impl",
        "pub trait Ask { fn ask(self); } impl<T: BOUND> Ask for T { fn ask(self) { let x = self; println!(\"{:?}\", ASKED) } }",
        "client::Ask::ask(GOT)",
    ),
    (
        "generic function of many",
        "pub fn ask<T: BOUND>(all: Vec<T>) { for x in all { println!(\"{:?}\", ASKED) } }",
        "client::ask(vec![GOT])",
    ),
    (
        "generic async function",
        "pub async fn ask<T: BOUND>(x: T) { println!(\"{:?}\", ASKED) }",
        "poll(client::ask(GOT), 1)",
    ),
    (
        "generic function that returns a closure",
        "pub fn ask<T: BOUND>(x: T) -> impl FnOnce() { move || println!(\"{:?}\", ASKED) }",
        "client::ask(GOT)()",
    ),
];

/// What hides it from callers, who then use the trait themselves.
const HIDDEN: &[(&str, &str, &str)] = &[
    ("behind impl Trait", "pub fn k() -> impl BOUND { dep::K(0) }", "client::k()"),
    (
        "behind impl Trait in an option",
        "pub fn k() -> Option<impl BOUND> { Some(dep::K(0)) }",
        "client::k().unwrap()",
    ),
    (
        "behind impl Trait of an iterator",
        "pub fn k() -> impl Iterator<Item = impl BOUND> { std::iter::once(dep::K(0)) }",
        "client::k().next().unwrap()",
    ),
    (
        "behind impl Trait of a provided method",
        "pub trait Tr { fn k(&self) -> impl BOUND { dep::K(0) } } impl Tr for u8 {}",
        "client::Tr::k(&1u8)",
    ),
    (
        "behind impl Trait of a method",
        "pub struct S; impl S { pub fn k(&self) -> impl BOUND { dep::K(0) } }",
        "client::S.k()",
    ),
    (
        "behind impl Trait of a generic function",
        "pub fn k<T>(t: T) -> impl BOUND { dep::K(0) }",
        "client::k(1u8)",
    ),
    (
        "behind impl Trait of a future",
        "pub fn k() -> impl Future<Output = impl BOUND> { async { dep::K(0) } }",
        "poll(client::k(), 1).unwrap()",
    ),
];

const HIDDEN_DYN: &[(&str, &str, &str)] = &[
    ("in a trait object", "pub fn k() -> Box<dyn BOUND> { Box::new(dep::K(0)) }", "client::k()"),
    (
        "in a static trait object",
        "pub fn k() -> Box<dyn BOUND> { Box::new(dep::K(0)) } pub static F: fn() -> Box<dyn BOUND> = k;",
        "(client::F)()",
    ),
    (
        "in a callback's trait object",
        "pub fn k<R>(f: impl FnOnce(Box<dyn BOUND>) -> R) -> R { f(Box::new(dep::K(0))) }",
        "client::k(|it| it)",
    ),
    (
        "in a trait object in a struct",
        "pub struct S { pub k: Box<dyn BOUND> } pub fn k() -> S { S { k: Box::new(dep::K(0)) } }",
        "client::k().k",
    ),
];

/// Methods of an iterator of the client's own, or of one that it hides, and what `K` has for them.
/// What callers do themselves with a `K` that they got is theirs, and not among these.
const PROVIDED: &[(&str, &str, &str)] = &[
    ("max", "Ord", "ITER.max().unwrap().0"),
    ("min", "Ord", "ITER.min().unwrap().0"),
    ("is_sorted", "Ord", "ITER.is_sorted()"),
    ("cmp", "Ord", "ITER.cmp(ITER.skip(1))"),
    ("lt", "Ord", "ITER.lt(ITER.skip(1))"),
    (
        "collect to a set",
        "Ord",
        "ITER.collect::<std::collections::BTreeSet<_>>().first().unwrap().0",
    ),
    (
        "collect to a heap",
        "Ord",
        "ITER.collect::<std::collections::BinaryHeap<_>>().peek().unwrap().0",
    ),
    ("eq", "PartialEq", "ITER.eq(ITER)"),
    ("ne", "PartialEq", "ITER.ne(ITER)"),
    ("collect to a hash set", "Hash", "ITER.collect::<std::collections::HashSet<_>>().len()"),
    ("count", "Drop", "ITER.count()"),
    ("last", "Drop", "let _it = ITER.last();"),
    ("collect to a vector", "Drop", "let _it = ITER.collect::<Vec<_>>();"),
    ("for_each", "Drop", "ITER.for_each(|_| {})"),
    ("partition", "Drop", "let (_a, _b): (Vec<_>, Vec<_>) = ITER.partition(|it| it.0 == 1);"),
    ("flatten", "IntoIterator", "ITER.flatten().count()"),
    ("sum", "Sum", "ITER.map(|it| it.0).sum::<u8>(); ITER.sum::<i32>()"),
    ("product", "Sum", "ITER.product::<i32>()"),
    ("step_by", "Drop", "let _it = ITER.step_by(2).next();"),
    ("by_ref", "Drop", "let mut all = ITER; let _it = all.by_ref().take(1).next();"),
];

/// The dependency's impls that these methods use.
const FOR_PROVIDED: &[(&str, &str)] = &[
    (
        "Ord",
        "impl PartialEq for K { fn eq(&self, other: &K) -> bool { self.0 == other.0 } } impl Eq for K {} impl PartialOrd for K { fn partial_cmp(&self, other: &K) -> Option<std::cmp::Ordering> { Some(self.cmp(other)) } } impl Ord for K { fn cmp(&self, other: &K) -> std::cmp::Ordering { if VALUE == 1 { self.0.cmp(&other.0) } else { other.0.cmp(&self.0) } } }",
    ),
    ("PartialEq", "impl PartialEq for K { fn eq(&self, other: &K) -> bool { VALUE == 1 } }"),
    (
        "Hash",
        "impl PartialEq for K { fn eq(&self, other: &K) -> bool { VALUE == 2 } } impl Eq for K {} impl std::hash::Hash for K { fn hash<H: std::hash::Hasher>(&self, state: &mut H) {} }",
    ),
    ("Drop", "impl Drop for K { fn drop(&mut self) { println!(\"{}\", VALUE) } }"),
    (
        "IntoIterator",
        "impl IntoIterator for K { type Item = i32; type IntoIter = std::ops::Range<i32>; fn into_iter(self) -> Self::IntoIter { 0..VALUE } }",
    ),
    (
        "Sum",
        "impl std::iter::Sum<K> for i32 { fn sum<I: Iterator<Item = K>>(all: I) -> i32 { VALUE } } impl std::iter::Product<K> for i32 { fn product<I: Iterator<Item = K>>(all: I) -> i32 { VALUE } }",
    ),
];

const ITERATORS: &[(&str, &str, &str)] = &[
    (
        "an own iterator",
        "pub struct It(pub u8); impl Iterator for It { type Item = dep::K; fn next(&mut self) -> Option<dep::K> { self.0 += 1; (self.0 < 4).then(|| dep::K(self.0)) } }",
        "client::It(0)",
    ),
    (
        "a hidden iterator",
        "pub fn it() -> impl Iterator<Item = dep::K> { [1, 2, 3].into_iter().map(dep::K) }",
        "client::it()",
    ),
    (
        "a boxed iterator",
        "pub fn it() -> Box<dyn Iterator<Item = dep::K>> { Box::new([1, 2, 3].into_iter().map(dep::K)) }",
        "client::it()",
    ),
    (
        "an own collection",
        "pub struct C; impl IntoIterator for C { type Item = dep::K; type IntoIter = It; fn into_iter(self) -> It { It(0) } } pub struct It(u8); impl Iterator for It { type Item = dep::K; fn next(&mut self) -> Option<dep::K> { self.0 += 1; (self.0 < 4).then(|| dep::K(self.0)) } }",
        "client::C.into_iter()",
    ),
];

pub fn templates() -> Vec<Template> {
    let mut templates = Vec::new();
    for shown in SHOWN {
        let dep = format!("pub struct K(pub u8); {}", shown.implemented);
        let filled = |text: &str| text.replace("BOUND", shown.bound).replace("ASKED", shown.asked);
        for (got, item, expression) in GOT {
            for (asker, client, used) in ASKERS {
                let name = format!("{} of {got}, {asker}", shown.name);
                let client = format!("{item} {}", filled(client));
                templates.push(Template::new(
                    name,
                    &client,
                    &dep,
                    &[&used.replace("GOT", expression)],
                ));
            }
        }
        let hidden_dyn = HIDDEN_DYN.iter().filter(|_| shown.is_dyn);
        for (hidden, client, expression) in HIDDEN.iter().chain(hidden_dyn) {
            let used = format!("let x = {expression}; println!(\"{{:?}}\", {})", shown.asked);
            let name = format!("{} {hidden}", shown.name);
            templates.push(Template::new(name, &filled(client), &dep, &[&used]));
        }
    }
    templates
}

/// The same for what std does with the client's iterators.
pub fn provided() -> Vec<Template> {
    let mut templates = Vec::new();
    for (method, needed, used) in PROVIDED {
        let (_, implemented) =
            FOR_PROVIDED.iter().find(|(name, _)| name == needed).expect("it is there");
        let dep = format!("pub struct K(pub u8); {implemented}");
        for (iterator, client, expression) in ITERATORS {
            let name = format!("{method} of {iterator}");
            let used = used.replace("ITER", expression);
            templates.push(Template::new(name, client, &dep, &[&used]));
        }
    }
    templates
}
