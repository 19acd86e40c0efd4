//! Text of others in documents.
//!
//! Identifiers, excerpts, paths and messages of other programs may be from anywhere. In a document they show as they
//! are, and do nothing: no markup, no mention of people, no command of a CI server, no control of a terminal, and no
//! text that reads from right to left over what is around it.
//!
//! There are two layers. A [`Document`] is put together from markup, which has to be a literal, and from text, which is
//! escaped for its [`Kind`]: nothing else can be put in. And all output passes [`visible`] before it is written, so that
//! also what was put together in another way has no invisible characters.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::marker::PhantomData;

/// A kind of document, in which text is escaped in its own way.
pub trait Kind {
    /// Adds text to a document so that it shows as it is. Invisible characters are written as numbers before.
    fn escape(text: &str, out: &mut String);
}

/// A document, or a part of one.
pub struct Document<K> {
    content: String,
    kind: PhantomData<K>,
}

impl<K: Kind> Document<K> {
    /// An empty document.
    #[must_use]
    pub fn new() -> Self {
        Self {
            content: String::new(),
            kind: PhantomData,
        }
    }

    /// Text from anywhere, escaped.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::new().text(text)
    }

    /// Adds markup of this program.
    #[must_use]
    pub fn markup(mut self, markup: &'static str) -> Self {
        self.content.push_str(markup);
        self
    }

    /// Adds text from anywhere, escaped.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.text_as::<K>(text)
    }

    /// Adds text from anywhere, escaped as in another kind of document, which is part of this kind.
    #[must_use]
    pub fn text_as<P: Kind>(mut self, text: &str) -> Self {
        P::escape(&visible(text), &mut self.content);
        self
    }

    /// Adds a number.
    #[must_use]
    pub fn number(mut self, number: impl Into<u64>) -> Self {
        let _ = write!(self.content, "{}", number.into());
        self
    }

    /// Adds another document of this kind.
    #[must_use]
    pub fn part(mut self, part: &Self) -> Self {
        self.content.push_str(&part.content);
        self
    }

    /// Whether nothing was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.content.is_empty()
    }

    /// The document as it is written.
    #[must_use]
    pub fn into_string(self) -> String {
        self.content
    }
}

impl<K: Kind> Default for Document<K> {
    fn default() -> Self {
        Self::new()
    }
}

/// Markdown of GitHub and GitLab, on one line of a table.
pub struct Markdown;

impl Kind for Markdown {
    fn escape(text: &str, out: &mut String) {
        let is_behind = |out: &str, end: &str| {
            let start = out.len().saturating_sub(end.len());
            out.get(start..)
                .is_some_and(|x| x.eq_ignore_ascii_case(end))
        };
        for character in text.chars() {
            match character {
                '\n' => out.push_str("<br>"),
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                // A character without width keeps people and teams from being mentioned, and issues from being linked.
                // Within a word, as in the name of a machine, nobody is.
                '@' if !out.ends_with(|x: char| x.is_ascii_alphanumeric()) => {
                    out.push_str("@&#8203;");
                }
                '#' => out.push_str("\\#&#8203;"),
                // Nothing is linked: no address starts with a scheme or `www.` any more.
                '/' if is_behind(out, ":") => out.push_str("&#8203;/"),
                '.' if is_behind(out, "www") => out.push_str("&#46;"),
                '\\' | '|' | '*' | '_' | '[' | ']' | '`' | '~' | '!' | '$' => {
                    out.push('\\');
                    out.push(character);
                }
                other => out.push(other),
            }
        }
    }
}

/// XML 1.0, in elements and attributes.
pub struct Xml;

impl Kind for Xml {
    fn escape(text: &str, out: &mut String) {
        for character in text.chars() {
            match character {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                '\n' => out.push_str("&#10;"),
                '\t' => out.push_str("&#9;"),
                // XML does not allow these, not even as numbers.
                '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
                other => out.push(other),
            }
        }
    }
}

/// The message of a workflow command of GitHub.
pub struct WorkflowCommand;

