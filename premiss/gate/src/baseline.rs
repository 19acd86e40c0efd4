//! Accepted findings: a file of findings with their bytes, which later runs hold back.
//!
//! Findings are identified by fingerprints, which do not depend on lines, columns and paths. A finding that grew is
//! reported again. The file also has the coverage of each source file: code that is no longer understood has no
//! findings, and must not pass.

use crate::results::{Issue, Results, counted};
use premiss_analyze::Coverage;
use premiss_report::SCHEMA_VERSION;
use premiss_source::{Diagnostic, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a run found, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "What premiss baseline write keeps")]
pub struct Baseline {
    /// The version of this form.
    schema_version: String,
    /// The version of premiss that wrote it.
    premiss: String,
    /// The machine with its fingerprint: `spr@4f1c`.
    machine: String,
    /// Nests of each file, by its path from the root of the repository.
    coverage: BTreeMap<String, FileCoverage>,
    findings: Vec<BaselineEntry>,
}

/// How many nests of a file are covered how well.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FileCoverage {
    exact: u64,
    bounded: u64,
    unknown: u64,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Known")]
struct BaselineEntry {
    /// The file that it was in, from the root of the repository; none where it concerns no place.
    path: Option<String>,
    /// The code of its rule, or of the diagnostic.
    rule: String,
    fingerprint: String,
    /// The bytes that it is about; none where nothing could be counted.
    bytes: Option<u64>,
}

/// The status of an issue relative to a baseline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BaselineStatus {
    /// It is in the baseline, and its bytes did not grow.
    Known,
    /// It is in the baseline, with fewer bytes.
    Grew {
        /// The bytes in the baseline.
        before: u64,
        /// The bytes now.
        after: u64,
    },
    /// It is not in the baseline.
    New,
}

/// The result of [`Baseline::prune`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PruneCounts {
    /// How many entries were removed.
    pub removed: usize,
    /// How many entries were lowered to the fewer bytes that their findings have now.
    pub lowered: usize,
    /// How many entries are left.
    pub left: usize,
}

