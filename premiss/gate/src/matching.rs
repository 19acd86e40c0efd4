//! Matches the nests of a base and of a head, whatever their names and places.

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

/// Matches kernels, in this order: those that did not change; those that moved between functions of one name; those
/// with the same shape anywhere; the rest of functions of one name, first within one file; copies of existing nests
/// that replace others; nests that look alike; and nests added to existing functions.
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
