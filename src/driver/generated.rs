//! Which crate generates the machine code of a function, as far as that decides whether its overflow
//! is checked.
//!
//! The compiler puts the checks into MIR as the crate that defines it was compiled, and std's always.
//! The crate that generates the code leaves them out if it has none itself. A function without
//! parameters is generated in its own crate, unless it is to be inlined; everything else in the crate
//! that uses it, or in one below that shares what it has made. All of this is of no account where the
//! crates of a build agree, as they do unless a profile says otherwise for some packages.

use cargo_cse::extract::program_file::Compiled;
use cargo_cse::extract::settings::Settings;
use rustc_attr_ir::InlineAttr;
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_middle::ty::{self, GenericArgsRef, Instance, InstanceKind, ShimKind, Ty, TyCtxt};
use rustc_span::def_id::{CrateNum, DefId, LOCAL_CRATE};

/// Whether overflow is checked in the code of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Checks {
    Known {
        on: bool,
        /// A crate below the one that generates the code has it otherwise.
        mixed: bool,
    },
    /// Only the compiled standard library can tell, which is the same on both sides.
    Std,
    /// It depends on what else is compiled.
    Unknown,
}

impl Checks {
    /// What tells a function from the one with other checks.
    pub fn label(self) -> &'static str {
        match self {
            Checks::Known { on: true, mixed: false } => " with overflow checks",
            Checks::Known { on: true, mixed: true } => " with overflow checks, in part",
            Checks::Known { on: false, mixed: false } => " without overflow checks",
            Checks::Known { on: false, mixed: true } => " without overflow checks, in part",
            Checks::Std => " with the overflow checks of std",
            Checks::Unknown => " with unknown overflow checks",
        }
    }
}

/// The crates of a build that generate code, without std.
pub struct Generation {
    crates: FxHashMap<CrateNum, Generator>,
    /// Whether all of them check the same.
    pub agrees: bool,
    /// Another one whenever anything in the crates that the client uses is.
    pub identity: String,
}

struct Generator {
    settings: Settings,
    /// The crates that it can use, and itself.
    below: FxHashSet<CrateNum>,
}

impl Generation {
    /// From each crate's unit and what is known of it. What nothing is known of is taken to use all
    /// others and to check otherwise than the client does.
    pub fn new(
        client: Settings,
        identity: String,
        compiled: FxHashMap<CrateNum, (Option<String>, Option<Compiled>)>,
    ) -> Generation {
        let units: FxHashMap<&str, CrateNum> = (compiled.iter())
            .filter_map(|(&number, (unit, _))| Some((unit.as_deref()?, number)))
            .collect();
        let otherwise = Settings {
            overflow_checks: !client.overflow_checks,
            optimised: true,
            shares_generics: true,
        };
        let settings_of = |number: CrateNum| match &compiled[&number].1 {
            _ if number == LOCAL_CRATE => client,
            Some(known) => known.settings,
            None => otherwise,
        };
        let below = |number: CrateNum| {
            let mut found = FxHashSet::default();
            let mut left = vec![number];
            while let Some(number) = left.pop() {
                if !found.insert(number) {
                    continue;
                }
                match &compiled[&number].1 {
                    Some(it) => left.extend(it.uses.iter().filter_map(|it| units.get(&**it))),
                    None => left.extend(compiled.keys()),
                }
            }
            found
        };
        let crates: FxHashMap<CrateNum, Generator> = (compiled.keys())
            .map(|&number| {
                (number, Generator { settings: settings_of(number), below: below(number) })
            })
            .collect();
        let checks = |it: &Generator| it.settings.overflow_checks == client.overflow_checks;
        let agrees = crates.values().all(checks);
        Generation { crates, agrees, identity }
    }

    /// Of code that the crate itself generates.
    pub fn in_crate(&self, number: CrateNum) -> Checks {
        let Some(generator) = self.crates.get(&number) else {
            return Checks::Known { on: Settings::STD.overflow_checks, mixed: false };
        };
        let on = generator.settings.overflow_checks;
        let otherwise = |it: &CrateNum| self.crates[it].settings.overflow_checks != on;
        Checks::Known { on, mixed: generator.below.iter().any(otherwise) }
    }

