//! Macros defined by `macro_rules!` in a file.
//!
//! ```text
//! macro_rules! halve { ($($x:ident),*) => { $( $x *= 0.5; )* } }
//! halve!(a, b)         becomes  a *= 0.5; b *= 0.5;
//! ```
//!
//! The expansion of a macro has the place of the invocation, except for the tokens of its arguments.

use crate::parse::{MAX_HEIGHT, height};
use crate::text_loops::contains_loop;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Block, Expr, Item, Macro, Pat};

/// The maximum number of tokens in an expansion.
pub(crate) const MAX_TOKENS: usize = 20_000;

/// The macros of a program by name, with matcher and transcriber of each rule.
#[derive(Clone, Default)]
pub(crate) struct Macros(BTreeMap<String, Vec<(TokenStream, TokenStream)>>);

impl Macros {
    /// Adds the macros that items define.
    pub(crate) fn define(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Macro(one) if one.mac.path.is_ident("macro_rules") => {
                    if let Some(name) = &one.ident {
                        self.0
                            .insert(name.to_string(), rules(one.mac.tokens.clone()));
                    }
                }
                Item::Mod(module) => {
                    if let Some((_, items)) = &module.content {
                        self.define(items);
                    }
                }
                _ => {}
            }
        }
    }

    /// The names of macros with a loop in a transcriber.
    pub(crate) fn names_with_loops(&self) -> BTreeSet<String> {
        let has_loop = |rules: &[(TokenStream, TokenStream)]| {
            rules.iter().any(|(_, body)| contains_loop(body.clone()))
        };
        let named = self.0.iter().filter(|(_, rules)| has_loop(rules));
        named.map(|(name, _)| name.clone()).collect()
    }

    /// The expansion of an invocation, and its number of tokens, which is counted up to somewhat more than `most`.
    pub(crate) fn expanded(
        &self,
        one: &Macro,
        span: Span,
        most: usize,
    ) -> Option<(TokenStream, usize)> {
        let name = defined_name(one)?;
        let rules = self.0.get(&name)?;
        let (found, body) = rules.iter().find_map(|(matcher, body)| {
            Some((matched(matcher.clone(), one.tokens.clone())?, body))
        })?;
        let mut left = MAX_TOKENS;
        let tokens = transcribed(body.clone(), &found, span, &mut left)?;
        let n_tokens = count_tokens(tokens.clone(), most);
        Some((tokens, n_tokens))
    }
}

/// The name of a macro that the program may define.
pub(crate) fn defined_name(one: &Macro) -> Option<String> {
    let segments = &one.path.segments;
    let first = segments.first()?.ident.to_string();
    let is_own = segments.len() == 1 || matches!(first.as_str(), "crate" | "self" | "super");
    is_own.then(|| segments.last().map(|last| last.ident.to_string()))?
}

/// Tokens as an expression; several statements are a block.
pub(crate) fn parsed_expression(tokens: TokenStream, span: Span) -> Option<Expr> {
    if height(&tokens) > MAX_HEIGHT {
        return None;
    }
    if let Ok(value) = syn::parse2::<Expr>(tokens.clone()) {
        return Some(value);
    }
    let stmts = Block::parse_within.parse2(tokens).ok()?;
    let mut braces = Group::new(Delimiter::Brace, TokenStream::new());
    braces.set_span(span);
    let mut block: Block = syn::parse2(TokenTree::Group(braces).into()).ok()?;
    block.stmts = stmts;
    Some(Expr::Block(syn::ExprBlock {
        attrs: Vec::new(),
        label: None,
        block,
    }))
}

/// The number of tokens, counted until it exceeds `most`.
fn count_tokens(tokens: TokenStream, most: usize) -> usize {
    let mut open = vec![tokens.into_iter()];
    let mut count = 0;
    while let Some(rest) = open.last_mut() {
        match rest.next() {
            Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
            Some(_) => {}
            None => {
                open.pop();
                continue;
            }
        }
        count += 1;
        if most < count {
            break;
        }
    }
    count
}

/// The rules of a definition: `(matcher) => { transcriber };`.
fn rules(tokens: TokenStream) -> Vec<(TokenStream, TokenStream)> {
    let groups = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let groups: Vec<TokenStream> = groups.collect();
    let pairs = groups.chunks_exact(2);
    pairs
        .map(|pair| (pair[0].clone(), pair[1].clone()))
        .collect()
}

/// What a metavariable stands for.
#[derive(Clone)]
enum Matched {
    One(TokenStream),
    /// In a repetition.
    Many(Vec<Matched>),
}

type Bindings = BTreeMap<String, Matched>;

