//! Constants: evaluated, with the memory they point to.

use cargo_cse::cfa::{Const, Memory, MemoryId, Operand, Pointee, PointerMeta};
use rustc_abi::Size;
use rustc_middle::mir::interpret::{AllocId, AllocRange, Allocation, GlobalAlloc, Scalar};
use rustc_middle::mir::{self, ConstValue, UnevaluatedConst};
use rustc_middle::ty::{self, Ty, TypeVisitableExt, TypingEnv};
use rustc_span::Span;

use crate::collect::{Code, Collector};

impl<'tcx> Collector<'tcx> {
    pub fn constant(
        &mut self,
        constant: mir::Const<'tcx>,
        span: Span,
        env: TypingEnv<'tcx>,
    ) -> Operand {
        let ty = constant.ty();
        if !constant.has_param()
            && let Ok(value) = constant.eval(self.tcx, env, span)
        {
            return Operand::Const(self.value(value, ty, env));
        }
        let id = self.ty(ty, env);
        Operand::Const(match constant {
            mir::Const::Val(value, _) => self.value(value, ty, env),
            mir::Const::Unevaluated(unevaluated, _) => {
                let args = self.tcx.erase_and_anonymize_regions(unevaluated.args);
                // An associated constant may already be known to be that of one impl.
                let resolved = match unevaluated.promoted {
                    Some(_) => Code::Constant(UnevaluatedConst { args, ..unevaluated }),
                    None => match self.resolve(unevaluated.def, args, env) {
                        Code::Instance(instance) => Code::Constant(UnevaluatedConst {
                            def: instance.def_id(),
                            args: instance.args,
                            promoted: None,
                        }),
                        supplied => supplied,
                    },
                };
                Const::Generic { computed_by: self.function(resolved, env), ty: id }
            }
            mir::Const::Ty(_, constant) => {
                Const::Opaque { text: self.names.constant(constant), ty: id }
            }
        })
    }

    pub fn value(&mut self, value: ConstValue, ty: Ty<'tcx>, env: TypingEnv<'tcx>) -> Const {
        let id = self.ty(ty, env);
        match value {
            ConstValue::ZeroSized => Const::ZeroSized(id),
            ConstValue::Scalar(Scalar::Int(int)) => {
                Const::Bits { bits: int.to_bits_unchecked(), ty: id }
            }
            ConstValue::Scalar(Scalar::Ptr(pointer, _)) => {
                let (provenance, offset) = pointer.into_raw_parts();
                let to = self.pointee(provenance.alloc_id(), env);
                Const::Pointer { to, offset: pointer_offset(to, offset), meta: None, ty: id }
            }
            ConstValue::Slice { alloc_id, meta } => Const::Pointer {
                to: self.pointee(alloc_id, env),
                offset: 0,
                meta: Some(PointerMeta::Length(meta)),
                ty: id,
            },
            ConstValue::Indirect { alloc_id, offset } => {
                let layout = self.tcx.layout_of(env.as_query_input(ty));
                let GlobalAlloc::Memory(allocation) = self.tcx.global_alloc(alloc_id) else {
                    return Const::Opaque { text: "no memory".to_owned(), ty: id };
                };
                // Where the size is not known yet, all that is there counts.
                let rest = allocation.inner().size() - offset;
                let size = layout.map_or(rest, |layout| layout.size);
                let range = AllocRange { start: offset, size };
                let memory = self.lower_range(allocation.inner(), range);
                Const::Value { memory: self.push_memory(memory), ty: id }
            }
        }
    }

    /// The memory of a constant that outside callers can read.
    pub fn constant_memory(&mut self, value: ConstValue, ty: Ty<'tcx>) -> MemoryId {
        let env = TypingEnv::fully_monomorphized();
        let memory = match self.value(value, ty, env) {
            Const::Value { memory, .. } => return memory,
            Const::Bits { bits, .. } => plain_memory(bits.to_le_bytes().to_vec(), Vec::new()),
            Const::Pointer { to, offset, meta, .. } => {
                let mut bytes = offset.to_le_bytes().to_vec();
                let mut pointers = vec![(0, to)];
                match meta {
                    Some(PointerMeta::Length(length)) => bytes.extend(length.to_le_bytes()),
                    Some(PointerMeta::VTable(vtable)) => {
                        pointers.push((bytes.len() as u32, Pointee::VTable(vtable)));
                        bytes.extend([0; 8]);
                    }
                    None => {}
                }
                plain_memory(bytes, pointers)
            }
            Const::ZeroSized(ty) => plain_memory(Vec::new(), vec![(0, Pointee::TypeIdentity(ty))]),
            Const::Opaque { text, .. } => plain_memory(text.into_bytes(), Vec::new()),
            Const::Generic { computed_by, .. } => {
                plain_memory(Vec::new(), vec![(0, Pointee::Function(computed_by))])
            }
        };
        self.push_memory(memory)
    }

