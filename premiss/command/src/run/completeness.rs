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
        let n_functions = analysis.functions.len();
        exit(n_functions, analysis.is_complete(), &analysis.diagnostics)
    }

    /// The exit code: something is missing if a diagnostic says so, or a function is not counted.
    pub(super) fn exit(&self) -> Exit {
        let has_omission = self.diagnostics.iter().any(|x| omission(x).is_some());
        let is_complete = self.is_counted && !has_omission;
        exit(self.functions, is_complete, self.diagnostics)
    }
}

/// A text that is no program is a failure; everything else that is not counted leaves the result inconclusive.
fn exit(n_functions: usize, is_complete: bool, diagnostics: &[Diagnostic]) -> Exit {
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    match is_complete {
        _ if n_functions == 0 && diagnostics.iter().any(is_error) => Exit::Failure,
        true => Exit::Clean,
        false => Exit::Inconclusive,
    }
}

#[cfg(test)]
mod tests {
    use super::{Completeness, Diagnostic, Exit, Severity};

    fn exit(functions: usize, is_counted: bool, code: &'static str, severity: Severity) -> Exit {
        let diagnostic = Diagnostic {
            code,
            severity,
            message: String::new(),
            labels: Vec::new(),
            help: None,
            sizes: Vec::new(),
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
