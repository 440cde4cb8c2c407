//! Building comparisons and questions about overflow.

use super::{BitsOp, CompareOp, Node, OverflowOp, Sort, Term, Terms, meaning};
use crate::bits::{mask, sign_bit, signed};

/// How deep a term is looked into for the range of its values.
const DEPTH: u32 = 4;

impl Terms {
    /// With a constant, every comparison is written as a strict one or an equation.
    pub fn compare(&mut self, op: CompareOp, left: Term, right: Term) -> Term {
        let width = self.same_width(left, right);
        let (left_value, right_value) = (self.as_bits(left), self.as_bits(right));
        if let (Some(left), Some(right)) = (left_value, right_value) {
            return self.bool(meaning::compare(op, left, right, width));
        }
        if left == right {
            return self.bool(!op.is_strict());
        }
        if let Some(folded) = self.compare_choice(op, left, right, width) {
            return folded;
        }
        let (left_range, right_range) = (self.range(left), self.range(right));
        if op.is_signed() && left_range.1.max(right_range.1) < sign_bit(width) {
            let unsigned = if op.is_strict() { CompareOp::Ult } else { CompareOp::Ule };
            return self.compare(unsigned, left, right);
        }
        if !op.is_signed() {
            if meaning::compare(op, left_range.1, right_range.0, width) {
                return self.bool(true);
            }
            if !meaning::compare(op, left_range.0, right_range.1, width) {
                return self.bool(false);
            }
        }
        if let Some(narrow) = self.compare_extended(op, left, right) {
            return narrow;
        }
        let (lowest, highest) = bounds(op.is_signed(), width);
        let strict = strict(op);
        match (left_value, right_value) {
            (None, Some(bound)) if !op.is_strict() => {
                if bound == highest {
                    return self.bool(true);
                }
                let above = self.bits(bound.wrapping_add(1), width);
                self.compare(strict, left, above)
            }
            (Some(bound), None) if !op.is_strict() => {
                if bound == lowest {
                    return self.bool(true);
                }
                let below = self.bits(bound.wrapping_sub(1), width);
                self.compare(strict, below, right)
            }
            (None, Some(bound)) if bound == lowest => self.bool(false),
            (None, Some(bound)) if bound == lowest.wrapping_add(1) & mask(width) => {
                let lowest = self.bits(lowest, width);
                self.eq(left, lowest)
            }
            (None, Some(bound)) if bound == highest => {
                let equal = self.eq(left, right);
                self.not(equal)
            }
            (Some(bound), None) if bound == highest => self.bool(false),
            (Some(bound), None) if bound == highest.wrapping_sub(1) & mask(width) => {
                let highest = self.bits(highest, width);
                self.eq(right, highest)
            }
            (Some(bound), None) if bound == lowest => {
                let equal = self.eq(right, left);
                self.not(equal)
            }
            _ => self.intern(Node::Compare(op, left, right), Sort::Bool),
        }
    }

    fn compare_choice(
        &mut self,
        op: CompareOp,
        left: Term,
        right: Term,
        width: u32,
    ) -> Option<Term> {
        let (condition, yes, no) = match (self.as_choice(left), self.as_choice(right)) {
            (Some((condition, yes, no)), None) => {
                let right = self.as_bits(right)?;
                (condition, (yes, right), (no, right))
            }
            (None, Some((condition, yes, no))) => {
                let left = self.as_bits(left)?;
                (condition, (left, yes), (left, no))
            }
            (Some((condition, yes, no)), Some((same, other_yes, other_no)))
                if condition == same =>
            {
                (condition, (yes, other_yes), (no, other_no))
            }
            _ => return None,
        };
        let yes = self.bool(meaning::compare(op, yes.0, yes.1, width));
        let no = self.bool(meaning::compare(op, no.0, no.1, width));
        Some(self.ite(condition, yes, no))
    }

