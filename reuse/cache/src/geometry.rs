//! The shape of a cache.

/// The shape of a cache: `sets` sets of `ways` lines of `line_size` bytes; line `n` goes to set `n mod sets`. A TLB is
/// a cache whose lines are pages. Unless a [`CacheModel`](crate::CacheModel) says otherwise, it is LRU, write-back and
/// write-allocate.
///
/// # Examples
///
/// ```
/// # use premiss_cache::CacheGeometry;
/// let l1 = CacheGeometry { line_size: 64, sets: 64, ways: 8 };
/// assert_eq!(l1.lines() * l1.line_size, 32 << 10);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CacheGeometry {
    /// Bytes in a line, at least 1.
    pub line_size: u64,
    /// Sets, at least 1; 1 makes it fully associative.
    pub sets: u64,
    /// Lines in a set, at least 1.
    pub ways: u64,
}

impl CacheGeometry {
    /// Its capacity in lines, `sets · ways`; `u64::MAX` where that does not fit.
    #[inline]
    #[must_use]
    pub fn lines(self) -> u64 {
        self.sets.saturating_mul(self.ways)
    }
}
