//! What a Cargo.lock says, and what differs between two.

use std::{
    collections::{BTreeSet, HashSet},
    fmt,
};

use semver::Version;
use toml_edit::{Document, Item};

/// The packages of one lock file.
#[derive(Clone, Debug, Default)]
pub struct Lock {
    pub packages: BTreeSet<Locked>,
    /// Patches that no requirement accepts.
    pub unused_patches: Vec<Locked>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Locked {
    pub name: String,
    pub version: Version,
    /// As cargo writes it, from `registry+…` or `git+…`. None: a path.
    pub source: Option<String>,
}

/// A package that is not the same in two lock files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: Option<Locked>,
    pub to: Option<Locked>,
}

impl Lock {
    pub fn parse(text: &str) -> Result<Lock, toml_edit::TomlError> {
        let document = Document::parse(text)?;
        let patches = document.get("patch").and_then(|patch| patch.get("unused"));
        Ok(Lock {
            packages: locked(document.get("package")).collect(),
            unused_patches: locked(patches).collect(),
        })
    }

    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Locked> {
        self.packages.iter().filter(move |package| package.name == name)
    }

    /// What differs, by name. A package that left and one that came are one move where they have a
    /// name and a compatible version in common, or where they are the only ones of that name.
    pub fn moves_to(&self, new: &Lock) -> Vec<Move> {
        let mut left: Vec<_> = self.packages.difference(&new.packages).cloned().collect();
        let mut moves = Vec::new();
        let came: Vec<_> = new.packages.difference(&self.packages).cloned().collect();
        for (index, package) in came.iter().enumerate() {
            let alone = came.iter().filter(|other| other.name == package.name).count() == 1
                && left.iter().filter(|other| other.name == package.name).count() == 1;
            // A later package may fit better; then this one only came.
            let contested = |old: &Locked| {
                came[index + 1..].iter().any(|other| {
                    other.name == old.name
                        && !compatible(&package.version, &old.version)
                        && compatible(&other.version, &old.version)
                })
            };
            let partner = left.iter().position(|old| {
                old.name == package.name
                    && (alone || compatible(&old.version, &package.version))
                    && !contested(old)
            });
            let from = partner.map(|partner| left.remove(partner));
            moves.push(Move { from, to: Some(package.clone()) });
        }
        moves.extend(left.into_iter().map(|package| Move { from: Some(package), to: None }));
        moves.sort_by(|a, b| a.name().cmp(b.name()));
        moves
    }
}

/// The names of the packages in a lock file that depend on others of the names given, directly or
/// not. Errs towards too many: versions and platforms are not told apart.
pub fn dependents(
    text: &str,
    on: &HashSet<String>,
) -> Result<BTreeSet<String>, toml_edit::TomlError> {
    let document = Document::parse(text)?;
    let packages = document.get("package").and_then(Item::as_array_of_tables);
    let packages: Vec<(&str, Vec<&str>)> = (packages.into_iter().flatten())
        .filter_map(|package| {
            let dependencies = package.get("dependencies").and_then(Item::as_array);
            let names = dependencies.into_iter().flatten().filter_map(|it| it.as_str());
            // `name`, `name version` or `name version (source)`.
            let names = names.filter_map(|it| it.split(' ').next()).collect();
            Some((package.get("name")?.as_str()?, names))
        })
        .collect();
    let mut found: BTreeSet<String> = BTreeSet::new();
    loop {
        let leads_there = |it: &&str| on.contains(*it) || found.contains(*it);
        let more: Vec<String> = (packages.iter())
            .filter(|(name, dependencies)| {
                !found.contains(*name) && dependencies.iter().any(leads_there)
            })
            .map(|(name, _)| (*name).to_owned())
            .collect();
        if more.is_empty() {
            return Ok(found);
        }
        found.extend(more);
    }
}

impl Locked {
    pub fn is_registry(&self) -> bool {
        self.source
            .as_deref()
            .is_some_and(|source| source.starts_with("registry+") || source.starts_with("sparse+"))
    }

    /// The git repository, without branch and commit.
    pub fn git_url(&self) -> Option<&str> {
        let url = self.source.as_deref()?.strip_prefix("git+")?;
        Some(url.split(['?', '#']).next().unwrap_or(url))
    }

    /// The name of this package's source in a `[patch]` table.
    pub fn patch_table(&self) -> Option<String> {
        let source = self.source.as_deref()?;
        if source.starts_with("registry+") && source.ends_with("/crates.io-index") {
            return Some("crates-io".into());
        }
        let url = self.git_url().unwrap_or(source.trim_start_matches("registry+"));
        Some(toml_edit::Value::from(url).to_string())
    }

    /// What tells this package from all others in `cargo update -p`.
    pub fn spec(&self) -> String {
        let repository = self.source.as_deref().filter(|source| source.starts_with("git+"));
        match repository.map(|source| source.split('#').next().unwrap_or(source)) {
            Some(repository) => format!("{repository}#{}@{}", self.name, self.version),
            None => format!("{}@{}", self.name, self.version),
        }
    }
}

