//! How long a core needs for arithmetic alone.

use premiss_histogram::Counted;
use premiss_machine::Core;
use premiss_operations::{Counts, Quantity};
use premiss_tree::{Operands, OperationKind};
use std::collections::BTreeMap;

/// The kinds of arithmetic operations, each with a rate of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unit {
    /// A sum, a difference or a product.
    Simple,
    /// A sum or difference with a product, where one instruction does both.
    Fused,
    /// A division.
    Division,
    /// A square root.
    Root,
}

/// Numbers of operations on real numbers of one precision.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Arithmetic {
    /// Sums, differences and products.
    pub simple: f64,
    /// How many pairs of these are a sum with a product, one instruction each where there is one.
    pub fused: f64,
    /// Divisions.
    pub divisions: f64,
    /// Square roots.
    pub roots: f64,
}

/// The arithmetic of a part of a program by precision, in bytes of a number.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Work {
    /// The operations of each precision, by the bytes of a number.
    pub by_precision: BTreeMap<u64, Arithmetic>,
}

impl Work {
    /// The least work that counts guarantee. Negations and comparisons cost nothing here, as they may become parts of
    /// other instructions, nor do functions of the mathematical library. A complex sum is two real ones, a complex
    /// product six operations: four products and two sums, with two fused pairs.
    #[must_use]
    pub fn of(counts: &Counts) -> Self {
        Self::weighed(counts, least)
    }

    /// The expected work: the middle of the bounds, or the averages; `None` where the number of operations is unknown.
    #[must_use]
    pub fn expected(counts: &Counts) -> Option<Self> {
        counts.flops().middle()?;
        let middle = |count: Counted| count.middle().unwrap_or(0.0);
        Some(Self::weighed(counts, middle))
    }

    fn weighed(counts: &Counts, number: impl Fn(Counted) -> f64) -> Self {
        let mut work = Self::default();
        for (quantity, count) in counts.by_quantity() {
            if let Some((precision, units)) = units(quantity) {
                let row = work.by_precision.entry(precision).or_default();
                for (unit, each) in units {
                    *row.of(*unit) += wide(*each) * number(count);
                }
            }
        }
        work
    }

    /// Lets `part` of the work run in vectors of `lanes(full)` lanes, `full` being the lanes of the core: adds as many
    /// operations of full vectors as take the additional time. Divisions and square roots stay, as their rate does not
    /// say how long single ones take.
    pub fn narrow(&mut self, part: &Self, core: &Core, lanes: impl Fn(u64) -> u64) {
        for (bytes, row) in &part.by_precision {
            let full = core.lanes(*bytes);
            let further = wide(full) / wide(lanes(full).max(1)) - 1.0;
            let own = self.by_precision.entry(*bytes).or_default();
            own.simple += row.simple * further;
            own.fused += row.fused * further;
        }
    }

    /// The estimated number of instructions in vectors of `lanes(full)` lanes, `full` being the lanes of the core: a
    /// vector is one instruction, and so is a pair where the core fuses.
    #[must_use]
    pub fn instructions(&self, core: &Core, lanes: impl Fn(u64) -> u64) -> f64 {
        let has_fused = 0.0 < core.fused.per_cycle();
        let of_row = |(bytes, row): (&u64, &Arithmetic)| {
            let pairs = if has_fused { row.fused } else { 0.0 };
            let single = row.simple - pairs + row.divisions + row.roots;
            single / wide(lanes(core.lanes(*bytes)).max(1))
        };
        self.by_precision.iter().map(of_row).sum()
    }

    /// Cycles that a core needs at least: with full vectors, pairs fused as far as that is faster, and divisions and
    /// square roots side by side with the rest. Operations whose rate is not known take no time.
    #[must_use]
    pub fn cycles(&self, core: &Core) -> f64 {
        let lanes = |bytes: u64| wide(core.lanes(bytes));
        let all = self.by_precision.iter();
        let simple = all.clone().map(|(bytes, row)| {
            let rate = core.floating.map(premiss_machine::Rate::per_cycle);
            let fused = core.fused.per_cycle();
            rate.map_or(0.0, |rate| {
                row.instructions(rate, fused) / rate / lanes(*bytes)
            })
        });
        let of_rate = |rate: Option<premiss_machine::Rate>, of: fn(&Arithmetic) -> f64| {
            let double = lanes(8);
            let numbers = all
                .clone()
                .map(|(bytes, row)| of(row) * double / lanes(*bytes));
            rate.map_or(0.0, |rate| numbers.sum::<f64>() / rate.per_cycle())
        };
        let slow = of_rate(core.divide, |row| row.divisions)
            .max(of_rate(core.square_root, |row| row.roots));
        simple.sum::<f64>().max(slow)
    }

    /// The number of all operations, a fused pair being two.
    #[must_use]
    pub fn operations(&self) -> f64 {
        let of_one = |row: &Arithmetic| row.simple + row.divisions + row.roots;
        // A sum of no floats would be minus zero.
        self.by_precision
            .values()
            .map(of_one)
            .fold(0.0, std::ops::Add::add)
    }
}

impl Arithmetic {
    fn of(&mut self, unit: Unit) -> &mut f64 {
        match unit {
            Unit::Simple => &mut self.simple,
            Unit::Fused => &mut self.fused,
            Unit::Division => &mut self.divisions,
            Unit::Root => &mut self.roots,
        }
    }

    /// How many instructions remain when as many pairs are fused as is fastest, where `rate` of them
    /// begin in a cycle and at most `fused` of these are fused pairs.
    fn instructions(&self, rate: f64, fused: f64) -> f64 {
        // With f fused the time is the greater of (n - f) / rate and f / fused.
        let balanced = self.simple * fused / (rate + fused);
        self.simple - self.fused.min(balanced)
    }
}

