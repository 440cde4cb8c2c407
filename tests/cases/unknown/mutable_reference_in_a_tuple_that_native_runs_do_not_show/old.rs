pub fn wave(step: &mut u8) -> u8 {
    let height = f32::from(*step).sin();
    *step = 1;
    (height * 9.0) as u8
}
