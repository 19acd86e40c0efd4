//! PM001: the innermost loop steps over whole lines.

use super::across::{Across, across};
use crate::finding::Said;
use crate::subject::{Level, Site, Subject, most};
use premiss_report::human;
use premiss_source::Label;
use premiss_tree::EntityRef;
use std::collections::BTreeSet;

/// Sites that move by a line or more with the innermost loop and miss at every second access at least, for
/// more bytes than the first cache holds; those aside whose loops PM007 would exchange.
pub(crate) fn look<'a>(subject: &Subject<'a>) -> Vec<Said<'a>> {
    let Some(first) = subject.caches().next() else {
        return Vec::new();
    };
    let sites = subject.sites();
    let across = across(subject, first, &sites);
    let elsewhere: BTreeSet<usize> = across.iter().flat_map(Across::places).collect();
    let sites = sites
        .iter()
        .filter(|site| !elsewhere.contains(&site.references[0].id.index()));
    let said = sites.filter_map(|site| say(subject, first, site));
    said.collect()
}

/// Whether a site is one of those; its misses.
pub(crate) fn is_strided(subject: &Subject<'_>, first: Level<'_>, site: &Site<'_>) -> Option<u64> {
    let step = subject.step(site)?;
    let (misses, accesses) = (site.misses(first), most(site.accesses())?);
    let is_strided = first.line() <= step.bytes.unsigned_abs()
        && accesses <= misses.saturating_mul(2)
        && first.capacity() < misses.saturating_mul(first.line());
    is_strided.then_some(misses)
}

fn say<'a>(subject: &Subject<'_>, first: Level<'_>, site: &Site<'a>) -> Option<Said<'a>> {
    let misses = is_strided(subject, first, site)?;
    let step = subject.step(site)?;
    let (name, text) = (first.name(), &site.first.text);
    let inner = &step.inner.iterator;
    let other = subject
        .neighbours_with(site)
        .map(|id| &subject.tree().loops[id]);
    let help = match other {
        Some(other) => format!(
            "it moves to the neighbouring element with the loop over {0}: make that the innermost where the order \
             of the iterations allows, or go over both in blocks",
            other.iterator
        ),
        None => "no loop around it moves to neighbouring elements: change the layout of the array"
            .to_owned(),
    };
    Some(Said {
        bytes: misses.saturating_mul(first.line()),
        place: site.first.into(),
        label: format!("{} {name} misses", human(misses)),
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
