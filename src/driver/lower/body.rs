//! Control flow: basic blocks become locations, statements and terminators become edges.

use cargo_cse::cfa::{
    Body, Call, Callee, Cfa, Condition, Const, Edge, FnId, Local, LocalId, Location, Op, Operand,
    Place, Rvalue,
};
use cargo_cse::reason::{CoroutineUse, NoCode, OverflowChecks};
use rustc_attr_ir::lang_items::LangItem;
use rustc_data_structures::fx::FxHashMap;
use rustc_index::bit_set::DenseBitSet;
use rustc_middle::mir::{
    self, AssertKind, BasicBlock, NonDivergingIntrinsic, StatementKind, TerminatorKind,
    UnwindAction, VarDebugInfoContents,
};
use rustc_middle::ty::{
    self, GenericArgsRef, Instance, InstanceKind, Ty, TypeVisitableExt, TypingEnv,
};
use rustc_span::Span;
use rustc_span::def_id::DefId;

use super::Lowered;
use crate::collect::{Code, Collector};
use crate::generated::Checks;
use crate::implicit::Panicking;
use crate::messages::Panics;
use crate::std_items;
use crate::vtables::is_empty_drop;

/// A body that is being lowered.
pub struct Lowering<'a, 'tcx> {
    pub collector: &'a mut Collector<'tcx>,
    pub body: &'a mir::Body<'tcx>,
    pub env: TypingEnv<'tcx>,
    reachable: &'a DenseBitSet<BasicBlock>,
    locals: Vec<Local>,
    blocks: FxHashMap<BasicBlock, Location>,
    next: u32,
    edges: Vec<Edge>,
    /// Edges to the final location, which is numbered last.
    to_exit: Vec<usize>,
    /// Where a panic during a panic ends.
    abort: Option<Location>,
    /// Whether overflow is checked makes a difference, and is not known.
    pub undecided: bool,
}

pub fn lower<'tcx>(
    collector: &mut Collector<'tcx>,
    body: &mir::Body<'tcx>,
    reachable: &DenseBitSet<BasicBlock>,
    env: TypingEnv<'tcx>,
) -> Lowered {
    let locals = locals(collector, body, env);
    let mut lowering = Lowering {
        collector,
        body,
        env,
        reachable,
        locals,
        blocks: FxHashMap::default(),
        next: 0,
        edges: Vec::new(),
        to_exit: Vec::new(),
        abort: None,
        undecided: false,
    };
    lowering.block(mir::START_BLOCK);
    for (block, data) in mir::traversal::reverse_postorder(body) {
        if reachable.contains(block) {
            lowering.lower_block(block, data);
        }
    }
    lowering.finish()
}

fn locals<'tcx>(
    collector: &mut Collector<'tcx>,
    body: &mir::Body<'tcx>,
    env: TypingEnv<'tcx>,
) -> Vec<Local> {
    let mut locals: Vec<Local> = body
        .local_decls
        .iter()
        .map(|declaration| Local { name: None, ty: collector.ty(declaration.ty, env) })
        .collect();
    for info in &body.var_debug_info {
        if let VarDebugInfoContents::Place(place) = info.value
            && let Some(local) = place.as_local()
        {
            locals[local.as_usize()].name = Some(info.name.to_string());
        }
    }
    locals
}

