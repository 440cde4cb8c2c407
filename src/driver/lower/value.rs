//! What stands inside statements: places, operands, right-hand sides.

use cargo_cse::cfa::{
    BinaryOp, CastKind, Const, LocalId, Op, Operand, Place, Pointee, Projection, Rvalue, UnaryOp,
};
use cargo_cse::reason::{Reason, UnsupportedOperation};
use rustc_middle::mir::{self, AggregateKind, BinOp, ProjectionElem, RuntimeChecks, UnOp};
use rustc_middle::ty::adjustment::PointerCoercion;
use rustc_middle::ty::{self, ClosureKind, Instance};
use rustc_span::Span;

use super::body::Lowering;
use crate::collect::Code;
use crate::generated::Checks;

/// Makes an [`Op::Unsupported`] out of the place that would have been assigned.
pub type Unsupported = Box<dyn FnOnce(Place) -> Op>;

fn unsupported(reason: Reason, reads: Vec<Operand>) -> Unsupported {
    Box::new(|place| Op::Unsupported { reason, reads, writes: vec![place] })
}

impl<'tcx> Lowering<'_, 'tcx> {
    pub fn place(&mut self, place: mir::Place<'tcx>) -> Place {
        let mut projections = Vec::with_capacity(place.projection.len());
        for element in place.projection {
            projections.push(match element {
                ProjectionElem::Deref | ProjectionElem::PhantomDeref => Projection::Deref,
                ProjectionElem::Field(field, _) => Projection::Field(field.as_u32()),
                ProjectionElem::Index(local) => Projection::Index(LocalId(local.as_u32())),
                ProjectionElem::ConstantIndex { offset, from_end, .. } => {
                    Projection::ConstantIndex { offset, from_end }
                }
                ProjectionElem::Subslice { from, to, from_end } => {
                    Projection::Subslice { from, to, from_end }
                }
                ProjectionElem::Downcast(_, variant) => Projection::Variant(variant.as_u32()),
                ProjectionElem::OpaqueCast(ty) | ProjectionElem::UnwrapUnsafeBinder(ty) => {
                    Projection::Cast(self.collector.ty(ty, self.env))
                }
            });
        }
        Place { local: LocalId(place.local.as_u32()), projections }
    }

    pub fn operand(&mut self, operand: &mir::Operand<'tcx>, span: Span) -> Operand {
        match operand {
            mir::Operand::Copy(place) | mir::Operand::Move(place) => {
                Operand::Read(self.place(*place))
            }
            mir::Operand::Constant(constant) => {
                self.collector.constant(constant.const_, span, self.env)
            }
            mir::Operand::RuntimeChecks(checks) => {
                let tcx = self.collector.tcx;
                let ty = self.collector.ty(tcx.types.bool, self.env);
                let on = match (checks, self.collector.checks) {
                    (RuntimeChecks::OverflowChecks, Checks::Known { on, .. }) => on,
                    (RuntimeChecks::OverflowChecks, Checks::Std) => {
                        let text = "whether std checks for overflow".to_owned();
                        return Operand::Const(Const::Opaque { text, ty });
                    }
                    (RuntimeChecks::OverflowChecks, Checks::Unknown) => {
                        self.undecided = true;
                        false
                    }
                    (RuntimeChecks::UbChecks | RuntimeChecks::ContractChecks, _) => {
                        checks.value(tcx.sess)
                    }
                };
                Operand::Const(Const::Bits { bits: u128::from(on), ty })
            }
        }
    }

    pub fn rvalue(
        &mut self,
        rvalue: &mir::Rvalue<'tcx>,
        span: Span,
    ) -> Result<Rvalue, Unsupported> {
        Ok(match rvalue {
            mir::Rvalue::Use(operand, _) => Rvalue::Use(self.operand(operand, span)),
            mir::Rvalue::Repeat(operand, len) => {
                Rvalue::Repeat(self.operand(operand, span), self.collector.array_len(*len))
            }
            mir::Rvalue::Ref(_, kind, place) => Rvalue::Ref {
                mutable: matches!(kind, mir::BorrowKind::Mut { .. }),
                place: self.place(*place),
            },
            mir::Rvalue::RawPtr(kind, place) => Rvalue::RawPtr {
                mutable: matches!(kind, mir::RawPtrKind::Mut),
                place: self.place(*place),
            },
            mir::Rvalue::ThreadLocalRef(def_id) => {
                Rvalue::ThreadLocal(self.collector.static_(*def_id))
            }
            mir::Rvalue::Cast(kind, operand, ty) => self.cast(*kind, operand, *ty, span),
            mir::Rvalue::BinaryOp(op, operands) => {
                let left = self.operand(&operands.0, span);
                let right = self.operand(&operands.1, span);
                Rvalue::Binary(binary_op(*op), left, right)
            }
            mir::Rvalue::UnaryOp(op, operand) => {
                let op = match op {
                    UnOp::Not => UnaryOp::Not,
                    UnOp::Neg => UnaryOp::Neg,
                    UnOp::PtrMetadata => UnaryOp::PtrMetadata,
                };
                Rvalue::Unary(op, self.operand(operand, span))
            }
            mir::Rvalue::Discriminant(place) => Rvalue::Discriminant(self.place(*place)),
            mir::Rvalue::CopyForDeref(place) => Rvalue::Use(Operand::Read(self.place(*place))),
            mir::Rvalue::Aggregate(kind, fields) => {
                let ty = rvalue.ty(self.body, self.collector.tcx);
                let ty = self.collector.ty(ty, self.env);
                let fields: Vec<_> = fields.iter().map(|field| self.operand(field, span)).collect();
                match **kind {
                    AggregateKind::Adt(_, _, _, _, Some(field)) => {
                        let [value] = <[Operand; 1]>::try_from(fields)
                            .expect("a union is built from one field");
                        Rvalue::UnionField { ty, field: field.as_u32(), value }
                    }
                    AggregateKind::Adt(_, variant, ..) => {
                        Rvalue::Aggregate { ty, variant: variant.as_u32(), fields }
                    }
                    _ => Rvalue::Aggregate { ty, variant: 0, fields },
                }
            }
            mir::Rvalue::WrapUnsafeBinder(operand, ty) => {
                let ty = self.collector.ty(*ty, self.env);
                Rvalue::Cast(CastKind::Transmute, self.operand(operand, span), ty)
            }
            mir::Rvalue::Reborrow(_, mutability, place) => {
                let reason = UnsupportedOperation::Reborrow { mutable: mutability.is_mut() };
                let reads = vec![Operand::Read(self.place(*place))];
                return Err(unsupported(reason.into(), reads));
            }
        })
    }

    fn cast(
        &mut self,
        kind: mir::CastKind,
        operand: &mir::Operand<'tcx>,
        ty: ty::Ty<'tcx>,
        span: Span,
    ) -> Rvalue {
        let tcx = self.collector.tcx;
        let from = operand.ty(self.body, tcx);
        let target = self.collector.ty(ty, self.env);
        let kind = match kind {
            mir::CastKind::PointerCoercion(PointerCoercion::ReifyFnPointer(_), _) => {
                if let ty::FnDef(def_id, args) = *from.kind() {
                    let args = args.skip_binder();
                    let instance = Instance::resolve_for_fn_ptr(tcx, self.env, def_id, args);
                    let code = match instance {
                        Some(instance) => Code::Instance(instance),
                        None => self.collector.resolve(def_id, args, self.env),
                    };
                    return self.fn_pointer(code, target);
                }
                CastKind::FnToPtr
            }
            mir::CastKind::PointerCoercion(PointerCoercion::ClosureFnPointer(_), _) => {
                if let ty::Closure(def_id, args) = *from.kind() {
                    let instance =
                        Instance::resolve_closure(tcx, def_id, args, ClosureKind::FnOnce);
                    return self.fn_pointer(Code::Instance(instance), target);
                }
                CastKind::FnToPtr
            }
            mir::CastKind::PointerCoercion(PointerCoercion::Unsize, _) => {
                CastKind::Unsize(self.collector.unsize_meta(from, ty, self.env))
            }
            mir::CastKind::PointerCoercion(
                PointerCoercion::MutToConstPointer
                | PointerCoercion::ArrayToPointer
                | PointerCoercion::UnsafeFnPointer,
                _,
            )
            | mir::CastKind::PtrToPtr
            | mir::CastKind::FnPtrToPtr => CastKind::PtrToPtr,
            mir::CastKind::PointerExposeProvenance => CastKind::PtrToInt,
            mir::CastKind::PointerWithExposedProvenance => CastKind::IntToPtr,
            mir::CastKind::IntToInt => CastKind::IntToInt,
            mir::CastKind::FloatToInt => CastKind::FloatToInt,
            mir::CastKind::FloatToFloat => CastKind::FloatToFloat,
            mir::CastKind::IntToFloat => CastKind::IntToFloat,
            mir::CastKind::Transmute
            | mir::CastKind::BoxDerefTransmute
            | mir::CastKind::Subtype => CastKind::Transmute,
        };
        Rvalue::Cast(kind, self.operand(operand, span), target)
    }

    fn fn_pointer(&mut self, code: Code<'tcx>, ty: cargo_cse::cfa::TyId) -> Rvalue {
        let to = Pointee::Function(self.collector.function(code, self.env));
        Rvalue::Use(Operand::Const(Const::Pointer { to, offset: 0, meta: None, ty }))
    }
}

