//! What is found by the names of symbols and of sections, and not by paths.

use crate::pair::{Meaning, Template};

/// What the dependency exports, and how code that knows the symbol declares and uses it.
const EXPORTS: &[(&str, &str, &str, &str)] = &[
    (
        "no_mangle function",
        "#[unsafe(no_mangle)] pub extern \"C\" fn sym_MOD() -> i32 { VALUE }",
        "fn sym_MOD() -> i32;",
        "sym_MOD()",
    ),
    (
        "private no_mangle function",
        "#[unsafe(no_mangle)] extern \"C\" fn sym_MOD() -> i32 { VALUE }",
        "fn sym_MOD() -> i32;",
        "sym_MOD()",
    ),
    (
        "function with an export name",
        "#[unsafe(export_name = \"sym_MOD\")] pub extern \"C\" fn other() -> i32 { VALUE }",
        "fn sym_MOD() -> i32;",
        "sym_MOD()",
    ),
    (
        "no_mangle static",
        "#[unsafe(no_mangle)] pub static sym_MOD: i32 = VALUE;",
        "static sym_MOD: i32;",
        "sym_MOD",
    ),
    (
        "static with an export name",
        "#[unsafe(export_name = \"sym_MOD\")] pub static OTHER: i32 = VALUE;",
        "static sym_MOD: i32;",
        "sym_MOD",
    ),
    (
        "no_mangle function in a module",
        "pub mod deep { #[unsafe(no_mangle)] pub extern \"C\" fn sym_MOD() -> i32 { VALUE } }",
        "fn sym_MOD() -> i32;",
        "sym_MOD()",
    ),
    (
        "no_mangle function of the Rust ABI",
        "#[unsafe(no_mangle)] pub fn sym_MOD() -> i32 { VALUE }",
        "fn sym_MOD() -> i32;",
        "sym_MOD()",
    ),
    (
        "no_mangle static function pointer",
        "#[unsafe(no_mangle)] pub static sym_MOD: extern \"C\" fn() -> i32 = f; extern \"C\" fn f() -> i32 { VALUE }",
        "static sym_MOD: extern \"C\" fn() -> i32;",
        "sym_MOD()",
    ),
    (
        "associated no_mangle function",
        "pub struct S; impl S { #[unsafe(no_mangle)] pub extern \"C\" fn sym_MOD() -> i32 { VALUE } }",
        "fn sym_MOD() -> i32;",
        "sym_MOD()",
    ),
    (
        "generic function behind a symbol",
        "#[unsafe(no_mangle)] pub extern \"C\" fn sym_MOD() -> i32 { g(1u8) } fn g<T>(t: T) -> i32 { VALUE }",
        "fn sym_MOD() -> i32;",
        "sym_MOD()",
    ),
];

/// Symbols that change places.
const SWAPPED: &[(&str, &str, &str, &str)] = &[
    (
        "exported names swapped",
        "#[unsafe(export_name = \"FIRST_MOD\")] pub extern \"C\" fn a() -> i32 { 1 } #[unsafe(export_name = \"SECOND_MOD\")] pub extern \"C\" fn b() -> i32 { 2 }",
        "fn sym_MOD() -> i32;",
        "sym_MOD()",
    ),
    (
        "exported names of statics swapped",
        "#[unsafe(export_name = \"FIRST_MOD\")] pub static A: i32 = 1; #[unsafe(export_name = \"SECOND_MOD\")] pub static B: i32 = 2;",
        "static sym_MOD: i32;",
        "sym_MOD",
    ),
    (
        "no_mangle names swapped",
        "#[unsafe(no_mangle)] pub extern \"C\" fn FIRST_MOD() -> i32 { 1 } #[unsafe(no_mangle)] pub extern \"C\" fn SECOND_MOD() -> i32 { 2 }",
        "fn sym_MOD() -> i32;",
        "sym_MOD()",
    ),
    (
        "exported names of private functions swapped",
        "mod x { #[unsafe(export_name = \"FIRST_MOD\")] extern \"C\" fn a() -> i32 { 1 } #[unsafe(export_name = \"SECOND_MOD\")] extern \"C\" fn b() -> i32 { 2 } }",
        "fn sym_MOD() -> i32;",
        "sym_MOD()",
    ),
];

