//! The encoder against execution: what the symbolic executor says that a function does on some
//! inputs is what the compiled function does.
//!
//! One crate is generated, with functions over all operations and types that are meant to be
//! supported, and each is run natively on many inputs. Each outcome is compared with that of a
//! symbolic run on the same constants; with that of one run on variables, whose values are put into
//! the resulting terms; and, for some, with what the solver finds out from these terms. Where the
//! executor ends a path with a reason, there is nothing to compare: that is counted by reason.
//!
//! A part of the functions is tried; with `ENCODER=all` all are, on more inputs. `ENCODER_SEED`
//! makes other ones.

#[path = "encoder/generate.rs"]
mod generate;
#[path = "encoder/inputs.rs"]
mod inputs;
#[path = "encoder/native.rs"]
mod native;
#[path = "encoder/random.rs"]
mod random;
#[path = "encoder/solve.rs"]
mod solve;
#[path = "encoder/symbolic.rs"]
mod symbolic;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use cargo_cse::cfa::{EntryTarget, FnId, Program, loops};
use cargo_cse::random::Random;
use generate::Function;
use inputs::{Interface, canonical, choose, constants, is_nan};
use native::{Generated, Outcome};
use solve::Asked;
use symbolic::{Failure, Machine};

/// How much is tried.
struct Amount {
    /// Of the listed functions, one in so many is tried.
    step: usize,
    random_functions: usize,
    inputs: usize,
    /// How many functions are put to the solver, on one input each.
    solved: usize,
}

const SOME: Amount = Amount { step: 5, random_functions: 300, inputs: 30, solved: 40 };
const ALL: Amount = Amount { step: 1, random_functions: 700, inputs: 120, solved: 600 };
/// How many functions are run at once.
const WORKERS: usize = 2;
const SEED: u64 = 2024;

#[derive(Default)]
struct Counts {
    /// Comparisons on constants, on variables, and by the solver.
    on_constants: usize,
    on_variables: usize,
    by_solver: usize,
    unanswered: usize,
    panics: usize,
    /// Why functions could not be followed on some inputs, with the functions.
    halted_on_constants: BTreeMap<String, Vec<String>>,
    halted_on_variables: BTreeMap<String, Vec<String>>,
    /// Functions of which no input could be followed.
    never_on_constants: usize,
    never_on_variables: usize,
    wrong: Vec<String>,
}

#[test]
fn the_symbolic_outcome_of_a_function_is_the_native_one() {
    let all = std::env::var("ENCODER").is_ok_and(|value| value == "all");
    let amount = if all { ALL } else { SOME };
    let seed = std::env::var("ENCODER_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(SEED);
    let functions: Vec<Function> = generate::functions(seed, amount.random_functions)
        .into_iter()
        .step_by(amount.step)
        .collect();
    let generated = Generated::new(&generate::sources(&functions));
    let mut program = generated.program();
    loops::add_exit_type(&mut program);
    let ids: Vec<FnId> = functions.iter().map(|it| find(&program, &it.name)).collect();
    let tried: Vec<Tried> = functions
        .iter()
        .zip(&ids)
        .enumerate()
        .map(|(number, (function, id))| {
            Tried::new(&program, function, *id, seed ^ number as u64, &amount)
        })
        .collect();
    let calls: Vec<(usize, Vec<u128>)> = tried
        .iter()
        .enumerate()
        .flat_map(|(number, it)| it.inputs.iter().map(move |inputs| (number, inputs.clone())))
        .collect();
    let outcomes = native::run(&generated.build(), &calls);
    let outcomes: Vec<&[Outcome]> = outcomes.chunks(amount.inputs).collect();

    let counts = Mutex::new(Counts::default());
    let next = AtomicUsize::new(0);
    let solve_step = (functions.len() / amount.solved).max(1);
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                let machine = Machine::new(&program);
                let mut asked = Asked::start();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(tried) = tried.get(number) else { break };
                    let solver = number.is_multiple_of(solve_step).then_some(&mut asked);
                    tried.compare(&machine, outcomes[number], solver, &counts);
                }
            });
        }
    });
    let counts = counts.into_inner().unwrap();
    eprintln!("{}", counts.summary(functions.len()));
    assert!(counts.wrong.is_empty(), "{}", counts.wrong.join("\n\n"));
    assert!(counts.halted_functions() * 5 < functions.len(), "most functions can be followed");
}

