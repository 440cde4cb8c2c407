#[macro_export]
macro_rules! record {
    (pub struct $name:ident { $($field:ident: $ty:ty,)* }) => {
        pub struct $name {
            $(pub $field: $ty,)*
        }

        impl $name {
            pub fn sum(&self) -> i64 {
                0 $(- self.$field)*
            }
        }
    };
}
