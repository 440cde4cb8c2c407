pub const LARGE: isize = 2;
