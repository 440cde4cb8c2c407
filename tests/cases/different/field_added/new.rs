pub struct Settings {
    limit: u32,
    strict: bool,
}

pub fn settings(limit: u32) -> Settings {
    Settings { limit, strict: false }
}