/// A part of a matcher or transcriber.
enum Part {
    Token(TokenTree),
    Group(Delimiter, Vec<Part>),
    /// `$name` or `$name:kind`.
    Variable(String, String),
    /// `$( … ) separator operator`
    Repetition(Vec<Part>, Vec<TokenTree>, char),
}

/// The most marks that one token consists of: `..=`.
const MAX_MARKS: usize = 3;

/// The parts of a matcher (which has kinds of fragments) or of a transcriber.
fn parts(tokens: TokenStream, has_kinds: bool) -> Option<Vec<Part>> {
    let mut made = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let is_dollar = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '$');
        made.push(match (token, rest.peek()) {
            (_, Some(TokenTree::Ident(name))) if is_dollar => {
                let name = name.to_string();
                let name = name.trim_start_matches("r#").to_owned();
                rest.next();
                let kind = match has_kinds && name != "crate" {
                    false => String::new(),
                    true => match (rest.next(), rest.next()) {
                        (Some(TokenTree::Punct(_)), Some(TokenTree::Ident(kind))) => {
                            kind.to_string()
                        }
                        _ => return None,
                    },
                };
                Part::Variable(name, kind)
            }
            (_, Some(TokenTree::Group(group))) if is_dollar => {
                let inner = parts(group.stream(), has_kinds)?;
                rest.next();
                let operator = |token: &TokenTree| match token {
                    TokenTree::Punct(punct) if "*+?".contains(punct.as_char()) => {
                        Some(punct.as_char())
                    }
                    _ => None,
                };
                // One token, which may consist of several marks: `&&`.
                let mut separator = Vec::new();
                let operator = loop {
                    let token = rest.next()?;
                    match operator(&token) {
                        Some(operator) => break operator,
                        None if separator.len() < MAX_MARKS => separator.push(token),
                        None => return None,
                    }
                };
                Part::Repetition(inner, separator, operator)
            }
            (TokenTree::Group(group), _) => {
                Part::Group(group.delimiter(), parts(group.stream(), has_kinds)?)
            }
            (token, _) => Part::Token(token),
        });
    }
    Some(made)
}

/// The bindings of a rule's metavariables; `None` if it does not match.
fn matched(matcher: TokenStream, given: TokenStream) -> Option<Bindings> {
    let parts = parts(matcher, true)?;
    bindings(&parts, given).ok()
}

/// The bindings if all tokens match.
fn bindings(parts: &[Part], given: TokenStream) -> syn::Result<Bindings> {
    let read = |input: ParseStream| {
        let mut found = Bindings::new();
        match_parts(parts, input, &mut found)?;
        match input.is_empty() {
            true => Ok(found),
            false => Err(input.error("more tokens")),
        }
    };
    read.parse2(given)
}

fn match_parts(parts: &[Part], input: ParseStream, found: &mut Bindings) -> syn::Result<()> {
    for part in parts {
        match part {
            Part::Token(token) => match_token(token, input)?,
            Part::Group(delimiter, inner) => match input.parse::<TokenTree>()? {
                TokenTree::Group(group) if group.delimiter() == *delimiter => {
                    found.append(&mut bindings(inner, group.stream())?);
                }
                _ => return Err(input.error("another token")),
            },
            Part::Variable(name, kind) => {
                let tokens = fragment(input, kind)?;
                found.insert(name.clone(), Matched::One(tokens));
            }
            Part::Repetition(inner, separator, operator) => {
                match_repetition(inner, separator, *operator, input, found)?;
            }
        }
    }
    Ok(())
}

fn match_token(token: &TokenTree, input: ParseStream) -> syn::Result<()> {
    let other: TokenTree = input.parse()?;
    match other.to_string() == token.to_string() {
        true => Ok(()),
        false => Err(input.error("another token")),
    }
}

/// Matches the parts as often as they match.
fn match_repetition(
    inner: &[Part],
    separator: &[TokenTree],
    operator: char,
    input: ParseStream,
    found: &mut Bindings,
) -> syn::Result<()> {
    let mut all: Vec<Bindings> = Vec::new();
    while !input.is_empty() && (operator != '?' || all.is_empty()) {
        let ahead = input.fork();
        let mut one = Bindings::new();
        let is_next = all.is_empty()
            || separator
                .iter()
                .all(|token| match_token(token, &ahead).is_ok());
        if !is_next || match_parts(inner, &ahead, &mut one).is_err() {
            break;
        }
        if ahead.span().byte_range() == input.span().byte_range() && !ahead.is_empty() {
            break;
        }
        input.advance_to(&ahead);
        all.push(one);
    }
    if operator == '+' && all.is_empty() {
        return Err(input.error("nothing to repeat"));
    }
    let mut names = Vec::new();
    variables(inner, &mut names);
    for name in names {
        let each = all.iter().filter_map(|one| one.get(&name).cloned());
        let each = Matched::Many(each.collect());
        found.insert(name, each);
    }
    Ok(())
}

