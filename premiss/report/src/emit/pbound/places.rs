//! The names of places in the log.

use premiss_source::{SourceMap, Span};
use premiss_tree::{LoopId, NestTree};
use std::collections::BTreeMap;

/// The names of the loops of a function, and of the function.
pub(super) struct Labels {
    function: String,
    loops: BTreeMap<LoopId, String>,
}

impl Labels {
    /// `loop at mm.c:3`, with a column if another loop begins on the same line.
    pub(super) fn new(sources: &SourceMap, tree: &NestTree) -> Self {
        let path = |span: Span| sources.file(span.file).path();
        let at = sources.start(tree.span);
        let function = format!("{} at {}:{}", tree.function, path(tree.span), at.line);
        let place = |span: Span| (path(span), sources.start(span).line);
        let label = |(id, header): (LoopId, &premiss_tree::LoopHeader)| {
            let (path, line) = place(header.span);
            let mut others = tree
                .loops
                .values()
                .filter(|other| other.span != header.span);
            let column = match others.any(|other| place(other.span) == (path, line)) {
                true => format!(":{}", sources.start(header.span).column),
                false => String::new(),
            };
            (id, format!("loop at {path}:{line}{column}"))
        };
        Self {
            function,
            loops: tree.loops.iter().map(label).collect(),
        }
    }

    /// The name of a loop, or of the code outside of loops.
    pub(super) fn of(&self, inside: Option<LoopId>) -> String {
        let label = inside.and_then(|id| self.loops.get(&id));
        label.unwrap_or(&self.function).clone()
    }

    /// The name of a loop with unknown counts, or of a place.
    pub(super) fn left_out(
        &self,
        sources: &SourceMap,
        inside: Option<LoopId>,
        span: Span,
    ) -> String {
        match inside {
            Some(_) => self.of(inside),
            None => {
                let path = sources.file(span.file).path();
                format!("{path}:{}", sources.start(span).line)
            }
        }
    }
}

/// A string literal of C.
pub(super) fn quoted(text: &str) -> String {
    let one = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        '?' => "\\?".to_owned(),
        c if c.is_control() => " ".to_owned(),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(one).collect::<String>())
}
