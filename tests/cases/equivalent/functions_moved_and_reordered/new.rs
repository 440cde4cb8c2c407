mod inner {
    pub fn second(x: u32) -> u32 {
        helper(x) + 2
    }

    pub(super) fn helper(x: u32) -> u32 {
        x / 3
    }
}

pub use inner::second;

pub fn first(x: u32) -> u32 {
    inner::helper(x) + 1
}
