//! The significant lines of a text: those with code, without lines that only have comments or white space.
//!
//! Two texts with the same significant lines differ for their readers only in positions, and a place in one text can
//! be mapped to the other:
//!
//! ```text
//!       X = A(I)                  C     twice
//!       END                             X = A(I)
//!                                       END
//! ```
//!
//! When in doubt, a line is significant: within a continued statement, as texts of statements are quoted; in files
//! that are preprocessed; and if some comment is a premiss directive.

use crate::{CommentSyntax, commented, has_directives};
use std::hash::{Hash, Hasher};

/// The significant lines of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    lines: Vec<OutlineLine>,
    /// Whether the whole text is significant; then `lines` is empty.
    is_whole: bool,
}

/// A significant line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutlineLine {
    /// Its number, counted from 1.
    pub number: u32,
    /// The byte offset of its start.
    pub start: u32,
    /// The byte offset of its end, exclusive, without the line break.
    pub end: u32,
}

impl Outline {
    /// Computes the outline of a file's text; the extension of `path` determines the language. For Rust, for
    /// preprocessed Fortran, and for texts with directives, the whole text is significant.
    #[must_use]
    pub fn of(path: &str, text: &str) -> Self {
        let syntax = CommentSyntax::of_file(path, text);
        let is_whole = syntax == CommentSyntax::Rust
            || has_directives(text)
            || (syntax.is_fortran() && is_preprocessed(path, text));
        let lines = match syntax {
            _ if is_whole => Vec::new(),
            CommentSyntax::FixedFortran => fixed(text),
            CommentSyntax::FreeFortran => free(text),
            CommentSyntax::C | CommentSyntax::Rust => c(text),
        };
        Self { lines, is_whole }
    }

    /// An outline of the given significant lines.
    #[must_use]
    pub fn of_lines(lines: Vec<OutlineLine>) -> Self {
        Self {
            lines,
            is_whole: false,
        }
    }

    /// The significant lines, in order; empty if the whole text is significant.
    #[must_use]
    pub fn lines(&self) -> &[OutlineLine] {
        &self.lines
    }

    /// Hashes the significant lines of `text`, which must be the text of this outline, independent of their positions.
    pub fn digest(&self, text: &str, hasher: &mut impl Hasher) {
        if self.is_whole {
            text.hash(hasher);
            return;
        }
        for line in &self.lines {
            let line = text.get(line.start as usize..line.end as usize);
            line.hash(hasher);
        }
    }
}

/// Whether a Fortran file may be preprocessed.
fn is_preprocessed(path: &str, text: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, last)| last);
    extension.starts_with('F')
        || extension.eq_ignore_ascii_case("fpp")
        || text.starts_with('#')
        || text.contains("\n#")
}

/// The lines of a text without line breaks, with their positions.
fn text_lines(text: &str) -> impl Iterator<Item = (OutlineLine, &[u8])> {
    let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut offset = 0;
    (1..)
        .zip(text.split_inclusive('\n'))
        .map(move |(number, line)| {
            let start = offset;
            offset += line.len();
            let line = line.strip_suffix('\n').unwrap_or(line);
            let place = OutlineLine {
                number,
                start: narrow(start),
                end: narrow(start + line.len()),
            };
            (place, line.as_bytes())
        })
}

/// The significant lines so far, and those that become significant if the next line continues a statement.
#[derive(Default)]
struct OutlineBuilder {
    lines: Vec<OutlineLine>,
    open: Vec<OutlineLine>,
}

impl OutlineBuilder {
    fn line(&mut self, line: OutlineLine, goes_on: bool) {
        match goes_on {
            true => self.lines.append(&mut self.open),
            false => self.open.clear(),
        }
        self.lines.push(line);
    }
}

/// The number of columns before a statement in fixed form, the last of which marks a continuation line.
const FIELD: usize = 6;

fn fixed(text: &str) -> Vec<OutlineLine> {
    let mut kept = OutlineBuilder::default();
    for (place, line) in text_lines(text) {
        let first = line.iter().position(|byte| !byte.is_ascii_whitespace());
        let is_comment = match (line.first(), first) {
            (_, None) | (Some(b'C' | b'c' | b'*' | b'!' | b'D' | b'd'), _) => true,
            (_, Some(first)) => line[first] == b'!' && first != FIELD - 1,
        };
        if is_comment {
            kept.open.push(place);
            continue;
        }
        let field = &line[..line.len().min(FIELD)];
        let goes_on = field.contains(&b'\t')
            || matches!(field.get(FIELD - 1), Some(mark) if !matches!(mark, b' ' | b'0'));
        kept.line(place, goes_on);
    }
    kept.lines
}

