//! Accesses of unknown address in a cache: how many of them may miss.
//!
//! Time is cut into epochs in which, of every set, so few lines may be touched that all fit, those of unknown address included.
//! What was touched in an epoch stays until its end. So in each epoch, at most as many accesses of unknown address miss as their
//! areas have lines:
//!
//! ```text
//! for (i = 0; i < n; i++) h[a[i]]++;       h has 16 lines, the cache 64 in one set
//! ```
//! An epoch ends with the 49th line of `a`, and `h` misses at most 16 times in it.
//!
//! Likewise, however many accesses of unknown address there were since another access, the lines that they brought into a set are
//! no more than their areas have there.

use premiss_cache::CacheGeometry;
use std::collections::{BTreeMap, HashMap};

/// The first and the last address of an area.
type Area = (i64, i64);

/// What is known of accesses of unknown address to one cache.
#[derive(Debug)]
pub(crate) struct Somewhere {
    geometry: CacheGeometry,
    /// The areas that they were in so far, each with its lines and how many accesses were counted as misses in this epoch.
    areas: BTreeMap<Area, (u64, u64)>,
    /// How many lines they have in a set at most.
    in_a_set: u64,
    /// When the epoch began.
    since: u64,
    /// How many lines of known address may have been touched in this epoch, by set.
    n_touched: HashMap<i64, u64>,
    version: u64,
}

impl Somewhere {
    pub(crate) fn new(geometry: CacheGeometry) -> Self {
        Self {
            geometry,
            areas: BTreeMap::new(),
            in_a_set: 0,
            since: 0,
            n_touched: HashMap::new(),
            version: 0,
        }
    }

    /// How many lines accesses of unknown address have brought into a set at most.
    pub(crate) fn most_in_a_set(&self) -> u64 {
        self.in_a_set
    }

    /// When the epoch began; 0 where there are none.
    pub(crate) fn since(&self) -> u64 {
        self.since
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Takes in the first touch of a line of known address in this epoch.
    pub(crate) fn touch(&mut self, set: i64, now: u64) {
        if self.areas.is_empty() || self.geometry.ways < self.in_a_set {
            return;
        }
        let touched = self.n_touched.entry(set).or_default();
        *touched += 1;
        self.version += 1;
        if self.geometry.ways < *touched + self.in_a_set {
            self.begin(now);
            self.n_touched.insert(set, 1);
        }
    }

    /// Takes in an access to some line of an area, or of any; whether it counts as a miss.
    pub(crate) fn access(&mut self, area: Option<Area>, now: u64) -> bool {
        let Some(area) = area else {
            if self.in_a_set < u64::MAX {
                self.in_a_set = u64::MAX;
                self.version += 1;
            }
            return true;
        };
        if !self.areas.contains_key(&area) {
            let line_size = self.geometry.line_size.cast_signed();
            let ends = (area.0.div_euclid(line_size), area.1.div_euclid(line_size));
            let lines = (ends.1 - ends.0).max(0).unsigned_abs() + 1;
            self.areas.insert(area, (lines, 0));
            let more = lines.div_ceil(self.geometry.sets);
            self.in_a_set = self.in_a_set.saturating_add(more);
            self.begin(now);
        }
        if self.geometry.ways < self.in_a_set {
            return true;
        }
        let Some((lines, counted)) = self.areas.get_mut(&area) else {
            return true;
        };
        let is_miss = counted < lines;
        if is_miss {
            *counted += 1;
            self.version += 1;
        }
        is_miss
    }

    fn begin(&mut self, now: u64) {
        self.since = now;
        self.version += 1;
        self.n_touched.clear();
        for (_, counted) in self.areas.values_mut() {
            *counted = 0;
        }
    }
}
