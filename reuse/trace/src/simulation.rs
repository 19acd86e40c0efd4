//! The misses and the traffic of levels of any kind.
//!
//! Levels of the access model are counted by the engines made for them; all others access by access. Where data decides
//! what is executed, only the former have close bounds: a line that was never accessed misses in the first level
//! whatever it replaces, and no access misses more than once in a level that sees it. Of levels that see only what
//! others miss, nothing is known then.

use crate::TraceError;
use crate::cache::CacheSink;
use crate::chain::{Chain, LevelEvents};
use crate::execution::{BoundedMisses, Execution, PerReference};
use crate::simulate::SimulationSink;
use crate::walk::Unknowns;
use crate::{Spread, Traffic};
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_cache::{CacheModel, ReplacementPolicy};
use premiss_histogram::Counted;
use premiss_tree::EntityRef;

/// The seeds with which chains that have a level of random replacement are run. Counts that depend on chance are the
/// means of these runs, as estimates.
pub const SEEDS: std::ops::RangeInclusive<u64> = 1..=8;

/// The misses and the traffic of one level.
#[derive(Clone, Debug)]
pub struct LevelRun {
    /// The misses of each reference.
    pub misses: PerReference<Counted>,
    /// The misses of all references together, where they are known better than their sum is: where data decide what is executed.
    pub total: Option<Counted>,
    /// What passed between it and the level below; `None` for a level of the access model that sees every access: see
    /// [`Execution::traffic`].
    pub traffic: Option<Traffic>,
    /// Where counts depend on chance, how far apart the results of all [`SEEDS`] are.
    pub spread: Option<Spread>,
}

