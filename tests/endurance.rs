//! What is large, hard or does not end: each ends in time, with a verdict or an honest unknown.

mod workspace;

use std::fmt::Write;
use std::time::{Duration, Instant};

use workspace::{Run, Workspace};

/// No upgrade here may take longer, on a busy machine.
const LONGEST: Duration = Duration::from_secs(150);

fn judge(client: &str, old: &str, new: &str) -> Run {
    let workspace = Workspace::new();
    workspace.write_package("old", "dep", "1.0.0", "");
    workspace.write_package("new", "dep", "1.0.1", "");
    workspace.write_package("client", "client", "0.1.0", "[dependencies.dep]\npath = \"../old\"\n");
    workspace.write("old/src/lib.rs", old);
    workspace.write("new/src/lib.rs", new);
    workspace.write("client/src/lib.rs", client);
    let started = Instant::now();
    let run = workspace.check();
    let taken = started.elapsed();
    assert!(taken < LONGEST, "{taken:?}\n{}{}", run.report, run.errors);
    assert_ne!(run.verdict(), "none", "{}{}", run.report, run.errors);
    run
}

#[track_caller]
fn assert_verdict(run: &Run, expected: &str) {
    assert_eq!(run.verdict(), expected, "{}{}", run.report, run.errors);
}

const PLAIN_CLIENT: &str = "pub fn run(x: u32) -> u32 { dep::pick(x) }\n";

fn branches(number: u32, value: impl Fn(u32) -> u32) -> String {
    let mut text = "pub fn pick(x: u32) -> u32 {\n".to_owned();
    for index in 0..number {
        writeln!(text, "    if x == {} {{ return {}; }}", index * 3, value(index)).unwrap();
    }
    text + "    x\n}\n"
}

#[test]
fn five_hundred_branches() {
    let old = branches(500, |index| index * 7 % 13);
    let new = branches(500, |index| index * 7 % 13).replace("    x\n}", "    x ^ 0\n}");
    let new = new.replace(
        "pub fn pick(x: u32) -> u32 {\n",
        "pub fn pick(x: u32) -> u32 {\n    let x = !!x;\n",
    );
    assert_verdict(&judge(PLAIN_CLIENT, &old, &new), "equivalent");
    let changed = branches(500, |index| index * 7 % 13 + u32::from(index == 321));
    assert_verdict(&judge(PLAIN_CLIENT, &old, &changed), "different");
}

fn arms(number: u32, value: impl Fn(u32) -> u32) -> String {
    let mut text = "pub fn pick(x: u32) -> u32 {\n    match x {\n".to_owned();
    for index in 0..number {
        writeln!(text, "        {} => {},", index * 5 + 1, value(index)).unwrap();
    }
    text + "        _ => 0,\n    }\n}\n"
}

#[test]
fn a_thousand_arms() {
    let old = arms(1000, |index| index * 31 % 101);
    let new = arms(1000, |index| index * 31 % 101)
        .replace("match x {", "match x.wrapping_sub(7).wrapping_add(7) {");
    assert_verdict(&judge(PLAIN_CLIENT, &old, &new), "equivalent");
    let changed = arms(1000, |index| index * 31 % 101 + u32::from(index == 777));
    assert_verdict(&judge(PLAIN_CLIENT, &old, &changed), "different");
}

#[test]
fn two_thousand_call_sites() {
    let mut client = String::new();
    for function in 0..200 {
        writeln!(client, "pub fn run{function}(x: u32) -> u32 {{\n    let mut sum = x;").unwrap();
        for call in 0..10 {
            writeln!(client, "    sum ^= dep::pick(x ^ {});", function * 10 + call).unwrap();
        }
        client += "    sum\n}\n";
    }
    let old = "pub fn pick(x: u32) -> u32 { x / 2 * 2 }\n";
    let new = "pub fn pick(x: u32) -> u32 { x & !1 }\n";
    assert_verdict(&judge(&client, old, new), "equivalent");
    let changed = "pub fn pick(x: u32) -> u32 { if x == 77 { 5 } else { x & !1 } }\n";
    assert_verdict(&judge(&client, old, changed), "different");
}

