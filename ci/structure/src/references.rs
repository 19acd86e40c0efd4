//! From the items of a module to the names that it defines, imports and refers to.
//!
//! Items under `#[cfg(test)]` do not count, inner modules are handled separately, and the visibility of an item
//! (`pub(super)`) is no reference.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// A name that a `use` brings into a module.
#[derive(Debug, Clone)]
pub(crate) struct Import {
    /// The name in the importing module; `None` for `*`.
    pub(crate) alias: Option<String>,
    /// The imported path, as a list of segments.
    pub(crate) segments: Vec<String>,
    /// Whether other modules can refer to the name through this one.
    pub(crate) is_reexport: bool,
}

/// The names that a module defines, imports and refers to.
#[derive(Default)]
pub(crate) struct ModuleContents {
    pub(crate) definitions: BTreeSet<String>,
    pub(crate) imports: Vec<Import>,
    pub(crate) references: Vec<Vec<String>>,
}

/// Collects the names in a module's items.
pub(crate) fn contents(items: &[syn::Item]) -> ModuleContents {
    let mut contents = ModuleContents::default();
    for item in items {
        let defined = match item {
            syn::Item::Const(item) => Some(&item.ident),
            syn::Item::Enum(item) => Some(&item.ident),
            syn::Item::Fn(item) => Some(&item.sig.ident),
            syn::Item::Macro(item) => item.ident.as_ref(),
            syn::Item::Static(item) => Some(&item.ident),
            syn::Item::Struct(item) => Some(&item.ident),
            syn::Item::Trait(item) => Some(&item.ident),
            syn::Item::Type(item) => Some(&item.ident),
            syn::Item::Union(item) => Some(&item.ident),
            _ => None,
        };
        contents.definitions.extend(defined.map(name_of));
        contents.visit_item(item);
    }
    contents
}

/// The text of an identifier, without the `r#` of raw identifiers.
pub(crate) fn name_of(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}

/// Whether the attributes of an item restrict it to tests.
pub(crate) fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(meta) if meta.path.is_ident("cfg") => {
            let words = meta.tokens.to_string();
            words == "test" || (words.starts_with("all") && words.contains("test"))
        }
        syn::Meta::Path(path) => path.is_ident("test"),
        _ => false,
    })
}

/// Whether an item is compiled only for tests, whatever its kind.
pub(crate) fn item_is_for_tests(item: &syn::Item) -> bool {
    match item {
        syn::Item::Const(item) => is_for_tests(&item.attrs),
        syn::Item::Enum(item) => is_for_tests(&item.attrs),
        syn::Item::Fn(item) => is_for_tests(&item.attrs),
        syn::Item::Impl(item) => is_for_tests(&item.attrs),
        syn::Item::Mod(item) => is_for_tests(&item.attrs),
        syn::Item::Struct(item) => is_for_tests(&item.attrs),
        syn::Item::Trait(item) => is_for_tests(&item.attrs),
        syn::Item::Type(item) => is_for_tests(&item.attrs),
        syn::Item::Use(item) => is_for_tests(&item.attrs),
        _ => false,
    }
}

impl ModuleContents {
    fn add_imports(&mut self, tree: &syn::UseTree, before: &[String], is_reexport: bool) {
        let below = |ident: &syn::Ident| [before, &[name_of(ident)]].concat();
        let mut add = |alias: Option<String>, segments: Vec<String>| {
            self.imports.push(Import {
                alias,
                segments,
                is_reexport,
            });
        };
        match tree {
            syn::UseTree::Path(path) => {
                self.add_imports(&path.tree, &below(&path.ident), is_reexport);
            }
            // `use a::b::{self}` names `b`.
            syn::UseTree::Name(name) if name.ident == "self" => {
                add(before.last().cloned(), before.to_vec());
            }
            syn::UseTree::Name(name) => add(Some(name_of(&name.ident)), below(&name.ident)),
            syn::UseTree::Rename(rename) if rename.ident == "self" => {
                add(Some(name_of(&rename.rename)), before.to_vec());
            }
            syn::UseTree::Rename(rename) => {
                add(Some(name_of(&rename.rename)), below(&rename.ident));
            }
            syn::UseTree::Glob(_) => add(None, before.to_vec()),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_imports(tree, before, is_reexport);
                }
            }
        }
    }

    /// Collects paths among the tokens of a macro call: `a::b`, and single names that are called or look like types. A
    /// name after a `.` is a field or a method.
    fn scan_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        let mut after_dot = false;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons < 2 {
                        self.end_path(&mut path);
                    }
                    if !after_dot {
                        path.push(name_of(&ident));
                    }
                    (colons, after_dot) = (0, false);
                }
                TokenTree::Punct(punct) => {
                    colons = if punct.as_char() == ':' {
                        colons + 1
                    } else {
                        0
                    };
                    after_dot = punct.as_char() == '.';
                    if colons == 0 {
                        self.end_path(&mut path);
                    }
                }
                TokenTree::Group(group) => {
                    let is_called = group.delimiter() == proc_macro2::Delimiter::Parenthesis;
                    if is_called && !path.is_empty() {
                        self.references.push(std::mem::take(&mut path));
                    }
                    self.end_path(&mut path);
                    self.scan_tokens(group.stream());
                    (colons, after_dot) = (0, false);
                }
                TokenTree::Literal(_) => {
                    self.end_path(&mut path);
                    (colons, after_dot) = (0, false);
                }
            }
        }
        self.end_path(&mut path);
    }

    fn end_path(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        let is_type = |name: &String| name.starts_with(char::is_uppercase);
        if path.len() > 1 || path.first().is_some_and(is_type) {
            self.references.push(path);
        }
    }
}

impl<'ast> Visit<'ast> for ModuleContents {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !item_is_for_tests(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            let is_reexport = !matches!(item.vis, syn::Visibility::Inherited);
            self.add_imports(&item.tree, &[], is_reexport);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            let segments = path.segments.iter().map(|it| name_of(&it.ident));
            self.references.push(segments.collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        visit::visit_macro(self, call);
        self.scan_tokens(call.tokens.clone());
    }
}