/// Who uses the symbol: the client, its callers, or a crate between.
const USERS: &[(&str, &str, &str, &str)] = &[
    (
        "the client",
        "unsafe extern \"ABI\" { DECLARED } pub fn f() -> i32 { unsafe { USED } }",
        "",
        "client::f()",
    ),
    (
        "a method of the client",
        "unsafe extern \"ABI\" { DECLARED } pub struct S; impl S { pub fn f(&self) -> i32 { unsafe { USED } } }",
        "",
        "client::S.f()",
    ),
    (
        "a generic function of the client",
        "unsafe extern \"ABI\" { DECLARED } pub fn f<T>(t: T) -> i32 { unsafe { USED } }",
        "",
        "client::f(1u8)",
    ),
    (
        "a closure of the client",
        "unsafe extern \"ABI\" { DECLARED } pub fn f() -> impl Fn() -> i32 { || unsafe { USED } }",
        "",
        "client::f()()",
    ),
    (
        "the client, inside a function",
        "pub fn f() -> i32 { unsafe extern \"ABI\" { DECLARED } unsafe { USED } }",
        "",
        "client::f()",
    ),
    (
        "a crate between",
        "pub fn f() -> i32 { middle::f() }",
        "unsafe extern \"ABI\" { DECLARED } pub fn f() -> i32 { unsafe { USED } }",
        "client::f()",
    ),
    ("callers", "pub fn nothing() {}", "", "unsafe extern \"ABI\" { DECLARED } unsafe { USED }"),
    (
        "callers, by a re-exported declaration",
        "pub use middle::*;",
        "unsafe extern \"ABI\" { pub DECLARED }",
        "use client::*; unsafe { USED }",
    ),
    (
        "callers, by the client's declaration",
        "unsafe extern \"ABI\" { pub DECLARED }",
        "",
        "use client::*; unsafe { USED }",
    ),
];

/// Programs: what runs before and after `main`, and what all of a program shares.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "function before main",
        "extern \"C\" fn run() { println!(\"{}\", VALUE) } #[used] #[unsafe(link_section = \".init_array\")] static RUN: extern \"C\" fn() = run; pub fn touch() {}",
        "fn main() { dep::touch(); println!(\"main\") }",
    ),
    (
        "function after main",
        "extern \"C\" fn run() { use std::io::Write; let _ = std::io::stdout().write_all(&[48 + VALUE as u8, 10]); } #[used] #[unsafe(link_section = \".fini_array\")] static RUN: extern \"C\" fn() = run; pub fn touch() {}",
        "fn main() { dep::touch(); println!(\"main\") }",
    ),
    (
        "function before main that sets a static",
        "pub static N: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0); extern \"C\" fn run() { N.store(VALUE, std::sync::atomic::Ordering::SeqCst) } #[used] #[unsafe(link_section = \".init_array\")] static RUN: extern \"C\" fn() = run;",
        "fn main() { println!(\"{:?}\", dep::N) }",
    ),
    (
        "allocator",
        "pub struct A; unsafe impl std::alloc::GlobalAlloc for A { unsafe fn alloc(&self, l: std::alloc::Layout) -> *mut u8 { N.fetch_add(VALUE as usize, std::sync::atomic::Ordering::SeqCst); unsafe { std::alloc::GlobalAlloc::alloc(&std::alloc::System, l) } } unsafe fn dealloc(&self, p: *mut u8, l: std::alloc::Layout) { unsafe { std::alloc::GlobalAlloc::dealloc(&std::alloc::System, p, l) } } } pub static N: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0); #[global_allocator] static GLOBAL: A = A;",
        "fn main() { let before = dep::N.load(std::sync::atomic::Ordering::SeqCst); let b = Box::new(std::hint::black_box(1)); let after = dep::N.load(std::sync::atomic::Ordering::SeqCst); println!(\"{}\", after - before); drop(b) }",
    ),
    (
        "allocator that the client installs",
        "pub struct A; unsafe impl std::alloc::GlobalAlloc for A { unsafe fn alloc(&self, l: std::alloc::Layout) -> *mut u8 { N.fetch_add(VALUE as usize, std::sync::atomic::Ordering::SeqCst); unsafe { std::alloc::GlobalAlloc::alloc(&std::alloc::System, l) } } unsafe fn dealloc(&self, p: *mut u8, l: std::alloc::Layout) { unsafe { std::alloc::GlobalAlloc::dealloc(&std::alloc::System, p, l) } } } pub static N: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);",
        "#[global_allocator] static GLOBAL: dep::A = dep::A; fn main() { let before = dep::N.load(std::sync::atomic::Ordering::SeqCst); let b = Box::new(std::hint::black_box(1)); let after = dep::N.load(std::sync::atomic::Ordering::SeqCst); println!(\"{}\", after - before); drop(b) }",
    ),
    (
        "allocator that the client installs and does not look at",
        "pub struct A; unsafe impl std::alloc::GlobalAlloc for A { unsafe fn alloc(&self, l: std::alloc::Layout) -> *mut u8 { if l.size() == 77 { std::process::exit(VALUE) } unsafe { std::alloc::GlobalAlloc::alloc(&std::alloc::System, l) } } unsafe fn dealloc(&self, p: *mut u8, l: std::alloc::Layout) { unsafe { std::alloc::GlobalAlloc::dealloc(&std::alloc::System, p, l) } } }",
        "#[global_allocator] static GLOBAL: dep::A = dep::A; fn main() { let b = Box::new(std::hint::black_box([0u8; 77])); println!(\"{}\", b[0]) }",
    ),
    (
        "symbol of a section",
        "#[used] #[unsafe(link_section = \"sect\")] static ENTRY: i32 = VALUE; pub fn touch() {}",
        "unsafe extern \"C\" { static __start_sect: i32; } fn main() { dep::touch(); println!(\"{}\", unsafe { __start_sect }) }",
    ),
    (
        "function at exit",
        "unsafe extern \"C\" { fn atexit(f: extern \"C\" fn()) -> i32; } extern \"C\" fn run() { println!(\"{}\", VALUE) } pub fn touch() { unsafe { atexit(run); } }",
        "fn main() { dep::touch(); println!(\"main\") }",
    ),
    (
        "symbol that takes libc's place",
        "#[unsafe(no_mangle)] pub extern \"C\" fn getpid() -> i32 { VALUE } pub fn touch() {}",
        "fn main() { dep::touch(); println!(\"{}\", std::process::id()) }",
    ),
];

