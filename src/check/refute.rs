//! Native runs of what may differ: the only way to a difference.

use std::collections::BTreeMap;

use crate::boundary::JudgedEntry;
use crate::cfa::{Entry, EntryKind, EntryTarget};
use crate::change::Findings;
use crate::deadline::Deadline;
use crate::equiv::{self, Context, Inputs, Matched};
use crate::model::{
    Counterexample, Engine, EntryId, Parting, Proof, Unconfirmed, Undecided, Verdict,
};
use crate::witness::{self, Concrete, Domain, Exhausted, Harness, Invocation, Replay};

/// No more inputs than this are run through.
const FEW_INPUTS: u128 = 1 << 20;

/// What native runs say of the entry points of a target.
pub struct Refuting<'r, 'a> {
    harness: &'r Harness<'r>,
    context: &'r Context<'a>,
    findings: &'r Findings<'a>,
    /// The function that looks at addresses, if there is one, of entry points that were asked about:
    /// native runs tell nothing of them.
    addresses: BTreeMap<EntryId, Option<String>>,
}

impl<'r, 'a> Refuting<'r, 'a> {
    pub fn new(
        harness: &'r Harness<'r>,
        context: &'r Context<'a>,
        findings: &'r Findings<'a>,
    ) -> Refuting<'r, 'a> {
        Refuting { harness, context, findings, addresses: BTreeMap::new() }
    }

    /// Runs entry points that were not proved: on the inputs on which an interpreter saw them differ,
    /// and, where `runs_inputs` says so, on others. Returns the verdicts that change.
    pub fn refute(
        &mut self,
        not_proved: &[&JudgedEntry],
        runs_inputs: bool,
        deadline: Deadline,
    ) -> BTreeMap<EntryId, Verdict> {
        self.prepare(not_proved, runs_inputs);
        let mut found = BTreeMap::new();
        for judged in not_proved {
            if let Some(inputs) = &judged.suspicion {
                found.insert(judged.entry, self.confirm(judged.entry, inputs));
            }
        }
        for judged in not_proved.iter().filter(|_| runs_inputs) {
            if found.get(&judged.entry).is_some_and(Verdict::is_different) {
                continue;
            }
            if deadline.is_over() {
                break;
            }
            if let Some(verdict) = self.run_inputs(judged) {
                found.insert(judged.entry, verdict);
            }
        }
        found
    }

    /// Runs `main`, and shows what constants and statics are.
    pub fn run_what_takes_nothing(&mut self, open: &[EntryId]) -> BTreeMap<EntryId, Verdict> {
        let program = self.context.pair.new.program;
        let entry = |id: &EntryId| {
            let (_, new) = self.findings.entry(*id).both()?;
            takes_nothing(new).then_some((*id, new))
        };
        let mut entries: Vec<(EntryId, &Entry)> = open.iter().filter_map(entry).collect();
        entries.retain(|(id, _)| !self.looks_at_addresses(*id));
        if !entries.is_empty() {
            let entries: Vec<_> = entries.iter().map(|(_, entry)| *entry).collect();
            self.harness.prepare(program, &entries);
        }
        let mut found = BTreeMap::new();
        for (id, entry) in entries {
            let replay = self.harness.replay(&Invocation { program, entry, arguments: Vec::new() });
            if let Replay::Different(counterexample) = replay {
                found.insert(id, self.different(id, &[], counterexample));
            }
        }
        found
    }

    /// Why native runs tell nothing of those that are still open.
    pub fn inconclusive(&self, open: &[EntryId]) -> BTreeMap<EntryId, Verdict> {
        let known = open.iter().filter_map(|id| {
            let function = self.addresses.get(id)?.clone()?;
            Some((*id, Verdict::Unknown(Undecided::LooksAtAddress { function })))
        });
        known.collect()
    }

    /// One build for all that will be run; none where that is nothing.
    fn prepare(&mut self, not_proved: &[&JudgedEntry], runs_inputs: bool) {
        let mut requests: Vec<Invocation<'a>> = Vec::new();
        for judged in not_proved {
            let runs_inputs = runs_inputs && !self.looks_at_addresses(judged.entry);
            let first = judged.inputs.first().filter(|_| runs_inputs);
            let mut inputs = judged.suspicion.iter().chain(first);
            requests.extend(inputs.find_map(|it| self.request(judged.entry, it)));
        }
        let entries: Vec<_> = requests.iter().map(|it| it.entry).collect();
        self.harness.prepare(self.context.pair.new.program, &entries);
    }

