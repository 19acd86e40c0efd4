//! Replaces macros of the standard library by calls of functions that represent them.
//!
//! `vec![x; n]` becomes a call of [`PREFIX`]`vec_repeat` with `x` and `n`; a macro that prints becomes a call with its
//! arguments. An unknown macro is left in place, and rejected if it is reached.

use crate::declarative_macros::{MAX_TOKENS, Macros, defined_name, parsed_expression};
use proc_macro2::{Span, TokenStream};
use std::collections::BTreeSet;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprCall, ExprMacro, Ident, ImplItem, Item, Macro, Stmt, Token};

/// The prefix of the names of functions that represent macros.
pub(crate) const PREFIX: &str = "premiss__";

/// The maximum depth of nested macro expansions.
const MAX_DEPTH: usize = 12;
/// The maximum number of tokens that all macros of a program become: each level of macros within macros may multiply
/// the text by the number of uses of an argument.
const MAX_ALL_TOKENS: usize = 600_000;

/// The limit of macros that became too long.
pub(crate) fn macro_limit() -> String {
    format!(
        "{MAX_DEPTH} macros inside each other, {MAX_TOKENS} tokens that one becomes, {MAX_ALL_TOKENS} that all become"
    )
}

/// The path of a macro as it is written: `std::println`.
pub(crate) fn macro_name(one: &Macro) -> String {
    let segments = one.path.segments.iter();
    let words: Vec<String> = segments.map(|x| x.ident.to_string()).collect();
    words.join("::")
}

/// Macros of the crate `log`, which read their operands only if the level says so.
pub(crate) const LOGGING: [&str; 5] = ["trace", "debug", "info", "warn", "error"];

/// Macros of the crate `approx`, which compare numbers up to a tolerance.
pub(crate) const COMPARING: [&str; 6] = [
    "relative_eq",
    "relative_ne",
    "abs_diff_eq",
    "abs_diff_ne",
    "ulps_eq",
    "ulps_ne",
];

/// Macros that print, check or panic.
const EVALUATED: [&str; 23] = [
    "assert_relative_eq",
    "assert_abs_diff_eq",
    "assert_ulps_eq",
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

/// Expands the macros in the items of all files. A file sees the macros of all, its own first.
pub(crate) fn expand(files: &mut [Vec<Item>]) -> MacroUses {
    let mut all = Macros::default();
    files.iter().for_each(|items| all.define(items));
    let mut uses = MacroUses {
        with_loops: all.names_with_loops(),
        ..MacroUses::default()
    };
    for items in files {
        let mut macros = all.clone();
        macros.define(items);
        let mut expansion = Expansion {
            macros,
            depth: 0,
            uses: &mut uses,
        };
        expansion.items(items);
    }
    uses
}

/// The macros of a program, and which of them were expanded.
#[derive(Default)]
pub(crate) struct MacroUses {
    /// Macros whose definition has a loop.
    pub(crate) with_loops: BTreeSet<String>,
    /// Macros that were expanded somewhere.
    pub(crate) expanded: BTreeSet<String>,
    /// Macros that exceeded the budget ([`macro_limit`]).
    pub(crate) too_long: BTreeSet<String>,
    /// The number of tokens that all expansions became.
    n_tokens: usize,
    /// The number of these of the outermost macro that is being expanded, with the macros in it.
    n_outermost: usize,
}

struct Expansion<'u> {
    macros: Macros,
    /// The depth of nested expansions.
    depth: usize,
    uses: &'u mut MacroUses,
}

