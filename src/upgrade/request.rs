//! What can be asked for: a dependency, and versions of it from anywhere.

use std::{fmt, path::PathBuf, str::FromStr};

use semver::Version;

/// One upgrade that the user asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpgradeRequest {
    pub name: String,
    /// None: the locked version.
    pub from: Option<Spec>,
    /// None: the newest version that the manifest allows.
    pub to: Option<Spec>,
}

/// `DEP` or `DEP@VERSION`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub version: Option<Version>,
}

/// Where a version of a dependency comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    Version(Version),
    Path(PathBuf),
    /// Without a revision: the default branch.
    Git {
        url: String,
        revision: Option<String>,
    },
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Named, String> {
        let (name, version) = match text.split_once('@') {
            Some((name, version)) => (name, Some(exact(version)?)),
            None => (text, None),
        };
        let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(plain) {
            return Err(format!("`{name}` is not the name of a package"));
        }
        Ok(Named { name: name.into(), version })
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        if let Some(directory) = text.strip_prefix("path:") {
            return match directory {
                "" => Err("a directory is missing after `path:`".into()),
                _ => Ok(Spec::Path(directory.into())),
            };
        }
        if let Some(rest) = text.strip_prefix("git:") {
            let (url, revision) = match rest.rsplit_once('#') {
                Some((url, revision)) => (url, Some(revision.to_string())),
                None => (rest, None),
            };
            if url.is_empty() || revision.as_deref() == Some("") {
                return Err("expected git:URL#REV".into());
            }
            return Ok(Spec::Git { url: url.into(), revision });
        }
        exact(text).map(Spec::Version)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Spec::Version(version) => write!(f, "{version}"),
            Spec::Path(directory) => write!(f, "path:{}", directory.display()),
            Spec::Git { url, revision: None } => write!(f, "git:{url}"),
            Spec::Git { url, revision: Some(revision) } => write!(f, "git:{url}#{revision}"),
        }
    }
}

fn exact(text: &str) -> Result<Version, String> {
    Version::parse(text).map_err(|error| {
        format!("`{text}` is not a version ({error}); give all three numbers, as in 1.2.3")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_versions_paths_and_git_revisions() {
        for text in ["1.2.3", "1.0.0-beta.1", "path:../a b", "git:https://x.org/y#v1", "git:/x"] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        for text in ["1.2", "path:", "git:#v1", "git:https://x.org/y#", "latest"] {
            assert!(text.parse::<Spec>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_dependency_is_named_with_or_without_its_version() {
        let named: Named = "serde_json@1.0.0".parse().unwrap();
        assert_eq!(
            (named.name.as_str(), named.version),
            ("serde_json", Some(Version::new(1, 0, 0)))
        );
        assert_eq!("hex".parse::<Named>().unwrap().version, None);
        assert!("a/b".parse::<Named>().is_err());
        assert!("hex@".parse::<Named>().is_err());
    }
}
