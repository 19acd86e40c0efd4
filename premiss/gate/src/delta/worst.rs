//! The references that grew most, and their places.

use super::count::Quantity;
use super::kernel_delta::ReferenceDelta;
use super::program::ComparedProgram;
use super::reference_group::ReferenceGroup;
use crate::matching::Pair;
use premiss_analyze::Witness;
use premiss_histogram::Counted;

/// The references whose part grew most, at the sizes of a witness where there is one.
pub(super) fn worst(
    pair: &Pair,
    base: ComparedProgram<'_>,
    head: ComparedProgram<'_>,
    (quantity, witness): (Quantity, Option<&Witness>),
) -> Option<ReferenceDelta> {
    let (before, after) = (
        witness.map(|x| &x.before[..]),
        witness.map(|x| &x.after[..]),
    );
    let old = base.parts(&pair.base, (quantity, before));
    let new = head.parts(&pair.head, (quantity, after));
    let before = counterparts(&old, &new);
    let growth = |after: Counted, before: Counted| {
        let (after, before) = (after.magnitude(), before.magnitude());
        after.unwrap_or(f64::MAX) - before.unwrap_or(0.0)
    };
    let all = new.iter().zip(before).map(|(part, before)| {
        let before = before.map_or(Counted::ZERO, |idx| old[idx].count);
        (growth(part.count, before), part, before)
    });
    // The first of those that grew equally.
    let (_, part, before) = all.reduce(|a, b| if b.0 <= a.0 { a } else { b })?;
    let span = part.span?;
    let position = head.sources.start(span);
    Some(ReferenceDelta {
        path: head.sources.file(span.file).path().to_owned(),
        line: position.line,
        column: position.column,
        text: part.text.to_owned(),
        span,
        enclosing: part.enclosing.clone(),
        before,
        after: part.count,
    })
}

/// The counterpart in the base of each part: one of the same text in a nest of the same shape, else of the same text;
/// then, among those left over, the next one of the same array, else the next one if both sides have equally many left.
/// `a[i][j]` became `a[j][i]` where neither is on both sides.
pub(super) fn counterparts(
    old: &[ReferenceGroup<'_>],
    new: &[ReferenceGroup<'_>],
) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; new.len()];
    let mut match_by = |is_same: &dyn Fn(&ReferenceGroup<'_>, &ReferenceGroup<'_>) -> bool| {
        for (idx, part) in new.iter().enumerate() {
            if found[idx].is_none() {
                let mut open = (0..old.len()).filter(|x| !found.contains(&Some(*x)));
                let same = open.find(|x| is_same(&old[*x], part));
                found[idx] = same;
            }
        }
    };
    match_by(&|a, b| a.shape == b.shape && a.text == b.text && a.order == b.order);
    match_by(&|a, b| a.shape == b.shape && a.order == b.order);
    match_by(&|a, b| a.text == b.text);
    match_by(&|a, b| a.array == b.array);
    if old.len() == new.len() {
        match_by(&|_, _| true);
    }
    found
}
