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
    let mut is_continued = false;
    for line in text.lines().map(str::as_bytes) {
        if line.starts_with(b"#") || is_comment(line) {
            continue;
        }
        let ampersand = final_ampersand(line, None).filter(|column| MARK < *column);
        if has_word_in_label_field(line) || ampersand.is_some_and(|column| column < LAST) {
            n_free += 1;
        } else if has_mark(line) && !is_continued {
            n_fixed += 1;
        }
        is_continued = ampersand.is_some();
    }
    n_fixed < n_free
}

/// Whether a line has no code in one of the forms.
fn is_comment(line: &[u8]) -> bool {
    let first = line.iter().find(|byte| !byte.is_ascii_whitespace());
    matches!(first, None | Some(b'!'))
        || matches!(line.first(), Some(b'C' | b'c' | b'D' | b'd' | b'*'))
}

/// The first character of a line that is no blank, with its column; `None` if a tab ends the label field.
fn first_character(line: &[u8]) -> Option<(usize, u8)> {
    let field = &line[..line.len().min(MARK + 1)];
    let first = line.iter().position(|byte| !byte.is_ascii_whitespace())?;
    (!field.contains(&b'\t')).then_some((first, line[first]))
}

/// Whether a word starts in columns 1 to 5.
fn has_word_in_label_field(line: &[u8]) -> bool {
    first_character(line).is_some_and(|(at, byte)| at < MARK && byte.is_ascii_alphabetic())
}

/// Whether column 6 has the mark of a continuation line that is no letter.
fn has_mark(line: &[u8]) -> bool {
    first_character(line)
        .is_some_and(|(at, byte)| at == MARK && !byte.is_ascii_alphabetic() && byte != b'0')
}

/// The place of the `&` that ends a line, its comment aside; `None` if there is none. `quote` is that of a text that is open
/// where the line starts.
#[must_use]
pub fn final_ampersand(line: &[u8], mut quote: Option<u8>) -> Option<usize> {
    let mut last = None;
    for (idx, byte) in line.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if *byte == open => quote = None,
            (None, b'\'' | b'"') => quote = Some(*byte),
            (None, b'!') => break,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = Some(idx);
        }
    }
    last.filter(|idx| line[*idx] == b'&')
}

#[cfg(test)]
mod tests {
    use super::is_free_form;

    #[test]
    fn words_in_the_label_field_and_ampersands_at_ends_are_free_form() {
        assert!(is_free_form("MODULE m\n   REAL :: a\nEND MODULE m\n"));
        assert!(is_free_form("      x = a + & ! sum\n          b\n"));
        assert!(is_free_form("      CALL s(a, &\n     & b, &\n     & c)\n"));
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
