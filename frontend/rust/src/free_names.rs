//! The free names of a closure: those that its text mentions and does not bind itself.
//!
//! ```text
//! |i| { let t = c; t + i }      c
//! |c| c + n                     n
//! ```
//!
//! What a macro that is left in place mentions counts as free.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// The free names of a closure, in the order of their first mention.
pub(crate) fn free_names(closure: &syn::ExprClosure) -> Vec<String> {
    let mut scan = FreeNames::default();
    scan.visit_expr_closure(closure);
    scan.free
}

#[derive(Default)]
struct FreeNames {
    /// The names that are bound at this place, innermost last.
    bound: Vec<String>,
    free: Vec<String>,
}

impl FreeNames {
    fn mention(&mut self, name: String) {
        if !self.bound.contains(&name) && !self.free.contains(&name) {
            self.free.push(name);
        }
    }

    /// Visits text whose bindings end with it.
    fn in_scope(&mut self, visit: impl FnOnce(&mut Self)) {
        let n_bound = self.bound.len();
        visit(self);
        self.bound.truncate(n_bound);
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) => self.mention(name.to_string()),
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for FreeNames {
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        self.bound.push(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        if let Some(name) = path.path.get_ident() {
            self.mention(name.to_string());
        }
    }

    fn visit_macro(&mut self, invocation: &'a syn::Macro) {
        self.tokens(invocation.tokens.clone());
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        // The initial value does not see the new names.
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
        self.visit_pat(&local.pat);
    }

    fn visit_block(&mut self, block: &'a syn::Block) {
        self.in_scope(|scan| visit::visit_block(scan, block));
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.in_scope(|scan| visit::visit_arm(scan, arm));
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        self.in_scope(|scan| visit::visit_expr_closure(scan, closure));
    }

    fn visit_expr_for_loop(&mut self, head: &'a syn::ExprForLoop) {
        self.visit_expr(&head.expr);
        self.in_scope(|scan| {
            scan.visit_pat(&head.pat);
            scan.visit_block(&head.body);
        });
    }

    fn visit_expr_if(&mut self, branch: &'a syn::ExprIf) {
        self.in_scope(|scan| {
            scan.visit_expr(&branch.cond);
            scan.visit_block(&branch.then_branch);
        });
        if let Some((_, otherwise)) = &branch.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, head: &'a syn::ExprWhile) {
        self.in_scope(|scan| visit::visit_expr_while(scan, head));
    }

    fn visit_expr_let(&mut self, condition: &'a syn::ExprLet) {
        self.visit_expr(&condition.expr);
        self.visit_pat(&condition.pat);
    }

    fn visit_item(&mut self, _: &'a syn::Item) {}

    fn visit_type(&mut self, _: &'a syn::Type) {}
}
