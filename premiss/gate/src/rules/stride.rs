//! Sites that step over whole lines: what several rules are about.

use crate::subject::{LevelView, Site, Subject, most};

/// The misses of a site that moves by a line or more with the innermost loop and misses at every second access
/// at least, for more bytes than the first cache holds; none for other sites.
pub(crate) fn strided_misses(
    subject: &Subject<'_>,
    first: LevelView<'_>,
    site: &Site<'_>,
) -> Option<u64> {
    let step = subject.innermost_stride(site)?;
    let (misses, accesses) = (site.misses(first), most(site.accesses())?);
    let is_strided = first.line() <= step.bytes.unsigned_abs()
        && accesses <= misses.saturating_mul(2)
        && first.capacity() < misses.saturating_mul(first.line());
    is_strided.then_some(misses)
}
