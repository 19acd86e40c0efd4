//! Directives (C11 6.10): conditionals, `#define`, `#undef`, `#pragma` and the rest.

use std::rc::Rc;

use premiss_source::{Diagnostic, Label, Severity, Span};

use super::macros::{Macro, Shape, parse_define};
use super::report::Finding;
use super::token::{Kind, Name, Token};
use super::{Candidate, Pragma, Preprocessor, condition};

/// Who defines a macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Definer {
    Program,
    CommandLine,
    /// A header of ours, or what every compiler has.
    BuiltIn,
}

/// An `#if` group that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub(super) span: Span,
    /// Some group of it was taken already.
    taken: bool,
    after_else: bool,
}

/// Whether a file is one `#ifndef` group as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guard {
    NothingRead,
    Inside(Name),
    Closed(Name),
    Absent,
}

/// What to do with the lines after a directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Then {
    Read,
    Skip,
}

impl Preprocessor<'_> {
    /// Obeys the directive whose `#` was just read.
    pub(super) fn directive(&mut self, hash: Token) {
        self.budget.charge_reading(1);
        let Some(name) = self.next_in_line() else {
            return;
        };
        let spelling = self.names.shared(name.name);
        let place = hash.span.cover(name.span);
        self.note_guard(&spelling);
        if !matches!(&*spelling, "include" | "include_next") {
            self.note_reading();
        }
        match &*spelling {
            "if" | "ifdef" | "ifndef" => {
                let taken = self.condition(&spelling, place);
                self.open_condition(place, taken);
            }
            "elif" | "elifdef" | "elifndef" | "else" => self.leave_group(&spelling, place),
            "endif" => self.close_condition(place),
            "define" => self.define_line(place),
            "undef" => self.undefine(place),
            "include" | "include_next" | "import" => return self.include(&spelling, place),
            "pragma" => self.pragma(hash),
            "error" | "warning" => self.message(&spelling, hash),
            "line" | "ident" | "sccs" | "assert" | "unassert" => {}
            _ if name.kind == Kind::Number => {}
            other => {
                let problem = format!("`#{other}` is no directive");
                self.malformed_directive(&problem, place);
            }
        }
        self.end_line();
    }

    /// Ends the line of a directive, whatever is left of it.
    pub(super) fn end_line(&mut self) {
        if let Some(reader) = self.readers.last_mut() {
            reader
                .lexer
                .skip_line(self.sources.file(reader.lexer.file()).text());
        }
    }

    fn note_guard(&mut self, directive: &str) {
        let Some(reader) = self.readers.last_mut() else {
            return;
        };
        match reader.conditions.len() {
            0 if directive == "ifndef" && reader.guard == Guard::NothingRead => {}
            0 => reader.guard = Guard::Absent,
            1 if directive.starts_with("el") => reader.guard = Guard::Absent,
            _ => {}
        }
    }

    fn open_condition(&mut self, span: Span, taken: bool) {
        if let Some(reader) = self.readers.last_mut() {
            reader.conditions.push(Condition {
                span,
                taken,
                after_else: false,
            });
        }
        if !taken {
            self.skip_group();
        }
    }

    /// `#elif` or `#else` after a group that was read.
    fn leave_group(&mut self, directive: &str, place: Span) {
        if self.turn(directive, place) == Then::Skip {
            self.skip_group();
        }
    }

    fn close_condition(&mut self, place: Span) {
        let Some(reader) = self.readers.last_mut() else {
            return;
        };
        if reader.conditions.pop().is_none() {
            self.malformed_directive("`#endif` has no `#if`", place);
        } else if reader.conditions.is_empty()
            && let Guard::Inside(name) = reader.guard
        {
            reader.guard = Guard::Closed(name);
        }
    }

    /// Skips to the group of the innermost `#if` that is to be read, or past its `#endif`.
    fn skip_group(&mut self) {
        let mut depth = 0_usize;
        loop {
            let Some(reader) = self.readers.last_mut() else {
                return;
            };
            let file = reader.lexer.file();
            let text = self.sources.file(file).text();
            let Some(hash) = reader.lexer.skip_to_directive(text) else {
                return;
            };
            self.budget.charge_reading(2);
            let Some(name) = self.next_in_line() else {
                continue;
            };
            let place = hash.cover(name.span);
            let spelling = self.names.shared(name.name);
            match &*spelling {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth == 0 => {
                    self.close_condition(place);
                    return;
                }
                "endif" => depth -= 1,
                "elif" | "elifdef" | "elifndef" | "else" if depth == 0 => {
                    self.note_guard(&spelling);
                    if self.turn(&spelling, place) == Then::Read {
                        return;
                    }
                }
                _ => {}
            }
            self.end_line();
        }
    }

    /// Decides on the group that `#elif` or `#else` starts.
    fn turn(&mut self, directive: &str, place: Span) -> Then {
        let innermost = self
            .readers
            .last()
            .and_then(|reader| reader.conditions.last());
        let Some(&condition) = innermost else {
            self.malformed_directive(&format!("`#{directive}` has no `#if`"), place);
            return Then::Read;
        };
        if condition.after_else {
            self.malformed_directive(&format!("`#{directive}` stands after `#else`"), place);
            return Then::Skip;
        }
        let is_else = directive == "else";
        let read = !condition.taken && (is_else || self.condition(&directive[2..], place));
        if let Some(condition) = self
            .readers
            .last_mut()
            .and_then(|it| it.conditions.last_mut())
        {
            condition.after_else = is_else;
            condition.taken |= read;
        }
        if read { Then::Read } else { Then::Skip }
    }

    /// The truth of what follows `if`, `ifdef` or `ifndef`; what has no value is false.
    fn condition(&mut self, directive: &str, place: Span) -> bool {
        if directive == "if" {
            return self.if_expression(place);
        }
        let Some(name) = self
            .next_in_line()
            .filter(|name| name.kind == Kind::Identifier)
        else {
            self.malformed_directive("a macro name is missing", place);
            return false;
        };
        let wants_defined = directive == "ifdef";
        if let (false, Some(reader)) = (wants_defined, self.readers.last_mut())
            && reader.guard == Guard::NothingRead
            && reader.conditions.is_empty()
        {
            reader.guard = Guard::Inside(name.name);
        }
        self.macros.get(name.name).is_some() == wants_defined
    }

    fn if_expression(&mut self, place: Span) -> bool {
        let line = self.tokens_of_line();
        let tokens = self.evaluate_defined(&line);
        let tokens = self.expand_condition(tokens, place);
        let tokens = self.evaluate_defined(&tokens);
        match condition::is_true(&tokens, &self.names) {
            Ok(truth) => truth,
            Err(no_value) => {
                let span = no_value.span.map_or(place, |span| place.cover(span));
                self.report.add(Finding {
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

    /// Expands the rest of a directive; nothing is left of it where that passes a limit.
    pub(super) fn expand_line(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let Some(&first) = tokens.first() else {
            return tokens;
        };
        let (outer, spent) = (self.budget.suspend(), self.budget.spent());
        self.budget.start_invocation(first, self.output.mark());
        let mut expanded = self.expand_whole(tokens);
        if let Some((limit, invocation)) = self.budget.end_invocation() {
            self.invocation_over_limit(limit, invocation);
            expanded.clear();
        }
        self.budget.resume(outer, spent);
        expanded
    }

    /// Replaces `defined X`, `defined(X)` and `__has_include(…)` by 0 or 1.
    fn evaluate_defined(&mut self, line: &[Token]) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(line.len());
        let mut idx = 0;
        while let Some(&token) = line.get(idx) {
            let rest = &line[idx + 1..];
            let found = match token.name {
                Name::DEFINED => self.defined(rest),
                Name::HAS_INCLUDE | Name::HAS_INCLUDE_NEXT => self.has_include(rest),
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

    fn defined(&self, rest: &[Token]) -> Option<(bool, usize)> {
        let is_defined = |token: &Token| self.macros.get(token.name).is_some();
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

    fn define_line(&mut self, place: Span) {
        let line = self.tokens_of_line();
        let builtin = self.readers.last().is_some_and(|reader| reader.builtin);
        let definer = if builtin {
            Definer::BuiltIn
        } else {
            Definer::Program
        };
        self.define(&line, definer, Some(place));
    }

    /// Defines a macro from what follows `#define`.
    pub(super) fn define(&mut self, line: &[Token], definer: Definer, place: Option<Span>) {
        let in_program = definer == Definer::Program;
        let name_span = line.first().map(|name| name.span).filter(|_| in_program);
        let (name, definition) = match parse_define(line, name_span) {
            Ok(parsed) => parsed,
            Err(malformed) => return self.malformed_definition(&malformed, place),
        };
        let mut definition = self.overridden(name, definition, definer);
        if definer != Definer::BuiltIn
            && definition.shape == Shape::Object
            && let Some(&name) = line.first()
        {
            definition = self.kept_symbolic(name, definition);
        }
        let definition = Rc::new(definition);
        if definer != Definer::BuiltIn && definition.shape == Shape::Object {
            let candidate = Candidate {
                defined_at: name_span,
                definition: Rc::clone(&definition),
            };
            Rc::make_mut(&mut self.candidates).insert(name, candidate);
            self.progress.integer_macros = None;
        }
        let earlier = self.macros.set(name, Some(Rc::clone(&definition)));
        if let Some(earlier) = earlier.filter(|earlier| !earlier.same_as(&definition)) {
            self.redefinition(name, &earlier, name_span);
        }
    }

    /// The definition that counts: `-P` gives an object-like macro of the program its value.
    fn overridden(&mut self, name: Name, definition: Macro, definer: Definer) -> Macro {
        if definer == Definer::BuiltIn || definition.shape != Shape::Object {
            return definition;
        }
        let spelling = self.names.shared(name);
        let Some(&value) = self.options.overrides.get(&*spelling) else {
            return definition;
        };
        self.overridden.insert(spelling.to_string());
        let text = match value {
            0.. => value.to_string(),
            i64::MIN => format!("({} - 1)", i64::MIN + 1),
            _ => format!("({value})"),
        };
        let tokens = self.tokenise(&text);
        let body = tokens
            .into_iter()
            .map(super::macros::Piece::Token)
            .collect();
        Macro { body, ..definition }
    }

    fn redefinition(&mut self, name: Name, earlier: &Macro, span: Option<Span>) {
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
        self.report.push(Diagnostic {
            code: "macro-redefined",
            severity: Severity::Note,
            message: format!(
                "`{}` is defined anew, and differently",
                self.names.spelling(name)
            ),
            labels,
            help: None,
        });
    }

    fn undefine(&mut self, place: Span) {
        match self.next_in_line() {
            Some(name) if name.kind == Kind::Identifier => {
                self.macros.set(name.name, None);
            }
            _ => self.malformed_directive("a macro name is missing", place),
        }
    }

    fn pragma(&mut self, hash: Token) {
        let Some((text, span)) = self.rest_of_line() else {
            return;
        };
        if text == "once" {
            if let Some(reader) = self.readers.last() {
                self.once.insert(reader.lexer.file());
            }
            return;
        }
        let offset = self.output.text.len();
        self.pragmas.push(Pragma {
            text,
            span: hash.span.cover(span),
            offset,
        });
    }

    fn message(&mut self, directive: &str, hash: Token) {
        let Some((text, span)) = self.rest_of_line() else {
            return;
        };
        let (code, severity) = match directive {
            "error" => ("error-directive", Severity::Error),
            _ => ("warning-directive", Severity::Warning),
        };
        let text = if text.is_empty() { "no message" } else { &text };
        self.report.add(Finding {
            code,
            severity,
            message: format!("`#{directive}`: {text}"),
            span: Some(hash.span.cover(span)),
            help: (directive == "error")
                .then_some("-D NAME=VALUE defines what the program asks for"),
        });
    }

    fn rest_of_line(&mut self) -> Option<(String, Span)> {
        let reader = self.readers.last_mut()?;
        let text = self.sources.file(reader.lexer.file()).text();
        Some(reader.lexer.rest_of_line(text))
    }
}
