//! Colour for terminals; it never carries meaning alone.

/// Whether text may be coloured with ANSI escapes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colour {
    /// It may.
    Always,
    /// It may not.
    Never,
}

/// The style of a piece of text where colour is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Style {
    Bold,
    Dim,
    Hot,
    Warm,
    Mild,
}

impl Colour {
    /// The text in that style, or unchanged.
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        if self == Self::Never || text.trim().is_empty() {
            return text.to_owned();
        }
        let code = match style {
            Style::Bold => "1",
            Style::Dim => "2",
            Style::Hot => "31",
            Style::Warm => "33",
            Style::Mild => "36",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
