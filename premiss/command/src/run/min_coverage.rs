//! `--min-coverage`: how many nests have to be exact.

use crate::output;
use premiss_analyze::Coverage;
use premiss_report::CoverageReport;

/// Whether fewer of the nests are exact than required, in percent, which is reported; without nests there is nothing to
/// miss.
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
