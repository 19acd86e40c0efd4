//! PM001: the innermost loop steps over whole lines.

use super::column_walk::{ColumnWalk, column_walks};
use super::stride::strided_misses;
use crate::finding::Violation;
use crate::subject::{LevelView, Site, Subject};
use premiss_source::Label;
use premiss_tree::EntityRef;
use std::collections::BTreeSet;

/// Sites that move by a line or more with the innermost loop and miss in at least every second access, if they fetch
/// more bytes than the first cache holds. Sites whose loops PM007 would exchange are left to that rule.
pub(crate) fn check<'a>(subject: &Subject<'a>) -> Vec<Violation<'a>> {
    let Some(first) = subject.caches().next() else {
        return Vec::new();
    };
    let sites = subject.sites();
    let walks = column_walks(subject, first, &sites);
    let elsewhere: BTreeSet<usize> = walks.iter().flat_map(ColumnWalk::places).collect();
    let sites = sites
        .iter()
        .filter(|site| !elsewhere.contains(&site.references[0].id.index()));
    let violations = sites.filter_map(|site| violation(subject, first, site));
    violations.collect()
}

fn violation<'a>(
    subject: &Subject<'_>,
    first: LevelView<'_>,
    site: &Site<'a>,
) -> Option<Violation<'a>> {
    let misses = strided_misses(subject, first, site)?;
    let step = subject.innermost_stride(site)?;
    let (name, text) = (first.name(), &site.first.text);
    let inner = &step.inner.iterator;
    let help = match subject.within_lines(site, first.line()) {
        Some((other, bytes)) => format!(
            "it moves by {} bytes with the loop over {}: make that the innermost where the order of the iterations \
             allows, or go over both in blocks",
            bytes.unsigned_abs(),
            subject.tree().loops[other].iterator
        ),
        None if subject.has_known_strides(site) => {
            "no loop around it moves by less than a line: change the layout of the array".to_owned()
        }
        None => {
            "make a loop that moves within lines the innermost, or change the layout of the array"
                .to_owned()
        }
    };
    Some(Violation {
        misses: Some(site.counted(first)),
        bytes: misses.saturating_mul(first.line()),
        place: site.first.into(),
        label: format!("{} {name} misses", site.misses_text(first)),
        related: Some(Label {
            span: step.inner.span,
            text: "the innermost loop".to_owned(),
        }),
        message: format!(
            "{text} moves by {} bytes with the innermost loop, over {inner}: {} of each {}-byte line are used",
            step.bytes,
            site.first.size,
            first.line(),
        ),
        help,
    })
}
