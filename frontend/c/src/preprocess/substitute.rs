//! Argument substitution, `#`, `##` and `__VA_OPT__` (C11 6.10.3.1 to 6.10.3.3).

use premiss_source::Span;

use super::Preprocessor;
use super::budget::Limit;
use super::lex::Lexer;
use super::macros::{Macro, Piece, Use};
use super::token::{Kind, Name, Token};

/// The arguments of one invocation; each is fully expanded at most once.
struct Arguments<'a> {
    raw: &'a [Vec<Token>],
    expanded: Vec<Option<Vec<Token>>>,
}

/// The replacement as far as it is built.
struct Replacement {
    /// The invocation.
    span: Span,
    tokens: Vec<Token>,
    /// `##` stands before what comes next.
    paste: bool,
}

impl Replacement {
    fn new(span: Span) -> Self {
        Self {
            span,
            tokens: Vec::new(),
            paste: false,
        }
    }
}

impl Preprocessor<'_> {
    /// The replacement list of a macro with its arguments put in; `span` is the invocation.
    pub(super) fn substitute(
        &mut self,
        definition: &Macro,
        arguments: &[Vec<Token>],
        span: Span,
    ) -> Vec<Token> {
        let mut arguments = Arguments {
            raw: arguments,
            expanded: vec![None; arguments.len()],
        };
        let mut replacement = Replacement::new(span);
        self.substitute_pieces(&definition.body, &mut arguments, &mut replacement);
        let mut tokens = replacement.tokens;
        tokens.retain(|token| token.kind != Kind::Placemarker);
        tokens
    }

    fn substitute_pieces(
        &mut self,
        pieces: &[Piece],
        arguments: &mut Arguments<'_>,
        to: &mut Replacement,
    ) {
        let span = to.span;
        for piece in pieces {
            if self.budget.is_over() {
                return;
            }
            match piece {
                Piece::Paste => to.paste = true,
                Piece::Token(token) => self.append(to, made(*token, span)),
                Piece::CommaBefore { parameter, token } => {
                    if arguments
                        .raw
                        .get(*parameter)
                        .is_some_and(|raw| !raw.is_empty())
                    {
                        self.append(to, made(*token, span));
                    }
                }
                Piece::Argument {
                    parameter,
                    token,
                    how,
                } => {
                    self.substitute_argument(*parameter, made(*token, span), *how, arguments, to);
                }
                Piece::IfArguments {
                    body,
                    token,
                    stringify,
                } => {
                    let token = made(*token, span);
                    self.substitute_optional(body, token, *stringify, arguments, to);
                }
            }
        }
    }

    fn substitute_argument(
        &mut self,
        parameter: usize,
        token: Token,
        how: Use,
        arguments: &mut Arguments<'_>,
        to: &mut Replacement,
    ) {
        let Some(raw) = arguments.raw.get(parameter) else {
            return;
        };
        match how {
            Use::Stringified => {
                let string = self.stringify(raw, token);
                self.append(to, string);
            }
            Use::Raw => {
                let raw = raw.clone();
                self.append_all(to, &raw, token);
            }
            Use::Expanded => {
                self.expand_argument(parameter, arguments);
                if let Some(Some(expanded)) = arguments.expanded.get(parameter) {
                    self.append_all(to, expanded, token);
                }
            }
        }
    }

    fn substitute_optional(
        &mut self,
        body: &[Piece],
        token: Token,
        stringify: bool,
        arguments: &mut Arguments<'_>,
        to: &mut Replacement,
    ) {
        let last = arguments.raw.len().wrapping_sub(1);
        self.expand_argument(last, arguments);
        let wanted =
            matches!(arguments.expanded.get(last), Some(Some(tokens)) if !tokens.is_empty());
        let mut inner = Replacement::new(to.span);
        if wanted {
            self.substitute_pieces(body, arguments, &mut inner);
        }
        if stringify {
            let string = self.stringify(&inner.tokens, token);
            self.append(to, string);
        } else {
            self.append_all(to, &inner.tokens, token);
        }
    }

    /// Expands an argument as if it were the rest of the file.
    fn expand_argument(&mut self, parameter: usize, arguments: &mut Arguments<'_>) {
        let (Some(raw), Some(slot @ None)) = (
            arguments.raw.get(parameter),
            arguments.expanded.get_mut(parameter),
        ) else {
            return;
        };
        if self.argument_depth >= Limit::ArgumentDepth.value() {
            self.budget.exceed(Limit::ArgumentDepth);
            return;
        }
        let is_plain =
            |token: &Token| token.kind != Kind::Identifier || self.macros.get(token.name).is_none();
        if raw.iter().all(is_plain) {
            self.budget.charge(raw.len());
            *slot = Some(raw.clone());
            return;
        }
        self.argument_depth += 1;
        *slot = Some(self.expand_whole(raw.clone()));
        self.argument_depth -= 1;
    }

    /// Appends an argument in the place of its parameter.
    fn append_all(&mut self, to: &mut Replacement, tokens: &[Token], parameter: Token) {
        self.budget.charge(tokens.len());
        let Some((first, rest)) = tokens.split_first() else {
            let kind = Kind::Placemarker;
            self.append(
                to,
                Token {
                    kind,
                    name: Name::EMPTY,
                    ..parameter
                },
            );
            return;
        };
        self.append(to, first.spaced_as(&parameter));
        to.tokens.extend_from_slice(rest);
    }

    fn append(&mut self, to: &mut Replacement, token: Token) {
        if !std::mem::take(&mut to.paste) {
            to.tokens.push(token);
            return;
        }
        match to.tokens.pop() {
            None => to.tokens.push(token),
            Some(left) => self.paste(to, left, token),
        }
    }

    /// `left ## right`.
    fn paste(&mut self, to: &mut Replacement, left: Token, right: Token) {
        if right.kind == Kind::Placemarker {
            to.tokens.push(left);
            return;
        }
        if left.kind == Kind::Placemarker {
            to.tokens.push(right.spaced_as(&left));
            return;
        }
        let mut spelling = self.names.spelling(left.name).to_owned();
        spelling.push_str(self.names.spelling(right.name));
        self.budget.charge(spelling.len() / 4);
        match self.single_token(&spelling) {
            Some(token) => to.tokens.push(made(token, to.span).spaced_as(&left)),
            None => {
                self.invalid_paste(&spelling, to.span);
                to.tokens.extend([left, right]);
            }
        }
    }

    /// The token that a spelling is, if it is one.
    fn single_token(&mut self, spelling: &str) -> Option<Token> {
        let mut lexer = Lexer::new(self.main);
        let token = lexer.next(spelling, &mut self.names)?;
        let whole = token.span.end as usize == spelling.len() && lexer.flaws.is_empty();
        let known = token.kind != Kind::Other;
        (whole && known && token.span.start == 0).then_some(token)
    }

    /// `#` applied to the tokens of an argument; the result takes the place of `token`.
    fn stringify(&mut self, tokens: &[Token], token: Token) -> Token {
        let mut literal = String::from("\"");
        for (idx, part) in tokens.iter().enumerate() {
            if idx > 0 && part.spaced() {
                literal.push(' ');
            }
            let spelling = self.names.spelling(part.name);
            let escape = matches!(part.kind, Kind::String | Kind::Character);
            for character in spelling.chars() {
                if escape && matches!(character, '"' | '\\') {
                    literal.push('\\');
                }
                literal.push(character);
            }
        }
        literal.push('"');
        self.budget.charge(literal.len() / 4);
        let name = self.names.intern(&literal);
        Token {
            kind: Kind::String,
            name,
            ..token
        }
    }
}

/// A token of a replacement list, at the invocation that it comes from.
fn made(token: Token, span: Span) -> Token {
    Token {
        span,
        from_macro: true,
        newline: false,
        ..token
    }
}
