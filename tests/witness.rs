//! Native runs of a client with two versions of its dependency, from concrete arguments on.

mod workspace;

use std::time::{Duration, Instant};

use cargo_cse::cargo::{Cargo, CargoOptions};
use cargo_cse::cfa::{Entry, EntryTarget, Program, TyId, TypeKind};
use cargo_cse::check;
use cargo_cse::model::{
    BuildFailure, Counterexample, NoOutcome, NotCallable, NotRun, NotWritable, TargetKind,
    WrongValue,
};
use cargo_cse::report::progress::Progress;
use cargo_cse::toolchain::Toolchain;
use cargo_cse::upgrade::{self, Spec, UpgradeRequest};
use cargo_cse::witness::{Concrete, Domain, Exhausted, Harness, Invocation, Replay};

use workspace::Workspace;

/// A client and two versions of `dep`.
struct Fixture {
    workspace: Workspace,
    /// The target that is looked at.
    target: TargetKind,
}

impl Fixture {
    fn new(client: &str, old: &str, new: &str) -> Fixture {
        Fixture::with_target(TargetKind::Library, "lib.rs", client, old, new)
    }

    fn with_target(target: TargetKind, file: &str, client: &str, old: &str, new: &str) -> Fixture {
        let workspace = Workspace::new();
        workspace.write_package("old", "dep", "1.0.0", "");
        workspace.write_package("new", "dep", "1.0.1", "");
        workspace.write("old/src/lib.rs", old);
        workspace.write("new/src/lib.rs", new);
        workspace.write(&format!("client/src/{file}"), client);
        Fixture { workspace, target }.manifest("")
    }

    /// More for the client's manifest.
    fn manifest(self, rest: &str) -> Fixture {
        let dependency = format!("[dependencies.dep]\npath = \"../old\"\n{rest}");
        self.workspace.write_package("client", "client", "0.1.0", &dependency);
        self
    }

    /// Looks at the new program, and runs calls.
    fn run<T>(&self, look: impl FnOnce(&Program, Harness<'_>) -> T) -> T {
        let exe = std::path::Path::new(env!("CARGO_BIN_EXE_cargo-cse"));
        let toolchain = Toolchain::find_beside(exe).unwrap();
        let manifest_path = Some(self.workspace.root.join("client/Cargo.toml"));
        let options = CargoOptions { offline: true, manifest_path, ..CargoOptions::default() };
        let cargo = Cargo::new(&toolchain, &options);
        let to = Some(Spec::Path(self.workspace.root.join("new")));
        let request = UpgradeRequest { name: "dep".to_owned(), from: None, to };
        let plan = upgrade::plan(&cargo, &[request]).unwrap();
        let planned = &plan.upgrades[0];
        let progress = Progress::new(true);
        let new = check::builds(&cargo, &plan, planned, &progress).unwrap().new;
        let target = new.targets.iter().find(|it| it.name.kind == self.target).unwrap();
        let harness = Harness::new(&cargo, &plan, planned, &target.name);
        look(&target.program, harness)
    }
}

fn entry<'a>(program: &'a Program, name: &str) -> &'a Entry {
    let found = program.entries.iter().find(|entry| entry.name == name);
    found.unwrap_or_else(|| {
        let names: Vec<_> = program.entries.iter().map(|entry| &entry.name).collect();
        panic!("`{name}` is none of {names:#?}")
    })
}

/// The types of the parameters.
fn parameters(program: &Program, entry: &Entry) -> Vec<TyId> {
    let EntryTarget::Function(id) = entry.target else { panic!("{} is no function", entry.name) };
    let function = program.function(id);
    function.locals[1..=function.params as usize].iter().map(|local| local.ty).collect()
}

