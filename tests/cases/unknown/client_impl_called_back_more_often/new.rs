pub trait Visit {
    fn visit(&mut self, value: u32);
}

pub fn walk(values: &[u32], visitor: &mut impl Visit) {
    for &value in values {
        visitor.visit(value);
        visitor.visit(value);
    }
}
