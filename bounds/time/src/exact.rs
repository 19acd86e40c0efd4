//! The least time in whole numbers: the picoseconds that each resource needs, as a sum over amounts.
//!
//! These are the ceilings of [`Bound`](crate::Bound) with nothing rounded until the end, where the number
//! of picoseconds is rounded down, so that it stays a bound:
//!
//! ```text
//! 2 vectors of 4 doubles in a cycle of 1 GHz, of which 2 may be fused pairs:
//!     each sum or product takes 125 ps by itself, half of that where all are fused
//!     picoseconds = floor(max(125·2·(simple - fused), 125·simple) / 2)
//! ```

use crate::compute::Unit;
use premiss_arithmetic::{gcd, lcm};
use premiss_machine::{Bandwidth, Core, Frequency, Machine, Rate};

const PICOSECONDS: i128 = 1_000_000_000_000;

/// An amount that a resource handles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// Operations of a kind on numbers of these many bytes.
    Work(u64, Unit),
    /// Bytes that are moved.
    Bytes,
}

/// A sum of amounts, each times a factor.
pub type Linear = Vec<(i128, Amount)>;

/// Picoseconds: `floor(total / denominator)`, where `total` adds up, over the lists in `sum`, the greatest value of the
/// linear forms of each list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picoseconds {
    /// The lists of linear forms.
    pub sum: Vec<Vec<Linear>>,
    /// Positive.
    pub denominator: i128,
}

/// How long sums and products on numbers of these sizes in bytes take at least, in full vectors with as many pairs
/// fused as is fastest; `None` where the core has no rate, or a figure does not fit.
///
/// With f of n fused the time is the greater of `(n - f) / rate` and `f / fused`. All pairs fused is
/// fastest unless the two meet before, where it is `n / (rate + fused)`.
#[must_use]
pub fn simple(core: &Core, precisions: &[u64]) -> Option<Picoseconds> {
    let rate = core.floating?.0;
    let fused = core.fused.0;
    let each = |bytes: u64, rate: u64| cycles(core, rate, core.lanes(bytes));
    let mut sum = Vec::new();
    for bytes in precisions {
        let [simple, pairs] = [Unit::Simple, Unit::Fused].map(|unit| Amount::Work(*bytes, unit));
        let mut list = vec![vec![(each(*bytes, rate + fused)?, simple)]];
        if 0 < fused {
            let one = each(*bytes, rate)?;
            list.push(vec![(one, simple), (one.negative(), pairs)]);
        }
        sum.push(list);
    }
    over_common_denominator(&sum)
}

/// How long divisions take at least, in full vectors; `None` as for [`simple`].
#[must_use]
pub fn divisions(core: &Core, precisions: &[u64]) -> Option<Picoseconds> {
    slow(core, core.divide?, Unit::Division, precisions)
}

/// How long square roots take at least, in full vectors; `None` as for [`simple`].
#[must_use]
pub fn roots(core: &Core, precisions: &[u64]) -> Option<Picoseconds> {
    slow(core, core.square_root?, Unit::Root, precisions)
}

/// The rate is that of numbers in double precision; of others a vector has more or fewer.
fn slow(core: &Core, rate: Rate, unit: Unit, precisions: &[u64]) -> Option<Picoseconds> {
    let of_one = |bytes: &u64| {
        let one = cycles(core, rate.0, core.lanes(*bytes))?;
        let each = one.times(core.lanes(8))?;
        Some(vec![vec![(each, Amount::Work(*bytes, unit))]])
    };
    let sum: Vec<_> = precisions.iter().map(of_one).collect::<Option<_>>()?;
    over_common_denominator(&sum)
}

/// How long the bytes take at least that the cache of index `cache` reads from the level below; `None` where the
/// machine has no such bandwidth or no core.
#[must_use]
pub fn passing(machine: &Machine, cache: usize) -> Option<Picoseconds> {
    let clock = machine.core()?.frequency;
    let ways = match machine.caches().get(cache + 1) {
        Some(below) => [below.transfer().bandwidth, None],
        None => [machine.memory().bandwidth, machine.memory().core_bandwidth],
    };
    let ways = ways.into_iter().flatten();
    let each = ways.map(|way| Some(vec![(byte(way, clock)?, Amount::Bytes)]));
    let list: Vec<_> = each.collect::<Option<_>>()?;
    (!list.is_empty()).then(|| over_common_denominator(&[list]))?
}

/// A fraction in lowest terms, its denominator positive.
#[derive(Clone, Copy)]
struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    fn new(numerator: i128, denominator: i128) -> Self {
        let common = gcd(numerator, denominator);
        Self {
            numerator: numerator / common,
            denominator: denominator / common,
        }
    }

    fn times(self, factor: u64) -> Option<Self> {
        let numerator = self.numerator.checked_mul(factor.into())?;
        Some(Self::new(numerator, self.denominator))
    }

    fn negative(self) -> Self {
        Self {
            numerator: -self.numerator,
            ..self
        }
    }
}

/// Picoseconds for each operation where `rate` thousandths of vectors begin in a cycle, `lanes` operations each.
fn cycles(core: &Core, rate: u64, lanes: u64) -> Option<Fraction> {
    let in_second = i128::from(rate).checked_mul(lanes.into())?;
    let in_second = in_second.checked_mul(core.frequency.0.into())?;
    (0 < in_second).then(|| Fraction::new(1000 * PICOSECONDS, in_second))
}