/// The most operations in a second on numbers of `bytes` bytes: all fused where a machine fuses. `None` where the rate
/// is not known.
#[must_use]
pub fn peak(core: &Core, bytes: u64) -> Option<f64> {
    let rate = core.floating?.per_cycle();
    let fused = core.fused.per_cycle().min(rate);
    Some((rate + fused) * wide(core.lanes(bytes)) * core.frequency.hertz())
}

/// The real arithmetic of one unit of a quantity: its precision in bytes, and how many operations of each kind; `None`
/// for quantities that take no time of their own.
#[must_use]
pub fn units(quantity: &Quantity) -> Option<(u64, &'static [(Unit, u64)])> {
    let (bytes, units): (u32, &[(Unit, u64)]) = match quantity {
        Quantity::Fused(Operands::Floating(bytes)) => (*bytes, &[(Unit::Fused, 1)]),
        Quantity::Operation(operation) => {
            let (bytes, is_complex) = match operation.operands {
                Operands::Floating(bytes) => (bytes, false),
                Operands::Complex(bytes) => (bytes, true),
                Operands::Integer(_) => return None,
            };
            let units: &[(Unit, u64)] = match operation.kind {
                OperationKind::Add | OperationKind::Subtract if is_complex => &[(Unit::Simple, 2)],
                OperationKind::Multiply if is_complex => &[(Unit::Simple, 6), (Unit::Fused, 2)],
                OperationKind::Add | OperationKind::Subtract | OperationKind::Multiply => {
                    &[(Unit::Simple, 1)]
                }
                OperationKind::Divide => &[(Unit::Division, 1)],
                OperationKind::SquareRoot => &[(Unit::Root, 1)],
                _ => return None,
            };
            (bytes, units)
        }
        _ => return None,
    };
    Some((u64::from(bytes), units))
}

/// The guaranteed lower bound of a count: 0 for estimates and unknown counts.
pub(crate) fn least(count: Counted) -> f64 {
    count.bounds().map_or(0.0, |(lower, _)| wide(lower))
}

/// Rounded where it has more than 53 bits.
#[expect(clippy::cast_precision_loss, reason = "times are not that exact")]
pub(crate) fn wide(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_machine::{Frequency, Machine};

    fn core(keys: &str) -> Core {
        let text = format!(
            "name = 'm'\n[core]\nfrequency = '1 GHz'\n{keys}\n[[cache]]\nname = 'L1'\nsize = 4096\n\
             ways = 4\nline = 64\n"
        );
        Machine::from_toml(&text).unwrap().core().unwrap().clone()
    }

    fn work(bytes: u64, [simple, fused, divisions]: [f64; 3]) -> Work {
        let row = Arithmetic {
            simple,
            fused,
            divisions,
            roots: 0.0,
        };
        Work {
            by_precision: BTreeMap::from([(bytes, row)]),
        }
    }

    #[test]
    fn nothing_is_zero_and_not_less() {
        let nothing = Work {
            by_precision: BTreeMap::new(),
        };
        assert!(nothing.operations().is_sign_positive());
    }

    #[test]
    fn vectors_and_fused_pairs_divide_the_instructions() {
        let core = core("floating = 2\nfused = 2\nvector = 32");
        // 800 operations on doubles, 4 to an instruction, 2 instructions in a cycle.
        assert_eq!(work(8, [800.0, 0.0, 0.0]).cycles(&core), 100.0);
        assert_eq!(work(8, [800.0, 400.0, 0.0]).cycles(&core), 50.0);
        assert_eq!(work(4, [800.0, 400.0, 0.0]).cycles(&core), 25.0);
        assert_eq!(peak(&core, 8), Some(16e9));
        assert_eq!(core.frequency, Frequency(1_000_000_000));
    }

    #[test]
    fn narrow_loops_take_more_instructions() {
        let core = core("floating = 2\nfused = 2\nvector = 32");
        let part = work(8, [400.0, 200.0, 8.0]);
        let mut all = work(8, [800.0, 400.0, 8.0]);
        assert_eq!(part.instructions(&core, |full| full), 52.0);
        assert_eq!(part.instructions(&core, |_| 1), 208.0);
        all.narrow(&part, &core, |full| full);
        assert_eq!(all.cycles(&core), 50.0);
        // Half of it one by one: 200 fused pairs in 100 cycles, and 25 cycles for the other half.
        all.narrow(&part, &core, |_| 1);
        assert_eq!(all.cycles(&core), 125.0);
        let plain = self::core("floating = 2");
        assert_eq!(
            work(8, [4.0, 2.0, 0.0]).instructions(&plain, |full| full),
            4.0
        );
    }

    #[test]
    fn fewer_units_that_fuse_fuse_fewer_pairs() {
        // Of 300 operations, 100 pairs fused and 100 left take one unit that fuses, and the other, 100 cycles.
        let core = core("floating = 2\nfused = 1");
        assert_eq!(work(8, [300.0, 150.0, 0.0]).cycles(&core), 100.0);
        // Without such a unit there are 300 instructions.
        let plain = self::core("floating = 2");
        assert_eq!(work(8, [300.0, 150.0, 0.0]).cycles(&plain), 150.0);
        assert_eq!(peak(&plain, 8), Some(2e9));
    }

    #[test]
    fn divisions_stand_beside_the_rest() {
        let core = core("floating = 1\ndivide = 0.25");
        assert_eq!(work(8, [10.0, 0.0, 10.0]).cycles(&core), 40.0);
        assert_eq!(work(8, [100.0, 0.0, 10.0]).cycles(&core), 100.0);
        assert_eq!(work(8, [100.0, 0.0, 10.0]).cycles(&self::core("")), 0.0);
    }
}
