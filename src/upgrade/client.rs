//! The user's workspace, the packages selected, and the private directory.

use std::{
    collections::BTreeSet,
    env,
    fs::{self, File, TryLockError},
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

use cargo_metadata::{Metadata, Package, PackageId, Target};

use super::{failure, files, lockfile::Lock, side::BuildSide, usage::Usage};
use crate::{
    cargo::{BuildDirectory, BuildOptions, Cargo, CargoOptions, PLACE_PREFIX},
    error::Error,
    interrupt,
};

/// The workspace that the upgrades are checked for.
#[derive(Debug)]
pub struct Client {
    /// The packages to check, in the order of the workspace.
    pub packages: Vec<ClientPackage>,
    pub workspace_root: PathBuf,
    /// The manifest that cargo would choose: `--manifest-path`, or the nearest one.
    pub manifest_path: PathBuf,
    pub target_dir: PathBuf,
    /// `target/cse`, where everything of ours is.
    pub private: PathBuf,
    /// Where cargo works for us.
    pub place: BuildDirectory,
    /// The workspace as it is locked now.
    pub metadata: Metadata,
    /// The user's workspace with the locked versions.
    pub base: BuildSide,
    /// The user's Cargo.lock when the run began. None: there is none.
    pub user_lock: Option<String>,
    pub(super) lock: Lock,
    pub(super) lock_text: String,
    /// Of everything that decides which packages are in the client's build as it is locked now.
    pub(super) fingerprint: String,
    /// Keeps a second run in this workspace waiting.
    _turn: File,
}

#[derive(Clone, Debug)]
pub struct ClientPackage {
    pub id: PackageId,
    pub name: String,
    pub version: String,
    pub manifest_path: PathBuf,
    pub targets: Vec<Target>,
}

impl Client {
    /// Where the source of a dependency is kept, as its manifest says.
    pub fn repository_of(&self, dependency: &str) -> Option<&str> {
        let package = self.metadata.packages.iter().find(|it| it.name.as_str() == dependency)?;
        package.repository.as_deref()
    }

    /// How many packages the client is built from, itself included. Errs towards too many.
    pub fn built_packages(&self) -> usize {
        Usage::of(&self.metadata, self).len()
    }

    pub fn open(cargo: &Cargo) -> Result<Client, Error> {
        // Cargo is asked for the configuration meanwhile.
        let shallow = thread::scope(|scope| {
            scope.spawn(|| cargo.configured());
            workspace(cargo)
        })?;
        let target_dir = match &cargo.options.target_dir {
            Some(directory) => absolute(directory)?,
            None => shallow.target_directory.clone().into_std_path_buf(),
        };
        let private = target_dir.join("cse");
        files::create_directory(&private)?;
        let turn = wait_for_turn(&private)?;
        let place = cargo.place(&private);
        remove_others(&private, &place);
        for directory in [&place.target, &place.programs] {
            files::create_directory(directory)?;
        }

        let workspace_root = shallow.workspace_root.clone().into_std_path_buf();
        let user_lock = read_lock(&workspace_root.join("Cargo.lock"))?;
        let lockfile = private.join("locks/base/Cargo.lock");
        match &user_lock {
            Some(text) => files::write_if_changed(&lockfile, text)?,
            None => {
                files::create_directory(lockfile.parent().unwrap_or(&private))?;
                let _ = fs::remove_file(&lockfile);
            }
        }
        let base = BuildSide {
            manifest_path: current_manifest(&shallow),
            lockfile,
            config: Vec::new(),
            manifests: Vec::new(),
        };
        let mut command = cargo.command_in(&place, "metadata");
        if cargo.options.locked {
            command.arg("--locked");
        }
        let json = read_metadata(cargo, command, &base)?;
        let metadata = parse_metadata(&json)?;
        let lock_text = read_lock(&base.lockfile)?.unwrap_or_default();
        let lock = parse_lock(&base.lockfile, &lock_text)?;
        let packages = select(cargo, &metadata, &shallow)?;
        let ids: Vec<_> = packages.iter().map(|package| &package.id).collect();
        let CargoOptions { build, target, .. } = &cargo.options;
        let BuildOptions { features, all_features, no_default_features, .. } = build;
        let features = (features, all_features, no_default_features);
        let selection = format!("{:?}", (ids, features, target, &cargo.configured().targets));
        Ok(Client {
            packages,
            workspace_root,
            manifest_path: base.manifest_path.clone(),
            target_dir,
            private,
            place,
            metadata,
            base,
            user_lock,
            lock,
            lock_text,
            fingerprint: files::fingerprint([&json[..], selection.as_bytes()]),
            _turn: turn,
        })
    }

    /// The packages of the workspace, and those in its directory that members depend on by path.
    pub(super) fn own_packages(&self) -> impl Iterator<Item = &Package> {
        self.metadata.packages.iter().filter(|package| {
            self.metadata.workspace_members.contains(&package.id)
                || package.source.is_none()
                    && package.manifest_path.as_std_path().starts_with(&self.workspace_root)
        })
    }

    /// The names and versions that the selected packages depend on directly.
    pub(super) fn direct(&self) -> BTreeSet<(String, String)> {
        let Some(resolve) = &self.metadata.resolve else {
            return BTreeSet::new();
        };
        let selected = |id: &PackageId| self.packages.iter().any(|package| package.id == *id);
        let nodes = resolve.nodes.iter().filter(|node| selected(&node.id));
        let ids: BTreeSet<_> = nodes.flat_map(|node| &node.dependencies).collect();
        let direct = self.metadata.packages.iter().filter(|package| ids.contains(&package.id));
        direct.map(|package| (package.name.to_string(), package.version.to_string())).collect()
    }

    /// The whole graph of a side, with the platforms and features of the client's build.
    pub(super) fn metadata_of(&self, cargo: &Cargo, side: &BuildSide) -> Result<Metadata, Error> {
        let command = cargo.command_in(&self.place, "metadata");
        parse_metadata(&read_metadata(cargo, command, side)?)
    }
}

pub(super) fn parse_lock(path: &Path, text: &str) -> Result<Lock, Error> {
    Lock::parse(text).map_err(|error| Error::CargoFailed {
        what: format!("write {}", path.display()),
        detail: error.to_string(),
    })
}

/// Without dependencies: this needs no lock file, and tells where the private one can be.
fn workspace(cargo: &Cargo) -> Result<Metadata, Error> {
    let mut command = cargo.command("metadata");
    command.args(["--format-version", "1", "--no-deps"]);
    if let Some(path) = &cargo.options.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    let output = cargo.run(command)?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(failure::of_workspace(&stderr));
    }
    parse_metadata(&output.stdout)
}