fn find(program: &Program, name: &str) -> FnId {
    let name = format!("generated::{name}");
    let entry = program.entries.iter().find(|entry| entry.name == name);
    match entry.unwrap_or_else(|| panic!("{name} is an entry point")).target {
        EntryTarget::Function(id) => id,
        ref other => panic!("{name} is a function, not {other:?}"),
    }
}

/// A function and the inputs that it is tried on.
struct Tried<'f> {
    function: &'f Function,
    id: FnId,
    interface: Interface,
    inputs: Vec<Vec<u128>>,
}

impl<'f> Tried<'f> {
    fn new(
        program: &Program,
        function: &'f Function,
        id: FnId,
        seed: u64,
        amount: &Amount,
    ) -> Tried<'f> {
        let interface = Interface::new(program, id);
        let mut random = Random::new(seed);
        let constants = constants(&function.source);
        let inputs = (0..amount.inputs)
            .map(|_| {
                let leaves = interface.inputs.iter();
                leaves.map(|leaf| choose(*leaf, &mut random, &constants)).collect()
            })
            .collect();
        Tried { function, id, interface, inputs }
    }

    fn compare(
        &self,
        machine: &Machine,
        outcomes: &[Outcome],
        solver: Option<&mut Asked>,
        counts: &Mutex<Counts>,
    ) {
        let panics = outcomes.iter().filter(|it| !it.returned).count();
        let mut own = Counts { panics, ..Counts::default() };
        let mut followed = 0;
        for (inputs, native) in self.inputs.iter().zip(outcomes) {
            match machine.run_on(self.id, inputs) {
                Ok(symbolic) => {
                    followed += 1;
                    self.expect(inputs, native, &symbolic, "on constants", &mut own);
                }
                Err(Failure::Halted(reason)) => {
                    note(&mut own.halted_on_constants, reason, &self.function.name)
                }
                Err(Failure::Wrong(what)) => {
                    self.wrong(inputs, native, &what, "on constants", &mut own)
                }
            }
        }
        own.on_constants = followed;
        own.never_on_constants = usize::from(followed == 0);
        let mut followed = 0;
        match machine.encode(self.id) {
            Err(Failure::Halted(reason)) => {
                note(&mut own.halted_on_variables, reason, &self.function.name);
            }
            Err(Failure::Wrong(what)) => {
                self.wrong(&self.inputs[0], &outcomes[0], &what, "on variables", &mut own);
            }
            Ok(mut encoded) => {
                let mut last = None;
                for (inputs, native) in self.inputs.iter().zip(outcomes) {
                    match encoded.outcome(inputs) {
                        Ok(symbolic) => {
                            followed += 1;
                            last = Some((inputs, native));
                            self.expect(inputs, native, &symbolic, "on variables", &mut own);
                        }
                        Err(Failure::Halted(reason)) => {
                            note(&mut own.halted_on_variables, reason, &self.function.name);
                        }
                        Err(Failure::Wrong(what)) => {
                            self.wrong(inputs, native, &what, "on variables", &mut own);
                        }
                    }
                }
                if let (Some(asked), Some((inputs, native))) = (solver, last) {
                    let leaves = self.interface.outputs(native.returned);
                    let asserted = encoded.contradiction(inputs, native, |number| {
                        !is_nan(leaves[number], native.leaves[number])
                    });
                    for (encoding, reply) in asked.all(&encoded.terms, &asserted) {
                        match reply {
                            solve::Found::Nothing => own.by_solver += 1,
                            solve::Found::NoAnswer => own.unanswered += 1,
                            solve::Found::Model => {
                                self.wrong(
                                    inputs,
                                    native,
                                    "another outcome is possible",
                                    encoding,
                                    &mut own,
                                );
                            }
                        }
                    }
                }
            }
        }
        own.on_variables = followed;
        own.never_on_variables = usize::from(followed == 0);
        counts.lock().unwrap().add(own);
    }

    fn expect(
        &self,
        inputs: &[u128],
        native: &Outcome,
        symbolic: &Outcome,
        how: &str,
        counts: &mut Counts,
    ) {
        let leaves = self.interface.outputs(symbolic.returned);
        let canonical =
            leaves.iter().zip(&symbolic.leaves).map(|(leaf, value)| canonical(*leaf, *value));
        let canonical = Outcome { returned: symbolic.returned, leaves: canonical.collect() };
        if canonical != *native || leaves.len() != symbolic.leaves.len() {
            self.wrong(inputs, native, &format!("{symbolic:?}"), how, counts);
        }
    }

    /// Notes the first difference of a function.
    fn wrong(
        &self,
        inputs: &[u128],
        native: &Outcome,
        symbolic: &str,
        how: &str,
        counts: &mut Counts,
    ) {
        if counts.wrong.iter().any(|it| it.starts_with(how)) {
            return;
        }
        counts.wrong.push(format!(
            "{how}:\n{}\ninputs:   {inputs:?}\nnative:   {native:?}\nsymbolic: {symbolic}",
            self.function.source
        ));
    }
}

