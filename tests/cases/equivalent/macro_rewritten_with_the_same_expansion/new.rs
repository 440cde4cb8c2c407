#[macro_export]
macro_rules! double {
    ($x:expr) => {
        $crate::times_two!($x)
    };
}

#[macro_export]
macro_rules! times_two {
    ($x:expr) => {
        $x * 2
    };
}