#[test]
fn recursion_in_client_and_library() {
    let client = "pub fn run(n: u8, x: u32) -> u32 {
        if n == 0 { dep::power(x, 3) } else { run(n - 1, x ^ dep::power(x, n % 4)) }
    }\n";
    let old = "pub fn power(x: u32, n: u8) -> u32 {
        if n == 0 { 1 } else { x.wrapping_mul(power(x, n - 1)) }
    }\n";
    let new = "pub fn power(x: u32, n: u8) -> u32 {
        if n < 1 { return 1; }
        let rest = power(x, n - 1);
        rest.wrapping_mul(x)
    }\n";
    assert_verdict(&judge(client, old, new), "equivalent");
    let changed = old.replace("{ 1 }", "{ 2 }");
    assert_verdict(&judge(client, old, &changed), "different");
}

/// Two factors that no solver finds soon, and no run on a few inputs either.
#[test]
fn arithmetic_without_an_answer() {
    let client = "pub fn run(a: u64, b: u64) -> u64 { dep::unlock(a, b) }\n";
    let unlock = |then: &str| {
        format!(
            "pub fn unlock(a: u64, b: u64) -> u64 {{
                let product = u128::from(a) * u128::from(b);
                if a > 1 && b > 1 && product == 340282364385637269094341342749559621709 {{
                    return {then};
                }}
                0
            }}\n"
        )
    };
    assert_verdict(&judge(client, &unlock("1"), &unlock("2")), "unknown");
}

/// Writes at places that are not known, one after the other, over an array.
#[test]
fn a_boundary_that_eats_memory() {
    let client = "pub fn run(x: u64, y: u64) -> u64 { dep::scatter(x, y) }\n";
    let scatter = |last: &str| {
        format!(
            "pub fn scatter(x: u64, y: u64) -> u64 {{
                let mut cells = [0u64; 512];
                let mut at = x;
                for step in 0..400u64 {{
                    at = at.wrapping_mul(6364136223846793005).wrapping_add(y ^ step);
                    cells[(at % 512) as usize] ^= at.rotate_left((step % 63) as u32);
                }}
                let mut sum = 0u64;
                for cell in cells {{ sum = sum.wrapping_mul(31).wrapping_add(cell); }}
                {last}
            }}\n"
        )
    };
    let run = judge(client, &scatter("sum"), &scatter("if sum == 77 { 78 } else { sum }"));
    assert_verdict(&run, "unknown");
}

#[test]
fn a_client_that_prints() {
    let client = "pub fn run(x: u32) -> u32 { println!(\"x is {x}\"); dep::pick(x) }\n";
    let run =
        judge(client, "pub fn pick(x: u32) -> u32 { x }", "pub fn pick(x: u32) -> u32 { x + 1 }");
    assert_verdict(&run, "different");
}

#[test]
fn a_client_that_sleeps() {
    let client = "pub fn run(x: u32) -> u32 {
        std::thread::sleep(std::time::Duration::from_millis(700));
        dep::pick(x)
    }\n";
    let run =
        judge(client, "pub fn pick(x: u32) -> u32 { x }", "pub fn pick(x: u32) -> u32 { x ^ 1 }");
    assert_ne!(run.verdict(), "equivalent", "{}{}", run.report, run.errors);
}

#[test]
fn a_client_that_never_ends() {
    let client = "pub fn run(x: u32) -> u32 {
        let found = dep::pick(x);
        while std::hint::black_box(found) > 0 {}
        found
    }\n";
    let run = judge(
        client,
        "pub fn pick(x: u32) -> u32 { x | 1 }",
        "pub fn pick(x: u32) -> u32 { x | 3 }",
    );
    // It returns with neither.
    assert_ne!(run.verdict(), "different", "{}{}", run.report, run.errors);
}
