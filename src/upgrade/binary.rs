//! A side with one more binary in one of the client's packages: it is built as the client's own
//! binaries are, with the same lock file, profile, features and patches.

use std::path::Path;

use super::{client::Client, manifest::Manifest, mirror::Mirror, side::BuildSide};
use crate::error::Error;

/// The side in the mirror, where the package with this manifest has the binary. `package` is the
/// user's own manifest, `source` the binary's root file.
pub fn with_binary(
    client: &Client,
    side: &BuildSide,
    package: &Path,
    name: &str,
    source: &Path,
) -> Result<BuildSide, Error> {
    let mirror = Mirror::of(client);
    mirror.link()?;
    let mut manifests = match side.manifests.is_empty() {
        true => mirror.manifests(None)?.0,
        false => side.manifests.clone(),
    };
    let manifest_path = mirror.twin(package);
    for (path, text) in manifests.iter_mut().filter(|(path, _)| *path == manifest_path) {
        let mut manifest = Manifest::parse(path, text)
            .map_err(|error| Error::BrokenManifest { detail: error.to_string() })?;
        manifest.add_binary(name, source);
        *text = manifest.text();
    }
    Ok(BuildSide { manifest_path, manifests, ..side.clone() })
}
