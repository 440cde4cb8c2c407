//! Whole files or nothing: a killed run leaves no file half-written.

use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::Path,
};

use tempfile::NamedTempFile;

use crate::error::Error;

/// Writes the file unless it has this content already, so that its time stays where it can.
pub fn write_if_changed(path: &Path, content: &str) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|bytes| bytes == content.as_bytes()) {
        return Ok(());
    }
    let directory = path.parent().unwrap_or(Path::new("/"));
    create_directory(directory)?;
    replace(path, content).map_err(|source| failed(path, source))
}

/// Puts a new file in the place of the old one, with the permissions of the old one.
pub fn replace(path: &Path, content: &str) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    let mut file = NamedTempFile::new_in(directory)?;
    file.write_all(content.as_bytes())?;
    match fs::metadata(path) {
        Ok(old) => file.as_file().set_permissions(old.permissions())?,
        Err(_) => file.as_file().set_permissions(new_file_permissions(directory)?)?,
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

pub fn create_directory(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|source| failed(path, source))
}

pub fn failed(path: &Path, source: io::Error) -> Error {
    match source.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Error::DiskFull { path: path.into() },
        _ => Error::NotWritable { path: path.into(), source },
    }
}

/// A temporary file is the user's alone; a lock file should be what a plain new file would be. The
/// umask cannot be asked for without setting it, but a new file tells.
fn new_file_permissions(directory: &Path) -> io::Result<fs::Permissions> {
    let probe = tempfile::Builder::new()
        .prefix(".cse-")
        .make_in(directory, |path| fs::File::create_new(path))?;
    Ok(probe.as_file().metadata()?.permissions())
}

/// A short name for content: the same whenever all parts are.
pub fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&part.len().to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().to_hex()[..16].to_owned()
}
