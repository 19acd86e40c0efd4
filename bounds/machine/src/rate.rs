//! Figures of speed as people write them: `2.4 GHz`, `5 cycles`, `90 ns`, `64 B/cycle`, `30 GB/s`.
//!
//! All are kept as whole numbers of a small unit, so that machines can be compared and hashed.

use crate::MachineError;
use std::fmt;

/// The fastest and the slowest clock believed, in Hz.
const FREQUENCIES: [u64; 2] = [1_000, 1_000_000_000_000];
/// The most of anything in one cycle.
const MOST_PER_CYCLE: u64 = 1 << 20;
/// The longest delay believed, in cycles or in nanoseconds.
const LONGEST: u64 = 1_000_000_000;
/// The greatest bandwidth believed: 2⁶⁰ bytes in a second.
const MOST_BYTES: u64 = 1 << 60;

/// A clock frequency in Hz.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Frequency(pub u64);

/// A number of events in a cycle, in thousandths: `0.5` is 500.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rate(pub u64);

/// How long something takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Delay {
    /// Thousandths of cycles of the core.
    Cycles(u64),
    /// Picoseconds.
    Picoseconds(u64),
}

/// How many bytes pass in some time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bandwidth {
    /// Thousandths of bytes in a cycle of the core.
    PerCycle(u64),
    /// Bytes in a second.
    PerSecond(u64),
}

impl Frequency {
    /// Reads `2.4 GHz`, `900MHz`, `2400000000 Hz`.
    ///
    /// # Errors
    /// [`MachineError::Quantity`] for another form, [`MachineError::Absurd`] below 1 kHz or above 1 THz.
    pub fn parse(text: &str) -> Result<Self, MachineError> {
        let units = [
            ("ghz", 1_000_000_000),
            ("mhz", 1_000_000),
            ("khz", 1_000),
            ("hz", 1),
        ];
        let hertz = scaled(text, &units, "frequency such as 2.4 GHz")?;
        in_range("frequency in Hz", hertz, FREQUENCIES).map(Self)
    }

    /// Cycles in a second.
    #[must_use]
    pub fn hertz(self) -> f64 {
        wide(self.0)
    }
}

impl Rate {
    /// No event in any number of cycles.
    pub const NONE: Self = Self(0);

    /// Reads a number of events in a cycle, as `2`, `0.5` or `1.25`. `what` names the figure in errors.
    ///
    /// # Errors
    /// [`MachineError::Quantity`] for another form, [`MachineError::Absurd`] for zero or more than 2²⁰.
    pub fn parse(what: &str, text: &str) -> Result<Self, MachineError> {
        let thousandths = scaled(text, &[("", 1000)], "number in a cycle such as 2 or 0.5")?;
        in_range(what, thousandths, [1, 1000 * MOST_PER_CYCLE]).map(Self)
    }

    /// Events in a cycle.
    #[must_use]
    pub fn per_cycle(self) -> f64 {
        wide(self.0) / 1000.0
    }
}

impl Delay {
    /// Reads `5 cycles`, `1 cycle`, `90 ns`, `1.5 us`. `what` names the figure in errors.
    ///
    /// # Errors
    /// [`MachineError::Quantity`] for another form, [`MachineError::Absurd`] for no time, more than a second or 10⁹
    /// cycles.
    pub fn parse(what: &str, text: &str) -> Result<Self, MachineError> {
        let example = "time such as `5 cycles` or `90 ns`";
        let is_cycles = text.contains("cycle");
        let units: &[(&str, u64)] = match is_cycles {
            true => &[("cycles", 1000), ("cycle", 1000)],
            false => &[
                ("ps", 1),
                ("ns", 1000),
                ("us", 1_000_000),
                ("µs", 1_000_000),
            ],
        };
        let value = scaled(text, units, example)?;
        let value = in_range(what, value, [1, 1000 * LONGEST])?;
        Ok(match is_cycles {
            true => Self::Cycles(value),
            false => Self::Picoseconds(value),
        })
    }

    /// The delay in seconds, with a core of this clock.
    #[must_use]
    pub fn seconds(self, clock: Frequency) -> f64 {
        match self {
            Self::Cycles(thousandths) => wide(thousandths) / 1000.0 / clock.hertz(),
            Self::Picoseconds(picoseconds) => wide(picoseconds) * 1e-12,
        }
    }
}

impl Bandwidth {
    /// Reads `64 B/cycle`, `30 GB/s` (decimal), `28.5 GiB/s` (binary). `what` names the figure in errors.
    ///
    /// # Errors
    /// [`MachineError::Quantity`] for another form, [`MachineError::Absurd`] for nothing, more than 2²⁰ bytes in a
    /// cycle or 2⁶⁰ in a second.
    pub fn parse(what: &str, text: &str) -> Result<Self, MachineError> {
        let example = "bandwidth such as `64 B/cycle` or `30 GB/s`";
        let refuse = || MachineError::Quantity(text.to_owned(), example);
        let (amount, per) = text.split_once('/').ok_or_else(refuse)?;
        let units: &[(&str, u64)] = match per.trim() {
            "cycle" | "cycles" | "cy" => &[("b", 1000)],
            "s" => &[
                ("kb", 1_000),
                ("mb", 1_000_000),
                ("gb", 1_000_000_000),
                ("tb", 1_000_000_000_000),
                ("kib", 1 << 10),
                ("mib", 1 << 20),
                ("gib", 1 << 30),
                ("tib", 1 << 40),
                ("b", 1),
            ],
            _ => return Err(refuse()),
        };
        let is_per_cycle = units.len() == 1;
        let most = match is_per_cycle {
            true => 1000 * MOST_PER_CYCLE,
            false => MOST_BYTES,
        };
        let value = in_range(what, scaled(amount, units, example)?, [1, most])?;
        Ok(match is_per_cycle {
            true => Self::PerCycle(value),
            false => Self::PerSecond(value),
        })
    }

