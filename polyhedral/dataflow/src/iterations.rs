//! Iterations of a sink that are still to be explained.
//!
//! Most parts of a tree have touched the lines of few of them: a line that begins in the third row of a band is touched
//! by none of the accesses to other rows. Eliminating variables from a few systems shows that in a hundredth of the
//! time that operations on sets take. What elimination cannot show is left to those.

use premiss_isl::Set;
use premiss_presburger::{Refusal, System};

/// A set of iterations, with the systems of which it is the union.
pub(crate) struct Iterations {
    set: Set,
    systems: Vec<System>,
}

impl Iterations {
    pub(crate) fn of(set: Set) -> Result<Self, Refusal> {
        let mut systems = set.systems()?;
        systems.retain(|system| !system.is_infeasible());
        Ok(Self { set, systems })
    }

    pub(crate) fn set(&self) -> &Set {
        &self.set
    }

    pub(crate) fn is_empty(&self) -> Result<bool, Refusal> {
        Ok(self.systems.is_empty() || self.set.is_empty()?)
    }

    /// The iterations that are also in one of `systems`; `None` where there are none.
    pub(crate) fn within(&self, systems: &[System]) -> Result<Option<Set>, Refusal> {
        let may_meet = |system: &&System| {
            let mut own = self.systems.iter();
            own.any(|own| !own.is_apart_from(system))
        };
        let met: Vec<System> = systems.iter().filter(may_meet).cloned().collect();
        if met.is_empty() {
            return Ok(None);
        }
        let part = Set::from_systems(self.set.shape(), &met)?;
        let part = self.set.intersect(&part)?;
        Ok((!part.is_empty()?).then_some(part))
    }

    /// The iterations that are not in `explained`.
    pub(crate) fn without(&self, explained: &Set) -> Result<Self, Refusal> {
        Self::of(self.set.subtract(explained)?)
    }
}
