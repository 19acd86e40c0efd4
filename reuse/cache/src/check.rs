//! Which caches and hierarchies there can be.

use crate::{
    CacheError, CacheGeometry, CacheModel, Hierarchy, MAX_WAYS_WITH_BITS, ReplacementPolicy,
};

impl CacheGeometry {
    /// Checks that there can be such a cache: nothing is zero, and everything fits.
    ///
    /// # Errors
    /// There cannot.
    pub fn check(self) -> Result<(), CacheError> {
        let fits = |value: u64, most: u64| (1..=most).contains(&value);
        let is_sound =
            fits(self.line_size, 1 << 40) && fits(self.sets, 1 << 60) && fits(self.ways, 1 << 60);
        if is_sound {
            Ok(())
        } else {
            Err(CacheError::Geometry(self))
        }
    }
}

impl CacheModel {
    /// Whether there can be such a cache.
    pub(crate) fn check(&self) -> Result<(), CacheError> {
        self.geometry.check()?;
        let ways = self.geometry.ways;
        match self.replacement {
            ReplacementPolicy::TreePlru if !ways.is_power_of_two() => {
                Err(CacheError::TreeWays(ways))
            }
            ReplacementPolicy::TreePlru | ReplacementPolicy::Nru if MAX_WAYS_WITH_BITS < ways => {
                Err(CacheError::Geometry(self.geometry))
            }
            _ => Ok(()),
        }
    }
}

impl Hierarchy {
    /// Checks that these levels, nearest first, can form such a hierarchy.
    ///
    /// # Errors
    /// A level cannot be, or the lines of two levels do not fit each other.
    pub fn check(self, levels: &[CacheModel]) -> Result<(), CacheError> {
        levels.iter().try_for_each(CacheModel::check)?;
        let sizes = levels.iter().map(|level| level.geometry.line_size);
        let mut pairs = sizes.clone().zip(sizes.skip(1));
        if pairs.all(|(above, below)| self.admits_lines(above, below)) {
            Ok(())
        } else {
            Err(CacheError::Lines(self))
        }
    }
}
