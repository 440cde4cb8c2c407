mod float;
mod random;
mod reference;
mod rules;
