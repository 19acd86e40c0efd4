//! The verdict on each metric of a pair.
//!
//! A nest with the same shape, the same nests before it and the same sizes makes the same accesses: if its counts
//! differ, arrays were declared in another order, which is no change of the nest. If the nests before it differ, it
//! finds other lines in the caches: then the function as a whole decides.

use super::count::{Quantity, quantities};
use super::kernel_delta::Metric;
use super::program::ComparedProgram;
use super::symbolic;
use super::worst::worst;
use crate::limits::{KernelLimits, Limit};
use crate::matching::Pair;
use crate::verdict::{Verdict, verdict};
use premiss_analyze::SymbolicOptions;
use premiss_histogram::Counted;
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct VerdictContext<'a> {
    base: ComparedProgram<'a>,
    head: ComparedProgram<'a>,
    limits: &'a KernelLimits,
    options: SymbolicOptions<'a>,
    /// The function of the head that each function of the base corresponds to.
    became: BTreeMap<usize, usize>,
    /// Whether a nest of the base has no counterpart in the head.
    has_removed: bool,
}

impl<'a> VerdictContext<'a> {
    pub(super) fn new(
        pairs: &[Pair],
        (base, head): (ComparedProgram<'a>, ComparedProgram<'a>),
        limits: &'a KernelLimits,
        options: SymbolicOptions<'a>,
    ) -> Self {
        let mut became = BTreeMap::new();
        let name = |side: ComparedProgram<'_>, idx: usize| {
            let kernel = &side.kernels[idx];
            (kernel.function, (kernel.file.clone(), kernel.name.clone()))
        };
        for same_name in [true, false] {
            for (old, new) in pairs
                .iter()
                .flat_map(|pair| pair.base.first().zip(pair.head.first()))
            {
                let ((was, old), (is, new)) = (name(base, *old), name(head, *new));
                if !same_name || old == new {
                    became.entry(was).or_insert(is);
                }
            }
        }
        Self {
            base,
            head,
            limits,
            options,
            became,
            has_removed: pairs.iter().any(|pair| pair.head.is_empty()),
        }
    }

    pub(super) fn metrics(&self, pair: &Pair) -> Vec<Metric> {
        let (base, head) = (self.base, self.head);
        let functions = [head, base].map(|side| side.functions.first());
        let Some(function) = functions.into_iter().flatten().next() else {
            return Vec::new();
        };
        let kernel = head
            .kernels_of(&pair.head)
            .chain(base.kernels_of(&pair.base))
            .next();
        let kernel = kernel.map_or("", |x| x.name.as_str());
        let of_one = |(name, quantity): (String, Quantity)| {
            let before = base.sum(&pair.base, quantity);
            let after = head.sum(&pair.head, quantity);
            let limit = self.limits.of(kernel, &name);
            let verdict = self.verdict(pair, quantity, (before, after), &limit);
            let metric = Metric {
                name,
                before,
                after,
                limit,
                verdict,
                for_all_sizes: None,
                worst: None,
            };
            (quantity, metric)
        };
        let quantities = quantities(&function.levels).into_iter();
        let mut metrics: Vec<(Quantity, Metric)> = quantities.map(of_one).collect();
        let witnesses = symbolic::decide(
            pair,
            (base, head),
            &mut metrics,
            (self.limits.sizes, self.options),
        );
        for ((quantity, metric), witness) in metrics.iter_mut().zip(witnesses) {
            if metric.verdict != Verdict::Within {
                metric.worst = worst(pair, base, head, (*quantity, witness.as_ref()));
            }
        }
        metrics.into_iter().map(|(_, metric)| metric).collect()
    }

    fn verdict(
        &self,
        pair: &Pair,
        quantity: Quantity,
        (before, after): (Counted, Counted),
        limit: &Limit,
    ) -> Verdict {
        let ([was, ..], [is, ..]) = (&pair.base[..], &pair.head[..]) else {
            // What is not understood may be a nest that is gone.
            let mut added = self.head.kernels_of(&pair.head);
            let is_opaque = pair.base.is_empty() && added.any(|kernel| kernel.nest.is_opaque);
            return match is_opaque && self.has_removed {
                true => Verdict::Undecided,
                false => Verdict::Within,
            };
        };
        if !pair.same_shape() {
            return self.changed(pair, quantity, (before, after), limit);
        }
        let (old, new) = (&self.base.kernels[*was], &self.head.kernels[*is]);
        if !self.has_same_sizes(pair) {
            return verdict(before, after, limit);
        }
        if old.nest.so_far == new.nest.so_far || before == after {
            return Verdict::Within;
        }
        let alone = verdict(before, after, limit);
        let is_moved = self.became.get(&old.function) != Some(&new.function);
        if alone == Verdict::Within || is_moved {
            return Verdict::Within;
        }
        let total = |side: ComparedProgram<'_>, function: usize| {
            let own = (0..side.kernels.len()).filter(|idx| side.kernels[*idx].function == function);
            side.sum(&own.collect::<Vec<_>>(), quantity)
        };
        let (before, after) = (
            total(self.base, old.function),
            total(self.head, new.function),
        );
        alone.min(verdict(before, after, limit))
    }

    /// The verdict on the nests of a pair; if it is undecided, the verdict without those that have the same shape on
    /// both sides.
    fn changed(
        &self,
        pair: &Pair,
        quantity: Quantity,
        (before, after): (Counted, Counted),
        limit: &Limit,
    ) -> Verdict {
        let all = verdict(before, after, limit);
        if all != Verdict::Undecided {
            return all;
        }
        let (mut base, mut head) = (pair.base.clone(), pair.head.clone());
        let shape = |side: ComparedProgram<'_>, idx: usize| side.kernels[idx].nest.shape;
        let known: BTreeSet<usize> = pair.head.iter().copied().collect();
        for new in known {
            let same = base
                .iter()
                .position(|old| shape(self.base, *old) == shape(self.head, new));
            if let Some(same) = same {
                base.remove(same);
                head.retain(|idx| *idx != new);
            }
        }
        match base.len() < pair.base.len() {
            true => verdict(
                self.base.sum(&base, quantity),
                self.head.sum(&head, quantity),
                limit,
            ),
            false => all,
        }
    }

    /// Whether it makes the same accesses at the same sizes.
    pub(super) fn is_same(&self, pair: &Pair) -> bool {
        pair.same_shape() && self.has_same_sizes(pair)
    }

    /// Whether the sizes of nests of one shape have the same values, or none.
    fn has_same_sizes(&self, pair: &Pair) -> bool {
        self.base.size_values(&pair.base) == self.head.size_values(&pair.head)
    }
}
