//! Where two runs on the same inputs part.

use super::attempt::{Inputs, STACK};
use super::context::Context;
use super::matching::Matched;
use crate::cfa::{FnId, Origin, Program, Span};
use crate::change::step;
use crate::model::{Parting, PartingCall, SourceLocation};
use crate::sym::{Action, Activation, Called, Event};
use crate::version::{Both, Version};

/// Runs a function on inputs on which its two sides differ, and says where they part. None if an
/// interpreter cannot run it, or sees no difference.
pub fn parting(context: &Context<'_>, matched: Matched, inputs: &Inputs) -> Option<Parting> {
    let run = || {
        let runs = context.follow(matched, inputs)?;
        let is_same = |old: FnId, new: FnId| {
            let partner = context.matching.partner(Version::Old, Called::Function(old));
            partner.is_some_and(|it| it.new == Called::Function(new))
        };
        let programs = Both::from_fn(|version| context.pair[version].program);
        Some(PartingPath::new(&runs, &is_same, programs).parting())
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        // A failure only means that nothing is said.
        thread.ok()?.join().ok()?
    })
}

/// The same call on both sides.
type Twins<'r> = Both<&'r Activation>;

/// The calls that lead to where two runs part. Each is given the same on both sides, and does not do
/// the same.
struct PartingPath<'r> {
    twins: Vec<Twins<'r>>,
    is_same: &'r dyn Fn(FnId, FnId) -> bool,
    programs: Both<&'r Program>,
}

impl<'r> PartingPath<'r> {
    fn new(
        runs: &'r Both<Activation>,
        is_same: &'r dyn Fn(FnId, FnId) -> bool,
        programs: Both<&'r Program>,
    ) -> PartingPath<'r> {
        let mut way = PartingPath { twins: vec![runs.as_ref()], is_same, programs };
        while let Some(next) = way.next() {
            way.twins.push(next);
        }
        // The standard library is the same on both sides: what differs in it came from its caller.
        while way.twins.len() > 1 && way.origin(way.last()) == Origin::Std {
            way.twins.pop();
        }
        way
    }

    fn last(&self) -> Twins<'r> {
        self.twins[self.twins.len() - 1]
    }

    fn origin(&self, Both { new, .. }: Twins<'_>) -> Origin {
        let program = self.programs.new;
        program.origin(program.function(new.function).krate)
    }

    /// The first calls that are not the same, if they are to do the same.
    fn next(&self) -> Option<Twins<'r>> {
        let Both { old, new } = self.last().map(calls);
        let (old, new) = old.zip(new).find(|(old, new)| !self.is_alike(old, new))?;
        self.is_given_alike(old, new).then_some(Both::new(old, new))
    }

    fn is_given_alike(&self, old: &Activation, new: &Activation) -> bool {
        (self.is_same)(old.function, new.function) && old.given == new.given
    }

    fn is_alike(&self, old: &Activation, new: &Activation) -> bool {
        self.is_given_alike(old, new) && old.gave == new.gave
    }

    fn parting(&self) -> Parting {
        let places = self.places();
        let Both { old, new } = Both::from_fn(|version| {
            let program = self.programs[version];
            let function = &program.function(self.last()[version].function).name;
            step(program, function.clone(), places[version])
        });
        let of_client = |at: &usize| self.origin(self.twins[*at]) == Origin::Client;
        let called = (1..self.twins.len()).rev().find(|at| of_client(&(at - 1)));
        let program = self.programs.new;
        let place = |span: Span| SourceLocation {
            file: program.file(span).to_owned(),
            line: span.line,
            column: span.column,
        };
        let in_client = self.origin(self.last()) == Origin::Client;
        let (client, call) = match called {
            _ if in_client => (Some(place(places.new)), None),
            Some(at) => {
                let Both { old, new } = self.twins[at];
                let call = PartingCall {
                    function: program.function(new.function).name.clone(),
                    arguments: new.given.clone(),
                    old: old.gave.clone(),
                    new: new.gave.clone(),
                };
                (Some(place(new.at)), Some(call))
            }
            None => (None, None),
        };
        Parting { client, call, old, new }
    }

    /// Where the last calls part: at the first branch or call that is not the same; if all are, at
    /// the first number that is written and is not the same; else where they are defined. A side that
    /// has nothing to set against the other's has come to its end.
    fn places(&self) -> Both<Span> {
        let found = self.first_difference(&|event| !matches!(event.did, Action::Wrote(_)));
        let found = found.or_else(|| self.first_difference(&|_| true));
        Both::from_fn(|version| {
            let last = self.last()[version];
            let event = found.and_then(|it| it[version].or(last.events.last()));
            let definition = self.programs[version].function(last.function).span;
            event.map(|it| it.at).filter(|it| it.is_known()).unwrap_or(definition)
        })
    }

    /// The first events of the last calls that are not the same, of those that count.
    fn first_difference(&self, counts: &dyn Fn(&Event) -> bool) -> Option<Both<Option<&'r Event>>> {
        let Both { mut old, mut new } =
            self.last().map(|it| it.events.iter().filter(|event| counts(event)));
        loop {
            match [old.next(), new.next()] {
                [None, None] => return None,
                [Some(old), Some(new)] if self.is_same_event(old, new) => {}
                [old, new] => return Some(Both::new(old, new)),
            }
        }
    }

    fn is_same_event(&self, old: &Event, new: &Event) -> bool {
        match (&old.did, &new.did) {
            (Action::Branched(old), Action::Branched(new)) => old == new,
            (Action::Wrote(old), Action::Wrote(new)) => old == new,
            (Action::Called(old), Action::Called(new)) => self.is_alike(old, new),
            _ => false,
        }
    }
}

