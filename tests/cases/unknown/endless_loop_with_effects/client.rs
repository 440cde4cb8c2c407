unsafe extern "C" {
    fn putchar(c: i32) -> i32;
}

pub fn serve(x: u32) -> ! {
    let mut i = x;
    loop {
        unsafe { putchar(dep::next(i) as i32) };
        i = i.wrapping_add(1);
    }
}
