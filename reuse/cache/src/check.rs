//! Which caches and hierarchies can be simulated.

use crate::{
    CacheError, CacheGeometry, CacheModel, Hierarchy, MAX_WAYS_WITH_BITS, ReplacementPolicy,
};

impl CacheGeometry {
    /// Checks that such a cache can be simulated: no number is zero, a line has at most 2^40 bytes, and there are at
    /// most 2^60 sets and 2^60 ways.
    ///
    /// # Errors
    /// [`CacheError::Geometry`] where that is not so.
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
    /// Checks that such a cache can be simulated: its shape, and the ways that its policy needs.
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
    /// [`CacheError::Geometry`] or [`CacheError::TreeWays`] where a level cannot be simulated, [`CacheError::Lines`]
    /// where the line sizes of two neighbouring levels do not fit each other.
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
