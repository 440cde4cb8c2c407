#[unsafe(no_mangle)]
pub extern "C" fn level_of(number: u8) -> u8 {
    number / 3
}

pub fn linked() {}
