//! The JSON document of what was checked: the one place where the pipeline's types become a report.

use super::schema::{
    Boundary, BoundaryKind, CallSite, ChangeKind, Changed, Client, Counterexample, Counts, Engine,
    Entry, Failure, Item, Moved, Parting, PartingCall, Place, ReplayedTest, Replays, Report,
    SCHEMA, SourceLines, Step, Times, Tool, Undecided, Upgrade, Verdict, WhyItCounts,
};
use super::sentences;
use crate::error::Error;
use crate::model::{
    self, Checked, CheckedCallSite, CheckedEntry, CheckedTarget, CheckedUpgrade, ClientTarget,
    Containment, Decision, OpenBoundary, UpgradeOutcome, WhyOpen,
};
use crate::upgrade;
use crate::witness;

/// How many paths to changed code are listed for an entry point, unless all are asked for.
const SHOWN_REACHES: usize = 3;
/// How many changed items are listed, unless all are asked for.
const SHOWN_CHANGES: usize = 100;

/// How much of long lists a report has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What people read, and programs that post it.
    Usual,
    All,
}

impl Detail {
    /// How many items of a list to take, of which `usual` are enough.
    fn most(self, usual: usize) -> usize {
        match self {
            Detail::Usual => usual,
            Detail::All => usize::MAX,
        }
    }
}

pub fn report(checked: &Checked<'_>, detail: Detail) -> Report {
    let upgrades = checked.upgrades.iter();
    Report {
        schema: SCHEMA,
        tool: Tool {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            toolchain: checked.tool.toolchain.clone(),
            z3: checked.tool.z3.clone(),
        },
        client: client(checked),
        upgrades: upgrades
            .map(|(planned, it)| upgrade(checked.client, planned, it, detail))
            .collect(),
    }
}

/// Kept tests that were run again.
pub fn replays(tests: &[witness::ReplayedTest]) -> Replays {
    let test = |it: &witness::ReplayedTest| {
        let outcomes = it.replayed.as_ref().ok();
        ReplayedTest {
            test: it.name.clone(),
            call: it.kept.call.clone(),
            dependency: it.kept.dependency.clone(),
            from: it.kept.from.clone(),
            to: it.kept.to.clone(),
            old: outcomes.map(|it| it.old.to_string()),
            new: outcomes.map(|it| it.new.to_string()),
            differs: it.differs(),
            reason: it.reason().map(ToString::to_string),
            reason_code: it.reason().map(|it| it.code().to_owned()),
        }
    };
    Replays { schema: SCHEMA, tests: tests.iter().map(test).collect() }
}

fn client(checked: &Checked<'_>) -> Client {
    let packages = &checked.client.packages;
    let join = |part: fn(&upgrade::ClientPackage) -> &String| {
        packages.iter().map(|it| part(it).as_str()).collect::<Vec<_>>().join(", ")
    };
    Client {
        name: join(|package| &package.name),
        version: join(|package| &package.version),
        manifest_path: checked.client.manifest_path.to_string_lossy().into_owned(),
        profile: checked.profile.clone(),
        workspace_root: checked.client.workspace_root.to_string_lossy().into_owned(),
    }
}

fn upgrade(
    client: &upgrade::Client,
    planned: &upgrade::Upgrade,
    checked: &CheckedUpgrade,
    detail: Detail,
) -> Upgrade {
    let error = match &checked.outcome {
        UpgradeOutcome::Judged(_) => None,
        UpgradeOutcome::NotPlanned => planned.error.as_ref(),
        UpgradeOutcome::Failed(error) => Some(error),
    };
    let label = |target: &ClientTarget| label(target, client.packages.len() > 1);
    let mut upgrade = Upgrade {
        dependency: planned.dependency.clone(),
        from: planned.from.clone(),
        to: planned.to.clone(),
        verdict: match &checked.outcome {
            UpgradeOutcome::Judged(conclusion) => Some(verdict(conclusion.decision())),
            UpgradeOutcome::NotPlanned | UpgradeOutcome::Failed(_) => None,
        },
        reason: match (&checked.outcome, error) {
            (UpgradeOutcome::Judged(conclusion), _) => {
                sentences::conclusion(conclusion, &client.packages, &label)
            }
            (_, error) => error.map(Error::to_string).unwrap_or_default(),
        },
        reason_code: match &checked.outcome {
            UpgradeOutcome::Judged(conclusion) => Some(conclusion.code().to_owned()),
            UpgradeOutcome::NotPlanned | UpgradeOutcome::Failed(_) => None,
        },
        lockable: planned.is_lockable(client),
        error: error.map(failure),
        repository: client.repository_of(&planned.dependency).map(str::to_owned),
        moved: planned.moved.iter().map(moved).collect(),
        functions: Counts {
            reachable: checked.functions.reachable,
            identical: checked.functions.identical,
            changed: checked.functions.changed,
        },
        changed: Vec::new(),
        more_changed: 0,
        entries: Vec::new(),
        call_sites: Vec::new(),
        time_ms: Times {
            extract: checked.times.extract,
            compare: checked.times.compare,
            prove: checked.times.prove,
            run: checked.times.run,
            total: checked.times.total,
        },
    };
    for target in &checked.targets {
        add_target(&mut upgrade, target, &label(&target.target), detail);
    }
    let most = detail.most(SHOWN_CHANGES);
    upgrade.more_changed = upgrade.changed.len().saturating_sub(most);
    if upgrade.more_changed > 0 {
        // What was rewritten is kept before what is only reached, or no longer.
        upgrade.changed.sort_by_key(|it| (it.counts_code.is_some(), it.kind));
        upgrade.changed.truncate(most);
        upgrade.changed.sort_by_key(|it| (it.counts_code.is_some(), it.package.clone()));
    }
    upgrade
}

