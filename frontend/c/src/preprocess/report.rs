//! The diagnostics of the preprocessor.

use premiss_source::{Diagnostic, Label, Severity, Span};

use super::budget::{Limit, PendingInvocation};
use super::lex::Flaw;
use super::macros::Malformed;
use super::state::Preprocessor;
use super::token::{Kind, Token};

/// The maximum number of diagnostics kept.
const MOST_DIAGNOSTICS: usize = 500;

/// The diagnostics so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) diagnostics: Vec<Diagnostic>,
    n_dropped: usize,
}

/// A diagnostic under construction.
pub(super) struct Finding<'a> {
    pub(super) code: &'static str,
    pub(super) severity: Severity,
    pub(super) message: String,
    pub(super) span: Option<Span>,
    pub(super) help: Option<&'a str>,
}

impl Report {
    pub(super) fn add(&mut self, finding: Finding<'_>) {
        let label = |span| Label {
            span,
            text: String::new(),
        };
        self.push(Diagnostic {
            code: finding.code,
            severity: finding.severity,
            message: finding.message,
            labels: finding.span.map(label).into_iter().collect(),
            help: finding.help.map(str::to_owned),
            sizes: Vec::new(),
        });
    }

    /// Adds a finding, unless there is one with the same code at the same place.
    pub(super) fn add_once(&mut self, finding: Finding<'_>) {
        let place = |found: &Diagnostic| found.labels.first().map(|label| label.span);
        let is_same =
            |found: &Diagnostic| found.code == finding.code && place(found) == finding.span;
        if !self.diagnostics.iter().any(is_same) {
            self.add(finding);
        }
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MOST_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        } else {
            self.n_dropped += 1;
        }
    }

    /// Whether no diagnostic has been dropped.
    pub(super) fn is_whole(&self) -> bool {
        self.n_dropped == 0
    }

    /// All diagnostics, and a note on the number of dropped ones.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        if self.n_dropped > 0 {
            self.diagnostics.push(Diagnostic {
                code: "more-diagnostics",
                severity: Severity::Note,
                message: format!(
                    "{} more diagnostics are not shown: the limit is {MOST_DIAGNOSTICS}",
                    self.n_dropped
                ),
                labels: Vec::new(),
                help: None,
                sizes: Vec::new(),
            });
        }
        self.diagnostics
    }
}

impl Preprocessor<'_> {
    /// Reports a malformed directive; preprocessing continues at the next line.
    pub(super) fn malformed_directive(&mut self, problem: &str, span: Span) {
        self.report.add(Finding {
            code: "malformed-directive",
            severity: Severity::Warning,
            message: format!("the directive is ignored: {problem}"),
            span: Some(span),
            help: None,
        });
    }

    pub(super) fn malformed_definition(&mut self, malformed: &Malformed, span: Option<Span>) {
        self.report.add(Finding {
            code: "malformed-directive",
            severity: Severity::Warning,
            message: format!("the macro is not defined: {}", malformed.problem),
            span: malformed.span.or(span),
            help: None,
        });
    }

    pub(super) fn flaw(&mut self, flaw: Flaw) {
        let (code, severity, message, span) = match flaw {
            Flaw::UnterminatedComment(span) => (
                "unterminated-comment",
                Severity::Error,
                "this comment has no `*/`: the rest of the file is in it",
                span,
            ),
            Flaw::UnterminatedLiteral(span) => (
                "unterminated-literal",
                Severity::Warning,
                "this literal has no closing quote on its line",
                span,
            ),
        };
        let message = message.to_owned();
        let span = Some(span);
        self.report.add(Finding {
            code,
            severity,
            message,
            span,
            help: None,
        });
    }

    pub(super) fn unterminated_invocation(&mut self, name: Token) {
        self.invocation_problem(name, name.span, "its file ends before the closing `)`");
    }

    pub(super) fn wrong_number_of_arguments(
        &mut self,
        name: Token,
        span: Span,
        n_parameters: usize,
        n_given: usize,
    ) {
        let problem = format!("it takes {n_parameters} arguments and got {n_given}");
        self.invocation_problem(name, span, &problem);
    }

    fn invocation_problem(&mut self, name: Token, span: Span, problem: &str) {
        let name = self.names.spelling(name.name);
        self.report.add(Finding {
            code: "macro-invocation",
            severity: Severity::Warning,
            message: format!("the macro `{name}` is not expanded: {problem}"),
            span: Some(span),
            help: None,
        });
    }

    pub(super) fn invalid_paste(&mut self, spelling: &str, span: Span) {
        let shown: String = spelling.chars().take(80).collect();
        self.report.add(Finding {
            code: "invalid-paste",
            severity: Severity::Warning,
            message: format!("`##` makes `{shown}`, which is not one token; both are kept apart"),
            span: Some(span),
            help: None,
        });
    }

    /// Leaves out the invocation whose expansion exceeded a limit.
    pub(super) fn give_up_invocation(&mut self) {
        let Some((limit, invocation)) = self.budget.end_invocation() else {
            return;
        };
        self.invocation_over_limit(limit, invocation);
        if let Some(PendingInvocation { mut name, mark, .. }) = invocation {
            name.painted = true;
            self.output.rewind(mark);
            self.output.write(name, &self.names, self.sources);
        }
    }

    pub(super) fn invocation_over_limit(
        &mut self,
        limit: Limit,
        invocation: Option<PendingInvocation>,
    ) {
        let name = invocation.map(|invocation| invocation.name);
        let name = name.filter(|name| name.kind == Kind::Identifier);
        let what = name.map_or("this".to_owned(), |name| {
            format!("the macro `{}`", self.names.spelling(name.name))
        });
        self.report.add(Finding {
            code: "macro-limit",
            severity: Severity::Warning,
            message: format!(
                "{what} is not expanded: it takes more than {} {}",
                limit.value(),
                limit.unit()
            ),
            span: invocation.map(|invocation| invocation.name.span),
            help: None,
        });
    }

    /// Reports the limit that ended the whole run.
    pub(super) fn run_over_limit(&mut self, limit: Limit) {
        self.report.add(Finding {
            code: "preprocessing-limit",
            severity: Severity::Error,
            message: format!(
                "the rest of the file is left out: it takes more than {} {}",
                limit.value(),
                limit.unit()
            ),
            span: None,
            help: None,
        });
    }
}
