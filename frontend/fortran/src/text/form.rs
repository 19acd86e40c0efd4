//! Source forms: the form of a file, and the assembly of its lines to statements.

use super::logical_line::LogicalLine;
use super::{fixed, free};
use premiss_source::{CommentSyntax, SourceFile};

/// The source form of a file (Fortran 2018, 6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceForm {
    /// Labels in columns 1 to 5, continuation in column 6, statements from column 7 on.
    Fixed,
    Free,
}

impl SourceForm {
    /// The form of a file, by the extension of its name and its text: one in free form is read as such, whatever its
    /// extension.
    pub(crate) fn of_file(file: &SourceFile) -> Self {
        match CommentSyntax::of_file(file.path(), file.text()) {
            CommentSyntax::FixedFortran => Self::Fixed,
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

#[cfg(test)]
mod tests {
    use super::{SourceForm, logical_lines};

    /// Labels and texts of the statements, without surrounding blanks.
    fn statements(text: &str, form: SourceForm) -> Vec<(Option<u32>, String)> {
        let mut list = Vec::new();
        logical_lines(text, form, &mut |line| {
            let text = String::from_utf8_lossy(&line.text);
            list.push((line.label, text.trim().to_owned()));
        });
        list
    }

    #[test]
    fn fixed_form_has_labels_continuations_and_an_end_at_column_72() {
        let past = format!("      X = 1{}2", " ".repeat(61));
        let text = format!("C comment\n   10 A = B +\n     &C\n* comment\n{past}\n");
        let found = statements(&text, SourceForm::Fixed);
        let texts: Vec<String> = found
            .iter()
            .map(|(_, text)| text.split_whitespace().collect())
            .collect();
        assert_eq!(found[0].0, Some(10));
        assert_eq!(texts, ["A=B+C", "X=1"]);
    }

    #[test]
    fn free_form_continues_at_an_ampersand() {
        let text = "a = 1; b = 'x! &\n  &y' ! comment\n20 c = 2 &\n  + 3\n";
        let found = statements(text, SourceForm::Free);
        let labels: Vec<Option<u32>> = found.iter().map(|(label, _)| *label).collect();
        assert_eq!(labels, [None, None, Some(20)]);
        assert_eq!(found[1].1, "b = 'x! y'");
        assert_eq!(found[2].1.split_whitespace().collect::<String>(), "c=2+3");
    }
}
