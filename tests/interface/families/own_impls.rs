//! The client's own impls of std's traits, which callers and std reach by provided methods.

use crate::pair::Template;

const DEP: &str = "pub fn v() -> i32 { VALUE } pub fn flips() -> bool { VALUE == 2 }";

/// An impl for the client's `X`, and what callers do with it.
const IMPLS: &[(&str, &str, &str)] = &[
    (
        "Read, by bytes",
        "impl std::io::Read for X { fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> { to[0] = 48 + dep::v() as u8; Ok(1) } }",
        "std::io::Read::bytes(client::X(0)).next().unwrap().unwrap()",
    ),
    (
        "Read, by a buffered reader",
        "impl std::io::Read for X { fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> { to[0] = 48 + dep::v() as u8; Ok(1) } }",
        "let mut r = std::io::BufReader::new(client::X(0)); std::io::BufRead::fill_buf(&mut r).unwrap().to_vec()",
    ),
    (
        "Read, by take",
        "impl std::io::Read for X { fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> { to[0] = 48 + dep::v() as u8; Ok(1) } }",
        "std::io::read_to_string(std::io::Read::take(client::X(0), 3)).unwrap()",
    ),
    (
        "Write, by write!",
        "impl std::io::Write for X { fn write(&mut self, from: &[u8]) -> std::io::Result<usize> { println!(\"{}\", dep::v()); Ok(from.len()) } fn flush(&mut self) -> std::io::Result<()> { Ok(()) } }",
        "use std::io::Write; write!(client::X(0), \"x{}\", 1).unwrap()",
    ),
    (
        "Write's flush, by a buffered writer",
        "impl std::io::Write for X { fn write(&mut self, from: &[u8]) -> std::io::Result<usize> { Ok(from.len()) } fn flush(&mut self) -> std::io::Result<()> { println!(\"{}\", dep::v()); Ok(()) } }",
        "use std::io::Write; std::io::BufWriter::new(client::X(0)).flush().unwrap()",
    ),
    (
        "fmt::Write",
        "impl std::fmt::Write for X { fn write_str(&mut self, _: &str) -> std::fmt::Result { println!(\"{}\", dep::v()); Ok(()) } }",
        "use std::fmt::Write; client::X(0).write_char('x').unwrap()",
    ),
    (
        "Display, padded",
        "impl std::fmt::Display for X { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.pad(&dep::v().to_string()) } }",
        "format!(\"{:>5}\", client::X(0))",
    ),
    (
        "Debug, in a vector",
        "impl std::fmt::Debug for X { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, \"{}\", dep::v()) } }",
        "vec![client::X(0)]",
    ),
    (
        "Iterator, by sum",
        "impl Iterator for X { type Item = i32; fn next(&mut self) -> Option<i32> { self.0 += 1; (self.0 < 3).then(dep::v) } }",
        "client::X(0).sum::<i32>()",
    ),
    (
        "Iterator, by a loop",
        "impl Iterator for X { type Item = i32; fn next(&mut self) -> Option<i32> { self.0 += 1; (self.0 < 3).then(dep::v) } }",
        "for it in client::X(0) { println!(\"{it}\") }",
    ),
    (
        "DoubleEndedIterator, by rev",
        "impl Iterator for X { type Item = i32; fn next(&mut self) -> Option<i32> { None } } impl DoubleEndedIterator for X { fn next_back(&mut self) -> Option<i32> { Some(dep::v()) } }",
        "client::X(0).rev().next()",
    ),
    (
        "Iterator's size_hint, by collect",
        "impl Iterator for X { type Item = i32; fn next(&mut self) -> Option<i32> { None } fn size_hint(&self) -> (usize, Option<usize>) { println!(\"{}\", dep::v()); (0, None) } }",
        "client::X(0).chain(client::X(0)).size_hint()",
    ),
    (
        "Ord, by sort",
        "impl PartialEq for X { fn eq(&self, other: &X) -> bool { self.0 == other.0 } } impl Eq for X {} impl PartialOrd for X { fn partial_cmp(&self, other: &X) -> Option<std::cmp::Ordering> { Some(self.cmp(other)) } } impl Ord for X { fn cmp(&self, other: &X) -> std::cmp::Ordering { if dep::flips() { other.0.cmp(&self.0) } else { self.0.cmp(&other.0) } } }",
        "let mut all = vec![client::X(2), client::X(1), client::X(3)]; all.sort(); all[0].0",
    ),
    (
        "Ord, by max",
        "impl PartialEq for X { fn eq(&self, other: &X) -> bool { self.0 == other.0 } } impl Eq for X {} impl PartialOrd for X { fn partial_cmp(&self, other: &X) -> Option<std::cmp::Ordering> { Some(self.cmp(other)) } } impl Ord for X { fn cmp(&self, other: &X) -> std::cmp::Ordering { if dep::flips() { other.0.cmp(&self.0) } else { self.0.cmp(&other.0) } } }",
        "client::X(1).max(client::X(2)).0",
    ),
    (
        "PartialEq, by contains",
        "impl PartialEq for X { fn eq(&self, other: &X) -> bool { dep::flips() } }",
        "[client::X(1)].contains(&client::X(2))",
    ),
    (
        "PartialEq, by dedup",
        "impl PartialEq for X { fn eq(&self, other: &X) -> bool { dep::flips() } }",
        "let mut all = vec![client::X(1), client::X(2)]; all.dedup(); all.len()",
    ),
    (
        "PartialEq of another type",
        "impl PartialEq<u8> for X { fn eq(&self, other: &u8) -> bool { dep::flips() } }",
        "client::X(1) == 1u8",
    ),
    (
        "Hash, by a map",
        "impl PartialEq for X { fn eq(&self, other: &X) -> bool { dep::flips() } } impl Eq for X {} impl std::hash::Hash for X { fn hash<H: std::hash::Hasher>(&self, _: &mut H) {} }",
        "std::collections::HashSet::from([client::X(1), client::X(2)]).len()",
    ),
    (
        "Hasher",
        "impl std::hash::Hasher for X { fn write(&mut self, _: &[u8]) { self.0 = dep::v() as u8 } fn finish(&self) -> u64 { self.0.into() } }",
        "use std::hash::*; let mut x = client::X(0); 7u32.hash(&mut x); x.finish()",
    ),
    (
        "Clone, by vec!",
        "impl Clone for X { fn clone(&self) -> X { X(dep::v() as u8) } }",
        "vec![client::X(0); 2][0].0",
    ),
    (
        "Default, by take",
        "impl Default for X { fn default() -> X { X(dep::v() as u8) } }",
        "let mut x = client::X(0); std::mem::take(&mut x); x.0",
    ),
    (
        "Default, by unwrap_or_default",
        "impl Default for X { fn default() -> X { X(dep::v() as u8) } }",
        "None::<client::X>.unwrap_or_default().0",
    ),
    (
        "From, by a question mark",
        "impl From<u8> for X { fn from(_: u8) -> X { X(dep::v() as u8) } }",
        "fn f() -> Result<(), client::X> { Err(1u8)? } f().err().map(|it| it.0)",
    ),
    (
        "FromStr, by parse",
        "impl std::str::FromStr for X { type Err = (); fn from_str(_: &str) -> Result<X, ()> { Ok(X(dep::v() as u8)) } }",
        "\"x\".parse::<client::X>().unwrap().0",
    ),
    (
        "FromIterator, by collect",
        "impl FromIterator<u8> for X { fn from_iter<I: IntoIterator<Item = u8>>(_: I) -> X { X(dep::v() as u8) } }",
        "[1u8].into_iter().collect::<client::X>().0",
    ),
    (
        "Extend, by unzip",
        "#[derive(Default)] pub struct Y(pub u8); impl Extend<u8> for Y { fn extend<I: IntoIterator<Item = u8>>(&mut self, all: I) { for _ in all { self.0 += dep::v() as u8 } } }",
        "let (a, _b): (client::Y, Vec<u8>) = [(1u8, 2u8)].into_iter().unzip(); a.0",
    ),
    (
        "Sum",
        "impl std::iter::Sum<u8> for X { fn sum<I: Iterator<Item = u8>>(_: I) -> X { X(dep::v() as u8) } }",
        "[1u8].into_iter().sum::<client::X>().0",
    ),
    (
        "Deref, by a method",
        "impl std::ops::Deref for X { type Target = str; fn deref(&self) -> &str { if dep::flips() { \"two\" } else { \"o\" } } }",
        "client::X(0).len()",
    ),
    (
        "Index",
        "impl std::ops::Index<u8> for X { type Output = str; fn index(&self, _: u8) -> &str { if dep::flips() { \"two\" } else { \"o\" } } }",
        "client::X(0)[1].len()",
    ),
    (
        "Add",
        "impl std::ops::Add for X { type Output = u8; fn add(self, _: X) -> u8 { dep::v() as u8 } }",
        "client::X(0) + client::X(0)",
    ),
    (
        "AddAssign",
        "impl std::ops::AddAssign<u8> for X { fn add_assign(&mut self, _: u8) { self.0 = dep::v() as u8 } }",
        "let mut x = client::X(0); x += 1; x.0",
    ),
    (
        "Drop, in a vector",
        "impl Drop for X { fn drop(&mut self) { println!(\"{}\", dep::v()) } }",
        "drop(vec![client::X(0)])",
    ),
    (
        "Drop, in a panic",
        "impl Drop for X { fn drop(&mut self) { println!(\"{}\", dep::v()) } }",
        "panics(|| { let _x = client::X(0); panic!() })",
    ),
    (
        "Error's source",
        "#[derive(Debug)] pub struct E; impl std::fmt::Display for E { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str(\"e\") } } impl std::error::Error for E { fn source(&self) -> Option<&(dyn std::error::Error + 'static)> { if dep::flips() { Some(&E) } else { None } } }",
        "let e: Box<dyn std::error::Error> = client::E.into(); e.source().is_some()",
    ),
    (
        "Wake",
        "impl std::task::Wake for X { fn wake(self: std::sync::Arc<Self>) { println!(\"{}\", dep::v()) } }",
        "std::task::Waker::from(std::sync::Arc::new(client::X(0))).wake()",
    ),
    (
        "Pattern by a closure",
        "pub fn is(c: char) -> bool { c == if dep::flips() { 'b' } else { 'a' } }",
        "\"aab\".split(client::is).count()",
    ),
    (
        "Borrow, by a map",
        "impl PartialEq for X { fn eq(&self, o: &X) -> bool { self.0 == o.0 } } impl Eq for X {} impl PartialOrd for X { fn partial_cmp(&self, o: &X) -> Option<std::cmp::Ordering> { Some(self.cmp(o)) } } impl Ord for X { fn cmp(&self, o: &X) -> std::cmp::Ordering { self.0.cmp(&o.0) } } impl std::borrow::Borrow<str> for X { fn borrow(&self) -> &str { if dep::flips() { \"b\" } else { \"a\" } } }",
        "std::collections::BTreeSet::from([client::X(1)]).contains(\"a\")",
    ),
];

pub fn templates() -> Vec<Template> {
    let templates = IMPLS.iter().map(|(name, client, used)| {
        Template::new(*name, &format!("pub struct X(pub u8); {client}"), DEP, &[used])
    });
    templates.collect()
}
