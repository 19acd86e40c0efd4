//! A program under way, in any language.

use crate::decisions::Decisions;

/// A program as far as it is written. The scope is what a place in it may use.
pub(super) struct Writer<S> {
    pub(super) decisions: Decisions,
    pub(super) number: u64,
    /// The line that comes next.
    pub(super) line: u32,
    pub(super) text: String,
    /// How deep the next line is within blocks.
    pub(super) indent: usize,
    n_names: usize,
    pub(super) scope: S,
    /// How many more statements there may be.
    pub(super) left: usize,
}

impl<S: Default> Writer<S> {
    /// The program of a number before its first line, which is `first_line` of its file.
    pub(super) fn new(number: u64, first_line: u32) -> Self {
        Self {
            decisions: Decisions::of(number),
            number,
            line: first_line,
            text: String::new(),
            indent: 0,
            n_names: 0,
            scope: S::default(),
            left: 0,
        }
    }

    /// Writes a line, indented by `unit` for each block around it.
    pub(super) fn write_line(&mut self, unit: &str, text: &str) {
        debug_assert!(!text.contains('\n'), "{text}");
        self.text += &unit.repeat(self.indent);
        self.text += text;
        self.text.push('\n');
        self.line += 1;
    }

    /// A new number for a name.
    pub(super) fn next_number(&mut self) -> usize {
        self.n_names += 1;
        self.n_names
    }

    /// Up to three statements, each written by `one`.
    pub(super) fn some(&mut self, mut one: impl FnMut(&mut Self)) {
        for _ in 0..self.decisions.within(1, 3) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            one(self);
        }
    }
}
