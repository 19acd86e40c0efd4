//! Macro expansion and rescanning (C11 6.10.3).
//!
//! Tokens come from a stack of *contexts*: replacement lists being rescanned, on top of the file. While a macro's
//! replacement is on the stack, its name is *open*: a token of that name is painted and never expanded. This is the
//! hide-set algorithm with the sets represented by the stack. With `#define f(a) a*g` and `#define g(a) f(a)`,
//! `f(2)(9)` becomes `2*9*g`.

use super::source_tokens;
use super::substitute;
use std::rc::Rc;

use premiss_source::Span;

use super::budget::Limit;
use super::macros::{Macro, Parameters, Shape};
use super::state::{Context, Preprocessor, Role};
use super::token::{Kind, Name, Token};

/// The arguments of an invocation, and its closing parenthesis.
struct Invocation {
    arguments: Vec<Vec<Token>>,
    close: Token,
}

/// The result of looking for the arguments of an invocation.
enum Collected {
    Arguments(Invocation),
    /// No `(` follows: the name is not an invocation.
    NoInvocation,
    /// The file ends before `)`; these tokens were read.
    Unterminated(Vec<Token>),
}

/// Expands the rest of a directive; empty if that exceeds a limit.
pub(super) fn expand_line(ctx: &mut Preprocessor, tokens: Vec<Token>) -> Vec<Token> {
    let Some(&first) = tokens.first() else {
        return tokens;
    };
    let (outer, spent) = (ctx.budget.suspend(), ctx.budget.spent());
    ctx.budget.start_invocation(first, ctx.output.mark());
    let mut expanded = ctx.expand_whole(tokens);
    if let Some((limit, invocation)) = ctx.budget.end_invocation() {
        ctx.invocation_over_limit(limit, invocation);
        expanded.clear();
    }
    ctx.budget.resume(outer, spent);
    expanded
}

/// The next token after macro expansion; `None` at the end of the file or of a list that is expanded separately.
pub(super) fn next_expanded(ctx: &mut Preprocessor) -> Option<Token> {
    loop {
        let token = next_unexpanded(ctx)?;
        if token.kind != Kind::Identifier || token.painted {
            return Some(token);
        }
        let Some(definition) = ctx.macros.get(token.name) else {
            return Some(token);
        };
        let definition = Rc::clone(definition);
        if let Some(token) = expand(ctx, token, &definition) {
            return Some(token);
        }
    }
}

/// The full expansion of a list of tokens that nothing follows.
pub(super) fn expand_whole(ctx: &mut Preprocessor, tokens: Vec<Token>) -> Vec<Token> {
    push_context(ctx, tokens, Role::Whole);
    let mut expanded = Vec::new();
    while let Some(token) = next_expanded(ctx) {
        expanded.push(token);
    }
    ctx.contexts.pop();
    expanded
}

fn next_unexpanded(ctx: &mut Preprocessor) -> Option<Token> {
    let mut token = loop {
        let Some(context) = ctx.contexts.last_mut() else {
            break source_tokens::next_in_file(ctx)?;
        };
        if ctx.budget.is_over() {
            context.pos = context.tokens.len();
        }
        if let Some(&token) = context.tokens.get(context.pos) {
            context.pos += 1;
            break token;
        }
        match context.role {
            Role::Whole => return None,
            Role::PutBack => {}
            Role::Replacement(name) => ctx.macros.close(name),
        }
        ctx.contexts.pop();
    };
    if token.kind == Kind::Identifier && ctx.macros.is_open(token.name) {
        token.painted = true;
    }
    Some(token)
}

/// Replaces a macro name by a context with its replacement; returns a token if there is nothing to rescan.
fn expand(ctx: &mut Preprocessor, token: Token, definition: &Rc<Macro>) -> Option<Token> {
    if ctx.contexts.is_empty() {
        ctx.budget.start_invocation(token, ctx.output.mark());
    }
    match &definition.shape {
        Shape::Dynamic => Some(dynamic_macro(ctx, token)),
        Shape::Object => {
            let span = token.span;
            let tokens = substitute::substitute(ctx, definition, &[], span);
            push_replacement(ctx, token, tokens);
            None
        }
        Shape::Function(parameters) => expand_function(ctx, token, definition, parameters),
    }
}

fn expand_function(
    ctx: &mut Preprocessor,
    mut name: Token,
    definition: &Macro,
    parameters: &Parameters,
) -> Option<Token> {
    let invocation = match collect_arguments(ctx, parameters) {
        Collected::Arguments(invocation) => invocation,
        Collected::NoInvocation => return Some(name),
        Collected::Unterminated(read) => {
            ctx.unterminated_invocation(name);
            push_context(ctx, read, Role::PutBack);
            name.painted = true;
            return Some(name);
        }
    };
    let span = name.span.cover(invocation.close.span);
    match match_parameters(ctx, name, span, invocation, parameters) {
        Some(arguments) => {
            let tokens = substitute::substitute(ctx, definition, &arguments, span);
            push_replacement(ctx, name, tokens);
            None
        }
        None => {
            name.painted = true;
            Some(name)
        }
    }
}