/// A value of the type from the numbers in it, in order: bits, variants, lengths.
fn value(program: &Program, ty: TyId, numbers: &mut impl Iterator<Item = u128>) -> Concrete {
    let mut next = || numbers.next().expect("enough numbers");
    match &program.ty(ty).kind {
        TypeKind::Tuple(parts) => {
            let fields = parts.iter().map(|part| value(program, *part, numbers)).collect();
            Concrete::Fields { ty, fields }
        }
        TypeKind::Array(element, cargo_cse::cfa::ArrayLen::Known(len)) => {
            let fields = (0..*len).map(|_| value(program, *element, numbers)).collect();
            Concrete::Fields { ty, fields }
        }
        TypeKind::Struct(_)
            if ["alloc::vec::Vec<u8", "alloc::string::String"]
                .iter()
                .any(|name| program.ty(ty).name.starts_with(name)) =>
        {
            let byte = program.types.iter().position(|it| it.name == "u8").unwrap();
            let elements =
                (0..next()).map(|_| value(program, TyId(byte as u32), numbers)).collect();
            Concrete::Slice { ty, elements }
        }
        TypeKind::Struct(only) => {
            let fields = only.fields.iter().map(|field| value(program, field.ty, numbers));
            Concrete::Fields { ty, fields: fields.collect() }
        }
        TypeKind::Enum(variants) => {
            let variant = next() as u32;
            let fields = &variants[variant as usize].fields;
            let fields = fields.iter().map(|field| value(program, field.ty, numbers)).collect();
            Concrete::Variant { ty, variant, fields }
        }
        TypeKind::Reference { to, mutable } => {
            let (mutable, to) = (*mutable, Box::new(value(program, *to, numbers)));
            Concrete::Reference { ty, mutable, to }
        }
        TypeKind::Slice(element) => {
            let elements = (0..next()).map(|_| value(program, *element, numbers)).collect();
            Concrete::Slice { ty, elements }
        }
        TypeKind::Str => {
            let bits = (0..next()).map(|_| Concrete::Bits { bits: next(), ty });
            Concrete::Slice { ty, elements: bits.collect() }
        }
        _ => Concrete::Bits { bits: next(), ty },
    }
}

fn request<'a>(program: &'a Program, name: &str, numbers: &[u128]) -> Invocation<'a> {
    let entry = entry(program, name);
    let mut numbers = numbers.iter().copied();
    let arguments =
        parameters(program, entry).into_iter().map(|ty| value(program, ty, &mut numbers)).collect();
    assert_eq!(numbers.next(), None, "all numbers are used");
    Invocation { program, entry, arguments }
}

#[track_caller]
fn different(replay: &Replay) -> &Counterexample {
    match replay {
        Replay::Different(counterexample) => counterexample,
        other => panic!("not a difference: {other:?}"),
    }
}

/// Arguments and both outcomes of a difference, as one text.
#[track_caller]
fn shown(replay: &Replay) -> String {
    let it = different(replay);
    format!("({}): {} / {}", it.arguments.join(", "), it.old, it.new)
}

#[track_caller]
fn reason(replay: &Replay) -> &NotRun {
    match replay {
        Replay::NotRun(reason) => reason,
        other => panic!("it ran: {other:?}"),
    }
}

