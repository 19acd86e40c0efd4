//! Assumptions in comments: relations between sizes, trip counts of loops and probabilities of conditions, stated by
//! the author of a program.
//!
//! ```text
//! // premiss:assume n >= 8              sizes of the function after it, or around it
//! void f(int n) {
//!     // premiss:assume trips 40         the loop on the next line with code
//!     while (x[k] < 1) {
//!         if (y[k] > 0) k++;            // premiss:assume probability 0.25   the condition on this line
//! ```
//!
//! A range, as `trips 40..60`, changes the tree: the loop runs at least and at most so often, and counts have bounds.
//!
//! Estimates are stored in the [`Averages`](premiss_tree::Averages) of a tree, as those of a profile are. Directives
//! that are malformed or unused are reported as diagnostics.

mod branch_probability;
mod directive;
mod size_bounds;
mod size_relation;
mod trip_count;
mod trip_range;

use directive::{Assumption, assumption, is_assumption};
use premiss_source::{
    CommentSyntax, Commented, Diagnostic, FileId, Label, Severity, SourceMap, Span, commented,
    directives, has_directives,
};
use premiss_tree::{ListId, NestTree, PrimaryMap};
use std::collections::{BTreeMap, BTreeSet};

use crate::node_lists::{NodeList, node_lists};

/// The sizes of a program that are not parameters of a function, with the values that the user has set.
#[derive(Clone, Copy, Debug)]
pub struct ProgramSizes<'a> {
    /// The names of sizes that the user can give a value.
    pub names: &'a BTreeSet<String>,
    /// The values that the user has set, by name.
    pub values: &'a BTreeMap<String, i64>,
}

/// The assumption directives of some files, with a record of which of them were used.
#[derive(Debug)]
pub struct Directives<'a> {
    sources: &'a SourceMap,
    texts: BTreeMap<FileId, DirectiveText>,
    directives: Vec<AssumptionDirective>,
}

/// The text of a file with directives.
#[derive(Debug)]
struct DirectiveText {
    syntax: CommentSyntax,
    comments: Commented,
}

#[derive(Debug)]
struct AssumptionDirective {
    span: Span,
    /// The line that it applies to, if it applies to one.
    line: u32,
    assumption: Assumption,
    outcome: DirectiveOutcome,
}

/// The outcome of a directive.
#[derive(Clone, PartialEq, Eq, Debug)]
enum DirectiveOutcome {
    /// There is nothing that it applies to.
    Unused,
    /// It cannot be used: the reason, and what to do.
    Useless(String, &'static str),
    /// The size is not a parameter of the function, as the source determines its value.
    Fixed(String),
    Used,
}

impl<'a> Directives<'a> {
    /// Collects the assumption directives of files, and adds a diagnostic for each malformed one.
    #[must_use]
    pub fn collect(
        sources: &'a SourceMap,
        files: &BTreeSet<FileId>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut found = Self {
            sources,
            texts: BTreeMap::new(),
            directives: Vec::new(),
        };
        for file in files {
            let source = sources.file(*file);
            if !has_directives(source.text()) {
                continue;
            }
            let syntax = CommentSyntax::of_file(source.path(), source.text());
            let text = DirectiveText {
                syntax,
                comments: commented(source.text(), syntax),
            };
            found.read_file(*file, &text, diagnostics);
            found.texts.insert(*file, text);
        }
        found
    }

    fn read_file(&mut self, file: FileId, text: &DirectiveText, diagnostics: &mut Vec<Diagnostic>) {
        let all = directives(file, self.sources.file(file), &text.comments);
        for found in all.into_iter().filter(|x| is_assumption(&x.content)) {
            match assumption(&found.content) {
                Ok(what) => self.directives.push(AssumptionDirective {
                    span: found.span,
                    line: found.line,
                    assumption: what,
                    outcome: DirectiveOutcome::Unused,
                }),
                Err(why) => diagnostics.push(diagnostic("bad-directive", found.span, why, HELP)),
            }
        }
    }

    /// Adds the assumptions that apply to a tree: bounds of its sizes, and averages of its loops and branches.
    pub fn apply(&mut self, tree: &mut NestTree, sizes: ProgramSizes<'_>) {
        let mut directives = std::mem::take(&mut self.directives);
        let is_estimate = |x: &AssumptionDirective| !matches!(x.assumption, Assumption::Sizes(_));
        let rows = match directives.iter().any(is_estimate) {
            true => node_lists(tree),
            false => PrimaryMap::new(),
        };
        for directive in &mut directives {
            let outcome = match &directive.assumption {
                Assumption::Sizes(relations) => {
                    self.assume_sizes(tree, sizes, directive.span, relations)
                }
                Assumption::Trips(times) => self.assume_trips(tree, &rows, directive, *times),
                // See [`Directives::bound_trips`].
                Assumption::TripRange(..) => continue,
                Assumption::Probability(probability) => {
                    self.assume_probability(tree, &rows, directive, *probability)
                }
            };
            if directive.outcome != DirectiveOutcome::Used && outcome != DirectiveOutcome::Unused {
                directive.outcome = outcome;
            }
        }
        self.directives = directives;
    }

