//! Vectors that a callee may resize or replace.
//!
//! A vector that a function borrows is passed as a pointer and a length. Changes of these by the function are not
//! passed back: if it may change them, they become unknown.

use crate::ast_builder;
use crate::body::context::Body;
use crate::context::{ProgramContext, VectorEffect};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Expression, ExpressionKind, TextRange};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Expr, FnArg, ReceiverKind, Type, UnOp};

/// Methods that change the length of a vector.
const RESIZING: [&str; 24] = [
    "push",
    "pop",
    "clear",
    "truncate",
    "set_len",
    "resize",
    "resize_with",
    "extend_from_slice",
    "extend_from_within",
    "extend",
    "append",
    "insert",
    "remove",
    "swap_remove",
    "drain",
    "retain",
    "retain_mut",
    "dedup",
    "dedup_by",
    "dedup_by_key",
    "split_off",
    "push_str",
    "splice",
    "leak",
];

/// Functions that replace the value of a place.
const REPLACING: [&str; 3] = ["swap", "replace", "take"];

/// The operations in functions, and the names of their callees.
struct EffectScan {
    effect: VectorEffect,
    called: BTreeSet<String>,
}

impl EffectScan {
    fn tokens(&mut self, tokens: TokenStream) {
        let mut open = vec![tokens];
        while let Some(tokens) = open.pop() {
            for token in tokens {
                match token {
                    TokenTree::Group(group) => open.push(group.stream()),
                    TokenTree::Ident(name) => self.call(&name.to_string(), true),
                    _ => {}
                }
            }
        }
    }

    fn call(&mut self, name: &str, is_path: bool) {
        if RESIZING.contains(&name) {
            self.effect = self.effect.max(VectorEffect::Length);
        }
        if is_path && REPLACING.contains(&name) {
            self.effect = VectorEffect::Whole;
        }
        self.called.insert(name.to_owned());
    }
}

impl<'a> Visit<'a> for EffectScan {
    fn visit_expr(&mut self, value: &'a Expr) {
        match value {
            Expr::MethodCall(call) => self.call(&call.method.to_string(), false),
            Expr::Call(call) => {
                if let Expr::Path(path) = &*call.func
                    && let Some(last) = path.path.segments.last()
                {
                    self.call(&last.ident.to_string(), true);
                }
            }
            Expr::Macro(invocation) => self.tokens(invocation.mac.tokens.clone()),
            _ => {}
        }
        visit::visit_expr(self, value);
    }

    fn visit_stmt_macro(&mut self, one: &'a syn::StmtMacro) {
        self.tokens(one.mac.tokens.clone());
    }
}

/// Whether a block stores to the target of a parameter of this name.
struct Overwrites<'n> {
    names: &'n [String],
    is_overwritten: bool,
}

impl<'a> Visit<'a> for Overwrites<'_> {
    fn visit_expr_assign(&mut self, assignment: &'a syn::ExprAssign) {
        if let Expr::Unary(operation) = &*assignment.left
            && let UnOp::Deref(_) = operation.op
            && let Expr::Path(path) = &*operation.expr
            && let Some(name) = path.path.get_ident()
        {
            self.is_overwritten |= self.names.contains(&name.to_string());
        }
        visit::visit_expr_assign(self, assignment);
    }
}

impl ProgramContext<'_> {
    /// What a function or its callees may do to borrowed vectors.
    pub(crate) fn change(&self, function: usize) -> VectorEffect {
        let effects = self.vector_effects.get_or_init(|| vector_effects(self));
        effects[function]
    }

    /// What a function itself may do to borrowed vectors, and the names of its callees.
    fn own_change(&self, function: usize) -> (VectorEffect, BTreeSet<String>) {
        let item = &self.index.functions[function];
        let mut scan = EffectScan {
            effect: VectorEffect::Nothing,
            called: BTreeSet::new(),
        };
        scan.visit_block(item.block);
        let names: Vec<String> = mutable_references(&item.sig.inputs)
            .filter_map(|input| match input {
                FnArg::Typed(typed) => match &*typed.pat {
                    syn::Pat::Ident(ident) => Some(ident.ident.to_string()),
                    _ => None,
                },
                FnArg::Receiver(_) => Some("self".to_owned()),
            })
            .collect();
        let mut overwrites = Overwrites {
            names: &names,
            is_overwritten: false,
        };
        overwrites.visit_block(item.block);
        match overwrites.is_overwritten {
            true => (VectorEffect::Whole, scan.called),
            false => (scan.effect, scan.called),
        }
    }
}

