//! Which references grew most, and where they are.

use super::count::{Quantity, misses_of, times};
use super::{Moved, Side};
use crate::matching::Pair;
use crate::saved::SavedBase;
use premiss_analyze::Witness;
use premiss_histogram::Counted;
use premiss_source::Span;
use premiss_tree::ReferenceId;

/// The references whose part grew most, at the sizes of a witness where there is one.
pub(super) fn worst(
    pair: &Pair,
    base: Side<'_>,
    head: Side<'_>,
    (quantity, witness): (Quantity, Option<&Witness>),
) -> Option<Moved> {
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
    // The first of those that grew as much.
    let (_, part, before) = all.reduce(|a, b| if b.0 <= a.0 { a } else { b })?;
    let span = part.span?;
    let position = head.sources.start(span);
    Some(Moved {
        path: head.sources.file(span.file).path().to_owned(),
        line: position.line,
        column: position.column,
        text: part.text.to_owned(),
        span,
        around: part.around.clone(),
        before,
        after: part.count,
    })
}

/// What each part was before: the one of the same text in a nest of the same shape, else of the same text, else of
/// those left over the next one of the same array, else where as many are left over on both sides the next one.
/// `a[i][j]` became `a[j][i]` where neither is on both sides.
pub(super) fn counterparts(old: &[Part<'_>], new: &[Part<'_>]) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; new.len()];
    let mut match_by = |is_same: &dyn Fn(&Part<'_>, &Part<'_>) -> bool| {
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

/// Misses of references.
type Misses<'a> = &'a [(ReferenceId, u64)];

/// References of one text in a nest, with the place of the first and what they count together.
pub(super) struct Part<'a> {
    shape: crate::Shape,
    /// Which it is of those of its nest.
    order: usize,
    pub(super) text: &'a str,
    pub(super) array: &'a str,
    /// Where it is; nowhere in what was saved.
    pub(super) span: Option<Span>,
    around: Vec<Span>,
    /// The function of its side, and which of its references these are; none in what was saved.
    pub(super) function: usize,
    pub(super) ids: Vec<ReferenceId>,
    pub(super) count: Counted,
}

impl<'a> Side<'a> {
    /// A quantity by nests and the texts of references in them, in order of first appearance.
    pub(super) fn parts(
        self,
        all: &[usize],
        (quantity, counted): (Quantity, Option<Misses<'_>>),
    ) -> Vec<Part<'a>> {
        if let Some(saved) = self.saved {
            return saved_parts(saved, all, quantity);
        }
        let mut parts: Vec<Part<'a>> = Vec::new();
        for kernel in self.kernels_of(all) {
            let function = self.function(kernel);
            let start = parts.len();
            for id in &kernel.nest.references {
                let tree = &function.tree;
                let reference = &tree.references[*id];
                let known = counted.and_then(|all| all.iter().find(|(known, _)| known == id));
                let misses = known.map_or_else(
                    || misses_of(function, *id, quantity),
                    |x| Counted::Exact(x.1),
                );
                let count = times(misses, quantity.weight);
                let known = parts[start..].iter_mut().find(|part| {
                    part.text == reference.text
                        && part.span.map(|span| self.sources.start(span).line)
                            == Some(self.sources.start(reference.span).line)
                });
                match known {
                    Some(part) => {
                        part.count += count;
                        part.ids.push(*id);
                    }
                    None => parts.push(Part {
                        shape: kernel.nest.shape,
                        order: parts.len() - start,
                        text: &reference.text,
                        array: &tree.arrays[reference.array].name,
                        span: Some(reference.span),
                        around: std::iter::successors(reference.inside, |id| {
                            tree.loops[*id].inside
                        })
                        .map(|id| tree.loops[id].span)
                        .collect(),
                        function: kernel.function,
                        ids: vec![*id],
                        count,
                    }),
                }
            }
        }
        parts
    }
}

fn saved_parts<'a>(saved: &'a SavedBase, all: &[usize], quantity: Quantity) -> Vec<Part<'a>> {
    let of_kernel = |idx: &usize| {
        let kernel = &saved.kernels[*idx];
        let parts = kernel.parts.iter().enumerate();
        parts.map(move |(order, part)| Part {
            shape: kernel.shape,
            order,
            text: &part.text,
            array: &part.array,
            span: None,
            around: Vec::new(),
            function: kernel.function,
            ids: Vec::new(),
            count: part
                .counts
                .get(quantity.index)
                .copied()
                .unwrap_or(Counted::Unknown),
        })
    };
    all.iter().flat_map(of_kernel).collect()
}
