//! Integers of any width up to 128 bits, kept in the low bits of a `u128`. A width is never zero.

/// All bits of the width: the greatest unsigned number.
pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The bit of the sign alone: the least signed number.
pub fn sign_bit(width: u32) -> u128 {
    1 << (width - 1)
}

/// The number that the bits are if the highest one is its sign.
pub fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width;
    (bits << unused) as i128 >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_ends_of_their_width() {
        assert_eq!([mask(1), mask(8), mask(128)], [1, 0xff, u128::MAX]);
        assert_eq!([sign_bit(1), sign_bit(8), sign_bit(128)], [1, 0x80, 1 << 127]);
    }

    #[test]
    fn the_highest_bit_of_the_width_is_the_sign() {
        assert_eq!([signed(0x7f, 8), signed(0x80, 8), signed(1, 1)], [127, -128, -1]);
        assert_eq!(signed(u128::MAX, 128), -1);
    }
}
