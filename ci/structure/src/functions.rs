//! The lines of every function with a body, from its signature to its closing brace; attributes and documentation do
//! not count, and a nested function also counts in the outer one.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::workspace::RustFile;

/// The lines of each function of a file, with its file and line as name.
pub(crate) fn function_sizes(file: &RustFile) -> Vec<(usize, String)> {
    let mut visitor = FunctionVisitor {
        path: file.path.display().to_string(),
        sizes: Vec::new(),
    };
    visitor.visit_file(&file.syntax);
    visitor.sizes
}

struct FunctionVisitor {
    path: String,
    sizes: Vec<(usize, String)>,
}

impl FunctionVisitor {
    fn record(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let first = signature.span().start().line;
        let last = body.span().end().line;
        let name = format!("{}:{first} {}", self.path, signature.ident);
        self.sizes.push((last + 1 - first, name));
    }
}

impl<'ast> Visit<'ast> for FunctionVisitor {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.record(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.record(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.record(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}
