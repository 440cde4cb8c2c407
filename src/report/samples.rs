//! Hand-made reports for the tests of this stage.

use super::schema::*;

pub fn report(upgrades: Vec<Upgrade>) -> Report {
    Report {
        schema: SCHEMA,
        tool: Tool {
            version: "0.1.0".into(),
            toolchain: "nightly-2026-10-30".into(),
            z3: "5.4.0".into(),
        },
        client: Client {
            name: "demo".into(),
            version: "0.1.0".into(),
            manifest_path: "Cargo.toml".into(),
            profile: "dev".into(),
            workspace_root: "no-such-folder".into(),
        },
        upgrades,
    }
}

pub fn equivalent_upgrade() -> Upgrade {
    Upgrade {
        dependency: "heck".into(),
        from: "0.4.0".into(),
        to: "0.4.1".into(),
        verdict: Some(Verdict::Equivalent),
        reason: "nothing that changed is reachable from the entry points of demo".into(),
        reason_code: None,
        lockable: true,
        error: None,
        moved: Vec::new(),
        functions: Counts { reachable: 412, identical: 412, changed: 0 },
        changed: Vec::new(),
        more_changed: 0,
        repository: None,
        entries: vec![entry("demo::title", Verdict::Equivalent, &[])],
        call_sites: Vec::new(),
        time_ms: Times { extract: 900, compare: 4, prove: 0, run: 0, total: 950 },
    }
}

pub fn unknown_upgrade() -> Upgrade {
    let decode = "hex::decode::<&str>";
    Upgrade {
        dependency: "hex".into(),
        from: "0.4.2".into(),
        to: "0.4.3".into(),
        verdict: Some(Verdict::Unknown),
        reason: "2 of 3 entry points reach changed code".into(),
        functions: Counts { reachable: 412, identical: 397, changed: 2 },
        moved: vec![
            moved("serde", Some("1.0.200"), Some("1.0.203")),
            moved("faster-hex", None, Some("0.9.0")),
            moved("lazy_static", Some("1.4.0"), None),
        ],
        changed: vec![
            changed("hex::val", ChangeKind::Changed, 112, "its body"),
            changed("hex::encode_to_iter", ChangeKind::Added, 80, ""),
        ],
        entries: vec![
            entry("demo::parse", Verdict::Unknown, &["demo::parse", decode, "hex::val"]),
            entry("demo::print", Verdict::Unknown, &["demo::print", "hex::encode_to_iter"]),
            entry("demo::version", Verdict::Equivalent, &[]),
        ],
        call_sites: vec![
            call_site("demo::parse", &[decode, "hex::val"], (4, 13), (4, 27)),
            call_site("demo::print", &["hex::encode_to_iter"], (9, 5), (9, 32)),
        ],
        ..equivalent_upgrade()
    }
}

pub fn unknown() -> Report {
    report(vec![unknown_upgrade()])
}

pub fn failed_upgrade() -> Upgrade {
    Upgrade {
        dependency: "semver".into(),
        from: "1.0.0".into(),
        to: "2.0.0".into(),
        verdict: None,
        reason: "it could not be checked".into(),
        reason_code: None,
        lockable: true,
        error: Some(Failure {
            message: "demo does not compile with semver 2.0.0".into(),
            detail: "error[E0425]: cannot find function `parse`\n --> src/lib.rs:3:5\n".into(),
            help: "the API changed: adapt demo to semver 2.0.0, then check again".into(),
        }),
        functions: Counts::default(),
        entries: Vec::new(),
        ..equivalent_upgrade()
    }
}

pub fn moved(name: &str, from: Option<&str>, to: Option<&str>) -> Moved {
    Moved { name: name.into(), from: from.map(Into::into), to: to.map(Into::into) }
}

pub fn changed(function: &str, kind: ChangeKind, line: u32, what: &str) -> Changed {
    Changed {
        function: function.into(),
        kind,
        item: Item::Function,
        file: "/home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs".into(),
        line,
        what: what.into(),
        package: "hex".into(),
        version: "0.4.3".into(),
        old_source: None,
        new_source: None,
        counts_code: None,
        counts: String::new(),
    }
}

pub fn entry(function: &str, verdict: Verdict, path: &[&str]) -> Entry {
    Entry {
        function: function.into(),
        target: "lib".into(),
        verdict,
        engine: (verdict == Verdict::Equivalent).then_some(Engine::Same),
        reason: match verdict {
            Verdict::Equivalent => "everything that it can reach is identical".into(),
            _ => "it reaches changed code".into(),
        },
        time_ms: 0,
        counterexample: None,
        partial: false,
        exercised: None,
        reason_code: None,
        blocked: false,
        run_code: None,
        generic: false,
        reaches: if path.is_empty() { Vec::new() } else { vec![steps(path)] },
        more_reaches: 0,
    }
}

pub fn call_site(caller: &str, path: &[&str], start: (u32, u32), end: (u32, u32)) -> CallSite {
    CallSite {
        caller: caller.into(),
        callee: path[0].into(),
        file: "src/lib.rs".into(),
        line: start.0,
        column: start.1,
        end_line: end.0,
        end_column: end.1,
        verdict: Verdict::Unknown,
        local_difference: None,
        boundary: None,
        engine: None,
        undecided: None,
        path: steps(path),
    }
}

fn steps(path: &[&str]) -> Vec<Step> {
    path.iter()
        .enumerate()
        .map(|(index, function)| Step {
            function: (*function).into(),
            file: if function.starts_with("demo") {
                "src/lib.rs".into()
            } else {
                "/home/u/.cargo/registry/src/index-0/hex-0.4.3/src/lib.rs".into()
            },
            line: 112 - 10 * (path.len() - 1 - index) as u32,
        })
        .collect()
}
