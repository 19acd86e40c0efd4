//! `--min-coverage`: the share of nests that has to be exact.

use crate::output;
use premiss_analyze::Coverage;
use premiss_report::CoverageReport;

/// Whether the share of exact nests is smaller than required, in percent; prints a message then. Without nests, nothing
/// is missed.
#[expect(clippy::cast_precision_loss, reason = "there are no 2^53 nests")]
pub(super) fn is_missed(report: &CoverageReport, least: Option<f64>) -> bool {
    let found = Coverage::of(&report.nests);
    let (exact, nests) = (found.exact, found.nests());
    let Some(least) = least.filter(|least| 100.0 * (exact as f64) < least * nests as f64) else {
        return false;
    };
    output::say(&format!(
        "premiss: coverage is missed: {exact} of {nests} nests are exact, at least {least} % asked\n"
    ));
    true
}
