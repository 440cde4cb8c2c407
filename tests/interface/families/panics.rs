//! Panics: what is thrown, who catches and drops it, what runs to make the message; and programs that
//! end.

use crate::pair::Template;

const DEP: &str = "pub struct D(pub u8); impl Drop for D { fn drop(&mut self) { println!(\"{}\", VALUE) } } \
    pub fn boom() { std::panic::panic_any(D(1)) } \
    pub struct E; impl std::fmt::Display for E { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { println!(\"{}\", VALUE); f.write_str(\"e\") } } \
    impl std::fmt::Debug for E { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { println!(\"{}\", VALUE); f.write_str(\"e\") } } \
    impl PartialEq for E { fn eq(&self, _: &E) -> bool { false } }";

/// A panic, as a block.
const THROWN: &[(&str, &str)] = &[
    ("the dependency's payload", "dep::boom()"),
    ("a payload", "std::panic::panic_any(dep::D(1))"),
    ("a payload in a box", "std::panic::panic_any(Box::new(dep::D(1)))"),
    ("a payload in a vector", "std::panic::panic_any(vec![dep::D(1)])"),
    ("a resumed payload", "std::panic::resume_unwind(Box::new(dep::D(1)))"),
    ("a payload in an own struct", "{ struct P(dep::D); std::panic::panic_any(P(dep::D(1))) }"),
    ("a message", "panic!(\"{}\", dep::E)"),
    ("a message by Debug", "panic!(\"{:?}\", dep::E)"),
    ("an unwrapped error", "{ let it: Result<u8, dep::E> = Err(dep::E); it.unwrap(); }"),
    ("an expected error", "{ let it: Result<u8, dep::E> = Err(dep::E); it.expect(\"it\"); }"),
    ("an unexpected value", "{ let it: Result<dep::E, u8> = Ok(dep::E); it.unwrap_err(); }"),
    ("assert_eq", "assert_eq!(dep::E, dep::E)"),
    ("an assertion's message", "assert!(std::hint::black_box(false), \"{}\", dep::E)"),
    (
        "a guard while it unwinds",
        "{ let d = dep::D(1); if std::hint::black_box(true) { panic!() } std::mem::forget(d) }",
    ),
    (
        "a guard while an index is out of bounds",
        "{ let d = dep::D(1); [1u8][std::hint::black_box(3)]; std::mem::forget(d) }",
    ),
    ("unreachable", "unreachable!(\"{}\", dep::E)"),
    ("a panic in a thread", "std::thread::spawn(|| dep::boom()).join().unwrap()"),
    ("a panic in a scoped thread", "std::thread::scope(|scope| { scope.spawn(|| dep::boom()); })"),
];

/// Who catches it.
const CAUGHT: &[(&str, &str, &str)] = &[
    (
        "caught by the client",
        "pub fn f() -> bool { std::panic::catch_unwind(|| { THROWN; }).is_err() }",
        "client::f()",
    ),
    (
        "caught and dropped by the client",
        "pub fn f() { if let Err(it) = std::panic::catch_unwind(|| { THROWN; }) { drop(it) } }",
        "client::f()",
    ),
    (
        "caught and forgotten by the client",
        "pub fn f() { std::mem::forget(std::panic::catch_unwind(|| { THROWN; })) }",
        "client::f()",
    ),
    (
        "caught and returned by the client",
        "pub fn f() -> std::thread::Result<()> { std::panic::catch_unwind(|| { THROWN; }) }",
        "let _it = client::f();",
    ),
    (
        "joined by the client",
        "pub fn f() -> bool { std::thread::spawn(|| { THROWN; }).join().is_err() }",
        "client::f()",
    ),
    (
        "in a thread that callers join",
        "pub fn f() -> std::thread::JoinHandle<()> { std::thread::spawn(|| { THROWN; }) }",
        "client::f().join().is_err()",
    ),
    ("caught by callers", "pub fn f() { THROWN; }", "panics(|| client::f())"),
    (
        "caught by callers, from a generic function",
        "pub fn f<T>(t: T) { THROWN; }",
        "panics(|| client::f(1u8))",
    ),
    ("caught by nobody", "pub fn f() { THROWN; }", "client::f()"),
    ("thrown by a closure", "pub fn f() -> impl Fn() { || { THROWN; } }", "panics(client::f())"),
    (
        "thrown by a drop",
        "pub struct S; impl Drop for S { fn drop(&mut self) { THROWN; } }",
        "panics(|| drop(client::S))",
    ),
    ("thrown by a future", "pub async fn f() { THROWN; }", "panics(|| poll(client::f(), 1))"),
    (
        "thrown by an iterator",
        "pub fn f() -> impl Iterator<Item = u8> { std::iter::from_fn(|| { THROWN; None }) }",
        "panics(|| client::f().next())",
    ),
];

