//! Escaping text for Markdown.

/// Escapes text so that Markdown shows it literally, on one line of a table.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("<br>"),
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '\\' | '|' | '*' | '_' | '[' | ']' | '`' | '~' | '#' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other if other.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}