fn note(into: &mut BTreeMap<String, Vec<String>>, reason: String, function: &str) {
    let functions = into.entry(reason).or_default();
    if functions.last().is_none_or(|it| it != function) {
        functions.push(function.to_owned());
    }
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.on_constants += other.on_constants;
        self.on_variables += other.on_variables;
        self.by_solver += other.by_solver;
        self.unanswered += other.unanswered;
        self.panics += other.panics;
        self.never_on_constants += other.never_on_constants;
        self.never_on_variables += other.never_on_variables;
        self.wrong.extend(other.wrong);
        for (into, from) in [
            (&mut self.halted_on_constants, other.halted_on_constants),
            (&mut self.halted_on_variables, other.halted_on_variables),
        ] {
            for (reason, functions) in from {
                into.entry(reason).or_default().extend(functions);
            }
        }
    }

    /// How many functions could not be followed on all constants.
    fn halted_functions(&self) -> usize {
        let all: std::collections::BTreeSet<&String> =
            self.halted_on_constants.values().flatten().collect();
        all.len()
    }

    fn summary(&self, functions: usize) -> String {
        let mut text = format!(
            "{functions} functions: {} comparisons on constants, {} on variables, {} by the solver \
             ({} unanswered); {} native panics; {} differences\n",
            self.on_constants,
            self.on_variables,
            self.by_solver,
            self.unanswered,
            self.panics,
            self.wrong.len()
        );
        for (how, never, halted) in [
            ("constants", self.never_on_constants, &self.halted_on_constants),
            ("variables", self.never_on_variables, &self.halted_on_variables),
        ] {
            let all: std::collections::BTreeSet<&String> = halted.values().flatten().collect();
            let _ = writeln!(
                text,
                "on {how} {} functions were not followed on some inputs, {never} of them on none:",
                all.len()
            );
            let mut reasons: Vec<_> = halted.iter().collect();
            reasons.sort_by_key(|(_, functions)| std::cmp::Reverse(functions.len()));
            for (reason, functions) in reasons {
                let some: Vec<&str> = functions.iter().take(4).map(String::as_str).collect();
                let _ = writeln!(text, "{:6}  {reason} ({})", functions.len(), some.join(", "));
            }
        }
        text
    }
}
