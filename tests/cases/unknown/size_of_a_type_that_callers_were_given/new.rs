pub struct Token(u16);

pub fn token() -> Token {
    Token(1)
}

impl Token {
    pub fn number(&self) -> u32 {
        self.0.into()
    }
}
