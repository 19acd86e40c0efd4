//! Source forms: which one a file has, and its lines put together to statements.

use super::logical_line::LogicalLine;
use super::{fixed, free};

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceForm {
    /// Labels in columns 1 to 5, continuation in column 6, statements from column 7 on.
    Fixed,
    Free,
}

impl SourceForm {
    /// The form of a file by the end of its name.
    pub(crate) fn of_path(path: &str) -> Self {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension.to_ascii_lowercase().as_str() {
            "f" | "for" | "ftn" | "fpp" | "f77" => Self::Fixed,
            _ => Self::Free,
        }
    }
}

/// Splits a text into statements.
pub(crate) fn logical_lines(text: &str, form: SourceForm, each: &mut dyn FnMut(LogicalLine)) {
    match form {
        SourceForm::Fixed => fixed::statements(text.as_bytes(), each),
        SourceForm::Free => free::statements(text.as_bytes(), each),
    }
}
