//! A function as rules see it.

use crate::finding::FindingPlace;
use premiss_analyze::{
    CapacityThreshold, CapacityThresholds, Engine, FunctionAnalysis, LevelCounts, MeasureOptions,
    ReferenceCounts,
};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_report::{counted_with_interval, human};
use premiss_scop::{Formula, SizePolynomial, Stride, formulae, value_of};
use premiss_source::Span;
use premiss_tree::{EntityRef, LoopHeader, LoopId, NestTree, Reference, ReferenceId};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

/// A function with its counts and the movement of its references.
pub(crate) struct Subject<'a> {
    pub(crate) function: &'a FunctionAnalysis,
    /// Computed when a rule first needs it: rules look at counts first, and many functions have none.
    formulae: OnceCell<BTreeMap<ReferenceId, Formula>>,
    /// Derived on demand; `None` if nothing may be derived.
    thresholds: Option<RefCell<CapacityThresholds<'a>>>,
    end: IntervalEnd,
}

/// Which end of what is known of misses rules judge by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntervalEnd {
    /// The least: what rules find is certain, or holds with the probability of a sample.
    Least,
    /// The most that a sample leaves possible; the least of all other counts.
    MostOfSamples,
}

/// A level with its index among all levels.
#[derive(Clone, Copy)]
pub(crate) struct LevelView<'a> {
    pub(crate) index: usize,
    pub(crate) counts: &'a LevelCounts,
    end: IntervalEnd,
}

/// References with the same place and text, counted together: `a[i] += x` loads and stores the same element.
pub(crate) struct Site<'a> {
    pub(crate) references: Vec<&'a ReferenceCounts>,
    pub(crate) first: &'a Reference,
}

/// How a site moves with the innermost loop around it.
pub(crate) struct InnermostStride<'a> {
    pub(crate) inner: &'a LoopHeader,
    pub(crate) bytes: i64,
}

impl<'a> Subject<'a> {
    /// A function, and the options that it was counted with.
    pub(crate) fn new(
        function: &'a FunctionAnalysis,
        options: &'a MeasureOptions,
        end: IntervalEnd,
    ) -> Self {
        Self {
            function,
            end,
            formulae: OnceCell::new(),
            thresholds: (options.engine != Engine::Trace).then(|| {
                RefCell::new(CapacityThresholds::new(
                    &function.tree,
                    options.derivation(),
                ))
            }),
        }
    }

    /// The size from which on a level evicts lines before a site reuses them, if a single size decides.
    pub(crate) fn capacity_threshold(
        &self,
        level: LevelView<'_>,
        site: &Site<'_>,
    ) -> Option<CapacityThreshold> {
        let references: Vec<ReferenceId> = site.references.iter().map(|x| x.id).collect();
        let mut thresholds = self.thresholds.as_ref()?.borrow_mut();
        thresholds.threshold(level.counts.geometry, &references)
    }

    /// The address formula of a reference.
    pub(crate) fn formula(&self, reference: ReferenceId) -> Option<&Formula> {
        let find = || {
            let all = formulae(self.tree()).into_iter();
            all.map(|x| (x.reference, x)).collect()
        };
        self.formulae.get_or_init(find).get(&reference)
    }

