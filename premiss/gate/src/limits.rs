//! Limits on the growth of misses and bytes: `l1_miss=5%&1e6,mem_bytes=0%`.

mod kernels;

pub use kernels::{GlobError, KernelLimits};

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// The limits of metrics by name, and that of all others; without one, it is [`Limit::usual`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    by_metric: BTreeMap<String, Limit>,
    of_others: Option<Limit>,
}

/// The growth that a count may have: a share of the count before, an absolute number, or both. If there are both, a
/// limit is exceeded only where both are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    percent: Option<Decimal>,
    absolute: Option<Decimal>,
}

/// `numerator / denominator`, of at most 10^18 and 10^9: products with 64-bit counts fit 128 bits.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Decimal {
    numerator: u128,
    denominator: u128,
    text: String,
}

/// Why the text of limits is malformed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LimitError(String);

impl Display for LimitError {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LimitError {}

impl Limits {
    /// Parses limits for the metrics with these names. A part without a metric limits all that have no limit of their
    /// own.
    ///
    /// # Errors
    ///
    /// A part is malformed, names an unknown metric, or limits a metric for the second time.
    pub fn parse(text: &str, metrics: &[String]) -> Result<Self, LimitError> {
        let mut by_metric = BTreeMap::new();
        let mut of_others = None;
        for part in text.split(',').map(str::trim) {
            let refuse = |why: String| LimitError(format!("`{part}`: {why}"));
            let Some((name, limit)) = part.split_once('=') else {
                let limit = Limit::parse(part).map_err(|_| {
                    refuse("a limit has the form METRIC=LIMIT, as in l1_miss=5%&1e6".to_owned())
                })?;
                if of_others.replace(limit).is_some() {
                    return Err(refuse("there is a limit of all metrics already".to_owned()));
                }
                continue;
            };
            let name = name.trim().to_lowercase();
            if !metrics.contains(&name) {
                let all = metrics.join(", ");
                return Err(refuse(format!(
                    "there is no metric `{name}`; there are {all}"
                )));
            }
            let limit = Limit::parse(limit).map_err(refuse)?;
            if by_metric.insert(name.clone(), limit).is_some() {
                return Err(refuse(format!("`{name}` has a limit already")));
            }
        }
        Ok(Self {
            by_metric,
            of_others,
        })
    }

    /// The limit of a metric.
    #[must_use]
    pub fn of(&self, metric: &str) -> Limit {
        self.own(metric).cloned().unwrap_or_else(Limit::usual)
    }

