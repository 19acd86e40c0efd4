//! Macro expansion and rescanning (C11 6.10.3).
//!
//! Tokens come from a stack of *contexts*: replacement lists that are being rescanned, on top of
//! the file. While a macro's replacement is on the stack its name is *open*: met again, it is
//! painted and never expanded. That is the hide-set rule with the sets kept as the stack.
//! With `#define f(a) a*g` and `#define g(a) f(a)`, `f(2)(9)` becomes `2*9*g`.

use std::sync::Arc as Rc;

use premiss_source::Span;

use super::Preprocessor;
use super::budget::Limit;
use super::macros::{Macro, Parameters, Shape};
use super::token::{Kind, Name, Token};

/// Tokens that are to be read before the file goes on.
#[derive(Debug)]
pub(super) struct Context {
    tokens: Vec<Token>,
    pos: usize,
    role: Role,
}

/// What the tokens of a context are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// The replacement of this macro.
    Replacement(Name),
    /// Tokens that were read too far.
    PutBack,
    /// All that there is: reading does not go on below.
    Whole,
}

/// The arguments of an invocation, and its closing parenthesis.
struct Invocation {
    arguments: Vec<Vec<Token>>,
    close: Token,
}

/// What was met where an invocation's arguments were looked for.
enum Collected {
    Arguments(Invocation),
    /// No `(` follows: the name stands for itself.
    NoInvocation,
    /// The file ends before `)`; these tokens were read.
    Unterminated(Vec<Token>),
}

impl Preprocessor<'_> {
    /// The next token after macro expansion; `None` where the file (or the whole of a list of
    /// tokens) ends.
    pub(super) fn next_expanded(&mut self) -> Option<Token> {
        loop {
            let token = self.next_unexpanded()?;
            if token.kind != Kind::Identifier || token.painted {
                return Some(token);
            }
            let Some(definition) = self.macros.get(token.name) else {
                return Some(token);
            };
            let definition = Rc::clone(definition);
            if let Some(token) = self.expand(token, &definition) {
                return Some(token);
            }
        }
    }

    /// The full expansion of a list of tokens that nothing follows.
    pub(super) fn expand_whole(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        self.push_context(tokens, Role::Whole);
        let mut expanded = Vec::new();
        while let Some(token) = self.next_expanded() {
            expanded.push(token);
        }
        self.contexts.pop();
        expanded
    }

    fn next_unexpanded(&mut self) -> Option<Token> {
        let mut token = loop {
            let Some(context) = self.contexts.last_mut() else {
                break self.next_in_file()?;
            };
            if self.budget.is_over() {
                context.pos = context.tokens.len();
            }
            if let Some(&token) = context.tokens.get(context.pos) {
                context.pos += 1;
                break token;
            }
            match context.role {
                Role::Whole => return None,
                Role::PutBack => {}
                Role::Replacement(name) => self.macros.close(name),
            }
            self.contexts.pop();
        };
        if token.kind == Kind::Identifier && self.macros.is_open(token.name) {
            token.painted = true;
        }
        Some(token)
    }

    /// Replaces a macro name by its context; returns a token if there is nothing to rescan.
    fn expand(&mut self, token: Token, definition: &Rc<Macro>) -> Option<Token> {
        if self.contexts.is_empty() {
            self.budget.start_invocation(token, self.output.mark());
        }
        match &definition.shape {
            Shape::Dynamic => Some(self.dynamic(token)),
            Shape::Object => {
                let span = token.span;
                let tokens = self.substitute(definition, &[], span);
                self.push_replacement(token, tokens);
                None
            }
            Shape::Function(parameters) => self.expand_function(token, definition, parameters),
        }
    }

    fn expand_function(
        &mut self,
        mut name: Token,
        definition: &Macro,
        parameters: &Parameters,
    ) -> Option<Token> {
        let invocation = match self.collect_arguments(parameters) {
            Collected::Arguments(invocation) => invocation,
            Collected::NoInvocation => return Some(name),
            Collected::Unterminated(read) => {
                self.unterminated_invocation(name);
                self.push_context(read, Role::PutBack);
                name.painted = true;
                return Some(name);
            }
        };
        let span = name.span.cover(invocation.close.span);
        match self.fit_arguments(name, span, invocation, parameters) {
            Some(arguments) => {
                let tokens = self.substitute(definition, &arguments, span);
                self.push_replacement(name, tokens);
                None
            }
            None => {
                name.painted = true;
                Some(name)
            }
        }
    }

    fn push_replacement(&mut self, name: Token, mut tokens: Vec<Token>) {
        if let Some(first) = tokens.first_mut() {
            *first = first.spaced_as(&name);
        }
        self.macros.open(name.name);
        self.push_context(tokens, Role::Replacement(name.name));
    }

    fn push_context(&mut self, tokens: Vec<Token>, role: Role) {
        self.budget.charge(tokens.len() + 1);
        self.contexts.push(Context {
            tokens,
            pos: 0,
            role,
        });
        if self.contexts.len() > Limit::ExpansionDepth.value() {
            self.budget.exceed(Limit::ExpansionDepth);
        }
    }

    fn collect_arguments(&mut self, parameters: &Parameters) -> Collected {
        let Some(open) = self.next_unexpanded() else {
            return Collected::NoInvocation;
        };
        if !open.is(Name::LEFT_PARENTHESIS) {
            self.push_context(vec![open], Role::PutBack);
            return Collected::NoInvocation;
        }
        let mut arguments = Vec::new();
        let mut argument = Vec::new();
        let mut depth = 0_usize;
        loop {
            let Some(token) = self.next_unexpanded() else {
                return Collected::Unterminated(as_written(open, arguments, argument));
            };
            self.budget.charge(1);
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

    /// One argument for each parameter; puts the tokens back where their number does not fit.
    fn fit_arguments(
        &mut self,
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
        self.wrong_number_of_arguments(name, span, n_parameters, n_given);
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
        self.push_context(tokens, Role::PutBack);
        None
    }

    /// What a macro like `__LINE__` stands for at this place.
    fn dynamic(&mut self, mut token: Token) -> Token {
        let place = token.span;
        let (kind, spelling) = match token.name {
            Name::FILE => (Kind::String, quoted(self.sources.file(place.file).path())),
            Name::BASE_FILE => (Kind::String, quoted(self.sources.file(self.main).path())),
            Name::LINE => (Kind::Number, self.sources.start(place).line.to_string()),
            Name::COUNTER => {
                let count = self.counter;
                self.counter += 1;
                (Kind::Number, count.to_string())
            }
            Name::INCLUDE_LEVEL => {
                let level = self.readers.len().saturating_sub(1);
                (Kind::Number, level.to_string())
            }
            _ => {
                token.painted = true;
                return token;
            }
        };
        token.kind = kind;
        token.name = self.names.intern(&spelling);
        token.from_macro = true;
        token
    }
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