impl Baseline {
    /// The baseline of some results; `coverage` has the nests of each file by its path from the root of the repository.
    #[must_use]
    pub fn new(results: &Results, coverage: &BTreeMap<String, Coverage>) -> Self {
        let mut findings: Vec<BaselineEntry> = weighty(results).map(entry).collect();
        findings.sort_by(|a, b| key(a).cmp(&key(b)));
        let coverage = coverage.iter();
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            premiss: env!("CARGO_PKG_VERSION").to_owned(),
            machine: results.conditions.machine_id.clone(),
            coverage: coverage.map(|(path, x)| (path.clone(), x.into())).collect(),
            findings,
        }
    }

    /// Reads the text that [`Baseline::to_json`] writes.
    ///
    /// # Errors
    ///
    /// A message: the text is not a baseline, or has an unknown version.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let baseline: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let major = |version: &str| version.split('.').next().map(str::to_owned);
        let version = &baseline.schema_version;
        if major(version) != major(SCHEMA_VERSION) {
            return Err(format!("version {version} of the form is not known"));
        }
        Ok(baseline)
    }

    /// The baseline as JSON with a final line break; entries are in the order of paths.
    ///
    /// # Panics
    ///
    /// Never: the form has text for keys and finite numbers.
    #[must_use]
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("a baseline has nothing that JSON cannot say") + "\n"
    }

    /// The machine, with its fingerprint, for which its bytes were counted.
    #[must_use]
    pub fn machine(&self) -> &str {
        &self.machine
    }

    /// The number of findings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Whether it has no findings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The status of each issue of the results, in their order.
    #[must_use]
    pub fn statuses(&self, results: &Results) -> Vec<BaselineStatus> {
        let known = self.findings.iter();
        let known: BTreeMap<&str, Option<u64>> =
            known.map(|x| (x.fingerprint.as_str(), x.bytes)).collect();
        let status = |issue: &Issue| match (known.get(issue.fingerprint.as_str()), issue.bytes) {
            (None, _) => BaselineStatus::New,
            (Some(Some(before)), Some(after)) if *before < after => BaselineStatus::Grew {
                before: *before,
                after,
            },
            (Some(_), _) => BaselineStatus::Known,
        };
        results.issues.iter().map(status).collect()
    }

    /// A message if coverage fell. Compared are the baseline's files that were read now or are gone (by `is_gone`),
    /// taken together, with all files of `coverage`: it fell if both the number and the share of nests that are not
    /// exact grew, or of those that are unknown.
    #[must_use]
    pub fn fall(
        &self,
        coverage: &BTreeMap<String, Coverage>,
        is_gone: &dyn Fn(&str) -> bool,
    ) -> Option<String> {
        let before = self.coverage.iter();
        let before: FileCoverage = before
            .filter(|(path, _)| coverage.contains_key(*path) || is_gone(path))
            .map(|(_, own)| *own)
            .sum();
        let now: FileCoverage = coverage.values().map(FileCoverage::from).sum();
        let falls = |worse: fn(&FileCoverage) -> u64| {
            let (then, now_worse) = (u128::from(worse(&before)), u128::from(worse(&now)));
            let (all_then, all_now) = (u128::from(before.nests()), u128::from(now.nests()));
            then < now_worse && then * all_now < now_worse * all_then
        };
        let unknown = |x: &FileCoverage| x.unknown;
        let fell = falls(|x| x.bounded + x.unknown) || falls(unknown);
        fell.then(|| {
            format!(
                "coverage fell: {} of {} nests exact and {} unknown, before {} of {} and {}",
                now.exact,
                now.nests(),
                now.unknown,
                before.exact,
                before.nests(),
                before.unknown
            )
        })
    }

    /// Removes the entries that are no longer found in files that were looked at, and lowers the bytes of those that
    /// shrank. `is_looked_at` is called with an entry's path, or `None` for one without a place. Adds nothing.
    pub fn prune(
        &mut self,
        results: &Results,
        is_looked_at: &dyn Fn(Option<&str>) -> bool,
    ) -> PruneCounts {
        let issues = weighty(results);
        let found: BTreeMap<&str, Option<u64>> =
            issues.map(|x| (x.fingerprint.as_str(), x.bytes)).collect();
        let before = self.findings.len();
        self.findings.retain(|known| {
            found.contains_key(known.fingerprint.as_str()) || !is_looked_at(known.path.as_deref())
        });
        let mut lowered = 0;
        for known in &mut self.findings {
            if let Some(Some(now)) = found.get(known.fingerprint.as_str())
                && known.bytes.is_some_and(|before| *now < before)
            {
                known.bytes = Some(*now);
                lowered += 1;
            }
        }
        PruneCounts {
            removed: before - self.findings.len(),
            lowered,
            left: self.findings.len(),
        }
    }
}

/// Removes the known issues, and adds to the message of each that grew by how much. `diagnostics` and `statuses` are
/// those of the results, one for each issue in the same order.
pub fn hold_back(
    results: &mut Results,
    diagnostics: &mut Vec<Diagnostic>,
    statuses: &[BaselineStatus],
) {
    for (idx, status) in statuses.iter().enumerate() {
        if let BaselineStatus::Grew { before, after } = status {
            let more = format!(" (known with {before} bytes, now {after})");
            results.issues[idx].message.push_str(&more);
            diagnostics[idx].message.push_str(&more);
        }
    }
    let is_new_or_larger = |status: &BaselineStatus| *status != BaselineStatus::Known;
    let mut shown = statuses.iter().map(is_new_or_larger);
    results.issues.retain(|_| shown.next().unwrap_or(true));
    let mut shown = statuses.iter().map(is_new_or_larger);
    diagnostics.retain(|_| shown.next().unwrap_or(true));
    let held_back = statuses.iter().filter(|x| !is_new_or_larger(x)).count();
    results.conditions.held_back = Some(held_back);
}

impl Results {
    /// `3 known findings held back`; `None` if there is no baseline.
    #[must_use]
    pub fn held_back(&self) -> Option<String> {
        let number = self.conditions.held_back?;
        Some(format!("{} held back", counted(number, "known finding")))
    }
}

