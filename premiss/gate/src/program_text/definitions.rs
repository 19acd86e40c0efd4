//! The definitions of a file: its functions, types, macros and variables, as ranges of tokens with the names that they
//! define.

use super::tokens::SourceToken;
use premiss_source::CommentSyntax;
use std::ops::Range;

/// A definition.
pub(super) struct Definition {
    /// The names that it defines.
    pub(super) names: Vec<String>,
    /// Its tokens, by their indices in the file.
    pub(super) tokens: Range<usize>,
}

/// The words of Rust that the name of a definition follows.
const RUST_KEYWORDS: [&str; 9] = [
    "fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod",
];

/// The words of C that begin definitions which end with `;` after their braces.
const C_TYPES: [&str; 4] = ["typedef", "struct", "union", "enum"];

/// The definitions of a file in C or Rust: outside of braces, each ends with a `;` or a closing brace; a directive of
/// the preprocessor ends with its line.
pub(super) fn of_braces(tokens: &[SourceToken], syntax: CommentSyntax) -> Vec<Definition> {
    let mut definitions = Vec::new();
    let mut start = 0;
    while start < tokens.len() {
        let is_c = syntax == CommentSyntax::C;
        let end = match is_c && is_directive(&tokens[start]) {
            true => end_of_directive(tokens, start),
            false => end_in_braces(tokens, start, is_c),
        };
        let own = &tokens[start..end];
        let names = match is_c {
            true => c_names(own),
            false => rust_names(own),
        };
        definitions.push(Definition {
            names,
            tokens: start..end,
        });
        start = end;
    }
    definitions
}

fn is_directive(token: &SourceToken) -> bool {
    token.is("#") && token.starts_line
}

/// The end of a directive: the first token of a line that no `\` continues.
fn end_of_directive(tokens: &[SourceToken], start: usize) -> usize {
    let next = (start + 1..tokens.len())
        .find(|idx| tokens[*idx].starts_line && !tokens[*idx - 1].is("\\"));
    next.unwrap_or(tokens.len())
}

fn end_in_braces(tokens: &[SourceToken], start: usize, is_c: bool) -> usize {
    let mut depth = 0_usize;
    let goes_on = is_c && C_TYPES.contains(&&*tokens[start].text);
    let mut waits_for_end = false;
    for (idx, token) in tokens.iter().enumerate().skip(start) {
        match &*token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                let is_parameter_list = goes_on && tokens[start..idx].iter().any(|x| x.is("("));
                let ends = token.is("}") && depth == 0 && !waits_for_end;
                if ends && (!goes_on || is_parameter_list) {
                    return idx + 1;
                }
            }
            ";" if depth == 0 => return idx + 1,
            "=" if depth == 0 => waits_for_end = true,
            "#" if is_c && depth == 0 && start < idx && token.starts_line => return idx,
            _ => {}
        }
    }
    tokens.len()
}

/// The names of a definition in C: what stands before its parameters, its braces, its initializer or its end; all names
/// of an enumeration; the name of a macro.
fn c_names(tokens: &[SourceToken]) -> Vec<String> {
    if tokens.first().is_some_and(is_directive) {
        let is_macro = tokens.get(1).is_some_and(|token| token.is("define"));
        let name = tokens.get(2).filter(|_| is_macro);
        return name
            .map(|token| token.text.to_string())
            .into_iter()
            .collect();
    }
    if tokens.iter().take(2).any(|token| token.is("enum")) {
        let names = tokens.iter().filter(|token| token.is_name());
        return names.map(|token| token.text.to_string()).collect();
    }
    let ends_name = |token: &SourceToken| matches!(&*token.text, "(" | "{" | "[" | "=" | ";" | ",");
    let mut names = Vec::new();
    let mut depth = 0_usize;
    for pair in tokens.windows(2) {
        if depth == 0 && ends_name(&pair[1]) && pair[0].is_name() {
            names.push(pair[0].text.to_string());
        }
        match &*pair[1].text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    names
}

fn rust_names(tokens: &[SourceToken]) -> Vec<String> {
    let mut names = Vec::new();
    for (idx, token) in tokens.iter().enumerate() {
        let place = match &*token.text {
            "macro_rules" => idx + 2,
            word if RUST_KEYWORDS.contains(&word) => idx + 1,
            _ => continue,
        };
        let name = tokens.get(place).filter(|name| name.is_name());
        names.extend(name.map(|name| name.text.to_string()));
    }
    names
}

/// The definitions of a file in Fortran: each begins with the statement that begins a program unit or a procedure.
pub(super) fn of_fortran(tokens: &[SourceToken]) -> Vec<Definition> {
    let mut definitions = vec![Definition {
        names: Vec::new(),
        tokens: 0..tokens.len(),
    }];
    let lines = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.starts_line);
    for (start, _) in lines {
        let end = (start + 1..tokens.len()).find(|idx| tokens[*idx].starts_line);
        let line = &tokens[start..end.unwrap_or(tokens.len())];
        let Some(name) = unit_name(line) else {
            continue;
        };
        if let Some(last) = definitions.last_mut() {
            last.tokens.end = start;
        }
        definitions.push(Definition {
            names: vec![name],
            tokens: start..tokens.len(),
        });
    }
    definitions
}

/// The name that a statement gives to the program unit or procedure that it begins.
fn unit_name(line: &[SourceToken]) -> Option<String> {
    let first = line.first()?;
    let is_unit = matches!(&*first.text, "program" | "module" | "submodule");
    let keyword = match &*first.text {
        "end" | "call" => return None,
        _ if is_unit => 0,
        _ => line
            .iter()
            .take_while(|token| !token.is("=") && !token.is(":"))
            .position(|token| token.is("subroutine") || token.is("function"))?,
    };
    let name = line.get(keyword + 1).filter(|name| name.is_name())?;
    let is_interface = is_unit && matches!(&*name.text, "procedure" | "subroutine" | "function");
    (!is_interface).then(|| name.text.to_string())
}