impl Expansion<'_> {
    /// The replacement of a macro, if it is known.
    fn of(&mut self, one: &Macro) -> Option<Expr> {
        let own = self
            .tokens_of(one)
            .and_then(|tokens| parsed_expression(tokens, one.span()));
        own.or_else(|| expanded(one))
    }

    /// The tokens that a macro of the program becomes.
    fn tokens_of(&mut self, one: &Macro) -> Option<TokenStream> {
        let name = defined_name(one)?;
        if self.depth == 0 {
            self.uses.n_outermost = 0;
        }
        let most = MAX_ALL_TOKENS - self.uses.n_tokens;
        let most = most.min(MAX_TOKENS - self.uses.n_outermost);
        let (tokens, n_tokens) = self.macros.expanded(one, one.span(), most)?;
        if MAX_DEPTH <= self.depth || most < n_tokens {
            self.uses.too_long.insert(name);
            return None;
        }
        self.uses.n_tokens += n_tokens;
        self.uses.n_outermost += n_tokens;
        self.uses.expanded.insert(name);
        Some(tokens)
    }

    /// Expands the macros in a list of items; a macro in the place of an item becomes items.
    fn items(&mut self, items: &mut Vec<Item>) {
        for mut item in std::mem::take(items) {
            let made = match &item {
                Item::Macro(one) if one.ident.is_none() => self.tokens_of(&one.mac),
                _ => None,
            };
            if let Some(tokens) = made
                && let Ok(file) = syn::parse2::<syn::File>(tokens)
            {
                let mut made = file.items;
                self.depth += 1;
                self.items(&mut made);
                self.depth -= 1;
                items.append(&mut made);
                continue;
            }
            self.visit_item_mut(&mut item);
            items.push(item);
        }
    }
}

impl Expansion<'_> {
    /// Expands the macros among the functions of an `impl`.
    fn parts_of_implementation(&mut self, parts: &mut Vec<ImplItem>) {
        for part in std::mem::take(parts) {
            let made = match &part {
                ImplItem::Macro(one) => self.tokens_of(&one.mac),
                _ => None,
            };
            let made = made.map(|tokens| quote::quote! { impl Made { #tokens } });
            match made.and_then(|tokens| syn::parse2::<syn::ItemImpl>(tokens).ok()) {
                Some(mut made) => {
                    self.depth += 1;
                    self.parts_of_implementation(&mut made.items);
                    self.depth -= 1;
                    parts.append(&mut made.items);
                }
                None => parts.push(part),
            }
        }
    }
}

impl VisitMut for Expansion<'_> {
    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        self.parts_of_implementation(&mut item.items);
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.items(items);
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let own = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(item @ Item::Macro(_)) => Some(item.clone()),
            _ => None,
        });
        let own: Vec<Item> = own.collect();
        let around = (!own.is_empty()).then(|| self.macros.clone());
        self.macros.define(&own);
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
        if let Some(around) = around {
            self.macros = around;
        }
    }

    fn visit_type_mut(&mut self, kind: &mut syn::Type) {
        let made = match kind {
            syn::Type::Macro(one) => self.tokens_of(&one.mac),
            _ => None,
        };
        let made = made.and_then(|tokens| syn::parse2(tokens).ok());
        let is_made = made.is_some();
        if let Some(made) = made {
            *kind = made;
        }
        self.depth += usize::from(is_made);
        visit_mut::visit_type_mut(self, kind);
        self.depth -= usize::from(is_made);
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
        "cfg" => match is_configured(&tokens.to_string()) {
            Some(truth) => Some(syn::parse_quote_spanned!(span=> #truth)),
            None => Some(call("cfg", span, one, [])),
        },
        name if EVALUATED.contains(&name)
            || LOGGING.contains(&name)
            || COMPARING.contains(&name) =>
        {
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

/// Whether `cfg!(predicate)` holds, where nothing but the predicate tells: assertions are checked, tests are not run.
fn is_configured(predicate: &str) -> Option<bool> {
    match predicate.replace(' ', "").as_str() {
        "debug_assertions" | "overflow_checks" | "not(test)" => Some(true),
        "test" | "not(debug_assertions)" | "not(overflow_checks)" => Some(false),
        _ => None,
    }
}

fn arguments(tokens: TokenStream) -> Option<Vec<Expr>> {
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