fn calls(activation: &Activation) -> impl Iterator<Item = &Activation> {
    activation.events.iter().filter_map(|event| match &event.did {
        Action::Called(call) => Some(&**call),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::samples::{U32, program, push};
    use crate::cfa::{Body, Crate, CrateId, FileId};

    const CLIENT: FnId = FnId(0);
    const DEP: FnId = FnId(1);
    const HELPER: FnId = FnId(2);
    const STD: FnId = FnId(3);

    /// A function of the client, two of a dependency and one of the standard library.
    fn sample() -> Program {
        let mut program = program();
        program.files = vec!["src/lib.rs".to_owned()];
        program.crates = [Origin::Client, Origin::Dependency, Origin::Std]
            .map(|origin| Crate {
                name: String::new(),
                package: None,
                origin,
                features: Vec::new(),
            })
            .into();
        for (name, krate) in [("client::f", 0), ("dep::g", 1), ("dep::h", 1), ("core::map", 2)] {
            let id = push(&mut program, name, 0, &[U32], Body::Panic);
            let function = &mut program.functions[id.index()];
            function.krate = CrateId(krate);
            function.span = line(100 * (id.0 + 1));
        }
        program
    }

    fn line(line: u32) -> Span {
        Span { file: FileId(0), line, column: 5, end_line: line, end_column: 9 }
    }

    /// A call in a line, with its argument and its outcome.
    fn call(at: u32, function: FnId, given: &str, gave: &str, events: Vec<Event>) -> Activation {
        let (given, gave) = (vec![given.to_owned()], gave.to_owned());
        Activation { function, at: line(at), given, gave, events }
    }

    fn called(call: Activation) -> Event {
        Event { at: call.at, did: Action::Called(Box::new(call)) }
    }

    fn went(at: u32, branch: u128) -> Event {
        Event { at: line(at), did: Action::Branched(Some(branch)) }
    }

    fn wrote(at: u32, number: u128) -> Event {
        Event { at: line(at), did: Action::Wrote(number) }
    }

    fn part([old, new]: [Activation; 2]) -> Parting {
        let (program, runs) = (sample(), Both::new(old, new));
        PartingPath::new(&runs, &|old, new| old == new, Both::new(&program, &program)).parting()
    }

    /// The place in the client, and the function and places where the runs part.
    fn places(parting: &Parting) -> (Option<u32>, &str, [u32; 2]) {
        let client = parting.client.as_ref().map(|it| it.line);
        (client, &parting.new.function, [parting.old.line, parting.new.line])
    }

    #[test]
    fn it_goes_down_into_the_first_call_that_is_given_the_same_and_gives_something_else() {
        let runs = ["1", "2"].map(|gave| {
            let helper = call(20, HELPER, "3", gave, vec![went(30, gave.len() as u128)]);
            let same = call(10, DEP, "0", "0", vec![went(21, 7)]);
            let dep = call(11, DEP, "3", gave, vec![called(helper)]);
            call(0, CLIENT, "3", gave, vec![called(same), called(dep)])
        });
        let parting = part(runs);
        assert_eq!(places(&parting), (Some(11), "dep::h", [300, 300]));
        let call = parting.call.unwrap();
        assert_eq!((&*call.function, &*call.arguments), ("dep::g", &["3".to_owned()][..]));
        assert_eq!((&*call.old, &*call.new), ("1", "2"));
    }

    #[test]
    fn it_stops_at_a_call_that_is_given_something_else() {
        let runs = [("3", 20), ("4", 25)].map(|(given, at)| {
            let helper = call(at, HELPER, given, given, vec![went(30, 0)]);
            let dep = call(11, DEP, "1", given, vec![called(helper)]);
            call(0, CLIENT, "1", given, vec![called(dep)])
        });
        assert_eq!(places(&part(runs)), (Some(11), "dep::g", [20, 25]));
    }

    #[test]
    fn a_branch_that_is_not_the_same_is_named_before_a_number_that_is_written() {
        let run = |gave: &str, events| {
            let dep = call(11, DEP, "1", gave, events);
            call(0, CLIENT, "1", gave, vec![called(dep)])
        };
        let both = [
            run("1", vec![wrote(20, 1), went(21, 0)]),
            run("2", vec![wrote(30, 2), wrote(31, 5), went(32, 1)]),
        ];
        assert_eq!(places(&part(both)), (Some(11), "dep::g", [21, 32]));
        let only_written = [
            run("1", vec![wrote(20, 1), went(21, 0), wrote(22, 1)]),
            run("2", vec![wrote(20, 1), went(21, 0), wrote(22, 2)]),
        ];
        assert_eq!(places(&part(only_written)), (Some(11), "dep::g", [22, 22]));
    }

    #[test]
    fn a_side_that_does_less_parts_from_the_other_where_it_ends() {
        let run = |events| call(0, DEP, "1", "1", events);
        let shorter = [run(vec![wrote(20, 1), went(21, 0)]), run(vec![wrote(30, 1)])];
        assert_eq!(places(&part(shorter)), (None, "dep::g", [21, 30]));
        let empty = [run(vec![went(21, 0)]), run(vec![])];
        assert_eq!(places(&part(empty)), (None, "dep::g", [21, 200]));
    }

    #[test]
    fn code_of_the_standard_library_is_not_where_runs_part() {
        let runs = [DEP, HELPER].map(|callee| {
            let gave = if callee == DEP { "1" } else { "2" };
            let inner = call(40, callee, "1", gave, vec![]);
            let std = call(11, STD, "1", gave, vec![called(inner)]);
            call(0, CLIENT, "1", gave, vec![called(std)])
        });
        let parting = part(runs);
        assert_eq!(places(&parting), (Some(11), "client::f", [11, 11]));
        assert_eq!(parting.call, None);
    }

    #[test]
    fn a_closure_of_the_client_that_a_dependency_calls_is_the_last_place_in_the_client() {
        let runs = ["1", "2"].map(|gave| {
            let helper = call(15, HELPER, "1", gave, vec![]);
            let closure = call(20, CLIENT, "1", gave, vec![called(helper)]);
            let dep = call(11, DEP, "1", gave, vec![called(closure)]);
            call(0, CLIENT, "1", gave, vec![called(dep)])
        });
        assert_eq!(places(&part(runs)), (Some(15), "dep::h", [300, 300]));
    }

    #[test]
    fn an_entry_point_of_a_dependency_has_no_place_in_the_client() {
        let runs = ["1", "2"].map(|gave| call(0, DEP, "1", gave, vec![]));
        assert_eq!(places(&part(runs)), (None, "dep::g", [200, 200]));
    }
}
