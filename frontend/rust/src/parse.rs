//! Parses a text to items, as many as possible.
//!
//! A malformed item affects no others, as items are parsed separately. The parser is recursive, so text that nests too
//! deeply is refused before it is parsed.

use crate::modules::MAX_BYTES;
use premiss_tree::RejectReason;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::ops::Range;
use std::str::FromStr;
use syn::Item;
use syn::parse::{Parse, ParseStream, Parser};

/// The maximum height of an item's syntax tree, estimated from brackets and operators.
pub(crate) const MAX_HEIGHT: usize = 2_000;

/// A parsed text.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// The items that could be parsed.
    pub(crate) items: Vec<Item>,
    /// The byte ranges of the others, with the reasons.
    pub(crate) errors: Vec<(RejectReason, Range<usize>)>,
}

/// Parses a file.
pub(crate) fn parse(text: &str) -> Source {
    let mut source = Source::default();
    if MAX_BYTES < text.len() {
        let limit = "64 MiB in one file".to_owned();
        source.errors.push((RejectReason::Budget { limit }, 0..1));
        return source;
    }
    let text = without_head(text);
    let tokens = match TokenStream::from_str(&text) {
        Ok(tokens) => tokens,
        Err(_) => tokens_of_pieces(&text, &mut source.errors),
    };
    if height(&tokens) <= MAX_HEIGHT
        && let Ok(file) = syn::parse2::<syn::File>(tokens.clone())
    {
        source.items = file.items;
        return source;
    }
    let read = |input: ParseStream| {
        read_items(input, &mut source);
        Ok(())
    };
    // Malformed items are skipped, so that parsing as a whole does not fail.
    let _ = read.parse2(tokens);
    source
}

/// The text with blanks for a byte order mark and a shebang line.
fn without_head(text: &str) -> String {
    let mut blank = 0;
    if text.starts_with('\u{feff}') {
        blank = '\u{feff}'.len_utf8();
    }
    if text[blank..].starts_with("#!") && !text[blank..].trim_start_matches("#!").starts_with('[') {
        let rest = &text[blank..];
        blank += rest.find('\n').unwrap_or(rest.len());
    }
    format!("{}{}", " ".repeat(blank), &text[blank..])
}

/// The tokens of the pieces of a text that can be tokenized; a piece starts at a line that looks like an item.
fn tokens_of_pieces(text: &str, errors: &mut Vec<(RejectReason, Range<usize>)>) -> TokenStream {
    let mut kept = String::with_capacity(text.len());
    for piece in pieces(text) {
        let words = &text[piece.clone()];
        match TokenStream::from_str(words) {
            Ok(_) => kept.push_str(words),
            Err(error) => {
                let at = error.span().byte_range();
                let start = piece.start + at.start.min(words.len());
                errors.push((RejectReason::Syntax, start..start + 1));
                let blanks = words.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' });
                kept.extend(blanks);
            }
        }
    }
    TokenStream::from_str(&kept).unwrap_or_default()
}

fn pieces(text: &str) -> Vec<Range<usize>> {
    const STARTS: [&str; 16] = [
        "fn ",
        "pub ",
        "pub(",
        "impl",
        "struct ",
        "enum ",
        "trait ",
        "mod ",
        "use ",
        "const ",
        "static ",
        "type ",
        "unsafe ",
        "extern ",
        "macro_rules!",
        "#[",
    ];
    let mut starts = vec![0];
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if 0 < offset && STARTS.iter().any(|start| line.starts_with(start)) {
            starts.push(offset);
        }
        offset += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(a, b)| *a..b).collect()
}

fn read_items(input: ParseStream, source: &mut Source) {
    let _ = syn::Attribute::parse_inner(input);
    while !input.is_empty() {
        let next = next_segment(&input.fork());
        if MAX_HEIGHT < height(&next) {
            let limit = format!("{MAX_HEIGHT} levels of nesting in one item");
            let at = place(&next);
            source.errors.push((RejectReason::Budget { limit }, at));
            next_segment(input);
            continue;
        }
        let fork = input.fork();
        match Item::parse(&fork) {
            Ok(item) => {
                syn::parse::discouraged::Speculative::advance_to(input, &fork);
                source.items.push(item);
            }
            Err(error) => {
                let at = error.span().byte_range();
                source.errors.push((RejectReason::Syntax, at));
                next_segment(input);
            }
        }
    }
}

/// The tokens up to the end of what looks like an item.
fn next_segment(input: ParseStream) -> TokenStream {
    let mut tokens = Vec::new();
    while let Ok(token) = input.parse::<TokenTree>() {
        let is_end = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            _ => false,
        };
        tokens.push(token);
        if is_end {
            break;
        }
    }
    tokens.into_iter().collect()
}

fn place(tokens: &TokenStream) -> Range<usize> {
    let first = tokens.clone().into_iter().next();
    first.map_or(0..0, |token| token.span().byte_range())
}

/// An upper bound of the height of some tokens' syntax tree: operators and keywords of one statement may nest, and
/// brackets within them.
pub(crate) fn height(tokens: &TokenStream) -> usize {
    // (the maximum so far; for the current statement: its operators, and the maximum in its brackets)
    let mut open = vec![(0_usize, 0_usize, 0_usize, tokens.clone().into_iter())];
    loop {
        let Some((highest, n_operators, inner, rest)) = open.last_mut() else {
            return 0;
        };
        match rest.next() {
            Some(TokenTree::Group(group)) => {
                open.push((0, 0, 0, group.stream().into_iter()));
            }
            Some(TokenTree::Punct(punct)) if matches!(punct.as_char(), ';' | ',') => {
                *highest = (*highest).max(*n_operators + *inner);
                (*n_operators, *inner) = (0, 0);
            }
            Some(TokenTree::Punct(_)) => *n_operators += 1,
            Some(TokenTree::Ident(_) | TokenTree::Literal(_)) => *n_operators += 1,
            None => {
                let found = 1 + (*highest).max(*n_operators + *inner);
                open.pop();
                match open.last_mut() {
                    Some((_, _, inner, _)) => *inner = (*inner).max(found),
                    None => return found,
                }
            }
        }
    }
}