/// The names of the metavariables in some parts.
fn variables(parts: &[Part], names: &mut Vec<String>) {
    for part in parts {
        match part {
            Part::Variable(name, _) => names.push(name.clone()),
            Part::Group(_, inner) | Part::Repetition(inner, ..) => variables(inner, names),
            Part::Token(_) => {}
        }
    }
}

fn fragment(input: ParseStream, kind: &str) -> syn::Result<TokenStream> {
    use quote::ToTokens;
    Ok(match kind {
        "expr" => {
            let value: Expr = input.parse()?;
            let span = syn::spanned::Spanned::span(&value);
            let mut group = Group::new(Delimiter::None, value.into_token_stream());
            group.set_span(span);
            TokenTree::Group(group).into()
        }
        "ident" => input.call(syn::Ident::parse_any)?.into_token_stream(),
        "pat" => Pat::parse_multi_with_leading_vert(input)?.into_token_stream(),
        "pat_param" => Pat::parse_single(input)?.into_token_stream(),
        "vis" => input.parse::<syn::Visibility>()?.into_token_stream(),
        "meta" => input.parse::<syn::Meta>()?.into_token_stream(),
        "item" => input.parse::<Item>()?.into_token_stream(),
        "stmt" => input.parse::<syn::Stmt>()?.into_token_stream(),
        "ty" => input.parse::<syn::Type>()?.into_token_stream(),
        "literal" => input.parse::<syn::Lit>()?.into_token_stream(),
        "path" => input.parse::<syn::Path>()?.into_token_stream(),
        "lifetime" => input.parse::<syn::Lifetime>()?.into_token_stream(),
        "block" => input.parse::<Block>()?.into_token_stream(),
        "tt" => input.parse::<TokenTree>()?.into(),
        _ => return Err(input.error("a fragment of this kind")),
    })
}

/// What a transcriber becomes; `left` counts down the tokens.
fn transcribed(
    body: TokenStream,
    found: &Bindings,
    span: Span,
    left: &mut usize,
) -> Option<TokenStream> {
    let parts = parts(body, false)?;
    let mut made = TokenStream::new();
    transcribe(&parts, found, span, left, &mut made)?;
    Some(made)
}

fn transcribe(
    parts: &[Part],
    found: &Bindings,
    span: Span,
    left: &mut usize,
    made: &mut TokenStream,
) -> Option<()> {
    for part in parts {
        *left = left.checked_sub(1)?;
        match part {
            Part::Variable(name, _) if name == "crate" => {
                made.extend([TokenTree::Ident(proc_macro2::Ident::new("crate", span))]);
            }
            Part::Variable(name, _) => match found.get(name)? {
                Matched::One(tokens) => made.extend(tokens.clone()),
                Matched::Many(_) => return None,
            },
            Part::Group(delimiter, inner) => {
                let mut tokens = TokenStream::new();
                transcribe(inner, found, span, left, &mut tokens)?;
                let mut group = Group::new(*delimiter, tokens);
                group.set_span(span);
                made.extend([TokenTree::Group(group)]);
            }
            Part::Token(token) => {
                let mut token = token.clone();
                token.set_span(span);
                made.extend([token]);
            }
            Part::Repetition(inner, separator, _) => {
                for (idx, one) in repetitions(inner, found)?.iter().enumerate() {
                    *left = left.checked_sub(1)?;
                    for token in separator.iter().filter(|_| 0 < idx) {
                        let mut token = token.clone();
                        token.set_span(span);
                        made.extend([token]);
                    }
                    transcribe(inner, one, span, left, made)?;
                }
            }
        }
    }
    Some(())
}

/// The bindings for each repetition of some parts.
fn repetitions(parts: &[Part], found: &Bindings) -> Option<Vec<Bindings>> {
    let mut names = Vec::new();
    variables(parts, &mut names);
    let repeated = |name: &String| match found.get(name) {
        Some(Matched::Many(all)) => Some(all.len()),
        _ => None,
    };
    let lengths: Vec<usize> = names.iter().filter_map(repeated).collect();
    let count = *lengths.first()?;
    if lengths.iter().any(|length| *length != count) {
        return None;
    }
    let one = |idx: usize| {
        let names = names.iter().filter_map(|name| {
            let value = match found.get(name)? {
                Matched::Many(all) => all.get(idx)?.clone(),
                one @ Matched::One(_) => one.clone(),
            };
            Some((name.clone(), value))
        });
        names.collect()
    };
    Some((0..count).map(one).collect())
}
