//! Building what takes bits apart and puts them together.

use super::{BitCount, BitsOp, Node, Sort, Term, Terms, meaning};
use crate::bits::{mask, signed};

/// Through how many operations bits are taken out of their operands instead of their result.
const DEPTH: u32 = 4;

impl Terms {
    /// The `width` bits from bit `low` on.
    pub fn extract(&mut self, of: Term, low: u32, width: u32) -> Term {
        self.extract_within(of, low, width, DEPTH)
    }

    fn extract_within(&mut self, of: Term, low: u32, width: u32, depth: u32) -> Term {
        let whole = self.width(of);
        assert!(width > 0 && low + width <= whole, "bits {low}+{width} of {whole}");
        if width == whole {
            return of;
        }
        if let Some(folded) = self.fold(of, width, |value| value >> low) {
            return folded;
        }
        match *self.node(of) {
            Node::Extract { of, low: inner, .. } => {
                self.extract_within(of, inner + low, width, depth)
            }
            Node::Concat { high: upper, low: lower } => {
                let border = self.width(lower);
                if low >= border {
                    return self.extract_within(upper, low - border, width, depth);
                }
                if low + width <= border {
                    return self.extract_within(lower, low, width, depth);
                }
                let lower = self.extract_within(lower, low, border - low, depth);
                let upper = self.extract_within(upper, 0, low + width - border, depth);
                self.concat(upper, lower)
            }
            Node::ZeroExtend { of, .. } => {
                let border = self.width(of);
                if low >= border {
                    return self.bits(0, width);
                }
                let kept = self.extract_within(of, low, width.min(border - low), depth);
                self.zero_extend(kept, width)
            }
            Node::SignExtend { of, .. } => {
                let border = self.width(of);
                let low = low.min(border - 1);
                let kept = self.extract_within(of, low, width.min(border - low), depth);
                self.sign_extend(kept, width)
            }
            Node::Binary(op, left, right)
                if depth > 0 && self.is_narrower(op, left, right, low, width) =>
            {
                let depth = depth - 1;
                let left = self.extract_within(left, low, width, depth);
                let right = self.extract_within(right, low, width, depth);
                self.binary(op, left, right)
            }
            _ => self.intern(Node::Extract { of, low, width }, Sort::Bits(width)),
        }
    }

    /// Can the operation be done on those bits alone, and are its operands then simpler?
    fn is_narrower(&self, op: BitsOp, left: Term, right: Term, low: u32, width: u32) -> bool {
        let simpler = |term: Term| match *self.node(term) {
            Node::Bits { .. } => true,
            Node::ZeroExtend { of, .. } | Node::SignExtend { of, .. } => {
                low + width <= self.width(of) || (low == 0 && width >= self.width(of))
            }
            _ => false,
        };
        match op {
            BitsOp::And | BitsOp::Or | BitsOp::Xor => simpler(left) || simpler(right),
            BitsOp::Add | BitsOp::Sub | BitsOp::Mul => low == 0 && simpler(left) && simpler(right),
            _ => false,
        }
    }

    pub fn zero_extend(&mut self, of: Term, width: u32) -> Term {
        let narrow = self.width(of);
        assert!(narrow <= width && width <= 128, "{narrow} bits extended to {width}");
        if width == narrow {
            return of;
        }
        if let Some(folded) = self.fold(of, width, |value| value) {
            return folded;
        }
        let of = match *self.node(of) {
            Node::ZeroExtend { of, .. } => of,
            _ => of,
        };
        self.intern(Node::ZeroExtend { of, width }, Sort::Bits(width))
    }

    pub fn sign_extend(&mut self, of: Term, width: u32) -> Term {
        let narrow = self.width(of);
        assert!(narrow <= width && width <= 128, "{narrow} bits extended to {width}");
        if width == narrow {
            return of;
        }
        let extended = |value| signed(value, narrow) as u128;
        if let Some(folded) = self.fold(of, width, extended) {
            return folded;
        }
        match *self.node(of) {
            Node::SignExtend { of, .. } => self.sign_extend(of, width),
            Node::ZeroExtend { of, .. } => self.zero_extend(of, width),
            _ => self.intern(Node::SignExtend { of, width }, Sort::Bits(width)),
        }
    }

    /// Several parts are written as a list: only `low` is such a term itself.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let border = self.width(low);
        let width = self.width(high) + border;
        assert!(width <= 128, "a term has up to 128 bits, not {width}");
        if self.as_bits(high) == Some(0) {
            return self.zero_extend(low, width);
        }
        match *self.node(high) {
            Node::Concat { high, low: middle } => {
                let low = self.concat(middle, low);
                return self.concat(high, low);
            }
            Node::ZeroExtend { of, .. } => {
                let kept = self.concat(of, low);
                return self.zero_extend(kept, width);
            }
            _ => {}
        }
        if let Some(merged) = self.merge(high, low) {
            return merged;
        }
        if let Node::Concat { high: middle, low } = *self.node(low)
            && let Some(merged) = self.merge(high, middle)
        {
            return self.concat(merged, low);
        }
        self.intern(Node::Concat { high, low }, Sort::Bits(width))
    }

    /// Two neighbours that are one term.
    fn merge(&mut self, high: Term, low: Term) -> Option<Term> {
        let border = self.width(low);
        let width = self.width(high) + border;
        match (self.node(high), self.node(low)) {
            (&Node::Bits { value: high, .. }, &Node::Bits { value: low, .. }) => {
                Some(self.bits(high << border | low, width))
            }
            (
                &Node::Extract { of, low: upper, .. },
                &Node::Extract { of: same, low: lower, .. },
            ) if of == same && upper == lower + border => Some(self.extract(of, lower, width)),
            _ => None,
        }
    }

    pub fn count(&mut self, count: BitCount, of: Term) -> Term {
        let width = self.width(of);
        if let Some(folded) = self.fold(of, width, |value| meaning::count(count, value, width)) {
            return folded;
        }
        self.intern(Node::Count(count, of), Sort::Bits(width))
    }

    /// The bits in reverse order.
    pub fn reverse(&mut self, of: Term) -> Term {
        let width = self.width(of);
        if let Some(folded) = self.fold(of, width, |value| meaning::reverse(value, width)) {
            return folded;
        }
        match *self.node(of) {
            Node::Reverse(inner) => inner,
            _ => self.intern(Node::Reverse(of), Sort::Bits(width)),
        }
    }

    /// What a constant, or a choice between constants, becomes.
    fn fold(&mut self, of: Term, width: u32, result: impl Fn(u128) -> u128) -> Option<Term> {
        if let Some(value) = self.as_bits(of) {
            return Some(self.bits(result(value) & mask(width), width));
        }
        let (condition, yes, no) = self.as_choice(of)?;
        let yes = self.bits(result(yes), width);
        let no = self.bits(result(no), width);
        Some(self.ite(condition, yes, no))
    }
}