    /// The limit of a metric, if it is stated.
    fn own(&self, metric: &str) -> Option<&Limit> {
        self.by_metric.get(metric).or(self.of_others.as_ref())
    }
}

impl Limit {
    /// The limit of a metric that has none: growth by a share that is no noise of layouts, and a number that costs time.
    #[must_use]
    pub fn usual() -> Self {
        Self {
            percent: Decimal::parse("1"),
            absolute: Decimal::parse("1e3"),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut limit = Self::default();
        for part in text.split('&').map(str::trim) {
            let (number, place) = match part.strip_suffix('%') {
                Some(number) => (number.trim_end(), &mut limit.percent),
                None => (part, &mut limit.absolute),
            };
            let number = Decimal::parse(number).ok_or_else(|| {
                format!(
                    "`{part}` is no limit: expected a share such as 5%, or a number such as 1e6"
                )
            })?;
            if place.replace(number).is_some() {
                return Err("`&` joins one share and one number, as in 5%&1e6".to_owned());
            }
        }
        Ok(limit)
    }

    /// The factor up to which a count may grow in any case, as a numerator and a denominator.
    pub(crate) fn times(&self) -> (i128, i128) {
        let share = self.percent.as_ref().map(|share| {
            let whole = share.denominator.checked_mul(100)?;
            let all = whole.checked_add(share.numerator)?;
            Some((i128::try_from(all).ok()?, i128::try_from(whole).ok()?))
        });
        share.flatten().unwrap_or((1, 1))
    }

    /// The number by which a count may grow in any case, as a numerator and a denominator.
    pub(crate) fn more(&self) -> (i128, i128) {
        let number = self.absolute.as_ref().map(|number| {
            let parts = (number.numerator, number.denominator);
            Some((i128::try_from(parts.0).ok()?, i128::try_from(parts.1).ok()?))
        });
        number.flatten().unwrap_or((0, 1))
    }

    /// Whether the growth from `before` to `after` exceeds the limit. A limit without any part allows no growth.
    #[must_use]
    pub fn is_exceeded(&self, before: u64, after: u64) -> bool {
        let Some(growth) = after.checked_sub(before).filter(|growth| 0 < *growth) else {
            return false;
        };
        let growth = u128::from(growth);
        let passes_share =
            |x: &Decimal| x.numerator * u128::from(before) < growth * x.denominator * 100;
        let passes_number = |x: &Decimal| x.numerator < growth * x.denominator;
        self.percent.as_ref().is_none_or(passes_share)
            && self.absolute.as_ref().is_none_or(passes_number)
    }
}

impl Display for Limit {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match (&self.percent, &self.absolute) {
            (None, None) => f.write_str("0%"),
            (Some(share), None) => write!(f, "{}%", share.text),
            (None, Some(number)) => f.write_str(&number.text),
            (Some(share), Some(number)) => write!(f, "{}%&{}", share.text, number.text),
        }
    }
}

impl Decimal {
    /// `5`, `0.25`, `1e6`, `1.5e6`.
    fn parse(text: &str) -> Option<Self> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<u32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |x: &str| x.bytes().all(|byte| byte.is_ascii_digit());
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !is_number(&all) || 18 < all.len() || 9 < fraction.len() {
            return None;
        }
        let power = 10_u128.checked_pow(exponent)?;
        let numerator = all.parse::<u128>().ok()?.checked_mul(power)?;
        let denominator = 10_u128.pow(u32::try_from(fraction.len()).ok()?);
        (numerator <= 10_u128.pow(18)).then(|| Self {
            numerator,
            denominator,
            text: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> Result<Limits, LimitError> {
        Limits::parse(text, &["l1_miss".to_owned(), "mem_bytes".to_owned()])
    }

    #[test]
    fn both_parts_have_to_be_passed() {
        let limits = limits("L1_miss=5%&1e3, mem_bytes=0.5%").expect("limits");
        let l1 = limits.of("l1_miss");
        assert!(!l1.is_exceeded(100, 1100), "as many as may be");
        assert!(l1.is_exceeded(100, 1101));
        assert!(!l1.is_exceeded(100_000, 105_000));
        assert!(l1.is_exceeded(100_000, 105_001));
        let bytes = limits.of("mem_bytes");
        assert!(!bytes.is_exceeded(1000, 1005));
        assert!(bytes.is_exceeded(1000, 1006));
        assert!(bytes.is_exceeded(0, 1));
        assert!(bytes.is_exceeded(0, u64::MAX));
        assert!(!bytes.is_exceeded(u64::MAX, u64::MAX));
        assert_eq!(l1.to_string(), "5%&1e3");
        assert_eq!((l1.times(), bytes.times()), ((105, 100), (1005, 1000)));
    }

    #[test]
    fn what_has_no_limit_may_grow_by_little() {
        let usual = Limits::default().of("l2_miss");
        assert!(!usual.is_exceeded(0, 1000));
        assert!(usual.is_exceeded(0, 1001));
        assert!(!usual.is_exceeded(1_000_000, 1_010_000));
        assert!(usual.is_exceeded(1_000_000, 1_010_001));
        assert_eq!(usual.to_string(), "1%&1e3");
        assert_eq!(usual.more(), (1000, 1));
    }

    #[test]
    fn a_limit_without_a_metric_is_of_all_others() {
        let limits = limits("0%, l1_miss=5%").expect("limits");
        assert_eq!(limits.of("mem_bytes").to_string(), "0%");
        assert_eq!(limits.of("l1_miss").to_string(), "5%");
        assert!(limits.of("mem_bytes").is_exceeded(7, 8));
        assert!(!limits.of("mem_bytes").is_exceeded(7, 7));
        assert_eq!(limits.of("mem_bytes").more(), (0, 1));
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for text in [
            "",
            "l1_miss",
            "l1_miss=",
            "l1_miss=%",
            "l1_miss=-1",
            "l1_miss=x",
            "l9_miss=1",
            "l1_miss=1,l1_miss=2",
            "l1_miss=1&2",
            "l1_miss=1%&2%",
            "l1_miss=1e99",
            "l1_miss=nan",
            "l1_miss=1%,",
            "1%,2%",
        ] {
            let result = limits(text);
            assert!(result.is_err(), "{text}: {result:?}");
        }
        let error = limits("l9_miss=1").unwrap_err().to_string();
        assert!(error.contains("l1_miss, mem_bytes"), "{error}");
    }
}
