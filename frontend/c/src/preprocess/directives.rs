//! Directives (C11 6.10): conditionals, `#define`, `#undef`, `#pragma` and the rest.

use super::configuration_choice;
use super::include;
use super::preamble_reuse;
use super::symbolic;
use std::rc::Rc;

use premiss_source::{Diagnostic, Label, Severity, Span};

use super::condition;
use super::macros::Candidate;
use super::macros::{Macro, Shape, parse_define};
use super::preprocessed::Pragma;
use super::report::Finding;
use super::state::{Condition, Guard, HeaderRole, Preprocessor};
use super::token::{Kind, Name, Token};

/// The origin of a macro definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Definer {
    Program,
    CommandLine,
    /// A built-in header or a predefined macro.
    BuiltIn,
}

/// How to treat the lines after a directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GroupAction {
    Read,
    Skip,
}

/// Processes the directive whose `#` was just read.
pub(super) fn directive(ctx: &mut Preprocessor, hash: Token) {
    ctx.budget.charge_reading(1);
    let Some(name) = ctx.next_in_line() else {
        return;
    };
    let spelling = ctx.names.shared(name.name);
    let place = hash.span.cover(name.span);
    track_guard(ctx, &spelling);
    if !matches!(&*spelling, "include" | "include_next") {
        preamble_reuse::end_preamble(ctx);
    }
    match &*spelling {
        "if" | "ifdef" | "ifndef" => {
            configuration_choice::choose(ctx, place);
            let taken = group_condition(ctx, &spelling, place);
            open_condition(ctx, place, taken);
        }
        "elif" | "elifdef" | "elifndef" | "else" => leave_group(ctx, &spelling, place),
        "endif" => close_condition(ctx, place),
        "define" => define_line(ctx, place),
        "undef" => undefine(ctx, place),
        "include" | "include_next" | "import" => return include::include(ctx, &spelling, place),
        "pragma" => pragma(ctx, hash),
        "error" | "warning" => user_diagnostic(ctx, &spelling, hash),
        "line" | "ident" | "sccs" | "assert" | "unassert" => {}
        _ if name.kind == Kind::Number => {}
        other => {
            let problem = format!("`#{other}` is no directive");
            ctx.malformed_directive(&problem, place);
        }
    }
    end_line(ctx);
}

/// Skips the rest of the line of a directive.
pub(super) fn end_line(ctx: &mut Preprocessor) {
    if let Some(reader) = ctx.readers.last_mut() {
        reader
            .lexer
            .skip_line(ctx.sources.file(reader.lexer.file()).text());
    }
}

fn track_guard(ctx: &mut Preprocessor, directive: &str) {
    let Some(reader) = ctx.readers.last_mut() else {
        return;
    };
    match reader.conditions.len() {
        0 if directive == "ifndef" && reader.guard == Guard::NothingRead => {}
        0 => reader.guard = Guard::Absent,
        1 if directive.starts_with("el") => reader.guard = Guard::Absent,
        _ => {}
    }
}

fn open_condition(ctx: &mut Preprocessor, span: Span, taken: bool) {
    if let Some(reader) = ctx.readers.last_mut() {
        reader.conditions.push(Condition {
            span,
            has_selected_group: taken,
            after_else: false,
        });
    }
    if !taken {
        skip_group(ctx);
    }
}

/// `#elif` or `#else` after a selected group.
fn leave_group(ctx: &mut Preprocessor, directive: &str, place: Span) {
    if next_group(ctx, directive, place) == GroupAction::Skip {
        skip_group(ctx);
    }
}

fn close_condition(ctx: &mut Preprocessor, place: Span) {
    let Some(reader) = ctx.readers.last_mut() else {
        return;
    };
    if reader.conditions.pop().is_none() {
        ctx.malformed_directive("`#endif` has no `#if`", place);
    } else if reader.conditions.is_empty()
        && let Guard::Inside(name) = reader.guard
    {
        reader.guard = Guard::Closed(name);
    }
}

/// Skips to the selected group of the innermost `#if`, or past its `#endif`.
fn skip_group(ctx: &mut Preprocessor) {
    let mut depth = 0_usize;
    loop {
        let Some(reader) = ctx.readers.last_mut() else {
            return;
        };
        let file = reader.lexer.file();
        let text = ctx.sources.file(file).text();
        let Some(hash) = reader.lexer.skip_to_directive(text) else {
            return;
        };
        ctx.budget.charge_reading(2);
        let Some(name) = ctx.next_in_line() else {
            continue;
        };
        let place = hash.cover(name.span);
        let spelling = ctx.names.shared(name.name);
        match &*spelling {
            "if" | "ifdef" | "ifndef" => depth += 1,
            "endif" if depth == 0 => {
                close_condition(ctx, place);
                return;
            }
            "endif" => depth -= 1,
            "elif" | "elifdef" | "elifndef" | "else" if depth == 0 => {
                track_guard(ctx, &spelling);
                if next_group(ctx, &spelling, place) == GroupAction::Read {
                    return;
                }
            }
            _ => {}
        }
        end_line(ctx);
    }
}

