//! What a level of a hierarchy exchanges with the one below it, in lines and bytes.

use premiss_histogram::Counted;

/// What passes between a level and the one below it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Traffic {
    /// Dirty lines that left the level.
    pub write_backs: Counted,
    /// Bytes of the lines read from below.
    pub bytes_read: Counted,
    /// Bytes written below: of lines that left (in an exclusive hierarchy clean ones too, but for the
    /// last level), of stores written through, and of stores that filled nothing.
    pub bytes_written: Counted,
}

impl Traffic {
    /// Nothing is known of it.
    pub const UNKNOWN: Self = Self {
        write_backs: Counted::Unknown,
        bytes_read: Counted::Unknown,
        bytes_written: Counted::Unknown,
    };
}

/// The least and the largest of what several seeds yield, over all references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spread {
    /// Misses.
    pub misses: (u64, u64),
    /// Write-backs.
    pub write_backs: (u64, u64),
    /// Bytes read from below.
    pub bytes_read: (u64, u64),
    /// Bytes written below.
    pub bytes_written: (u64, u64),
}
