//! Comments that suppress findings.
//!
//! ```text
//! s += a[i][j];                          // premiss:ignore[PM001] rows are short here
//! // premiss:ignore[PM001,PM005] why     what follows: a statement, a loop with all in it, a function
//! // premiss:disable[PM001] why          from here on, to `enable` or the end of the file
//! // premiss:enable[PM001]
//! // premiss:ignore-file[PM008] why      all of the file
//! ```

use crate::finding::Finding;
use crate::rule::{RULES, open_rule, rule};
use premiss_analyze::parallel;
use premiss_source::{
    CommentSyntax, Commented, Diagnostic, Directive, FileId, Label, Severity, SourceMap, commented,
    directives, has_directives,
};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The findings after suppression.
#[derive(Debug, Default)]
pub struct SuppressionResult {
    /// Those that no comment suppresses, in their order.
    pub findings: Vec<Finding>,
    /// How many were suppressed.
    pub silenced: usize,
    /// Comments that suppress nothing (PM900), and malformed ones.
    pub diagnostics: Vec<Diagnostic>,
}

/// A comment that suppresses a rule in some lines.
struct Suppression {
    directive: Directive,
    code: &'static str,
    lines: RangeInclusive<u32>,
    /// Whether `enable` may end it.
    is_open: bool,
    is_used: bool,
}

/// The kind of a directive.
enum SuppressionKind {
    Ignore,
    IgnoreFile,
    Disable,
    Enable,
}

/// Removes the findings that comments in these files suppress.
#[must_use]
pub fn suppress(
    sources: &SourceMap,
    files: &BTreeSet<FileId>,
    findings: Vec<Finding>,
) -> SuppressionResult {
    let mut kept = SuppressionResult::default();
    let mut all = Vec::new();
    let files: Vec<FileId> = files.iter().copied().collect();
    let of_files = parallel::map(&files, |file| {
        let mut diagnostics = Vec::new();
        (read(sources, *file, &mut diagnostics), diagnostics)
    });
    for (suppressions, diagnostics) in of_files {
        all.extend(suppressions);
        kept.diagnostics.extend(diagnostics);
    }
    for finding in findings {
        let mut is_silenced = false;
        for suppression in &mut all {
            if suppression.silences(sources, &finding) {
                suppression.is_used = true;
                is_silenced = true;
            }
        }
        if is_silenced {
            kept.silenced += 1;
        } else {
            kept.findings.push(finding);
        }
    }
    let unused = all.iter().filter(|suppression| !suppression.is_used);
    kept.diagnostics.extend(unused.map(Suppression::unused));
    kept.diagnostics
        .sort_by_key(|x| x.labels.first().map(|label| label.span));
    kept
}

impl Suppression {
    /// Whether it covers the place of a finding, or a loop or function around it.
    fn silences(&self, sources: &SourceMap, finding: &Finding) -> bool {
        let mut places = finding
            .span()
            .into_iter()
            .chain(finding.enclosing.iter().copied());
        let code = finding.code();
        self.code == open_rule(code).map_or(code, |rule| rule.code)
            && places.any(|span| {
                span.file == self.directive.span.file
                    && self.lines.contains(&sources.start(span).line)
            })
    }

    fn unused(&self) -> Diagnostic {
        diagnostic(
            "PM900",
            &self.directive,
            format!("{} is found nowhere that this is about", self.code),
            "take the comment away: what it was for is mended",
        )
    }
}

/// The suppressions of a file.
fn read(sources: &SourceMap, file: FileId, told: &mut Vec<Diagnostic>) -> Vec<Suppression> {
    let source = sources.file(file);
    if !has_directives(source.text()) {
        return Vec::new();
    }
    let syntax = CommentSyntax::of_file(source.path(), source.text());
    let text = commented(source.text(), syntax);
    let mut found: Vec<Suppression> = Vec::new();
    for directive in directives(file, source, &text) {
        let (asked, codes) = match parse(&directive.content) {
            Ok(Some(parsed)) => parsed,
            Ok(None) => continue,
            Err(why) => {
                told.push(diagnostic("bad-directive", &directive, why, HELP));
                continue;
            }
        };
        let lines = match asked {
            SuppressionKind::IgnoreFile => 1..=u32::MAX,
            SuppressionKind::Disable => directive.own_line..=u32::MAX,
            SuppressionKind::Ignore => {
                directive.line..=end_of_statement(&text, syntax, directive.line)
            }
            SuppressionKind::Enable => {
                enable(&mut found, &codes, &directive, told);
                continue;
            }
        };
        found.extend(codes.into_iter().map(|code| Suppression {
            directive: directive.clone(),
            code,
            lines: lines.clone(),
            is_open: matches!(asked, SuppressionKind::Disable),
            is_used: false,
        }));
    }
    found
}