/// Decides whether the group of an `#elif` or `#else` is selected.
fn next_group(ctx: &mut Preprocessor, directive: &str, place: Span) -> GroupAction {
    let innermost = ctx
        .readers
        .last()
        .and_then(|reader| reader.conditions.last());
    let Some(&condition) = innermost else {
        ctx.malformed_directive(&format!("`#{directive}` has no `#if`"), place);
        return GroupAction::Read;
    };
    if condition.after_else {
        ctx.malformed_directive(&format!("`#{directive}` stands after `#else`"), place);
        return GroupAction::Skip;
    }
    let is_else = directive == "else";
    let read =
        !condition.has_selected_group && (is_else || group_condition(ctx, &directive[2..], place));
    if let Some(condition) = ctx
        .readers
        .last_mut()
        .and_then(|it| it.conditions.last_mut())
    {
        condition.after_else = is_else;
        condition.has_selected_group |= read;
    }
    if read {
        GroupAction::Read
    } else {
        GroupAction::Skip
    }
}

/// The truth value of the operand of `if`, `ifdef` or `ifndef`; false if it has no value.
fn group_condition(ctx: &mut Preprocessor, directive: &str, place: Span) -> bool {
    if directive == "if" {
        return if_expression(ctx, place);
    }
    let Some(name) = ctx
        .next_in_line()
        .filter(|name| name.kind == Kind::Identifier)
    else {
        ctx.malformed_directive("a macro name is missing", place);
        return false;
    };
    let wants_defined = directive == "ifdef";
    if let (false, Some(reader)) = (wants_defined, ctx.readers.last_mut())
        && reader.guard == Guard::NothingRead
        && reader.conditions.is_empty()
    {
        reader.guard = Guard::Inside(name.name);
    }
    ctx.macros.get(name.name).is_some() == wants_defined
}

fn if_expression(ctx: &mut Preprocessor, place: Span) -> bool {
    let line = ctx.tokens_of_line();
    let tokens = resolve_defined(ctx, &line);
    let tokens = symbolic::expand_condition(ctx, tokens, place);
    let tokens = resolve_defined(ctx, &tokens);
    match condition::is_true(&tokens, &ctx.names) {
        Ok(truth) => truth,
        Err(no_value) => {
            let span = no_value.span.map_or(place, |span| place.cover(span));
            ctx.report.add(Finding {
                code: "malformed-condition",
                severity: Severity::Warning,
                message: format!("the condition counts as false: {}", no_value.problem),
                span: Some(span),
                help: None,
            });
            false
        }
    }
}

/// Replaces `defined X`, `defined(X)` and `__has_include(…)` by 0 or 1.
fn resolve_defined(ctx: &mut Preprocessor, line: &[Token]) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(line.len());
    let mut idx = 0;
    while let Some(&token) = line.get(idx) {
        let rest = &line[idx + 1..];
        let found = match token.name {
            Name::DEFINED => defined_operand(ctx, rest),
            Name::HAS_INCLUDE | Name::HAS_INCLUDE_NEXT => include::has_include(ctx, rest),
            _ => None,
        };
        match found {
            Some((truth, length)) => {
                let name = if truth { Name::ONE } else { Name::ZERO };
                tokens.push(Token {
                    kind: Kind::Number,
                    name,
                    ..token
                });
                idx += 1 + length;
            }
            None => {
                tokens.push(token);
                idx += 1;
            }
        }
    }
    tokens
}

fn defined_operand(ctx: &Preprocessor, rest: &[Token]) -> Option<(bool, usize)> {
    let is_defined = |token: &Token| ctx.macros.get(token.name).is_some();
    match rest {
        [open, name, close, ..]
            if open.is(Name::LEFT_PARENTHESIS)
                && name.kind == Kind::Identifier
                && close.is(Name::RIGHT_PARENTHESIS) =>
        {
            Some((is_defined(name), 3))
        }
        [name, ..] if name.kind == Kind::Identifier => Some((is_defined(name), 1)),
        _ => None,
    }
}

fn define_line(ctx: &mut Preprocessor, place: Span) {
    let line = ctx.tokens_of_line();
    let definer = if role(ctx) == Some(HeaderRole::BuiltIn) {
        Definer::BuiltIn
    } else {
        Definer::Program
    };
    define(ctx, &line, definer, Some(place));
}

