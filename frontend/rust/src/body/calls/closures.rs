//! Closures and functions whose bodies are inlined at a call.
//!
//! A closure is inlined wherever it is called, with its captures: the environment of its definition. A small function
//! is inlined if a call would hide its effects. Recursion, and bodies that exceed their budget, are refused.

use crate::ast_builder;
use crate::body::calls::{functions, signatures, vector_lengths};
use crate::body::context::{Body, MAX_INLINED, ReturnTarget};
use crate::body::control::{blocks, jump_scan, jumps, returns};
use crate::body::values::{patterns, places};
use crate::context::Substitution;
use crate::positions::TextCopy;
use crate::types::Ty;
use crate::value::{Closure, ClosureCode, Environment, InlinedCode, Value};
use premiss_ast::syntax::TextRange;
use premiss_tree::RejectReason;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;
use syn::{FnArg, Pat};

/// The result of a closure for these arguments; inlines its body.
pub(crate) fn call_closure<'a>(
    ctx: &mut Body<'a, '_>,
    closure: &Rc<Closure<'a>>,
    arguments: Vec<Value<'a>>,
    at: TextRange,
) -> Value<'a> {
    let syntax = match closure.syntax {
        ClosureCode::Path(path) => {
            let around = std::mem::replace(&mut ctx.substitution, closure.substitution.clone());
            let unit = std::mem::replace(&mut ctx.unit, closure.unit);
            ctx.program.text_unit.set(closure.unit);
            let value = ctx.call_path(path, arguments, at, None);
            ctx.substitution = around;
            ctx.unit = unit;
            ctx.program.text_unit.set(unit);
            return value;
        }
        ClosureCode::Closure(syntax) => syntax,
    };
    if syntax.asyncness.is_some() {
        return ctx.unsupported("a call of an asynchronous closure", at);
    }
    let one = InlinedCode::Closure(std::ptr::from_ref(syntax));
    if let Some(refused) = refuse_recursion(ctx, one, "the closure", at) {
        return refused;
    }
    let Some(copy) = text_copy_for(ctx, closure, one, at) else {
        return refuse_size(ctx, at);
    };
    let definition = Surroundings {
        unit: closure.unit,
        copy,
        environment: closure.environment.clone(),
        substitution: closure.substitution.clone(),
        inline_stack: closure.inlined_around.clone(),
    };
    let around = definition.enter(ctx, one);
    for (pattern, value) in syntax.inputs.iter().zip(arguments) {
        let value = match pattern {
            Pat::Type(typed) => {
                let scope = ctx.substitution.clone();
                let kind = ctx.program.resolve(&typed.ty, &scope);
                places::coerce(ctx, value, &kind)
            }
            _ => value,
        };
        patterns::bind(ctx, pattern, value);
    }
    let result = closure_result_type(ctx, syntax, &closure.expected);
    let returns = jump_scan::value_contains_return(&syntax.body);
    let value = inline_block(ctx, returns, &result, at, |ctx, expected| {
        ctx.expression(&syntax.body, Some(expected))
    });
    around.restore(ctx);
    value
}

/// What names and places mean in some text.
struct Surroundings<'a> {
    /// The file.
    unit: usize,
    copy: TextCopy,
    environment: Environment<'a>,
    substitution: Arc<Substitution>,
    inline_stack: Vec<InlinedCode>,
}

impl<'a> Surroundings<'a> {
    /// Makes them those of the code that follows, which is inlined; returns the ones before.
    fn enter(self, ctx: &mut Body<'a, '_>, one: InlinedCode) -> Self {
        let around = Self {
            unit: std::mem::replace(&mut ctx.unit, self.unit),
            copy: std::mem::replace(&mut ctx.copy, self.copy),
            environment: std::mem::replace(&mut ctx.environment, self.environment),
            substitution: std::mem::replace(&mut ctx.substitution, self.substitution),
            inline_stack: std::mem::replace(&mut ctx.inline_stack, self.inline_stack),
        };
        ctx.program.text_unit.set(ctx.unit);
        ctx.inline_stack.push(one);
        ctx.n_inlined += 1;
        around
    }

    /// Makes them those of the code after inlined code.
    fn restore(self, ctx: &mut Body<'a, '_>) {
        ctx.unit = self.unit;
        ctx.program.text_unit.set(self.unit);
        ctx.copy = self.copy;
        ctx.environment = self.environment;
        ctx.substitution = self.substitution;
        ctx.inline_stack = self.inline_stack;
        ctx.n_inlined -= 1;
    }
}

fn closure_result_type(ctx: &mut Body, syntax: &syn::ExprClosure, expected: &OnceCell<Ty>) -> Ty {
    match &syntax.output {
        syn::ReturnType::Default => expected.get().cloned().unwrap_or_else(Ty::unknown),
        syn::ReturnType::Type(_, kind) => {
            let scope = ctx.substitution.clone();
            ctx.program.resolve(kind, &scope)
        }
    }
}

fn text_copy_for<'a>(
    ctx: &mut Body<'a, '_>,
    closure: &Closure<'a>,
    one: InlinedCode,
    at: TextRange,
) -> Option<TextCopy> {
    let text = &ctx.program.positions[closure.unit];
    match closure.was_inlined.replace(true) {
        false => Some(closure.copy),
        true => ctx.copies.next(at, one, text),
    }
}

