//! The best of several trials, and how far the others are from it.

use std::time::{Duration, Instant};

/// How often everything is timed at least: where other programs run too, some trials are left undisturbed.
pub(super) const TRIALS: usize = 31;
/// The most trials that are made while better ones keep coming.
const MOST_TRIALS: usize = 20 * TRIALS;
/// A trial takes at least so long: a tick of the clock is far shorter.
const SHORTEST: Duration = Duration::from_micros(500);
/// Trials that differ by more are reported.
const TOLERANCE: f64 = 0.2;

/// The measurements whose trials differ, each with by how much.
#[derive(Clone, Debug, Default)]
pub(super) struct NoisyTrials(Vec<String>);

impl NoisyTrials {
    /// Notes a measurement whose trials differ by more than a fifth.
    pub(super) fn note(&mut self, what: &str, best: BestTrial) {
        if TOLERANCE < best.spread {
            self.0
                .push(format!("{what} ({:.0} %)", 100.0 * best.spread));
        }
    }

    /// One warning for all.
    pub(super) fn warning(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| {
            let list = self.0.join(", ");
            format!(
                "trials differ by more than 20 %, and the file has the best of {TRIALS} or more: {list}; measure again \
                 where nothing else runs"
            )
        })
    }
}

/// The time of one run at best.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct BestTrial {
    /// In seconds.
    pub(super) seconds: f64,
    /// How much longer the worst trial took, as a fraction of the best.
    pub(super) spread: f64,
}

impl BestTrial {
    /// The best of runs that took these seconds.
    pub(super) fn from_seconds(seconds: &[f64]) -> Self {
        let best = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let worst = seconds.iter().copied().fold(0.0, f64::max);
        Self {
            seconds: best,
            spread: (worst - best) / best,
        }
    }
}

/// Times `run`, which does the work as often as its argument says; returns the time of doing it once.
pub(super) fn best(mut run: impl FnMut(usize)) -> BestTrial {
    let mut timed = |times: usize| {
        let start = Instant::now();
        run(times);
        start.elapsed()
    };
    // The first runs bring memory into place, and the clock up.
    let mut times = 1;
    while timed(times) < SHORTEST && times < 1 << 40 {
        times *= 2;
    }
    until_stable(|| timed(times).as_secs_f64() / as_f64(times))
}

/// Trials until [`TRIALS`] in a row were no better than the best before them by more than a hundredth.
fn until_stable(mut trial: impl FnMut() -> f64) -> BestTrial {
    let (mut trials, mut best, mut since) = (Vec::new(), f64::INFINITY, 0);
    while since < TRIALS && trials.len() < MOST_TRIALS {
        let seconds = trial();
        since = if seconds < 0.99 * best { 0 } else { since + 1 };
        best = best.min(seconds);
        trials.push(seconds);
    }
    BestTrial::from_seconds(&trials)
}

/// Rounded where it has more than 53 bits.
#[expect(
    clippy::cast_precision_loss,
    reason = "measurements are not that exact"
)]
pub(super) fn as_f64(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_counts_and_the_worst_is_a_doubt() {
        let best = BestTrial::from_seconds(&[2.0, 1.0, 1.5]);
        assert_eq!((best.seconds, best.spread), (1.0, 1.0));
        let mut noisy = NoisyTrials::default();
        noisy.note("L2", BestTrial::from_seconds(&[1.0, 1.1]));
        assert_eq!(noisy.warning(), None);
        noisy.note("L1", best);
        let warning = noisy.warning().unwrap();
        assert!(warning.contains("L1 (100 %)"), "{warning}");
        assert!(!warning.contains("L2"), "{warning}");
    }

    #[test]
    fn trials_go_on_while_they_get_better() {
        let better = |from: u32| {
            let mut runs = 0_u32;
            until_stable(|| {
                runs += 1;
                if runs < from { 2.0 } else { 1.0 }
            })
            .seconds
        };
        assert_eq!(better(31), 1.0);
        assert_eq!(better(33), 2.0, "as many trials were no better");
        let mut seconds = 1.0;
        let shrinking = until_stable(|| {
            seconds *= 0.9;
            seconds
        });
        assert!(0.0 < shrinking.seconds, "it ends: {shrinking:?}");
    }

    #[test]
    fn times_are_of_one_run() {
        let mut runs = 0_usize;
        let best = best(|times| {
            runs += times;
            std::thread::sleep(Duration::from_millis(u64::try_from(times).unwrap()));
        });
        assert!(1e-3 <= best.seconds && best.seconds < 1.0, "{best:?}");
        assert!(TRIALS < runs);
    }
}
