//! The source form of a Fortran file whose extension says fixed form.
//!
//! Compilers take `.F` for fixed form unless an option says otherwise, and many programs are in free form in files of
//! that name. What a text consists of tells: in fixed form, columns 1 to 5 have nothing but a label, and no statement
//! ends in `&`; in free form, nothing starts in column 6 that is no word, unless it continues a line that ends in `&`.
//!
//! ```text
//! SUBROUTINE s(a, &     free: a word in column 1, a line that ends in `&`
//!      CALL s(a,        either
//!     & b)              fixed: a mark in column 6
//! ```

/// The column of the continuation mark in fixed form, from 0.
const MARK: usize = 5;
/// The columns of a line in fixed form; what comes after them is a comment.
const LAST: usize = 72;

/// Whether a text is in free form: more of its lines cannot be in fixed form than cannot be in free form. Lines that
/// are comments in either form say nothing.
pub(crate) fn is_free_form(text: &str) -> bool {
    let mut n_free = 0_usize;
    let mut n_fixed = 0_usize;
    for line in text.lines() {
        let line = line.as_bytes();
        match form_of(line) {
            Some(LineForm::Free) => n_free += 1,
            Some(LineForm::Fixed) => n_fixed += 1,
            None => {}
        }
    }
    n_fixed < n_free
}

/// The form that a line must have.
enum LineForm {
    Free,
    Fixed,
}

/// The only form that a line can have; `None` if it can have both, or is a comment in one.
fn form_of(line: &[u8]) -> Option<LineForm> {
    if matches!(
        line.first(),
        None | Some(b'C' | b'c' | b'D' | b'd' | b'*' | b'!' | b'#')
    ) || line[..line.len().min(MARK + 1)].contains(&b'\t')
    {
        return None;
    }
    let first = line.iter().position(|byte| !byte.is_ascii_whitespace())?;
    if line[first] == b'!' {
        return None;
    }
    if (first < MARK && line[first].is_ascii_alphabetic()) || is_continued(line) {
        return Some(LineForm::Free);
    }
    let is_mark = first == MARK && !line[first].is_ascii_alphabetic() && line[first] != b'0';
    is_mark.then_some(LineForm::Fixed)
}

/// Whether a line ends in `&` before the end of a line in fixed form, its comment aside.
fn is_continued(line: &[u8]) -> bool {
    let mut quote = None;
    let mut last = 0;
    for (idx, byte) in line.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if *byte == open => quote = None,
            (None, b'\'' | b'"') => quote = Some(*byte),
            (None, b'!') => break,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = idx;
        }
    }
    MARK < last && last < LAST && line[last] == b'&'
}

#[cfg(test)]
mod tests {
    use super::is_free_form;

    #[test]
    fn words_in_the_label_field_and_ampersands_at_ends_are_free_form() {
        assert!(is_free_form("MODULE m\n   REAL :: a\nEND MODULE m\n"));
        assert!(is_free_form("      x = a + & ! sum\n          b\n"));
        assert!(is_free_form("      CALL s(a, &\n     & b, &\n    & c)\n"));
    }

    #[test]
    fn labels_and_marks_in_column_6_are_fixed_form() {
        assert!(!is_free_form(
            "      SUBROUTINE s\n   10 x = 1\n      END\n"
        ));
        assert!(!is_free_form("      x = a +\n     & b\nC note\nc note &\n"));
        assert!(!is_free_form("      x = '! &'\n\ty = 1\n"));
    }

    #[test]
    fn a_text_that_is_correct_in_both_forms_keeps_its_own() {
        let both = format!("      x = a +{}&\n     & b\n", " ".repeat(60));
        assert!(!is_free_form(&both));
    }
}