/// The issues that make a check fail.
fn weighty(results: &Results) -> impl Iterator<Item = &Issue> {
    let mut known = BTreeSet::new();
    let issues = results.issues.iter();
    issues.filter(move |x| Severity::Note < x.severity && known.insert(&x.fingerprint))
}

fn entry(issue: &Issue) -> BaselineEntry {
    BaselineEntry {
        path: issue.place.as_ref().map(|place| place.path.clone()),
        rule: issue.code.to_owned(),
        fingerprint: issue.fingerprint.clone(),
        bytes: issue.bytes,
    }
}

fn key(known: &BaselineEntry) -> (Option<&str>, &str, &str) {
    (known.path.as_deref(), &known.rule, &known.fingerprint)
}

impl FileCoverage {
    fn nests(self) -> u64 {
        self.exact + self.bounded + self.unknown
    }
}

impl From<&Coverage> for FileCoverage {
    fn from(coverage: &Coverage) -> Self {
        let Coverage {
            exact,
            bounded,
            unknown,
        } = *coverage;
        Self {
            exact,
            bounded,
            unknown,
        }
    }
}

impl std::iter::Sum for FileCoverage {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        // The numbers in a file may be arbitrarily large.
        all.fold(Self::default(), |sum, x| Self {
            exact: sum.exact.saturating_add(x.exact),
            bounded: sum.bounded.saturating_add(x.bounded),
            unknown: sum.unknown.saturating_add(x.unknown),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coverage(exact: u64, bounded: u64, unknown: u64) -> Coverage {
        Coverage {
            exact,
            bounded,
            unknown,
        }
    }

    fn baseline(files: &[(&str, Coverage)]) -> Baseline {
        let files = files.iter().map(|(path, x)| ((*path).to_owned(), x.into()));
        Baseline {
            schema_version: SCHEMA_VERSION.to_owned(),
            premiss: "0".to_owned(),
            machine: "m@0".to_owned(),
            coverage: files.collect(),
            findings: Vec::new(),
        }
    }

    #[test]
    fn coverage_falls_where_more_is_not_exact() {
        let before = baseline(&[("a.c", coverage(50, 0, 50)), ("b.c", coverage(0, 0, 9))]);
        let falls = |now: Coverage| {
            let now = BTreeMap::from([("a.c".to_owned(), now)]);
            before.fall(&now, &|_| false).is_some()
        };
        assert!(!falls(coverage(50, 0, 50)));
        assert!(falls(coverage(49, 1, 50)));
        assert!(falls(coverage(50, 0, 51)));
        assert!(!falls(coverage(40, 0, 50)), "ten exact ones are gone");
        assert!(!falls(coverage(100, 0, 51)), "a greater share is exact");
        assert!(!falls(coverage(50, 50, 0)));
        let bounded = baseline(&[("a.c", coverage(5, 5, 0))]);
        let now = BTreeMap::from([("a.c".to_owned(), coverage(5, 4, 1))]);
        assert!(bounded.fall(&now, &|_| false).is_some());
    }

    #[test]
    fn a_file_that_moved_is_no_fall() {
        let before = baseline(&[("a.c", coverage(5, 0, 5)), ("b.c", coverage(9, 0, 0))]);
        let now = BTreeMap::from([
            ("c.c".to_owned(), coverage(5, 0, 5)),
            ("b.c".to_owned(), coverage(9, 0, 0)),
        ]);
        assert_eq!(before.fall(&now, &|path| path == "a.c"), None);
        assert!(before.fall(&now, &|_| false).is_some());
    }

    #[test]
    fn what_is_no_baseline_says_why() {
        let text = baseline(&[]).to_json();
        assert_eq!(Baseline::from_json(&text), Ok(baseline(&[])));
        for wrong in [
            "",
            "{}",
            &text.replace("\"1.0\"", "\"2.0\""),
            &text.replace("premiss", "other"),
        ] {
            assert!(Baseline::from_json(wrong).is_err(), "{wrong}");
        }
    }
}
