//! Which nests of a base and of a head are the same, however they are called and wherever they stand.

mod kernel;
mod likeness;
mod matcher;
mod pair;
mod sizes;
#[cfg(test)]
pub(crate) mod tests;

pub use kernel::{Kernel, KernelPlace, kernels};
pub(crate) use likeness::Likeness;
pub use pair::{MatchKind, Pair};
pub use sizes::{share_saved_sizes, share_sizes};

use crate::shape::NestShape;
use matcher::Matcher;

/// Matches kernels: those that did not change; those that moved within functions of one name; those of one
/// shape anywhere; what is left of functions of one name, first in one file; copies of what was there that took the
/// place of something worse; what looks alike; and what came to functions that were there.
#[must_use]
pub fn matching(base: &[Kernel], head: &[Kernel]) -> Vec<Pair> {
    let mut matcher = Matcher::new(base, head);
    matcher.equal(|x| (x.file.clone(), x.name.clone(), x.position, x.nest.shape));
    matcher.equal(|x| (x.file.clone(), x.name.clone(), x.nest.shape));
    matcher.equal(|x| (x.name.clone(), x.nest.shape));
    matcher.equal(|x| (x.file.clone(), x.nest.shape));
    matcher.equal(|x: &Kernel| -> NestShape { x.nest.shape });
    matcher.changed(|x| (x.file.clone(), x.name.clone()));
    matcher.changed(|x| x.name.clone());
    matcher.copied();
    matcher.alike();
    matcher.more();
    matcher.finish()
}
