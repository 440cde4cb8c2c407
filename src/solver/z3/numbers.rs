//! Bits as integers: the unsigned or the signed number that they are, whichever a term is used as,
//! and the range it is known to lie in.

use std::cell::OnceCell;

use cargo_cse::bits;
use z3::ast::{Bool, Int};

/// The number that some bits are. At least one of its two forms is there from the beginning; the
/// other one is made of it when somebody asks.
pub struct Number {
    width: u32,
    unsigned: OnceCell<Int>,
    signed: OnceCell<Int>,
    /// Which values the unsigned form can have: from, to.
    pub unsigned_range: (u128, u128),
    /// Which values the signed form can have.
    pub signed_range: (i128, i128),
    /// Which form was there from the beginning.
    pub is_signed: bool,
}

impl Number {
    pub fn constant(value: u128, width: u32) -> Number {
        Number::unsigned(Int::from_u128(value), (value, value), width)
    }

    /// A number whose unsigned form is `form`, within `range`.
    pub fn unsigned(form: Int, range: (u128, u128), width: u32) -> Number {
        let middle = bits::sign_bit(width);
        let signed = |value: u128| bits::signed(value, width);
        let signed_range = if range.1 < middle || range.0 >= middle {
            (signed(range.0), signed(range.1))
        } else {
            all_signed(width)
        };
        Number {
            width,
            unsigned: form.into(),
            signed: OnceCell::new(),
            unsigned_range: range,
            signed_range,
            is_signed: false,
        }
    }

    /// A number whose signed form is `form`, within `range`.
    pub fn signed(form: Int, range: (i128, i128), width: u32) -> Number {
        let mask = all_unsigned(width).1;
        let unsigned_range = if range.0 >= 0 || range.1 < 0 {
            (range.0 as u128 & mask, range.1 as u128 & mask)
        } else {
            (0, mask)
        };
        Number {
            width,
            unsigned: OnceCell::new(),
            signed: form.into(),
            unsigned_range,
            signed_range: range,
            is_signed: true,
        }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn as_unsigned(&self) -> &Int {
        self.unsigned.get_or_init(|| {
            let signed = self.signed.get().expect("one form is there");
            if self.signed_range.0 >= 0 {
                return signed.clone();
            }
            let wrapped = signed + power_of_two(self.width);
            if self.signed_range.1 < 0 {
                return wrapped;
            }
            signed.lt(integer(0)).ite(&wrapped, signed)
        })
    }

    pub fn as_signed(&self) -> &Int {
        self.signed.get_or_init(|| {
            let unsigned = self.unsigned.get().expect("one form is there");
            let middle = bits::sign_bit(self.width);
            if self.unsigned_range.1 < middle {
                return unsigned.clone();
            }
            let wrapped = unsigned - power_of_two(self.width);
            if self.unsigned_range.0 >= middle {
                return wrapped;
            }
            unsigned.lt(power_of_two(self.width - 1)).ite(unsigned, &wrapped)
        })
    }

    pub fn form(&self, signed: bool) -> &Int {
        if signed { self.as_signed() } else { self.as_unsigned() }
    }

    /// The form that is there already. Both are equal modulo the number of values.
    pub fn any_form(&self) -> &Int {
        self.form(self.is_signed)
    }

    /// The value, if there is but one.
    pub fn value(&self) -> Option<u128> {
        let (from, to) = self.unsigned_range;
        (from == to).then_some(from)
    }
}

pub fn all_unsigned(width: u32) -> (u128, u128) {
    (0, bits::mask(width))
}

pub fn all_signed(width: u32) -> (i128, i128) {
    (i128::MIN >> (128 - width), i128::MAX >> (128 - width))
}

/// What a fresh integer is restricted to by its width.
pub fn is_in_range(form: &Int, signed: bool, width: u32) -> Bool {
    let (from, to) = if signed {
        (-power_of_two(width - 1), power_of_two(width - 1))
    } else {
        (integer(0), power_of_two(width))
    };
    Bool::and(&[form.ge(from), form.lt(to)])
}

pub fn integer(value: i64) -> Int {
    Int::from_i64(value)
}

/// Up to 2^128, which no native integer holds.
pub fn power_of_two(power: u32) -> Int {
    match 1u128.checked_shl(power) {
        Some(value) => Int::from_u128(value),
        None => Int::from_u128(1 << 127) * integer(2),
    }
}
