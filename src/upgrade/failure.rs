//! What cargo said, as our errors. Cargo has no machine-readable errors: these are its words, and
//! what is not recognised is handed on as it is.

use semver::Version;

use super::{lockfile::Locked, request::Spec};
use crate::error::Error;

/// Why cargo could not read the workspace.
pub fn of_workspace(stderr: &str) -> Error {
    let detail = said(stderr);
    if stderr.contains("could not find `Cargo.toml`")
        || (stderr.contains("manifest path `") && stderr.contains("` does not exist"))
    {
        return Error::NoManifest { detail };
    }
    of_environment(&detail).unwrap_or(Error::BrokenManifest { detail })
}

/// Why cargo could not complete the lock file, or load the packages in it.
pub fn of_loading(what: &str, stderr: &str) -> Error {
    let detail = said(stderr);
    if stderr.contains("because --locked was passed") {
        return Error::LockOutdated { detail };
    }
    of_environment(&detail).unwrap_or_else(|| Error::CargoFailed { what: what.into(), detail })
}

/// Why cargo could not move a dependency. Without a spec, to the newest version.
pub fn of_moving(locked: &Locked, spec: Option<&Spec>, stderr: &str) -> Error {
    let detail = said(stderr);
    if let Some(Spec::Git { url, revision }) = spec {
        let revision = revision.clone().unwrap_or_default();
        if ["revspec", "failed to find", "couldn't find remote ref"]
            .iter()
            .any(|it| detail.contains(it))
        {
            return Error::NoSuchRevision { url: url.clone(), revision, detail };
        }
        let signs =
            ["unable to update", "does not contain packages matching", "no matching package"];
        if signs.iter().any(|sign| detail.contains(sign)) && detail.contains(url.as_str()) {
            return Error::GitFailed { url: url.clone(), name: locked.name.clone(), detail };
        }
    }
    if let Some(error) = of_environment(&detail) {
        return error;
    }
    let name = locked.name.clone();
    let Some(Spec::Version(version)) = spec else {
        let version = spec.map_or("in its newest version".into(), Spec::to_string);
        return Error::Conflict { name, version, detail };
    };
    match refused(&detail) {
        Some(refused) if refused.candidates.iter().any(|found| *found == version.to_string()) => {
            Error::Forbidden {
                package: format!("{name} {version}"),
                requirement: refused.requirement,
                by: refused.by,
                detail,
            }
        }
        Some(refused) => no_such_version(name, version, refused.candidates, detail),
        None if detail.contains("no matching package named") => {
            no_such_version(name, version, Vec::new(), detail)
        }
        None => Error::Conflict { name, version: version.to_string(), detail },
    }
}

/// The packages that cargo could not move out of the way, because the lock file holds them.
pub fn held_by_the_lock(stderr: &str) -> Vec<String> {
    quoted_after(stderr, "previously selected package `")
        .filter_map(|package| Some(package.split_once(" v")?.0.to_string()))
        .collect()
}

/// The versions that cargo names when none of them meets a requirement; it names a few.
pub fn candidates(stderr: &str) -> Vec<String> {
    refused(stderr).map(|refused| refused.candidates).unwrap_or_default()
}

struct Refused {
    requirement: String,
    by: String,
    candidates: Vec<String>,
}

fn refused(stderr: &str) -> Option<Refused> {
    let line = |start| stderr.lines().find_map(|line| line.trim().strip_prefix(start));
    let candidates = line("candidate versions found which didn't match: ")?;
    Some(Refused {
        requirement: quoted_after(stderr, "for the requirement `").next()?.replace('"', ""),
        by: quoted_after(stderr, "required by package `").next()?.to_string(),
        candidates: candidates.split(", ").map(String::from).collect(),
    })
}

fn no_such_version(
    name: String,
    version: &Version,
    existing: Vec<String>,
    detail: String,
) -> Error {
    Error::NoSuchVersion { name, version: version.to_string(), existing, detail }
}

/// Failures that have nothing to do with what was asked for.
fn of_environment(stderr: &str) -> Option<Error> {
    const NETWORK: &[&str] = &[
        "Could not connect to server",
        "Could not resolve host",
        "Couldn't resolve host",
        "Could not resolve proxy",
        "Timeout was reached",
        "spurious network error",
        "download of config.json failed",
        "failed to download from",
        "Network is unreachable",
    ];
    let detail = || stderr.to_string();
    const OFFLINE: &[&str] = &["--offline was specified", "offline mode (via `--offline`)"];
    if OFFLINE.iter().any(|sign| stderr.contains(sign)) {
        return Some(Error::NotDownloaded { detail: detail() });
    }
    if NETWORK.iter().any(|sign| stderr.contains(sign)) {
        return Some(Error::NoNetwork { detail: detail() });
    }
    if let Some((_, rest)) = stderr.split_once("could not find specification for target \"") {
        let target = rest.split('"').next().unwrap_or_default().to_string();
        return Some(Error::TargetUnknown { target, detail: String::new() });
    }
    None
}

fn quoted_after<'a>(text: &'a str, start: &'static str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).filter_map(|rest| rest.split('`').next())
}

/// What cargo said, without its progress.
fn said(stderr: &str) -> String {
    let progress = ["Updating ", "Downloading ", "Downloaded ", "Locking ", "Blocking "];
    let is_progress = |line: &&str| {
        let line = line.trim_start();
        !progress.iter().any(|start| line.starts_with(start))
    };
    stderr.lines().filter(is_progress).collect::<Vec<_>>().join("\n").trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moving(stderr: &str) -> Error {
        let locked = Locked {
            name: "itoa".into(),
            version: Version::new(1, 0, 0),
            source: Some("registry+x".into()),
        };
        of_moving(&locked, Some(&Spec::Version(Version::new(0, 4, 8))), stderr)
    }

    #[test]
    fn who_requires_what_is_read_from_cargo() {
        let error = moving(
            "    Updating crates.io index\n\
             error: failed to select a version for the requirement `itoa = \"^1\"`\n\
             candidate versions found which didn't match: 0.4.8\n\
             location searched: crates.io index\n\
             required by package `serde_json v1.0.100`\n",
        );
        let said = "serde_json v1.0.100 requires `itoa = ^1`, which itoa 0.4.8 does not meet";
        assert_eq!(error.to_string(), said);
        assert!(error.detail().starts_with("error: failed to select"));
    }

    #[test]
    fn a_version_that_does_not_exist_is_told_from_one_that_is_forbidden() {
        let error = moving(
            "error: failed to select a version for the requirement `itoa = \"=0.4.8\"`\n\
             candidate versions found which didn't match: 1.0.18, 1.0.17, ...\n\
             required by package `a v0.1.0 (/a)`\n",
        );
        assert_eq!(error.to_string(), "`itoa` has no version 0.4.8; there are 1.0.18, 1.0.17, ...");
    }

    #[test]
    fn a_missing_network_is_told_from_a_missing_version() {
        let error = moving(
            "error: failed to get `itoa` as a dependency of package `a v0.1.0 (/a)`\n\
             Caused by:\n  download of config.json failed\n\
             Caused by:\n  [7] Could not connect to server\n",
        );
        assert!(matches!(error, Error::NoNetwork { .. }), "{error}");
        let error = moving(
            "error: no matching package named `itoa` found\n\
             note: offline mode (via `--offline`) can sometimes cause surprising resolution failures\n",
        );
        assert!(matches!(error, Error::NotDownloaded { .. }), "{error}");
    }
}
