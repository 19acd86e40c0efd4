//! PM008: lines are fetched only to be overwritten.

use crate::finding::Violation;
use crate::subject::{LevelView, Site, Subject};
use premiss_analyze::FunctionAnalysis;
use premiss_report::{byte_count, human};
use premiss_tree::{AccessKind, Node};

/// Sites that write an array which the function does not read, in steps of one element, and miss the last cache, if they
/// fetch more bytes than it holds. What is not understood may read any array: a function with such a part has none.
pub(crate) fn check<'a>(subject: &Subject<'a>) -> Vec<Violation<'a>> {
    let Some(last) = subject.caches().last() else {
        return Vec::new();
    };
    if has_opaque_part(subject) {
        return Vec::new();
    }
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
        misses: None,
        bytes: fetched,
        place: site.first.into(),
        label: format!("{} {} misses of stores", human(site.misses(last)), last.name()),
        related: None,
        message: format!(
            "`{}` writes {text} and does not read it: {} are fetched from memory only to be overwritten",
            subject.tree().function,
            byte_count(fetched)
        ),
        help: "let the loop that reads the array later do the writing as well, or write past the caches \
               (non-temporal stores) where nothing reads it soon"
            .to_owned(),
    })
}

/// Whether something in the function is not understood.
fn has_opaque_part(subject: &Subject<'_>) -> bool {
    let mut found = false;
    for node in &subject.tree().body {
        node.walk(&mut |node| found |= matches!(node, Node::Opaque(_)));
    }
    found
}

fn is_read(function: &FunctionAnalysis, site: &Site<'_>) -> bool {
    let all = function.tree.references.values();
    let mut same = all.filter(|reference| reference.array == site.first.array);
    same.any(|reference| reference.kind == AccessKind::Load)
}