fn free(text: &str) -> Vec<OutlineLine> {
    let mut kept = OutlineBuilder::default();
    let mut goes_on = false;
    for (place, line) in text_lines(text) {
        let first = line.iter().find(|byte| !byte.is_ascii_whitespace());
        if matches!(first, None | Some(b'!')) {
            kept.open.push(place);
            continue;
        }
        kept.line(place, goes_on);
        goes_on = line.contains(&b'&');
    }
    kept.lines
}

/// The significant lines of C: comments are significant unless the line before them ends a statement, a function, or
/// the head of one.
fn c(text: &str) -> Vec<OutlineLine> {
    let code = commented(text, CommentSyntax::C).code;
    let mut kept = OutlineBuilder::default();
    let mut state = State::default();
    for (place, line) in text_lines(text) {
        let code = &code[place.start as usize..place.start as usize + line.len()];
        if code.iter().all(u8::is_ascii_whitespace) {
            kept.open.push(place);
            continue;
        }
        kept.line(place, state.is_within);
        state.pass(code);
    }
    kept.lines
}

/// The state at a position in a C text.
#[derive(Default)]
struct State {
    n_braces: usize,
    n_parentheses: usize,
    /// Whether the next text belongs to a construct that has started.
    is_within: bool,
}

impl State {
    fn pass(&mut self, code: &[u8]) {
        let code = code.trim_ascii();
        if code.starts_with(b"#") || code.ends_with(b"\\") {
            self.is_within |= code.ends_with(b"\\");
            if !code.ends_with(b"\\") {
                self.is_within = 0 < self.n_parentheses;
            }
            return;
        }
        let before = self.n_braces;
        for byte in code {
            match byte {
                b'{' => self.n_braces += 1,
                b'}' => self.n_braces = self.n_braces.saturating_sub(1),
                b'(' | b'[' => self.n_parentheses += 1,
                b')' | b']' => self.n_parentheses = self.n_parentheses.saturating_sub(1),
                _ => {}
            }
        }
        let is_end = match code.last() {
            Some(b';') => true,
            Some(b'{') => before == 0 && self.n_braces == 1,
            Some(b'}') => self.n_braces == 0,
            _ => false,
        };
        self.is_within = !is_end || 0 < self.n_parentheses;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::DefaultHasher;

    fn digest(path: &str, text: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        Outline::of(path, text).digest(text, &mut hasher);
        hasher.finish()
    }

    #[track_caller]
    fn check(path: &str, before: &str, after: &str, is_same: bool) {
        assert_eq!(digest(path, before) == digest(path, after), is_same);
    }

    #[test]
    fn comments_between_statements_say_nothing() {
        let text = "      X = 1\n      END\n";
        check(
            "a.f",
            text,
            "C one\n      X = 1\n\n! two\n      END\n* three",
            true,
        );
        check(
            "a.f90",
            "x = 1\nend\n",
            "! one\nx = 1\n\n  ! two\nend\n",
            true,
        );
        check(
            "a.c",
            "int f(void)\n{\n  g();\n}\n",
            "/* f\n */\nint f(void)\n{\n\n  g();\n  // g\n}\n",
            true,
        );
    }

    #[test]
    fn comments_within_statements_count() {
        check(
            "a.f",
            "      X = 1\n     $ + 2\n",
            "      X = 1\nC\n     $ + 2\n",
            false,
        );
        check("a.f90", "x = 1 &\n + 2\n", "x = 1 &\n ! one\n + 2\n", false);
        check("a.c", "x = a[\n1];\n", "x = a[\n// one\n1];\n", false);
        check("a.c", "#define F \\\n g\n", "#define F \\\n\n g\n", false);
    }

    #[test]
    fn what_is_for_premiss_or_a_preprocessor_counts() {
        check(
            "a.f",
            "      END\n",
            "C Premiss:assume n >= 8\n      END\n",
            false,
        );
        check("a.F", "      END\n", "C\n      END\n", false);
        check(
            "a.f",
            "#if 1\n      END\n#endif\n",
            "#if 1\nC\n      END\n#endif\n",
            false,
        );
    }

    #[test]
    fn code_counts() {
        check("a.f", "      X = 1\n", "      X = 2\n", false);
        check("a.f", "      X = 1\n", "      X = 1 ! one\n", false);
        check("a.c", "x = 1;\n", " x = 1;\n", false);
    }

    #[test]
    fn lines_know_where_they_stand() {
        let outline = Outline::of("a.f", "C\n      X = 1\nC\n      END");
        let lines = outline.lines().iter();
        let places: Vec<_> = lines.map(|x| (x.number, x.start, x.end)).collect();
        assert_eq!(places, [(2, 2, 13), (4, 16, 25)]);
        assert!(Outline::of("a.F", "      END\n").lines().is_empty());
    }
}
