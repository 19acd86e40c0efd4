//! Preprocessing tokens and the table of their spellings.

use rustc_hash::FxHashMap;
use std::rc::Rc;

use premiss_source::Span;

/// An interned spelling; equal spellings have equal names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Name(u32);

impl Name {
    /// An index for tables by name.
    pub(super) fn idx(self) -> usize {
        self.0 as usize
    }
}

/// The kinds of preprocessing tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Identifier,
    Number,
    Character,
    String,
    Punctuator,
    /// Anything else: a lone quote, a byte that starts no token.
    Other,
    /// The empty operand of `##`; never leaves a substitution.
    Placemarker,
}

/// One preprocessing token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) name: Name,
    /// The place shown in reports: its own, or the outermost invocation that it comes from.
    pub(super) span: Span,
    /// Whether white space precedes it.
    pub(super) space: bool,
    /// Whether it is the first token of its line.
    pub(super) newline: bool,
    /// Whether it comes from a macro's replacement list.
    pub(super) from_macro: bool,
    /// Whether it is a macro name found within its own replacement, which is never expanded.
    pub(super) painted: bool,
}

impl Token {
    pub(super) fn is(&self, punctuator: Name) -> bool {
        self.kind == Kind::Punctuator && self.name == punctuator
    }

    /// Whether white space or a line break precedes it.
    pub(super) fn spaced(&self) -> bool {
        self.space || self.newline
    }

    /// The same token with the preceding white space of `other`.
    pub(super) fn spaced_as(mut self, other: &Self) -> Self {
        self.space = other.space;
        self.newline = other.newline;
        self
    }
}

/// All spellings so far in the files of a program; the default table does not contain the predefined ones.
#[derive(Debug, Default)]
pub(super) struct Names {
    spellings: Vec<Rc<str>>,
    by_spelling: FxHashMap<Rc<str>, Name>,
}

macro_rules! known_names {
    ($($constant:ident = $spelling:literal,)*) => {
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($constant,)* }
        impl Name {
            $(pub(super) const $constant: Self = Self(Order::$constant as u32);)*
        }
        const KNOWN: &[&str] = &[$($spelling,)*];
    };
}

known_names! {
    EMPTY = "",
    ELLIPSIS = "...",
    SHIFT_LEFT_ASSIGN = "<<=",
    SHIFT_RIGHT_ASSIGN = ">>=",
    ARROW = "->",
    INCREMENT = "++",
    DECREMENT = "--",
    SHIFT_LEFT = "<<",
    SHIFT_RIGHT = ">>",
    LESS_EQUAL = "<=",
    GREATER_EQUAL = ">=",
    EQUAL = "==",
    NOT_EQUAL = "!=",
    AND_AND = "&&",
    OR_OR = "||",
    TIMES_ASSIGN = "*=",
    DIVIDE_ASSIGN = "/=",
    REMAINDER_ASSIGN = "%=",
    ADD_ASSIGN = "+=",
    SUBTRACT_ASSIGN = "-=",
    AND_ASSIGN = "&=",
    XOR_ASSIGN = "^=",
    OR_ASSIGN = "|=",
    PASTE = "##",
    HASH = "#",
    LEFT_PARENTHESIS = "(",
    RIGHT_PARENTHESIS = ")",
    LEFT_BRACKET = "[",
    RIGHT_BRACKET = "]",
    LEFT_BRACE = "{",
    RIGHT_BRACE = "}",
    DOT = ".",
    AMPERSAND = "&",
    STAR = "*",
    PLUS = "+",
    MINUS = "-",
    TILDE = "~",
    NOT = "!",
    SLASH = "/",
    PERCENT = "%",
    LESS = "<",
    GREATER = ">",
    CARET = "^",
    PIPE = "|",
    QUESTION = "?",
    COLON = ":",
    SEMICOLON = ";",
    ASSIGN = "=",
    COMMA = ",",
    ZERO = "0",
    ONE = "1",
    DEFINED = "defined",
    VA_ARGS = "__VA_ARGS__",
    VA_OPT = "__VA_OPT__",
    PRAGMA = "_Pragma",
    HAS_INCLUDE = "__has_include",
    HAS_INCLUDE_NEXT = "__has_include_next",
    FILE = "__FILE__",
    BASE_FILE = "__BASE_FILE__",
    LINE = "__LINE__",
    COUNTER = "__COUNTER__",
    INCLUDE_LEVEL = "__INCLUDE_LEVEL__",
}

impl Names {
    pub(super) fn new() -> Self {
        let mut names = Self {
            spellings: Vec::new(),
            by_spelling: FxHashMap::default(),
        };
        for spelling in KNOWN {
            names.intern(spelling);
        }
        names
    }

    /// The name of a spelling.
    ///
    /// There are never 2^32 names, for lack of memory.
    pub(super) fn intern(&mut self, spelling: &str) -> Name {
        if let Some(&name) = self.by_spelling.get(spelling) {
            return name;
        }
        let name = Name(u32::try_from(self.spellings.len()).unwrap_or(u32::MAX));
        let shared: Rc<str> = spelling.into();
        self.spellings.push(Rc::clone(&shared));
        self.by_spelling.insert(shared, name);
        name
    }

    /// The spelling of a name.
    pub(super) fn spelling(&self, name: Name) -> &str {
        self.spellings.get(name.idx()).map_or("", |text| text)
    }

    /// The spelling, for use while other names are added.
    pub(super) fn shared(&self, name: Name) -> Rc<str> {
        self.spellings
            .get(name.idx())
            .map_or_else(|| "".into(), Rc::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_spellings_have_their_constants() {
        let mut names = Names::new();
        assert_eq!(names.intern("<<="), Name::SHIFT_LEFT_ASSIGN);
        assert_eq!(names.intern("defined"), Name::DEFINED);
        assert_eq!(names.spelling(Name::COMMA), ",");
    }
}