impl Kind for WorkflowCommand {
    fn escape(text: &str, out: &mut String) {
        // An older form of commands may stand anywhere in a line.
        let text = text.replace("##[", "# #[").replace('%', "%25");
        out.push_str(&text.replace('\r', "%0D").replace('\n', "%0A"));
    }
}

/// The value of a property of a workflow command of GitHub.
pub struct CommandProperty;

impl Kind for CommandProperty {
    fn escape(text: &str, out: &mut String) {
        let mut message = String::new();
        WorkflowCommand::escape(text, &mut message);
        out.push_str(&message.replace(':', "%3A").replace(',', "%2C"));
    }
}

/// Text in which all is visible: characters that control a terminal, or the direction of text, are written as numbers,
/// `\u202e`, which JSON reads as the character. Ends of lines and tabs stay.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for character in text.replace("\r\n", "\n").chars() {
        match is_invisible(character) {
            true => push_number(character, &mut out),
            false => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// Text for a terminal or the log of a CI server: as in [`visible`], but with the colours that diagnostics have. No line
/// is a command of GitHub, Azure or TeamCity: these start with `::`, or have `##[` or `##name[` in them.
#[must_use]
pub fn log_text(text: &str, colour: crate::Colour) -> Cow<'_, str> {
    without_commands(match colour {
        crate::Colour::Always => visible_but_colours(text),
        crate::Colour::Never => visible(text),
    })
}

/// Text as in [`visible`], but with its colours.
fn visible_but_colours(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return visible(text);
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&visible(&rest[..at]));
        rest = &rest[at..];
        match colour_code(rest) {
            Some(code) => {
                out.push_str(code);
                rest = &rest[code.len()..];
            }
            None => {
                push_number('\u{1b}', &mut out);
                rest = &rest[1..];
            }
        }
    }
    out.push_str(&visible(rest));
    Cow::Owned(out)
}

/// A path or name on one line, as messages show it.
#[must_use]
pub fn visible_name(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        match character.is_control() || is_invisible(character) {
            true => push_number(character, &mut out),
            false => out.push(character),
        }
    }
    out
}

/// Whether all characters of a name are visible, and none ends a line.
#[must_use]
pub fn is_visible_name(name: &str) -> bool {
    !name.contains(|x: char| x.is_control() || is_invisible(x))
}

/// Text with its invisible characters replaced by others of as many bytes, for excerpts whose places are marked.
pub(crate) fn visible_in_place(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let in_place = |x: char| match (is_invisible(x), x.len_utf8()) {
        (false, _) => x,
        (true, 1) => '?',
        (true, 2) => '¿',
        (true, 3) => '\u{fffd}',
        (true, _) => '\u{1f6c7}',
    };
    Cow::Owned(text.chars().map(in_place).collect())
}

