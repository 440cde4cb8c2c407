pub fn report(a: u32) {
    println!("{}", dep::half(a));
}
