//! What callers see of public items in types alone, and no code mentions: what aliases and
//! associated types stand for, what traits ask for, the types of constants and statics, and the
//! defaults of parameters.

use cargo_cse::cfa::MemoryId;
use rustc_hir::def::DefKind;
use rustc_middle::ty::{GenericParamDefKind, Ty, TypingEnv, Unnormalized};
use rustc_span::def_id::DefId;

use crate::collect::Collector;
use crate::constants::plain_memory;

impl<'tcx> Collector<'tcx> {
    /// The names of the types. None if there are none.
    pub fn signature(&mut self, item: DefId, env: TypingEnv<'tcx>) -> Option<MemoryId> {
        let names: Vec<String> = (self.types_of(item).into_iter())
            .map(|ty| self.tcx.erase_and_anonymize_regions(ty))
            .map(|ty| self.names.ty(self.normalize(Unnormalized::new_wip(ty), env)))
            .collect();
        let memory = plain_memory(names.join(";").into_bytes(), Vec::new());
        (!memory.bytes.is_empty()).then(|| self.push_memory(memory))
    }

    fn types_of(&self, item: DefId) -> Vec<Ty<'tcx>> {
        let tcx = self.tcx;
        let type_of = |id: DefId| tcx.type_of(id).instantiate_identity().skip_norm_wip();
        let is_required =
            || tcx.trait_of_assoc(item).is_some() && !tcx.defaultness(item).has_value();
        let mut types = match tcx.def_kind(item) {
            DefKind::TyAlias
            | DefKind::Const
            | DefKind::AssocConst
            | DefKind::Static { nested: false, .. } => vec![type_of(item)],
            DefKind::AssocTy if !is_required() => vec![type_of(item)],
            DefKind::AssocFn if is_required() => {
                let signature = tcx.fn_sig(item).instantiate_identity().skip_norm_wip();
                let signature = tcx.instantiate_bound_regions_with_erased(signature);
                signature.inputs_and_output.to_vec()
            }
            DefKind::Struct | DefKind::Enum | DefKind::Union | DefKind::Trait => Vec::new(),
            _ => return Vec::new(),
        };
        for parameter in &tcx.generics_of(item).own_params {
            match parameter.kind {
                GenericParamDefKind::Type { has_default: true, .. } => {
                    types.push(type_of(parameter.def_id));
                }
                GenericParamDefKind::Const { has_default: true, .. } => {
                    let default = tcx.const_param_default(parameter.def_id);
                    let default = default.instantiate_identity().skip_norm_wip();
                    types.push(Ty::new_array_with_const_len(tcx, tcx.types.unit, default));
                }
                _ => {}
            }
        }
        types
    }
}
