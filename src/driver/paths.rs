//! Paths by which a crate that depends on the client, and on what the client depends on, can name
//! items. Unlike the names of `names`, they need not hold across versions.

use std::collections::VecDeque;

use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::{DefKind, Res};
use rustc_middle::middle::resolve::ModChild;
use rustc_middle::ty::{self, GenericArgKind, GenericArgsRef, Ty, TyCtxt};
use rustc_span::Ident;
use rustc_span::def_id::{CrateNum, DefId, LOCAL_CRATE};

/// Where a search for an item starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Root {
    Client,
    Std,
    /// All crates that the client's manifest names.
    Dependencies,
}

/// Finds paths, and remembers the parts of the build that it has looked through.
pub struct Paths<'tcx> {
    tcx: TyCtxt<'tcx>,
    found: FxHashMap<Root, FxHashMap<DefId, String>>,
}

impl<'tcx> Paths<'tcx> {
    pub fn new(tcx: TyCtxt<'tcx>) -> Paths<'tcx> {
        Paths { tcx, found: FxHashMap::default() }
    }

    /// A path from a crate's name on, such as `::client::m::S`.
    pub fn item(&mut self, def_id: DefId, is_std: bool) -> Option<String> {
        let roots: &[Root] = match def_id.krate {
            LOCAL_CRATE => &[Root::Client],
            _ if is_std => &[Root::Std, Root::Client],
            _ => &[Root::Client, Root::Dependencies],
        };
        roots.iter().find_map(|&root| self.from(root).get(&def_id).cloned())
    }

    /// A type as other crates write it. Lifetimes are left for the compiler to find.
    pub fn ty(&mut self, ty: Ty<'tcx>, is_std: &dyn Fn(CrateNum) -> bool) -> Option<String> {
        Some(match *ty.kind() {
            ty::Bool | ty::Char | ty::Int(_) | ty::Uint(_) | ty::Float(_) | ty::Str => {
                ty.to_string()
            }
            ty::Slice(element) => format!("[{}]", self.ty(element, is_std)?),
            ty::Array(element, len) => {
                format!("[{}; {}]", self.ty(element, is_std)?, len.try_to_target_usize(self.tcx)?)
            }
            ty::Ref(_, to, mutability) => {
                format!("&{}{}", mutability.prefix_str(), self.ty(to, is_std)?)
            }
            ty::Tuple(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|ty| self.ty(ty, is_std)).collect();
                format!("({})", parts?.iter().map(|part| format!("{part}, ")).collect::<String>())
            }
            ty::Adt(adt, args) => {
                let path = self.item(adt.did(), is_std(adt.did().krate))?;
                format!("{path}{}", self.args(args, is_std)?)
            }
            _ => return None,
        })
    }

