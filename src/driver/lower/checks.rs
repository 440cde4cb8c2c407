//! Leaves out the standard library's checks for undefined behaviour.

use rustc_middle::mir::{self, BasicBlock, Operand, TerminatorKind};

use crate::collect::Collector;
use crate::std_items;

/// Unsafe code is taken to be free of undefined behaviour, and so such checks are switched off. Std
/// asks for them by a call, whose answer nobody knows unless it is entered: the branch that makes the
/// check is cut here, with all that only failed checks reach.
pub fn leave_out<'tcx>(collector: &Collector<'tcx>, body: &mut mir::Body<'tcx>) {
    if collector.tcx.sess.ub_checks() {
        return;
    }
    let cut: Vec<(BasicBlock, BasicBlock)> = (body.basic_blocks.iter_enumerated())
        .filter_map(|(block, data)| Some((block, unchecked(collector, body, data)?)))
        .collect();
    if cut.is_empty() {
        return;
    }
    let blocks = body.basic_blocks.as_mut();
    for (block, target) in cut {
        blocks[block].terminator_mut().kind = TerminatorKind::goto(target);
    }
}

/// Where a block that asks whether to check goes on if not.
fn unchecked<'tcx>(
    collector: &Collector<'tcx>,
    body: &mir::Body<'tcx>,
    data: &mir::BasicBlockData<'tcx>,
) -> Option<BasicBlock> {
    let TerminatorKind::Call { func, destination, target: Some(target), .. } =
        &data.terminator.as_ref()?.kind
    else {
        return None;
    };
    let (callee, _) = func.const_fn_def()?;
    let answer = destination.as_local()?;
    let next = &body.basic_blocks[*target];
    let TerminatorKind::SwitchInt { discr: Operand::Copy(asked) | Operand::Move(asked), targets } =
        &next.terminator.as_ref()?.kind
    else {
        return None;
    };
    let is_asked = asked.as_local() == Some(answer) && next.statements.is_empty();
    (is_asked && std_items::asks_for_checks(collector, callee)).then(|| targets.target_for_value(0))
}