impl<'tcx> Lowering<'_, 'tcx> {
    fn lower_block(&mut self, block: BasicBlock, data: &mir::BasicBlockData<'tcx>) {
        let mut at = self.block(block);
        for statement in &data.statements {
            let span = statement.source_info.span;
            let op = match &statement.kind {
                StatementKind::Assign(assign) => {
                    let (place, rvalue) = &**assign;
                    match self.rvalue(rvalue, span) {
                        Ok(rvalue) => Op::Assign(self.place(*place), rvalue),
                        Err(unsupported) => unsupported(self.place(*place)),
                    }
                }
                StatementKind::SetDiscriminant { place, variant_index } => {
                    Op::SetDiscriminant(self.place(**place), variant_index.as_u32())
                }
                StatementKind::Intrinsic(intrinsic) => match &**intrinsic {
                    NonDivergingIntrinsic::Assume(condition) => {
                        Op::Assume(Condition::Equals(self.operand(condition, span), 1))
                    }
                    NonDivergingIntrinsic::CopyNonOverlapping(copy) => {
                        let operands = [&copy.src, &copy.dst, &copy.count];
                        let [from, to, count] = operands.map(|it| self.operand(it, span));
                        Op::CopyMemory { from, to, count }
                    }
                },
                StatementKind::StorageLive(_)
                | StatementKind::StorageDead(_)
                | StatementKind::FakeRead(_)
                | StatementKind::PlaceMention(_)
                | StatementKind::AscribeUserType(..)
                | StatementKind::Coverage(_)
                | StatementKind::ConstEvalCounter
                | StatementKind::Nop
                | StatementKind::BackwardIncompatibleDropHint { .. } => continue,
            };
            at = self.step(at, op, span);
        }
        self.terminator(at, data.terminator());
    }

    fn terminator(&mut self, at: Location, terminator: &mir::Terminator<'tcx>) {
        let span = terminator.source_info.span;
        match &terminator.kind {
            TerminatorKind::Goto { target, .. } => self.goto(at, *target, span),
            TerminatorKind::SwitchInt { discr, targets } => self.switch(at, discr, targets, span),
            TerminatorKind::UnwindResume => self.leave(at, Op::Resume, span),
            TerminatorKind::UnwindTerminate(_) => self.leave(at, Op::Abort, span),
            TerminatorKind::Return => self.leave(at, Op::Nop, span),
            TerminatorKind::Unreachable => self.leave(at, Op::Unreachable, span),
            TerminatorKind::Drop { place, target, unwind, .. } => {
                let ty = place.ty(self.body, self.collector.tcx).ty;
                self.drop(at, *place, ty, *target, *unwind, span);
            }
            TerminatorKind::Call { func, args, destination, target, unwind, fn_span, .. } => {
                let args = args.iter().map(|arg| self.operand(&arg.node, span)).collect();
                let result = self.place(*destination);
                let span = if fn_span.is_dummy() { span } else { terminator.source_info.span };
                let place = if fn_span.is_dummy() { span } else { *fn_span };
                let Some(after) = self.call(at, func, args, result, *unwind, (span, place)) else {
                    return;
                };
                match target {
                    Some(target) => self.goto(after, *target, span),
                    None => self.leave(after, Op::Unreachable, span),
                }
            }
            TerminatorKind::TailCall { func, args, .. } => {
                let args = args.iter().map(|arg| self.operand(&arg.node, span)).collect();
                let result = Place::local(LocalId(0));
                let after = self.call(at, func, args, result, UnwindAction::Continue, (span, span));
                if let Some(after) = after {
                    self.leave(after, Op::Nop, span);
                }
            }
            TerminatorKind::Assert { cond, expected, msg, target, unwind } => {
                let mut at = at;
                let condition = self.operand(cond, span);
                // MIR carries the checks whether or not the crate that generates the code wants them.
                if msg.is_optional_overflow_check() {
                    match self.collector.checks {
                        Checks::Known { on: true, .. } => {}
                        Checks::Known { on: false, .. } => return self.goto(at, *target, span),
                        Checks::Std => {
                            at = self.step(at, only_std_can_tell(condition.clone()), span);
                        }
                        Checks::Unknown => self.undecided = true,
                    }
                }
                let holds = Condition::Equals(condition.clone(), u128::from(*expected));
                let fails = Condition::Equals(condition, u128::from(!*expected));
                let good = self.step(at, Op::Assume(holds), span);
                self.goto(good, *target, span);
                let bad = self.step(at, Op::Assume(fails), span);
                let unwind = self.unwind(*unwind);
                self.note_assertion(msg, span);
                self.leave(bad, Op::Panic { unwind }, span);
            }
            TerminatorKind::FalseEdge { real_target, .. }
            | TerminatorKind::FalseUnwind { real_target, .. } => self.goto(at, *real_target, span),
            TerminatorKind::InlineAsm { template, operands, options, targets, .. } => {
                let (reads, writes) = self.asm_operands(operands, span);
                let text: String = template.iter().map(ToString::to_string).collect();
                let registers: Vec<_> = operands.iter().map(register).collect();
                let text = format!("{text} ({}) {options:?}", registers.join(", "));
                let reason = NoCode::Assembly(text.into()).into();
                let after = self.step(at, Op::Unsupported { reason, reads, writes }, span);
                match targets.is_empty() {
                    true => self.leave(after, Op::Unreachable, span),
                    false => targets.iter().for_each(|&target| self.goto(after, target, span)),
                }
            }
            TerminatorKind::Yield { value, resume, resume_arg, .. } => {
                let op = Op::Unsupported {
                    reason: CoroutineUse::Yield.into(),
                    reads: vec![self.operand(value, span)],
                    writes: vec![self.place(*resume_arg)],
                };
                let after = self.step(at, op, span);
                self.goto(after, *resume, span);
            }
            TerminatorKind::CoroutineDrop => {
                let reason = CoroutineUse::Drop.into();
                self.leave(at, Op::Unsupported { reason, reads: vec![], writes: vec![] }, span);
            }
        }
    }

    fn switch(
        &mut self,
        at: Location,
        discriminant: &mir::Operand<'tcx>,
        targets: &mir::SwitchTargets,
        span: Span,
    ) {
        let values: Vec<u128> = targets.iter().map(|(value, _)| value).collect();
        let possible: Vec<_> = targets
            .iter()
            .map(|(value, target)| (Some(value), target))
            .chain([(None, targets.otherwise())])
            .filter(|&(_, target)| self.reachable.contains(target))
            .collect();
        if let [(_, only)] = possible[..] {
            return self.goto(at, only, span);
        }
        let operand = self.operand(discriminant, span);
        for (value, target) in possible {
            let condition = match value {
                Some(value) => Condition::Equals(operand.clone(), value),
                None => Condition::NoneOf(operand.clone(), values.clone()),
            };
            let after = self.step(at, Op::Assume(condition), span);
            self.goto(after, target, span);
        }
    }

    fn drop(
        &mut self,
        at: Location,
        place: mir::Place<'tcx>,
        ty: Ty<'tcx>,
        target: BasicBlock,
        unwind: UnwindAction,
        span: Span,
    ) {
        let Some(function) = self.collector.drop_function(ty, self.env) else {
            return self.goto(at, target, span);
        };
        let tcx = self.collector.tcx;
        let pointer = self.temporary(Ty::new_mut_ptr(tcx, ty));
        let place = self.place(place);
        let take = Op::Assign(Place::local(pointer), Rvalue::RawPtr { mutable: true, place });
        let at = self.step(at, take, span);
        let result = Place::local(self.temporary(tcx.types.unit));
        let call = Call {
            callee: Callee::Function(function),
            args: vec![Operand::Read(Place::local(pointer))],
            result,
            unwind: self.unwind(unwind),
        };
        let after = self.step(at, Op::Call(call), span);
        self.goto(after, target, span);
    }

    /// Notes what a failed assertion of the compiler says.
    fn note_assertion(&mut self, message: &mir::AssertMessage<'tcx>, span: Span) {
        let tcx = self.collector.tcx;
        let (item, args) = match message {
            AssertKind::BoundsCheck { len, index } => {
                (LangItem::PanicBoundsCheck, vec![index, len])
            }
            AssertKind::MisalignedPointerDereference { required, found } => {
                (LangItem::PanicMisalignedPointerDereference, vec![required, found])
            }
            AssertKind::InvalidEnumConstruction(source) => {
                (LangItem::PanicInvalidEnumConstruction, vec![source])
            }
            other => (other.panic_function(), Vec::new()),
        };
        let Some(function) = tcx.lang_items().get(item) else {
            return;
        };
        let args = args.into_iter().map(|arg| self.operand(arg, span)).collect();
        let callee = Code::Instance(Instance::mono(tcx, function));
        // It does not return: the result is never stored.
        self.note_panic(callee, args, Place::local(LocalId(0)), span);
    }

    /// Notes the call that the next edge, a panic, stands for.
    fn note_panic(&mut self, callee: Code<'tcx>, args: Vec<Operand>, result: Place, place: Span) {
        let (function, edge, env) = (self.collector.filling, self.edges.len(), self.env);
        let does = Panics::of(self.collector, callee, env);
        let implicit = &mut self.collector.implicit;
        implicit.places.insert((function, edge), place);
        implicit.panics.push(Panicking { function, edge, callee, env, args, result, does });
    }

    /// Adds a call; gives the location after it, or none if the call is a panic. `place` is what
    /// the callee may be told.
    fn call(
        &mut self,
        at: Location,
        function: &mir::Operand<'tcx>,
        args: Vec<Operand>,
        result: Place,
        unwind: UnwindAction,
        (span, place): (Span, Span),
    ) -> Option<Location> {
        let tcx = self.collector.tcx;
        let unwind = self.unwind(unwind);
        let mut at = at;
        let callee = match *function.ty(self.body, tcx).kind() {
            ty::FnDef(def_id, generic_args) => {
                if self.asks_for_a_type(def_id, generic_args.skip_binder()) {
                    at = self.mention_handed_out(at, span);
                }
                let code = self.collector.resolve(def_id, generic_args.skip_binder(), self.env);
                match code {
                    Code::Instance(instance) => match instance.def {
                        InstanceKind::Virtual(method, slot) => Callee::Virtual {
                            method: self.collector.names.bare_path(method),
                            slot: slot as u32,
                            supplied: self.supplied(method, generic_args.skip_binder()),
                        },
                        _ if is_empty_drop(instance) => {
                            return Some(self.step(at, Op::Nop, span));
                        }
                        InstanceKind::Item(item)
                            if matches!(
                                std_items::outcome(self.collector, item),
                                Some(Body::Panic)
                            ) =>
                        {
                            self.note_panic(code, args, result, place);
                            self.leave(at, Op::Panic { unwind }, span);
                            return None;
                        }
                        _ => Callee::Function(self.called(code, place)),
                    },
                    _ => Callee::Function(self.called(code, place)),
                }
            }
            _ => Callee::Pointer(self.operand(function, span)),
        };
        Some(self.step(at, Op::Call(Call { callee, args, result, unwind }), span))
    }

    /// What a method of a trait object is for types that callers bring.
    fn supplied(&mut self, method: DefId, args: GenericArgsRef<'tcx>) -> Option<FnId> {
        let args = self.collector.tcx.erase_and_anonymize_regions(args);
        let has_callers = self.collector.has_callers();
        has_callers.then(|| self.collector.function(Code::Supplied(method, args), self.env))
    }

    /// Whether a call of code outside of std asks std which type a parameter is: its size, its name. Such
    /// a function gets nothing but a type, or a reference to a value of it, and gives what has nothing to
    /// do with it. What std does with the answers itself is a matter of memory, which is no behaviour.
    fn asks_for_a_type(&self, callee: DefId, args: GenericArgsRef<'tcx>) -> bool {
        let tcx = self.collector.tcx;
        if self.collector.is_std(self.body.source.def_id().krate)
            || !self.collector.is_std(callee.krate)
            || !args.has_param()
            || !self.collector.has_callers()
        {
            return false;
        }
        let signature = tcx.fn_sig(callee).instantiate(tcx, args).skip_norm_wip().skip_binder();
        let is_parameter = |ty: Ty<'tcx>| match *ty.kind() {
            ty::Ref(_, to, _) | ty::RawPtr(to, _) => matches!(to.kind(), ty::Param(_)),
            _ => false,
        };
        !signature.output().has_param() && signature.inputs().iter().all(|ty| is_parameter(*ty))
    }

    fn mention_handed_out(&mut self, at: Location, span: Span) -> Location {
        let types = self.collector.function(Code::HandedOut, self.env);
        let result = Place::local(self.temporary(self.collector.tcx.types.unit));
        let callee = Callee::Function(types);
        let call = Call { callee, args: Vec::new(), result, unwind: None };
        self.step(at, Op::Call(call), span)
    }

    /// What the next edge calls.
    fn called(&mut self, code: Code<'tcx>, place: Span) -> FnId {
        let function = self.collector.function(code, self.env);
        let (caller, implicit) = (self.collector.filling, &mut self.collector.implicit);
        if implicit.tracked.contains(&function) {
            implicit.places.insert((caller, self.edges.len()), place);
        }
        function
    }

    fn asm_operands(
        &mut self,
        operands: &[mir::InlineAsmOperand<'tcx>],
        span: Span,
    ) -> (Vec<Operand>, Vec<Place>) {
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for operand in operands {
            match operand {
                mir::InlineAsmOperand::In { value, .. } => reads.push(self.operand(value, span)),
                mir::InlineAsmOperand::Out { place, .. } => {
                    writes.extend(place.map(|place| self.place(place)));
                }
                mir::InlineAsmOperand::InOut { in_value, out_place, .. } => {
                    reads.push(self.operand(in_value, span));
                    writes.extend(out_place.map(|place| self.place(place)));
                }
                mir::InlineAsmOperand::Const { value } | mir::InlineAsmOperand::SymFn { value } => {
                    reads.push(self.collector.constant(value.const_, span, self.env));
                }
                mir::InlineAsmOperand::SymStatic { def_id } => {
                    let to = cargo_cse::cfa::Pointee::Static(self.collector.static_(*def_id));
                    let ty = self.collector.ty(self.collector.tcx.types.unit, self.env);
                    reads.push(Operand::Const(Const::Pointer { to, offset: 0, meta: None, ty }));
                }
                mir::InlineAsmOperand::Label { .. } => {}
            }
        }
        (reads, writes)
    }

    fn unwind(&mut self, action: UnwindAction) -> Option<Location> {
        match action {
            UnwindAction::Cleanup(block) if self.reachable.contains(block) => {
                Some(self.block(block))
            }
            UnwindAction::Cleanup(_) | UnwindAction::Continue | UnwindAction::Unreachable => None,
            UnwindAction::Terminate(_) => {
                if self.abort.is_none() {
                    let location = self.location();
                    self.abort = Some(location);
                    self.leave(location, Op::Abort, rustc_span::DUMMY_SP);
                }
                self.abort
            }
        }
    }

    fn temporary(&mut self, ty: Ty<'tcx>) -> LocalId {
        let ty = self.collector.ty(ty, self.env);
        self.locals.push(Local { name: None, ty });
        LocalId(self.locals.len() as u32 - 1)
    }

    fn block(&mut self, block: BasicBlock) -> Location {
        if let Some(&location) = self.blocks.get(&block) {
            return location;
        }
        let location = self.location();
        self.blocks.insert(block, location);
        location
    }

    fn location(&mut self) -> Location {
        self.next += 1;
        Location(self.next - 1)
    }

    fn step(&mut self, from: Location, op: Op, span: Span) -> Location {
        let to = self.location();
        self.edge(from, to, op, span);
        to
    }

    fn goto(&mut self, from: Location, target: BasicBlock, span: Span) {
        let to = self.block(target);
        self.edge(from, to, Op::Nop, span);
    }

    fn leave(&mut self, from: Location, op: Op, span: Span) {
        self.to_exit.push(self.edges.len());
        self.edge(from, Location(u32::MAX), op, span);
    }

    fn edge(&mut self, from: Location, to: Location, op: Op, span: Span) {
        let span = self.collector.files.span(self.collector.tcx, span);
        self.edges.push(Edge { from, to, op, span });
    }

    /// In the place of a body in which overflow may be checked or not. What decides it is all that is
    /// compiled: it is the same only where that is.
    fn without_knowing(self) -> Lowered {
        let ty = self.collector.ty(self.collector.tcx.types.bool, self.env);
        let text = self.collector.generation.identity.clone();
        let op = Op::Unsupported {
            reason: OverflowChecks::ProfilesDiffer.into(),
            reads: vec![Operand::Const(Const::Opaque { text, ty })],
            writes: Vec::new(),
        };
        let span = self.collector.files.span(self.collector.tcx, self.body.span);
        let edge = Edge { from: Location(0), to: Location(1), op, span };
        Lowered {
            params: self.body.arg_count as u32,
            locals: self.locals,
            body: Body::Cfa(Cfa { locations: 2, edges: vec![edge] }),
        }
    }

    fn finish(mut self) -> Lowered {
        if self.undecided {
            return self.without_knowing();
        }
        let exit = self.location();
        for edge in self.to_exit {
            self.edges[edge].to = exit;
        }
        Lowered {
            params: self.body.arg_count as u32,
            locals: self.locals,
            body: Body::Cfa(Cfa { locations: self.next, edges: self.edges }),
        }
    }
}

/// Stands where std's code checks for overflow, if that is compiled as it is in std.
fn only_std_can_tell(condition: Operand) -> Op {
    let reason = OverflowChecks::OnlyStdKnows.into();
    Op::Unsupported { reason, reads: vec![condition], writes: Vec::new() }
}

/// What an operand of inline assembly is, apart from its value.
fn register(operand: &mir::InlineAsmOperand<'_>) -> String {
    use mir::InlineAsmOperand as Operand;
    match operand {
        Operand::In { reg, .. } => format!("in {reg}"),
        Operand::Out { reg, late, place } => {
            format!("out {reg}, late: {late}, used: {}", place.is_some())
        }
        Operand::InOut { reg, late, out_place, .. } => {
            format!("inout {reg}, late: {late}, used: {}", out_place.is_some())
        }
        Operand::Const { .. } => "const".to_owned(),
        Operand::SymFn { .. } | Operand::SymStatic { .. } => "sym".to_owned(),
        Operand::Label { target_index } => format!("label {target_index}"),
    }
}
