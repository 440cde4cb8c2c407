pub type Number = dep::Id;
