//! Argument substitution, `#`, `##` and `__VA_OPT__` (C11 6.10.3.1 to 6.10.3.3).

use premiss_source::Span;

use super::budget::Limit;
use super::lex::Lexer;
use super::macros::{Macro, Piece, Use};
use super::state::Preprocessor;
use super::token::{Kind, Name, Token};

/// The arguments of one invocation; each is fully expanded at most once.
struct Arguments<'a> {
    raw: &'a [Vec<Token>],
    expanded: Vec<Option<Vec<Token>>>,
}

/// The replacement built so far.
struct Replacement {
    /// The invocation.
    span: Span,
    tokens: Vec<Token>,
    /// Whether `##` precedes the next token.
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

/// The replacement list of a macro with arguments substituted; `span` is the invocation.
pub(super) fn substitute(
    ctx: &mut Preprocessor,
    definition: &Macro,
    arguments: &[Vec<Token>],
    span: Span,
) -> Vec<Token> {
    let mut arguments = Arguments {
        raw: arguments,
        expanded: vec![None; arguments.len()],
    };
    let mut replacement = Replacement::new(span);
    substitute_pieces(ctx, &definition.body, &mut arguments, &mut replacement);
    let mut tokens = replacement.tokens;
    tokens.retain(|token| token.kind != Kind::Placemarker);
    tokens
}

fn substitute_pieces(
    ctx: &mut Preprocessor,
    pieces: &[Piece],
    arguments: &mut Arguments<'_>,
    to: &mut Replacement,
) {
    let span = to.span;
    for piece in pieces {
        if ctx.budget.is_over() {
            return;
        }
        match piece {
            Piece::Paste => to.paste = true,
            Piece::Token(token) => append(ctx, to, with_span(*token, span)),
            Piece::CommaBefore { parameter, token } => {
                if arguments
                    .raw
                    .get(*parameter)
                    .is_some_and(|raw| !raw.is_empty())
                {
                    append(ctx, to, with_span(*token, span));
                }
            }
            Piece::Argument {
                parameter,
                token,
                argument_use,
            } => {
                substitute_argument(
                    ctx,
                    *parameter,
                    with_span(*token, span),
                    *argument_use,
                    arguments,
                    to,
                );
            }
            Piece::IfArguments {
                body,
                token,
                stringify,
            } => {
                let token = with_span(*token, span);
                substitute_optional(ctx, body, token, *stringify, arguments, to);
            }
        }
    }
}

fn substitute_argument(
    ctx: &mut Preprocessor,
    parameter: usize,
    token: Token,
    argument_use: Use,
    arguments: &mut Arguments<'_>,
    to: &mut Replacement,
) {
    let Some(raw) = arguments.raw.get(parameter) else {
        return;
    };
    match argument_use {
        Use::Stringified => {
            let string = stringized(ctx, raw, token);
            append(ctx, to, string);
        }
        Use::Raw => {
            let raw = raw.clone();
            append_all(ctx, to, &raw, token);
        }
        Use::Expanded => {
            expand_argument(ctx, parameter, arguments);
            if let Some(Some(expanded)) = arguments.expanded.get(parameter) {
                append_all(ctx, to, expanded, token);
            }
        }
    }
}

fn substitute_optional(
    ctx: &mut Preprocessor,
    body: &[Piece],
    token: Token,
    stringify: bool,
    arguments: &mut Arguments<'_>,
    to: &mut Replacement,
) {
    let last = arguments.raw.len().wrapping_sub(1);
    expand_argument(ctx, last, arguments);
    let wanted = matches!(arguments.expanded.get(last), Some(Some(tokens)) if !tokens.is_empty());
    let mut inner = Replacement::new(to.span);
    if wanted {
        substitute_pieces(ctx, body, arguments, &mut inner);
    }
    if stringify {
        let string = stringized(ctx, &inner.tokens, token);
        append(ctx, to, string);
    } else {
        append_all(ctx, to, &inner.tokens, token);
    }
}

/// Expands an argument as if it were the rest of the file (C11 6.10.3.1).
fn expand_argument(ctx: &mut Preprocessor, parameter: usize, arguments: &mut Arguments<'_>) {
    let (Some(raw), Some(slot @ None)) = (
        arguments.raw.get(parameter),
        arguments.expanded.get_mut(parameter),
    ) else {
        return;
    };
    if ctx.argument_depth >= Limit::ArgumentDepth.value() {
        ctx.budget.exceed(Limit::ArgumentDepth);
        return;
    }
    let is_plain =
        |token: &Token| token.kind != Kind::Identifier || ctx.macros.get(token.name).is_none();
    if raw.iter().all(is_plain) {
        ctx.budget.charge(raw.len());
        *slot = Some(raw.clone());
        return;
    }
    ctx.argument_depth += 1;
    *slot = Some(ctx.expand_whole(raw.clone()));
    ctx.argument_depth -= 1;
}

/// Appends an argument in place of its parameter.
fn append_all(ctx: &mut Preprocessor, to: &mut Replacement, tokens: &[Token], parameter: Token) {
    ctx.budget.charge(tokens.len());
    let Some((first, rest)) = tokens.split_first() else {
        let kind = Kind::Placemarker;
        append(
            ctx,
            to,
            Token {
                kind,
                name: Name::EMPTY,
                ..parameter
            },
        );
        return;
    };
    append(ctx, to, first.spaced_as(&parameter));
    to.tokens.extend_from_slice(rest);
}

fn append(ctx: &mut Preprocessor, to: &mut Replacement, token: Token) {
    if !std::mem::take(&mut to.paste) {
        to.tokens.push(token);
        return;
    }
    match to.tokens.pop() {
        None => to.tokens.push(token),
        Some(left) => paste(ctx, to, left, token),
    }
}

/// `left ## right`.
fn paste(ctx: &mut Preprocessor, to: &mut Replacement, left: Token, right: Token) {
    if right.kind == Kind::Placemarker {
        to.tokens.push(left);
        return;
    }
    if left.kind == Kind::Placemarker {
        to.tokens.push(right.spaced_as(&left));
        return;
    }
    let mut spelling = ctx.names.spelling(left.name).to_owned();
    spelling.push_str(ctx.names.spelling(right.name));
    ctx.budget.charge(spelling.len() / 4);
    match single_token(ctx, &spelling) {
        Some(token) => to.tokens.push(with_span(token, to.span).spaced_as(&left)),
        None => {
            ctx.invalid_paste(&spelling, to.span);
            to.tokens.extend([left, right]);
        }
    }
}

/// The single token with a spelling, if it is one.
fn single_token(ctx: &mut Preprocessor, spelling: &str) -> Option<Token> {
    let mut lexer = Lexer::new(ctx.main);
    let token = lexer.next(spelling, &mut ctx.names)?;
    let whole = token.span.end as usize == spelling.len() && lexer.flaws.is_empty();
    let known = token.kind != Kind::Other;
    (whole && known && token.span.start == 0).then_some(token)
}

/// `#` applied to the tokens of an argument; the result replaces `token`.
fn stringized(ctx: &mut Preprocessor, tokens: &[Token], token: Token) -> Token {
    let mut literal = String::from("\"");
    for (idx, part) in tokens.iter().enumerate() {
        if idx > 0 && part.spaced() {
            literal.push(' ');
        }
        let spelling = ctx.names.spelling(part.name);
        let escape = matches!(part.kind, Kind::String | Kind::Character);
        for character in spelling.chars() {
            if escape && matches!(character, '"' | '\\') {
                literal.push('\\');
            }
            literal.push(character);
        }
    }
    literal.push('"');
    ctx.budget.charge(literal.len() / 4);
    let name = ctx.names.intern(&literal);
    Token {
        kind: Kind::String,
        name,
        ..token
    }
}

/// A token of a replacement list with the place of the invocation.
fn with_span(token: Token, span: Span) -> Token {
    Token {
        span,
        from_macro: true,
        newline: false,
        ..token
    }
}
