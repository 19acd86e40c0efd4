//! Indented lines, and what all languages share.

use super::program::{ArgumentColumn, ClassCode, Statement};

/// Text that is written line by line.
#[derive(Default)]
pub(super) struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    pub(super) fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Lines with more indentation.
    pub(super) fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// Whether some statement is a loop.
pub(super) fn has_loops(statements: &[Statement]) -> bool {
    statements
        .iter()
        .any(|statement| matches!(statement, Statement::For { .. }))
}

/// The number of a class: its remainders as digits, the last one changing fastest.
pub(super) fn index(class: &ClassCode, columns: &[ArgumentColumn]) -> i64 {
    let digits = class.residues.iter().zip(columns);
    digits.fold(0, |index, (residue, column)| {
        index * column.factor + residue
    })
}

/// The columns that have residue classes.
pub(super) fn divided(columns: &[ArgumentColumn]) -> Vec<&ArgumentColumn> {
    columns.iter().filter(|column| 1 < column.factor).collect()
}

/// A list of bounds as nested calls of a function of two arguments.
pub(super) fn nested(
    function: &str,
    mut list: Vec<String>,
    wrap: impl Fn(String) -> String,
) -> String {
    let last = list.pop().unwrap_or_default();
    list.into_iter().rfold(last, |inner, next| {
        wrap(format!("{function}({next}, {inner})"))
    })
}
