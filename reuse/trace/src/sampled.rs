//! Misses of LRU levels from a sample of accesses, each of which is decided exactly.
//!
//! An access misses if and only if as many other lines as a set has ways were touched in its set since its own line was. So
//! whether one access misses can be found by going back from it until its line or that many others are met. Only accesses
//! to one set matter for that, and innermost loops are passed in jumps from one of them to the next (`window`): what it
//! takes hardly depends on how many accesses lie in between, and nothing before them has to be run.
//!
//! In `for j { for k { B[k][j] } }` with 1,000 rows of 125 lines and 64 sets of 12 ways, `B[5][7]` goes back through rows 4
//! to 0 of column 7 and rows 999 on of column 6: one of 64 of them is in its set (125 is odd), and after 12 it has missed.
//!
//! # What is drawn
//!
//! For each reference, executions of its innermost loop, all with the same chance, and in each one of the lines that the
//! reference enters there: it may miss at its first access to the line, and at the others certainly hits if the loop's body
//! has fewer accesses than a set has ways. With `T` accesses and `V` lines entered, of which the one that was drawn misses
//! (`m = 1`) or not (`m = 0`), the misses are `N · ΣVm / ΣT` for `N` accesses in all: a ratio estimate, whose variance
//! follows from that of the residuals (Cochran, *Sampling Techniques*, third edition, section 6.4). References with few
//! accesses have all of them decided. Where few accesses miss but the first ones to their lines, these are estimated by
//! themselves, from a sample of lines (`first`).
//!
//! # Inside
//!
//! `nest` is the program as loops, guards and accesses whose addresses follow from iterators: nothing else is sampled.
//! `draw` draws accesses, `search` goes back from one, `ratio` has the estimate and its variance.

mod draw;
mod first;
mod nest;
mod range;
mod ratio;
mod search;
mod window;

use crate::TraceError;
use crate::execution::{Execution, PerReference};
use draw::SampledReference;
use first::FirstTouches;
use nest::DecidedNest;
use premiss_cache::CacheGeometry;
use premiss_histogram::{Counted, Estimate, SamplingError};
use ratio::{Ratio, ShareOfFirst};
use search::Search;

/// All accesses of a reference are decided where they are at most so many.
const FEW_ACCESSES: u64 = 1 << 10;

/// With fewer draws of a reference, nothing is said.
pub(crate) const FEWEST_DRAWS: u64 = 64;

/// Draws for each reference before it is decided which of them needs more.
const FIRST_DRAWS: u64 = 256;

/// One access takes at most this share of all steps.
const SEARCHES: u64 = 1 << 11;

/// No more is drawn where the interval is this part of the misses to either side.
const CLOSE: f64 = 2.5e-3;

/// First touches are counted by themselves where there are fewer misses than so many times the lines of all arrays.
const FEW_MISSES: f64 = 20.0;

/// The misses of one level, estimated.
#[derive(Clone, Debug)]
pub struct SampledMisses {
    /// An estimate for each reference.
    pub misses: PerReference<Counted>,
    /// The misses of all references together. They are known better than the sum of all is: which reference is the first to
    /// touch a line does not matter.
    pub total: Estimate,
    /// The interval, from least to greatest, that holds the misses of all references together with a probability of 95 %.
    pub interval: (u64, u64),
    /// The number of accesses that were drawn.
    pub draws: u64,
}

impl Execution<'_> {
    /// The misses of an LRU level that sees every access, from a sample that takes about so many steps; the same for the
    /// same input. `None` where something but iterators decides what is executed or where it is in memory, where a loop
    /// is so that its iterations cannot be drawn, or where the steps suffice for too few draws.
    ///
    /// # Errors
    ///
    /// Those of [`Execution::accesses`]; [`TraceError::Cache`] where there can be no such cache.
    pub fn sampled_misses(
        &self,
        geometry: CacheGeometry,
        steps: u64,
    ) -> Result<Option<SampledMisses>, TraceError> {
        geometry.check()?;
        let Some(nest) = DecidedNest::new(&self.program) else {
            return Ok(None);
        };
        let accesses = self.accesses()?;
        let Some(mut references) = nest.references(geometry, &self.bases) else {
            return Ok(None);
        };
        for reference in &mut references {
            let Some(count) = accesses[reference.id].exact() else {
                return Ok(None);
            };
            reference.ratio = Ratio::of(count);
        }
        let mut sample = Sample {
            nest: &nest,
            search: Search::new(geometry, &self.bases, self.tree.variables.len()),
            references,
            first: None,
            steps,
            draws: 0,
        };
        let ranges = self.line_ranges(geometry.line_size).unwrap_or_default();
        let found = sample.begin(FirstTouches::new(ranges));
        if found.and_then(|()| sample.improve()).is_none() {
            return Ok(None);
        }
        let mut misses = self.per_reference(|_| Counted::ZERO);
        let share = sample.share_of_first();
        for reference in &sample.references {
            misses[reference.id] = reference.ratio.counted(share);
        }
        let most: u64 = accesses.values().filter_map(|x| x.exact()).sum();
        let total = sample.total();
        let (lower, upper) = total.interval().unwrap_or((0, most));
        Ok(Some(SampledMisses {
            misses,
            total,
            interval: (lower.min(most), upper.min(most)),
            draws: sample.draws,
        }))
    }
}

