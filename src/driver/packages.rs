//! Which package each crate of the build comes from, and how it was compiled.

use std::path::Path;

use cargo_cse::cfa::{Crate, Linking, Origin};
use cargo_cse::extract::program_file;
use cargo_cse::extract::settings::{LinkFlags, Settings};
use rustc_data_structures::fx::FxHashMap;
use rustc_middle::ty::TyCtxt;
use rustc_session::config::OptLevel;
use rustc_span::def_id::{CrateNum, LOCAL_CRATE};

use crate::generated::Generation;

/// The crates of a build, with the names that functions and types are printed with.
pub struct Packages {
    pub crates: FxHashMap<CrateNum, Crate>,
    /// The crate's name, with its version where two crates have one name.
    pub labels: FxHashMap<CrateNum, String>,
    pub generation: Generation,
    pub linking: Linking,
}

impl Packages {
    pub fn of(tcx: TyCtxt<'_>, directory: &Path) -> Packages {
        let mut crates = FxHashMap::default();
        let mut compiled = FxHashMap::default();
        let mut linked = Vec::new();
        let mut occurrences: FxHashMap<String, u32> = FxHashMap::default();
        for &number in tcx.crates(()).iter().chain([&LOCAL_CRATE]) {
            let name = tcx.crate_name(number).to_string();
            let unit = unit(tcx, number);
            let read = unit.as_ref().and_then(|it| program_file::read_compiled(directory, it));
            let package = match number {
                LOCAL_CRATE => program_file::package_from_environment(),
                _ => read.as_ref().map(|it| it.package.clone()),
            };
            let origin = if is_in_sysroot(tcx, number) { Origin::Std } else { Origin::Dependency };
            let runs = number == LOCAL_CRATE || !tcx.crate_dep_kind(number).macros_only();
            let features = match number {
                LOCAL_CRATE => own_features(tcx),
                _ => read.as_ref().map(|it| it.features.clone()).unwrap_or_default(),
            };
            if origin != Origin::Std && runs {
                linked.push((number, read.as_ref().map(|it| it.link_flags.clone())));
                compiled.insert(number, (unit, read));
            }
            *occurrences.entry(name.clone()).or_default() += 1;
            crates.insert(number, Crate { name, package, origin, features });
        }
        let labels = crates
            .iter()
            .map(|(&number, krate)| {
                let label = match &krate.package {
                    Some(package) if occurrences[&krate.name] > 1 => {
                        format!("{}@{}", krate.name, package.version)
                    }
                    _ => krate.name.clone(),
                };
                (number, label)
            })
            .collect();
        let options = &tcx.sess.opts;
        let client = Settings {
            overflow_checks: tcx.sess.overflow_checks(),
            optimised: options.optimize != OptLevel::No,
            shares_generics: options.share_generics(),
        };
        let used = compiled.keys().filter(|number| **number != LOCAL_CRATE);
        let mut hashes: Vec<String> = used.map(|it| tcx.crate_hash(*it).to_string()).collect();
        hashes.sort();
        let generation = Generation::new(client, hashes.join(" "), compiled);
        Packages { crates, labels, generation, linking: linking(tcx, &linked) }
    }
}

/// The features of the package that is compiled.
fn own_features(tcx: TyCtxt<'_>) -> Vec<String> {
    let conditions = tcx.sess.config.iter().filter(|(name, _)| name.as_str() == "feature");
    let mut features: Vec<String> =
        conditions.filter_map(|(_, value)| Some(value.as_ref()?.to_string())).collect();
    features.sort();
    features
}

/// What is linked, from each crate that runs and the flags it was compiled with. Where libraries are
/// searched cargo passes on to the client. Arguments that all crates are compiled with, and that name no
/// path, are the user's and are left out. A crate of which nothing is known has its file's name for an
/// argument, which stands for all that it was built from.
fn linking(tcx: TyCtxt<'_>, crates: &[(CrateNum, Option<LinkFlags>)]) -> Linking {
    let has = |argument: &String, (_, flags): &(CrateNum, Option<LinkFlags>)| {
        flags.as_ref().is_some_and(|flags| flags.arguments.contains(argument))
    };
    let is_users = |argument: &String| {
        crates.len() > 1 && !argument.contains('/') && crates.iter().all(|it| has(argument, it))
    };
    let mut linking = Linking::default();
    for (number, flags) in crates {
        linking.libraries.extend(tcx.native_libraries(*number).iter().map(|library| {
            let imports: Vec<_> = library.dll_imports.iter().map(|it| it.name).collect();
            let (name, kind, verbatim) = (library.name, library.kind, library.verbatim);
            format!("{name} {kind:?} {verbatim:?} {:?} {imports:?}", library.cfg)
        }));
        match flags {
            Some(flags) => {
                let own = flags.arguments.iter().filter(|argument| !is_users(argument));
                linking.arguments.extend(own.cloned());
                if *number == LOCAL_CRATE {
                    linking.searched = flags.searched.clone();
                }
            }
            None => linking.arguments.extend(unit(tcx, *number)),
        }
    }
    linking
}

/// That nothing is known of a crate's package does not make it a part of std: the file that says so
/// may be lost.
fn is_in_sysroot(tcx: TyCtxt<'_>, number: CrateNum) -> bool {
    let sysroot = tcx.sess.opts.sysroot.path();
    number != LOCAL_CRATE
        && tcx.used_crate_source(number).paths().all(|path| path.starts_with(sysroot))
}

/// The name that cargo gave the compiled crate: `name-hash`.
pub fn unit(tcx: TyCtxt<'_>, number: CrateNum) -> Option<String> {
    if number == LOCAL_CRATE {
        return Some(format!("{}{}", tcx.crate_name(number), tcx.sess.opts.cg.extra_filename));
    }
    let source = tcx.used_crate_source(number);
    let path = source.paths().next()?;
    let stem = path.file_stem()?.to_str()?;
    Some(stem.strip_prefix("lib").unwrap_or(stem).to_owned())
}
