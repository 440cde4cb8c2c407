//! Building equations.

use super::{BitsOp, Node, Sort, Term, Terms};
use crate::bits::mask;

/// How deep an equation is taken into its sides.
const DEPTH: u32 = 16;

impl Terms {
    /// Equality of two terms of one sort. That of floats is that of their bits.
    pub fn eq(&mut self, left: Term, right: Term) -> Term {
        self.eq_within(left, right, DEPTH)
    }

    fn eq_within(&mut self, left: Term, right: Term, depth: u32) -> Term {
        let sort = self.sort(left);
        assert_eq!(sort, self.sort(right), "both sides of an equation are of one sort");
        if left == right {
            return self.bool(true);
        }
        let (left, right) = self.ordered(left, right);
        let simple = match sort {
            Sort::Bool => self.eq_of_bools(left, right),
            Sort::Bits(width) => self.eq_of_bits(left, right, width, depth),
            Sort::EffectState => None,
        };
        if let Some(simple) = simple.or_else(|| self.eq_of_choices(left, right, depth)) {
            return simple;
        }
        self.intern(Node::Eq(left, right), Sort::Bool)
    }

    fn eq_of_bools(&mut self, left: Term, right: Term) -> Option<Term> {
        if let Some(value) = self.as_bool(right) {
            return Some(if value { left } else { self.not(left) });
        }
        if self.negation(left) == Some(right) {
            return Some(self.bool(false));
        }
        match (self.node(left), self.node(right)) {
            (&Node::Not(left), &Node::Not(right)) => Some(self.eq(left, right)),
            (&Node::Not(left), _) => {
                let equal = self.eq(left, right);
                Some(self.not(equal))
            }
            (_, &Node::Not(right)) => {
                let equal = self.eq(left, right);
                Some(self.not(equal))
            }
            _ => None,
        }
    }

    fn eq_of_bits(&mut self, left: Term, right: Term, width: u32, depth: u32) -> Option<Term> {
        if let Some(value) = self.as_bits(right) {
            if self.as_bits(left).is_some() {
                return Some(self.bool(false));
            }
            let depth = depth.checked_sub(1)?;
            let range = self.range(left);
            if value < range.0 || range.1 < value {
                return Some(self.bool(false));
            }
            return self.eq_constant(left, right, value, width, depth);
        }
        let depth = depth.checked_sub(1)?;
        let (left_base, left_offset) = self.offset(left);
        let (right_base, right_offset) = self.offset(right);
        if left_base == right_base {
            return Some(self.bool(left_offset == right_offset));
        }
        if left_offset != 0 && left_offset == right_offset {
            return Some(self.eq_within(left_base, right_base, depth));
        }
        match (self.node(left), self.node(right)) {
            (&Node::ZeroExtend { of: left, .. }, &Node::ZeroExtend { of: right, .. })
            | (&Node::SignExtend { of: left, .. }, &Node::SignExtend { of: right, .. })
                if self.width(left) == self.width(right) =>
            {
                Some(self.eq_within(left, right, depth))
            }
            (
                &Node::Concat { high: left_high, low: left_low },
                &Node::Concat { high: right_high, low: right_low },
            ) if self.width(left_low) == self.width(right_low) => {
                let high = self.eq_within(left_high, right_high, depth);
                let low = self.eq_within(left_low, right_low, depth);
                Some(self.and([high, low]))
            }
            _ => None,
        }
    }

    fn eq_constant(
        &mut self,
        left: Term,
        right: Term,
        value: u128,
        width: u32,
        depth: u32,
    ) -> Option<Term> {
        let (base, offset) = self.offset(left);
        if offset != 0 {
            let value = self.bits(value.wrapping_sub(offset), width);
            return Some(self.eq_within(base, value, depth));
        }
        match *self.node(left) {
            Node::Binary(BitsOp::Sub, constant, of) if self.as_bits(constant).is_some() => {
                let constant = self.as_bits(constant)?;
                let value = self.bits(constant.wrapping_sub(value), width);
                Some(self.eq_within(of, value, depth))
            }
            Node::Binary(BitsOp::Sub, left, right) if value == 0 => {
                Some(self.eq_within(left, right, depth))
            }
            Node::Binary(BitsOp::Xor, left, right) if value == 0 => {
                Some(self.eq_within(left, right, depth))
            }
            Node::Binary(BitsOp::Xor, of, constant) if self.as_bits(constant).is_some() => {
                let value = self.bits(self.as_bits(constant)? ^ value, width);
                Some(self.eq_within(of, value, depth))
            }
            Node::Binary(BitsOp::Or, left, other) if value == 0 => {
                let left = self.eq_within(left, right, depth);
                let other = self.eq_within(other, right, depth);
                Some(self.and([left, other]))
            }
            Node::ZeroExtend { of, .. } => Some(match self.narrowed(right, self.width(of), true) {
                Some(narrow) => self.eq_within(of, narrow, depth),
                None => self.bool(false),
            }),
            Node::SignExtend { of, .. } => {
                Some(match self.narrowed(right, self.width(of), false) {
                    Some(narrow) => self.eq_within(of, narrow, depth),
                    None => self.bool(false),
                })
            }
            Node::Concat { high, low } => {
                let shift = self.width(low);
                let high_value = self.bits(value >> shift, width - shift);
                let low_value = self.bits(value & mask(shift), shift);
                let high = self.eq_within(high, high_value, depth);
                let low = self.eq_within(low, low_value, depth);
                Some(self.and([high, low]))
            }
            _ => None,
        }
    }

    /// An equation with a choice is taken into it where that decides one of its cases.
    fn eq_of_choices(&mut self, left: Term, right: Term, depth: u32) -> Option<Term> {
        let depth = depth.checked_sub(1)?;
        let (condition, yes, no) = match (self.node(left), self.node(right)) {
            (&Node::Ite(condition, yes, no), &Node::Ite(same, other_yes, other_no))
                if condition == same =>
            {
                (condition, (yes, other_yes), (no, other_no))
            }
            (&Node::Ite(condition, yes, no), _) => (condition, (yes, right), (no, right)),
            (_, &Node::Ite(condition, yes, no)) => (condition, (left, yes), (left, no)),
            _ => return None,
        };
        let is_decided = |(left, right): (Term, Term)| {
            left == right || (self.as_bits(left).is_some() && self.as_bits(right).is_some())
        };
        if !is_decided(yes) && !is_decided(no) {
            return None;
        }
        let yes = self.eq_within(yes.0, yes.1, depth);
        let no = self.eq_within(no.0, no.1, depth);
        Some(self.ite(condition, yes, no))
    }
}
