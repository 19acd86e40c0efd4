//! The loops in a text, wherever they are: what was not counted is found by comparison with them (`loop_accounting.rs`).
//!
//! Macros that are left in place count by their tokens: `for … in`, `while`, `loop { … }`.

use crate::item_index::is_test;
use crate::macro_expansion::{MacroUses, macro_name};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item};

/// A loop in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextLoop {
    /// The place of its keyword, or of the macro whose tokens contain it.
    pub(crate) at: Range<usize>,
    /// The whole loop.
    pub(crate) extent: Range<usize>,
    pub(crate) context: LoopContext,
}

/// What surrounds a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LoopContext {
    Function,
    /// A closure within a function, or in the initial value of a constant.
    Closure,
    /// A constant expression: the compiler evaluates it.
    Constant,
    /// A macro that is left in place.
    Macro(String),
}

/// What a file contains of loops.
#[derive(Debug, Default)]
pub(crate) struct FileLoops {
    pub(crate) loops: Vec<TextLoop>,
    /// The starts of its loops, and of methods that are loops over what they are called on, in order.
    nests: Vec<usize>,
    /// Macros in the place of items, without a loop in their tokens.
    pub(crate) item_macros: Vec<(String, Range<usize>)>,
    /// The paths in `include!`, with their places.
    pub(crate) included: Vec<(String, Range<usize>)>,
    /// Macros that the file defines, with the places of their names.
    pub(crate) definitions: Vec<(String, Range<usize>)>,
}

impl FileLoops {
    /// The loops of a file whose macros are expanded.
    pub(crate) fn of(items: &[Item], uses: &MacroUses) -> Self {
        let mut scan = LoopScan {
            file: Self::default(),
            context: LoopContext::Function,
            uses,
        };
        items.iter().for_each(|item| scan.visit_item(item));
        let mut file = scan.file;
        let starts = file.loops.iter().map(|one| one.at.start);
        file.nests.extend(starts);
        file.nests.sort_unstable();
        file.loops.sort_by_key(|one| one.at.start);
        file.loops.dedup_by_key(|one| one.at.start);
        file
    }

    /// Whether a macro is left in place somewhere.
    pub(crate) fn mentions_macro(&self, name: &str) -> bool {
        let is_it = |one: &TextLoop| matches!(&one.context, LoopContext::Macro(x) if x == name);
        self.loops.iter().any(is_it)
    }

    /// Whether a piece of the text contains a nest.
    pub(crate) fn has_nest(&self, text: Range<usize>) -> bool {
        let first = self.nests.partition_point(|start| *start < text.start);
        self.nests.get(first).is_some_and(|start| *start < text.end)
    }
}

/// Methods of iterators that visit all items.
const VISITING: [&str; 5] = [
    "for_each",
    "try_for_each",
    "for_each_with",
    "for_each_init",
    "into_par_iter",
];

struct LoopScan<'u> {
    file: FileLoops,
    context: LoopContext,
    uses: &'u MacroUses,
}

impl LoopScan<'_> {
    fn add(&mut self, keyword: Span, whole: Span) {
        self.file.loops.push(TextLoop {
            at: keyword.byte_range(),
            extent: whole.byte_range(),
            context: self.context.clone(),
        });
    }

    fn within(&mut self, context: LoopContext, visit: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.context, context);
        visit(self);
        self.context = around;
    }

    /// A macro that is left in place; whether it contains a loop.
    fn macro_text(&mut self, one: &syn::Macro) -> bool {
        let (name, at) = (macro_name(one), one.span().byte_range());
        let is_include = name == "include";
        if is_include {
            let path = one.parse_body::<syn::LitStr>().map(|path| path.value());
            let path = path.unwrap_or_else(|_| one.tokens.to_string());
            self.file.included.push((path, at.clone()));
        }
        let has_loop = contains_loop(one.tokens.clone()) || self.uses.with_loops.contains(&name);
        if has_loop {
            let context = LoopContext::Macro(name);
            let extent = at.clone();
            self.file.loops.push(TextLoop {
                at,
                extent,
                context,
            });
        } else if is_include {
            self.file.nests.push(at.start);
        }
        has_loop || is_include
    }
}

