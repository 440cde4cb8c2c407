//! Symbols: what the linker and the loader find of all crates of the build, and what foreign items
//! that Rust code of the build defines are.

use rustc_data_structures::fx::FxHashMap;
use rustc_hir::ItemKind;
use rustc_hir::def::DefKind;
use rustc_middle::middle::codegen_fn_attrs::{CodegenFnAttrFlags, CodegenFnAttrs};
use rustc_middle::ty::{Instance, TyCtxt};
use rustc_span::def_id::{CrateNum, DefId, LOCAL_CRATE};

use crate::packages;

/// What code outside of Rust, the linker or the loader use, of every crate but std's.
#[derive(Default)]
pub struct Symbols {
    /// In the order of crates and definitions.
    pub exported: Vec<Exported>,
    /// Assembly outside of functions: its text or, where the compiler does not keep that, the name of
    /// the compiled crate.
    pub assembly: Vec<String>,
    by_name: FxHashMap<String, DefId>,
}

pub struct Exported {
    pub item: DefId,
    /// None for what only lies where the linker or the loader looks.
    pub symbol: Option<String>,
    /// Section, linkage and calling convention.
    pub attributes: String,
}

impl Symbols {
    pub fn of(tcx: TyCtxt<'_>, is_std: &dyn Fn(CrateNum) -> bool) -> Symbols {
        let mut symbols = Symbols::default();
        for &number in tcx.crates(()).iter().chain([&LOCAL_CRATE]) {
            let macros_only = number != LOCAL_CRATE && tcx.crate_dep_kind(number).macros_only();
            if !is_std(number) && !macros_only {
                definitions(tcx, number).into_iter().for_each(|item| symbols.add(tcx, item));
            }
        }
        symbols
    }

    /// What Rust code of the build a foreign item is.
    pub fn definition(&self, tcx: TyCtxt<'_>, foreign: DefId) -> Option<DefId> {
        match self.by_name.is_empty() {
            true => None,
            false => self.by_name.get(&symbol(tcx, foreign)).copied(),
        }
    }

    fn add(&mut self, tcx: TyCtxt<'_>, item: DefId) {
        match tcx.def_kind(item) {
            DefKind::GlobalAsm => self.assembly.extend(assembly(tcx, item)),
            DefKind::Fn | DefKind::AssocFn | DefKind::Static { .. }
                if !tcx.is_foreign_item(item) =>
            {
                let attributes = tcx.codegen_fn_attrs(item);
                if !is_exported(attributes) {
                    return;
                }
                let has_symbol = attributes.contains_extern_indicator()
                    && !tcx.generics_of(item).requires_monomorphization(tcx);
                let symbol = has_symbol.then(|| symbol(tcx, item));
                self.by_name.extend(symbol.iter().map(|symbol| (symbol.clone(), item)));
                let attributes = described(tcx, item, attributes);
                self.exported.push(Exported { item, symbol, attributes });
            }
            _ => {}
        }
    }
}

fn definitions(tcx: TyCtxt<'_>, number: CrateNum) -> Vec<DefId> {
    match number {
        LOCAL_CRATE => tcx.hir_crate_items(()).definitions().map(|id| id.to_def_id()).collect(),
        _ => (0..tcx.num_extern_def_ids(number))
            .map(|index| DefId { krate: number, index: index.into() })
            .collect(),
    }
}

/// The text is known only in the crate that is being compiled.
fn assembly(tcx: TyCtxt<'_>, item: DefId) -> Option<String> {
    let text = item.as_local().and_then(|id| match tcx.hir_expect_item(id).kind {
        ItemKind::GlobalAsm { asm, .. } if asm.operands.is_empty() => {
            Some(asm.template.iter().map(ToString::to_string).collect())
        }
        _ => None,
    });
    text.or_else(|| packages::unit(tcx, item.krate))
}

fn symbol(tcx: TyCtxt<'_>, item: DefId) -> String {
    tcx.symbol_name(Instance::mono(tcx, item)).name.to_owned()
}

/// Whether code outside of Rust can use the item: by its symbol, or because it lies where the linker
/// or the loader looks.
fn is_exported(attributes: &CodegenFnAttrs) -> bool {
    let used = CodegenFnAttrFlags::USED_COMPILER | CodegenFnAttrFlags::USED_LINKER;
    attributes.contains_extern_indicator()
        || attributes.flags.intersects(used)
        || attributes.link_section.is_some()
}

fn described(tcx: TyCtxt<'_>, item: DefId, attributes: &CodegenFnAttrs) -> String {
    let convention = match tcx.def_kind(item) {
        DefKind::Static { mutability, .. } => format!("static {mutability:?}"),
        _ => {
            let signature = tcx.fn_sig(item).instantiate_identity().skip_norm_wip().skip_binder();
            format!("{:?} {}", signature.abi(), signature.c_variadic())
        }
    };
    format!(
        "{convention}, section {:?}, linkage {:?}, {:?}, used {:?}",
        attributes.link_section,
        attributes.linkage,
        attributes.import_linkage,
        attributes.flags & (CodegenFnAttrFlags::USED_COMPILER | CodegenFnAttrFlags::USED_LINKER)
    )
}
