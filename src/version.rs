//! The two versions of a program that are compared, and what there is of each.

use std::ops::{Index, IndexMut};

/// One of the two versions of an upgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    Old,
    New,
}

impl Version {
    pub const BOTH: [Version; 2] = [Version::Old, Version::New];

    pub fn other(self) -> Version {
        match self {
            Version::Old => Version::New,
            Version::New => Version::Old,
        }
    }
}

/// One value per version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Both<T> {
    pub old: T,
    pub new: T,
}

impl<T> Both<T> {
    pub const fn new(old: T, new: T) -> Both<T> {
        Both { old, new }
    }

    /// What `make` gives for each version, the old one first.
    pub fn from_fn(mut make: impl FnMut(Version) -> T) -> Both<T> {
        Both { old: make(Version::Old), new: make(Version::New) }
    }

    /// The same, where making one may fail: the old one's failure comes first.
    pub fn try_from_fn<E>(mut make: impl FnMut(Version) -> Result<T, E>) -> Result<Both<T>, E> {
        Ok(Both { old: make(Version::Old)?, new: make(Version::New)? })
    }

    pub fn as_ref(&self) -> Both<&T> {
        Both { old: &self.old, new: &self.new }
    }

    pub fn as_mut(&mut self) -> Both<&mut T> {
        Both { old: &mut self.old, new: &mut self.new }
    }

    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Both<U> {
        Both { old: f(self.old), new: f(self.new) }
    }

    pub fn try_map<U, E>(self, mut f: impl FnMut(T) -> Result<U, E>) -> Result<Both<U>, E> {
        Ok(Both { old: f(self.old)?, new: f(self.new)? })
    }

    pub fn zip<U>(self, other: Both<U>) -> Both<(T, U)> {
        Both { old: (self.old, other.old), new: (self.new, other.new) }
    }

    /// The old one, then the new one.
    pub fn iter(&self) -> std::array::IntoIter<&T, 2> {
        [&self.old, &self.new].into_iter()
    }
}

impl<T, U> Both<(T, U)> {
    pub fn unzip(self) -> (Both<T>, Both<U>) {
        let ((old, old_other), (new, new_other)) = (self.old, self.new);
        (Both { old, new }, Both { old: old_other, new: new_other })
    }
}

impl<T> Both<Option<T>> {
    /// Both values, if there are two.
    pub fn transpose(self) -> Option<Both<T>> {
        Some(Both { old: self.old?, new: self.new? })
    }
}

impl<T> IntoIterator for Both<T> {
    type Item = T;
    type IntoIter = std::array::IntoIter<T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        [self.old, self.new].into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Both<T> {
    type Item = &'a T;
    type IntoIter = std::array::IntoIter<&'a T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> Index<Version> for Both<T> {
    type Output = T;

    fn index(&self, version: Version) -> &T {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }
}

impl<T> IndexMut<Version> for Both<T> {
    fn index_mut(&mut self, version: Version) -> &mut T {
        match version {
            Version::Old => &mut self.old,
            Version::New => &mut self.new,
        }
    }
}