    /// What was extended on both sides, or on one side against a constant that the narrow width
    /// holds, is compared as it was.
    fn compare_extended(&mut self, op: CompareOp, left: Term, right: Term) -> Option<Term> {
        let (narrow, is_zero_extended) = match (self.node(left), self.node(right)) {
            (Node::ZeroExtend { of, .. }, _) | (_, Node::ZeroExtend { of, .. }) => {
                (self.width(*of), true)
            }
            (Node::SignExtend { of, .. }, _) | (_, Node::SignExtend { of, .. }) => {
                (self.width(*of), false)
            }
            _ => return None,
        };
        if is_zero_extended == op.is_signed() {
            return None;
        }
        let left = self.narrowed(left, narrow, is_zero_extended)?;
        let right = self.narrowed(right, narrow, is_zero_extended)?;
        Some(self.compare(op, left, right))
    }

    /// The term of that width of which this one is the extension.
    pub(super) fn narrowed(&mut self, term: Term, narrow: u32, by_zeros: bool) -> Option<Term> {
        let width = self.width(term);
        match *self.node(term) {
            Node::ZeroExtend { of, .. } if by_zeros && self.width(of) == narrow => Some(of),
            Node::SignExtend { of, .. } if !by_zeros && self.width(of) == narrow => Some(of),
            Node::Bits { value, .. } => {
                let low = value & mask(narrow);
                let again = if by_zeros { low } else { signed(low, narrow) as u128 & mask(width) };
                (again == value).then(|| self.bits(low, narrow))
            }
            _ => None,
        }
    }

    /// The negation of a comparison in the form in which [`Terms::compare`] writes it, if built.
    pub(super) fn find_opposite(&self, op: CompareOp, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        let constant = |value: u128| self.find(&Node::Bits { value: value & mask(width), width });
        let opposite = match (self.as_bits(left), self.as_bits(right)) {
            (None, Some(bound)) => Node::Compare(op, constant(bound.wrapping_sub(1))?, left),
            (Some(bound), None) => Node::Compare(op, right, constant(bound.wrapping_add(1))?),
            _ => Node::Compare(opposite(op), right, left),
        };
        self.find(&opposite)
    }

    /// Does the exact result not fit? With a constant, the question is written as a comparison.
    pub fn overflows(&mut self, op: OverflowOp, signed: bool, left: Term, right: Term) -> Term {
        let width = self.same_width(left, right);
        if op == OverflowOp::Sub && !signed {
            return self.compare(CompareOp::Ult, left, right);
        }
        let (left, right) =
            if op == OverflowOp::Sub { (left, right) } else { self.ordered(left, right) };
        if let Some(right) = self.as_bits(right) {
            if let Some(left) = self.as_bits(left) {
                return self.bool(meaning::overflows(op, signed, left, right, width));
            }
            return match signed {
                false => self.overflows_by(op, left, right, width),
                true => self.overflows_signed_by(op, left, right, width),
            };
        }
        let (left_range, right_range) = (self.range(left), self.range(right));
        let highest = if signed { sign_bit(width) - 1 } else { mask(width) };
        if left_range.1.max(right_range.1) <= highest {
            let never = match op {
                OverflowOp::Add => left_range.1.checked_add(right_range.1),
                OverflowOp::Sub => Some(0),
                OverflowOp::Mul => left_range.1.checked_mul(right_range.1),
            };
            if never.is_some_and(|most| most <= highest) {
                return self.bool(false);
            }
        }
        self.intern(Node::Overflows { op, signed, left, right }, Sort::Bool)
    }

    fn overflows_by(&mut self, op: OverflowOp, left: Term, right: u128, width: u32) -> Term {
        let most = match (op, right) {
            (OverflowOp::Add, _) => mask(width) - right,
            (OverflowOp::Mul, 0) => return self.bool(false),
            (OverflowOp::Mul, _) => mask(width) / right,
            (OverflowOp::Sub, _) => unreachable!("is a comparison"),
        };
        let most = self.bits(most, width);
        self.compare(CompareOp::Ult, most, left)
    }

