//! Which code of the old side belongs to which of the new side.

use std::collections::{HashMap, HashSet};

use crate::cfa::{
    Body, Callee, Const, Entry, EntryTarget, FnId, IntrinsicEffect, Op, Operand, Pointee, Program,
    Rvalue,
};
use crate::change::{Change, Class, Item, Pair};
use crate::memo::Memo;
use crate::sym::{Called, Code, Ready};
use crate::version::{Both, Version};

/// Code of both versions that is held to do the same.
pub type Matched = Both<Called>;

impl Matched {
    /// The functions behind an entry point that both sides have, with values of the same types.
    pub fn of_entry(pair: &Pair<'_>, old: &Entry, new: &Entry) -> Option<Matched> {
        if pair.has_other_types(old, new) {
            return None;
        }
        match (old.target, new.target) {
            (EntryTarget::Function(old), EntryTarget::Function(new)) => {
                Some(Both::new(Called::Function(old), Called::Function(new)))
            }
            _ => None,
        }
    }
}

/// Two programs, with what is known of how their functions belong together.
pub struct Matching<'a> {
    pub pair: &'a Pair<'a>,
    pub codes: Both<Code<'a>>,
    by_class: Both<HashMap<Class, FnId>>,
    by_name: Both<HashMap<&'a str, FnId>>,
    cost: Both<Memo<FnId, Option<usize>>>,
    reach: Both<Memo<FnId, Reach>>,
    changed: Both<Memo<FnId, bool>>,
}

/// Functions without loops and recursion that are not longer than this, with all that they call,
/// are always entered.
const CHEAP: usize = 300;

impl<'a> Matching<'a> {
    pub fn new(pair: &'a Pair<'a>) -> Matching<'a> {
        let ids = |version: Version| (0..pair[version].program.functions.len() as u32).map(FnId);
        let by_class = Both::from_fn(|version| {
            let class = |id| pair[version].class(Item::Function(id));
            ids(version).rev().map(|id| (class(id), id)).collect()
        });
        let by_name = Both::from_fn(|version| {
            let functions = pair[version].program.functions.iter().enumerate().rev();
            functions.map(|(id, it)| (it.name.as_str(), FnId(id as u32))).collect()
        });
        let codes = Both::from_fn(|version| {
            let is_kept = |id: &FnId| pair.is_kept(version, Item::Function(*id));
            let others = ids(version).filter(|id| !is_kept(id)).collect();
            Code::new(pair[version].program, others)
        });
        Matching {
            pair,
            codes,
            by_class,
            by_name,
            cost: Default::default(),
            reach: Default::default(),
            changed: Default::default(),
        }
    }

    fn class(&self, version: Version, id: FnId) -> Class {
        self.pair[version].class(Item::Function(id))
    }

    /// Whether the function is identical on the other side, with all that it calls, and not another
    /// one of its name there in its place.
    pub fn is_identical(&self, version: Version, id: FnId) -> bool {
        self.pair.is_kept(version, Item::Function(id))
    }

    /// Whether the function itself is another one on the other side, whatever it calls.
    pub fn is_changed(&self, version: Version, id: FnId) -> bool {
        self.changed[version]
            .get_or_make(id, || self.pair.change(version, Item::Function(id)) != Change::None)
    }

    /// What belongs to something of one side, by its content or else its name.
    pub fn partner(&self, version: Version, called: Called) -> Option<Matched> {
        let (id, of_loop) = match called {
            Called::Function(id) => (id, None),
            Called::Loop(id, number) => (id, Some(number)),
        };
        let name = self.codes[version].program.function(id).name.as_str();
        // Among several of one content, the one of the same name.
        let class = self.class(version, id);
        let named = self.by_name[version.other()].get(name).copied();
        let same = named.filter(|&it| self.class(version.other(), it) == class);
        let by_class = || self.by_class[version.other()].get(&class).copied();
        let other = match self.is_identical(version, id) {
            true => same.or_else(by_class),
            false => named.or_else(by_class),
        }?;
        let other = match of_loop {
            None => Called::Function(other),
            Some(number) => {
                let theirs = self.codes[version.other()].ready(other).ok()?;
                let ours = self.codes[version].ready(id).ok()?;
                let repeats = ours.a_loop(number).repeats;
                let alike =
                    |ready: &Ready| ready.loops.iter().filter(|it| it.repeats || !repeats).count();
                if alike(&theirs) != alike(&ours) {
                    return None;
                }
                Called::Loop(other, number)
            }
        };
        Some(match version {
            Version::Old => Both::new(called, other),
            Version::New => Both::new(other, called),
        })
    }

    /// What stands for all identical copies of a function.
    pub fn key(&self, version: Version, id: FnId) -> Class {
        self.class(version, id)
    }

    /// Whether a function is so small that to enter it costs less than to reason about it.
    pub fn is_cheap(&self, version: Version, id: FnId) -> bool {
        self.closure_size(version, id, &mut Vec::new()).is_some_and(|size| size <= CHEAP)
    }

    /// The edges of a function and all that it calls; none with loops, recursion or code that is not
    /// known.
    fn closure_size(&self, version: Version, id: FnId, above: &mut Vec<FnId>) -> Option<usize> {
        if above.contains(&id) || above.len() > 40 {
            return None;
        }
        if let Some(known) = self.cost[version].get(&id) {
            return known;
        }
        above.push(id);
        let size = self.size_below(version, id, above);
        above.pop();
        self.cost[version].insert(id, size);
        size
    }

    fn size_below(&self, version: Version, id: FnId, above: &mut Vec<FnId>) -> Option<usize> {
        let function = self.codes[version].program.function(id);
        match &function.body {
            Body::Cfa(_) => {}
            Body::Intrinsic(_) | Body::VirtualCall | Body::Panic | Body::PanicWithMessage => {
                return Some(1);
            }
            _ => return None,
        }
        let ready = self.codes[version].ready(id).ok()?;
        if ready.loops.iter().any(|it| it.repeats) {
            return None;
        }
        let mut size = ready.body.size();
        for edge in ready.body.all_edges() {
            if let Op::Call(call) = &edge.op {
                match call.callee {
                    Callee::Function(callee) => {
                        size += self.closure_size(version, callee, above)?
                    }
                    _ => return None,
                }
            }
            if size > 4 * CHEAP {
                return None;
            }
        }
        Some(size)
    }

    /// Whether something is a part of a function that is run once, in its place.
    pub fn is_region(&self, version: Version, called: Called) -> bool {
        match called {
            Called::Function(_) => false,
            Called::Loop(id, number) => {
                self.codes[version].ready(id).is_ok_and(|ready| !ready.a_loop(number).repeats)
            }
        }
    }

    /// The functions and loops that code calls itself.
    pub fn calls(&self, version: Version, called: Called) -> Vec<Called> {
        let id = match called {
            Called::Function(id) | Called::Loop(id, _) => id,
        };
        let Ok(ready) = self.codes[version].ready(id) else { return Vec::new() };
        let body = match called {
            Called::Function(_) => &ready.body,
            Called::Loop(_, number) => &ready.a_loop(number).body,
        };
        let mut found = Vec::new();
        for edge in body.all_edges() {
            for callee in callees(&edge.op, id) {
                if !found.contains(&callee) {
                    found.push(callee);
                }
            }
        }
        found
    }

    /// Whether a function can see or change what is outside of the program, or memory that no
    /// argument leads to. Errs towards yes.
    pub fn has_effects(&self, version: Version, id: FnId) -> bool {
        self.reach(version, id).outside
    }

    /// Whether a function without effects can end the process. Errs towards yes.
    pub fn can_abort(&self, version: Version, id: FnId) -> bool {
        self.reach(version, id).aborts
    }

    fn reach(&self, version: Version, id: FnId) -> Reach {
        if let Some(known) = self.reach[version].get(&id) {
            return known;
        }
        let program = self.codes[version].program;
        let mut seen = HashSet::from([id]);
        let mut pending = vec![id];
        let mut reach = Reach { outside: false, aborts: false };
        while let Some(id) = pending.pop() {
            let function = program.function(id);
            reach.outside |= match &function.body {
                Body::Intrinsic(intrinsic) => {
                    let effect = intrinsic.effect();
                    reach.aborts |= effect == IntrinsicEffect::Aborts;
                    effect == IntrinsicEffect::ReachesOutside
                }
                Body::Panic | Body::AllocError => false,
                Body::Cfa(cfa) => cfa.edges.iter().any(|edge| {
                    for callee in callees(&edge.op, id) {
                        if let Called::Function(callee) = callee
                            && seen.insert(callee)
                        {
                            pending.push(callee);
                        }
                    }
                    reach.aborts |= matches!(edge.op, Op::Abort);
                    reaches_outside(program, &edge.op)
                }),
                Body::VirtualCall
                | Body::PanicWithMessage
                | Body::Foreign { .. }
                | Body::Supplied { .. }
                | Body::Missing(_)
                | Body::Elsewhere(_) => true,
            };
            if reach.outside {
                break;
            }
        }
        self.reach[version].insert(id, reach);
        reach
    }
}

