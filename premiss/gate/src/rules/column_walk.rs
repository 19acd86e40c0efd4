//! PM007: loops traverse arrays across their rows.

use super::stride::strided_misses;
use crate::finding::Violation;
use crate::subject::{LevelView, Site, Subject};
use premiss_source::Label;
use premiss_tree::{EntityRef, LoopId};
use std::collections::BTreeMap;

/// An innermost loop in which every moving reference steps over whole lines, while a single loop around it would move
/// each of them within lines.
pub(crate) struct ColumnWalk<'s, 'a> {
    inner: LoopId,
    outer: LoopId,
    /// The sites that step over lines, with the misses of each.
    sites: Vec<(&'s Site<'a>, u64)>,
}

/// One finding for each such loop.
pub(crate) fn check<'a>(subject: &Subject<'a>) -> Vec<Violation<'a>> {
    let Some(first) = subject.caches().next() else {
        return Vec::new();
    };
    let sites = subject.sites();
    let found = column_walks(subject, first, &sites);
    found
        .iter()
        .filter_map(|one| violation(subject, first, one))
        .collect()
}

/// The innermost loops that traverse arrays across their rows.
pub(crate) fn column_walks<'s, 'a>(
    subject: &Subject<'_>,
    first: LevelView<'_>,
    sites: &'s [Site<'a>],
) -> Vec<ColumnWalk<'s, 'a>> {
    let mut by_loop: BTreeMap<LoopId, Vec<&Site<'_>>> = BTreeMap::new();
    for site in sites {
        if let Some(inner) = site.first.inside {
            by_loop.entry(inner).or_default().push(site);
        }
    }
    let of_one =
        |(inner, sites): (LoopId, Vec<&'s Site<'a>>)| of_loop(subject, first, inner, &sites);
    by_loop.into_iter().filter_map(of_one).collect()
}

impl ColumnWalk<'_, '_> {
    /// The sites that step over lines.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        let first = self.sites.iter().map(|(site, _)| &site.references[0]);
        first.map(|counts| counts.id.index())
    }
}

fn of_loop<'s, 'a>(
    subject: &Subject<'_>,
    first: LevelView<'_>,
    inner: LoopId,
    all: &[&'s Site<'a>],
) -> Option<ColumnWalk<'s, 'a>> {
    let strided = all
        .iter()
        .filter_map(|site| Some((*site, strided_misses(subject, first, site)?)));
    let sites: Vec<(&Site<'_>, u64)> = strided.collect();
    let (outer, _) = subject.within_lines(sites.first()?.0, first.line())?;
    // The other sites must not get worse: with that loop they stay within lines, as strided ones do.
    let gains = all.iter().all(|site| {
        let is_strided = sites.iter().any(|(other, _)| std::ptr::eq(*other, *site));
        let with_outer = subject.bytes_with(site, outer).map(i64::unsigned_abs);
        with_outer.is_some_and(|bytes| bytes < first.line() && !(is_strided && bytes == 0))
    });
    gains.then_some(ColumnWalk {
        inner,
        outer,
        sites,
    })
}

fn violation<'a>(
    subject: &Subject<'_>,
    first: LevelView<'_>,
    found: &ColumnWalk<'_, 'a>,
) -> Option<Violation<'a>> {
    let (worst, _) = found.sites.iter().max_by_key(|(_, misses)| *misses)?;
    let all: u64 = found.sites.iter().map(|(_, misses)| misses).sum();
    let header = |id: LoopId| &subject.tree().loops[id];
    let (inner, outer) = (header(found.inner), header(found.outer));
    let [by_inner, by_outer] = [
        subject.bytes_with(worst, found.inner)?,
        subject.bytes_with(worst, found.outer)?,
    ];
    let text = &worst.first.text;
    let what = match found.sites.len() {
        1 => format!("{text} goes across rows"),
        n => format!("{n} references go across rows, such as {text}"),
    };
    Some(Violation {
        misses: Some(
            found
                .sites
                .iter()
                .map(|(site, _)| site.counted(first))
                .sum(),
        ),
        bytes: all.saturating_mul(first.line()),
        place: worst.first.into(),
        label: format!("{} {} misses", worst.misses_text(first), first.name()),
        related: Some(Label {
            span: inner.span,
            text: "the innermost loop".to_owned(),
        }),
        message: format!(
            "{what}: it moves by {by_inner} bytes with the innermost loop, over {}, and by {by_outer} bytes with the \
             loop over {}",
            inner.iterator, outer.iterator
        ),
        help: format!(
            "exchange the loops over {} and {}, where the order of the iterations allows: no reference in them \
             would lose by it",
            outer.iterator, inner.iterator
        ),
    })
}
