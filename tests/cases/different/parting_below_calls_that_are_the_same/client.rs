pub fn brightness(red: u16, green: u16) -> u16 {
    let red = dep::scale(red, 1);
    let green = dep::scale(green, 2);
    red / 2 + green / 2
}