/// A library and a binary of one package share code, which is listed once.
fn add_target(upgrade: &mut Upgrade, target: &CheckedTarget, label: &str, detail: Detail) {
    upgrade.entries.extend(target.entries.iter().map(|it| entry(it, label, detail)));
    for site in target.call_sites.iter().map(call_site) {
        let known = upgrade.call_sites.iter().any(|it| {
            (&it.file, it.line, it.column, &it.callee)
                == (&site.file, site.line, site.column, &site.callee)
        });
        if !known {
            upgrade.call_sites.push(site);
        }
    }
    for changed in target.changed.iter().map(changed) {
        if !upgrade.changed.contains(&changed) {
            upgrade.changed.push(changed);
        }
    }
}

/// `lib` or `bin NAME`, after the package's name where there are several.
fn label(target: &ClientTarget, several: bool) -> String {
    let kind = match &target.kind {
        model::TargetKind::Library => "lib".to_owned(),
        model::TargetKind::Binary(name) => format!("bin {name}"),
    };
    if several { format!("{} {kind}", target.package) } else { kind }
}

fn entry(checked: &CheckedEntry, label: &str, detail: Detail) -> Entry {
    let most = detail.most(SHOWN_REACHES);
    let reaches = checked.reaches.iter().take(most);
    let mut entry = Entry {
        function: checked.name.clone(),
        target: label.to_owned(),
        verdict: verdict(checked.verdict.decision()),
        engine: None,
        partial: false,
        exercised: None,
        reason: sentences::verdict(&checked.verdict, checked.is_generic),
        reason_code: None,
        blocked: false,
        run_code: None,
        time_ms: checked.time,
        counterexample: None,
        generic: checked.is_generic,
        reaches: reaches.map(|way| way.iter().map(step).collect()).collect(),
        more_reaches: checked.reaches.len().saturating_sub(most),
    };
    match &checked.verdict {
        model::Verdict::Equivalent(proof) => {
            entry.engine = Some(engine(proof.engine));
            entry.partial = proof.is_partial;
            entry.exercised = proof.exercised;
        }
        model::Verdict::Different(found) => entry.counterexample = Some(counterexample(found)),
        model::Verdict::Unknown(undecided) => {
            entry.reason_code = Some(undecided.code().to_owned());
            entry.blocked = undecided.is_blocked();
            if let model::Undecided::SeemsDifferent(why) = undecided {
                entry.run_code = Some(why.code().to_owned());
            }
        }
    }
    entry
}

fn call_site(checked: &CheckedCallSite) -> CallSite {
    let model::Extent { file, line, column, end_line, end_column } = &checked.extent;
    let mut site = CallSite {
        caller: checked.caller.clone(),
        callee: checked.callee.clone(),
        file: file.clone(),
        line: *line,
        column: *column,
        end_line: *end_line,
        end_column: *end_column,
        verdict: Verdict::Unknown,
        local_difference: None,
        boundary: None,
        engine: None,
        undecided: None,
        path: checked.path.iter().map(step).collect(),
    };
    match &checked.containment {
        Containment::Contained { boundary: contained, engine: by } => {
            site.verdict = Verdict::Equivalent;
            site.boundary = Some(boundary(contained));
            site.engine = Some(engine(*by));
        }
        Containment::Escapes => site.verdict = Verdict::Different,
        Containment::Open(open) => site.undecided = open.as_ref().map(undecided),
    }
    site
}