    pub(crate) fn tree(&self) -> &'a NestTree {
        &self.function.tree
    }

    /// The loops around a place, innermost first, and its function if that is the analysed one.
    pub(crate) fn enclosing_spans(&self, place: FindingPlace<'_>) -> Vec<Span> {
        let header = |id: &LoopId| &self.tree().loops[*id];
        let loops = std::iter::successors(place.inside, |id| header(id).inside);
        let own = (place.function == self.tree().function).then_some(self.tree().span);
        loops.map(|id| header(&id).span).chain(own).collect()
    }

    /// The caches, nearest first.
    pub(crate) fn caches(&self) -> impl Iterator<Item = LevelView<'a>> {
        self.levels().filter(|level| level.counts.traffic.is_some())
    }

    /// The TLBs, nearest first.
    pub(crate) fn tlbs(&self) -> impl Iterator<Item = LevelView<'a>> {
        self.levels().filter(|level| level.counts.traffic.is_none())
    }

    fn levels(&self) -> impl Iterator<Item = LevelView<'a>> {
        let all = self.function.levels.iter().enumerate();
        let end = self.end;
        all.map(move |(index, counts)| LevelView { index, counts, end })
    }

    /// Its sites, in order of execution.
    pub(crate) fn sites(&self) -> Vec<Site<'a>> {
        let mut sites: Vec<Site<'a>> = Vec::new();
        let mut known: BTreeMap<(Span, &str), usize> = BTreeMap::new();
        for counts in &self.function.references {
            let first = &self.tree().references[counts.id];
            let at = *known
                .entry((first.span, &first.text))
                .or_insert(sites.len());
            match sites.get_mut(at) {
                Some(site) => site.references.push(counts),
                None => sites.push(Site {
                    references: vec![counts],
                    first,
                }),
            }
        }
        sites
    }

    /// How a site moves with the innermost loop around it; `None` if that is unknown.
    pub(crate) fn innermost_stride(&self, site: &Site<'_>) -> Option<InnermostStride<'a>> {
        let stride = self.strides(site).last()?;
        Some(InnermostStride {
            inner: &self.tree().loops[stride.id],
            bytes: self.bytes(stride)?,
        })
    }

    /// The loop with which a site moves least, if that is less than a line; of several the innermost. The second part is
    /// by how many bytes.
    pub(crate) fn within_lines(&self, site: &Site<'_>, line: u64) -> Option<(LoopId, i64)> {
        let strides = self.strides(site).iter().rev();
        let known = strides.filter_map(|x| Some((x.id, self.bytes(x)?)));
        let moves = known.filter(|(_, bytes)| (1..line).contains(&bytes.unsigned_abs()));
        moves.min_by_key(|(_, bytes)| bytes.unsigned_abs())
    }

    /// The innermost loop that moves a site, with the bytes of a step.
    pub(crate) fn innermost_move(&self, site: &Site<'_>) -> Option<(LoopId, i64)> {
        let mut strides = self.strides(site).iter().rev();
        strides.find_map(|x| Some((x.id, self.bytes(x).filter(|bytes| *bytes != 0)?)))
    }

    /// Whether it is known how a site moves with each loop around it.
    pub(crate) fn has_known_strides(&self, site: &Site<'_>) -> bool {
        let strides = self.strides(site);
        !strides.is_empty() && strides.iter().all(|x| self.bytes(x).is_some())
    }

    /// The stride in bytes of a site with a loop around it.
    pub(crate) fn bytes_with(&self, site: &Site<'_>, around: LoopId) -> Option<i64> {
        let mut strides = self.strides(site).iter();
        self.bytes(strides.find(|stride| stride.id == around)?)
    }

    fn strides(&self, site: &Site<'_>) -> &[Stride] {
        let first = site.references.first();
        let formula = first.and_then(|counts| self.formula(counts.id));
        formula.map_or(&[], |formula| &formula.strides)
    }

    /// The value of a stride, in bytes.
    pub(crate) fn bytes(&self, stride: &Stride) -> Option<i64> {
        self.value(stride.bytes.as_ref()?)
    }

    /// The value of a polynomial in sizes.
    pub(crate) fn value(&self, polynomial: &SizePolynomial) -> Option<i64> {
        value_of(polynomial, |size| self.tree().parameters[size].value)
    }
}

impl LevelView<'_> {
    pub(crate) fn name(&self) -> &str {
        &self.counts.name
    }

    /// Bytes of a line, or of a page.
    pub(crate) fn line(&self) -> u64 {
        self.counts.geometry.line_size
    }

    /// The bytes that it holds, or translates.
    pub(crate) fn capacity(&self) -> u64 {
        let lines = self.counts.geometry.lines();
        lines.saturating_mul(self.line())
    }

    /// The reuse distances of a site in lines of this level, if they are known. References are in the order of the
    /// tree.
    pub(crate) fn distances(
        &self,
        function: &FunctionAnalysis,
        site: &Site<'_>,
    ) -> Option<ReuseDistanceHistogram> {
        let lines = function.lines.iter().find(|x| x.line_size == self.line())?;
        let mut sum = ReuseDistanceHistogram::default();
        for counts in &site.references {
            sum.merge(lines.by_reference.get(counts.id.index())?);
        }
        Some(sum)
    }
}

impl Site<'_> {
    pub(crate) fn accesses(&self) -> Counted {
        self.references.iter().map(|x| x.accesses).sum()
    }

    /// The misses in a level that are certain, or hold with the probability of a sample.
    pub(crate) fn misses(&self, level: LevelView<'_>) -> u64 {
        let misses = self.counted(level);
        match (misses, level.end) {
            (Counted::Estimate(estimate), IntervalEnd::MostOfSamples) => {
                estimate.interval().map_or(0, |(_, upper)| upper)
            }
            _ => least(misses),
        }
    }

    /// The misses in a level, as they are known.
    pub(crate) fn counted(&self, level: LevelView<'_>) -> Counted {
        let misses = self.references.iter().map(|x| x.misses[level.index]);
        misses.sum()
    }

    /// The misses in a level for readers: of a sample, the estimate and its interval.
    pub(crate) fn misses_text(&self, level: LevelView<'_>) -> String {
        match self.counted(level) {
            estimate @ Counted::Estimate(_) => counted_with_interval(estimate),
            _ => human(self.misses(level)),
        }
    }
}

/// The lower bound of a count, or that of its interval; 0 if it is unknown.
pub(crate) fn least(count: Counted) -> u64 {
    count.interval().map_or(0, |(lower, _)| lower)
}

/// The upper bound of a count; `None` if it has none.
pub(crate) fn most(count: Counted) -> Option<u64> {
    count.bounds().map(|(_, upper)| upper)
}
