//! When something has to be over.

use std::time::{Duration, Instant};

/// A point in time by which something has to be over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// The deadline of what begins now and may take that long.
    pub fn after(limit: Duration) -> Deadline {
        Deadline(Instant::now() + limit)
    }

    /// The time that is left; zero once it is over.
    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    pub fn is_over(self) -> bool {
        Instant::now() >= self.0
    }

    /// This one, or one for what begins now and may take no longer than `limit`, if that is sooner.
    pub fn within(self, limit: Duration) -> Deadline {
        self.min(Deadline::after(limit))
    }

    /// A deadline that much later, for what comes after.
    pub fn extended_by(self, time: Duration) -> Deadline {
        Deadline(self.0 + time)
    }
}