    /// Runs natively what an interpreter saw differ.
    fn confirm(&mut self, id: EntryId, inputs: &Inputs) -> Verdict {
        let unconfirmed = |why| Verdict::Unknown(Undecided::SeemsDifferent(why));
        let Some(request) = self.request(id, inputs) else {
            return unconfirmed(Unconfirmed::NotWritable);
        };
        // What the interpreter saw rests on no address, but on this input alone.
        let request = match self.looks_at_addresses(id) {
            true => request,
            false => self.shrink(request),
        };
        match self.harness.replay(&request) {
            Replay::Different(found) => self.different(id, &request.arguments, found),
            Replay::Same => unconfirmed(Unconfirmed::RunsAgree),
            Replay::NotRun(reason) => unconfirmed(Unconfirmed::NotRun(reason)),
        }
    }

    /// Runs an entry point on chosen inputs, and on all inputs where these are few.
    fn run_inputs(&mut self, judged: &JudgedEntry) -> Option<Verdict> {
        let program = self.context.pair.new.program;
        let entry = self.findings.entry(judged.entry).new?;
        let made = judged.inputs.iter().map(|it| witness::arguments(program, entry, it));
        let inputs = made.collect::<Option<Vec<_>>>().filter(|it| !it.is_empty())?;
        if self.looks_at_addresses(judged.entry) {
            return None;
        }
        if let Some(arguments) = self.harness.first_difference(program, entry, &inputs) {
            let request = self.shrink(Invocation { program, entry, arguments });
            return match self.harness.replay(&request) {
                Replay::Different(found) => {
                    Some(self.different(judged.entry, &request.arguments, found))
                }
                Replay::Same | Replay::NotRun(_) => None,
            };
        }
        let domain = Domain::of(program, entry)
            .filter(|_| judged.is_pure && Domain::shows_all(program, entry))
            .filter(|domain| domain.len().is_some_and(|it| it <= FEW_INPUTS))?;
        match self.harness.run_all(program, entry, &domain) {
            Exhausted::AllSame(_) => Some(Verdict::Equivalent(Proof::by(Engine::Run))),
            Exhausted::Found(arguments, Replay::Different(found)) => {
                Some(self.different(judged.entry, &arguments, found))
            }
            Exhausted::Found(..) | Exhausted::NotRun(_) => None,
        }
    }

    /// Whether native runs tell nothing of an entry point.
    fn looks_at_addresses(&mut self, id: EntryId) -> bool {
        let function = self.addresses.entry(id).or_insert_with(|| {
            let (old, new) = self.findings.entry(id).both()?;
            witness::looks_at_addresses(self.context.pair, old, new)
        });
        function.is_some()
    }

    fn request(&self, id: EntryId, inputs: &Inputs) -> Option<Invocation<'a>> {
        let program = self.context.pair.new.program;
        let entry = self.findings.entry(id).new?;
        let arguments = witness::arguments(program, entry, inputs)?;
        Some(Invocation { program, entry, arguments })
    }

    fn shrink<'q>(&self, request: Invocation<'q>) -> Invocation<'q> {
        let arguments = self.harness.shrink(&request);
        Invocation { arguments, ..request }
    }

    fn different(&self, id: EntryId, arguments: &[Concrete], found: Counterexample) -> Verdict {
        let parting = self.parting(id, arguments).map(Box::new);
        Verdict::Different(Box::new(Counterexample { parting, ..found }))
    }

    /// Where the two runs of an entry point part, if an interpreter can follow them.
    fn parting(&self, id: EntryId, arguments: &[Concrete]) -> Option<Parting> {
        let (old, new) = self.findings.entry(id).both()?;
        let matched = Matched::of_entry(self.context.pair, old, new)?;
        let inputs = witness::inputs(self.context.pair.new.program, new, arguments)?;
        equiv::parting(self.context, matched, &inputs)
    }
}

/// Whether there is one way alone to run or see an entry point, and no engine for it.
fn takes_nothing(entry: &Entry) -> bool {
    match entry.target {
        EntryTarget::Function(_) => entry.kind == EntryKind::Main,
        EntryTarget::Static(_) | EntryTarget::Constant(_) => {
            matches!(entry.kind, EntryKind::Value | EntryKind::Reexport)
        }
    }
}
