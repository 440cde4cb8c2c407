//! Whoever catches the panic drops what was thrown.

pub fn thrown() {
    dep::boom()
}

pub fn thrown_in_a_box() {
    dep::boom_in_a_box()
}

pub fn thrown_by_a_generic_function() {
    dep::throw(Some(vec![dep::D(3)]))
}

pub fn generic<T>(_: T) {
    std::panic::panic_any(dep::D(4))
}
