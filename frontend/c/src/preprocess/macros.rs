//! Macro definitions: the table, and `#define` lines parsed for substitution.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use premiss_source::Span;
use rustc_hash::FxHashMap;

use super::token::{Kind, Name, Token};

/// A macro definition.
#[derive(Debug)]
pub(super) struct Macro {
    pub(super) shape: Shape,
    pub(super) body: Vec<Piece>,
    /// The place of its name in `#define`; `None` for the command line and predefined macros.
    pub(super) defined_at: Option<Span>,
}

/// The form of a macro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Object,
    /// `__FILE__` and similar, whose replacement depends on the place.
    Dynamic,
    Function(Parameters),
}

/// The parameters of a function-like macro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parameters {
    pub(super) names: Vec<Name>,
    /// Whether the last parameter takes all remaining arguments.
    pub(super) variadic: bool,
}

/// One step of a substitution.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Token(Token),
    /// An argument; `token` is the parameter's name in the replacement list.
    Argument {
        parameter: usize,
        token: Token,
        argument_use: Use,
    },
    /// `##` between its neighbours.
    Paste,
    /// The comma of `, ## __VA_ARGS__`, which is removed if the argument is empty.
    CommaBefore {
        parameter: usize,
        token: Token,
    },
    /// `__VA_OPT__(…)`; `#__VA_OPT__(…)` if `stringify` is set.
    IfArguments {
        body: Vec<Piece>,
        token: Token,
        stringify: bool,
    },
}

/// How an argument is substituted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// Fully expanded.
    Expanded,
    /// As written: an operand of `##`.
    Raw,
    /// Its spelling as a string literal: the operand of `#`.
    Stringified,
}

/// Why a `#define` is malformed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Malformed {
    pub(super) span: Option<Span>,
    pub(super) problem: &'static str,
}

/// All macros, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct MacroTable {
    /// Shared with files that continue after the same headers, until one of them defines a macro.
    definitions: Rc<FxHashMap<Name, Rc<Macro>>>,
    /// The number of replacement lists of each macro that are being rescanned.
    open: FxHashMap<Name, u32>,
}

impl MacroTable {
    pub(super) fn get(&self, name: Name) -> Option<&Rc<Macro>> {
        self.definitions.get(&name)
    }

    /// Whether the name's own replacement is being rescanned, so that it must not be expanded.
    pub(super) fn is_open(&self, name: Name) -> bool {
        self.open.contains_key(&name)
    }

    pub(super) fn open(&mut self, name: Name) {
        *self.open.entry(name).or_default() += 1;
    }

    pub(super) fn close(&mut self, name: Name) {
        if let Entry::Occupied(mut open) = self.open.entry(name) {
            *open.get_mut() -= 1;
            if *open.get() == 0 {
                open.remove();
            }
        }
    }

    /// Replaces the definition of a name; returns the previous one.
    pub(super) fn set(&mut self, name: Name, definition: Option<Rc<Macro>>) -> Option<Rc<Macro>> {
        let definitions = Rc::make_mut(&mut self.definitions);
        match definition {
            Some(definition) => definitions.insert(name, definition),
            None => definitions.remove(&name),
        }
    }
}

impl Macro {
    /// Whether two definitions are equal (C11 6.10.3 p2): white space only counts as present or absent.
    pub(super) fn same_as(&self, other: &Self) -> bool {
        self.shape == other.shape && same_pieces(&self.body, &other.body)
    }
}

fn same_pieces(left: &[Piece], right: &[Piece]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).enumerate().all(|(idx, (a, b))| {
            let (x, y) = (a.token(), b.token());
            let same_token = match (x, y) {
                (Some(x), Some(y)) => x.name == y.name && (idx == 0 || x.spaced() == y.spaced()),
                (None, None) => true,
                _ => false,
            };
            same_token
                && match (a, b) {
                    (
                        Piece::Argument {
                            argument_use: p, ..
                        },
                        Piece::Argument {
                            argument_use: q, ..
                        },
                    ) => p == q,
                    (Piece::IfArguments { body: p, .. }, Piece::IfArguments { body: q, .. }) => {
                        same_pieces(p, q)
                    }
                    _ => std::mem::discriminant(a) == std::mem::discriminant(b),
                }
        })
}

