//! To another version from the registry.

use semver::Version;

use super::{
    client::{parse_lock, read_lock},
    failure, files,
    lockfile::{Lock, Locked, compatible},
    manifest::{ManifestChange, Replacement},
    request::Spec,
    resolve::{Resolved, Resolver},
};
use crate::error::Error;

/// How often packages that stand in the way are let go before a version is given up.
const ATTEMPTS: usize = 8;

impl Resolver<'_> {
    /// The dependency in the newest version that the manifest allows; asks the registry.
    pub fn newest(&self, start: &Resolved) -> Result<Resolved, Error> {
        let locked = &start.package;
        if locked.source.is_none() {
            return Ok(start.clone());
        }
        let update = |arguments: &[&str]| match self.update(&start.text, None, &[], arguments)? {
            Ok((text, stderr)) => Ok((self.moved(start, text, &arguments.join(" "))?, stderr)),
            Err(stderr) => Err(failure::of_moving(locked, None, &stderr)),
        };
        let (alone, stderr) = update(&["-v", "-p", &locked.spec()])?;
        // Cargo names a newer version behind the package that it left behind. A package that is tied
        // to others by exact requirements moves only together with them.
        let about = format!(" {} v", locked.name);
        let line = stderr.lines().find(|line| line.contains(&about));
        if !locked.is_registry() || line.is_some_and(|line| !line.contains("(available:")) {
            return Ok(alone);
        }
        let (together, _) = update(&["-p", &locked.spec(), "--recursive"])?;
        if together.package.version <= alone.package.version {
            return Ok(alone);
        }
        Ok(self.to_version(start, &together.package.version).unwrap_or(together))
    }

    /// All dependencies in the newest versions that the manifests allow.
    pub fn newest_of_all(&self) -> Result<(Lock, String), Error> {
        match self.update(&self.client.lock_text, None, &[], &[])? {
            Ok((text, _)) => Ok((parse_lock(&self.work_lock(), &text)?, text)),
            Err(stderr) => Err(failure::of_loading("update the lock file", &stderr)),
        }
    }

    pub fn to_version(&self, start: &Resolved, version: &Version) -> Result<Resolved, Error> {
        let locked = &start.package;
        let spec = Spec::Version(version.clone());
        if !locked.is_registry() {
            let change = ManifestChange {
                locked: locked.clone(),
                to: Replacement::Registry(version.clone()),
            };
            let found =
                |lock: &Lock| lock.named(&locked.name).find(|it| it.version == *version).cloned();
            return self.to_changed(start, &spec, change, None, found);
        }
        let package = Locked { version: version.clone(), ..locked.clone() };
        let change = self.widened(locked, version);
        let lockfile = self.place(start, &spec.to_string(), None)?;
        if let Some(text) = read_lock(&lockfile)?
            && parse_lock(&lockfile, &text)?.packages.contains(&package)
        {
            return self.finish(package, None, lockfile, text, change, Vec::new());
        }
        // An incompatible version stands beside the locked one, which others may still need.
        let precise = version.to_string();
        let moved = locked.spec();
        let arguments: &[&str] = match compatible(version, &locked.version) || change.is_none() {
            true => &["-p", &moved, "--precise", &precise],
            false => &["--workspace"],
        };
        let text = match self.update(&start.text, change.as_ref(), &[], arguments)? {
            Ok((text, _)) => text,
            Err(stderr) => self.let_go(start, version, change.as_ref(), stderr)?,
        };
        self.finish(package, None, lockfile, text, change, Vec::new())
    }

    /// Moves packages out of the way that only the lock file holds where they are.
    fn let_go(
        &self,
        start: &Resolved,
        version: &Version,
        change: Option<&ManifestChange>,
        mut stderr: String,
    ) -> Result<String, Error> {
        let locked = &start.package;
        let pin = ManifestChange { locked: locked.clone(), to: Replacement::Pin(version.clone()) };
        let error = failure::of_moving(locked, Some(&Spec::Version(version.clone())), &stderr);
        let change = change.unwrap_or(&pin);
        let mut free = vec![locked.clone()];
        if matches!(error, Error::Conflict { .. }) && self.mirrored(Some(change))?.1 > 0 {
            for _ in 0..ATTEMPTS {
                let held = failure::held_by_the_lock(&stderr);
                let held =
                    start.lock.packages.iter().filter(|package| held.contains(&package.name));
                let held: Vec<_> =
                    held.filter(|package| !free.contains(package)).cloned().collect();
                if held.is_empty() && free.len() > 1 {
                    break;
                }
                free.extend(held);
                let specs: Vec<_> = free.iter().map(Locked::spec).collect();
                let arguments: Vec<_> = specs.iter().flat_map(|spec| ["-p", spec]).collect();
                match self.update(&start.text, Some(change), &[], &arguments)? {
                    Ok((text, _)) => return Ok(text),
                    Err(again) => stderr = again,
                }
            }
        }
        Err(self.with_existing_versions(error))
    }

    /// Where the package of `start` is in a lock file made from it.
    pub fn moved(&self, start: &Resolved, text: String, key: &str) -> Result<Resolved, Error> {
        let lock = parse_lock(&self.work_lock(), &text)?;
        let moves = start.lock.moves_to(&lock);
        let moved = moves.into_iter().find(|moved| moved.from.as_ref() == Some(&start.package));
        let package = moved.and_then(|moved| moved.to).unwrap_or(start.package.clone());
        self.keep(start, package, text, key)
    }

    /// The change that lets the workspace's manifests accept a version. None: they do.
    pub fn widened(&self, locked: &Locked, version: &Version) -> Option<ManifestChange> {
        let requirements = self.client.own_packages().flat_map(|package| &package.dependencies);
        let forbids = requirements.filter(|it| it.name == locked.name).any(|it| {
            !it.req.comparators.is_empty()
                && it.req.matches(&locked.version)
                && !it.req.matches(version)
        });
        forbids.then(|| ManifestChange {
            locked: locked.clone(),
            to: Replacement::Requirement(version.clone()),
        })
    }

    /// Cargo names the versions there are when a requirement finds none of them.
    fn with_existing_versions(&self, error: Error) -> Error {
        let Error::NoSuchVersion { name, version, existing, detail } = error else {
            return error;
        };
        let existing = match existing.is_empty() {
            true => self.existing_versions(&name, &version).unwrap_or_default(),
            false => existing,
        };
        Error::NoSuchVersion { name, version, existing, detail }
    }

    fn existing_versions(&self, name: &str, version: &str) -> Result<Vec<String>, Error> {
        let directory = self.client.private.join("probe");
        let manifest = directory.join("Cargo.toml");
        let text = format!(
            "[package]\nname = \"probe\"\nversion = \"0.0.0\"\n[lib]\npath = \"lib.rs\"\n\
             [dependencies]\n{name} = \"={version}\"\n[workspace]\n"
        );
        files::write_if_changed(&manifest, &text)?;
        let mut command = self.cargo.command("generate-lockfile");
        command.arg("--manifest-path").arg(manifest);
        let output = self.cargo.run(command)?;
        Ok(failure::candidates(&String::from_utf8_lossy(&output.stderr)))
    }
}
