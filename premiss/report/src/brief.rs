//! Diagnostics for readers: findings one by one, and of many other messages one line for each kind.

use crate::diagnostic::render_diagnostics;
use crate::missing_sizes::{missing_sizes_text, without_missing_sizes};
use crate::style::Colour;
use crate::wrap::broken;
use premiss_source::{Diagnostic, Severity, SourceMap};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// More messages than this that are no findings of rules are shown by kind.
const MOST_MESSAGES: usize = 10;

/// The messages of one kind.
struct MessageKind<'a> {
    count: usize,
    first: &'a Diagnostic,
}

/// All diagnostics with their quoted source, except that sizes without a value share a table, and more than ten other
/// messages that are no findings of rules are one line for each kind, the most frequent first.
#[must_use]
pub fn brief_diagnostics(
    sources: &SourceMap,
    diagnostics: &[Diagnostic],
    colour: Colour,
) -> String {
    let shown = without_missing_sizes(diagnostics);
    let is_finding = |diagnostic: &Diagnostic| {
        diagnostic.code.starts_with("PM") && Severity::Note < diagnostic.severity
    };
    let (findings, others): (Vec<Diagnostic>, Vec<Diagnostic>) =
        shown.iter().cloned().partition(is_finding);
    let sizes = missing_sizes_text(sources, diagnostics);
    match others.len() <= MOST_MESSAGES {
        true => render_diagnostics(sources, &shown, colour) + &sizes,
        false => {
            render_diagnostics(sources, &findings, colour) + &by_kind(sources, &others) + &sizes
        }
    }
}

/// One line for each kind of message, with its first place, and the help.
fn by_kind(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut kinds: BTreeMap<&str, MessageKind<'_>> = BTreeMap::new();
    for diagnostic in diagnostics {
        let kind = kinds.entry(diagnostic.code).or_insert(MessageKind {
            count: 0,
            first: diagnostic,
        });
        kind.count += 1;
    }
    let mut kinds: Vec<(&str, MessageKind<'_>)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, kind)| std::cmp::Reverse(kind.count));
    let mut text = format!(
        "{} messages (`premiss coverage` has the reasons nest by nest; --format json has all):\n\n",
        diagnostics.len()
    );
    for (code, MessageKind { count, first }) in kinds {
        let _ = writeln!(text, " {count:>5}  {code}");
        let place = first.labels.first().map_or_else(String::new, |label| {
            let path = sources.file(label.span.file).path();
            let at = sources.start(label.span);
            format!("{path}:{}:{}: ", at.line, at.column)
        });
        let message = format!("{place}{}", first.message);
        text.push_str(&broken(&message, "        ", "          "));
        if let Some(help) = &first.help {
            text.push_str(&broken(&format!("help: {help}"), "        ", "          "));
        }
    }
    text.push('\n');
    text
}
