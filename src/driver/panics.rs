//! Keeps a panic inside of the compiler from ending the run: it is asked for things, such as MIR in
//! generic form, that no compilation asks it for.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Lets panics that are caught here pass in silence; all others are reported as before.
pub fn install() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !CATCHING.get() {
            before(info);
        }
    }));
}

/// The result, or the message of the panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer = CATCHING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(outer);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("no message").lines().next().unwrap_or_default().to_owned()
    })
}
