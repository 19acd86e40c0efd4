//! Levels, misses and reuse distances of a report.

use super::forms::{BinJson, CountJson, DistanceJson, LevelJson, LevelMissesJson, SpreadJson};
use premiss_analyze::{FunctionAnalysis, LevelCounts, Provenance, SEEDS, Spread};
use premiss_histogram::{Bin, Counted, Distance};

pub(super) fn level(level: &LevelCounts) -> LevelJson<'_> {
    LevelJson {
        name: &level.name,
        engine: match level.provenance {
            Provenance::ClosedForm => Some("closed"),
            Provenance::Trace => Some("trace"),
            Provenance::Sample => Some("sample"),
            Provenance::Estimate => Some("estimate"),
            Provenance::Uncounted => None,
        },
        misses: level.misses.into(),
        load_misses: level.load_misses.into(),
        store_misses: level.store_misses.into(),
        compulsory: level.three_c.compulsory.into(),
        capacity: level.three_c.capacity.into(),
        conflict: level.three_c.conflict.into(),
        estimate: level.estimate.into(),
        write_backs: level.traffic.map(|x| x.write_backs.into()),
        bytes_read: level.traffic.map(|x| x.bytes_read.into()),
        bytes_written: level.traffic.map(|x| x.bytes_written.into()),
        spread: level.spread.map(|x| spread(&x, level.traffic.is_some())),
        interval: level.interval.map(Into::into),
    }
}

fn spread(spread: &Spread, has_data: bool) -> SpreadJson {
    let of_data = |ends: (u64, u64)| has_data.then(|| ends.into());
    SpreadJson {
        seeds: SEEDS.count(),
        misses: spread.misses.into(),
        write_backs: of_data(spread.write_backs),
        bytes_read: of_data(spread.bytes_read),
        bytes_written: of_data(spread.bytes_written),
    }
}

pub(super) fn misses<'a>(
    function: &'a FunctionAnalysis,
    misses: &[Counted],
) -> Vec<LevelMissesJson<'a>> {
    let levels = function.levels.iter().zip(misses);
    let of_one = |(level, misses): (&'a LevelCounts, &Counted)| LevelMissesJson {
        name: &level.name,
        misses: (*misses).into(),
    };
    levels.map(of_one).collect()
}

/// A bin; `None` if it is of first accesses, which are reported as cold.
pub(super) fn bin(bin: &Bin) -> Option<BinJson> {
    let Distance::Finite(lower) = bin.lower else {
        return None;
    };
    let distance = match bin.upper {
        Distance::Finite(upper) if upper == lower => DistanceJson::Known(lower.into()),
        Distance::Finite(upper) => DistanceJson::Bounded {
            lower: lower.into(),
            upper: Some(upper.into()),
        },
        Distance::Infinite => DistanceJson::Bounded {
            lower: lower.into(),
            upper: None,
        },
    };
    let count = match Counted::between(bin.certain, bin.certain.saturating_add(bin.possible)) {
        Counted::Exact(count) => CountJson::Exact(count.into()),
        count => CountJson::Bounded(count.into()),
    };
    Some(BinJson { distance, count })
}
