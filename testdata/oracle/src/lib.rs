//! A naive interpreter of NestTree and naive caches: what every engine must agree with.
//!
//! It shares no code with any engine, only the types of their questions and answers, and does everything in the plainest
//! way: [`walk`] executes loop by loop and lists every access, [`recency`] keeps lines in the order of their last use and
//! searches them one by one, [`lru`] keeps each set as a list, [`kinds`] does so for caches of every kind; [`iterated`]
//! lists accesses with their iterations. It follows the access model to the letter; nothing in it is fast.

mod evaluate;
mod execution;
mod iterations;
mod kinds;
mod layout;
mod lru;
mod operations;
mod recency;
mod walk;

pub use execution::Execution;
pub use iterations::{Iterated, Iteration, iterated};
pub use kinds::{Counts, OUTSIDE};
pub use operations::{Executed, Times, executed};
pub use walk::{ArmId, Choices, Event};

use std::ops::RangeInclusive;

/// Why a tree was not executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// These sizes have no value.
    MissingSizes(Vec<String>),
    /// There are more accesses, or more iterations of a loop, than the budget allows.
    Budget,
    /// A number does not fit 64 bits.
    Overflow,
}

/// The lines that `size` bytes from `address` on touch.
fn lines(address: u64, size: u64, line_size: u64) -> RangeInclusive<u64> {
    address / line_size..=(address + size.max(1) - 1) / line_size
}