    /// Bytes in a second, with a core of this clock.
    #[must_use]
    pub fn bytes_per_second(self, clock: Frequency) -> f64 {
        match self {
            Self::PerCycle(thousandths) => wide(thousandths) / 1000.0 * clock.hertz(),
            Self::PerSecond(bytes) => wide(bytes),
        }
    }
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            hertz if 1_000_000_000 <= hertz => write!(f, "{} GHz", wide(hertz) / 1e9),
            hertz => write!(f, "{} MHz", wide(hertz) / 1e6),
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.per_cycle())
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cycles(1000) => write!(f, "1 cycle"),
            Self::Cycles(thousandths) => write!(f, "{} cycles", wide(*thousandths) / 1000.0),
            Self::Picoseconds(picoseconds) => write!(f, "{} ns", wide(*picoseconds) / 1000.0),
        }
    }
}

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PerCycle(thousandths) => write!(f, "{} B/cycle", wide(*thousandths) / 1000.0),
            Self::PerSecond(bytes) => write!(f, "{} GB/s", wide(*bytes) / 1e9),
        }
    }
}

/// A decimal number with a unit as a whole number of the least unit; finer digits are cut off.
fn scaled(text: &str, units: &[(&str, u64)], what: &'static str) -> Result<u64, MachineError> {
    let refuse = || MachineError::Quantity(text.to_owned(), what);
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = trimmed.split_at(end.unwrap_or(trimmed.len()));
    let unit = unit.trim().to_lowercase();
    let (_, factor) = units
        .iter()
        .find(|(name, _)| *name == unit)
        .ok_or_else(refuse)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || 9 < fraction.len() || number.ends_with('.') {
        return Err(refuse());
    }
    let digits: u128 = format!("{whole}{fraction}").parse().map_err(|_| refuse())?;
    let tens = 10_u128.pow(u32::try_from(fraction.len()).map_err(|_| refuse())?);
    let value = digits.checked_mul(u128::from(*factor)).ok_or_else(refuse)? / tens;
    u64::try_from(value).map_err(|_| refuse())
}

fn in_range(what: &str, value: u64, [least, most]: [u64; 2]) -> Result<u64, MachineError> {
    match (least..=most).contains(&value) {
        true => Ok(value),
        false => Err(MachineError::Absurd(what.to_owned())),
    }
}

/// Rounded where it has more than 53 bits.
#[expect(clippy::cast_precision_loss, reason = "speeds are not that exact")]
fn wide(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Frequency = Frequency(2_000_000_000);

    #[test]
    fn figures_are_read_as_people_write_them() {
        assert_eq!(Frequency::parse("2.4 GHz"), Ok(Frequency(2_400_000_000)));
        assert_eq!(Frequency::parse("900MHz"), Ok(Frequency(900_000_000)));
        assert_eq!(Rate::parse("x", "0.5"), Ok(Rate(500)));
        assert_eq!(Delay::parse("x", "5 cycles"), Ok(Delay::Cycles(5000)));
        assert_eq!(Delay::parse("x", "90ns"), Ok(Delay::Picoseconds(90_000)));
        let bandwidth = |text| Bandwidth::parse("x", text);
        assert_eq!(bandwidth("64 B/cycle"), Ok(Bandwidth::PerCycle(64_000)));
        assert_eq!(
            bandwidth("30 GB/s"),
            Ok(Bandwidth::PerSecond(30_000_000_000))
        );
        assert_eq!(bandwidth("1 KiB/s"), Ok(Bandwidth::PerSecond(1024)));
    }

    #[test]
    fn cycles_become_seconds_by_the_clock() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9 * b, "{a} {b}");
        close(Delay::Cycles(5000).seconds(CLOCK), 2.5e-9);
        close(Delay::Picoseconds(2500).seconds(CLOCK), 2.5e-9);
        close(Bandwidth::PerCycle(64_000).bytes_per_second(CLOCK), 128e9);
        assert_eq!(Bandwidth::PerCycle(64_000).to_string(), "64 B/cycle");
        assert_eq!(Delay::Picoseconds(2500).to_string(), "2.5 ns");
        assert_eq!(Frequency(2_400_000_000).to_string(), "2.4 GHz");
    }

    #[test]
    fn what_is_no_figure_or_absurd_is_refused() {
        for text in [
            "",
            "GHz",
            "0 GHz",
            "2.4",
            "2.4.1 GHz",
            "-1 GHz",
            "9e9 Hz",
            "9999999 GHz",
            "1. GHz",
        ] {
            assert!(Frequency::parse(text).is_err(), "{text}");
        }
        for text in [
            "",
            "5",
            "0 cycles",
            "5 parsecs",
            "0.0001 cycles",
            "99999999999 ns",
        ] {
            assert!(Delay::parse("latency", text).is_err(), "{text}");
        }
        for text in [
            "",
            "64",
            "64 B",
            "0 B/cycle",
            "64 B/h",
            "1 GB/cycle",
            "99999999999 TB/s",
        ] {
            assert!(Bandwidth::parse("bandwidth", text).is_err(), "{text}");
        }
        let message = Delay::parse("L1: latency", "0 ns").unwrap_err().to_string();
        assert!(message.contains("L1: latency"), "{message}");
    }
}
