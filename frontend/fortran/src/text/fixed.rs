//! Fixed form: `C`, `*` or `!` in column 1 starts a comment, labels are in columns 1 to 5, column 6 marks a
//! continuation line, and statements end in column 72.
//!
//! Extensions: a tab ends the label field, and a digit after it marks a continuation; `!` starts a comment anywhere;
//! `D` in column 1 starts a comment; if code extends past column 80 somewhere in the file, lines have 132 columns.

use super::logical_line::{LogicalLine, lines};

/// The columns of a statement, from 0.
const STATEMENT: usize = 6;
const LAST: usize = 72;
const LAST_EXTENDED: usize = 132;
/// The last column of a punched card, including the card numbers after the statements of old files.
const CARD: usize = 80;

/// The parts of a line that is not a comment.
struct LineFields<'t> {
    label: &'t [u8],
    continues: bool,
    /// Where the statement starts in the line.
    start: usize,
    body: &'t [u8],
}

/// Calls `each` on the statements of a text in fixed form.
pub(super) fn statements(text: &[u8], each: &mut dyn FnMut(LogicalLine)) {
    let last = match lines(text).any(|(_, line)| goes_past_card(line)) {
        true => LAST_EXTENDED,
        false => LAST,
    };
    let mut statement = LogicalLine::default();
    for (offset, line) in lines(text) {
        let Some(parts) = parts(line, last) else {
            continue;
        };
        if !parts.continues {
            statement.finish(each);
            statement.label = label(parts.label);
        }
        statement.append(parts.body, offset + parts.start, each);
        // A short line is padded with blanks, so words end there.
        if parts.start + parts.body.len() < last && !statement.text.is_empty() {
            statement.text.push(b' ');
        }
    }
    statement.finish(each);
}

fn is_comment(line: &[u8]) -> bool {
    match line.first() {
        None | Some(b'C' | b'c' | b'*' | b'!' | b'D' | b'd' | b'#') => true,
        Some(_) => {
            let first = line.iter().position(|byte| !byte.is_ascii_whitespace());
            first.is_none_or(|idx| line[idx] == b'!' && idx != STATEMENT - 1)
        }
    }
}

fn parts(line: &[u8], last: usize) -> Option<LineFields<'_>> {
    if is_comment(line) {
        return None;
    }
    let field = &line[..line.len().min(STATEMENT)];
    if let Some(tab) = field.iter().position(|byte| *byte == b'\t') {
        let continues = line
            .get(tab + 1)
            .is_some_and(|byte| matches!(byte, b'1'..=b'9'));
        let start = tab + 1 + usize::from(continues);
        return Some(LineFields {
            label: &line[..tab],
            continues,
            start,
            body: &line[start..],
        });
    }
    let continues = line
        .get(STATEMENT - 1)
        .is_some_and(|byte| !matches!(byte, b' ' | b'0'));
    let start = line.len().min(STATEMENT);
    Some(LineFields {
        label: &line[..line.len().min(STATEMENT - 1)],
        continues,
        start,
        body: &line[start..line.len().min(last).max(start)],
    })
}

fn label(field: &[u8]) -> Option<u32> {
    let digits: String = field
        .iter()
        .filter(|byte| byte.is_ascii_digit())
        .map(|byte| char::from(*byte))
        .collect();
    digits.parse().ok()
}

/// Whether there is code after the last column of a card.
fn goes_past_card(line: &[u8]) -> bool {
    if line.len() <= CARD || is_comment(line) {
        return false;
    }
    let mut quote = None;
    for (idx, byte) in line.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if *byte == open => quote = None,
            (None, b'\'' | b'"') => quote = Some(*byte),
            (None, b'!') if idx != STATEMENT - 1 => return false,
            _ => {}
        }
        if CARD <= idx && !byte.is_ascii_whitespace() {
            return true;
        }
    }
    false
}
