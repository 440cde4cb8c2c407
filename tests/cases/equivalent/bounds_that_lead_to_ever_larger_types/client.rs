use dep::Stage;

pub fn next<S: Stage>(stage: S) -> S::Next {
    stage.next()
}

pub fn twice(number: u32) -> u32 {
    dep::twice(number)
}