impl Piece {
    fn token(&self) -> Option<&Token> {
        match self {
            Self::Paste => None,
            Self::Token(token)
            | Self::Argument { token, .. }
            | Self::CommaBefore { token, .. }
            | Self::IfArguments { token, .. } => Some(token),
        }
    }
}

/// Parses the rest of a `#define` line: the name, optional parameters, the replacement list.
pub(super) fn parse_define(
    line: &[Token],
    defined_at: Option<Span>,
) -> Result<(Name, Macro), Malformed> {
    let malformed = |token: Option<&Token>, problem| Malformed {
        span: token.map(|token| token.span),
        problem,
    };
    let Some(name) = line.first() else {
        return Err(malformed(None, "a macro name is missing"));
    };
    if name.kind != Kind::Identifier {
        return Err(malformed(Some(name), "a macro name must be an identifier"));
    }
    if name.name == Name::DEFINED {
        return Err(malformed(Some(name), "`defined` cannot be a macro"));
    }
    let rest = &line[1..];
    let (shape, body) = match rest.first() {
        Some(open) if open.is(Name::LEFT_PARENTHESIS) && !open.spaced() => {
            let (parameters, length) = parse_parameters(&rest[1..], open)?;
            let shape = Shape::Function(parameters);
            let body = parse_body(&rest[1 + length..], &shape, 0)?;
            (shape, body)
        }
        _ => (Shape::Object, parse_body(rest, &Shape::Object, 0)?),
    };
    let definition = Macro {
        shape,
        body,
        defined_at,
    };
    Ok((name.name, definition))
}

/// The maximum number of parameters; C requires at least 127.
const MOST_PARAMETERS: usize = 1000;

/// The parameters, and the number of tokens up to and including `)`.
fn parse_parameters(tokens: &[Token], open: &Token) -> Result<(Parameters, usize), Malformed> {
    let fail = |token: Option<&Token>, problem| {
        let span = Some(token.unwrap_or(open).span);
        Err(Malformed { span, problem })
    };
    let mut names = Vec::new();
    let mut idx = 0;
    if tokens
        .first()
        .is_some_and(|token| token.is(Name::RIGHT_PARENTHESIS))
    {
        let variadic = false;
        return Ok((Parameters { names, variadic }, 1));
    }
    loop {
        let Some(token) = tokens.get(idx) else {
            return fail(None, "the list of parameters has no `)`");
        };
        let mut variadic = token.is(Name::ELLIPSIS);
        if variadic {
            names.push(Name::VA_ARGS);
        } else if token.kind == Kind::Identifier {
            names.push(token.name);
            if tokens
                .get(idx + 1)
                .is_some_and(|next| next.is(Name::ELLIPSIS))
            {
                variadic = true;
                idx += 1;
            }
        } else {
            return fail(Some(token), "a parameter must be an identifier");
        }
        if names.len() > MOST_PARAMETERS {
            return fail(Some(token), "it has more than 1000 parameters");
        }
        match tokens.get(idx + 1) {
            Some(next) if next.is(Name::RIGHT_PARENTHESIS) => {
                return Ok((Parameters { names, variadic }, idx + 2));
            }
            Some(next) if next.is(Name::COMMA) && !variadic => idx += 2,
            next => return fail(next, "`,` or `)` must follow a parameter"),
        }
    }
}

/// The maximum nesting depth of `__VA_OPT__`; the standard forbids nesting.
const VA_OPT_DEPTH: usize = 8;

fn parse_body(tokens: &[Token], shape: &Shape, depth: usize) -> Result<Vec<Piece>, Malformed> {
    let mut body: Vec<Piece> = Vec::with_capacity(tokens.len());
    let mut idx = 0;
    while let Some(token) = tokens.get(idx) {
        let (piece, length) = if token.is(Name::PASTE) {
            if idx == 0 || idx + 1 == tokens.len() {
                let problem = "`##` must stand between two tokens";
                return Err(Malformed {
                    span: Some(token.span),
                    problem,
                });
            }
            (Piece::Paste, 1)
        } else {
            parse_piece(&tokens[idx..], shape, depth)?
        };
        join_piece(&mut body, piece, shape);
        idx += length;
    }
    Ok(body)
}

