pub struct Both<T, U>(pub dep::Pair<T, U>);
