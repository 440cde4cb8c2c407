//! The interface of the client: what code outside of it can reach, and what that can make it do.
//!
//! In: the crate that is being compiled. Out: its entry points, each with all that it reaches.
//!
//! Callers are crates that depend on the client, on std and on any crate that does not move, and that
//! do not name a package that moves: who does has the upgrade checked for their own crate. Code of
//! theirs compiles with both versions. The rules, each of which errs towards too much:
//!
//! 1. **Paths** (`tree`). Callers name items by public paths: through modules, re-exports, globs and
//!    renames. What stands at a path is compared with what stands there on the other side: functions,
//!    constants and statics by what they do, everything else by what it is.
//! 2. **Items** (`items`). Functions, methods, trait impls, constants, statics, fields, variants with
//!    their discriminants, what aliases and associated types stand for, and the text of macros. All
//!    that the client defines and that callers can reach counts, named or not; of what it re-exports,
//!    the item with its inherent methods, its impls and what it dereferences to.
//! 3. **What callers hand in** (`supplied`). Behind a parameter or a trait object stands any type that
//!    they have: of std, of crates that do not move, and what the client hands out. The impls of
//!    dependencies for such types are reached where code uses the trait, whether it gets the value
//!    from its caller or finds it where another call has left it: methods, constants, associated types
//!    and what dropping those runs; and through what std implements for other types, such as
//!    `BufRead` for `BufReader<R>` where `R: Read`, the impls that std's ask for. An impl for a type of
//!    its own crate, or of a package that moves, counts only if the client hands the type out, or if it
//!    is an associated type of what they have: otherwise callers bring it themselves, and what the type
//!    does is a part of what they hand in. Not so where the trait itself is of a package that moves: then
//!    the impl counts by the build of its crate. Code that asks for the size or the name of a parameter
//!    gets that of such types.
//! 4. **What callers get out** (`handed_out`). A type is handed out if it stands anywhere in what
//!    callers see: results, parameters (`&mut`, callbacks), bounds, associated types, constants,
//!    fields, what stands behind `impl Trait` and what its bounds say, the methods of traits that occur
//!    there. Dropping it is theirs to do and ours to compare. Its other methods are not: they are what
//!    other crates run on a dependency's type.
//! 5. **What stands behind `impl Trait`** (`hidden`) is run by callers through the traits that are
//!    promised, also in traits and their provided methods, and in `async` functions. The same holds for
//!    associated types with bounds, such as `IntoIterator::IntoIter`.
//! 6. **What std's traits provide** runs on the client's own types, and with them the impls of what
//!    their associated types are: `Iterator::max` runs `Ord` of the items.
//! 7. **Symbols** (`linkage`). The linker and the loader find functions and statics by symbol and
//!    section, in all crates of the build; foreign items that Rust code of the build defines are that
//!    code.
//! 8. **`main`**, with what its result is turned into.
//!
//! Callers get to see types too (`signatures`): an item that takes or gives another type is another
//! item to them.

mod handed_out;
mod hidden;
mod items;
mod linkage;
mod signatures;
mod supplied;
mod tree;

pub use handed_out::{HandedOut, handed_out};
pub use items::collect;
pub use linkage::Symbols;
pub use supplied::{Impls, any_handed_out, given_type, provided, supplied};
pub use tree::paths;
