//! Types and their shapes.

use cargo_cse::cfa::{
    ArrayLen, Field, Layout, MemoryId, Niche, Tag, TyId, Type, TypeKind, Variant,
};
use rustc_abi::{BackendRepr, FieldsShape, TagEncoding, VariantIdx, Variants};
use rustc_middle::ty::{
    self, AdtDef, GenericArgs, GenericArgsRef, Instance, Ty, TypeVisitableExt, TypingEnv,
    Unnormalized,
};
use rustc_span::def_id::DefId;

use crate::collect::{Code, Collector};
use crate::constants::plain_memory;
use crate::std_items;

impl<'tcx> Collector<'tcx> {
    pub fn ty(&mut self, ty: Ty<'tcx>, env: TypingEnv<'tcx>) -> TyId {
        let env = if ty.has_param() { env } else { TypingEnv::fully_monomorphized() };
        let ty = self.tcx.erase_and_anonymize_regions(ty);
        if let Some(&id) = self.types.get(&(ty, env)) {
            return id;
        }
        // Types can contain themselves, behind pointers: the number comes before the content.
        let name = self.names.ty(ty);
        let std = ty.ty_adt_def().and_then(|adt| std_items::type_tag(self, adt.did()));
        let id = self.push_type(Type { name, kind: TypeKind::Never, layout: None, std });
        self.types.insert((ty, env), id);
        let kind = self.type_kind(ty, env);
        // Of the others the kind says all, but for the values that a pattern leaves.
        let has_parts = matches!(
            kind,
            TypeKind::Struct(_)
                | TypeKind::Enum(_)
                | TypeKind::Union(_)
                | TypeKind::Tuple(_)
                | TypeKind::Closure { .. }
                | TypeKind::Coroutine { .. }
        ) || matches!(ty.kind(), ty::Pat(..));
        let layout = has_parts.then(|| self.layout(ty, env)).flatten();
        let entry = &mut self.program.types[id.index()];
        (entry.kind, entry.layout) = (kind, layout);
        id
    }