    /// Generic arguments in their brackets; nothing where there are none.
    pub fn args(
        &mut self,
        args: &[ty::GenericArg<'tcx>],
        is_std: &dyn Fn(CrateNum) -> bool,
    ) -> Option<String> {
        let mut parts = Vec::new();
        for arg in args {
            match arg.kind() {
                GenericArgKind::Lifetime(_) => {}
                GenericArgKind::Type(ty) => parts.push(self.ty(ty, is_std)?),
                GenericArgKind::Const(constant) => {
                    parts.push(constant.try_to_target_usize(self.tcx)?.to_string());
                }
            }
        }
        Some(if parts.is_empty() { String::new() } else { format!("<{}>", parts.join(", ")) })
    }

    /// How a function or method that has no parameters left is called, without its arguments.
    pub fn call(&mut self, def_id: DefId, is_std: &dyn Fn(CrateNum) -> bool) -> Option<String> {
        let tcx = self.tcx;
        let name = Ident::with_dummy_span(tcx.opt_item_name(def_id)?);
        if let Some(impl_id) = tcx.trait_impl_of_assoc(def_id) {
            let trait_ref = tcx.impl_trait_ref(impl_id).instantiate_identity().skip_norm_wip();
            return self.method(trait_ref, name, is_std);
        }
        if !tcx.visibility(def_id).is_public() {
            return None;
        }
        match tcx.inherent_impl_of_assoc(def_id) {
            Some(impl_id) => {
                let own_type = tcx.type_of(impl_id).instantiate_identity().skip_norm_wip();
                Some(format!("<{}>::{name}", self.ty(own_type, is_std)?))
            }
            None => self.item(def_id, is_std(def_id.krate)),
        }
    }

    /// A method of a trait at the type that it is implemented for.
    pub fn method(
        &mut self,
        trait_ref: ty::TraitRef<'tcx>,
        name: Ident,
        is_std: &dyn Fn(CrateNum) -> bool,
    ) -> Option<String> {
        let own_type = self.ty(trait_ref.self_ty(), is_std)?;
        let path = self.item(trait_ref.def_id, is_std(trait_ref.def_id.krate))?;
        let args: GenericArgsRef<'tcx> = trait_ref.args;
        Some(format!("<{own_type} as {path}{}>::{name}", self.args(&args[1..], is_std)?))
    }

    fn from(&mut self, root: Root) -> &FxHashMap<DefId, String> {
        let tcx = self.tcx;
        self.found.entry(root).or_insert_with(|| walk(tcx, roots(tcx, root)))
    }
}

fn roots(tcx: TyCtxt<'_>, root: Root) -> VecDeque<(DefId, String)> {
    let path = |name: &str| format!("::{name}");
    match root {
        Root::Client => {
            let name = tcx.crate_name(LOCAL_CRATE);
            VecDeque::from([(LOCAL_CRATE.as_def_id(), path(name.as_str()))])
        }
        Root::Std => {
            let named = |name: &str| {
                let found = tcx.crates(()).iter().find(|it| tcx.crate_name(**it).as_str() == name);
                found.map(|number| (number.as_def_id(), path("std")))
            };
            // Where the client goes without std, its parts are in the same places there.
            match named("std") {
                Some(std) => VecDeque::from([std]),
                None => ["core", "alloc"].into_iter().filter_map(named).collect(),
            }
        }
        Root::Dependencies => {
            let mut found = VecDeque::new();
            for (name, entry) in tcx.sess.opts.externs.iter() {
                let files: Vec<_> = entry.files().into_iter().flatten().collect();
                let number = tcx.crates(()).iter().find(|&&number| {
                    tcx.used_crate_source(number).paths().any(|path| {
                        let known = |file: &_| is_same_file(file, path);
                        files.iter().any(|file| known(file.canonicalized()))
                    })
                });
                found.extend(number.map(|number| (number.as_def_id(), path(name))));
            }
            found
        }
    }
}

fn is_same_file(canonical: &std::path::Path, path: &std::path::Path) -> bool {
    canonical == path || path.canonicalize().is_ok_and(|path| canonical == path)
}

/// The public items below the modules in the queue, each by a shortest path.
fn walk(tcx: TyCtxt<'_>, mut queue: VecDeque<(DefId, String)>) -> FxHashMap<DefId, String> {
    let mut found = FxHashMap::default();
    let mut seen: FxHashSet<DefId> = queue.iter().map(|(module, _)| *module).collect();
    while let Some((module, path)) = queue.pop_front() {
        let children: &[ModChild] = match module.as_local() {
            Some(local) => tcx.module_children_local(local),
            None => tcx.module_children(module),
        };
        for child in children.iter().filter(|child| child.vis.is_public()) {
            let Res::Def(kind, def_id) = child.res else {
                continue;
            };
            let name = child.ident.to_string();
            let unstable = tcx.lookup_stability(def_id).is_some_and(|it| it.is_unstable());
            if name == "_" || unstable {
                continue;
            }
            let path = || format!("{path}::{name}");
            match kind {
                DefKind::Mod if seen.insert(def_id) => queue.push_back((def_id, path())),
                DefKind::Struct
                | DefKind::Enum
                | DefKind::Union
                | DefKind::Trait
                | DefKind::Fn
                | DefKind::Const
                | DefKind::Static { .. } => {
                    found.entry(def_id).or_insert_with(path);
                }
                _ => {}
            }
        }
    }
    found
}
