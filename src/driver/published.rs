//! Compiles a dependency that was published as rustc would, except that its borrows are not checked:
//! they were when it was published, no MIR depends on it, and it takes a quarter of the time. What
//! depends on a package that moves does not come here: that may have other lifetimes now.
//!
//! Errs towards accepting: a crate that this compiler would refuse for its borrows is compared all the
//! same. All other errors are found.

use std::sync::OnceLock;

use rustc_data_structures::fx::FxIndexMap;
use rustc_driver::Callbacks;
use rustc_interface::interface::Config;
use rustc_middle::ty::{DefinitionSiteHiddenType, TyCtxt};
use rustc_span::ErrorGuaranteed;
use rustc_span::def_id::LocalDefId;

pub struct Published;

impl Callbacks for Published {
    fn config(&mut self, config: &mut Config) {
        config.override_queries = Some(|_, providers| {
            CHECK.get_or_init(|| providers.queries.mir_borrowck);
            providers.queries.mir_borrowck = mir_borrowck;
        });
    }
}

/// What checking borrows says beside errors: the types behind `impl Trait`.
type Hidden<'tcx> =
    Result<&'tcx FxIndexMap<LocalDefId, DefinitionSiteHiddenType<'tcx>>, ErrorGuaranteed>;

/// The compiler's own check.
static CHECK: OnceLock<for<'tcx> fn(TyCtxt<'tcx>, LocalDefId) -> Hidden<'tcx>> = OnceLock::new();

fn mir_borrowck(tcx: TyCtxt<'_>, root: LocalDefId) -> Hidden<'_> {
    let defines_types = !tcx.opaque_types_defined_by(root).is_empty();
    if defines_types && let Some(check) = CHECK.get() {
        return check(tcx, root);
    }
    tcx.ensure_result().check_coroutine_obligations(root)?;
    if let Some(error) = tcx.typeck(root).tainted_by_errors {
        return Err(error);
    }
    Ok(tcx.arena.alloc(FxIndexMap::default()))
}