/// What each function or its callees may do to borrowed vectors, by the function's number. An effect passes from a
/// function to all that call one of its name. As it only grows, each function passes on at most two effects: the
/// steps grow with the program, and not with its square.
fn vector_effects(program: &ProgramContext) -> Vec<VectorEffect> {
    let mut effects = Vec::new();
    let mut callers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for function in 0..program.index.functions.len() {
        let (effect, called) = program.own_change(function);
        effects.push(effect);
        for name in called {
            callers.entry(name).or_default().push(function);
        }
    }
    let mut open: Vec<usize> = (0..effects.len()).collect();
    while let Some(callee) = open.pop() {
        let effect = effects[callee];
        let name = program.index.functions[callee].sig.ident.to_string();
        for caller in callers.get(&name).into_iter().flatten() {
            if effects[*caller] < effect {
                effects[*caller] = effect;
                open.push(*caller);
            }
        }
    }
    effects
}

/// The lengths of the vectors that a function borrows and may change.
pub(crate) fn borrowed_lengths<'a>(
    ctx: &mut Body<'a, '_>,
    function: usize,
    arguments: &[Value<'a>],
) -> (VectorEffect, Vec<Expression>) {
    let inputs = &ctx.program.index.functions[function].sig.inputs;
    let mut lengths = Vec::new();
    for (input, value) in inputs.iter().zip(arguments) {
        if let Value::Slice(slice) = value
            && is_mutable_reference(input)
            && matches!(ctx.inference.resolve(&slice.kind).peeled(), Ty::Vec(_))
        {
            lengths.push(slice.length.clone());
        }
    }
    match lengths.is_empty() {
        true => (VectorEffect::Nothing, lengths),
        false => (ctx.program.change(function), lengths),
    }
}

/// Makes the lengths of vectors unknown after a call that may have changed them.
pub(crate) fn forget_lengths<'a>(
    ctx: &mut Body<'a, '_>,
    (change, lengths): (VectorEffect, Vec<Expression>),
    result: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    if change == VectorEffect::Nothing {
        return result;
    }
    if change == VectorEffect::Whole {
        return ctx.unsupported("a call that may put another vector in the place of one", at);
    }
    // The call is evaluated first.
    let result = ctx.hold(result, "returned");
    for length in lengths {
        if !matches!(length.kind, ExpressionKind::Name(_)) {
            ctx.unsupported(
                "a call that may change the length of a vector in a struct",
                at,
            );
            continue;
        }
        let data = ctx.unknown_integer(at);
        ctx.emit(ast_builder::evaluated(ast_builder::assign(
            at, length, data,
        )));
    }
    result
}

/// Whether a value is a reference to a vector in variables, some of which may change: the variables represent the
/// vector during the lifetime of the reference.
pub(crate) fn is_borrowed_vector<'a>(ctx: &Body<'a, '_>, value: &Value<'a>) -> bool {
    let Value::Slice(slice) = value else {
        return false;
    };
    let is_reference = matches!(ctx.inference.resolve(&slice.kind), Ty::Pointer(inner) if matches!(*inner, Ty::Vec(_)));
    let (ExpressionKind::Name(_), ExpressionKind::Name(length)) =
        (&slice.pointer.kind, &slice.length.kind)
    else {
        return false;
    };
    is_reference && ctx.mutable_names.contains(length)
}

fn mutable_references<'i>(
    inputs: impl IntoIterator<Item = &'i FnArg>,
) -> impl Iterator<Item = &'i FnArg> {
    inputs
        .into_iter()
        .filter(|input| is_mutable_reference(input))
}

/// Whether a parameter is a mutable reference.
pub(crate) fn is_mutable_reference(input: &FnArg) -> bool {
    match input {
        FnArg::Receiver(receiver) => {
            matches!(receiver.kind, ReceiverKind::Reference(..)) && receiver.mutability.is_some()
        }
        FnArg::Typed(typed) => {
            matches!(&*typed.ty, Type::Reference(reference) if reference.mutability.is_some())
        }
    }
}
