pub trait Other {
    fn other(&self) -> u32 {
        1
    }
}

pub trait Base {
    fn value(&self) -> u32;
}

pub trait Special: Other + Base {}

pub struct Thing(pub u32);

impl Other for Thing {}

impl Base for Thing {
    fn value(&self) -> u32 {
        self.0
    }
}

impl Special for Thing {}
