pub const NAME: &str = env!("CARGO_PKG_NAME");
