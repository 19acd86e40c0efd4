//! Which functions a page shows in full.

use crate::delta::kernel_delta::{Delta, KernelDelta, Metric};
use crate::delta::program::ComparedProgram;
use crate::matching::Pair;
use crate::verdict::Verdict;
use std::collections::BTreeMap;

/// The most functions: their pictures need work that counts alone do not.
const MOST_FUNCTIONS: usize = 12;

/// A function of the head, with the function of the base that most of its nests were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunctionPair {
    /// Its place among the functions of the head.
    pub head: usize,
    /// The place of the other among those of the base; none where it is new, or the base was saved.
    pub base: Option<usize>,
}

/// Functions of the head of which something changed: those first that exceed their limits, then those that may, then
/// those whose bytes changed most.
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

/// Of how many functions of the head something changed.
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
    /// Functions of the base, with how many nests come from each.
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

    /// The first of those that most nests come from.
    fn base(&self) -> Option<usize> {
        let most = self.bases.values().max()?;
        let mut first = self.bases.iter();
        first.find(|(_, n)| *n == most).map(|(base, _)| *base)
    }
}

/// How many events or bytes more or less there are, to rank by.
fn change(metric: &Metric) -> f64 {
    let [before, after] = [metric.before, metric.after].map(|x| x.magnitude().unwrap_or(0.0));
    (after - before).abs()
}
