//! The references with the same text in a nest, counted together.

use super::count::{Quantity, misses_of, times};
use super::program::ComparedProgram;
use crate::saved::SavedBase;
use crate::shape::NestShape;
use premiss_histogram::Counted;
use premiss_source::Span;
use premiss_tree::ReferenceId;

/// Misses of references.
type Misses<'a> = &'a [(ReferenceId, u64)];

/// The references with the same text in a nest, with the place of the first and their total count.
pub(super) struct ReferenceGroup<'a> {
    /// The shape of its nest.
    pub(super) shape: NestShape,
    /// Its index among the groups of its nest.
    pub(super) order: usize,
    pub(super) text: &'a str,
    pub(super) array: &'a str,
    /// Where it is; `None` in a saved base.
    pub(super) span: Option<Span>,
    /// The loops around it, innermost first.
    pub(super) enclosing: Vec<Span>,
    /// The function of its side, and which of its references these are; none in a saved base.
    pub(super) function: usize,
    pub(super) ids: Vec<ReferenceId>,
    pub(super) count: Counted,
}

impl<'a> ComparedProgram<'a> {
    /// A quantity split by nests and the texts of references in them, in order of first appearance.
    pub(super) fn parts(
        self,
        all: &[usize],
        (quantity, counted): (Quantity, Option<Misses<'_>>),
    ) -> Vec<ReferenceGroup<'a>> {
        if let Some(saved) = self.saved {
            return saved_parts(saved, all, quantity);
        }
        let mut parts: Vec<ReferenceGroup<'a>> = Vec::new();
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
                    None => parts.push(ReferenceGroup {
                        shape: kernel.nest.shape,
                        order: parts.len() - start,
                        text: &reference.text,
                        array: &tree.arrays[reference.array].name,
                        span: Some(reference.span),
                        enclosing: std::iter::successors(reference.inside, |id| {
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

fn saved_parts<'a>(
    saved: &'a SavedBase,
    all: &[usize],
    quantity: Quantity,
) -> Vec<ReferenceGroup<'a>> {
    let of_kernel = |idx: &usize| {
        let kernel = &saved.kernels[*idx];
        let parts = kernel.parts.iter().enumerate();
        parts.map(move |(order, part)| ReferenceGroup {
            shape: kernel.shape,
            order,
            text: &part.text,
            array: &part.array,
            span: None,
            enclosing: Vec::new(),
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
