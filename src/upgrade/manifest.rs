//! Edits of one Cargo.toml, for versions that it does not allow.

use std::path::{Component, Path, PathBuf};

use semver::{Version, VersionReq};
use toml_edit::{Array, DocumentMut, Item, TableLike, TomlError, value};

use super::lockfile::Locked;

/// What the manifests of a side say otherwise than the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestChange {
    /// The dependency as it is locked: this tells which entries are meant.
    pub locked: Locked,
    pub to: Replacement,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Entries with a requirement that this version does not meet ask for it exactly.
    Requirement(Version),
    /// Every entry that means the dependency asks for this version exactly.
    Pin(Version),
    /// Entries with a path or git repository name this source instead.
    Registry(Version),
    Path(PathBuf),
    /// The repository, and `rev`, `tag` or `branch` with its value.
    Git(String, Option<(String, String)>),
}

/// One of the user's manifests, to be written elsewhere.
pub struct Manifest {
    directory: PathBuf,
    document: DocumentMut,
}

impl Manifest {
    pub fn parse(path: &Path, text: &str) -> Result<Manifest, TomlError> {
        let directory = path.parent().unwrap_or(Path::new("/")).to_path_buf();
        Ok(Manifest { directory, document: text.parse()? })
    }

    pub fn text(&self) -> String {
        self.document.to_string()
    }

    /// Applies the change to every entry it concerns, and says how many.
    pub fn apply(&mut self, change: &ManifestChange) -> usize {
        let mut edited = 0;
        for table in dependency_tables(&mut self.document) {
            for (key, entry) in table.iter_mut() {
                if package_name(key.get(), entry) == change.locked.name {
                    edited += usize::from(edit(entry, change));
                }
            }
        }
        edited
    }

    /// Lets every path that leaves the mirrored directories lead where it leads now. `mirrored` says
    /// where a directory is in the mirror, if it is there.
    pub fn redirect_paths(&mut self, mirrored: impl Fn(&Path) -> Option<PathBuf>) {
        let directory = self.directory.clone();
        let redirect = |item: &mut Item| {
            let Some(path) = item.as_str().map(PathBuf::from) else {
                return;
            };
            let real = normal(&directory.join(&path));
            match mirrored(&real) {
                Some(_) if path.is_relative() => {}
                Some(twin) => *item = value(twin.to_string_lossy().into_owned()),
                None => *item = value(real.to_string_lossy().into_owned()),
            }
        };
        for table in dependency_tables(&mut self.document) {
            for (_, entry) in table.iter_mut() {
                if let Some(path) =
                    entry.as_table_like_mut().and_then(|entry| entry.get_mut("path"))
                {
                    redirect(path);
                }
            }
        }
        // Source files are reached through links, unless their path climbs out by its own text.
        let climbs = |item: &Item| item.as_str().is_some_and(|path| path.starts_with(".."));
        let mut sources: Vec<&mut Item> = Vec::new();
        for (key, item) in self.document.iter_mut() {
            match (key.get(), item) {
                ("package", package) => {
                    sources.extend(
                        package.as_table_like_mut().and_then(|table| table.get_mut("build")),
                    );
                }
                ("lib", library) => {
                    sources.extend(
                        library.as_table_like_mut().and_then(|table| table.get_mut("path")),
                    );
                }
                ("bin", Item::ArrayOfTables(binaries)) => {
                    sources.extend(binaries.iter_mut().filter_map(|table| table.get_mut("path")));
                }
                _ => {}
            }
        }
        sources.into_iter().filter(|item| climbs(item)).for_each(|item| {
            let real = normal(&directory.join(item.as_str().unwrap_or_default()));
            *item = value(real.to_string_lossy().into_owned());
        });
    }

    /// Adds a binary that is in this file. Lints are the user's opinion of the user's own code.
    pub fn add_binary(&mut self, name: &str, source: &Path) {
        let mut binary = toml_edit::Table::new();
        binary.insert("name", value(name));
        binary.insert("path", value(source.to_string_lossy().into_owned()));
        binary.insert("test", value(false));
        binary.insert("doc", value(false));
        let binaries = self.document.entry("bin").or_insert(toml_edit::array());
        if let Some(binaries) = binaries.as_array_of_tables_mut() {
            binaries.push(binary);
        } else if let Some(binaries) = binaries.as_array_mut() {
            binaries.push(binary.into_inline_table());
        }
        self.document.remove("lints");
    }

    /// Makes this the root of the workspace; `members`, if given, are its only ones.
    pub fn make_root(&mut self, members: Option<&[String]>) {
        let workspace = self.document.entry("workspace").or_insert(toml_edit::table());
        let Some(workspace) = workspace.as_table_like_mut() else {
            return;
        };
        if let Some(members) = members {
            workspace.insert("members", value(members.iter().collect::<Array>()));
            workspace.remove("default-members");
        }
    }
}

/// The path without `.` and `..`, by its text alone, as cargo does it.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    normal
}