/// Defines a macro from the rest of a `#define` line.
pub(super) fn define(
    ctx: &mut Preprocessor,
    line: &[Token],
    definer: Definer,
    place: Option<Span>,
) {
    let in_program = definer == Definer::Program;
    let name_span = line.first().map(|name| name.span).filter(|_| in_program);
    let (name, definition) = match parse_define(line, name_span) {
        Ok(parsed) => parsed,
        Err(malformed) => return ctx.malformed_definition(&malformed, place),
    };
    let mut definition = command_line_value(ctx, name, definition, definer);
    if definer != Definer::BuiltIn
        && definition.shape == Shape::Object
        && let Some(&name) = line.first()
    {
        definition = symbolic::define_symbolic(ctx, name, definition);
    }
    let definition = Rc::new(definition);
    if definer != Definer::BuiltIn && definition.shape == Shape::Object {
        let candidate = Candidate {
            defined_at: name_span,
            definition: Rc::clone(&definition),
        };
        Rc::make_mut(&mut ctx.candidates).insert(name, candidate);
        ctx.progress.integer_macros = None;
    }
    let earlier = ctx.macros.set(name, Some(Rc::clone(&definition)));
    if let Some(earlier) = earlier.filter(|earlier| !earlier.same_as(&definition)) {
        redefinition(ctx, name, &earlier, name_span);
    }
}

/// The definition that applies: `-P` overrides the value of an object-like macro of the program.
fn command_line_value(
    ctx: &mut Preprocessor,
    name: Name,
    definition: Macro,
    definer: Definer,
) -> Macro {
    if definer == Definer::BuiltIn || definition.shape != Shape::Object {
        return definition;
    }
    let spelling = ctx.names.shared(name);
    let Some(&value) = ctx.options.overrides.get(&*spelling) else {
        return definition;
    };
    ctx.overridden.insert(spelling.to_string());
    let text = match value {
        0.. => value.to_string(),
        i64::MIN => format!("({} - 1)", i64::MIN + 1),
        _ => format!("({value})"),
    };
    let tokens = ctx.tokenise(&text);
    let body = tokens
        .into_iter()
        .map(super::macros::Piece::Token)
        .collect();
    Macro { body, ..definition }
}

fn redefinition(ctx: &mut Preprocessor, name: Name, earlier: &Macro, span: Option<Span>) {
    let Some(span) = span else {
        return;
    };
    let label = |span, text: &str| Label {
        span,
        text: text.to_owned(),
    };
    let mut labels = vec![label(span, "")];
    labels.extend(
        earlier
            .defined_at
            .map(|span| label(span, "defined before here")),
    );
    ctx.report.push(Diagnostic {
        code: "macro-redefined",
        severity: Severity::Note,
        message: format!(
            "`{}` is redefined with a different body",
            ctx.names.spelling(name)
        ),
        labels,
        help: None,
        sizes: Vec::new(),
    });
}

fn undefine(ctx: &mut Preprocessor, place: Span) {
    match ctx.next_in_line() {
        Some(name) if name.kind == Kind::Identifier => {
            ctx.macros.set(name.name, None);
        }
        _ => ctx.malformed_directive("a macro name is missing", place),
    }
}

fn role(ctx: &Preprocessor) -> Option<HeaderRole> {
    ctx.readers.last().map(|reader| reader.role)
}

fn pragma(ctx: &mut Preprocessor, hash: Token) {
    let Some((text, span)) = rest_of_line(ctx) else {
        return;
    };
    if text == "once" {
        if let Some(reader) = ctx.readers.last() {
            ctx.once.insert(reader.lexer.file());
        }
        return;
    }
    let offset = ctx.output.text.len();
    ctx.pragmas.push(Pragma {
        text,
        span: hash.span.cover(span),
        offset,
    });
}

fn user_diagnostic(ctx: &mut Preprocessor, directive: &str, hash: Token) {
    let Some((text, span)) = rest_of_line(ctx) else {
        return;
    };
    let (code, severity) = match directive {
        "error" => ("error-directive", Severity::Error),
        _ => ("warning-directive", Severity::Warning),
    };
    let text = if text.is_empty() { "no message" } else { &text };
    ctx.report.add(Finding {
        code,
        severity,
        message: format!("`#{directive}`: {text}"),
        span: Some(hash.span.cover(span)),
        help: (directive == "error").then_some("-D NAME=VALUE defines what the program asks for"),
    });
}

fn rest_of_line(ctx: &mut Preprocessor) -> Option<(String, Span)> {
    let reader = ctx.readers.last_mut()?;
    let text = ctx.sources.file(reader.lexer.file()).text();
    Some(reader.lexer.rest_of_line(text))
}
