//! What of a crate's compiler flags decides what is checked in the code that it generates, and what is
//! linked to it.
//!
//! Flags are read as rustc reads them: the last one of a name holds, and what none says follows from
//! the level of optimisation.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub overflow_checks: bool,
    /// Whether crates that use it may generate its small functions themselves, unasked.
    pub optimised: bool,
    /// Whether it takes instances of generic functions from the crates that it uses, and leaves its
    /// own to those that use it. Errs towards yes.
    pub shares_generics: bool,
}

impl Settings {
    /// Of the standard library, as it is shipped.
    pub const STD: Settings =
        Settings { overflow_checks: false, optimised: true, shares_generics: false };

    pub fn of(arguments: &[OsString]) -> Settings {
        let mut level = "0".to_owned();
        let (mut overflow_checks, mut debug_assertions) = (None, None);
        let mut shares_generics = None;
        for (name, value) in options(arguments) {
            match name.as_str() {
                "opt-level" => level = value,
                "overflow-checks" => overflow_checks = Some(is_on(&value)),
                "debug-assertions" => debug_assertions = Some(is_on(&value)),
                "share-generics" => shares_generics = Some(is_on(&value)),
                _ => {}
            }
        }
        let optimised = level != "0";
        let debug_assertions = debug_assertions.unwrap_or(!optimised);
        Settings {
            overflow_checks: overflow_checks.unwrap_or(debug_assertions),
            optimised,
            shares_generics: shares_generics.unwrap_or(!matches!(level.as_str(), "2" | "3")),
        }
    }
}

/// What a crate's flags say about linking, in their order. Libraries are left out: the compiler tells
/// those that flags name together with those that attributes name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkFlags {
    /// Where foreign libraries are searched, with the kind before the path as in `native=/a/b`.
    pub searched: Vec<String>,
    /// Arguments for the linker, with the name of the option.
    pub arguments: Vec<String>,
}

impl LinkFlags {
    pub fn of(arguments: &[OsString]) -> LinkFlags {
        let mut values = arguments.iter().map(|it| it.to_string_lossy());
        let mut searched = Vec::new();
        while let Some(argument) = values.next() {
            let path = match argument.strip_prefix("-L") {
                Some("") => values.next().map(|it| it.into_owned()),
                Some(path) => Some(path.to_owned()),
                None => None,
            };
            // Of these two kinds only Rust crates are taken.
            let is_foreign =
                |it: &String| !["dependency=", "crate="].iter().any(|kind| it.starts_with(kind));
            searched.extend(path.filter(is_foreign));
        }
        let is_link_option = |name: &str| {
            matches!(name, "link-arg" | "link-args" | "pre-link-arg" | "pre-link-args")
        };
        let arguments = options(arguments)
            .filter(|(name, _)| is_link_option(name))
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        LinkFlags { searched, arguments }
    }
}

/// The options for code generation and the unstable ones, with their values, in order.
fn options(arguments: &[OsString]) -> impl Iterator<Item = (String, String)> {
    let mut arguments = arguments.iter().map(|it| it.to_string_lossy().into_owned());
    std::iter::from_fn(move || {
        loop {
            let argument = arguments.next()?;
            let option = match argument.as_str() {
                "-C" | "-Z" | "--codegen" => arguments.next()?,
                "-O" => "opt-level=3".to_owned(),
                _ => {
                    match ["-C", "-Z", "--codegen="].iter().find_map(|it| argument.strip_prefix(it))
                    {
                        Some(option) => option.to_owned(),
                        None => continue,
                    }
                }
            };
            let (name, value) = option.split_once('=').unwrap_or((&option, "on"));
            return Some((name.replace('_', "-"), value.to_owned()));
        }
    })
}

fn is_on(value: &str) -> bool {
    matches!(value, "on" | "yes" | "y" | "true")
}

/// The features of its package that a crate is compiled with.
pub fn features(arguments: &[OsString]) -> Vec<String> {
    let conditions = arguments.windows(2).filter(|pair| pair[0] == "--cfg");
    let feature = |pair: &[OsString]| {
        let name = pair[1].to_str()?.strip_prefix("feature=\"")?.strip_suffix('"')?;
        Some(name.to_owned())
    };
    conditions.filter_map(feature).collect()
}

/// The names of the files, without their directories, that the compiled crate uses directly.
pub fn used_units(arguments: &[OsString]) -> Vec<String> {
    let mut units: Vec<String> = arguments
        .windows(2)
        .filter(|pair| pair[0] == "--extern")
        .filter_map(|pair| {
            let (_, path) = pair[1].to_str()?.split_once('=')?;
            let stem = std::path::Path::new(path).file_stem()?.to_str()?;
            Some(stem.strip_prefix("lib").unwrap_or(stem).to_owned())
        })
        .collect();
    units.sort();
    units.dedup();
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &str) -> Settings {
        Settings::of(&arguments.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn what_no_flag_says_follows_from_the_level_of_optimisation() {
        assert!(of("--crate-name a").overflow_checks);
        assert!(!of("-C opt-level=3").overflow_checks);
        assert!(!of("-O").overflow_checks);
        assert!(of("-C opt-level=3 -C debug-assertions=on").overflow_checks);
        assert!(!of("-C debug-assertions=off").overflow_checks);
    }

    #[test]
    fn the_last_flag_holds_in_each_of_its_forms() {
        assert!(!of("-C overflow-checks=on -Coverflow-checks=off").overflow_checks);
        assert!(of("-Coverflow_checks=no --codegen overflow-checks").overflow_checks);
        assert!(of("-C opt-level=3 --codegen=overflow-checks=y").overflow_checks);
    }

    #[test]
    fn generics_are_shared_where_little_is_optimised_or_where_it_is_asked_for() {
        assert!(of("").shares_generics && !of("").optimised);
        assert!(of("-C opt-level=s").shares_generics);
        assert!(!of("-C opt-level=2").shares_generics);
        assert!(of("-C opt-level=3 -Zshare-generics=y").shares_generics);
    }

    #[test]
    fn what_flags_say_about_linking_is_read_in_each_of_its_forms() {
        let arguments =
            "-L dependency=/deps -L native=/a -C link-arg=-Wl,-z,now -Lall=/b -Clink_arg=x";
        let arguments: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
        let flags = LinkFlags::of(&arguments);
        assert_eq!(flags.searched, ["native=/a", "all=/b"]);
        assert_eq!(flags.arguments, ["link-arg=-Wl,-z,now", "link-arg=x"]);
    }

    #[test]
    fn the_units_that_a_crate_uses_are_those_of_its_arguments() {
        let arguments = ["--extern", "a=/x/liba-1.rmeta", "--extern", "priv:b=/y/libb-2.rlib"];
        let arguments = arguments.map(OsString::from);
        assert_eq!(used_units(&arguments), ["a-1", "b-2"]);
    }
}
