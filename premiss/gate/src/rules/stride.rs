//! Sites that step over whole lines, which several rules need.

use crate::subject::{LevelView, Site, Subject, most};

/// The misses of a site that moves by a line or more with the innermost loop and misses in at least every second
/// access, if they fetch more bytes than the first cache holds; `None` for other sites.
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
