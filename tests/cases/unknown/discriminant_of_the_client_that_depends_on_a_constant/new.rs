pub const LARGE: isize = 3;