#[test]
fn arguments_of_every_form_are_written_and_run() {
    let client = r#"
        use std::cmp::Ordering;
        use std::num::NonZero;
        use std::time::Duration;

        pub mod shapes {
            #[derive(Clone, Debug, PartialEq)]
            pub enum Shape { Dot, Circle(f64), Box { width: i16, height: i16 } }
        }
        mod hidden { pub struct Pair<T> { pub first: T, pub second: [u8; 2] } }
        pub use hidden::Pair;
        pub use shapes::Shape;

        pub fn ints(a: u8, b: i32, c: u128, d: bool, e: char) -> i128 {
            dep::add(a as i128 + b as i128 + c as i128 + d as i128 + e as i128)
        }
        pub fn floats(a: f32, b: f64) -> f64 { dep::half(a as f64 + b) }
        pub fn shape(shape: Shape) -> Shape {
            match shape {
                Shape::Box { width, height } => {
                    Shape::Box { width: dep::add(width as i128) as i16, height }
                }
                other => other,
            }
        }
        pub fn pair(pair: Pair<Option<(char, bool)>>) -> Pair<u32> {
            Pair { first: dep::add(pair.second[0] as i128) as u32, second: pair.second }
        }
        pub fn std_types(a: Ordering, b: NonZero<u16>, c: Duration, d: Result<u8, ()>) -> Duration {
            let more = dep::add(a as i128 + b.get() as i128 + d.unwrap_or(9) as i128);
            c + Duration::from_nanos(more as u64)
        }
        pub fn texts(a: &str, b: &[u16], c: Vec<u8>, d: String) -> String {
            format!("{a}{d}{}", dep::add(b.len() as i128 + c.len() as i128))
        }
        pub fn references(a: &u32, b: &(i8, &i8)) -> i128 {
            dep::add(*a as i128 + b.0 as i128 + *b.1 as i128)
        }
        pub fn same(a: u32) -> u32 { dep::same(a) }
    "#;
    let old = "
        pub fn add(x: i128) -> i128 { x + 1 }
        pub fn half(x: f64) -> f64 { x / 2.0 }
        pub fn same(x: u32) -> u32 { x + 1 }
    ";
    let new = "
        pub fn add(x: i128) -> i128 { x + 2 }
        pub fn half(x: f64) -> f64 { if x.is_nan() { 0.0 } else { -(x / 2.0) } }
        pub fn same(x: u32) -> u32 { 1 + x }
    ";
    let fixture = Fixture::new(client, old, new);
    fixture.run(|program, harness| {
        let nan = u128::from(f64::NAN.to_bits());
        let other_nan = u128::from((-f64::NAN).to_bits() | 1);
        let requests = [
            request(program, "client::ints", &[255, (-3i32) as u32 as u128, 7, 1, 'x' as u128]),
            request(program, "client::floats", &[0, 0]),
            request(program, "client::floats", &[0, nan]),
            request(program, "client::floats", &[0, other_nan]),
            request(program, "client::shape", &[2, 0x7fff, 0xffff]),
            request(program, "client::shape", &[0]),
            request(program, "client::pair", &[1, 'ß' as u128, 0, 4, 5]),
            request(program, "client::std_types", &[2, 9, 1, 5, 0, 3]),
            request(program, "client::texts", &[2, 0xc3, 0xa4, 1, 8, 1, 3, 1, 'z' as u128]),
            request(program, "client::references", &[4, 0xff, 3]),
            request(program, "client::same", &[4]),
        ];
        let replays = harness.replay_many(&requests);
        assert_eq!(shown(&replays[0]), "(255, -3, 7, true, 'x'): returned 381 / returned 382");
        assert_eq!(shown(&replays[1]), "(0.0, 0.0): returned 0.0 / returned -0.0");
        assert_eq!(shown(&replays[2]), "(0.0, f64::NAN): returned NaN / returned 0.0");
        assert_eq!(shown(&replays[3]), "(0.0, f64::from_bits(0xfff8000000000001)): returned NaN / returned 0.0");
        assert_eq!(
            shown(&replays[4]),
            "(client::Shape::Box { width: i16::MAX, height: -1 }): \
             returned Box { width: -32768, height: -1 } / returned Box { width: -32767, height: -1 }"
        );
        assert!(matches!(replays[5], Replay::Same));
        assert_eq!(
            shown(&replays[6]),
            "(client::Pair { first: Some(('ß', false)), second: [4, 5] }): \
             returned Pair { first: 5, second: [4, 5] } / returned Pair { first: 6, second: [4, 5] }"
        );
        assert_eq!(
            shown(&replays[7]),
            "(std::cmp::Ordering::Greater, std::num::NonZero::new(9_u16).unwrap(), \
             std::time::Duration::new(1, 5), Ok(3)): returned 1.000000019s / returned 1.00000002s"
        );
        assert_eq!(
            shown(&replays[8]),
            "(\"ä\", &[8], vec![3], String::from(\"z\")): returned \"äz3\" / returned \"äz4\""
        );
        assert_eq!(shown(&replays[9]), "(&4, &(-1, &3)): returned 7 / returned 8");
        assert!(matches!(replays[10], Replay::Same), "{:?}", replays[10]);
    });
    let run = fixture.workspace.cse(&["replay", "--message-format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&run.report).unwrap();
    let tests = document["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 9, "NaNs with other bits are other inputs");
    for test in tests {
        assert_eq!(test["differs"], true, "{test:#}");
    }
}

#[test]
fn private_fields_are_filled_by_constructors_that_only_store() {
    let client = r#"
        pub struct Account { id: u32, open: bool, rest: (i8, u8) }
        impl Account {
            pub fn new(rest: (i8, u8), id: u32) -> Account { Account { id, open: true, rest } }
            pub fn checked(id: u32) -> Account {
                assert!(id > 5);
                Account { id, open: false, rest: (0, 0) }
            }
            pub fn score(&self, by: i64) -> i64 { dep::add(self.id as i64 + by) }
            pub fn step(&mut self) { self.id = dep::add(self.id as i64) as u32 }
        }
        #[derive(Debug)]
        pub struct Meters(f64);
        impl From<f64> for Meters { fn from(value: f64) -> Meters { Meters(value) } }
        pub fn longer(it: Meters) -> Meters { Meters(it.0 + dep::add(1) as f64) }

        pub trait Grow { fn grow(&self, by: u8) -> i64; }
        impl Grow for u16 { fn grow(&self, by: u8) -> i64 { dep::add(*self as i64 + by as i64) } }

        pub struct Sealed { secret: u8 }
        pub fn zero() -> Sealed { Sealed { secret: 0 } }
        pub fn open(sealed: Sealed) -> i64 { dep::add(sealed.secret as i64) }

        pub fn of_dep(it: dep::Token, range: std::ops::RangeInclusive<u8>) -> i64 {
            dep::add(it.get() as i64 + *range.end() as i64)
        }
        #[non_exhaustive]
        pub struct More { pub x: u8 }
        pub fn more(it: More) -> i64 { dep::add(it.x as i64) }
        pub fn token() -> dep::Token { dep::Token::new(dep::add(1) as u16) }
    "#;
    let dep = |by: u8| {
        format!(
            "pub fn add(x: i64) -> i64 {{ x + {by} }}
             #[derive(Debug)]
             pub struct Token {{ value: u16 }}
             impl Token {{
                 pub fn new(value: u16) -> Token {{ Token {{ value }} }}
                 pub fn get(&self) -> u16 {{ self.value }}
             }}"
        )
    };
    Fixture::new(client, &dep(1), &dep(2)).run(|program, harness| {
        let requests = [
            request(program, "client::Account::score", &[7, 1, 0xff, 2, 10]),
            request(program, "client::Account::score", &[7, 0, 0xff, 2, 10]),
            request(program, "client::Account::step", &[7, 1, 0, 0]),
            request(program, "client::longer", &[u128::from(1.5f64.to_bits())]),
            request(program, "<u16 as client::Grow>::grow", &[300, 2]),
            request(program, "client::open", &[0]),
            request(program, "client::open", &[1]),
            request(program, "client::of_dep", &[6, 1, 9, 0]),
            request(program, "client::more", &[1]),
            request(program, "client::token", &[]),
        ];
        let replays = harness.replay_many(&requests);
        assert_eq!(
            shown(&replays[0]),
            "(&<client::Account>::new((-1, 2), 7), 10): returned 18 / returned 19"
        );
        let no_constructor = NotRun::Value(WrongValue::NoConstructor);
        assert_eq!(*reason(&replays[1]), no_constructor);
        // The account has no public part, and what changed in it does not show.
        assert!(matches!(replays[2], Replay::Same), "{:?}", replays[2]);
        assert_eq!(
            shown(&replays[3]),
            "(<client::Meters as std::convert::From<f64>>::from(1.5)): \
             returned Meters(3.5) / returned Meters(4.5)"
        );
        assert_eq!(shown(&replays[4]), "(&300, 2): returned 303 / returned 304");
        assert_eq!(shown(&replays[5]), "(client::zero()): returned 1 / returned 2");
        assert_eq!(*reason(&replays[6]), no_constructor);
        assert_eq!(
            shown(&replays[7]),
            "(<dep::Token>::new(6), <std::ops::RangeInclusive<u8>>::new(1, 9)): \
             returned 16 / returned 17"
        );
        assert_eq!(
            *reason(&replays[8]),
            NotRun::Type("client::More".to_owned(), NotWritable::PrivateFields)
        );
        // How a type of what moves prints itself may be what changed.
        assert!(matches!(replays[9], Replay::Same), "{:?}", replays[9]);
    });
}

#[test]
fn what_is_left_behind_references_shows_also_after_a_panic() {
    let client = r#"
        pub fn bump(x: &mut u32, all: &mut [u8]) {
            all[0] = 7;
            *x = dep::next(*x);
        }
        pub fn lend(list: &mut Vec<u8>) -> &mut u8 { list.push(dep::next(4) as u8); &mut list[0] }
        pub fn checked(x: u32) -> u32 { dep::next(x) }
    "#;
    let old = "pub fn next(x: u32) -> u32 { x + 1 }";
    let new = "pub fn next(x: u32) -> u32 { assert!(x < 100, \"too much\"); x + 2 }";
    Fixture::new(client, old, new).run(|program, harness| {
        let replays = harness.replay_many(&[
            request(program, "client::bump", &[1, 2, 0, 0]),
            request(program, "client::bump", &[100, 1, 0]),
            request(program, "client::lend", &[1, 3]),
            request(program, "client::checked", &[u128::from(u32::MAX)]),
        ]);
        assert_eq!(
            shown(&replays[0]),
            "(&mut 1, &mut [0, 0]): \
             returned (), argument 1 is then 2, argument 2 is then [7, 0] / \
             returned (), argument 1 is then 3, argument 2 is then [7, 0]"
        );
        assert_eq!(
            shown(&replays[1]),
            "(&mut 100, &mut [0]): returned (), argument 1 is then 101, argument 2 is then [7] / \
             panicked, argument 1 is then 100, argument 2 is then [7]"
        );
        assert_eq!(
            shown(&replays[2]),
            "(&mut vec![3]): returned 3, argument 1 is then [3, 5] / \
             returned 3, argument 1 is then [3, 6]"
        );
        // The profile checks for overflow, so that both panic; the messages do not count.
        assert!(matches!(replays[3], Replay::Same), "{:?}", replays[3]);
    });
    Fixture::new(client, old, new).manifest("[profile.dev]\noverflow-checks = false\n").run(
        |program, harness| {
            let replay = harness.replay(&request(program, "client::checked", &[0xffff_ffff]));
            assert_eq!(shown(&replay), "(u32::MAX): returned 0 / panicked");
        },
    );
    Fixture::new(client, old, new).manifest("[profile.dev]\npanic = \"abort\"\n").run(
        |program, harness| {
            let replay = harness.replay(&request(program, "client::checked", &[100]));
            assert_eq!(shown(&replay), "(100): returned 101 / panicked");
        },
    );
}

#[test]
fn the_client_is_built_as_its_workspace_says() {
    let fixture = Fixture::new("", "", "");
    let workspace = &fixture.workspace;
    let dep = |by: u8| {
        format!(
            "pub mod kinds {{ pub struct Size(pub u16); }}
             pub fn add(x: u16) -> u16 {{ x + {by} }}"
        )
    };
    workspace.write("old/src/lib.rs", &dep(1));
    workspace.write("new/src/lib.rs", &dep(2));
    workspace.write(
        "client/Cargo.toml",
        "[package]
         name = \"client\"
         version = \"0.1.0\"
         edition = \"2015\"
         [lib]
         name = \"other_name\"
         path = \"src/root.rs\"
         [workspace]
         members = [\"member\"]
         [workspace.lints.rust]
         warnings = \"forbid\"
         [dependencies]
         renamed = { package = \"dep\", path = \"../old\", features = [] }
         member = { path = \"member\" }
         [lints]
         workspace = true
         [features]
         default = [\"on\"]
         on = []",
    );
    workspace.write(
        "client/member/Cargo.toml",
        "[package]\nname = \"member\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lints]\nworkspace = true",
    );
    workspace.write("client/member/src/lib.rs", "pub enum Sign { Plus, Minus }");
    workspace.write(
        "client/src/root.rs",
        "extern crate member;
         extern crate renamed;
         pub struct Own { pub r#type: u8 }
         #[cfg(feature = \"on\")]
         pub fn sized(size: renamed::kinds::Size, sign: member::Sign, own: Own) -> u16 {
             match sign {
                 member::Sign::Plus => renamed::add(size.0) + own.r#type as u16,
                 member::Sign::Minus => 0,
             }
         }
         pub fn name() -> Option<String> {
             renamed::add(0);
             let path = std::env::args().next()?;
             Some(path.rsplit('/').next()?.to_string())
         }",
    );
    fixture.run(|program, harness| {
        let replays = harness.replay_many(&[
            request(program, "other_name::sized", &[5, 0, 1]),
            request(program, "other_name::name", &[]),
        ]);
        assert_eq!(
            shown(&replays[0]),
            "(renamed::kinds::Size(5), member::Sign::Plus, other_name::Own { r#type: 1 }): \
             returned 7 / returned 8"
        );
        assert!(matches!(replays[1], Replay::Same), "{:?}", replays[1]);
    });
    let run = workspace.cse(&["replay"]);
    assert_eq!(run.code, Some(100), "{}{}", run.report, run.errors);
}

#[test]
fn what_is_printed_counts_and_how_a_process_ends_too() {
    let client = r#"
        pub fn say(x: u8) { println!("returned 1\t2"); print!("{}", dep::add(x)); }
        pub fn warn(x: u8) { eprintln!("{}", dep::add(x)); }
        pub fn stop(x: u8) -> u8 { if dep::add(x) > 9 { std::process::abort() } x }
        pub fn leave(x: u8) -> u8 { if dep::add(x) > 9 { std::process::exit(3) } x }
        pub fn hang(x: u8) -> u8 { while dep::add(x) > 9 { std::thread::yield_now() } dep::add(x) }
        pub fn sleep(x: u8) -> u8 {
            std::thread::sleep(std::time::Duration::from_millis(dep::add(x) as u64));
            x
        }
        pub fn hungry(x: u8) -> usize {
            if dep::add(x) > 9 { vec![1u8; 1 << 40].len() } else { 0 }
        }
        pub fn random(x: u8) -> u64 {
            use std::hash::{BuildHasher, RandomState};
            RandomState::new().hash_one(dep::add(x))
        }
    "#;
    let old = "pub fn add(x: u8) -> u8 { x + 1 }";
    let new = "pub fn add(x: u8) -> u8 { x + 2 }";
    Fixture::new(client, old, new).run(|program, mut harness| {
        harness.limits.time = Duration::from_millis(500);
        let replays = harness.replay_many(&[
            request(program, "client::say", &[3]),
            request(program, "client::warn", &[3]),
            request(program, "client::stop", &[8]),
            request(program, "client::stop", &[9]),
            request(program, "client::leave", &[8]),
            request(program, "client::hang", &[8]),
            request(program, "client::sleep", &[3]),
            request(program, "client::hungry", &[8]),
            request(program, "client::random", &[8]),
        ]);
        assert_eq!(
            shown(&replays[0]),
            r#"(3): returned (), printed "returned 1\t2\n4" / returned (), printed "returned 1\t2\n5""#
        );
        assert_eq!(
            shown(&replays[1]),
            r#"(3): returned (), wrote to stderr "4\n" / returned (), wrote to stderr "5\n""#
        );
        assert_eq!(shown(&replays[2]), "(8): returned 8 / aborted the process");
        assert!(matches!(replays[3], Replay::Same), "{:?}", replays[3]);
        assert_eq!(
            shown(&replays[4]),
            "(8): returned 8 / ended the process with exit code 3"
        );
        let has_no_outcome =
            |replay, of| matches!(reason(replay), NotRun::NoOutcome { why, .. } if *why == of);
        assert!(has_no_outcome(&replays[5], NoOutcome::TimedOut), "{:?}", replays[5]);
        assert!(matches!(replays[6], Replay::Same), "{:?}", replays[6]);
        assert!(has_no_outcome(&replays[7], NoOutcome::OutOfMemory), "{:?}", replays[7]);
        assert!(matches!(reason(&replays[8]), NotRun::Unrepeatable { .. }), "{:?}", replays[8]);
    });
}

#[test]
fn a_kept_test_is_read_and_run_again_after_other_checks() {
    let client = "
        pub struct Point { pub x: i32, pub y: i32 }
        impl Point {
            pub fn grow(&mut self, by: i32) -> Option<i32> {
                self.x = dep::add(self.x, by);
                self.x.checked_add(self.y)
            }
        }
    ";
    let old = "pub fn add(a: i32, b: i32) -> i32 { a.wrapping_add(b) }";
    let new = "pub fn add(a: i32, b: i32) -> i32 { a.saturating_add(b) }";
    let fixture = Fixture::new(client, old, new);
    let test = fixture.run(|program, harness| {
        let again = || {
            let max = i32::MAX as u128;
            harness.replay(&request(program, "client::Point::grow", &[max, 1, 1]))
        };
        let (first, second) = (again(), again());
        assert_eq!(different(&first).test, different(&second).test, "a difference is kept once");
        different(&first).test.clone()
    });
    let directory = fixture.workspace.root.join("client").join(&test);
    let source = std::fs::read_to_string(directory.join("call.rs")).unwrap();
    assert!(source.contains("client::Point { x: i32::MAX, y: 1 }"), "{source}");
    assert!(source.contains("//! with dep 1.0.0: returned Some("), "{source}");
    let name = test.rsplit('/').next().unwrap();

    // It finds a difference of its own, and keeps that beside this one.
    assert_eq!(fixture.workspace.check().verdict(), "different");
    let run = fixture.workspace.cse(&["replay", name]);
    assert_eq!(run.code, Some(100), "{}{}", run.report, run.errors);
    let call = "<client::Point>::grow(&mut client::Point { x: i32::MAX, y: 1 }, 1)";
    for part in [
        &format!("{name}: different"),
        call,
        "with dep 1.0.0: returned Some(-2147483647), argument 1 is then Point { x: -2147483648, y: 1 }",
        "returned None, argument 1 is then Point { x: 2147483647, y: 1 }",
    ] {
        assert!(run.report.contains(part), "{part}\n{}{}", run.report, run.errors);
    }
    let run = fixture.workspace.cse(&["replay", "--message-format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&run.report).unwrap();
    let tests = document["tests"].as_array().unwrap();
    let kept = tests.iter().find(|test| test["call"] == call).expect("it is still there");
    assert_eq!(kept["differs"], true);

    // The client as it is now decides.
    let fixed = client.replace("dep::add(self.x, by)", "dep::add(self.x, by).max(0).min(5)");
    let fixed = fixed.replace("dep::add(self.x, by).max(0).min(5)", "self.x.wrapping_add(by)");
    fixture.workspace.write("client/src/lib.rs", &fixed);
    let run = fixture.workspace.cse(&["replay", name]);
    assert_eq!(run.code, Some(0), "{}{}", run.report, run.errors);
    assert!(run.report.contains(&format!("{name}: same")));
    fixture.workspace.write("client/src/lib.rs", "pub fn gone() {}");
    let run = fixture.workspace.cse(&["replay", name]);
    assert_eq!(run.code, Some(101), "{}{}", run.report, run.errors);
    assert!(run.report.contains("does not compile with dep 1.0.0"), "{}", run.report);
    let run = fixture.workspace.cse(&["replay", "no-such"]);
    assert_eq!(run.code, Some(101));
    assert!(run.errors.contains("the kept tests are ") && run.errors.contains(name));
}

#[test]
fn a_binary_runs_without_arguments() {
    let client = r#"
        fn main() {
            println!("{}", dep::answer());
            if std::env::args().count() > 1 { panic!() }
            std::process::exit(dep::answer() - 40);
        }
    "#;
    let old = "pub fn answer() -> i32 { 42 }";
    let new = "pub fn answer() -> i32 { 41 }";
    let fixture =
        Fixture::with_target(TargetKind::Binary("client".into()), "main.rs", client, old, new);
    let test = fixture.run(|program, harness| {
        let replay = harness.replay(&request(program, "client::main", &[]));
        assert_eq!(
            shown(&replay),
            "(): ended the process with exit code 2, printed \"42\\n\" / \
             ended the process with exit code 1, printed \"41\\n\""
        );
        different(&replay).test.clone()
    });
    let run = fixture.workspace.cse(&["replay", &test]);
    assert_eq!(run.code, Some(100), "{}{}", run.report, run.errors);
}

#[test]
fn inputs_shrink_to_what_people_read() {
    let client = r#"
        pub enum Kind { None, Some(u32, char), Text { at: i64 } }
        pub fn limit(x: u32) -> u32 { dep::limit(x) }
        pub fn negative(x: i64) -> bool { dep::negative(x) }
        pub fn list(list: &[u8]) -> u32 { list.iter().map(|it| dep::limit(*it as u32)).sum() }
        pub fn kind(kind: Kind, other: u64) -> u64 {
            match kind {
                Kind::None => other,
                Kind::Some(x, _) => dep::limit(x) as u64,
                Kind::Text { at } => dep::negative(at) as u64,
            }
        }
        pub fn float(x: f64) -> f64 { dep::float(x) }
    "#;
    let dep = |limit: u32, sign: &str, factor: &str| {
        format!(
            "pub fn limit(x: u32) -> u32 {{ if x >= {limit} {{ 1 }} else {{ 0 }} }}
             pub fn negative(x: i64) -> bool {{ x {sign} -12345 }}
             pub fn float(x: f64) -> f64 {{ x * {factor} }}"
        )
    };
    let (old, new) = (dep(77, "<", "1.0"), dep(1000, "<=", "2.0"));
    Fixture::new(client, &old, &new).run(|program, harness| {
        let shrunk = |name: &str, numbers: &[u128]| {
            let request = request(program, name, numbers);
            let arguments = harness.shrink(&request);
            shown(&harness.replay(&Invocation { arguments, ..request }))
        };
        let minus = (-12345i64) as u64 as u128;
        assert_eq!(shrunk("client::limit", &[999]), "(77): returned 1 / returned 0");
        assert_eq!(
            shrunk("client::negative", &[minus]),
            "(-12345): returned false / returned true"
        );
        assert_eq!(
            shrunk("client::list", &[5, 1, 2, 200, 3, 4]),
            "(&[77]): returned 1 / returned 0"
        );
        assert_eq!(
            shrunk("client::kind", &[1, 900, 'ß' as u128, 12345]),
            "(client::Kind::Some(77, 'a'), 0): returned 1 / returned 0"
        );
        let odd = u128::from(0.123_456_f64.to_bits());
        assert_eq!(shrunk("client::float", &[odd]), "(1.0): returned 1.0 / returned 2.0");
    });
}

#[test]
fn all_inputs_of_a_small_domain_are_run() {
    let client = r#"
        #[derive(Clone, Copy)]
        pub enum Mode { Low, High }
        pub fn same(a: u8, b: i8, mode: Mode) -> i32 {
            match mode { Mode::Low => dep::add(a as i32, b as i32), Mode::High => 0 }
        }
        pub fn late(a: u16, flag: bool) -> i32 { dep::twice(a as i32 + flag as i32) }
        pub fn chars(c: char) -> bool { dep::is_odd(c) }
        pub fn wide(a: u64, b: u64) -> u64 { a ^ b ^ dep::twice(1) as u64 }
        pub fn loud(a: u8) { if dep::twice(a as i32) > 300 { println!("{a}") } }
    "#;
    let old = "
        pub fn add(a: i32, b: i32) -> i32 { a + b }
        pub fn twice(a: i32) -> i32 { a * 2 }
        pub fn is_odd(c: char) -> bool { c == '\u{10ffff}' }
    ";
    let new = "
        pub fn add(a: i32, b: i32) -> i32 { b + a }
        pub fn twice(a: i32) -> i32 { if a == 54321 { 0 } else { a * 2 } }
        pub fn is_odd(_: char) -> bool { false }
    ";
    Fixture::new(client, old, new).run(|program, harness| {
        let run = |name: &str| {
            let entry = entry(program, name);
            harness.run_all(program, entry, &Domain::of(program, entry).unwrap())
        };
        let started = Instant::now();
        match run("client::same") {
            Exhausted::AllSame(count) => assert_eq!(count, 256 * 256 * 2),
            other => panic!("{other:?}"),
        }
        match run("client::late") {
            Exhausted::Found(_, replay) => {
                assert_eq!(shown(&replay), "(54321, false): returned 108642 / returned 0");
            }
            other => panic!("{other:?}"),
        }
        match run("client::chars") {
            Exhausted::Found(_, replay) => {
                assert_eq!(shown(&replay), r"('\u{10ffff}'): returned true / returned false");
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(run("client::loud"), Exhausted::AllSame(256)));
        assert_eq!(Domain::of(program, entry(program, "client::wide")), None);
        assert!(started.elapsed() < Duration::from_secs(300));
    });
}

#[test]
fn what_cannot_be_run_says_why_and_keeps_no_other_from_running() {
    let client = r#"
        pub struct Own { x: u8 }
        impl Own { pub fn make(x: u8) -> Own { Own { x: x + 1 } } }
        pub fn own(own: Own) -> u8 { dep::add(own.x) }
        pub fn callback(f: fn(u8) -> u8) -> u8 { f(dep::add(1)) }
        pub unsafe fn raw(x: u8) -> u8 { dep::add(x) }
        pub fn generic<T: Into<u8>>(x: T) -> u8 { dep::add(x.into()) }
        pub fn added(x: dep::Added) -> u8 { dep::add(x.0) }
        pub fn fine(x: u8) -> u8 { dep::add(x) }
    "#;
    let old = "pub struct Added(pub u8); pub fn add(x: u8) -> u8 { x | 1 }";
    let new = "pub struct Added(pub u8, pub ()); pub fn add(x: u8) -> u8 { x | 2 }";
    Fixture::new(client, old, new).run(|program, harness| {
        let own = Invocation {
            program,
            entry: entry(program, "client::own"),
            arguments: vec![Concrete::Bits { bits: 0, ty: TyId(0) }],
        };
        let at = |name: &str| Invocation { entry: entry(program, name), ..own.clone() };
        let replays = harness.replay_many(&[
            own.clone(),
            at("client::callback"),
            at("client::raw"),
            at("client::generic"),
            request(program, "client::added", &[1]),
            request(program, "client::fine", &[0]),
        ]);
        assert_eq!(
            *reason(&replays[0]),
            NotRun::Type("client::Own".to_owned(), NotWritable::PrivateFields)
        );
        let is_unwritable =
            matches!(reason(&replays[1]), NotRun::Type(_, NotWritable::NoExpression));
        assert!(is_unwritable, "{:?}", replays[1]);
        for replay in &replays[2..4] {
            let has_no_name = matches!(reason(replay), NotRun::Entry(_, NotCallable::NoName));
            assert!(has_no_name, "{replay:?}");
        }
        let NotRun::Build(BuildFailure::Call { with, .. }) = reason(&replays[4]) else {
            panic!("{:?}", replays[4]);
        };
        assert_eq!(with, "dep 1.0.0");
        assert_eq!(shown(&replays[5]), "(0): returned 1 / returned 2");
    });
}