fn undecided(open: &OpenBoundary) -> Undecided {
    let place = match &open.why {
        WhyOpen::NotProved(incomplete) => incomplete.place.as_ref().map(step),
        WhyOpen::Generic | WhyOpen::Entry(_) => None,
    };
    Undecided {
        boundary: boundary(&open.boundary),
        reason: sentences::open(&open.why),
        reason_code: Some(open.why.code().to_owned()),
        place,
    }
}

fn boundary(boundary: &model::Boundary) -> Boundary {
    Boundary {
        kind: match boundary.kind {
            model::BoundaryKind::Call => BoundaryKind::Call,
            model::BoundaryKind::Loop => BoundaryKind::Loop,
            model::BoundaryKind::Part => BoundaryKind::Part,
            model::BoundaryKind::Function => BoundaryKind::Function,
            model::BoundaryKind::Caller => BoundaryKind::Caller,
        },
        function: boundary.function.clone(),
        first_line: boundary.first_line,
        last_line: boundary.last_line,
    }
}

fn changed(changed: &model::ChangedItem) -> Changed {
    let owner = changed.owner.as_ref();
    let source = changed.source.as_ref();
    let counts = owner.and_then(|it| it.counts.as_ref());
    Changed {
        function: changed.name.clone(),
        kind: match changed.kind {
            model::ChangeKind::Changed => ChangeKind::Changed,
            model::ChangeKind::Added => ChangeKind::Added,
            model::ChangeKind::Removed => ChangeKind::Removed,
        },
        item: match changed.item {
            model::ItemKind::Function => Item::Function,
            model::ItemKind::Type => Item::Type,
            model::ItemKind::Static => Item::Static,
            model::ItemKind::Constant => Item::Constant,
        },
        file: changed.file.clone(),
        line: changed.line,
        what: sentences::what_changed(changed),
        old_source: source.map(|it| source_lines(&it.old)),
        new_source: source.map(|it| source_lines(&it.new)),
        package: owner.map(|it| it.package.clone()).unwrap_or_default(),
        version: owner.map(|it| it.version.clone()).unwrap_or_default(),
        counts_code: counts.map(|it| match it {
            model::WhyItCounts::Instance(_) => WhyItCounts::Instance,
            model::WhyItCounts::Features => WhyItCounts::Features,
            model::WhyItCounts::Generated => WhyItCounts::Generated,
        }),
        counts: counts.map(sentences::why_it_counts).unwrap_or_default(),
    }
}

fn source_lines(lines: &model::SourceLines) -> SourceLines {
    let model::SourceLines { file, first, last } = lines;
    SourceLines { file: file.clone(), first_line: *first, last_line: *last }
}

fn counterexample(found: &model::Counterexample) -> Counterexample {
    let parting = |parting: &model::Parting| {
        Box::new(Parting {
            client: parting.client.as_ref().map(|it| Place {
                file: it.file.clone(),
                line: it.line,
                column: it.column,
            }),
            call: parting.call.as_ref().map(|it| PartingCall {
                function: it.function.clone(),
                arguments: it.arguments.clone(),
                old: it.old.clone(),
                new: it.new.clone(),
            }),
            old: step(&parting.old),
            new: step(&parting.new),
        })
    };
    Counterexample {
        arguments: found.arguments.clone(),
        old: found.old.clone(),
        new: found.new.clone(),
        replayed: true,
        test: found.test.clone(),
        parts: found.parting.as_deref().map(parting),
    }
}

fn step(step: &model::PathStep) -> Step {
    Step { function: step.function.clone(), file: step.file.clone(), line: step.line }
}

fn moved(moved: &upgrade::Moved) -> Moved {
    Moved { name: moved.name.clone(), from: moved.from.clone(), to: moved.to.clone() }
}

fn failure(error: &Error) -> Failure {
    Failure { message: error.to_string(), detail: error.detail().to_owned(), help: error.help() }
}

fn verdict(decision: Decision) -> Verdict {
    match decision {
        Decision::Equivalent => Verdict::Equivalent,
        Decision::Different => Verdict::Different,
        Decision::Unknown => Verdict::Unknown,
    }
}

fn engine(engine: model::Engine) -> Engine {
    match engine {
        model::Engine::Same => Engine::Same,
        model::Engine::Run => Engine::Run,
        model::Engine::Summary => Engine::Summary,
        model::Engine::Unroll => Engine::Unroll,
        model::Engine::Product => Engine::Product,
    }
}