    /// A field's type, or whatever else still needs its associated types resolved. What cannot be
    /// resolved is used as it stands: then it is a name, equal only to itself.
    pub fn normalize(&self, ty: Unnormalized<'tcx, Ty<'tcx>>, env: TypingEnv<'tcx>) -> Ty<'tcx> {
        let plain = ty.skip_norm_wip();
        self.tcx.try_normalize_erasing_regions(env, Unnormalized::new_wip(plain)).unwrap_or(plain)
    }

    fn type_kind(&mut self, ty: Ty<'tcx>, env: TypingEnv<'tcx>) -> TypeKind {
        let bits =
            |size: Option<u64>| size.unwrap_or(self.tcx.data_layout.pointer_size().bits()) as u32;
        match *ty.kind() {
            ty::Bool => TypeKind::Bool,
            ty::Char => TypeKind::Char,
            ty::Int(int) => TypeKind::Int { bits: bits(int.bit_width()), signed: true },
            ty::Uint(int) => TypeKind::Int { bits: bits(int.bit_width()), signed: false },
            ty::Float(float) => TypeKind::Float { bits: float.bit_width() as u32 },
            ty::Never => TypeKind::Never,
            ty::Str => TypeKind::Str,
            ty::Slice(element) => TypeKind::Slice(self.ty(element, env)),
            ty::Array(element, len) => TypeKind::Array(self.ty(element, env), self.array_len(len)),
            ty::Tuple(elements) => {
                TypeKind::Tuple(elements.iter().map(|ty| self.ty(ty, env)).collect())
            }
            ty::Ref(_, to, mutability) => {
                TypeKind::Reference { to: self.ty(to, env), mutable: mutability.is_mut() }
            }
            ty::RawPtr(to, mutability) => {
                TypeKind::RawPointer { to: self.ty(to, env), mutable: mutability.is_mut() }
            }
            ty::FnPtr(signature, header) => {
                let signature = self.tcx.instantiate_bound_regions_with_erased(signature);
                let types = signature.inputs_and_output;
                TypeKind::FnPointer {
                    header: format!("{:?} {:?}", header.safety(), header.abi()),
                    types: types.iter().map(|ty| self.ty(ty, env)).collect(),
                }
            }
            ty::FnDef(def_id, args) => {
                let code = self.resolve(def_id, args.skip_binder(), env);
                TypeKind::FnItem(self.function(code, env))
            }
            ty::Closure(def_id, args) => {
                self.closure(def_id, args, args.as_closure().upvar_tys(), env)
            }
            ty::Coroutine(def_id, args) => self.coroutine(def_id, args, env),
            ty::CoroutineClosure(def_id, args) => {
                self.closure(def_id, args, args.as_coroutine_closure().upvar_tys(), env)
            }
            ty::Adt(adt, args) => self.adt(adt, args, env),
            ty::Dynamic(..) => TypeKind::Dyn,
            ty::Alias(_, alias) if let ty::AliasTyKind::Projection { def_id } = alias.kind => {
                let given = self.function(Code::Supplied(def_id, alias.args), env);
                TypeKind::Parameter { given: Some(given) }
            }
            ty::Param(_) | ty::Alias(..) => TypeKind::Parameter { given: None },
            // Fewer values than the type it restricts, and the same form. Its name tells it apart.
            ty::Pat(base, _) => self.type_kind(base, env),
            _ => TypeKind::Opaque(self.names.ty(ty)),
        }
    }

    pub fn array_len(&self, len: ty::Const<'tcx>) -> ArrayLen {
        match len.try_to_target_usize(self.tcx) {
            Some(len) => ArrayLen::Known(len),
            None => ArrayLen::Generic(self.names.constant(len)),
        }
    }

    /// What a function item stands for: an instance, or in generic form perhaps a method that
    /// others supply.
    pub fn resolve(
        &self,
        def_id: DefId,
        args: GenericArgsRef<'tcx>,
        env: TypingEnv<'tcx>,
    ) -> Code<'tcx> {
        match Instance::try_resolve(self.tcx, env, def_id, args) {
            Ok(Some(instance)) => Code::Instance(instance),
            _ => Code::Supplied(def_id, self.tcx.erase_and_anonymize_regions(args)),
        }
    }

    fn closure(
        &mut self,
        def_id: DefId,
        args: GenericArgsRef<'tcx>,
        captures: &'tcx ty::List<Ty<'tcx>>,
        env: TypingEnv<'tcx>,
    ) -> TypeKind {
        let captures = captures.iter().map(|ty| self.ty(ty, env)).collect();
        let args = self.tcx.erase_and_anonymize_regions(args);
        let body = self.function(Code::Instance(Instance::new_raw(def_id, args)), env);
        TypeKind::Closure { captures, body }
    }

    fn coroutine(
        &mut self,
        def_id: DefId,
        args: GenericArgsRef<'tcx>,
        env: TypingEnv<'tcx>,
    ) -> TypeKind {
        let tcx = self.tcx;
        let captures = args.as_coroutine().upvar_tys().iter().map(|ty| self.ty(ty, env)).collect();
        let args = tcx.erase_and_anonymize_regions(args);
        let body = self.function(Code::Instance(Instance::new_raw(def_id, args)), env);
        let layout = tcx.coroutine_layout(def_id, args).ok();
        let saved = layout.into_iter().flat_map(|it| &it.field_tys).map(|field| {
            let ty = ty::EarlyBinder::bind(tcx, field.ty).instantiate(tcx, args);
            let ty = self.normalize(ty, env);
            self.ty(ty, env)
        });
        let saved = saved.collect();
        TypeKind::Coroutine { captures, saved, body }
    }

