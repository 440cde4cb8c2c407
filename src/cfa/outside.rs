//! How code outside of the client names and builds what the client offers. It is no behaviour, and
//! nothing compares it: native runs are written with it.

use serde::{Deserialize, Serialize};

use super::TyId;

/// A struct, enum or union as other crates see it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct OutsideType {
    /// A path from a crate's name on, without generic arguments. None: other crates cannot name it.
    pub path: Option<String>,
    /// The package that it comes from; none for the standard library.
    pub package: Option<String>,
    /// Its type arguments; empty where the program does not have all of them.
    pub args: Vec<TyId>,
    pub variants: Vec<OutsideVariant>,
    pub constructors: Vec<Constructor>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OutsideVariant {
    pub style: Style,
    /// Whether other crates can write it down: all fields are public, and more may not come.
    pub buildable: bool,
    /// Which fields are public.
    pub public: Vec<bool>,
}

/// How a struct or variant is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Style {
    Unit,
    Tuple,
    Named,
}

/// A public function that does nothing but store its parameters in a new value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Constructor {
    /// What stands before the parentheses of a call.
    pub call: String,
    pub parameters: u32,
    /// Where each field comes from.
    pub fields: Vec<Stored>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stored {
    Parameter(u32),
    /// Always these bits.
    Bits(u128),
    /// A struct or tuple inside.
    Fields(Vec<Stored>),
}
