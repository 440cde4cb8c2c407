//! Whether code that is not Rust moves with an upgrade: what the linker is given, and what lies where it
//! looks.
//!
//! A build script matters only through what it says, which is part of what the linker is given, and
//! through the files in its output directory. Cargo names that directory after all that the script was
//! built from: another name may hold the same, the same name holds the same.

use std::fs;
use std::path::Path;

use cargo_metadata::BuildScript;
use cargo_metadata::camino::{Utf8Path, Utf8PathBuf};

use crate::cfa::Program;
use crate::version::Both;

/// Where the system keeps libraries. No build script writes there.
const LIBRARIES_OF_THE_SYSTEM: &[&str] =
    &["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store"];

/// The build scripts that ran for one side, for whatever part of the build.
#[derive(Default)]
pub struct Scripts {
    scripts: Vec<Script>,
    /// What they have written may be the other side's by now.
    pub overwritten: bool,
}

struct Script {
    package: String,
    directory: Utf8PathBuf,
    /// Where it says that libraries are.
    searched: Vec<String>,
    /// What it sets in the environment of the compiler, and so of the linker. Of the client's own
    /// scripts only: it is set for their package, and the client is what is linked.
    environment: Vec<String>,
}

impl Scripts {
    pub fn add(&mut self, package: String, is_client: bool, said: BuildScript) {
        let set = said.env.into_iter().filter(|_| is_client);
        self.scripts.push(Script {
            package,
            directory: said.out_dir,
            searched: said.linked_paths.into_iter().map(Utf8PathBuf::into_string).collect(),
            environment: set.map(|(name, value)| format!("{name}={value}")).collect(),
        });
    }

    fn has(&self, directory: &Utf8Path) -> bool {
        self.scripts.iter().any(|script| script.directory == directory)
    }

    fn environment(&self) -> Vec<String> {
        let mut set: Vec<&Script> = self.scripts.iter().collect();
        set.sort_by_key(|script| (&script.package, &script.environment));
        set.into_iter().flat_map(|script| script.environment.iter().cloned()).collect()
    }

    /// A text with the names of packages for the output directories of their scripts, and those
    /// directories in their order. What only begins like one of them is none.
    fn described(&self, text: &str) -> Described {
        let mut described = Described { text: String::new(), directories: Vec::new() };
        let mut rest = text;
        while !rest.is_empty() {
            let found = self.scripts.iter().find(|script| {
                let after = rest.strip_prefix(script.directory.as_str());
                after.is_some_and(|after| after.is_empty() || after.starts_with(['/', ',', ':']))
            });
            let taken = match found {
                Some(script) => {
                    described.text.push_str(&format!("<{}>", script.package));
                    described.directories.push(script.directory.clone());
                    script.directory.as_str().len()
                }
                None => {
                    let first = rest.chars().next().expect("it is not empty");
                    described.text.push(first);
                    first.len_utf8()
                }
            };
            rest = &rest[taken..];
        }
        described
    }
}

struct Described {
    text: String,
    directories: Vec<Utf8PathBuf>,
}

/// Whether a target may be linked with other foreign code on the new side. Errs towards yes: files are
/// the same only if their bytes are, and of what lies outside of output directories only the system's
/// own libraries are the same where another script has named them.
pub fn foreign_code_moves(programs: &Both<&Program>, scripts: &Both<&Scripts>) -> bool {
    let Both { old, new } = programs;
    let compared = Compared { scripts };
    let libraries = Both::new(&old.linking.libraries, &new.linking.libraries);
    let searched = Both::new(&old.linking.searched, &new.linking.searched);
    let arguments = Both::new(&old.linking.arguments, &new.linking.arguments);
    let environment = scripts.map(Scripts::environment);
    old.assembly != new.assembly
        || !compared.are_same(libraries, |it| !it.contains('/') || compared.all_are_twins())
        || !compared.are_same(searched, |path| compared.is_kept(path))
        || !compared.are_same(arguments, |_| compared.all_are_twins())
        || !compared.are_same(environment.as_ref(), |_| true)
}

struct Compared<'a> {
    scripts: &'a Both<&'a Scripts>,
}

