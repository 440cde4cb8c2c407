//! Building arithmetic, bitwise operations and shifts.

use super::{BitsOp, Node, Sort, Term, Terms, meaning};
use crate::bits::{mask, sign_bit};

impl Terms {
    pub fn binary(&mut self, op: BitsOp, left: Term, right: Term) -> Term {
        let width = self.same_width(left, right);
        if let Some(folded) = self.fold_binary(op, left, right, width) {
            return folded;
        }
        let (left, right) =
            if op.is_commutative() { self.ordered(left, right) } else { (left, right) };
        let simple = match op {
            BitsOp::Add => self.add(left, right, width),
            BitsOp::Sub => self.sub(left, right, width),
            BitsOp::Mul => self.mul(left, right, width),
            BitsOp::UDiv | BitsOp::URem => self.divide(op, left, right, width),
            BitsOp::SDiv | BitsOp::SRem => self.divide_signed(op, left, right, width),
            BitsOp::And | BitsOp::Or | BitsOp::Xor => self.bitwise(op, left, right, width),
            BitsOp::Shl | BitsOp::LShr | BitsOp::AShr => self.shift(op, left, right, width),
        };
        simple.unwrap_or_else(|| self.intern(Node::Binary(op, left, right), Sort::Bits(width)))
    }

    /// Of constants, and of choices between constants.
    fn fold_binary(&mut self, op: BitsOp, left: Term, right: Term, width: u32) -> Option<Term> {
        let (condition, yes, no) = match (self.as_bits(left), self.as_bits(right)) {
            (Some(left), Some(right)) => {
                return Some(self.bits(meaning::binary(op, left, right, width), width));
            }
            (Some(left), None) => {
                let (condition, yes, no) = self.as_choice(right)?;
                (condition, (left, yes), (left, no))
            }
            (None, Some(right)) => {
                let (condition, yes, no) = self.as_choice(left)?;
                (condition, (yes, right), (no, right))
            }
            (None, None) => {
                let (condition, left_yes, left_no) = self.as_choice(left)?;
                let (same, right_yes, right_no) = self.as_choice(right)?;
                if condition != same {
                    return None;
                }
                (condition, (left_yes, right_yes), (left_no, right_no))
            }
        };
        let yes = self.bits(meaning::binary(op, yes.0, yes.1, width), width);
        let no = self.bits(meaning::binary(op, no.0, no.1, width), width);
        Some(self.ite(condition, yes, no))
    }

    /// The term as a sum with a constant, which is zero for most terms.
    pub(super) fn offset(&self, term: Term) -> (Term, u128) {
        if let Node::Binary(op @ (BitsOp::Add | BitsOp::Sub), base, offset) = *self.node(term)
            && let Some(offset) = self.as_bits(offset)
        {
            let offset = if op == BitsOp::Add { offset } else { offset.wrapping_neg() };
            return (base, offset & mask(self.width(term)));
        }
        (term, 0)
    }

    /// A constant above half of the range is subtracted: what counts down is written as it is in
    /// programs, and can then be seen not to wrap.
    fn plus(&mut self, base: Term, offset: u128, width: u32) -> Term {
        let offset = offset & mask(width);
        if offset == 0 {
            return base;
        }
        if self.as_bits(base).is_some() || self.as_choice(base).is_some() {
            let offset = self.bits(offset, width);
            return self.binary(BitsOp::Add, base, offset);
        }
        let (op, offset) = if offset <= sign_bit(width) {
            (BitsOp::Add, offset)
        } else {
            (BitsOp::Sub, offset.wrapping_neg())
        };
        let offset = self.bits(offset, width);
        self.intern(Node::Binary(op, base, offset), Sort::Bits(width))
    }

    fn add(&mut self, left: Term, right: Term, width: u32) -> Option<Term> {
        if let Some(right) = self.as_bits(right) {
            let (base, offset) = self.offset(left);
            if let Node::Binary(BitsOp::Sub, constant, of) = *self.node(base)
                && let Some(constant) = self.as_bits(constant)
            {
                let constant = constant.wrapping_add(offset).wrapping_add(right);
                let constant = self.bits(constant, width);
                return Some(self.binary(BitsOp::Sub, constant, of));
            }
            return Some(self.plus(base, offset.wrapping_add(right), width));
        }
        if let Some(joined) = self.join_bits(BitsOp::Add, left, right) {
            return Some(joined);
        }
        for (left, right) in [(left, right), (right, left)] {
            if let Node::Binary(BitsOp::Sub, from, same) = *self.node(left)
                && same == right
            {
                return Some(from);
            }
        }
        let (left_base, left_offset) = self.offset(left);
        let (right_base, right_offset) = self.offset(right);
        if left_offset == 0 && right_offset == 0 {
            return None;
        }
        let base = self.binary(BitsOp::Add, left_base, right_base);
        let offset = self.bits(left_offset.wrapping_add(right_offset), width);
        Some(self.binary(BitsOp::Add, base, offset))
    }