/// Appends a piece; determines the use of an argument next to `##`.
fn join_piece(body: &mut Vec<Piece>, mut piece: Piece, shape: &Shape) {
    let after_paste = matches!(body.last(), Some(Piece::Paste));
    if let (
        true,
        Piece::Argument {
            parameter,
            argument_use,
            ..
        },
    ) = (after_paste, &mut piece)
    {
        if *argument_use == Use::Expanded {
            *argument_use = Use::Raw;
        }
        let last = matches!(shape, Shape::Function(Parameters { names, variadic: true })
            if *parameter + 1 == names.len());
        let before = body.len().checked_sub(2).map(|idx| &body[idx]);
        if let (true, Some(Piece::Token(comma))) = (last, before)
            && comma.is(Name::COMMA)
        {
            let (parameter, token) = (*parameter, *comma);
            body.truncate(body.len() - 2);
            body.push(Piece::CommaBefore { parameter, token });
        }
    }
    if let (Piece::Paste, Some(Piece::Argument { argument_use, .. })) = (&piece, body.last_mut())
        && *argument_use == Use::Expanded
    {
        *argument_use = Use::Raw;
    }
    body.push(piece);
}

/// The piece that `tokens` start with, and the number of its tokens.
fn parse_piece(tokens: &[Token], shape: &Shape, depth: usize) -> Result<(Piece, usize), Malformed> {
    let Some(&token) = tokens.first() else {
        return Ok((Piece::Paste, 0));
    };
    let Shape::Function(Parameters { names, variadic }) = shape else {
        return Ok((Piece::Token(token), 1));
    };
    let parameter_at = |idx: usize| -> Option<usize> {
        let candidate: &Token = tokens.get(idx)?;
        let is_name = candidate.kind == Kind::Identifier;
        names
            .iter()
            .position(|name| is_name && *name == candidate.name)
    };
    let is_optional = |idx: usize| {
        *variadic
            && tokens
                .get(idx)
                .is_some_and(|token| token.name == Name::VA_OPT)
    };
    let argument = |parameter, argument_use| Piece::Argument {
        parameter,
        token,
        argument_use,
    };
    if token.is(Name::HASH) {
        if let Some(parameter) = parameter_at(1) {
            return Ok((argument(parameter, Use::Stringified), 2));
        }
        if is_optional(1) {
            let (body, length) = parse_optional(&tokens[1..], shape, depth)?;
            let piece = Piece::IfArguments {
                body,
                token,
                stringify: true,
            };
            return Ok((piece, length + 1));
        }
        let problem = "`#` must stand before a parameter";
        return Err(Malformed {
            span: Some(token.span),
            problem,
        });
    }
    if is_optional(0) {
        let (body, length) = parse_optional(tokens, shape, depth)?;
        return Ok((
            Piece::IfArguments {
                body,
                token,
                stringify: false,
            },
            length,
        ));
    }
    Ok(match parameter_at(0) {
        Some(parameter) => (argument(parameter, Use::Expanded), 1),
        None => (Piece::Token(token), 1),
    })
}

/// The replacement list in `__VA_OPT__( … )`, and the number of tokens of the whole.
fn parse_optional(
    tokens: &[Token],
    shape: &Shape,
    depth: usize,
) -> Result<(Vec<Piece>, usize), Malformed> {
    let span = tokens.first().map(|token| token.span);
    let fail = |problem| Err(Malformed { span, problem });
    if depth >= VA_OPT_DEPTH {
        return fail("`__VA_OPT__` stands in itself");
    }
    if !tokens
        .get(1)
        .is_some_and(|token| token.is(Name::LEFT_PARENTHESIS))
    {
        return fail("`(` must follow `__VA_OPT__`");
    }
    let mut open = 0_usize;
    for (idx, token) in tokens.iter().enumerate().skip(1) {
        if token.is(Name::LEFT_PARENTHESIS) {
            open += 1;
        } else if token.is(Name::RIGHT_PARENTHESIS) {
            open -= 1;
            if open == 0 {
                return Ok((parse_body(&tokens[2..idx], shape, depth + 1)?, idx + 1));
            }
        }
    }
    fail("`__VA_OPT__(` has no `)`")
}

/// An object-like macro of the program, which may be an integer.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) defined_at: Option<Span>,
    pub(super) definition: Rc<Macro>,
}