    fn adt(
        &mut self,
        adt: AdtDef<'tcx>,
        args: GenericArgsRef<'tcx>,
        env: TypingEnv<'tcx>,
    ) -> TypeKind {
        let tcx = self.tcx;
        let mut variants: Vec<Variant> = Vec::new();
        for (index, variant) in adt.variants().iter_enumerated() {
            let discriminant = match adt.is_enum() {
                true => adt.discriminant_for_variant(tcx, index).val,
                false => 0,
            };
            let fields = variant
                .fields
                .iter()
                .map(|field| {
                    let ty = self.normalize(field.ty(tcx, args), env);
                    Field {
                        name: field.name.to_string(),
                        ty: self.ty(ty, env),
                        public: field.vis.is_public(),
                    }
                })
                .collect();
            variants.push(Variant { name: variant.name.to_string(), discriminant, fields });
        }
        if adt.is_enum() {
            return TypeKind::Enum(variants);
        }
        let only = variants.pop().expect("structs and unions have one variant");
        if adt.is_union() { TypeKind::Union(only) } else { TypeKind::Struct(only) }
    }

    /// What outside callers can read of a type's values without calling anything: the public fields
    /// and the variants, by name. None if there is nothing.
    pub fn public_data(&mut self, def_id: DefId, env: TypingEnv<'tcx>) -> Option<MemoryId> {
        let tcx = self.tcx;
        let adt = tcx.adt_def(def_id);
        let args = tcx.erase_and_anonymize_regions(GenericArgs::identity_for_item(tcx, def_id));
        let mut text = String::new();
        for (index, variant) in adt.variants().iter_enumerated() {
            if adt.is_enum() {
                let discriminant = adt.discriminant_for_variant(tcx, index).val;
                text += &format!("{} = {discriminant};", variant.name);
            }
            for field in variant.fields.iter().filter(|field| field.vis.is_public()) {
                let ty = self.normalize(field.ty(tcx, args), env);
                text += &format!("{}: {};", field.name, self.names.ty(ty));
            }
        }
        let memory = plain_memory(text.into_bytes(), Vec::new());
        (!memory.bytes.is_empty()).then(|| self.push_memory(memory))
    }

    fn layout(&self, ty: Ty<'tcx>, env: TypingEnv<'tcx>) -> Option<Layout> {
        if ty.has_param() {
            return None;
        }
        let layout = self.tcx.layout_of(env.as_query_input(ty)).ok()?;
        let offsets = match &layout.variants {
            Variants::Empty => Vec::new(),
            Variants::Single { .. } => vec![match &layout.fields {
                FieldsShape::Arbitrary { offsets, .. } => {
                    offsets.iter().map(|offset| offset.bytes()).collect()
                }
                _ => Vec::new(),
            }],
            Variants::Multiple { variants, .. } => variants
                .iter()
                .map(|variant| variant.field_offsets.iter().map(|offset| offset.bytes()).collect())
                .collect(),
        };
        let tag = match &layout.variants {
            Variants::Multiple { tag, tag_encoding, tag_field, .. } => Some(Tag {
                offset: layout.fields.offset(tag_field.as_usize()).bytes(),
                size: tag.size(&self.tcx).bytes(),
                niche: match tag_encoding {
                    TagEncoding::Direct => None,
                    TagEncoding::Niche { untagged_variant, niche_variants, niche_start } => {
                        let number = |variant: VariantIdx| variant.as_u32();
                        Some(Niche {
                            untagged: number(*untagged_variant),
                            first: number(niche_variants.start),
                            last: number(niche_variants.last),
                            start: *niche_start,
                        })
                    }
                },
            }),
            _ => None,
        };
        let valid = match (ty.kind(), layout.backend_repr) {
            (ty::Pat(..), BackendRepr::Scalar(scalar)) => {
                let range = scalar.valid_range(&self.tcx);
                Some((range.start, range.end))
            }
            _ => None,
        };
        let (size, align) = (layout.size.bytes(), layout.align.abi.bytes());
        Some(Layout { size, align, offsets, tag, valid })
    }
}