impl Execution<'_> {
    /// The misses and the traffic of levels of any kind: one entry for each level, nearest first.
    ///
    /// # Errors
    ///
    /// Those of [`Execution::accesses`]; [`TraceError::Cache`] where a level cannot be simulated, or not in such a
    /// hierarchy.
    pub fn simulate(
        &self,
        levels: &[CacheModel],
        hierarchy: Hierarchy,
    ) -> Result<Vec<LevelRun>, TraceError> {
        hierarchy.check(levels)?;
        if levels.len() < 2 || hierarchy == Hierarchy::Independent {
            return levels.iter().map(|level| self.alone(*level)).collect();
        }
        if hierarchy == Hierarchy::Filtered && levels.iter().all(CacheModel::is_lru_write_back) {
            return self.filtered(levels);
        }
        match self.chained(levels, hierarchy)? {
            Some(runs) => Ok(runs),
            None => self.chain_bounds(levels, hierarchy),
        }
    }

    /// What passes below a level of the access model that sees every access, in lines and bytes; unknown where data
    /// decides what is executed.
    ///
    /// # Errors
    ///
    /// As for [`Execution::simulate`].
    pub fn traffic(&self, geometry: CacheGeometry) -> Result<Traffic, TraceError> {
        geometry.check()?;
        let runs = self.by_lines(&[CacheModel::lru_write_back(geometry)])?;
        Ok(runs
            .and_then(|runs| runs[0].traffic)
            .unwrap_or(Traffic::UNKNOWN))
    }

    /// A level that sees every access.
    fn alone(&self, level: CacheModel) -> Result<LevelRun, TraceError> {
        if level.is_lru_write_back() {
            let BoundedMisses {
                of_references,
                total,
            } = self.level_misses(level.geometry)?;
            return Ok(LevelRun {
                misses: of_references,
                total,
                traffic: None,
                spread: None,
            });
        }
        match self.chained(&[level], Hierarchy::Filtered)? {
            Some(mut runs) => Ok(runs.remove(0)),
            None => Ok(unknown_traffic(self.bounds(level)?)),
        }
    }

    /// A chain of levels of the access model.
    fn filtered(&self, levels: &[CacheModel]) -> Result<Vec<LevelRun>, TraceError> {
        if let Some(runs) = self.by_lines(levels)? {
            return Ok(runs);
        }
        let geometries: Vec<_> = levels.iter().map(|level| level.geometry).collect();
        let bounds = self.filtered_bounds(&geometries)?.into_iter();
        Ok(bounds.map(unknown_traffic).collect())
    }

    /// A chain of levels that write back, line by line; `None` where data decides what is executed.
    fn by_lines(&self, levels: &[CacheModel]) -> Result<Option<Vec<LevelRun>>, TraceError> {
        let n_arrays = self.tree.arrays.len();
        let Some(sink) = CacheSink::with_traffic(levels, self.n_references(), n_arrays) else {
            return self.by_accesses(levels, Hierarchy::Filtered);
        };
        let Some(run) = self.run(Unknowns::Stop, sink)? else {
            return Ok(None);
        };
        let sink = &run.sink;
        let level = |(idx, misses): (usize, &Vec<u64>)| LevelRun {
            misses: self.per_reference(|id| Counted::Exact(misses[id.index()])),
            traffic: Some(sink.traffic(idx)),
            total: None,
            spread: None,
        };
        Ok(Some(sink.misses.iter().enumerate().map(level).collect()))
    }

    /// A chain; `None` where data decides what is executed.
    fn chained(
        &self,
        levels: &[CacheModel],
        hierarchy: Hierarchy,
    ) -> Result<Option<Vec<LevelRun>>, TraceError> {
        match hierarchy {
            Hierarchy::Filtered => self.by_lines(levels),
            _ => self.by_accesses(levels, hierarchy),
        }
    }

    /// A chain, access by access; `None` where data decides what is executed.
    fn by_accesses(
        &self,
        levels: &[CacheModel],
        hierarchy: Hierarchy,
    ) -> Result<Option<Vec<LevelRun>>, TraceError> {
        let is_random = |level: &CacheModel| level.replacement == ReplacementPolicy::Random;
        let seeds = match levels.iter().any(is_random) {
            true => SEEDS,
            false => *SEEDS.start()..=*SEEDS.start(),
        };
        let mut runs = Vec::new();
        for seed in seeds {
            let chain = Chain::new(levels, hierarchy, self.n_references(), seed, self.budget);
            let Some(run) = self.run(Unknowns::Stop, SimulationSink { chain })? else {
                return Ok(None);
            };
            runs.push(run.sink.chain.events);
        }
        let first_random = levels.iter().position(is_random).unwrap_or(levels.len());
        let level = |idx: usize| {
            let of_level: Vec<&LevelEvents> = runs.iter().map(|events| &events[idx]).collect();
            let depends = match hierarchy {
                Hierarchy::Inclusive | Hierarchy::Exclusive => first_random < levels.len(),
                Hierarchy::Independent | Hierarchy::Filtered => first_random <= idx,
            };
            match depends {
                true => self.estimated(&of_level),
                false => Ok(self.counted(of_level[0])),
            }
        };
        (0..levels.len())
            .map(level)
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn counted(&self, events: &LevelEvents) -> LevelRun {
        LevelRun {
            misses: self.per_reference(|id| Counted::Exact(events.misses[id.index()])),
            traffic: Some(Traffic {
                write_backs: Counted::Exact(events.write_backs),
                bytes_read: Counted::Exact(events.bytes_read),
                bytes_written: Counted::Exact(events.bytes_written),
            }),
            total: None,
            spread: None,
        }
    }

    /// The means of several runs, and their spread.
    fn estimated(&self, runs: &[&LevelEvents]) -> Result<LevelRun, TraceError> {
        let totals = runs.iter().map(|run| total(&run.misses));
        let totals: Vec<u64> = totals.collect::<Result<_, _>>()?;
        let of = |number: fn(&LevelEvents) -> u64| -> Vec<u64> {
            runs.iter().map(|run| number(run)).collect()
        };
        let write_backs = of(|run| run.write_backs);
        let bytes_read = of(|run| run.bytes_read);
        let bytes_written = of(|run| run.bytes_written);
        Ok(LevelRun {
            misses: self.per_reference(|id| {
                let of_one: Vec<u64> = runs.iter().map(|run| run.misses[id.index()]).collect();
                mean(&of_one)
            }),
            traffic: Some(Traffic {
                write_backs: mean(&write_backs),
                bytes_read: mean(&bytes_read),
                bytes_written: mean(&bytes_written),
            }),
            total: None,
            spread: Some(Spread {
                misses: ends(&totals),
                write_backs: ends(&write_backs),
                bytes_read: ends(&bytes_read),
                bytes_written: ends(&bytes_written),
            }),
        })
    }

    /// Bounds on the misses of a level that sees every access.
    fn bounds(&self, level: CacheModel) -> Result<PerReference<Counted>, TraceError> {
        if level.follows_reuse_distance() {
            return Ok(self.level_misses(level.geometry)?.of_references);
        }
        let first = self.first_touches(level.geometry.line_size)?;
        let accesses = self.accesses()?;
        Ok(self.per_reference(|id| match accesses[id].bounds() {
            Some((_, upper)) => Counted::between(first[id].min(upper), upper),
            None => Counted::Unknown,
        }))
    }

    /// Bounds on the misses of the levels of a chain; those of levels that do not see every access are unknown.
    fn chain_bounds(
        &self,
        levels: &[CacheModel],
        hierarchy: Hierarchy,
    ) -> Result<Vec<LevelRun>, TraceError> {
        let level = |(idx, level): (usize, &CacheModel)| {
            let misses = match (idx, hierarchy) {
                // What leaves the level below leaves this one, so that reuse distance alone does not decide.
                (0, Hierarchy::Inclusive) => self.bounds(CacheModel {
                    replacement: ReplacementPolicy::Random,
                    ..*level
                })?,
                (0, _) => self.bounds(*level)?,
                _ => self.per_reference(|_| Counted::Unknown),
            };
            Ok(unknown_traffic(misses))
        };
        levels.iter().enumerate().map(level).collect()
    }
}

fn unknown_traffic(misses: PerReference<Counted>) -> LevelRun {
    LevelRun {
        misses,
        traffic: Some(Traffic::UNKNOWN),
        total: None,
        spread: None,
    }
}

fn total(misses: &[u64]) -> Result<u64, TraceError> {
    let sum = misses.iter().try_fold(0_u64, |sum, x| sum.checked_add(*x));
    sum.ok_or(TraceError::TooManyAccesses)
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn mean(numbers: &[u64]) -> Counted {
    let sum: f64 = numbers.iter().map(|x| *x as f64).sum();
    Counted::estimate(sum / numbers.len() as f64)
}

fn ends(numbers: &[u64]) -> (u64, u64) {
    let least = numbers.iter().min().copied().unwrap_or(0);
    let largest = numbers.iter().max().copied().unwrap_or(0);
    (least, largest)
}
