//! The distances that a bar is for.

use crate::chart::short;
use premiss_histogram::{Bin, Distance};

/// The distances that a bar is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum DistanceRange {
    /// Distance 0: no other line in between.
    Zero,
    /// From 2 to this power up to twice that.
    Power(u32),
    /// Accesses that may be in more than one of these.
    Open,
    First,
}

impl DistanceRange {
    pub(super) fn of(bin: &Bin) -> Self {
        let power = |lines: u64| lines.checked_ilog2().map_or(Self::Zero, Self::Power);
        match (bin.lower, bin.upper) {
            (Distance::Infinite, _) => Self::First,
            (Distance::Finite(lower), Distance::Finite(upper)) if power(lower) == power(upper) => {
                power(lower)
            }
            _ => Self::Open,
        }
    }

    pub(super) fn ends(self) -> [String; 2] {
        match self {
            Self::Zero => ["0", "0"].map(str::to_owned),
            Self::Power(log) => {
                let least = 1_u64 << log;
                [least, least - 1 + least].map(|lines| lines.to_string())
            }
            Self::Open => ["not known", "not known"].map(str::to_owned),
            Self::First => ["first access", "first access"].map(str::to_owned),
        }
    }

    pub(super) fn label(self) -> String {
        match self {
            Self::Zero => "0".to_owned(),
            Self::Power(log) => short(f64::from(log).exp2().round()).trim().to_owned(),
            Self::Open => "open".to_owned(),
            Self::First => "first".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(lower: Distance, upper: Distance, certain: u64) -> Bin {
        Bin {
            lower,
            upper,
            certain,
            possible: 1,
        }
    }

    #[test]
    fn ranges_hold_their_distances() {
        let range = |lower, upper| {
            DistanceRange::of(&bin(Distance::Finite(lower), Distance::Finite(upper), 1))
        };
        assert_eq!(range(0, 0), DistanceRange::Zero);
        assert_eq!(range(4, 7), DistanceRange::Power(2));
        assert_eq!(range(4, 8), DistanceRange::Open);
        assert_eq!(DistanceRange::Power(2).ends(), ["4", "7"]);
        assert_eq!(DistanceRange::Power(63).ends()[1], u64::MAX.to_string());
        assert_eq!(
            DistanceRange::of(&bin(Distance::Infinite, Distance::Infinite, 1)),
            DistanceRange::First
        );
        assert_eq!(
            DistanceRange::of(&bin(Distance::Finite(3), Distance::Infinite, 1)),
            DistanceRange::Open
        );
    }
}