/// The manifest that cargo works from, as cargo spells it: the package here, or the root.
fn current_manifest(shallow: &Metadata) -> PathBuf {
    match shallow.workspace_default_packages().as_slice() {
        [package] => package.manifest_path.clone().into_std_path_buf(),
        _ => shallow.workspace_root.join("Cargo.toml").into_std_path_buf(),
    }
}

fn read_metadata(cargo: &Cargo, mut command: Command, side: &BuildSide) -> Result<Vec<u8>, Error> {
    command.args(["--format-version", "1"]);
    side.apply(&mut command);
    // Build scripts and procedural macros are built for the host.
    command.args(["--filter-platform", &cargo.toolchain.host]);
    let targets = match &cargo.options.target {
        Some(target) => std::slice::from_ref(target),
        None => &cargo.configured().targets,
    };
    for target in targets.iter().filter(|target| **target != cargo.toolchain.host) {
        command.args(["--filter-platform", target]);
    }
    let build = &cargo.options.build;
    if build.all_features {
        command.arg("--all-features");
    }
    if build.no_default_features {
        command.arg("--no-default-features");
    }
    for feature in &build.features {
        command.args(["--features", feature]);
    }
    side.enter()?;
    let output = cargo.run(command)?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(failure::of_loading("load the dependencies", &stderr));
    }
    Ok(output.stdout)
}

fn parse_metadata(json: &[u8]) -> Result<Metadata, Error> {
    serde_json::from_slice(json).map_err(|error| Error::CargoFailed {
        what: "describe the workspace".into(),
        detail: error.to_string(),
    })
}

fn select(
    cargo: &Cargo,
    metadata: &Metadata,
    shallow: &Metadata,
) -> Result<Vec<ClientPackage>, Error> {
    let selection = &cargo.options.packages;
    let members: Vec<_> = metadata.workspace_packages();
    let matches = |spec: &str, package: &Package| {
        let (name, version) =
            match spec.rsplit_once('#').unwrap_or(("", spec)).1.split_once(['@', ':']) {
                Some((name, version)) => (name, Some(version)),
                None => (spec, None),
            };
        spec == package.id.repr
            || name == package.name.as_str()
                && version.is_none_or(|version| version == package.version.to_string())
    };
    for spec in selection.named.iter().chain(&selection.excluded) {
        if !members.iter().any(|package| matches(spec, package)) {
            return Err(Error::NoSuchPackage {
                package: spec.clone(),
                members: members.iter().map(|package| package.name.to_string()).collect(),
            });
        }
    }
    let is_selected = |package: &&&Package| {
        let excluded = selection.excluded.iter().any(|spec| matches(spec, package));
        let named = selection.named.iter().any(|spec| matches(spec, package));
        let default = shallow.workspace_default_members.contains(&package.id);
        !excluded && if selection.named.is_empty() { default || selection.all } else { named }
    };
    let client = |package: &&Package| ClientPackage {
        id: package.id.clone(),
        name: package.name.to_string(),
        version: package.version.to_string(),
        manifest_path: package.manifest_path.clone().into_std_path_buf(),
        targets: package.targets.clone(),
    };
    Ok(members.iter().filter(is_selected).map(client).collect())
}

fn wait_for_turn(private: &Path) -> Result<File, Error> {
    let path = private.join(".lock");
    let failed = |source| files::failed(&path, source);
    let file =
        File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
    let mut said = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {}
            // Some network file systems have no locks; cargo goes on without, too.
            Err(TryLockError::Error(source)) if source.kind() == ErrorKind::Unsupported => {
                return Ok(file);
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        if !said {
            anstream::eprintln!("waiting for another cargo cse in this workspace");
            said = true;
        }
        interrupt::check()?;
        thread::sleep(Duration::from_millis(50));
    }
}

/// What earlier versions of the tool built is of no use any more.
fn remove_others(private: &Path, place: &BuildDirectory) {
    for entry in fs::read_dir(private).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_a_place = entry.file_name().to_string_lossy().starts_with(PLACE_PREFIX);
        if is_a_place && !place.target.starts_with(&path) {
            // What cannot be removed does no harm.
            let _ = fs::remove_dir_all(path);
        }
    }
}

pub(super) fn read_lock(path: &Path) -> Result<Option<String>, Error> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => {
            Err(Error::Io { context: format!("cannot read {}", path.display()), source })
        }
    }
}

pub(super) fn absolute(path: &Path) -> Result<PathBuf, Error> {
    let path = env::current_dir().map(|directory| directory.join(path));
    path.map_err(|source| Error::Io { context: "cannot find the current directory".into(), source })
}
