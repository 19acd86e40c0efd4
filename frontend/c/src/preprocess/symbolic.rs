//! Macros that are left unexpanded in the text: sizes that the user keeps symbolic.
//!
//! With `#define N 100`, and `N` among the symbolic names, `double a[N + 2]` is left as written, and so are uses of
//! `N` in other macros: `N` is a macro that expands to itself. Conditional compilation cannot depend on a size without
//! a value, so `#if N > 10` uses the 100, with a note.

use super::expand;
use super::integers;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use premiss_source::{Severity, Span};

use super::macros::Candidate;
use super::macros::{Macro, Piece};
use super::report::Finding;
use super::state::Preprocessor;
use super::token::{Kind, Name, Token};

/// The definition of a symbolic size as itself, if the macro is symbolic and is an integer.
pub(super) fn define_symbolic(ctx: &mut Preprocessor, name: Token, definition: Macro) -> Macro {
    if !ctx.options.symbolic.contains(ctx.names.spelling(name.name)) {
        return definition;
    }
    let defined_at = definition.defined_at;
    let itself = Macro {
        shape: definition.shape.clone(),
        body: vec![Piece::Token(name)],
        defined_at,
    };
    let candidate = Candidate {
        defined_at,
        definition: Rc::new(definition),
    };
    let hidden = Rc::make_mut(&mut ctx.candidates).insert(name.name, candidate);
    let is_integer = integers::is_integer(ctx, name.name, &mut HashMap::new(), 0);
    let candidate = Rc::make_mut(&mut ctx.candidates).remove(&name.name);
    if let Some(hidden) = hidden {
        Rc::make_mut(&mut ctx.candidates).insert(name.name, hidden);
    }
    let Some(candidate) = candidate else {
        return itself;
    };
    if is_integer {
        ctx.symbolic_macros.insert(name.name, candidate);
        return itself;
    }
    let Macro {
        shape,
        body,
        defined_at,
    } = &*candidate.definition;
    Macro {
        shape: shape.clone(),
        body: body.clone(),
        defined_at: *defined_at,
    }
}

/// Expands the tokens of a condition; symbolic sizes have their defined values.
pub(super) fn expand_condition(
    ctx: &mut Preprocessor,
    tokens: Vec<Token>,
    place: Span,
) -> Vec<Token> {
    if ctx.symbolic_macros.is_empty() {
        return expand::expand_line(ctx, tokens);
    }
    let expanded = expand::expand_line(ctx, tokens.clone());
    let is_kept = |token: &Token| {
        token.kind == Kind::Identifier && ctx.symbolic_macros.contains_key(&token.name)
    };
    let Some(first) = expanded.iter().find(|token| is_kept(token)) else {
        return expanded;
    };
    needs_value(ctx, first.name, place);
    let symbolic = replace_symbolic(ctx, None);
    let expanded = expand::expand_line(ctx, tokens);
    replace_symbolic(ctx, Some(symbolic));
    expanded
}

/// Replaces the definitions of symbolic macros by those of the program or vice versa; returns the previous ones.
fn replace_symbolic(
    ctx: &mut Preprocessor,
    back: Option<BTreeMap<Name, Rc<Macro>>>,
) -> BTreeMap<Name, Rc<Macro>> {
    let new = back.unwrap_or_else(|| {
        let kept = ctx.symbolic_macros.iter();
        kept.map(|(name, candidate)| (*name, Rc::clone(&candidate.definition)))
            .collect()
    });
    let mut old = BTreeMap::new();
    for (name, definition) in new {
        if let Some(before) = ctx.macros.get(name).cloned() {
            ctx.macros.set(name, Some(definition));
            old.insert(name, before);
        }
    }
    old
}

fn needs_value(ctx: &mut Preprocessor, name: Name, place: Span) {
    let value = ctx.symbolic_macros.get(&name);
    let value = value.map_or_else(String::new, |kept| {
        integers::replacement_text(ctx, &kept.definition)
    });
    let name = ctx.names.spelling(name).to_owned();
    let message = format!("this condition takes `{name}` as {value}, though it is symbolic");
    ctx.report.add(Finding {
        code: "symbolic-size-in-condition",
        severity: Severity::Note,
        message,
        span: Some(place),
        help: Some("the formulas hold for sizes for which the condition decides the same"),
    });
    ctx.sizes_in_conditions.insert(name);
}
