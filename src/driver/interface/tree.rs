//! The public paths of the client, as callers write them, and what each leads to.

use std::collections::VecDeque;

use rustc_data_structures::fx::FxHashMap;
use rustc_hir::def::{DefKind, Res};
use rustc_middle::middle::resolve::ModChild;
use rustc_middle::ty::TyCtxt;
use rustc_span::def_id::{CrateNum, DefId, LOCAL_CRATE};

/// One module can be reached by many paths, and by endless ones where modules re-export each other. So
/// many are followed; after that a path leads to the module, which is then compared by its name.
const PATHS_OF_A_MODULE: u32 = 12;

/// A public path and what stands there. A name can stand for several things: a type, a value and a
/// macro.
pub struct Path {
    /// From the client's name on, such as `client::m::f`.
    pub path: String,
    pub leads_to: Res<!>,
    /// It stands in a module of another crate, or comes from there.
    pub is_foreign: bool,
}

/// All public paths, shorter ones first. Modules of std are not looked into: they are the same on both
/// sides.
pub fn paths(tcx: TyCtxt<'_>, is_std: &dyn Fn(CrateNum) -> bool) -> Vec<Path> {
    let mut found = Vec::new();
    let root = (LOCAL_CRATE.as_def_id(), tcx.crate_name(LOCAL_CRATE).to_string());
    let mut times: FxHashMap<DefId, u32> = FxHashMap::default();
    let mut queue = VecDeque::from([root]);
    while let Some((module, path)) = queue.pop_front() {
        for child in children(tcx, module).iter().filter(|child| child.vis.is_public()) {
            let path = format!("{path}::{}", child.ident);
            if let Res::Def(DefKind::Mod, inner) = child.res
                && !is_std(inner.krate)
            {
                let times = times.entry(inner).or_default();
                *times += 1;
                if *times <= PATHS_OF_A_MODULE {
                    queue.push_back((inner, path));
                    continue;
                }
            }
            let of_other_crate = child.res.opt_def_id().is_some_and(|id| !id.is_local());
            let is_foreign = of_other_crate || !module.is_local();
            found.push(Path { path, leads_to: child.res, is_foreign });
        }
    }
    found
}

fn children(tcx: TyCtxt<'_>, module: DefId) -> &[ModChild] {
    match module.as_local() {
        Some(local) => tcx.module_children_local(local),
        None => tcx.module_children(module),
    }
}