    fn overflows_signed_by(&mut self, op: OverflowOp, left: Term, right: u128, width: u32) -> Term {
        let right = signed(right, width);
        let highest = (mask(width) >> 1) as i128;
        let lowest = -highest - 1;
        // The operation is exact from `least` to `most`; none is a bound that the type keeps anyway.
        let (least, most) = match op {
            _ if right == 0 => (None, None),
            OverflowOp::Add if right > 0 => (None, Some(highest - right)),
            OverflowOp::Add => (Some(lowest - right), None),
            OverflowOp::Sub if right > 0 => (Some(lowest + right), None),
            OverflowOp::Sub => (None, Some(highest + right)),
            OverflowOp::Mul if right > 0 => (Some(lowest / right), Some(highest / right)),
            OverflowOp::Mul if right == -1 => (Some(-highest), None),
            OverflowOp::Mul => (Some(highest / right), Some(lowest / right)),
        };
        let below = least.map(|least| {
            let least = self.bits(least as u128, width);
            self.compare(CompareOp::Slt, left, least)
        });
        let above = most.map(|most| {
            let most = self.bits(most as u128, width);
            self.compare(CompareOp::Slt, most, left)
        });
        self.or(below.into_iter().chain(above))
    }

    /// Bounds of the term's unsigned values: the true range lies within.
    pub(super) fn range(&self, term: Term) -> (u128, u128) {
        self.range_within(term, DEPTH)
    }

    fn range_within(&self, term: Term, depth: u32) -> (u128, u128) {
        let all = (0, mask(self.width(term)));
        if let Some(value) = self.as_bits(term) {
            return (value, value);
        }
        let Some(depth) = depth.checked_sub(1) else { return all };
        match *self.node(term) {
            Node::ZeroExtend { of, .. } => self.range_within(of, depth),
            Node::Ite(_, yes, no) => {
                let (yes, no) = (self.range_within(yes, depth), self.range_within(no, depth));
                (yes.0.min(no.0), yes.1.max(no.1))
            }
            Node::Binary(BitsOp::URem, left, right) => {
                let (left, right) =
                    (self.range_within(left, depth), self.range_within(right, depth));
                // By zero, the remainder is the dividend.
                let most = if right.0 > 0 { left.1.min(right.1 - 1) } else { left.1 };
                (0, most)
            }
            Node::Binary(BitsOp::UDiv, left, right) => {
                let (left, right) =
                    (self.range_within(left, depth), self.range_within(right, depth));
                // By zero, the quotient is all ones.
                left.1.checked_div(right.0).map_or(all, |most| (left.0 / right.1, most))
            }
            Node::Binary(BitsOp::And, left, right) => {
                let (left, right) =
                    (self.range_within(left, depth), self.range_within(right, depth));
                (0, left.1.min(right.1))
            }
            Node::Binary(op @ (BitsOp::Add | BitsOp::Mul), left, right) => {
                let (left, right) =
                    (self.range_within(left, depth), self.range_within(right, depth));
                let most = match op {
                    BitsOp::Add => left.1.checked_add(right.1),
                    _ => left.1.checked_mul(right.1),
                };
                match most {
                    Some(most) if most <= all.1 && op == BitsOp::Add => (left.0 + right.0, most),
                    Some(most) if most <= all.1 => (left.0 * right.0, most),
                    _ => all,
                }
            }
            Node::Concat { high, low } => {
                let shift = self.width(low);
                let (high, low) = (self.range_within(high, depth), self.range_within(low, depth));
                (high.0 << shift | low.0, high.1 << shift | low.1)
            }
            Node::Count(_, of) => (0, u128::from(self.width(of))),
            _ => all,
        }
    }
}

/// The lowest and the highest value in the order.
fn bounds(signed: bool, width: u32) -> (u128, u128) {
    if signed { (sign_bit(width), sign_bit(width) - 1) } else { (0, mask(width)) }
}

fn strict(op: CompareOp) -> CompareOp {
    if op.is_signed() { CompareOp::Slt } else { CompareOp::Ult }
}

fn opposite(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Ult => CompareOp::Ule,
        CompareOp::Ule => CompareOp::Ult,
        CompareOp::Slt => CompareOp::Sle,
        CompareOp::Sle => CompareOp::Slt,
    }
}