impl<'a> Visit<'a> for LoopScan<'_> {
    fn visit_item(&mut self, item: &'a Item) {
        if is_test(attributes(item)) {
            return;
        }
        let context = match item {
            Item::Const(_) | Item::Static(_) | Item::Enum(_) => LoopContext::Constant,
            _ => LoopContext::Function,
        };
        self.within(context, |scan| visit::visit_item(scan, item));
    }

    fn visit_item_macro(&mut self, item: &'a syn::ItemMacro) {
        if let Some(name) = &item.ident {
            let definition = (name.to_string(), name.span().byte_range());
            self.file.definitions.push(definition);
        } else if !self.macro_text(&item.mac) {
            let name = item.mac.path.segments.last();
            let name = name.map(|last| last.ident.to_string()).unwrap_or_default();
            let at = item.mac.span().byte_range();
            // What one macro becomes has one place.
            if self
                .file
                .item_macros
                .last()
                .is_none_or(|(_, last)| *last != at)
            {
                self.file.item_macros.push((name, at));
            }
        }
    }

    fn visit_impl_item(&mut self, item: &'a syn::ImplItem) {
        let context = match item {
            syn::ImplItem::Fn(method) if is_test(&method.attrs) => return,
            syn::ImplItem::Const(_) => LoopContext::Constant,
            _ => LoopContext::Function,
        };
        self.within(context, |scan| visit::visit_impl_item(scan, item));
    }

    fn visit_trait_item_const(&mut self, item: &'a syn::TraitItemConst) {
        self.within(LoopContext::Constant, |scan| {
            visit::visit_trait_item_const(scan, item);
        });
    }

    fn visit_type(&mut self, kind: &'a syn::Type) {
        self.within(LoopContext::Constant, |scan| visit::visit_type(scan, kind));
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        self.within(LoopContext::Closure, |scan| {
            visit::visit_expr_closure(scan, closure);
        });
    }

    fn visit_expr_for_loop(&mut self, head: &'a syn::ExprForLoop) {
        self.add(head.for_token.span, head.span());
        visit::visit_expr_for_loop(self, head);
    }

    fn visit_expr_while(&mut self, head: &'a syn::ExprWhile) {
        self.add(head.while_token.span, head.span());
        visit::visit_expr_while(self, head);
    }

    fn visit_expr_loop(&mut self, head: &'a syn::ExprLoop) {
        self.add(head.loop_token.span, head.span());
        visit::visit_expr_loop(self, head);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let name = call.method.to_string();
        if VISITING.contains(&name.as_str()) || name.starts_with("par_") {
            self.file.nests.push(call.method.span().byte_range().start);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, one: &'a syn::Macro) {
        self.macro_text(one);
    }

    fn visit_token_stream(&mut self, tokens: &'a TokenStream) {
        // Text that `syn` keeps as it is.
        if contains_loop(tokens.clone()) {
            let at = tokens.span().byte_range();
            let context = LoopContext::Macro("?".to_owned());
            let extent = at.clone();
            self.file.loops.push(TextLoop {
                at,
                extent,
                context,
            });
        }
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether tokens contain a loop. `for` without `in` belongs to an `impl` or a lifetime.
pub(crate) fn contains_loop(tokens: TokenStream) -> bool {
    let mut is_open_for = false;
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        match token {
            TokenTree::Group(group) => {
                is_open_for &= group.delimiter() != Delimiter::Brace;
                if contains_loop(group.stream()) {
                    return true;
                }
            }
            TokenTree::Ident(word) => match word.to_string().as_str() {
                "while" => return true,
                "loop" if matches!(rest.peek(), Some(TokenTree::Group(_))) => return true,
                "for" => is_open_for = true,
                "in" if is_open_for => return true,
                _ => {}
            },
            TokenTree::Punct(mark) => is_open_for &= mark.as_char() != ';',
            TokenTree::Literal(_) => {}
        }
    }
    false
}