impl Compared<'_> {
    /// Whether two lists say the same and lead to the same files. `is_kept` is asked about what leads
    /// to no output directory.
    fn are_same(&self, lists: Both<&Vec<String>>, is_kept: impl Fn(&str) -> bool) -> bool {
        let Both { old, new } = lists;
        let same = |(old, new): (&String, &String)| {
            let (before, after) =
                (self.scripts.old.described(old), self.scripts.new.described(new));
            let mut directories = before.directories.iter().zip(&after.directories);
            let leads_out = || before.text.contains("..") && !self.all_are_twins();
            before.text == after.text
                && match before.directories.is_empty() {
                    true => is_kept(old),
                    false => !leads_out() && directories.all(|(a, b)| self.hold_the_same(a, b)),
                }
        };
        old.len() == new.len() && old.iter().zip(new).all(same)
    }

    fn hold_the_same(&self, old: &Utf8Path, new: &Utf8Path) -> bool {
        let is_overwritten = self.scripts.iter().any(|it| it.overwritten);
        !is_overwritten && (old == new || is_same_tree(old.as_ref(), new.as_ref(), old, new))
    }

    /// Whether both sides have the very same run of a script.
    fn is_twin(&self, script: &Script) -> bool {
        self.scripts.iter().all(|it| it.has(&script.directory) && !it.overwritten)
    }

    fn all_are_twins(&self) -> bool {
        self.scripts.iter().flat_map(|it| &it.scripts).all(|it| self.is_twin(it))
    }

    /// Whether what lies at a search path that is in no output directory is the same on both sides, as
    /// far as scripts keep to where they may write.
    fn is_kept(&self, searched: &str) -> bool {
        let path = searched.split_once('=').map_or(searched, |(_, path)| path);
        let of_system = LIBRARIES_OF_THE_SYSTEM.iter().any(|it| Path::new(path).starts_with(it));
        let says = |script: &&Script| script.searched.iter().any(|it| it == searched);
        let scripts = || self.scripts.iter().flat_map(|it| &it.scripts);
        of_system && !path.contains("..")
            || self.all_are_twins()
            || scripts().any(|it| says(&it)) && scripts().filter(says).all(|it| self.is_twin(it))
    }
}

/// Whether all files in two output directories have the same bytes, but for the name of the directory
/// itself. Archives that only name their members, and links to elsewhere, are in doubt and so not the
/// same.
fn is_same_tree(old: &Path, new: &Path, old_root: &Utf8Path, new_root: &Utf8Path) -> bool {
    let names = |directory: &Path| {
        let entries = fs::read_dir(directory).ok()?;
        let names = entries.map(|entry| entry.map(|it| it.file_name()));
        let mut names = names.collect::<Result<Vec<_>, _>>().ok()?;
        names.sort();
        Some(names)
    };
    let (Some(names), Some(others)) = (names(old), names(new)) else {
        return false;
    };
    names == others
        && names.iter().all(|name| {
            let (old, new) = (old.join(name), new.join(name));
            let kinds = [&old, &new].map(|it| it.symlink_metadata().ok().map(|it| it.file_type()));
            match kinds {
                [Some(a), Some(b)] if a.is_dir() && b.is_dir() => {
                    is_same_tree(&old, &new, old_root, new_root)
                }
                [Some(a), Some(b)] if a.is_file() && b.is_file() => {
                    is_same_file(&old, &new, old_root, new_root)
                }
                _ => false,
            }
        })
}

fn is_same_file(old: &Path, new: &Path, old_root: &Utf8Path, new_root: &Utf8Path) -> bool {
    let (Ok(old), Ok(new)) = (fs::read(old), fs::read(new)) else {
        return false;
    };
    let is_thin = old.starts_with(b"!<thin>");
    // Compilers write down where they were called.
    let same = old == new || without(&old, old_root.as_str()) == without(&new, new_root.as_str());
    same && !is_thin
}

