//! The functions that a page shows in full.

use crate::delta::kernel_delta::{Delta, KernelDelta, Metric};
use crate::delta::program::ComparedProgram;
use crate::matching::Pair;
use crate::verdict::Verdict;
use std::collections::BTreeMap;

/// The most functions on a page, because their charts need further analysis.
const MOST_FUNCTIONS: usize = 12;

/// A function of the head, with the function of the base from which most of its nests come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunctionPair {
    /// The index of the function in the head.
    pub head: usize,
    /// The index of its counterpart in the base; `None` if it is new, or the base was saved.
    pub base: Option<usize>,
}

/// The functions of the head with changes, at most twelve: first those that exceed their limits, then those that may,
/// then those whose bytes changed most.
#[must_use]
pub fn functions_of_page(
    delta: &Delta,
    pairs: &[Pair],
    (base, head): (ComparedProgram<'_>, ComparedProgram<'_>),
) -> Vec<FunctionPair> {
    let shown = changed(delta, pairs, (base, head)).into_iter();
    shown
        .take(MOST_FUNCTIONS)
        .map(|(head, function)| FunctionPair {
            head,
            base: function.base(),
        })
        .collect()
}

/// The number of functions of the head with changes.
pub(super) fn n_changed(
    delta: &Delta,
    pairs: &[Pair],
    sides: (ComparedProgram<'_>, ComparedProgram<'_>),
) -> usize {
    changed(delta, pairs, sides).len()
}

fn changed(
    delta: &Delta,
    pairs: &[Pair],
    (base, head): (ComparedProgram<'_>, ComparedProgram<'_>),
) -> Vec<(usize, Changed)> {
    let mut found: BTreeMap<usize, Changed> = BTreeMap::new();
    for (kernel, pair) in delta.kernels.iter().zip(pairs) {
        for idx in &pair.head {
            let function = found.entry(head.kernels[*idx].function).or_default();
            function.add(kernel);
            for old in pair.base.iter().filter(|_| base.saved.is_none()) {
                let old = base.kernels[*old].function;
                *function.bases.entry(old).or_default() += 1;
            }
        }
    }
    let mut changed: Vec<(usize, Changed)> = found.into_iter().collect();
    changed.retain(|(_, function)| function.is_changed);
    changed.sort_by(|(a, x), (b, y)| {
        let verdicts = y.verdict.cmp(&x.verdict);
        verdicts.then(y.bytes.total_cmp(&x.bytes)).then(a.cmp(b))
    });
    changed
}

struct Changed {
    is_changed: bool,
    verdict: Verdict,
    bytes: f64,
    /// The functions of the base, with the number of nests that come from each.
    bases: BTreeMap<usize, usize>,
}

impl Default for Changed {
    fn default() -> Self {
        Self {
            is_changed: false,
            verdict: Verdict::Within,
            bytes: 0.0,
            bases: BTreeMap::new(),
        }
    }
}

impl Changed {
    fn add(&mut self, kernel: &KernelDelta) {
        self.is_changed |= kernel.status() != "unchanged";
        self.verdict = self.verdict.max(kernel.verdict());
        self.bytes += kernel.metrics.iter().map(change).sum::<f64>();
    }

    /// The function from which most nests come, the first if several.
    fn base(&self) -> Option<usize> {
        let most = self.bases.values().max()?;
        let mut first = self.bases.iter();
        first.find(|(_, n)| *n == most).map(|(base, _)| *base)
    }
}

/// The difference in misses or bytes, for ranking.
fn change(metric: &Metric) -> f64 {
    let [before, after] = [metric.before, metric.after].map(|x| x.magnitude().unwrap_or(0.0));
    (after - before).abs()
}
