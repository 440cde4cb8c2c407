//! What is judged: pairs of a client with two versions of its dependency that differ in one way, and
//! what a caller does with the client.
//!
//! Sources are written as if they were whole crates: `dep::`, `third::`, `middle::`, `client::` and
//! `crate::` are put into the pair's own module, and `MOD` is the name of that module.

use crate::edits::Edit;

/// A way in which something of a dependency comes out of a client, or into it.
#[derive(Clone)]
pub struct Template {
    pub name: String,
    pub client: String,
    /// The dependency, old and new. Where they are the same text, an [`Edit`] makes the difference:
    /// `VALUE` is an `i32`, and constant.
    pub dep: [String; 2],
    /// A crate that the dependency depends on, and the client and its callers may too.
    pub third: String,
    /// A crate that depends on the dependency, and the client on it.
    pub middle: String,
    /// What a caller evaluates: it names the client, `third` and std. None: the client is a program,
    /// and it is run.
    pub uses: Vec<String>,
    pub setting: Setting,
    /// What two versions of the dependency that are not the same text come to.
    pub meaning: Meaning,
    /// Whether it can stand in a module of its client, and its dependency be reached through another
    /// crate. That holds where paths are not what the template is about.
    pub can_move: bool,
}

/// How a pair is compiled. Pairs with the same setting share packages.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    /// The end of the manifest of the client's workspace.
    pub profile: &'static str,
    pub is_release: bool,
    /// What it does reaches beyond its module.
    pub is_alone: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// What native runs show.
    Measured,
    Same,
    /// Only addresses differ, whatever native runs show: that is not to be called different.
    Address,
}

/// A template with all choices made.
#[derive(Clone)]
pub struct Pair {
    pub family: &'static str,
    pub name: String,
    pub client: String,
    pub dep: [String; 2],
    pub third: String,
    pub middle: String,
    pub uses: Vec<String>,
    pub setting: Setting,
    pub meaning: Meaning,
}

/// Where in the client it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nest {
    Plain,
    /// In a private module whose items are re-exported.
    Private,
    Public,
}

impl Template {
    pub fn new(name: impl Into<String>, client: &str, dep: &str, uses: &[&str]) -> Template {
        Template {
            name: name.into(),
            client: client.to_owned(),
            dep: [dep.to_owned(), dep.to_owned()],
            third: String::new(),
            middle: String::new(),
            uses: uses.iter().map(|it| (*it).to_owned()).collect(),
            setting: Setting::default(),
            meaning: Meaning::Measured,
            can_move: true,
        }
    }

    pub fn third(mut self, third: &str) -> Template {
        self.third = third.to_owned();
        self
    }

    pub fn middle(mut self, middle: &str) -> Template {
        self.middle = middle.to_owned();
        self
    }

    /// With a new version of the dependency that is not the same text.
    pub fn new_version(mut self, dep: &str, meaning: Meaning) -> Template {
        self.dep[1] = dep.to_owned();
        self.meaning = meaning;
        self
    }

    pub fn setting(mut self, setting: Setting) -> Template {
        self.setting = setting;
        self
    }

    pub fn alone(mut self) -> Template {
        self.setting.is_alone = true;
        self
    }

    /// It stands where it stands, and names the dependency itself.
    pub fn fixed(mut self) -> Template {
        self.can_move = false;
        self
    }

    pub fn is_edited(&self) -> bool {
        self.dep[0] == self.dep[1] && self.meaning != Meaning::Address
    }

    /// The pair that some choices make of it.
    pub fn pair(&self, family: &'static str, edit: &Edit, through: bool, nest: Nest) -> Pair {
        let (through, nest) = if self.can_move { (through, nest) } else { (false, Nest::Plain) };
        let through = through && self.middle.is_empty();
        let mut name = format!("{family}: {}", self.name);
        let mut meaning = self.meaning;
        let mut dep = self.dep.clone();
        if self.is_edited() {
            name += &format!(", {}", edit.name);
            dep = [0, 1].map(|side| {
                format!("{}\n{}", edit.items[side], dep[side].replace("VALUE", edit.value[side]))
            });
            meaning = if edit.is_same { Meaning::Same } else { meaning };
        } else {
            dep = dep.map(|source| source.replace("VALUE", "1"));
        }
        let mut client = self.client.clone();
        let mut middle = self.middle.clone();
        if through {
            name += ", through another crate";
            client = client.replace("dep::", "middle::");
            middle = "pub use dep::*;\n".to_owned();
        }
        let mut uses = self.uses.clone();
        let client = match nest {
            Nest::Plain => client,
            Nest::Private => {
                name += ", in a private module";
                let client = client.replace("crate::", "crate::inner::");
                format!("mod inner {{\n{client}\n}}\npub use inner::*;\n")
            }
            Nest::Public => {
                name += ", in a module";
                for text in &mut uses {
                    *text = text.replace("client::", "client::inner::");
                }
                let client = client.replace("crate::", "crate::inner::");
                format!("pub mod inner {{\n{client}\n}}\n")
            }
        };
        let third = self.third.clone();
        let setting = self.setting.clone();
        Pair { family, name, client, dep, third, middle, uses, setting, meaning }
    }
}

impl Pair {
    /// A source with its paths put into the module of that number.
    pub fn placed(source: &str, number: usize) -> String {
        let mut text = source.replace("MOD", &format!("m{number}"));
        for name in ["dep", "third", "middle", "client", "crate"] {
            text = text.replace(&format!("{name}::"), &format!("{name}::m{number}::"));
        }
        // Paths that name a module already.
        let doubled = format!("::m{number}::m{number}");
        text.replace(&doubled, &format!("::m{number}"))
    }

    pub fn is_program(&self) -> bool {
        self.uses.is_empty()
    }
}