fn edit(entry: &mut Item, change: &ManifestChange) -> bool {
    let entry_is = |key: &str| entry.get(key).is_some();
    let replaces_source = match change.to {
        Replacement::Requirement(_) | Replacement::Pin(_) => false,
        _ => match change.locked.git_url() {
            Some(url) => {
                entry.get("git").and_then(Item::as_str).is_some_and(|git| same_url(git, url))
            }
            None => entry_is("path"),
        },
    };
    let requirement = entry.as_str().or(entry.get("version").and_then(Item::as_str));
    let requirement = requirement.and_then(|text| VersionReq::parse(text).ok());
    let exact = |version: &Version| value(format!("={version}"));
    let meant = requirement.as_ref().is_some_and(|it| it.matches(&change.locked.version));
    match (&change.to, requirement) {
        (Replacement::Requirement(version) | Replacement::Pin(version), Some(requirement)) => {
            let pinned = matches!(change.to, Replacement::Pin(_));
            if !meant || !pinned && requirement.matches(version) {
                return false;
            }
            match entry.as_table_like_mut() {
                Some(table) => {
                    table.insert("version", exact(version));
                }
                None => *entry = exact(version),
            }
            true
        }
        _ if !replaces_source => false,
        (to, _) => {
            let Some(table) = entry.as_table_like_mut() else {
                return false;
            };
            for key in ["version", "path", "git", "branch", "tag", "rev"] {
                table.remove(key);
            }
            match to {
                Replacement::Requirement(_) | Replacement::Pin(_) => {}
                Replacement::Registry(version) => {
                    table.insert("version", exact(version));
                }
                Replacement::Path(directory) => {
                    table.insert("path", value(directory.to_string_lossy().into_owned()));
                }
                Replacement::Git(url, reference) => {
                    table.insert("git", value(url));
                    if let Some((kind, name)) = reference {
                        table.insert(kind, value(name));
                    }
                }
            }
            true
        }
    }
}

pub fn same_url(a: &str, b: &str) -> bool {
    let plain = |url: &str| url.trim_end_matches('/').trim_end_matches(".git").to_lowercase();
    plain(a) == plain(b)
}

/// The package that an entry names: its key, unless it is renamed.
fn package_name(key: &str, entry: &Item) -> String {
    entry.get("package").and_then(Item::as_str).unwrap_or(key).to_string()
}

/// Every table of a manifest whose entries are dependencies, patches included.
fn dependency_tables(document: &mut DocumentMut) -> Vec<&mut dyn TableLike> {
    const KINDS: &[&str] = &[
        "dependencies",
        "dev-dependencies",
        "dev_dependencies",
        "build-dependencies",
        "build_dependencies",
        "replace",
    ];
    let mut tables: Vec<&mut dyn TableLike> = Vec::new();
    for (key, item) in document.iter_mut() {
        let Some(table) = item.as_table_like_mut() else {
            continue;
        };
        match key.get() {
            kind if KINDS.contains(&kind) => tables.push(table),
            "workspace" => {
                tables.extend(table.get_mut("dependencies").and_then(Item::as_table_like_mut));
            }
            "patch" => {
                let sources = table.iter_mut().map(|(_, source)| source);
                tables.extend(sources.filter_map(Item::as_table_like_mut));
            }
            "target" => {
                let platforms = table.iter_mut().map(|(_, platform)| platform);
                for platform in platforms.filter_map(Item::as_table_like_mut) {
                    let kinds = platform.iter_mut().filter(|(key, _)| KINDS.contains(&key.get()));
                    tables.extend(kinds.filter_map(|(_, kind)| kind.as_table_like_mut()));
                }
            }
            _ => {}
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked(version: &str, source: Option<&str>) -> Locked {
        Locked {
            name: "dep".into(),
            version: version.parse().unwrap(),
            source: source.map(Into::into),
        }
    }

    fn edited(text: &str, locked: Locked, to: Replacement) -> String {
        let mut manifest = Manifest::parse(Path::new("/w/Cargo.toml"), text).unwrap();
        manifest.apply(&ManifestChange { locked, to });
        manifest.text()
    }

    #[test]
    fn every_entry_that_forbids_the_version_asks_for_it_exactly() {
        let text = r#"
[dependencies]
dep = "=1.0.5"
other = "1"
[build-dependencies]
dep = { version = "=1.0.5", features = ["x"] }
[target.'cfg(unix)'.dependencies]
renamed = { package = "dep", version = "=1.0.5" }
[workspace.dependencies.dep]
version = "1.0"
[dev-dependencies]
dep04 = { package = "dep", version = "0.4" }
"#;
        let to = Replacement::Requirement(Version::new(2, 0, 0));
        let expected = text.replace("\"=1.0.5\"", "\"=2.0.0\"").replace("\"1.0\"", "\"=2.0.0\"");
        assert_eq!(edited(text, locked("1.0.5", Some("registry+x")), to), expected);
    }

    #[test]
    fn a_path_entry_can_name_another_source() {
        let text =
            "[dependencies]\ndep = { path = \"../dep\", version = \"1\", optional = true }\n";
        let to = Replacement::Path("/new/dep".into());
        assert_eq!(
            edited(text, locked("1.0.0", None), to),
            "[dependencies]\ndep = { optional = true , path = \"/new/dep\" }\n"
        );
    }

    #[test]
    fn paths_that_leave_the_mirror_become_absolute() {
        let text = "[dependencies]\na = { path = \"../a\" }\nb = { path = \"b\" }\n[lib]\npath = \"../x.rs\"\n";
        let mut manifest = Manifest::parse(Path::new("/w/Cargo.toml"), text).unwrap();
        manifest.redirect_paths(|path| path.starts_with("/w").then(|| path.to_path_buf()));
        let expected = text.replace("\"../a\"", "\"/a\"").replace("\"../x.rs\"", "\"/x.rs\"");
        assert_eq!(manifest.text(), expected);
    }
}