/// Picoseconds for each byte.
fn byte(way: Bandwidth, clock: Frequency) -> Option<Fraction> {
    let (numerator, in_second) = match way {
        Bandwidth::PerCycle(thousandths) => {
            let in_second = i128::from(thousandths).checked_mul(clock.0.into())?;
            (1000 * PICOSECONDS, in_second)
        }
        Bandwidth::PerSecond(bytes) => (PICOSECONDS, bytes.into()),
    };
    (0 < in_second).then(|| Fraction::new(numerator, in_second))
}

/// Everything over one denominator.
fn over_common_denominator(sum: &[Vec<Vec<(Fraction, Amount)>>]) -> Option<Picoseconds> {
    let mut denominator = 1_i128;
    for (each, _) in sum.iter().flatten().flatten() {
        denominator = lcm(denominator, each.denominator)?;
    }
    let factor = |(each, amount): &(Fraction, Amount)| {
        let factor = each.numerator.checked_mul(denominator / each.denominator)?;
        Some((factor, *amount))
    };
    let linear = |terms: &Vec<(Fraction, Amount)>| terms.iter().map(factor).collect();
    let list = |list: &Vec<Vec<(Fraction, Amount)>>| list.iter().map(linear).collect();
    Some(Picoseconds {
        sum: sum.iter().map(list).collect::<Option<_>>()?,
        denominator,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arithmetic, Bound, LevelTraffic, Work};
    use std::collections::BTreeMap;

    fn machine(keys: &str, bandwidth: &str) -> Machine {
        let cache = |name: &str, size: u64, keys: &str| {
            format!("[[cache]]\nname = '{name}'\nsize = {size}\nways = 4\nline = 64\n{keys}\n")
        };
        let text = format!(
            "name = 'm'\n[core]\n{keys}\n[memory]\nbandwidth = '7.3 GB/s'\n{}{}",
            cache("L1", 4096, ""),
            cache("L2", 8192, &format!("bandwidth = '{bandwidth}'")),
        );
        Machine::from_toml(&text).unwrap()
    }

    fn value(of: &Picoseconds, amount: impl Fn(Amount) -> i128) -> i128 {
        let linear = |x: &Linear| x.iter().map(|(each, x)| each * amount(*x)).sum::<i128>();
        let lists = of.sum.iter();
        let sum = lists.map(|list| list.iter().map(linear).max().unwrap_or(0));
        sum.sum::<i128>().div_euclid(of.denominator)
    }

    #[test]
    fn figures_that_one_can_check_by_hand() {
        let plain = machine(
            "frequency = '1 GHz'\nfloating = 2\nfused = 2\nvector = 32",
            "32 B/cycle",
        );
        let core = plain.core().unwrap();
        let found = simple(core, &[8]).unwrap();
        let of = |n: i128, fused: i128| {
            value(&found, |x| {
                if x == Amount::Work(8, Unit::Simple) {
                    n
                } else {
                    fused
                }
            })
        };
        assert_eq!(
            [of(800, 0), of(800, 400), of(801, 400)],
            [100_000, 50_000, 50_125]
        );
        // 64 B at 32 B in a cycle of 1 ns; 64 B at 7.3 GB/s are 8767.12 ps.
        let bytes = |cache| value(&passing(&plain, cache).unwrap(), |_| 64);
        assert_eq!([bytes(0), bytes(1)], [2000, 8767]);
    }

    #[test]
    fn it_is_the_bound_rounded_down() {
        let keys = "frequency = '2.45 GHz'\nfloating = 3\nfused = 2\ndivide = 0.8\nsquare_root = 0.444\n\
                    vector = { single = 16, double = 32 }";
        let odd = machine(keys, "28.5 GiB/s");
        let core = odd.core().unwrap();
        let row = |simple, fused, divisions, roots| Arithmetic {
            simple,
            fused,
            divisions,
            roots,
        };
        for (single, double) in [
            (
                row(1001.0, 17.0, 0.0, 3.0),
                row(77_777.0, 30_001.0, 5.0, 0.0),
            ),
            (row(12.0, 6.0, 90_000.0, 0.0), row(5.0, 0.0, 1e5, 0.0)),
            (row(0.0, 0.0, 0.0, 1e6), row(1.0, 0.0, 0.0, 7.0)),
        ] {
            let work = Work {
                by_precision: BTreeMap::from([(4, single), (8, double)]),
            };
            let moved = LevelTraffic {
                bytes_in: 12_345.0,
                bytes_out: 0.0,
            };
            let bound = Bound::new(&odd, &work, vec![moved; 2]).unwrap();
            #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
            let amount = |x: Amount| match x {
                Amount::Bytes => 12_345,
                Amount::Work(bytes, unit) => {
                    let row = if bytes == 4 { single } else { double };
                    (match unit {
                        Unit::Simple => row.simple,
                        Unit::Fused => row.fused,
                        Unit::Division => row.divisions,
                        Unit::Root => row.roots,
                    }) as i128
                }
            };
            let arithmetic = [simple, divisions, roots];
            let arithmetic = arithmetic.map(|of| value(&of(core, &[4, 8]).unwrap(), amount));
            let below = [0, 1].map(|cache| value(&passing(&odd, cache).unwrap(), amount));
            let found = [arithmetic.into_iter().max().unwrap(), below[0], below[1]];
            for (ceiling, found) in bound.ceilings.iter().zip(found) {
                #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                let rest = ceiling.seconds * 1e12 - found as f64;
                assert!((-1e-3..1.001).contains(&rest), "{ceiling:?}: {found}");
            }
        }
    }
}
