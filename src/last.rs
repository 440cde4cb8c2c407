//! Remembers what was checked last, so that `cargo cse show` needs only the function's name.

use std::fs;
use std::path::Path;

use crate::model::Checked;
use crate::upgrade::{Spec, UpgradeRequest};

const FILE: &str = "last";

/// One line an upgrade: name, old and new, `-` where the request left it open. Where nothing was
/// asked for by name, the upgrades that were found are remembered.
pub fn write(private: &Path, requests: &[UpgradeRequest], checked: &Checked<'_>) {
    let spec = |spec: &Option<Spec>| spec.as_ref().map_or("-".to_owned(), Spec::to_string);
    let line = |name: &str, from: &str, to: &str| format!("{name}\t{from}\t{to}\n");
    let text: String = match requests {
        [] => {
            let upgrades = checked.upgrades.iter().map(|(planned, _)| planned);
            upgrades.map(|it| line(&it.dependency, &it.from, &it.to)).collect()
        }
        requests => {
            requests.iter().map(|it| line(&it.name, &spec(&it.from), &spec(&it.to))).collect()
        }
    };
    // It is a convenience: a check that could not write it is still a check.
    let _ = fs::write(private.join(FILE), text);
}

pub fn read(private: &Path) -> Vec<UpgradeRequest> {
    let text = fs::read_to_string(private.join(FILE)).unwrap_or_default();
    let spec = |text: &str| text.parse::<Spec>().ok();
    text.lines()
        .filter_map(|line| {
            let mut parts = line.split('\t');
            let (name, from, to) = (parts.next()?, parts.next()?, parts.next()?);
            Some(UpgradeRequest { name: name.to_owned(), from: spec(from), to: spec(to) })
        })
        .collect()
}
