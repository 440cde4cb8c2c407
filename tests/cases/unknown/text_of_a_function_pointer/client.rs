pub fn shown(first: bool) -> String {
    format!("{:?}", dep::chosen(first))
}