pub fn templates() -> Vec<Template> {
    let mut templates = Vec::new();
    for (user, client, middle, used) in USERS {
        // The dependency is linked because something of it is used.
        let client = format!("{client} pub fn keep() -> i32 {{ dep::keep() }}");
        let keep = "pub fn keep() -> i32 { 0 }";
        let template = |name: String, dep: &str, declared: &str, use_: &str| {
            let abi = if dep.contains("pub fn sym") { "Rust" } else { "C" };
            let filled = |text: &str| {
                text.replace("DECLARED", declared).replace("USED", use_).replace("ABI", abi)
            };
            Template::new(name, &filled(&client), &format!("{dep} {keep}"), &[&filled(used)])
                .middle(&filled(middle))
                .fixed()
        };
        for (export, dep, declared, use_) in EXPORTS {
            templates.push(template(format!("{export}, used by {user}"), dep, declared, use_));
        }
        for (swap, dep, declared, use_) in SWAPPED {
            let named =
                |first: &str, second: &str| dep.replace("FIRST", first).replace("SECOND", second);
            let (old, new) = (named("sym", "tmp"), named("tmp", "sym"));
            let template = template(format!("{swap}, used by {user}"), &old, declared, use_);
            let new = format!("{new} {keep}");
            templates.push(template.new_version(&new, Meaning::Measured));
        }
    }
    for (name, dep, client) in PROGRAMS {
        templates.push(Template::new(*name, client, dep, &[]).alone().fixed());
    }
    let section = |name: &str| {
        format!(
            "extern \"C\" fn run() {{ use std::io::Write; let _ = std::io::stdout().write_all(b\"run\\n\"); }} #[used] #[unsafe(link_section = \"{name}\")] static RUN: extern \"C\" fn() = run; pub fn touch() {{}}"
        )
    };
    let client = "fn main() { dep::touch(); println!(\"main\") }";
    for (old, new) in
        [(".init_array", ".fini_array"), (".init_array", ".other"), (".fini_array", ".init_array")]
    {
        let template = Template::new(format!("section {old} to {new}"), client, &section(old), &[]);
        templates.push(template.new_version(&section(new), Meaning::Measured).alone().fixed());
    }
    templates
}
