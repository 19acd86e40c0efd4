//! PM008: lines are fetched only to be overwritten.

use crate::finding::Violation;
use crate::subject::{LevelView, Site, Subject};
use premiss_analyze::FunctionAnalysis;
use premiss_report::human;
use premiss_tree::AccessKind;

/// Sites that write an array which the function never reads, in steps of one element, and miss the last cache, if they
/// fetch more bytes than it holds.
pub(crate) fn check<'a>(subject: &Subject<'a>) -> Vec<Violation<'a>> {
    let Some(last) = subject.caches().last() else {
        return Vec::new();
    };
    let sites = subject.sites();
    let violations = sites
        .iter()
        .filter_map(|site| violation(subject, last, site));
    violations.collect()
}

fn violation<'a>(
    subject: &Subject<'_>,
    last: LevelView<'_>,
    site: &Site<'a>,
) -> Option<Violation<'a>> {
    let is_written_whole =
        subject.innermost_stride(site)?.bytes.unsigned_abs() == u64::from(site.first.size);
    if !is_written_whole || is_read(subject.function, site) {
        return None;
    }
    let fetched = site.misses(last).checked_mul(last.line())?;
    if fetched <= last.capacity() {
        return None;
    }
    let text = &site.first.text;
    Some(Violation {
        bytes: fetched,
        place: site.first.into(),
        label: format!("{} {} misses of stores", human(site.misses(last)), last.name()),
        related: None,
        message: format!(
            "{text} is written and never read here: {} bytes are fetched from memory only to be overwritten",
            human(fetched)
        ),
        help: "let the loop that reads the array do the writing as well, or write past the caches (non-temporal \
               stores) where nothing reads it soon"
            .to_owned(),
    })
}

fn is_read(function: &FunctionAnalysis, site: &Site<'_>) -> bool {
    let all = function.tree.references.values();
    let mut same = all.filter(|reference| reference.array == site.first.array);
    same.any(|reference| reference.kind == AccessKind::Load)
}
