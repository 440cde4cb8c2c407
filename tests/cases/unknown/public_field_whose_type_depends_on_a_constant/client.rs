pub struct Buffer {
    pub bytes: [u8; dep::LENGTH],
}
