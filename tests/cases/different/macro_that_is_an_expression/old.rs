#[macro_export]
macro_rules! double {
    ($x:expr) => {
        $x * 2
    };
}
