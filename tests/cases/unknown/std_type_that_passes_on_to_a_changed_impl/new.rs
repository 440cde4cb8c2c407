pub struct Source;

impl std::io::Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match buffer.first_mut() {
            Some(first) => {
                *first = b'2';
                Ok(1)
            }
            None => Ok(0),
        }
    }
}