/// What stands between the occurrences of a text.
fn without<'a>(bytes: &'a [u8], text: &str) -> Vec<&'a [u8]> {
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        if bytes[at..].starts_with(text.as_bytes()) {
            parts.push(&bytes[from..at]);
            at += text.len();
            from = at;
        } else {
            at += 1;
        }
    }
    parts.push(&bytes[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::Linking;

    fn script(package: &str, directory: &str, searched: &[&str]) -> Script {
        Script {
            package: package.to_owned(),
            directory: directory.into(),
            searched: searched.iter().map(|it| it.to_string()).collect(),
            environment: Vec::new(),
        }
    }

    fn scripts<const N: usize>(scripts: [Script; N]) -> Scripts {
        Scripts { scripts: scripts.into(), overwritten: false }
    }

    /// Whether foreign code moves between two sides that have only search paths.
    fn moves(searched: [&str; 2], old: &Scripts, new: &Scripts) -> bool {
        let program = |searched: &str| Program {
            linking: Linking { searched: vec![searched.to_owned()], ..Linking::default() },
            ..Program::default()
        };
        let programs = searched.map(program);
        foreign_code_moves(&Both::new(&programs[0], &programs[1]), &Both::new(old, new))
    }

    /// Two output directories with a file each.
    fn directories(contents: [&[u8]; 2]) -> (tempfile::TempDir, [String; 2]) {
        let directory = tempfile::tempdir().unwrap();
        let roots = ["a/out", "b/out"].map(|it| directory.path().join(it));
        for (root, content) in roots.iter().zip(contents) {
            fs::create_dir_all(root.join("lib")).unwrap();
            fs::write(root.join("lib/libn.a"), content).unwrap();
        }
        (directory, roots.map(|it| it.to_str().unwrap().to_owned()))
    }

    fn moves_between([old, new]: &[String; 2]) -> bool {
        let searched = [old, new].map(|it| format!("native={it}/lib"));
        let sides = [old, new].map(|it| scripts([script("n", it, &[])]));
        moves(searched.each_ref().map(String::as_str), &sides[0], &sides[1])
    }

    #[test]
    fn output_directories_are_compared_by_all_that_is_in_them() {
        let (_directory, roots) = directories([b"!<arch>\n1", b"!<arch>\n1"]);
        assert!(!moves_between(&roots));
        fs::write(format!("{}/other", roots[1]), "").unwrap();
        assert!(moves_between(&roots), "it holds one more file");
        fs::write(format!("{}/other", roots[0]), "").unwrap();
        assert!(!moves_between(&roots));
        let (_directory, roots) = directories([b"!<arch>\n1", b"!<arch>\n2"]);
        assert!(moves_between(&roots));
        let (_directory, roots) = directories([b"!<thin>\n1", b"!<thin>\n1"]);
        assert!(moves_between(&roots), "its members are elsewhere");
    }

    #[test]
    fn files_may_say_where_they_were_made() {
        let (_directory, roots) = directories([b"", b""]);
        for root in &roots {
            fs::write(format!("{root}/lib/libn.a"), format!("1 {root} 2 {root}/x")).unwrap();
        }
        assert!(!moves_between(&roots));
        let [old, new] = &roots;
        fs::write(format!("{new}/lib/libn.a"), format!("1 {new} 2 {old}/x")).unwrap();
        assert!(moves_between(&roots), "one leads to the other side's");
    }

    #[test]
    fn links_in_an_output_directory_are_in_doubt() {
        let (_directory, roots) = directories([b"", b""]);
        for root in &roots {
            std::os::unix::fs::symlink("/x/libm.a", format!("{root}/lib/libm.a")).unwrap();
        }
        assert!(moves_between(&roots));
    }

    #[test]
    fn what_was_overwritten_is_in_doubt() {
        let (_directory, roots) = directories([b"1", b"1"]);
        let searched = format!("native={}", roots[0]);
        let mut side = scripts([script("n", &roots[0], &[&searched])]);
        assert!(!moves([&searched, &searched], &side, &side));
        side.overwritten = true;
        assert!(moves([&searched, &searched], &side, &side));
    }

    #[test]
    fn a_path_elsewhere_is_the_same_if_the_same_run_of_a_script_says_it() {
        let same = ["native=/x/y", "native=/x/y"];
        let said = ["native=/x/y"];
        let of = |a: &str, b: &str| scripts([script("a", a, &said), script("b", b, &[])]);
        assert!(!moves(same, &of("/a1/out", "/b1/out"), &of("/a1/out", "/b2/out")));
        assert!(moves(same, &of("/a1/out", "/b1/out"), &of("/a2/out", "/b1/out")));
        assert!(moves(["native=/x/y", "native=/x/z"], &scripts([]), &scripts([])));
        let system = ["native=/usr/lib/x86_64-linux-gnu"; 2];
        let of = |directory: &str| scripts([script("a", directory, &system)]);
        assert!(!moves(system, &of("/a1/out"), &of("/a2/out")));
        let above = ["native=/usr/lib/../../x"; 2];
        assert!(moves(above, &of("/a1/out"), &of("/a2/out")));
    }

    #[test]
    fn what_only_begins_like_an_output_directory_is_none() {
        let side = scripts([script("n", "/a/out", &[])]);
        let described = side.described("native=/a/out2/a/out,/a/out/x");
        assert_eq!(described.text, "native=/a/out2<n>,<n>/x");
        assert_eq!(described.directories.len(), 2);
    }
}