    pub fn lower_memory(&mut self, allocation: &Allocation) -> Memory {
        self.lower_range(allocation, AllocRange { start: Size::ZERO, size: allocation.size() })
    }

    fn lower_range(&mut self, allocation: &Allocation, range: AllocRange) -> Memory {
        let (start, end) = (range.start.bytes_usize(), range.end().bytes_usize());
        let mut bytes =
            allocation.inspect_with_uninit_and_ptr_outside_interpreter(start..end).to_vec();
        let mut uninit = Vec::new();
        for chunk in allocation.init_mask().range_as_init_chunks(range) {
            if !chunk.is_init() {
                let inside = chunk.range();
                let from = inside.start.bytes_usize() - start;
                let to = inside.end.bytes_usize() - start;
                bytes[from..to].fill(0);
                uninit.push((from as u32, to as u32));
            }
        }
        let pointers: Vec<_> = allocation
            .provenance()
            .ptrs()
            .iter()
            .map(|&(offset, provenance)| (offset.bytes_usize(), provenance.alloc_id()))
            .filter(|&(offset, _)| (start..end).contains(&offset))
            .collect();
        let mut lowered = Vec::new();
        for (offset, target) in pointers {
            let to = self.pointee(target, TypingEnv::fully_monomorphized());
            let offset = offset - start;
            if let Pointee::TypeIdentity(_) = to {
                // The bytes are a hash that changes with the compilation.
                bytes[offset..offset + 8].fill(0);
            }
            lowered.push((offset as u32, to));
        }
        Memory {
            bytes,
            uninit,
            pointers: lowered,
            align: allocation.align.bytes() as u32,
            mutable: allocation.mutability.is_mut(),
        }
    }

    pub fn pointee(&mut self, id: AllocId, env: TypingEnv<'tcx>) -> Pointee {
        match self.tcx.global_alloc(id) {
            GlobalAlloc::Function { instance } => {
                Pointee::Function(self.function(Code::Instance(instance), env))
            }
            GlobalAlloc::VTable(ty, predicates) => {
                let object = Ty::new_dynamic(self.tcx, predicates, self.tcx.lifetimes.re_erased);
                Pointee::VTable(self.vtable(ty, object, env))
            }
            GlobalAlloc::Static(def_id) => Pointee::Static(self.static_(def_id)),
            GlobalAlloc::TypeId { ty } => Pointee::TypeIdentity(self.ty(ty, env)),
            GlobalAlloc::Memory(allocation) => {
                if let Some(&known) = self.memories.get(&(id, self.checks)) {
                    return Pointee::Memory(known);
                }
                let reserved = self.push_memory(plain_memory(Vec::new(), Vec::new()));
                self.memories.insert((id, self.checks), reserved);
                let memory = self.lower_memory(allocation.inner());
                self.program.memories[reserved.index()] = memory;
                Pointee::Memory(reserved)
            }
        }
    }

    /// The value of a constant item without parameters, where it has one.
    pub fn constant_item(&mut self, def_id: rustc_span::def_id::DefId) -> Option<MemoryId> {
        let env = TypingEnv::fully_monomorphized();
        let tcx = self.tcx;
        let ty = tcx.normalize_erasing_regions(env, tcx.type_of(def_id).instantiate_identity());
        if ty.has_param() || ty.references_error() {
            return None;
        }
        let args = ty::GenericArgs::identity_for_item(tcx, def_id);
        let unevaluated = UnevaluatedConst::new(def_id, tcx.erase_and_anonymize_regions(args));
        let constant = mir::Const::Unevaluated(unevaluated, ty);
        let value = constant.eval(tcx, env, tcx.def_span(def_id)).ok()?;
        Some(self.constant_memory(value, ty))
    }
}

/// The offset of a type's identity is part of its hash, and so no number that means anything.
fn pointer_offset(to: Pointee, offset: Size) -> u64 {
    match to {
        Pointee::TypeIdentity(_) => 0,
        _ => offset.bytes(),
    }
}

pub fn plain_memory(bytes: Vec<u8>, pointers: Vec<(u32, Pointee)>) -> Memory {
    Memory { bytes, uninit: Vec::new(), pointers, align: 1, mutable: false }
}
