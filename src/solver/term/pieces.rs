//! Bitwise operations that only put bits side by side.
//!
//! Masks, shifts and byte-wise assembly are written as extraction and concatenation, which is one
//! form for all of them, and one that integers can say too.

use super::{BitsOp, Node, Term, Terms};

/// A term is not taken apart beyond so many pieces: a mask of every second bit is left a mask.
const PIECES: usize = 8;

/// So many bits of a term, or of a constant that is the same in all of them.
#[derive(Clone, Copy)]
struct Piece {
    bits: Bits,
    width: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Bits {
    Zeros,
    Ones,
    /// Those of a term from that bit on.
    Of(Term, u32),
}

impl Piece {
    /// Its bits from `from` on.
    fn part(self, from: u32, width: u32) -> Piece {
        let bits = match self.bits {
            Bits::Of(term, low) => Bits::Of(term, low + from),
            constant => constant,
        };
        Piece { bits, width }
    }
}

impl Terms {
    /// The result of a bitwise operation, or of a sum without carries, that at each place takes the
    /// bit of one side or a constant.
    pub(super) fn join_bits(&mut self, op: BitsOp, left: Term, right: Term) -> Option<Term> {
        let left = self.pieces(left)?;
        let right = self.pieces(right)?;
        if left.len() == 1 && right.len() == 1 {
            return None;
        }
        let (mut left, mut right) = (left.into_iter(), right.into_iter());
        let (mut next_left, mut next_right) = (left.next(), right.next());
        let mut joined: Vec<Piece> = Vec::new();
        while let (Some(a), Some(b)) = (next_left, next_right) {
            let width = a.width.min(b.width);
            let bits = join(op, a.part(0, width).bits, b.part(0, width).bits)?;
            push(&mut joined, Piece { bits, width });
            let rest = |piece: Piece| {
                (piece.width > width).then(|| piece.part(width, piece.width - width))
            };
            next_left = rest(a).or_else(|| left.next());
            next_right = rest(b).or_else(|| right.next());
        }
        if joined.len() > PIECES {
            return None;
        }
        let terms: Vec<Term> = joined.into_iter().map(|piece| self.piece(piece)).collect();
        terms.into_iter().reduce(|low, high| self.concat(high, low))
    }

    fn piece(&mut self, piece: Piece) -> Term {
        match piece.bits {
            Bits::Zeros => self.bits(0, piece.width),
            Bits::Ones => self.bits(u128::MAX, piece.width),
            Bits::Of(term, low) => self.extract(term, low, piece.width),
        }
    }

    /// The term's pieces, from the lowest bits up; none if they are many.
    fn pieces(&self, term: Term) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut rest = Some(term);
        while let Some(term) = rest.take() {
            let width = self.width(term);
            match *self.node(term) {
                Node::Bits { value, .. } => {
                    for bit in 0..width {
                        let bits = if value >> bit & 1 == 1 { Bits::Ones } else { Bits::Zeros };
                        push(&mut pieces, Piece { bits, width: 1 });
                    }
                }
                Node::ZeroExtend { of, .. } => {
                    let inner = self.pieces(of)?;
                    inner.into_iter().for_each(|piece| push(&mut pieces, piece));
                    let width = width - self.width(of);
                    push(&mut pieces, Piece { bits: Bits::Zeros, width });
                }
                Node::Concat { high, low } => {
                    // `low` may be a list, but `high` is not: one level of recursion is enough.
                    let inner = self.pieces(low)?;
                    inner.into_iter().for_each(|piece| push(&mut pieces, piece));
                    rest = Some(high);
                }
                Node::Extract { of, low, .. } => {
                    push(&mut pieces, Piece { bits: Bits::Of(of, low), width });
                }
                _ => push(&mut pieces, Piece { bits: Bits::Of(term, 0), width }),
            }
            if pieces.len() > PIECES {
                return None;
            }
        }
        Some(pieces)
    }
}

/// Adds a piece above the others, as one with the last if it goes on where that ended.
fn push(pieces: &mut Vec<Piece>, piece: Piece) {
    if let Some(last) = pieces.last_mut() {
        let goes_on = match (last.bits, piece.bits) {
            (Bits::Of(term, low), Bits::Of(same, next)) => term == same && next == low + last.width,
            (lower, upper) => lower == upper,
        };
        if goes_on {
            last.width += piece.width;
            return;
        }
    }
    pieces.push(piece);
}

/// None where both sides matter.
fn join(op: BitsOp, left: Bits, right: Bits) -> Option<Bits> {
    use Bits::*;
    match (op, left, right) {
        (BitsOp::And, Zeros, _) | (BitsOp::And, _, Zeros) => Some(Zeros),
        (BitsOp::And, Ones, other) | (BitsOp::And, other, Ones) => Some(other),
        (BitsOp::Or, Ones, _) | (BitsOp::Or, _, Ones) => Some(Ones),
        (_, Zeros, other) | (_, other, Zeros) => Some(other),
        (BitsOp::Xor, Ones, Ones) => Some(Zeros),
        (BitsOp::And | BitsOp::Or, left, right) if left == right => Some(left),
        (BitsOp::Xor, left, right) if left == right => Some(Zeros),
        _ => None,
    }
}
