//! Whether the code keeps to the map in `src/lib.rs`: which module uses which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// What each module uses, by the names of modules.
type Uses = BTreeMap<String, BTreeSet<String>>;

#[test]
fn every_module_uses_only_what_the_map_allows() {
    let allowed = map();
    for (module, used) in uses() {
        let Some(allowed) = allowed.get(&module) else {
            panic!("`{module}` is not in the map of src/lib.rs");
        };
        let others: Vec<_> = used.difference(allowed).collect();
        assert!(others.is_empty(), "`{module}` uses {others:?}, which src/lib.rs does not allow");
    }
}

#[test]
fn the_map_names_no_use_that_is_not_made() {
    let used = uses();
    for (module, allowed) in map() {
        let unused: Vec<_> = match used.get(&module) {
            Some(used) => allowed.difference(used).collect(),
            None => panic!("src/lib.rs has `{module}` in its map, and there is none"),
        };
        assert!(unused.is_empty(), "src/lib.rs says that `{module}` uses {unused:?}");
    }
}

#[test]
fn only_reports_and_their_readers_know_the_json_schema() {
    for (path, file) in sources() {
        let module = module_of(&path);
        let mut found = Found::in_crate("crate");
        found.visit_file(&file);
        let knows = found.paths.iter().any(|it| it.starts_with("report::schema"));
        assert!(!knows || module == "report", "{} uses report::schema", path.display());
    }
}

/// The second block of text in the documentation of `src/lib.rs`: a module per line, with those that it
/// uses after a colon.
fn map() -> Uses {
    let source = fs::read_to_string(root().join("lib.rs")).unwrap();
    let lines = source.lines().filter_map(|line| line.strip_prefix("//!"));
    let blocks: Vec<&str> = lines
        .skip_while(|line| line.trim() != "# What uses what")
        .skip_while(|line| line.trim() != "```text")
        .skip(1)
        .take_while(|line| line.trim() != "```")
        .collect();
    let mut map = Uses::new();
    for line in blocks {
        let (module, used) = line.split_once(':').expect("a line has a module and a colon");
        let used: BTreeSet<String> = used.split_whitespace().map(str::to_owned).collect();
        for it in &used {
            assert!(map.contains_key(it), "`{}` uses `{it}`, which stands below it", module.trim());
        }
        map.insert(module.trim().to_owned(), used);
    }
    assert!(!map.is_empty(), "src/lib.rs has no map");
    map
}

fn uses() -> Uses {
    let mut uses = Uses::new();
    for (path, file) in sources() {
        let module = module_of(&path);
        if module == "lib" {
            continue;
        }
        // The binaries see the library from outside.
        let is_binary = module == "driver" || path.ends_with("main.rs");
        let mut found = Found::in_crate(if is_binary { "cargo_cse" } else { "crate" });
        found.visit_file(&file);
        let used = found.paths.iter().map(|path| path.split("::").next().unwrap_or(path));
        let used = used.filter(|it| *it != module).map(str::to_owned).collect::<Vec<_>>();
        uses.entry(module).or_default().extend(used);
    }
    uses
}

/// Paths below the root of a crate.
struct Found {
    root: &'static str,
    paths: BTreeSet<String>,
}

impl Found {
    fn in_crate(root: &'static str) -> Found {
        Found { root, paths: BTreeSet::new() }
    }

    fn add(&mut self, segments: &[String]) {
        if let [root, rest @ ..] = segments
            && root == self.root
            && !rest.is_empty()
        {
            self.paths.insert(rest.join("::"));
        }
    }

    fn tree(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&path.tree, &with(&path.ident)),
            UseTree::Name(name) => self.add(&with(&name.ident)),
            UseTree::Rename(rename) => self.add(&with(&rename.ident)),
            UseTree::Glob(_) => self.add(before),
            UseTree::Group(group) => group.items.iter().for_each(|it| self.tree(it, before)),
        }
    }

    /// Macros are not parsed: a path in one is names with colons between them.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        for token in tokens {
            match token {
                TokenTree::Ident(name) => path.push(name.to_string()),
                TokenTree::Punct(colon) if colon.as_char() == ':' => {}
                TokenTree::Group(group) => {
                    self.add(&std::mem::take(&mut path));
                    self.tokens(group.stream());
                }
                _ => self.add(&std::mem::take(&mut path)),
            }
        }
        self.add(&path);
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item(&mut self, item: &'ast Item) {
        // Tests may look at anything.
        let attributes: &[Attribute] = match item {
            Item::Mod(module) => &module.attrs,
            _ => &[],
        };
        let is_test = |it: &Attribute| {
            it.path().is_ident("cfg")
                && it.parse_args::<syn::Path>().is_ok_and(|it| it.is_ident("test"))
        };
        if !attributes.iter().any(is_test) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        self.add(&segments);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, found: &'ast syn::Macro) {
        self.tokens(found.tokens.clone());
    }
}

fn sources() -> Vec<(PathBuf, syn::File)> {
    let mut sources = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let file = syn::parse_file(&text);
                sources.push((
                    path.clone(),
                    file.unwrap_or_else(|error| panic!("{}: {error}", path.display())),
                ));
            }
        }
    }
    sources
}

/// The directory or file directly below `src/`.
fn module_of(path: &Path) -> String {
    let first = path.strip_prefix(root()).unwrap().iter().next().unwrap();
    first.to_str().unwrap().trim_end_matches(".rs").to_owned()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}