/// A sample under way.
struct Sample<'n> {
    nest: &'n DecidedNest<'n>,
    search: Search<'n>,
    references: Vec<SampledReference<'n>>,
    /// Where few accesses miss but the first ones to each line: these are counted by themselves.
    first: Option<FirstTouches>,
    steps: u64,
    draws: u64,
}

impl<'n> Sample<'n> {
    /// Draws a few accesses of each reference; `None` where that is not possible.
    fn begin(&mut self, first: FirstTouches) -> Option<()> {
        self.draw_all()?;
        let middle = self.total().value;
        let is_whole = self.references.iter().all(|x| x.ratio.is_whole);
        if !is_whole && middle < FEW_MISSES * first.n_lines as f64 {
            self.search.tells_first = true;
            for reference in &mut self.references {
                reference.ratio = Ratio::of(reference.ratio.accesses);
            }
            self.draw_all()?;
            self.first = Some(first);
            self.draw_first(FIRST_DRAWS);
        }
        let has_enough = |ratio: &Ratio| ratio.is_whole || FEWEST_DRAWS <= ratio.draws;
        let of_first = self.first.as_ref();
        let is_enough = self.references.iter().all(|x| has_enough(&x.ratio))
            && of_first.is_none_or(FirstTouches::has_enough);
        is_enough.then_some(())
    }

    fn draw_all(&mut self) -> Option<()> {
        (0..self.references.len()).try_for_each(|idx| self.draw(idx, FIRST_DRAWS))
    }

    fn limit(&self) -> u64 {
        (self.steps / SEARCHES).max(1000)
    }

    /// Draws accesses of a reference; `None` where that is not possible.
    fn draw(&mut self, idx: usize, count: u64) -> Option<()> {
        let limit = self.limit();
        let reference = &mut self.references[idx];
        if reference.ratio.accesses <= FEW_ACCESSES {
            self.draws += reference.ratio.accesses;
            return reference.decide_all(&mut self.search, limit);
        }
        for _ in 0..count {
            if self.steps <= self.search.steps {
                break;
            }
            let before = self.search.steps;
            let unit = reference.draw(&mut self.search, limit)?;
            reference.steps += self.search.steps - before;
            self.draws += 1;
            reference.ratio.add(unit, self.search.tells_first);
        }
        Some(())
    }

    fn draw_first(&mut self, count: u64) {
        let limit = self.limit();
        if let Some(first) = &mut self.first {
            first.draw(&mut self.search, self.nest, count, limit);
        }
    }

    /// Draws more where the variance falls most for each step, until the interval is close or the steps are spent.
    fn improve(&mut self) -> Option<()> {
        while self.search.steps < self.steps {
            let Estimate { value, error } = self.total();
            if error.is_none_or(|error| error.half() <= CLOSE * value) {
                break;
            }
            let gain = |variance: f64, steps: u64| variance / (1 + steps) as f64;
            let gains = self.references.iter().enumerate();
            let gains = gains.map(|(idx, x)| (Some(idx), gain(x.ratio.variance(), x.steps)));
            let of_first = self
                .first
                .iter()
                .map(|x| (None, gain(x.variance(), x.steps)));
            let best = gains.chain(of_first).max_by(|a, b| a.1.total_cmp(&b.1));
            match best {
                Some((Some(idx), gain)) if 0.0 < gain => {
                    self.draw(idx, self.references[idx].ratio.draws.max(1))?;
                }
                Some((None, gain)) if 0.0 < gain => {
                    let drawn = self.first.as_ref().map_or(0, FirstTouches::n_examined);
                    self.draw_first(drawn.max(1));
                }
                _ => break,
            }
        }
        Some(())
    }

    /// How many lines are touched first for each time that references are estimated to come first.
    fn share_of_first(&self) -> Option<ShareOfFirst> {
        let first = self.first.as_ref()?;
        let sum = |part: fn(&Ratio) -> f64| -> f64 {
            self.references.iter().map(|x| part(&x.ratio)).sum()
        };
        let all = sum(Ratio::first).max(1.0);
        let factor = first.misses() / all;
        let of_lines = SamplingError {
            variance: first.variance(),
            common: first.open(),
        };
        let of_references = SamplingError {
            variance: sum(Ratio::variance_of_first),
            common: 0.0,
        };
        Some(ShareOfFirst {
            factor,
            error: (of_lines.half() + factor * of_references.half()) / all,
        })
    }

    /// The misses of all references together.
    fn total(&self) -> Estimate {
        let sum = |part: fn(&Ratio) -> f64, of_first: fn(&FirstTouches) -> f64| -> f64 {
            let parts = self.references.iter().map(|x| part(&x.ratio));
            parts.chain(self.first.iter().map(of_first)).sum()
        };
        let error = SamplingError {
            variance: sum(Ratio::variance, FirstTouches::variance),
            common: sum(Ratio::open, FirstTouches::open),
        };
        Estimate::sampled(sum(Ratio::misses, FirstTouches::misses), error)
    }
}