/// What a function and all that it calls can do beside returning and panicking.
#[derive(Clone, Copy)]
struct Reach {
    outside: bool,
    /// Known only where nothing outside is reached.
    aborts: bool,
}

/// What an operation calls, or takes the address of.
fn callees(op: &Op, within: FnId) -> Vec<Called> {
    let mut found = Vec::new();
    if let Op::Call(call) = op {
        match &call.callee {
            Callee::Function(id) => found.push(Called::Function(*id)),
            Callee::Loop { id, .. } => found.push(Called::Loop(within, *id)),
            _ => {}
        }
    }
    op.operands(&mut |operand| {
        if let Operand::Const(Const::Pointer { to: Pointee::Function(id), .. }) = operand {
            found.push(Called::Function(*id));
        }
    });
    found
}

fn reaches_outside(program: &Program, op: &Op) -> bool {
    let mut outside = match op {
        Op::Unsupported { .. } => true,
        Op::CopyMemory { .. } => false,
        Op::Assign(_, Rvalue::ThreadLocal(_)) => true,
        Op::Call(call) => matches!(call.callee, Callee::Pointer(_) | Callee::Virtual { .. }),
        _ => false,
    };
    op.operands(&mut |operand| {
        outside |= match operand {
            Operand::Const(Const::Pointer { to, .. }) => can_change(program, *to, 8),
            Operand::Const(Const::Value { memory, .. }) => {
                can_change(program, Pointee::Memory(*memory), 8)
            }
            Operand::Const(Const::Generic { .. } | Const::Opaque { .. }) => true,
            Operand::Const(Const::Bits { .. } | Const::ZeroSized(_)) | Operand::Read(_) => false,
        };
    });
    outside
}

/// Whether memory that can change is behind a pointer of a constant.
fn can_change(program: &Program, to: Pointee, depth: u32) -> bool {
    let memory = match to {
        Pointee::Static(id) => match program.statics[id.index()].initial {
            Some(initial) => initial,
            None => return true,
        },
        Pointee::Memory(id) => id,
        _ => return false,
    };
    let memory = &program.memories[memory.index()];
    depth == 0
        || memory.mutable
        || memory.pointers.iter().any(|(_, to)| can_change(program, *to, depth - 1))
}
