/// Slices are walked by their addresses, and bytes are searched by how they are aligned.
pub fn position(wanted: u8) -> Option<usize> {
    dep::TEXT.as_bytes().iter().position(|it| *it == wanted)
}

pub fn lines() -> usize {
    dep::TEXT.lines().filter(|it| !it.is_empty()).count()
}

pub fn text() -> String {
    format!("{:?} {}", dep::TEXT.split('\n').next(), dep::TEXT.len())
}
