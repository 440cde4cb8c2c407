//! Building what is done to floats. Constants are computed with; nothing else is simplified, since
//! hardly a law of arithmetic holds.

use super::{FloatCompare, FloatOp, Node, Rounding, Sort, Term, Terms, meaning};

impl Terms {
    pub fn float(&mut self, op: FloatOp, left: Term, right: Term) -> Term {
        let width = self.same_float(left, right);
        if let (Some(a), Some(b)) = (self.as_bits(left), self.as_bits(right))
            && let Some(value) = meaning::float(op, a, b, width)
        {
            return self.bits(value, width);
        }
        // With one NaN, the order of the operands cannot be seen.
        let (left, right) = match op {
            FloatOp::Add | FloatOp::Mul => self.ordered(left, right),
            FloatOp::Sub | FloatOp::Div | FloatOp::Rem => (left, right),
        };
        self.intern(Node::Float(op, left, right), Sort::Bits(width))
    }

    pub fn float_compare(&mut self, op: FloatCompare, left: Term, right: Term) -> Term {
        let width = self.same_float(left, right);
        if let (Some(a), Some(b)) = (self.as_bits(left), self.as_bits(right))
            && let Some(value) = meaning::float_compare(op, a, b, width)
        {
            return self.bool(value);
        }
        let (left, right) = match op {
            FloatCompare::Eq => self.ordered(left, right),
            FloatCompare::Lt | FloatCompare::Le => (left, right),
        };
        self.intern(Node::FloatCompare(op, left, right), Sort::Bool)
    }

    pub fn float_round(&mut self, rounding: Rounding, of: Term) -> Term {
        let width = self.float_width(of);
        let value = self.as_bits(of).and_then(|value| meaning::float_round(rounding, value, width));
        self.constant_or(value, Node::FloatRound(rounding, of), width)
    }

    pub fn float_sqrt(&mut self, of: Term) -> Term {
        let width = self.float_width(of);
        let value = self.as_bits(of).and_then(|value| meaning::float_sqrt(value, width));
        self.constant_or(value, Node::FloatSqrt(of), width)
    }

    /// `a * b + c`, rounded once.
    pub fn float_fma(&mut self, a: Term, b: Term, c: Term) -> Term {
        let width = self.same_float(a, b);
        self.same_float(a, c);
        let (a, b) = self.ordered(a, b);
        let value = match (self.as_bits(a), self.as_bits(b), self.as_bits(c)) {
            (Some(a), Some(b), Some(c)) => meaning::float_fma(a, b, c, width),
            _ => None,
        };
        self.constant_or(value, Node::FloatFma(a, b, c), width)
    }

    /// The integer as a float of that width.
    pub fn float_from_bits(&mut self, of: Term, signed: bool, width: u32) -> Term {
        expect_float(width);
        let from = self.width(of);
        let value = (self.as_bits(of))
            .and_then(|value| meaning::float_from_bits(value, signed, from, width));
        self.constant_or(value, Node::FloatFromBits { of, signed, width }, width)
    }

    /// The float as an integer of that width, as Rust's `as` has it.
    pub fn float_to_bits(&mut self, of: Term, signed: bool, width: u32) -> Term {
        let from = self.float_width(of);
        let value =
            (self.as_bits(of)).and_then(|value| meaning::float_to_bits(value, signed, from, width));
        self.constant_or(value, Node::FloatToBits { of, signed, width }, width)
    }

    /// The float in another precision. In its own it is left as it is, a NaN too.
    pub fn float_to_float(&mut self, of: Term, width: u32) -> Term {
        expect_float(width);
        let from = self.float_width(of);
        if from == width {
            return of;
        }
        let value = self.as_bits(of).and_then(|value| meaning::float_to_float(value, from, width));
        self.constant_or(value, Node::FloatToFloat { of, width }, width)
    }

    fn constant_or(&mut self, value: Option<u128>, node: Node, width: u32) -> Term {
        match value {
            Some(value) => self.bits(value, width),
            None => self.intern(node, Sort::Bits(width)),
        }
    }

    fn same_float(&self, left: Term, right: Term) -> u32 {
        let width = self.same_width(left, right);
        expect_float(width);
        width
    }

    fn float_width(&self, of: Term) -> u32 {
        let width = self.width(of);
        expect_float(width);
        width
    }
}

fn expect_float(width: u32) {
    assert!(matches!(width, 16 | 32 | 64 | 128), "no float has {width} bits");
}
