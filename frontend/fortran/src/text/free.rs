//! Free form: a `&` at the end of a line continues the statement in the next line, after its leading `&` if there is
//! one; a `!` starts a comment.

use super::logical_line::{LogicalLine, lines};
use premiss_source::final_ampersand;

/// Calls `each` on the statements of a text in free form.
pub(super) fn statements(text: &[u8], each: &mut dyn FnMut(LogicalLine)) {
    let mut statement = LogicalLine::default();
    let mut continues = false;
    for (offset, line) in lines(text) {
        let first = line.iter().position(|byte| !byte.is_ascii_whitespace());
        let Some(first) = first.filter(|idx| !matches!(line[*idx], b'!' | b'#')) else {
            continue;
        };
        let start = match continues && line[first] == b'&' {
            true => first + 1,
            // Words end with their line, unless they are split by a leading `&`.
            false => {
                if continues && !statement.is_in_literal() {
                    statement.text.push(b' ');
                }
                if statement.is_in_literal() { 0 } else { first }
            }
        };
        let mut start = start;
        if !continues {
            statement.finish(each);
            let digits = line[first..].iter().take_while(|b| b.is_ascii_digit());
            let digits = digits.count();
            let digits = if digits <= 5 { digits } else { 0 };
            let label = std::str::from_utf8(&line[first..first + digits]);
            statement.label = label.ok().and_then(|text| text.parse().ok());
            start = first + digits;
        }
        let end = final_ampersand(&line[start..], statement.open_quote());
        continues = end.is_some();
        let piece = &line[start..end.map_or(line.len(), |end| start + end)];
        statement.append(piece, offset + start, each);
    }
    statement.finish(each);
}
