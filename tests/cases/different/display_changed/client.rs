pub fn run(x: u32) -> String {
    format!("{}", dep::Id(x))
}
