//! What a run may take: so many steps, and so much memory.
//!
//! Runs go on side by side, on all processors, and their memory adds up. So a run that takes more than its share of
//! [`SHARED_BYTES`] waits until no other does, and all runs together stay below `MOST_BYTES + SHARED_BYTES`. What a run
//! counts, and whether it fails, depends on no other.

use crate::TraceError;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// The state of a run may take this many bytes.
const MOST_BYTES: u64 = 1 << 30;

/// The states of all runs that wait for no other may take this many bytes.
const SHARED_BYTES: u64 = 1 << 29;

/// A share is no smaller, on however many processors.
const LEAST_SHARE: u64 = 1 << 24;

/// The size of the state is looked at about every so many steps.
const STEPS_BETWEEN_WEIGHINGS: u64 = 1 << 14;

/// For each so many bytes of state a step counts once more, up to [`MOST_TIMES`]: what does not fit into the caches of
/// this machine is waited for.
const BYTES_PER_TIME: u64 = 1 << 22;

/// A step counts at most so many times.
const MOST_TIMES: u64 = 4;

/// The memory of all runs of the process.
static MEMORY: Memory = Memory::new(MOST_BYTES);

/// Memory that several runs take from.
#[derive(Debug)]
pub(crate) struct Memory {
    /// One run may take this many bytes.
    most: u64,
    /// Held by the run that takes more than its share.
    large: Mutex<()>,
}

impl Memory {
    /// Memory of which one run may take so many bytes.
    pub(crate) const fn new(most: u64) -> Self {
        Self {
            most,
            large: Mutex::new(()),
        }
    }
}

/// What a run may take. It keeps its memory until it is dropped.
#[derive(Debug)]
pub(crate) struct Allowance<'m> {
    steps: u64,
    /// The most steps.
    budget: u64,
    /// How many times a step counts.
    times: u64,
    memory: &'m Memory,
    share: u64,
    /// Whether it takes more than its share.
    large: Option<MutexGuard<'m, ()>>,
}

impl Allowance<'static> {
    /// So many steps, and memory that all runs share.
    pub(crate) fn of_steps(budget: u64) -> Self {
        let n_processors = thread::available_parallelism().map_or(1, usize::from);
        let share = (SHARED_BYTES / n_processors as u64).max(LEAST_SHARE);
        Self::new(budget, &MEMORY, share)
    }
}

impl<'m> Allowance<'m> {
    /// So many steps, and memory of which a share is taken without waiting.
    pub(crate) fn new(budget: u64, memory: &'m Memory, share: u64) -> Self {
        Self {
            steps: 0,
            budget,
            times: 1,
            memory,
            share,
            large: None,
        }
    }

    /// How many steps are left.
    pub(crate) fn steps_left(&self) -> u64 {
        self.budget.saturating_sub(self.steps) / self.times
    }

    /// Takes steps of a run whose state takes as many bytes as `n_bytes` says. May wait for another run to end.
    ///
    /// # Errors
    ///
    /// [`TraceError::Budget`] and [`TraceError::Memory`], where no more is left.
    pub(crate) fn spend(
        &mut self,
        steps: u64,
        n_bytes: impl FnOnce() -> u64,
    ) -> Result<(), TraceError> {
        let weighed = self.steps / STEPS_BETWEEN_WEIGHINGS;
        self.steps = self.steps.saturating_add(steps.saturating_mul(self.times));
        if self.steps > self.budget {
            return Err(TraceError::Budget(self.budget));
        }
        if weighed < self.steps / STEPS_BETWEEN_WEIGHINGS {
            return self.weigh(n_bytes());
        }
        Ok(())
    }

    fn weigh(&mut self, n_bytes: u64) -> Result<(), TraceError> {
        self.times = (1 + n_bytes / BYTES_PER_TIME).min(MOST_TIMES);
        if self.memory.most < n_bytes {
            return Err(TraceError::Memory(self.memory.most));
        }
        if self.share < n_bytes && self.large.is_none() {
            // A run that panicked has left nothing behind.
            let large = self.memory.large.lock();
            self.large = Some(large.unwrap_or_else(PoisonError::into_inner));
        }
        Ok(())
    }

    /// Whether it takes more than its share.
    #[cfg(test)]
    pub(crate) fn is_large(&self) -> bool {
        self.large.is_some()
    }
}
