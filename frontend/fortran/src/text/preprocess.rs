//! The C preprocessor as Fortran compilers apply it: line by line, on text that is not C.

use super::conditions;
use crate::options::Options;
use premiss_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of macro replacements in one line.
pub(super) const MAX_REPLACEMENTS: usize = 10_000;
/// The maximum number of bytes that macros add to one line, those of intermediate results counted.
pub(super) const MAX_LINE: usize = 1 << 20;

/// What is left of the limits of one line.
struct LineBudget {
    replacements: usize,
    bytes: usize,
    is_exhausted: bool,
}

impl LineBudget {
    fn new() -> Self {
        Self {
            replacements: MAX_REPLACEMENTS,
            bytes: MAX_LINE,
            is_exhausted: false,
        }
    }

    /// Takes one replacement by so many bytes; `None` if the budget does not allow it.
    fn take(&mut self, bytes: usize) -> Option<()> {
        let left = self
            .replacements
            .checked_sub(1)
            .zip(self.bytes.checked_sub(bytes));
        self.is_exhausted |= left.is_none();
        (self.replacements, self.bytes) = left?;
        (!self.is_exhausted).then_some(())
    }
}

/// A macro.
#[derive(Debug, Clone)]
struct Macro {
    /// `None` for an object-like macro.
    parameters: Option<Vec<String>>,
    body: String,
}

