//! What a level of a hierarchy exchanges with the level below it, in lines and bytes.

use premiss_histogram::Counted;

/// What passes between a level and the one below it during a run of the whole tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Traffic {
    /// The number of dirty lines that left the level and were written below.
    pub write_backs: Counted,
    /// Bytes of the lines read from below.
    pub bytes_read: Counted,
    /// Bytes written below: of lines that left (in an exclusive hierarchy clean ones too, but for the
    /// last level), of stores written through, and of stores that filled nothing.
    pub bytes_written: Counted,
}

impl Traffic {
    /// Traffic of which nothing is known.
    pub const UNKNOWN: Self = Self {
        write_backs: Counted::Unknown,
        bytes_read: Counted::Unknown,
        bytes_written: Counted::Unknown,
    };
}

/// The least and the greatest value of each count among the runs with all [`SEEDS`](crate::SEEDS), summed over all
/// references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spread {
    /// The number of misses.
    pub misses: (u64, u64),
    /// The number of write-backs.
    pub write_backs: (u64, u64),
    /// Bytes read from below.
    pub bytes_read: (u64, u64),
    /// Bytes written below.
    pub bytes_written: (u64, u64),
}
