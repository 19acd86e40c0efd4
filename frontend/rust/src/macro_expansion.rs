//! Replaces macros of the standard library by calls of functions that represent them.
//!
//! `vec![x; n]` becomes a call of [`PREFIX`]`vec_repeat` with `x` and `n`; a macro that prints becomes a call with its
//! arguments. An unknown macro is left in place, and rejected if it is reached.

use crate::declarative_macros::Macros;
use proc_macro2::Span;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprCall, ExprMacro, Ident, Item, Macro, Stmt, Token};

/// The prefix of the names of functions that represent macros.
pub(crate) const PREFIX: &str = "premiss__";

/// The maximum depth of nested macro expansions.
const MAX_DEPTH: usize = 12;

/// Macros that print, check or panic.
const EVALUATED: [&str; 20] = [
    "println",
    "print",
    "eprintln",
    "eprint",
    "write",
    "writeln",
    "format",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "panic",
    "unreachable",
    "todo",
    "unimplemented",
    "dbg",
    "format_args",
    "log",
];

/// Expands the macros in items.
pub(crate) fn expand(items: &mut [Item]) {
    let mut expansion = Expansion {
        macros: Macros::default(),
        depth: 0,
    };
    expansion.macros.define(items);
    items
        .iter_mut()
        .for_each(|item| expansion.visit_item_mut(item));
}

struct Expansion {
    macros: Macros,
    /// The depth of nested expansions.
    depth: usize,
}

impl Expansion {
    /// The replacement of a macro, if it is known.
    fn of(&self, one: &Macro) -> Option<Expr> {
        use syn::spanned::Spanned;
        match self.depth < MAX_DEPTH {
            true => self
                .macros
                .expanded(one, one.span())
                .or_else(|| expanded(one)),
            false => None,
        }
    }
}

impl VisitMut for Expansion {
    fn visit_block_mut(&mut self, block: &mut Block) {
        for statement in &mut block.stmts {
            let mut is_made = false;
            if let Stmt::Macro(one) = statement
                && let Some(call) = self.of(&one.mac)
            {
                *statement = Stmt::Expr(call, one.semi_token);
                is_made = true;
            }
            self.depth += usize::from(is_made);
            self.visit_stmt_mut(statement);
            self.depth -= usize::from(is_made);
        }
    }

    fn visit_expr_mut(&mut self, value: &mut Expr) {
        let mut is_made = false;
        if let Expr::Macro(ExprMacro { mac, .. }) = value
            && let Some(call) = self.of(mac)
        {
            *value = call;
            is_made = true;
        }
        self.depth += usize::from(is_made);
        visit_mut::visit_expr_mut(self, value);
        self.depth -= usize::from(is_made);
    }
}

/// The call that represents a macro.
fn expanded(one: &Macro) -> Option<Expr> {
    let last = one.path.segments.last()?;
    let (name, span) = (last.ident.to_string(), last.ident.span());
    let tokens = one.tokens.clone();
    match name.as_str() {
        "vec" => {
            let repeat = |input: syn::parse::ParseStream| {
                let value: Expr = input.parse()?;
                input.parse::<Token![;]>()?;
                Ok((value, input.parse::<Expr>()?))
            };
            if let Ok((value, length)) = repeat.parse2(tokens.clone()) {
                return Some(call("vec_repeat", span, one, [value, length]));
            }
            let list = arguments(tokens)?;
            Some(call("vec", span, one, list))
        }
        "matches" => matches(one),
        name if EVALUATED.contains(&name) => {
            let list = arguments(tokens)?.into_iter().map(|value| match value {
                // `name = value`
                Expr::Assign(named) if name != "dbg" => *named.right,
                other => other,
            });
            let is_text = |value: &Expr| matches!(value, Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Str(_)));
            let list = list.filter(|value| !is_text(value));
            let list = list.skip(usize::from(matches!(name, "write" | "writeln")));
            Some(call(name, span, one, list))
        }
        _ => None,
    }
}

fn arguments(tokens: proc_macro2::TokenStream) -> Option<Vec<Expr>> {
    let list = Punctuated::<Expr, Token![,]>::parse_terminated
        .parse2(tokens)
        .ok()?;
    Some(list.into_iter().collect())
}

fn call(name: &str, span: Span, one: &Macro, list: impl IntoIterator<Item = Expr>) -> Expr {
    let function = Ident::new(&format!("{PREFIX}{name}"), span);
    let path = syn::Path::from(function);
    let paren_token = match &one.delimiter {
        syn::MacroDelimiter::Paren(paren) => *paren,
        syn::MacroDelimiter::Brace(brace) => syn::token::Paren(brace.span.join()),
        syn::MacroDelimiter::Bracket(bracket) => syn::token::Paren(bracket.span.join()),
    };
    Expr::Call(ExprCall {
        attrs: Vec::new(),
        func: Box::new(Expr::Path(syn::ExprPath {
            attrs: Vec::new(),
            qself: None,
            path,
        })),
        paren_token,
        args: list.into_iter().collect(),
    })
}

/// `matches!(value, pattern)` as a `match`.
fn matches(one: &Macro) -> Option<Expr> {
    let parse = |input: syn::parse::ParseStream| {
        let value: Expr = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<Token![if]>>()? {
            Some(_) => Some(input.parse::<Expr>()?),
            None => None,
        };
        input.parse::<Option<Token![,]>>()?;
        Ok((value, pattern, guard))
    };
    let (value, pattern, guard) = parse.parse2(one.tokens.clone()).ok()?;
    let span = one.path.segments.last()?.ident.span();
    let choice = match guard {
        Some(guard) => quote::quote_spanned!(span=> match #value {
            #pattern if #guard => true,
            _ => false
        }),
        None => quote::quote_spanned!(span=> match #value { #pattern => true, _ => false }),
    };
    syn::parse2(choice).ok()
}
