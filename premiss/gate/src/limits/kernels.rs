//! Limits by names of functions: `solver_*` may grow more than others.

use super::{Limit, Limits};
use globset::{Glob, GlobMatcher};
use premiss_analyze::SizeRange;

/// The limits of functions whose names match a glob, and those of all others.
#[derive(Clone, Debug)]
pub struct KernelLimits {
    rules: Vec<(GlobMatcher, Limits)>,
    default_limits: Limits,
    /// The values of sizes that have none, for which the limits have to hold.
    pub sizes: SizeRange,
}

/// A malformed glob, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobError(String);

impl std::fmt::Display for GlobError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GlobError {}

impl KernelLimits {
    /// Takes globs (`*`, `?`, `[a-z]`, `{a,b}`) with limits, and the limits of functions that match none.
    ///
    /// # Errors
    ///
    /// A glob is malformed.
    pub fn new(rules: Vec<(String, Limits)>, default_limits: Limits) -> Result<Self, GlobError> {
        let rule = |(glob, limits): (String, Limits)| match Glob::new(&glob) {
            Ok(glob) => Ok((glob.compile_matcher(), limits)),
            Err(error) => Err(GlobError(format!("`{glob}` is no glob: {}", error.kind()))),
        };
        let rules = rules.into_iter().map(rule).collect::<Result<_, _>>()?;
        Ok(Self {
            rules,
            default_limits,
            sizes: SizeRange::USUAL,
        })
    }

    /// The limit of a metric in a function: from the first glob that matches the function's name and limits the metric,
    /// else from the limits of all others.
    #[must_use]
    pub fn of(&self, kernel: &str, metric: &str) -> Limit {
        let fitting = self.rules.iter().filter(|(glob, _)| glob.is_match(kernel));
        let mut limits = fitting
            .map(|(_, limits)| limits)
            .chain([&self.default_limits]);
        let found = limits.find_map(|limits| limits.own(metric));
        found.cloned().unwrap_or_else(Limit::usual)
    }
}

impl From<Limits> for KernelLimits {
    /// The same limits for all functions.
    fn from(default_limits: Limits) -> Self {
        Self {
            rules: Vec::new(),
            default_limits,
            sizes: SizeRange::USUAL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> Limits {
        Limits::parse(text, &["l1_miss".to_owned(), "l2_miss".to_owned()]).expect("limits")
    }

    #[test]
    fn the_first_glob_that_fits_decides() {
        let rules = vec![
            ("solve_{fast,slow}".to_owned(), limits("l1_miss=1%")),
            ("solve_*".to_owned(), limits("l1_miss=2%,l2_miss=3%")),
        ];
        let all = KernelLimits::new(rules, limits("l1_miss=4%")).expect("globs");
        let check = |kernel, metric, expected: &str| {
            assert_eq!(
                all.of(kernel, metric).to_string(),
                expected,
                "{kernel} {metric}"
            );
        };
        check("solve_fast", "l1_miss", "1%");
        check("solve_fast", "l2_miss", "3%");
        check("solve_other", "l1_miss", "2%");
        check("other", "l1_miss", "4%");
        check("other", "l2_miss", "1%&1e3");
    }

    #[test]
    fn what_is_no_glob_is_refused() {
        let error = KernelLimits::new(
            vec![("a[".to_owned(), Limits::default())],
            Limits::default(),
        );
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("`a[` is no glob: "), "{error}");
    }
}