fn refuse_recursion<'a>(
    ctx: &mut Body<'a, '_>,
    one: InlinedCode,
    name: &str,
    at: TextRange,
) -> Option<Value<'a>> {
    if ctx.inline_stack.contains(&one) {
        let callee = name.to_owned();
        return Some(ctx.reject(RejectReason::Recursion { callee }, at));
    }
    if MAX_INLINED <= ctx.n_inlined {
        return Some(refuse_size(ctx, at));
    }
    ctx.spend();
    let limit = ctx.exceeded_limit()?;
    Some(ctx.reject(RejectReason::Budget { limit }, at))
}

fn refuse_size<'a>(ctx: &mut Body<'a, '_>, at: TextRange) -> Value<'a> {
    let limit = format!("{MAX_INLINED} closures and generic functions inside each other");
    ctx.reject(RejectReason::Budget { limit }, at)
}

/// Evaluates a body that may return before its end.
fn inline_block<'a>(
    ctx: &mut Body<'a, '_>,
    returns: bool,
    result: &Ty,
    at: TextRange,
    make: impl FnOnce(&mut Body<'a, '_>, &Ty) -> Value<'a>,
) -> Value<'a> {
    let result = ctx.inference.resolve(result);
    let old_result = std::mem::replace(&mut ctx.return_type, result.clone());
    if !returns {
        let value = make(ctx, &result);
        ctx.return_type = old_result;
        return match result.is_unknown() {
            true => value,
            false => places::coerce(ctx, value, &result),
        };
    }
    ctx.n_labels += 1;
    let label: premiss_ast::syntax::Name = format!("returned'{}", ctx.n_labels).into();
    let slot = match result.is_unknown() || matches!(result, Ty::Array(..)) {
        true => Value::Unknown(result.clone()),
        false => signatures::declare_uninitialized(ctx, "returned", &result, at),
    };
    let returns = ReturnTarget::Inlined {
        result: slot.clone(),
        label: label.clone(),
    };
    let old = std::mem::replace(&mut ctx.return_target, returns);
    let loops = std::mem::take(&mut ctx.jump_targets);
    let (mut list, ()) = ctx.emit_aside(|ctx| {
        let value = make(ctx, &result);
        if !matches!(value, Value::Never) {
            returns::return_value(ctx, value, at);
        }
    });
    ctx.jump_targets = loops;
    ctx.return_target = old;
    ctx.return_type = old_result;
    jumps::drop_last_jump(&mut list, &label);
    ctx.emit(ast_builder::block(at, list));
    jumps::emit_label(ctx, &label, at);
    slot
}

/// Inlines a function at its call, for these values of its generic parameters.
pub(crate) fn inline_function<'a>(
    ctx: &mut Body<'a, '_>,
    function: usize,
    arguments: Vec<Value<'a>>,
    at: TextRange,
    closed: functions::ClosedScope,
) -> Value<'a> {
    let one = InlinedCode::Function(function);
    let name = ctx.program.index.functions[function].name.clone();
    if let Some(refused) = refuse_recursion(ctx, one, &name, at) {
        return refused;
    }
    let mut scope = closed.scope;
    for (name, value) in closed.constants {
        let value = ctx.stabilize(value, &name);
        scope.values.insert(name, Arc::new(value));
    }
    let (sig, block, unit) = {
        let item = &ctx.program.index.functions[function];
        (item.sig, item.block, item.unit)
    };
    // The lengths in the type `Self` are those of the caller.
    let owner = ctx.program.index.functions[function].owner.as_ref();
    if let Some(own) = owner.and_then(|owner| owner.self_type) {
        scope.self_type = Some(ctx.program.in_text(unit, |c| c.resolve(own, &scope)));
    }
    let text = &ctx.program.positions[unit];
    let Some(copy) = ctx.copies.next(at, one, text) else {
        return refuse_size(ctx, at);
    };
    ctx.program.inlined.insert(function);
    let result = ctx.program.in_text(unit, |c| c.result_type(sig, &scope));
    // The function changes the representation of the vector itself.
    let lent: Vec<Value<'a>> = arguments
        .iter()
        .map(
            |value| match vector_lengths::is_borrowed_vector(ctx, value) {
                true => Value::Unit,
                false => value.clone(),
            },
        )
        .collect();
    let lengths = vector_lengths::borrowed_lengths(ctx, function, &lent);
    let mut given = Vec::new();
    for (argument, value) in sig.inputs.iter().zip(arguments) {
        let kind = ctx
            .program
            .in_text(unit, |c| c.parameter_type(argument, &scope));
        given.push((argument, places::coerce(ctx, value, &kind)));
    }
    let definition = Surroundings {
        unit,
        copy,
        environment: Environment::default(),
        substitution: Arc::new(scope),
        inline_stack: ctx.inline_stack.clone(),
    };
    let around = definition.enter(ctx, one);
    for (argument, value) in given {
        match argument {
            FnArg::Receiver(receiver) => {
                let at = ctx.at(&receiver.self_token);
                patterns::bind_name(ctx, "self", value, receiver.mutability.is_some(), at);
            }
            FnArg::Typed(typed) => patterns::bind(ctx, &typed.pat, value),
        }
    }
    let returns = jump_scan::contains_return(block);
    let value = inline_block(ctx, returns, &result, at, |ctx, expected| {
        blocks::typed_block(ctx, block, Some(expected))
    });
    around.restore(ctx);
    vector_lengths::forget_lengths(ctx, lengths, value, at)
}
