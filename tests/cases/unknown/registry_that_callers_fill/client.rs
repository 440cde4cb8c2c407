use std::sync::Mutex;

static HANDLERS: Mutex<Vec<Box<dyn dep::Handler>>> = Mutex::new(Vec::new());

pub fn register<T: dep::Handler + 'static>(handler: T) {
    HANDLERS.lock().unwrap().push(Box::new(handler));
}

pub fn run() -> i32 {
    HANDLERS.lock().unwrap().iter().map(|handler| handler.handle()).sum()
}