/// The version as cargo shows it: with the commit where the version alone does not tell.
impl fmt::Display for Locked {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.version)?;
        if let Some(url) = self.git_url() {
            let commit = self.source.as_deref().and_then(|source| source.rsplit_once('#'));
            let commit = commit.map_or("", |(_, commit)| commit);
            write!(f, " ({url}#{})", &commit[..commit.len().min(8)])?;
        }
        Ok(())
    }
}

/// A package that an upgrade adds, removes or moves, with its versions as cargo shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub name: String,
    /// None: added by the upgrade.
    pub from: Option<String>,
    /// None: removed by the upgrade.
    pub to: Option<String>,
}

impl Move {
    pub fn name(&self) -> &str {
        self.from.as_ref().or(self.to.as_ref()).map_or("", |package| &package.name)
    }

    pub fn shown(&self) -> Moved {
        Moved {
            name: self.name().into(),
            from: self.from.as_ref().map(Locked::to_string),
            to: self.to.as_ref().map(Locked::to_string),
        }
    }
}

/// Whether cargo unifies the two: equal in the leftmost number that is not zero.
pub fn compatible(a: &Version, b: &Version) -> bool {
    let significant = |version: &Version| match (version.major, version.minor) {
        (0, 0) => (0, 0, version.patch),
        (0, minor) => (0, minor, 0),
        (major, _) => (major, 0, 0),
    };
    significant(a) == significant(b)
}

fn locked(tables: Option<&Item>) -> impl Iterator<Item = Locked> {
    tables.and_then(Item::as_array_of_tables).into_iter().flatten().filter_map(|table| {
        let text = |key| table.get(key).and_then(Item::as_str);
        Some(Locked {
            name: text("name")?.into(),
            version: text("version")?.parse().ok()?,
            source: text("source").map(String::from),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(packages: &[(&str, &str)]) -> Lock {
        let package = |(name, version): &(&str, &str)| {
            format!(
                "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"registry+x\"\n"
            )
        };
        Lock::parse(&packages.iter().map(package).collect::<String>()).unwrap()
    }

    fn moves(
        old: &[(&str, &str)],
        new: &[(&str, &str)],
    ) -> Vec<(String, Option<String>, Option<String>)> {
        let moves = lock(old).moves_to(&lock(new));
        moves.iter().map(Move::shown).map(|moved| (moved.name, moved.from, moved.to)).collect()
    }

    fn moved(name: &str, from: &str, to: &str) -> (String, Option<String>, Option<String>) {
        let version = |text: &str| (!text.is_empty()).then(|| text.to_string());
        (name.into(), version(from), version(to))
    }

    #[test]
    fn a_package_that_left_and_one_that_came_are_one_move() {
        assert_eq!(moves(&[("a", "1.0.0")], &[("a", "2.0.0")]), [moved("a", "1.0.0", "2.0.0")]);
        assert_eq!(moves(&[("a", "1.0.0")], &[("a", "1.0.0")]), []);
        let added = moves(&[("a", "1.0.0")], &[("a", "1.0.1"), ("b", "1.0.0")]);
        assert_eq!(added, [moved("a", "1.0.0", "1.0.1"), moved("b", "", "1.0.0")]);
    }

    #[test]
    fn two_versions_of_a_package_move_each_in_its_own_range() {
        let old = [("a", "0.4.1"), ("a", "1.0.0")];
        let new = [("a", "0.4.2"), ("a", "1.0.1")];
        assert_eq!(moves(&old, &new), [moved("a", "0.4.1", "0.4.2"), moved("a", "1.0.0", "1.0.1")]);
        let one_left = [moved("a", "0.4.1", ""), moved("a", "1.0.0", "1.0.1")];
        let mut seen = moves(&old, &[("a", "1.0.1")]);
        seen.sort();
        assert_eq!(seen, one_left);
    }

    #[test]
    fn versions_are_compatible_up_to_their_first_number() {
        let compatible = |a: &str, b: &str| compatible(&a.parse().unwrap(), &b.parse().unwrap());
        assert!(compatible("1.0.0", "1.9.0") && compatible("0.4.1", "0.4.9"));
        assert!(!compatible("0.4.1", "0.5.0") && !compatible("0.0.1", "0.0.2"));
    }

    #[test]
    fn who_depends_on_a_package_is_found_over_others() {
        let text = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\ndependencies = [\"b 1.0.0 (registry+x)\"]\n\
                    [[package]]\nname = \"b\"\nversion = \"1.0.0\"\ndependencies = [\"c\", \"d 1.0.0\"]\n\
                    [[package]]\nname = \"c\"\nversion = \"1.0.0\"\n\
                    [[package]]\nname = \"d\"\nversion = \"1.0.0\"\n";
        let of = |names: &[&str]| {
            let names = names.iter().map(|it| (*it).to_owned()).collect();
            dependents(text, &names).unwrap().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(of(&["d"]), ["a", "b"]);
        assert_eq!(of(&["b"]), ["a"]);
        assert_eq!(of(&["b", "c"]), ["a", "b"], "what moves and depends on what moves");
        assert!(of(&["a"]).is_empty());
    }
}
