//! PM002: most bytes of the fetched lines are not used.

use super::stride::strided_misses;
use crate::finding::Violation;
use crate::subject::{LevelView, Site, Subject, most};
use premiss_tree::ArrayId;
use std::collections::BTreeMap;

/// Arrays whose lines in the first cache are evicted before half of their bytes are touched, if more bytes are fetched
/// than the cache holds. Arrays with a site that steps over whole lines are left to PM001.
pub(crate) fn check<'a>(subject: &Subject<'a>) -> Vec<Violation<'a>> {
    let Some(first) = subject.caches().next() else {
        return Vec::new();
    };
    let sites = subject.sites();
    let mut arrays: BTreeMap<ArrayId, Vec<&Site<'_>>> = BTreeMap::new();
    for site in &sites {
        arrays.entry(site.first.array).or_default().push(site);
    }
    let violations = arrays
        .values()
        .filter_map(|sites| violation(subject, first, sites));
    violations.collect()
}

fn violation<'a>(
    subject: &Subject<'_>,
    first: LevelView<'_>,
    sites: &[&Site<'a>],
) -> Option<Violation<'a>> {
    if sites
        .iter()
        .any(|site| strided_misses(subject, first, site).is_some())
    {
        return None;
    }
    let misses: u64 = sites.iter().map(|site| site.misses(first)).sum();
    let fetched = misses.checked_mul(first.line())?;
    // An access touches the bytes of its element, and no more.
    let touched = sites.iter().map(|site| {
        let accesses = most(site.accesses())?;
        accesses.checked_mul(u64::from(site.first.size))
    });
    let touched: u64 = touched.sum::<Option<u64>>()?;
    if fetched <= touched.saturating_mul(2) || fetched <= first.capacity() {
        return None;
    }
    let worst = sites.iter().max_by_key(|site| site.misses(first))?;
    let array = &subject.tree().arrays[worst.first.array].name;
    let (name, line) = (first.name(), first.line());
    let used = touched as u128 * u128::from(line) / u128::from(fetched);
    Some(Violation {
        misses: Some(sites.iter().map(|site| site.counted(first)).sum()),
        bytes: fetched,
        place: worst.first.into(),
        label: format!("{} {name} misses", worst.misses_text(first)),
        related: None,
        message: format!(
            "of each {line}-byte line of {array} that {name} fetches, {used} bytes are used at most"
        ),
        help: help(subject, worst, first.line()),
    })
}

/// What keeps the bytes of a line from being used: the order of loops, elements that lie apart, subscripts in data, or
/// else the time that passes before the next use.
fn help(subject: &Subject<'_>, site: &Site<'_>, line: u64) -> String {
    if !subject.has_known_strides(site) {
        return "neighbours in memory are used at different times: sort the indices before they are followed".to_owned();
    }
    let Some((inner, step)) = subject.innermost_move(site) else {
        return "change the layout of the array, so that what is used together lies together"
            .to_owned();
    };
    let step = step.unsigned_abs();
    match subject.within_lines(site, line) {
        Some((other, bytes)) if other != inner && line <= step => format!(
            "it moves by {} bytes with the loop over {}: make that the innermost where the order of the iterations \
             allows, or go over both in blocks",
            bytes.unsigned_abs(),
            subject.tree().loops[other].iterator
        ),
        Some(_) if step <= u64::from(site.first.size) => {
            "lines are evicted before all of them is used: block the loops around, so that less is touched in between"
                .to_owned()
        }
        _ => "keep what is used together in memory together: an array for each member instead of an array of structs"
            .to_owned(),
    }
}
