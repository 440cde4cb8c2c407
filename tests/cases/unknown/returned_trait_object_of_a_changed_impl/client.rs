pub fn of_a_number(number: &u8) -> &dyn dep::Show {
    number
}

pub fn of_a_reference<'a>(number: &'a &'a u8) -> &'a dyn dep::Show {
    number
}
