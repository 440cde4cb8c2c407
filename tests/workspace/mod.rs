//! A client and two versions of its dependency `dep` on disk, and runs of the tool on them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

/// Three packages: `client`, which depends on `old`, and `new`.
pub struct Workspace {
    _directory: TempDir,
    pub root: PathBuf,
}

/// What came of a run.
pub struct Run {
    pub code: Option<i32>,
    /// Stdout, with the workspace's own path left out.
    pub report: String,
    pub errors: String,
}

impl Workspace {
    pub fn new() -> Workspace {
        let directory = TempDir::new().unwrap();
        let root = directory.path().canonicalize().unwrap();
        Workspace { _directory: directory, root }
    }

    /// `rest` is put at the end of the manifest.
    pub fn write_package(&self, directory: &str, name: &str, version: &str, rest: &str) {
        // A package of its own, whatever lies above.
        let manifest = format!(
            "[workspace]\n\n[package]\nname = \"{name}\"\nversion = \"{version}\"\n\
             edition = \"2024\"\n\n{rest}"
        );
        self.write(&format!("{directory}/Cargo.toml"), &manifest);
    }

    pub fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Judges the upgrade from `old` to `new`.
    pub fn check(&self) -> Run {
        self.cse(&["check", "dep", "--to", "path:../new"])
    }

    /// `cargo cse`, in the client.
    pub fn cse(&self, arguments: &[&str]) -> Run {
        self.cse_with(arguments, &[])
    }

    /// The same, with more in the environment.
    pub fn cse_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-cse"))
            .arg("cse")
            .args(arguments)
            .env_remove("CARGO_CSE_LOG")
            .envs(environment.iter().copied())
            .args(["--offline", "--color", "never"])
            .current_dir(self.root.join("client"))
            .output()
            .unwrap();
        let text = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            without_hashes(&text.replace(&*self.root.to_string_lossy(), "[ROOT]"))
        };
        Run {
            code: output.status.code(),
            report: text(&output.stdout),
            errors: text(&output.stderr),
        }
    }
}

/// The names of kept tests end in a hash of where their versions are, which no two runs share.
fn without_hashes(text: &str) -> String {
    let stable = |line: &str| match line.contains("kept as target/cse/tests/") {
        true => match line.rsplit_once('-') {
            Some((name, _)) => format!("{name}-[HASH]"),
            None => line.to_owned(),
        },
        false => line.to_owned(),
    };
    text.split('\n').map(stable).collect::<Vec<_>>().join("\n")
}

impl Run {
    /// The verdict that the exit code stands for.
    pub fn verdict(&self) -> &'static str {
        match self.code {
            Some(0) => "equivalent",
            Some(100) => "different",
            Some(102) => "unknown",
            _ => "none",
        }
    }
}