fn push_replacement(ctx: &mut Preprocessor, name: Token, mut tokens: Vec<Token>) {
    if let Some(first) = tokens.first_mut() {
        *first = first.spaced_as(&name);
    }
    ctx.macros.open(name.name);
    push_context(ctx, tokens, Role::Replacement(name.name));
}

fn push_context(ctx: &mut Preprocessor, tokens: Vec<Token>, role: Role) {
    ctx.budget.charge(tokens.len() + 1);
    ctx.contexts.push(Context {
        tokens,
        pos: 0,
        role,
    });
    if ctx.contexts.len() > Limit::ExpansionDepth.value() {
        ctx.budget.exceed(Limit::ExpansionDepth);
    }
}

fn collect_arguments(ctx: &mut Preprocessor, parameters: &Parameters) -> Collected {
    let Some(open) = next_unexpanded(ctx) else {
        return Collected::NoInvocation;
    };
    if !open.is(Name::LEFT_PARENTHESIS) {
        push_context(ctx, vec![open], Role::PutBack);
        return Collected::NoInvocation;
    }
    let mut arguments = Vec::new();
    let mut argument = Vec::new();
    let mut depth = 0_usize;
    loop {
        let Some(token) = next_unexpanded(ctx) else {
            return Collected::Unterminated(as_written(open, arguments, argument));
        };
        ctx.budget.charge(1);
        let is_last = arguments.len() + 1 == parameters.names.len();
        let takes_rest = parameters.variadic && is_last;
        if depth == 0 && token.is(Name::RIGHT_PARENTHESIS) {
            arguments.push(argument);
            return Collected::Arguments(Invocation {
                arguments,
                close: token,
            });
        }
        if depth == 0 && token.is(Name::COMMA) && !takes_rest {
            arguments.push(std::mem::take(&mut argument));
            continue;
        }
        if token.is(Name::LEFT_PARENTHESIS) {
            depth += 1;
        } else if token.is(Name::RIGHT_PARENTHESIS) {
            depth -= 1;
        }
        argument.push(token);
    }
}

/// One argument for each parameter; puts the tokens back if their number does not match.
fn match_parameters(
    ctx: &mut Preprocessor,
    name: Token,
    span: Span,
    invocation: Invocation,
    parameters: &Parameters,
) -> Option<Vec<Vec<Token>>> {
    let n_parameters = parameters.names.len();
    let Invocation {
        mut arguments,
        close,
    } = invocation;
    let n_given = arguments.len();
    if n_parameters == 0 && n_given == 1 && arguments[0].is_empty() {
        return Some(Vec::new());
    }
    if n_given == n_parameters {
        return Some(arguments);
    }
    if parameters.variadic && n_given + 1 == n_parameters {
        arguments.push(Vec::new());
        return Some(arguments);
    }
    ctx.wrong_number_of_arguments(name, span, n_parameters, n_given);
    let mut open = close;
    open.name = Name::LEFT_PARENTHESIS;
    open.span = Span {
        end: name.span.end,
        ..name.span
    };
    open.from_macro = true;
    let last = arguments.pop().unwrap_or_default();
    let mut tokens = as_written(open, arguments, last);
    tokens.push(close);
    push_context(ctx, tokens, Role::PutBack);
    None
}

/// The replacement of a macro like `__LINE__` at this place.
fn dynamic_macro(ctx: &mut Preprocessor, mut token: Token) -> Token {
    let place = token.span;
    let (kind, spelling) = match token.name {
        Name::FILE => (Kind::String, quoted(ctx.sources.file(place.file).path())),
        Name::BASE_FILE => {
            ctx.names_main = true;
            (Kind::String, quoted(ctx.sources.file(ctx.main).path()))
        }
        Name::LINE => (Kind::Number, ctx.sources.start(place).line.to_string()),
        Name::COUNTER => {
            let count = ctx.counter;
            ctx.counter += 1;
            (Kind::Number, count.to_string())
        }
        Name::INCLUDE_LEVEL => {
            let level = ctx.readers.len().saturating_sub(1);
            (Kind::Number, level.to_string())
        }
        _ => {
            token.painted = true;
            return token;
        }
    };
    token.kind = kind;
    token.name = ctx.names.intern(&spelling);
    token.from_macro = true;
    token
}

/// The tokens of an argument list as they were read, commas included.
fn as_written(open: Token, arguments: Vec<Vec<Token>>, last: Vec<Token>) -> Vec<Token> {
    let mut tokens = vec![open];
    for argument in arguments {
        let before = argument.last().unwrap_or(&open).span;
        tokens.extend(argument);
        tokens.push(Token {
            kind: Kind::Punctuator,
            name: Name::COMMA,
            span: before,
            space: false,
            newline: false,
            from_macro: true,
            painted: false,
        });
    }
    tokens.extend(last);
    tokens
}

/// A text as a string literal.
pub(super) fn quoted(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            literal.push('\\');
        }
        literal.push(character);
    }
    literal.push('"');
    literal
}