/// Messages and places, read or not.
const MESSAGES: &[(&str, &str, &str)] = &[
    ("message that nobody reads", "pub fn f() { dep::fail() }", "panics(|| client::f())"),
    (
        "message that the client drops",
        "pub fn f() -> bool { std::panic::catch_unwind(|| dep::fail()).is_err() }",
        "client::f()",
    ),
    (
        "message that the client reads",
        "pub fn f() -> String { *std::panic::catch_unwind(|| dep::fail()).unwrap_err().downcast::<String>().unwrap() }",
        "client::f()",
    ),
    (
        "message of a thread that the client reads",
        "pub fn f() -> String { *std::thread::spawn(|| dep::fail()).join().unwrap_err().downcast::<String>().unwrap() }",
        "client::f()",
    ),
];

/// Programs of the client, which can stand beside others.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("guard at the end", DEP, "fn main() { let _d = dep::D(1); println!(\"main\") }"),
    ("payload of main", DEP, "fn main() { dep::boom() }"),
    ("message of main", DEP, "fn main() { panic!(\"{}\", dep::E) }"),
    ("error of main", DEP, "fn main() -> Result<(), dep::E> { Err(dep::E) }"),
    (
        "boxed error of main",
        "#[derive(Debug)] pub struct F; impl std::fmt::Display for F { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str(\"f\") } } impl std::error::Error for F {} impl Drop for F { fn drop(&mut self) { println!(\"{}\", VALUE) } }",
        "fn main() -> Result<(), Box<dyn std::error::Error>> { Err(Box::new(dep::F)) }",
    ),
    (
        "termination",
        "pub struct T; impl std::process::Termination for T { fn report(self) -> std::process::ExitCode { std::process::ExitCode::from(VALUE as u8) } }",
        "fn main() -> dep::T { dep::T }",
    ),
    (
        "exit code",
        "pub fn code() -> i32 { VALUE }",
        "fn main() { std::process::exit(dep::code()) }",
    ),
    (
        "exit in a drop",
        "pub struct X; impl Drop for X { fn drop(&mut self) { std::process::exit(VALUE) } }",
        "fn main() { let _x = dep::X; }",
    ),
    ("thread's payload", DEP, "fn main() { let _ = std::thread::spawn(|| dep::boom()).join(); }"),
    (
        "detached thread's guard",
        DEP,
        "thread_local! { static D: dep::D = dep::D(1); } fn main() { std::thread::spawn(|| D.with(|_| ())).join().unwrap() }",
    ),
    (
        "static's guard",
        DEP,
        "static D: std::sync::OnceLock<dep::D> = std::sync::OnceLock::new(); fn main() { D.get_or_init(|| dep::D(1)); }",
    ),
    (
        "hook",
        "pub fn install() { std::panic::set_hook(Box::new(|_| println!(\"{}\", VALUE))) }",
        "fn main() { dep::install(); panic!() }",
    ),
    (
        "hook that reads the message",
        "pub fn fail() { panic!(\"{}\", VALUE) }",
        "fn main() { std::panic::set_hook(Box::new(|it| println!(\"{}\", it.payload().downcast_ref::<String>().unwrap()))); dep::fail() }",
    ),
    (
        "hook that reads the place",
        "pub fn fail() { panic!() } #[track_caller] pub fn line() -> u32 { VALUE as u32 }",
        "fn main() { std::panic::set_hook(Box::new(|it| println!(\"{}\", it.location().unwrap().column() + dep::line()))); dep::fail() }",
    ),
    (
        "hook's drop",
        DEP,
        "fn main() { let d = dep::D(1); std::panic::set_hook(Box::new(move |_| { let _ = &d; })); drop(std::panic::take_hook()) }",
    ),
    (
        "abort",
        "pub fn end() { if VALUE == 1 { std::process::abort() } }",
        "fn main() { dep::end() }",
    ),
    (
        "panic in a drop while a panic unwinds",
        "pub struct X; impl Drop for X { fn drop(&mut self) { if VALUE == 1 { panic!() } } }",
        "fn main() { let _x = dep::X; panic!() }",
    ),
    (
        "environment",
        "pub fn name() -> String { format!(\"{}\", VALUE) }",
        "fn main() { println!(\"{:?}\", std::env::args().count() as i32 + dep::name().len() as i32); print!(\"{}\", dep::name()) }",
    ),
];

pub fn templates() -> Vec<Template> {
    let mut templates = Vec::new();
    for (thrown, code) in THROWN {
        for (caught, client, used) in CAUGHT {
            let name = format!("{thrown}, {caught}");
            templates.push(Template::new(name, &client.replace("THROWN", code), DEP, &[used]));
        }
    }
    let fail = "pub fn fail() { panic!(\"{}\", VALUE) }";
    for (name, client, used) in MESSAGES {
        templates.push(Template::new(*name, client, fail, &[used]));
    }
    for (name, dep, client) in PROGRAMS {
        templates.push(Template::new(*name, client, dep, &[]).fixed());
    }
    templates
}
