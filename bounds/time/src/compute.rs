//! How long arithmetic takes a core that does nothing else.

use premiss_histogram::Counted;
use premiss_machine::Core;
use premiss_operations::Counts;
use premiss_tree::{Operands, Operation, OperationKind};
use std::collections::BTreeMap;

/// Operations on real numbers of one precision, at least so many.
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
    /// What there is of each precision.
    pub by_precision: BTreeMap<u64, Arithmetic>,
}

impl Work {
    /// The least that counts promise. Negations and comparisons cost nothing here, as they may become
    /// parts of other instructions, nor do functions of the mathematical library. A complex sum is two
    /// real ones, a complex product four products of which two are fused with sums.
    #[must_use]
    pub fn of(counts: &Counts) -> Self {
        Self::weighed(counts, least)
    }

    /// The same in the middle of what counts promise; none where one of them is not known.
    #[must_use]
    pub fn about(counts: &Counts) -> Option<Self> {
        counts.flops().bounds()?;
        let middle = |count: Counted| {
            let (lower, upper) = count.bounds().unwrap_or_default();
            f64::midpoint(wide(lower), wide(upper))
        };
        Some(Self::weighed(counts, middle))
    }

    fn weighed(counts: &Counts, number: impl Fn(Counted) -> f64) -> Self {
        let mut work = Self::default();
        for (operation, count) in counts.by_operation() {
            if let Some((precision, each)) = real(operation) {
                let row = work.by_precision.entry(precision).or_default();
                row.add(each, number(count));
            }
        }
        for (operands, count) in counts.fused_by_operands() {
            if let Operands::Floating(bytes) = operands {
                let row = work.by_precision.entry(u64::from(bytes)).or_default();
                row.fused += number(count);
            }
        }
        work
    }

    /// Takes part of the work to run in vectors of so many lanes, a function of those that a core has:
    /// as many operations of full vectors are added as take that much longer. What divisions take one
    /// by one is not told by their rate, and stays.
    pub fn narrow(&mut self, part: &Self, core: &Core, lanes: impl Fn(u64) -> u64) {
        for (bytes, row) in &part.by_precision {
            let full = core.lanes(*bytes);
            let further = wide(full) / wide(lanes(full).max(1)) - 1.0;
            let own = self.by_precision.entry(*bytes).or_default();
            own.simple += row.simple * further;
            own.fused += row.fused * further;
        }
    }

    /// About how many instructions it is in vectors of so many lanes, a function of those that a core
    /// has: a vector is one, and so is a pair where the core fuses.
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

    /// Cycles that a core needs at least: with full vectors, every pair fused, and all kinds of
    /// instructions side by side. Nothing is said of what the machine says nothing of.
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

    /// All operations.
    #[must_use]
    pub fn operations(&self) -> f64 {
        let of_one = |row: &Arithmetic| row.simple + row.divisions + row.roots;
        self.by_precision.values().map(of_one).sum()
    }
}

impl Arithmetic {
    fn add(&mut self, each: Self, times: f64) {
        self.simple += each.simple * times;
        self.fused += each.fused * times;
        self.divisions += each.divisions * times;
        self.roots += each.roots * times;
    }

    /// How many instructions are left when as many pairs are fused as is fastest, where `rate` of them
    /// begin in a cycle and at most `fused` of these are fused pairs.
    fn instructions(&self, rate: f64, fused: f64) -> f64 {
        // With f fused the time is the greater of (n - f) / rate and f / fused.
        let balanced = self.simple * fused / (rate + fused);
        self.simple - self.fused.min(balanced)
    }
}

/// The most operations in a second on numbers of so many bytes: all fused where a machine fuses.
#[must_use]
pub fn peak(core: &Core, bytes: u64) -> Option<f64> {
    let rate = core.floating?.per_cycle();
    let fused = core.fused.per_cycle().min(rate);
    Some((rate + fused) * wide(core.lanes(bytes)) * core.frequency.hertz())
}

/// What one operation is to real arithmetic: its precision in bytes, and what it takes.
fn real(operation: &Operation) -> Option<(u64, Arithmetic)> {
    let (bytes, is_complex) = match operation.operands {
        Operands::Floating(bytes) => (bytes, false),
        Operands::Complex(bytes) => (bytes, true),
        Operands::Integer(_) => return None,
    };
    let simple = |simple: f64, fused: f64| Arithmetic {
        simple,
        fused,
        ..Arithmetic::default()
    };
    let arithmetic = match operation.kind {
        OperationKind::Add | OperationKind::Subtract if is_complex => simple(2.0, 0.0),
        OperationKind::Multiply if is_complex => simple(6.0, 2.0),
        OperationKind::Add | OperationKind::Subtract | OperationKind::Multiply => simple(1.0, 0.0),
        OperationKind::Divide => Arithmetic {
            divisions: 1.0,
            ..Arithmetic::default()
        },
        OperationKind::SquareRoot => Arithmetic {
            roots: 1.0,
            ..Arithmetic::default()
        },
        _ => return None,
    };
    Some((u64::from(bytes), arithmetic))
}

/// The number that a count is certainly not below: nothing for estimates and where nobody knows.
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
