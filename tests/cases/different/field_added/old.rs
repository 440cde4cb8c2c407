pub struct Settings {
    limit: u32,
}

pub fn settings(limit: u32) -> Settings {
    Settings { limit }
}