/// Unsafe code is taken to be free of undefined behaviour, so an unchecked operation is a plain one.
fn binary_op(op: BinOp) -> BinaryOp {
    match op {
        BinOp::Add | BinOp::AddUnchecked => BinaryOp::Add,
        BinOp::Sub | BinOp::SubUnchecked => BinaryOp::Sub,
        BinOp::Mul | BinOp::MulUnchecked => BinaryOp::Mul,
        BinOp::AddWithOverflow => BinaryOp::AddWithOverflow,
        BinOp::SubWithOverflow => BinaryOp::SubWithOverflow,
        BinOp::MulWithOverflow => BinaryOp::MulWithOverflow,
        BinOp::Div => BinaryOp::Div,
        BinOp::Rem => BinaryOp::Rem,
        BinOp::BitXor => BinaryOp::BitXor,
        BinOp::BitAnd => BinaryOp::BitAnd,
        BinOp::BitOr => BinaryOp::BitOr,
        BinOp::Shl | BinOp::ShlUnchecked => BinaryOp::Shl,
        BinOp::Shr | BinOp::ShrUnchecked => BinaryOp::Shr,
        BinOp::Eq => BinaryOp::Eq,
        BinOp::Lt => BinaryOp::Lt,
        BinOp::Le => BinaryOp::Le,
        BinOp::Ne => BinaryOp::Ne,
        BinOp::Ge => BinaryOp::Ge,
        BinOp::Gt => BinaryOp::Gt,
        BinOp::Cmp => BinaryOp::Cmp,
        BinOp::Offset => BinaryOp::Offset,
    }
}