    /// Of a function that code with the checks of `user` refers to.
    pub fn of<'tcx>(&self, tcx: TyCtxt<'tcx>, instance: Instance<'tcx>, user: Checks) -> Checks {
        let has_parameters = instance.args.non_erasable_generics().next().is_some();
        match instance.def {
            InstanceKind::Item(def_id) => match has_parameters {
                true => self.shared(tcx, def_id, instance.args, user),
                false if instance.def.requires_inline(tcx) => user,
                false => self.single(tcx, def_id, user),
            },
            InstanceKind::Shim(shim) => match shim {
                ShimKind::DropGlue(def_id, Some(_))
                | ShimKind::AsyncDropGlueCtor(def_id, _)
                | ShimKind::AsyncDropGlue(def_id, _) => {
                    self.shared(tcx, def_id, instance.args, user)
                }
                _ => user,
            },
            InstanceKind::Virtual(..)
            | InstanceKind::Intrinsic(_)
            | InstanceKind::LlvmIntrinsic(_) => self.in_crate(LOCAL_CRATE),
        }
    }

    /// Of an instance with arguments: each crate that knows all of them may have made it, and the
    /// user takes it from one below.
    fn shared<'tcx>(
        &self,
        tcx: TyCtxt<'tcx>,
        def_id: DefId,
        args: GenericArgsRef<'tcx>,
        user: Checks,
    ) -> Checks {
        let Checks::Known { on, mixed } = user else {
            return user;
        };
        let mut parts: Vec<CrateNum> = vec![def_id.krate];
        for part in args.iter().flat_map(|arg| arg.walk()) {
            parts.extend(part.as_type().and_then(definition).map(|it| it.krate));
        }
        parts.retain(|part| self.crates.contains_key(part));
        // What is never inlined is shared whatever the settings are, also by std.
        let always = inline(tcx, def_id) == Some(InlineAttr::Never);
        let made_otherwise = |generator: &Generator| {
            generator.settings.overflow_checks != on
                && (generator.settings.shares_generics || always)
                && parts.iter().all(|part| generator.below.contains(part))
        };
        if mixed && self.crates.values().any(made_otherwise) {
            Checks::Unknown
        } else if on && always && parts.is_empty() {
            Checks::Std
        } else {
            user
        }
    }

    /// Of a function that has no arguments.
    fn single(&self, tcx: TyCtxt<'_>, def_id: DefId, user: Checks) -> Checks {
        let own = self.in_crate(def_id.krate);
        match inline(tcx, def_id) {
            _ if def_id.is_local() => return own,
            Some(InlineAttr::Never) => return own,
            Some(InlineAttr::None) => {}
            Some(_) | None => return user,
        }
        if tcx.codegen_fn_attrs(def_id).contains_extern_indicator() {
            return own;
        }
        // What is inlined without having been asked for calls nothing: nothing below it is shared.
        let on = |checks: Checks| matches!(checks, Checks::Known { on: true, .. });
        match self.crates.get(&def_id.krate) {
            Some(generator) if !generator.settings.optimised => {
                match tcx.cross_crate_inlinable(def_id) {
                    true => user,
                    false => own,
                }
            }
            Some(_) | None if matches!(user, Checks::Unknown) => Checks::Unknown,
            Some(_) | None if matches!(user, Checks::Known { .. }) && on(own) == on(user) => own,
            Some(_) => Checks::Unknown,
            None => Checks::Std,
        }
    }
}

/// What a function says about being inlined; none for what has no such attributes.
fn inline(tcx: TyCtxt<'_>, def_id: DefId) -> Option<InlineAttr> {
    let has_attributes = tcx.def_kind(def_id).has_codegen_attrs();
    has_attributes.then(|| tcx.codegen_fn_attrs(def_id).inline)
}

/// Where a type is defined, or the code that it stands for.
fn definition(ty: Ty<'_>) -> Option<DefId> {
    match *ty.kind() {
        ty::Adt(adt, _) => Some(adt.did()),
        ty::FnDef(def_id, _)
        | ty::Closure(def_id, _)
        | ty::Coroutine(def_id, _)
        | ty::CoroutineClosure(def_id, _)
        | ty::Foreign(def_id) => Some(def_id),
        _ => None,
    }
}
