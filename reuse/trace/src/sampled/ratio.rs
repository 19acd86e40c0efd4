//! Estimates from ratios.

use super::search::Outcome;
use premiss_histogram::{Counted, Estimate, SamplingError};

/// What became of one draw: an execution of the innermost loop around a reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    /// The accesses that the reference makes in it.
    pub(super) accesses: u64,
    /// How many accesses the one that was decided stands for: those that may miss.
    pub(super) stands_for: u64,
    /// What became of that one.
    pub(super) outcome: Outcome,
}

/// How many lines are touched first for each time that a reference is estimated to come first, and how far that may be off: for all
/// references alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShareOfFirst {
    pub(super) factor: f64,
    pub(super) error: f64,
}

/// The units drawn for one reference, summed up.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Ratio {
    /// The accesses of the reference in all.
    pub(super) accesses: u64,
    pub(super) draws: u64,
    /// Whether all accesses were decided.
    pub(super) is_whole: bool,
    n_missed: u64,
    missed: f64,
    /// Sums over draws: accesses `t`, what stands for something `v`, what misses `y`, what is open, and
    /// what touches a line for the first time.
    t: f64,
    v: f64,
    y: f64,
    open: f64,
    first: f64,
    tt: f64,
    ty: f64,
    yy: f64,
    tf: f64,
    ff: f64,
}

#[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
impl Ratio {
    /// Of a reference with so many accesses, none of which was drawn.
    pub(super) fn of(accesses: u64) -> Self {
        Self {
            accesses,
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, unit: Unit, tells_first: bool) {
        let (t, v) = (unit.accesses as f64, unit.stands_for as f64);
        let share = match unit.outcome {
            Outcome::Evicted => 1.0,
            Outcome::First => {
                self.first += v;
                self.tf += t * v;
                self.ff += v * v;
                f64::from(u8::from(!tells_first))
            }
            Outcome::Hit => 0.0,
            Outcome::Open | Outcome::Undetermined => {
                self.open += v / 2.0;
                0.5
            }
        };
        let y = v * share;
        self.draws += 1;
        self.missed += share;
        self.n_missed += u64::from(share == 1.0);
        self.t += t;
        self.v += v;
        self.y += y;
        self.tt += t * t;
        self.ty += t * y;
        self.yy += y * y;
    }

    /// A sum over the units as a sum over all executions.
    fn scaled(&self, sum: f64) -> f64 {
        match self.is_whole || self.t == 0.0 {
            true => sum,
            false => sum / self.t * self.accesses as f64,
        }
    }

    /// The estimate.
    pub(super) fn misses(&self) -> f64 {
        self.scaled(self.y)
    }

    /// How far the misses may be from the estimate because of accesses that were not decided.
    pub(super) fn open(&self) -> f64 {
        self.scaled(self.open)
    }

    /// An estimate of how often it is the first to touch a line.
    pub(super) fn first(&self) -> f64 {
        self.scaled(self.first)
    }

    /// The variance of the estimate, at least what it would be if two more draws had missed and two had not: where all
    /// that were drawn are alike, others may not be (Agresti and Coull 1998).
    pub(super) fn variance(&self) -> f64 {
        if self.is_whole || self.t == 0.0 {
            return 0.0;
        }
        let n = self.draws as f64;
        let share = (self.missed + 2.0) / (n + 4.0);
        let of_shares = share * (1.0 - share) / n;
        self.of_residuals(self.y, self.ty, self.yy)
            .max(self.scaled(self.v).powi(2) * of_shares)
    }

    /// The variance of how often it is the first to touch a line.
    pub(super) fn variance_of_first(&self) -> f64 {
        match self.is_whole || self.t == 0.0 {
            true => 0.0,
            false => self.of_residuals(self.first, self.tf, self.ff),
        }
    }

    /// The variance by the residuals of a sum `y` over the units, with the sums of `ty` and of `yy`.
    fn of_residuals(&self, y: f64, ty: f64, yy: f64) -> f64 {
        let n = self.draws as f64;
        let ratio = y / self.t;
        let residuals = yy - 2.0 * ratio * ty + ratio * ratio * self.tt;
        let scale = self.accesses as f64 / self.t;
        scale * scale * residuals.max(0.0) * n / (n - 1.0).max(1.0)
    }

    /// The estimate as a count, with its share of the first touches; exact where all accesses were decided, and these are
    /// among them.
    ///
    /// What the reference itself misses and how often it comes first rest on the same draws: at worst, their deviations add up.
    pub(super) fn counted(&self, first: Option<ShareOfFirst>) -> Counted {
        let Some(share) = first else {
            if self.is_whole && self.open == 0.0 {
                return Counted::Exact(self.n_missed);
            }
            let error = SamplingError {
                variance: self.variance(),
                common: self.open(),
            };
            return Counted::Estimate(Estimate::sampled(self.misses(), error));
        };
        let of_first = share.factor * self.variance_of_first().sqrt();
        let error = SamplingError {
            variance: (self.variance().sqrt() + of_first).powi(2),
            common: self.open() + share.error * self.first(),
        };
        let misses = self.misses() + share.factor * self.first();
        Counted::Estimate(Estimate::sampled(misses, error))
    }
}