/// A line that starts with `#`.
pub(super) enum PreprocessorDirective<'t> {
    Define(&'t str),
    Undefine(&'t str),
    Include(&'t str),
    IfDefined(&'t str, bool),
    If(&'t str),
    ElseIf(&'t str),
    Else,
    End,
    /// A directive without effect, or no directive.
    Other,
}

/// An open conditional group.
struct ConditionalGroup {
    span: Span,
    /// Whether the current arm is compiled.
    is_active: bool,
    /// Whether some arm so far was compiled.
    was_active: bool,
}

/// A piece of a line after macro replacement.
pub(super) struct ExpandedPiece {
    pub(super) text: String,
    /// The place in the line that it comes from.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_replacement: bool,
}

/// The macros and open conditions at a line.
#[derive(Default)]
pub(super) struct Preprocessor {
    macros: BTreeMap<String, Macro>,
    conditions: Vec<ConditionalGroup>,
    sizes: BTreeMap<String, i64>,
    pub(super) used_sizes: BTreeSet<String>,
    pub(super) size_names: BTreeSet<String>,
}

/// Parses a line that starts with `#`.
pub(super) fn directive(line: &str) -> Option<PreprocessorDirective<'_>> {
    let rest = line.strip_prefix('#')?.trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(rest.len());
    let (word, rest) = rest.split_at(end);
    let rest = rest.trim();
    Some(match word {
        "define" => PreprocessorDirective::Define(rest),
        "undef" => PreprocessorDirective::Undefine(rest),
        "include" => PreprocessorDirective::Include(rest),
        "ifdef" => PreprocessorDirective::IfDefined(rest, true),
        "ifndef" => PreprocessorDirective::IfDefined(rest, false),
        "if" => PreprocessorDirective::If(rest),
        "elif" => PreprocessorDirective::ElseIf(rest),
        "else" => PreprocessorDirective::Else,
        "endif" => PreprocessorDirective::End,
        _ => PreprocessorDirective::Other,
    })
}

impl Preprocessor {
    /// A preprocessor with the macros of the command line.
    pub(super) fn new(options: &Options) -> Self {
        let mut new = Self {
            macros: BTreeMap::new(),
            conditions: Vec::new(),
            sizes: options.sizes.clone(),
            used_sizes: BTreeSet::new(),
            size_names: BTreeSet::new(),
        };
        for (name, value) in &options.macros {
            match value {
                Some(value) => new.define(&format!("{name} {value}")),
                None => {
                    new.macros.remove(name);
                }
            }
        }
        new
    }

    /// Whether the current lines are compiled.
    pub(super) fn is_active(&self) -> bool {
        self.conditions.last().is_none_or(|one| one.is_active)
    }

    /// The innermost condition without an end.
    pub(super) fn open_conditions(&self) -> Option<Span> {
        self.conditions.first().map(|one| one.span)
    }

    /// Whether a line may contain a macro.
    pub(super) fn changes(&self, line: &str) -> bool {
        !self.macros.is_empty() && words(line).any(|(_, word)| self.macros.contains_key(word))
    }

    pub(super) fn directive(&mut self, line: &str, span: Span) -> Result<(), String> {
        let is_active = self.is_active();
        match directive(line) {
            Some(PreprocessorDirective::Define(text)) if is_active => self.define(text),
            Some(PreprocessorDirective::Undefine(name)) if is_active => {
                self.macros.remove(name);
            }
            Some(PreprocessorDirective::IfDefined(name, wanted)) => {
                let name = name.split_whitespace().next().unwrap_or("");
                self.open(span, self.macros.contains_key(name) == wanted);
            }
            Some(PreprocessorDirective::If(text)) => {
                let truth = self.truth(text);
                self.open(span, *truth.as_ref().unwrap_or(&false));
                truth?;
            }
            Some(PreprocessorDirective::ElseIf(text)) => {
                let truth = self.truth(text);
                self.next_arm(*truth.as_ref().unwrap_or(&false))?;
                truth?;
            }
            Some(PreprocessorDirective::Else) => self.next_arm(true)?,
            Some(PreprocessorDirective::End) => {
                let closed = self.conditions.pop();
                closed.ok_or("there is no `#if` for this `#endif`")?;
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, span: Span, truth: bool) {
        let is_active = self.is_active() && truth;
        self.conditions.push(ConditionalGroup {
            span,
            is_active,
            was_active: is_active || !self.is_active(),
        });
    }

    fn next_arm(&mut self, truth: bool) -> Result<(), String> {
        let last = self.conditions.last_mut();
        let last = last.ok_or("there is no `#if` for this arm")?;
        last.is_active = truth && !last.was_active;
        last.was_active |= last.is_active;
        Ok(())
    }

    fn define(&mut self, text: &str) {
        let end = text
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let (parameters, body) = match rest.strip_prefix('(').and_then(|x| x.split_once(')')) {
            Some((list, body)) => {
                let list = list.split(',').map(|name| name.trim().to_owned());
                (Some(list.collect()), body)
            }
            None => (None, rest),
        };
        let mut body = body.trim().to_owned();
        if parameters.is_none() && body.parse::<i64>().is_ok() {
            self.size_names.insert(name.to_owned());
            if let Some(value) = self.sizes.get(name) {
                self.used_sizes.insert(name.to_owned());
                body = value.to_string();
            }
        }
        self.macros
            .insert(name.to_owned(), Macro { parameters, body });
    }

    /// A line with macros replaced; `None` if that takes more than the budget of a line.
    pub(super) fn expand_line(&self, line: &str) -> Option<Vec<ExpandedPiece>> {
        let mut pieces = Vec::new();
        let mut done = 0;
        let mut budget = LineBudget::new();
        for (start, word) in words(line) {
            if start < done {
                continue;
            }
            let Some((text, end)) =
                self.invocation(line, start, word, &mut Vec::new(), &mut budget)
            else {
                continue;
            };
            pieces.push(ExpandedPiece {
                text: line[done..start].to_owned(),
                start: done,
                end: start,
                is_replacement: false,
            });
            pieces.push(ExpandedPiece {
                text,
                start,
                end,
                is_replacement: true,
            });
            done = end;
        }
        pieces.push(ExpandedPiece {
            text: line[done..].to_owned(),
            start: done,
            end: line.len(),
            is_replacement: false,
        });
        pieces.retain(|piece| !piece.text.is_empty());
        (!budget.is_exhausted).then_some(pieces)
    }

    /// The replacement of a word, and the end of the replaced text.
    fn invocation(
        &self,
        line: &str,
        start: usize,
        word: &str,
        open: &mut Vec<String>,
        budget: &mut LineBudget,
    ) -> Option<(String, usize)> {
        let found = self.macros.get(word)?;
        if open.iter().any(|name| name == word) {
            return None;
        }
        let mut end = start + word.len();
        let mut body = found.body.clone();
        if let Some(parameters) = &found.parameters {
            let (arguments, past) = arguments(line, end)?;
            end = past;
            body = substitute(&body, parameters, &arguments);
        }
        budget.take(body.len())?;
        open.push(word.to_owned());
        let text = self.replace_macros(&body, open, budget);
        open.pop();
        Some((text, end))
    }

    fn replace_macros(
        &self,
        text: &str,
        open: &mut Vec<String>,
        budget: &mut LineBudget,
    ) -> String {
        let mut out = String::new();
        let mut done = 0;
        for (start, word) in words(text) {
            if start < done {
                continue;
            }
            if let Some((new, end)) = self.invocation(text, start, word, open, budget) {
                out.push_str(&text[done..start]);
                out.push_str(&new);
                done = end;
            }
        }
        out.push_str(&text[done..]);
        out
    }

    fn truth(&self, text: &str) -> Result<bool, String> {
        let text = self.without_defined(text);
        let mut budget = LineBudget::new();
        let text = self.replace_macros(&text, &mut Vec::new(), &mut budget);
        match budget.is_exhausted {
            true => {
                Err("the macros in this condition take more than the budget of a line".to_owned())
            }
            false => conditions::truth(&text),
        }
    }

    /// The text with `defined(NAME)` replaced.
    fn without_defined(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("defined") {
            out.push_str(&rest[..start]);
            let after = rest[start + 7..].trim_start();
            let after = after.strip_prefix('(').unwrap_or(after).trim_start();
            let end = after
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(after.len());
            let is_defined = self.macros.contains_key(&after[..end]);
            out.push_str(if is_defined { "1" } else { "0" });
            let tail = after[end..].trim_start();
            rest = match rest[start + 7..].trim_start().starts_with('(') {
                true => tail.strip_prefix(')').unwrap_or(tail),
                false => tail,
            };
        }
        out.push_str(rest);
        out
    }
}

/// The names in a line outside of literals and comments, with their positions.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = line.as_bytes();
    let mut position = 0;
    let mut quote = None;
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(position) {
            match quote {
                Some(open) if open == byte => quote = None,
                Some(_) => {}
                None if byte == b'!' => return None,
                None if matches!(byte, b'\'' | b'"') => quote = Some(byte),
                None if byte.is_ascii_alphabetic() || byte == b'_' => {
                    let is_part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
                    let length = bytes[position..].iter().take_while(is_part).count();
                    let start = position;
                    position += length;
                    return Some((start, &line[start..position]));
                }
                None if byte.is_ascii_digit() => {
                    let is_part = |b: &&u8| b.is_ascii_alphanumeric();
                    position += bytes[position..].iter().take_while(is_part).count();
                    continue;
                }
                None => {}
            }
            position += 1;
        }
        None
    })
}

/// The arguments in the parentheses that start at or after a position, and the end of the list.
fn arguments(line: &str, from: usize) -> Option<(Vec<String>, usize)> {
    let rest = line.get(from..)?;
    let open = rest.len() - rest.trim_start().len();
    if !rest[open..].starts_with('(') {
        return None;
    }
    let mut depth = 0_usize;
    let mut list = vec![String::new()];
    for (idx, c) in rest.char_indices().skip(open) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        match (c, depth) {
            ('(', 1) => {}
            (')', 0) => return Some((list, from + idx + 1)),
            (',', 1) => list.push(String::new()),
            (c, _) => list.last_mut()?.push(c),
        }
    }
    None
}

/// The body of a macro with arguments substituted for its parameters.
fn substitute(body: &str, parameters: &[String], arguments: &[String]) -> String {
    let mut out = String::new();
    let mut done = 0;
    for (start, word) in words(body) {
        let argument = parameters.iter().position(|name| name == word);
        if let Some(argument) = argument.and_then(|idx| arguments.get(idx)) {
            out.push_str(&body[done..start]);
            out.push_str(argument.trim());
            done = start + word.len();
        }
        // Longer than any budget allows.
        if MAX_LINE < out.len() {
            return out;
        }
    }
    out.push_str(&body[done..]);
    // `a ## b`, and the older form `a/**/b`.
    out.replace(" ## ", "")
        .replace("##", "")
        .replace("/**/", "")
}