/// Controls but for ends of lines and tabs; marks of direction, of width zero, and tags.
fn is_invisible(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

/// `\u202e`, and two such numbers for a character beyond the first 65,536, as in JSON.
fn push_number(character: char, out: &mut String) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// The escape sequence at the beginning of a text, if it chooses a colour or weight that hides nothing.
fn colour_code(text: &str) -> Option<&str> {
    let codes = text.strip_prefix("\u{1b}[")?;
    let length = codes.find(|x: char| !x.is_ascii_digit() && x != ';')?;
    let is_harmless = |code: &str| {
        let code = code.parse().unwrap_or(0);
        matches!(code, 0..=4 | 22..=24 | 31..=36 | 39 | 91..=96)
    };
    let is_colour = codes[length..].starts_with('m') && codes[..length].split(';').all(is_harmless);
    is_colour.then(|| &text[..2 + length + 1])
}

/// Text in which no line is a command of a CI server.
fn without_commands(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains("::") && !text.contains("##") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let content = line.trim_start();
        let (margin, mut rest) = line.split_at(line.len() - content.len());
        out.push_str(margin);
        if let Some(behind) = rest.strip_prefix("::") {
            out.push_str(": :");
            rest = behind;
        }
        while let Some((before, behind)) = rest.split_once("##") {
            let name = behind.trim_start_matches(|x: char| x.is_ascii_alphanumeric());
            out.push_str(before);
            out.push_str(if name.starts_with('[') { "# #" } else { "##" });
            rest = behind;
        }
        out.push_str(rest);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Colour;

    #[test]
    fn markdown_mentions_and_links_nobody() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Document::<Markdown>::of(text).into_string(), expected);
        };
        check("a|b *c*\n<i>", "a\\|b \\*c\\*<br>&lt;i>");
        check("@team (@me) -@a", "@&#8203;team (@&#8203;me) -@&#8203;a");
        check("spr@5c17", "spr@5c17");
        check("fixes #1", "fixes \\#&#8203;1");
        check("[x](https://e.org)", "\\[x\\](https:&#8203;//e.org)");
        check("www.e.org is below.", "www&#46;e.org is below.");
        check("![x]", "\\!\\[x\\]");
        check("a\u{202e}b\u{1b}[2J", "a\\\\u202eb\\\\u001b\\[2J");
    }

    #[test]
    fn workflow_commands_stay_one_line() {
        let document = Document::<WorkflowCommand>::new()
            .markup("::error file=")
            .text_as::<CommandProperty>("a,b:c\n")
            .markup("::")
            .text("100 %\n::error::x");
        let expected = "::error file=a%2Cb%3Ac%0A::100 %25%0A::error::x";
        assert_eq!(document.into_string(), expected);
    }

    #[test]
    fn logs_have_colours_and_nothing_else_of_a_terminal() {
        let check = |text: &str, expected: &str| {
            assert_eq!(log_text(text, Colour::Always), expected, "{text:?}");
        };
        check("\u{1b}[31mred\u{1b}[0m", "\u{1b}[31mred\u{1b}[0m");
        check("\u{1b}[1;36mx", "\u{1b}[1;36mx");
        // Concealed, black, and erased; a link; a title; a carriage return.
        check("\u{1b}[8mx", "\\u001b[8mx");
        check("\u{1b}[30mx\u{1b}[2J", "\\u001b[30mx\\u001b[2J");
        check("\u{1b}]8;;e.org\u{7}x", "\\u001b]8;;e.org\\u0007x");
        check("\u{9b}2Jx\ry\r\nz\u{1b}", "\\u009b2Jx\\u000dy\nz\\u001b");
        assert_eq!(log_text("\u{1b}[31mx", Colour::Never), "\\u001b[31mx");
    }

    #[test]
    fn no_line_of_a_log_is_a_command() {
        let check = |text: &str, expected: &str| {
            assert_eq!(log_text(text, Colour::Never), expected, "{text:?}");
        };
        check(
            "::error::x\n  ::add-mask::y\n",
            ": :error::x\n  : :add-mask::y\n",
        );
        check("a ::error::x", "a ::error::x");
        check("x ##[group]y ##vso[task]z", "x # #[group]y # #vso[task]z");
        check("## Heading\n### [x]", "## Heading\n### [x]");
    }

    #[test]
    fn what_is_invisible_is_written_as_json_reads_it() {
        let text = "a\u{202e}b\u{7f}\u{e0041}\u{feff}";
        assert_eq!(visible(text), "a\\u202eb\\u007f\\udb40\\udc41\\ufeff");
        let json = serde_json::to_string(text).expect("text");
        let read: String = serde_json::from_str(&visible(&json)).expect("JSON");
        assert_eq!(read, text);
        assert_eq!(visible("é 漢\tk\n"), "é 漢\tk\n");
    }

    #[test]
    fn names_are_on_one_line_and_excerpts_keep_their_places() {
        assert_eq!(visible_name("a\nb\t\u{1b}c"), "a\\u000ab\\u0009\\u001bc");
        assert!(is_visible_name("src/ä b.c") && !is_visible_name("a\nb.c"));
        let text = "a\u{1b}\u{9b}\u{202e}\u{e0041}b";
        let shown = visible_in_place(text);
        assert_eq!(
            (shown.len(), shown.contains(is_invisible)),
            (text.len(), false)
        );
    }
}
