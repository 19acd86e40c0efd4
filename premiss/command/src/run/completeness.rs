//! The exit code of commands that show results: whatever was given and not counted makes it other than 0.

use crate::exit::Exit;
use premiss_analyze::{Analysis, omission};
use premiss_source::{Diagnostic, Severity};

/// What a command shows.
pub(super) struct Completeness<'a> {
    /// The number of functions.
    pub(super) functions: usize,
    /// Whether all of them are counted.
    pub(super) is_counted: bool,
    /// The diagnostics, which name what is left out.
    pub(super) diagnostics: &'a [Diagnostic],
}

impl Completeness<'_> {
    /// Of an analysis: estimates count, so that only text that was not read is missing besides counts.
    pub(super) fn of_analysis(analysis: &Analysis) -> Exit {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        if analysis.functions.is_empty() && analysis.diagnostics.iter().any(is_error) {
            Exit::Failure
        } else if analysis.is_complete() {
            Exit::Clean
        } else {
            Exit::Inconclusive
        }
    }

    /// A text that is no program is a failure; everything else that is not counted leaves the result inconclusive.
    pub(super) fn exit(&self) -> Exit {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        let has_omission = self.diagnostics.iter().any(|x| omission(x).is_some());
        if self.functions == 0 && self.diagnostics.iter().any(is_error) {
            Exit::Failure
        } else if has_omission || !self.is_counted {
            Exit::Inconclusive
        } else {
            Exit::Clean
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exit(functions: usize, is_counted: bool, code: &'static str, severity: Severity) -> Exit {
        let diagnostic = Diagnostic {
            code,
            severity,
            message: String::new(),
            labels: Vec::new(),
            help: None,
        };
        Completeness {
            functions,
            is_counted,
            diagnostics: &[diagnostic],
        }
        .exit()
    }

    #[test]
    fn what_is_left_out_is_never_0() {
        assert_eq!(exit(0, true, "syntax", Severity::Error), Exit::Failure);
        assert_eq!(exit(1, true, "syntax", Severity::Error), Exit::Inconclusive);
        assert_eq!(
            exit(0, true, "not-read", Severity::Warning),
            Exit::Inconclusive
        );
        assert_eq!(
            exit(1, true, "any-other", Severity::Warning),
            Exit::Inconclusive
        );
        assert_eq!(
            exit(1, false, "any-other", Severity::Note),
            Exit::Inconclusive
        );
        assert_eq!(exit(1, true, "any-other", Severity::Note), Exit::Clean);
        assert_eq!(
            exit(1, true, "missing-header", Severity::Warning),
            Exit::Clean
        );
    }
}
