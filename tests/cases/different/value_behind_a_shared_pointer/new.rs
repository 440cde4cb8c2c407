pub struct Half {
    pub number: u8,
}

pub fn made(number: u8) -> Half {
    Half { number: number / 3 }
}