    fn sub(&mut self, left: Term, right: Term, width: u32) -> Option<Term> {
        if let Some(right) = self.as_bits(right) {
            let negated = self.bits(right.wrapping_neg(), width);
            return Some(self.binary(BitsOp::Add, left, negated));
        }
        let (left_base, left_offset) = self.offset(left);
        let (right_base, right_offset) = self.offset(right);
        if left_base == right_base {
            return Some(self.bits(left_offset.wrapping_sub(right_offset), width));
        }
        if let Some(left) = self.as_bits(left) {
            if right_offset != 0 {
                let constant = self.bits(left.wrapping_sub(right_offset), width);
                return Some(self.binary(BitsOp::Sub, constant, right_base));
            }
            if let Node::Binary(BitsOp::Sub, constant, of) = *self.node(right)
                && let Some(constant) = self.as_bits(constant)
            {
                return Some(self.plus(of, left.wrapping_sub(constant), width));
            }
            return None;
        }
        match (self.node(left), self.node(right)) {
            (&Node::Binary(BitsOp::Add, a, b), _) if a == right => return Some(b),
            (&Node::Binary(BitsOp::Add, a, b), _) if b == right => return Some(a),
            (_, &Node::Binary(BitsOp::Sub, a, b)) if a == left => return Some(b),
            _ => {}
        }
        if left_offset == 0 && right_offset == 0 {
            return None;
        }
        let base = self.binary(BitsOp::Sub, left_base, right_base);
        let offset = self.bits(left_offset.wrapping_sub(right_offset), width);
        Some(self.binary(BitsOp::Add, base, offset))
    }

    fn mul(&mut self, left: Term, right: Term, width: u32) -> Option<Term> {
        match self.as_bits(right)? {
            0 => Some(right),
            1 => Some(left),
            factor => match *self.node(left) {
                Node::Binary(BitsOp::Mul, of, inner) => {
                    let inner = self.as_bits(inner)?;
                    let factor = self.bits(inner.wrapping_mul(factor), width);
                    Some(self.binary(BitsOp::Mul, of, factor))
                }
                _ => None,
            },
        }
    }

    fn divide(&mut self, op: BitsOp, left: Term, right: Term, width: u32) -> Option<Term> {
        let (left_range, right_range) = (self.range(left), self.range(right));
        if left_range.1 < right_range.0 {
            return Some(if op == BitsOp::UDiv { self.bits(0, width) } else { left });
        }
        let divisor = self.as_bits(right)?;
        if divisor.is_power_of_two() {
            let shift = divisor.trailing_zeros();
            return Some(match op {
                BitsOp::UDiv => {
                    let shift = self.bits(u128::from(shift), width);
                    self.binary(BitsOp::LShr, left, shift)
                }
                _ => {
                    let low = self.bits(divisor - 1, width);
                    self.binary(BitsOp::And, left, low)
                }
            });
        }
        if op == BitsOp::UDiv
            && let Node::Binary(BitsOp::UDiv, of, inner) = *self.node(left)
            && let inner @ 1.. = self.as_bits(inner)?
        {
            return Some(match inner.checked_mul(divisor) {
                Some(divisor) if divisor <= mask(width) && divisor > 0 => {
                    let divisor = self.bits(divisor, width);
                    self.binary(BitsOp::UDiv, of, divisor)
                }
                Some(0) => return None,
                _ => self.bits(0, width),
            });
        }
        None
    }

    fn divide_signed(&mut self, op: BitsOp, left: Term, right: Term, width: u32) -> Option<Term> {
        if self.range(left).1.max(self.range(right).1) < sign_bit(width) {
            let unsigned = if op == BitsOp::SDiv { BitsOp::UDiv } else { BitsOp::URem };
            // By zero too: of a dividend that is not negative, both quotients are all ones.
            return Some(self.binary(unsigned, left, right));
        }
        let divisor = self.as_bits(right)?;
        let is_one = divisor == 1 && width > 1;
        let is_minus_one = divisor == mask(width);
        match op {
            BitsOp::SDiv if is_one => Some(left),
            BitsOp::SRem if is_one || is_minus_one => Some(self.bits(0, width)),
            BitsOp::SDiv if is_minus_one => {
                let zero = self.bits(0, width);
                Some(self.binary(BitsOp::Sub, zero, left))
            }
            _ => None,
        }
    }

    fn bitwise(&mut self, op: BitsOp, left: Term, right: Term, width: u32) -> Option<Term> {
        if left == right {
            return Some(if op == BitsOp::Xor { self.bits(0, width) } else { left });
        }
        if let Some(value) = self.as_bits(right) {
            let ones = mask(width);
            match op {
                BitsOp::And if value == 0 => return Some(right),
                BitsOp::And if value == ones => return Some(left),
                BitsOp::Or | BitsOp::Xor if value == 0 => return Some(left),
                BitsOp::Or if value == ones => return Some(right),
                _ => {}
            }
            if let Node::Binary(inner_op, of, inner) = *self.node(left)
                && inner_op == op
                && let Some(inner) = self.as_bits(inner)
            {
                let value = self.bits(meaning::binary(op, inner, value, width), width);
                return Some(self.binary(op, of, value));
            }
        }
        self.join_bits(op, left, right)
    }

    fn shift(&mut self, op: BitsOp, left: Term, right: Term, width: u32) -> Option<Term> {
        if self.as_bits(left) == Some(0) {
            return Some(left);
        }
        let by = self.as_bits(right)?;
        if by == 0 {
            return Some(left);
        }
        if by >= u128::from(width) {
            return Some(match op {
                BitsOp::AShr => {
                    let sign = self.extract(left, width - 1, 1);
                    self.sign_extend(sign, width)
                }
                _ => self.bits(0, width),
            });
        }
        let by = by as u32;
        Some(match op {
            BitsOp::Shl => {
                let kept = self.extract(left, 0, width - by);
                let zeros = self.bits(0, by);
                self.concat(kept, zeros)
            }
            BitsOp::LShr => {
                let kept = self.extract(left, by, width - by);
                self.zero_extend(kept, width)
            }
            _ => {
                let kept = self.extract(left, by, width - by);
                self.sign_extend(kept, width)
            }
        })
    }
}