    /// Gives loops the trip counts that ranges state, which decide what is understood of a tree. Returns where it has rejections
    /// no more.
    pub fn bound_trips(&mut self, tree: &mut NestTree) -> Vec<Span> {
        let spans = |tree: &NestTree| tree.rejections.values().map(|x| x.span).collect();
        let mut before: Vec<Span> = spans(tree);
        let mut directives = std::mem::take(&mut self.directives);
        for directive in &mut directives {
            let Assumption::TripRange(least, most) = directive.assumption else {
                continue;
            };
            let outcome = self.limit_trips(tree, directive, (least, most));
            if directive.outcome != DirectiveOutcome::Used && outcome != DirectiveOutcome::Unused {
                directive.outcome = outcome;
            }
        }
        self.directives = directives;
        let left: Vec<Span> = spans(tree);
        before.retain(|span| !left.contains(span));
        before
    }

    /// The places of the estimates that were used, as `k.c:12`.
    #[must_use]
    pub fn estimates(&self) -> Vec<String> {
        let used = self.directives.iter().filter(|x| {
            let is_bound = matches!(
                x.assumption,
                Assumption::Sizes(_) | Assumption::TripRange(..)
            );
            !is_bound && x.outcome == DirectiveOutcome::Used
        });
        let place = |x: &AssumptionDirective| {
            let path = self.sources.file(x.span.file).path();
            format!("{path}:{}", self.sources.start(x.span).line)
        };
        used.map(place).collect()
    }

    /// A diagnostic for each directive that was not used. `has_work` tells whether the trees have arithmetic; without
    /// it, unused estimates are not reported.
    #[must_use]
    pub fn unused(&self, has_work: bool) -> Vec<Diagnostic> {
        let of_one = |directive: &AssumptionDirective| {
            let (message, help) = match (&directive.assumption, &directive.outcome) {
                (_, DirectiveOutcome::Used) => return None,
                (Assumption::Trips(_) | Assumption::Probability(_), _) if !has_work => return None,
                (_, DirectiveOutcome::Useless(why, help)) => (why.clone(), *help),
                (_, DirectiveOutcome::Fixed(name)) => {
                    return Some(Diagnostic {
                        severity: Severity::Note,
                        ..diagnostic(
                            "unused-assumption",
                            directive.span,
                            format!("the source says what `{name}` is, which is not compared"),
                            "with -P it is a size that has to fit",
                        )
                    });
                }
                (Assumption::Sizes(_), DirectiveOutcome::Unused) => (
                    "no function with a loop begins behind this, or is around it".to_owned(),
                    "write it on a line before the function, or inside of it",
                ),
                (Assumption::Trips(_) | Assumption::TripRange(..), DirectiveOutcome::Unused) => (
                    format!(
                        "line {} has no loop that this could be about",
                        directive.line
                    ),
                    "write it on the line of the loop's header, or before that; that of `do … while` is at its end",
                ),
                (Assumption::Probability(_), DirectiveOutcome::Unused) => (
                    format!(
                        "line {} has no `if` that data decide and that accesses depend on",
                        directive.line
                    ),
                    "write it on the line of the condition, or before that",
                ),
            };
            Some(diagnostic(
                "unused-assumption",
                directive.span,
                message,
                help,
            ))
        };
        self.directives.iter().filter_map(of_one).collect()
    }

    /// The code of a file between two byte offsets, in lower case and without comments.
    fn code(&self, file: FileId, from: u32, to: u32) -> String {
        let Some(text) = self.texts.get(&file) else {
            return String::new();
        };
        let range = from as usize..(to as usize).max(from as usize);
        let bytes = text.comments.code.get(range).unwrap_or_default();
        String::from_utf8_lossy(bytes).to_ascii_lowercase()
    }

    /// Whether a span begins on the line that a directive applies to.
    fn is_there(&self, directive: &AssumptionDirective, span: Span) -> bool {
        span.file == directive.span.file && self.sources.start(span).line == directive.line
    }
}

/// The lists of a tree.
type NodeLists = PrimaryMap<ListId, NodeList>;

const HELP: &str = "write `premiss:assume n >= 8`, `premiss:assume 1 <= k <= n`, `premiss:assume N in 512..4096`, \
                    `premiss:assume trips 40`, \
                    `premiss:assume trips 30..50` or `premiss:assume probability 0.25`";

fn diagnostic(code: &'static str, span: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic {
        code,
        severity: Severity::Warning,
        message,
        labels: vec![Label {
            span,
            text: String::new(),
        }],
        help: Some(help.to_owned()),
        sizes: Vec::new(),
    }
}
