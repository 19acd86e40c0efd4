//! Macros defined by `macro_rules!` in a file, without repetitions.
//!
//! The expansion of a macro has the place of the invocation, except for the tokens of its arguments.

use crate::parse::{MAX_HEIGHT, height};
use crate::text_loops::contains_loop;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::parse::{ParseStream, Parser};
use syn::{Block, Expr, Item, Macro};

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
        let name = one.path.get_ident()?.to_string();
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

/// The bindings of a rule's metavariables; `None` if it does not match.
fn matched(matcher: TokenStream, given: TokenStream) -> Option<BTreeMap<String, TokenStream>> {
    let read = |input: ParseStream| {
        let mut found = BTreeMap::new();
        let mut rest = matcher.into_iter();
        while let Some(token) = rest.next() {
            let is_fragment = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '$');
            if !is_fragment {
                let other: TokenTree = input.parse()?;
                if other.to_string() != token.to_string() {
                    return Err(input.error("another token"));
                }
                continue;
            }
            let (Some(TokenTree::Ident(name)), Some(_), Some(TokenTree::Ident(kind))) =
                (rest.next(), rest.next(), rest.next())
            else {
                return Err(input.error("a repetition"));
            };
            found.insert(name.to_string(), fragment(input, &kind.to_string())?);
        }
        match input.is_empty() {
            true => Ok(found),
            false => Err(input.error("more tokens")),
        }
    };
    read.parse2(given).ok()
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
        "ident" => input.parse::<syn::Ident>()?.into_token_stream(),
        "ty" => input.parse::<syn::Type>()?.into_token_stream(),
        "literal" => input.parse::<syn::Lit>()?.into_token_stream(),
        "path" => input.parse::<syn::Path>()?.into_token_stream(),
        "lifetime" => input.parse::<syn::Lifetime>()?.into_token_stream(),
        "block" => input.parse::<Block>()?.into_token_stream(),
        "tt" => input.parse::<TokenTree>()?.into(),
        _ => return Err(input.error("a fragment of this kind")),
    })
}

fn transcribed(
    body: TokenStream,
    found: &BTreeMap<String, TokenStream>,
    span: Span,
    left: &mut usize,
) -> Option<TokenStream> {
    let mut made = TokenStream::new();
    let mut rest = body.into_iter().peekable();
    while let Some(token) = rest.next() {
        *left = left.checked_sub(1)?;
        let is_name = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '$');
        match (token, rest.peek()) {
            (_, Some(TokenTree::Ident(name))) if is_name => {
                let text = name.to_string();
                if text != "crate" {
                    made.extend(found.get(&text)?.clone());
                    rest.next();
                }
            }
            // A repetition.
            (_, Some(TokenTree::Group(_))) if is_name => return None,
            (TokenTree::Group(group), _) => {
                let inner = transcribed(group.stream(), found, span, left)?;
                let mut group = Group::new(group.delimiter(), inner);
                group.set_span(span);
                made.extend([TokenTree::Group(group)]);
            }
            (mut token, _) => {
                token.set_span(span);
                made.extend([token]);
            }
        }
    }
    Some(made)
}