/// Ends the suppressions of some rules that `disable` began.
fn enable(
    found: &mut [Suppression],
    codes: &[&'static str],
    directive: &Directive,
    told: &mut Vec<Diagnostic>,
) {
    for code in codes {
        let is_open = |x: &&mut Suppression| x.code == *code && x.is_open;
        match found.iter_mut().rev().find(is_open) {
            Some(open) => {
                open.lines = *open.lines.start()..=directive.own_line;
                open.is_open = false;
            }
            None => told.push(diagnostic(
                "bad-directive",
                directive,
                format!("nothing disables {code} before this"),
                HELP,
            )),
        }
    }
}

const HELP: &str = "write `premiss:ignore[PM001] why`, `premiss:disable[PM001] why`, `premiss:enable[PM001]` or \
                    `premiss:ignore-file[PM001] why`";

/// The kind of a directive and its rules; `None` if it is no suppression.
fn parse(content: &str) -> Result<Option<(SuppressionKind, Vec<&'static str>)>, String> {
    let content = content.trim();
    let end = content.find(|x: char| x == '[' || x.is_whitespace());
    let (word, rest) = content.split_at(end.unwrap_or(content.len()));
    let asked = match word {
        "ignore" => SuppressionKind::Ignore,
        "ignore-file" => SuppressionKind::IgnoreFile,
        "disable" => SuppressionKind::Disable,
        "enable" => SuppressionKind::Enable,
        _ => return Ok(None),
    };
    let list = rest
        .trim_start()
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'));
    let Some((list, reason)) = list else {
        return Err(format!(
            "`premiss:{word}` has to name the rules that it is about"
        ));
    };
    let known = |name: &str| {
        let found = rule(name.trim()).map(|rule| rule.code);
        found.ok_or_else(|| {
            let all = RULES.each_ref().map(|rule| rule.code).join(", ");
            format!("there is no rule `{}`: {all}", name.trim())
        })
    };
    let codes = list.split(',').map(known).collect::<Result<Vec<_>, _>>()?;
    if reason.trim().is_empty() && !matches!(asked, SuppressionKind::Enable) {
        return Err(format!("`premiss:{word}` has to say why"));
    }
    Ok(Some((asked, codes)))
}

/// The last line of the statement that begins on a line.
fn end_of_statement(text: &Commented, syntax: CommentSyntax, first: u32) -> u32 {
    let lines: Vec<&[u8]> = text.code.split(|x| *x == b'\n').collect();
    let mut last = first;
    loop {
        let line = |number: u32| lines.get(number as usize - 1).copied();
        let Some(next) = line(last + 1) else {
            return last;
        };
        let own = line(last).unwrap_or_default().trim_ascii_end();
        let goes_on = match syntax {
            CommentSyntax::FreeFortran => own.ends_with(b"&"),
            // A continuation line has a mark in column 6.
            CommentSyntax::FixedFortran => {
                let label = next.iter().take(5).all(|x| *x == b' ');
                label && next.get(5).is_some_and(|x| !matches!(x, b' ' | b'0'))
            }
            CommentSyntax::C | CommentSyntax::Rust => {
                !own.is_empty() && !matches!(own.last(), Some(b';' | b'{' | b'}' | b')'))
            }
        };
        if !goes_on {
            return last;
        }
        last += 1;
    }
}

fn diagnostic(
    code: &'static str,
    directive: &Directive,
    message: String,
    help: &str,
) -> Diagnostic {
    Diagnostic {
        code,
        severity: Severity::Warning,
        message,
        labels: vec![Label {
            span: directive.span,
            text: String::new(),
        }],
        help: Some(help.to_owned()),
        sizes: Vec::new(),
    }
}
