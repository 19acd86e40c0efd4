//! Desugars a function: its parameters, its body, its result.

use crate::ast_builder;
use crate::body::calls::{signatures, vector_lengths};
use crate::body::context::{Body, OpenParameters};
use crate::body::control::returns;
use crate::body::inference::InferenceTable;
use crate::body::inlined_copies::InlinedCopies;
use crate::body::values::{constants, patterns};
use crate::context::{Instance, ProgramContext, Substitution, VectorEffect};
use crate::loop_accounting::CoverageMark;
use crate::positions::TextCopy;
use crate::types::Ty;
use crate::value::{Value, part_name};
use premiss_ast::structured_loops;
use premiss_ast::syntax::{
    Declaration, Function, Initializer, Item, Lifetime, Linkage, Name, Object, Parameter,
    Signature, Statement, StatementKind, TextRange, TypeName,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use syn::{FnArg, Pat};

/// How often a body is desugared until the types of its inference variables are stable.
const MAX_PASSES: usize = 3;

/// Desugars a function for an instance.
///
/// Types that its text leaves open are inferred first. If calls are left of which nothing determines some generic
/// parameter, these are assumed as for functions that nothing calls, and the rest is inferred again.
pub(crate) fn lower(program: &mut ProgramContext, instance: &Instance) -> Function {
    let n_open = program.worklist.len();
    let mut pass = lower_until_stable(program, instance, PassStart::default());
    if pass.open_parameters == OpenParameters::Seen {
        program.undo(n_open);
        let start = PassStart {
            inference: pass.inference,
            copies: pass.copies.for_next_pass(),
            open_parameters: OpenParameters::Assumed,
            assumed_types: BTreeSet::new(),
        };
        pass = lower_until_stable(program, instance, start);
    }
    program.add_marks(pass.marks);
    pass.function
}

/// What a pass over a body starts with.
#[derive(Default)]
struct PassStart {
    /// The types that earlier passes inferred.
    inference: InferenceTable,
    copies: InlinedCopies,
    open_parameters: OpenParameters,
    /// The types that earlier passes assumed: those that they inferred rest on them.
    assumed_types: BTreeSet<Name>,
}

/// What one pass over a body makes of it.
struct Pass {
    function: Function,
    /// The types that it inferred.
    inference: InferenceTable,
    copies: InlinedCopies,
    /// What became of the text.
    marks: Vec<CoverageMark>,
    open_parameters: OpenParameters,
    /// The types that it assumed, and those that the passes before did: the types that these inferred rest on them.
    assumed_types: BTreeSet<Name>,
}

/// Desugars a function until a pass infers no more than the one before.
fn lower_until_stable(
    program: &mut ProgramContext,
    instance: &Instance,
    mut start: PassStart,
) -> Pass {
    for _ in 1..MAX_PASSES {
        let n_open = program.worklist.len();
        let (before, open_parameters) = (start.inference.clone(), start.open_parameters);
        let pass = lower_once(program, instance, start);
        if pass.inference.has_types_of(&before) {
            return pass;
        }
        program.undo(n_open);
        start = PassStart {
            inference: pass.inference,
            copies: pass.copies.for_next_pass(),
            open_parameters,
            assumed_types: pass.assumed_types,
        };
    }
    lower_once(program, instance, start)
}

/// Desugars a function once.
fn lower_once(program: &mut ProgramContext, instance: &Instance, start: PassStart) -> Pass {
    let unit = program.index.functions[instance.function].unit;
    // The instances that it calls rest on them, too.
    let own = instance.assumed_types.iter().chain(&start.assumed_types);
    program.assumed_types = own.cloned().collect();
    program.undeclared_types.borrow_mut().clear();
    let mut ctx = Body::new(program, unit, instance.substitution.clone(), instance.copy);
    ctx.inference = start.inference;
    ctx.copies = start.copies;
    ctx.open_parameters = start.open_parameters;
    ctx.assumed_types = start.assumed_types;
    let mut function = function_body(&mut ctx, instance);
    function
        .assumed_types
        .extend(ctx.assumed_types.iter().cloned());
    function
        .assumed_types
        .extend(ctx.program.undeclared_types.take());
    Pass {
        function,
        inference: ctx.inference,
        copies: ctx.copies,
        marks: ctx.marks,
        open_parameters: ctx.open_parameters,
        assumed_types: ctx.assumed_types,
    }
}

/// A constant or static of the program, as an object at file scope.
pub(crate) fn constant(program: &mut ProgramContext, constant: usize) -> Item {
    let kind = program.constant_type(constant);
    let item = &program.index.constants[constant];
    let (unit, name, value, span) = (item.unit, item.name.clone(), item.value, item.span);
    let is_const = !item.is_mutable;
    let mut scope = Substitution::default();
    if let Some(own) = item.owner.as_ref().and_then(|owner| owner.self_type) {
        scope.self_type = Some(program.resolve(own, &scope));
    }
    let mut ctx = Body::new(program, unit, Arc::new(scope), TextCopy::default());
    let at = ctx.place(span);
    let initializer = constants::constant_initializer(&mut ctx, value, &kind);
    let memory = ctx.program.memory(&kind);
    object(&name, at, kind.variable(memory), is_const, initializer)
}

fn function_body(ctx: &mut Body, instance: &Instance) -> Function {
    let item = &ctx.program.index.functions[instance.function];
    let (sig, block) = (item.sig, item.block);
    let at = ctx.at(&sig.ident);
    let mut parameters = signatures::constant_parameters(ctx, instance.function, at);
    let mut patterns = Vec::new();
    for (idx, argument) in sig.inputs.iter().enumerate() {
        let is_changed = vector_lengths::is_mutable_reference(argument)
            && ctx.program.change(instance.function) != VectorEffect::Nothing;
        lower_parameter(
            ctx,
            idx,
            argument,
            is_changed,
            &mut parameters,
            &mut patterns,
        );
    }
    ctx.return_type = signatures::result_type(ctx, instance.function);
    for (pattern, value) in patterns {
        patterns::bind(ctx, pattern, value);
    }
    let value = ctx.statements(block);
    if !matches!(value, Value::Never) {
        returns::return_value(ctx, value, ctx.at(block));
    }
    let result = ctx.return_type.clone();
    let signature = Signature {
        result: Arc::new(signatures::result_type_name(ctx, &result)),
        parameters,
        order: Vec::new(),
    };
    let mut body = std::mem::take(&mut ctx.block);
    drop_empty_return(&mut body);
    Function {
        name: instance.name.clone(),
        at,
        signature: Arc::new(signature),
        linkage: Linkage::External,
        body: structured_loops(ast_builder::block(ctx.at(block), body)),
        assumed_types: instance.assumed_types.to_vec(),
        assumed_kinds: Vec::new(),
    }
}

fn lower_parameter<'a>(
    ctx: &mut Body<'a, '_>,
    idx: usize,
    argument: &'a FnArg,
    is_changed: bool,
    parameters: &mut Vec<Parameter>,
    patterns: &mut Vec<(&'a Pat, Value<'a>)>,
) {
    let (name, at, is_mutable) = match argument {
        FnArg::Receiver(receiver) => {
            let at = ctx.at(&receiver.self_token);
            ("self".to_owned(), at, receiver.mutability.is_some())
        }
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(ident) if ident.subpat.is_none() => {
                let at = ctx.at(&ident.ident);
                (ident.ident.to_string(), at, ident.mutability.is_some())
            }
            pattern => (format!("{idx}"), ctx.at(pattern), false),
        },
    };
    // All parameters of a function that a macro defines have one place; an array is identified by its own.
    let at = match parameters.iter().any(|parameter| parameter.at == at) {
        true => ctx.fresh_at(at),
        false => at,
    };
    let kind = signatures::parameter_type(ctx, argument);
    let value = declare_parameter(ctx, &name, &kind, at, is_mutable || is_changed, parameters);
    match argument {
        FnArg::Typed(typed) if !matches!(&*typed.pat, Pat::Ident(_)) => {
            patterns.push((&typed.pat, value));
        }
        _ => ctx.environment.bind(name, value),
    }
}

fn declare_parameter<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    kind: &Ty,
    at: TextRange,
    is_mutable: bool,
    parameters: &mut Vec<Parameter>,
) -> Value<'a> {
    let mut names = Vec::new();
    let parts = ctx.parts_of(kind);
    for (idx, (suffix, part)) in parts.into_iter().enumerate() {
        let part_at = if idx == 0 { at } else { ctx.fresh_at(at) };
        let name = ctx.fresh_name(&part_name(name, &suffix));
        let part = match kind {
            // Its length is known.
            Ty::Pointer(inner) if matches!(**inner, Ty::Array(..)) => ctx.memory_type(inner),
            _ => part,
        };
        if is_mutable {
            ctx.mutable_names.insert(name.clone());
        }
        names.push(ast_builder::name(at, &name));
        parameters.push(Parameter {
            name: Some(name),
            at: part_at,
            kind: Arc::new(part),
        });
    }
    signatures::value_of_parts(kind, at, &mut names.into_iter())
}

/// Drops an empty `return` at the end: it has no effect.
fn drop_empty_return(body: &mut Vec<Statement>) {
    if let Some(Statement {
        kind: StatementKind::Return(None),
        ..
    }) = body.last()
    {
        body.pop();
    }
}

/// A constant or static, as an object at file scope.
fn object(
    name: &str,
    at: TextRange,
    kind: TypeName,
    is_const: bool,
    initializer: Initializer,
) -> Item {
    Item::Declaration(Declaration::Object(Object {
        name: name.into(),
        at,
        kind: Arc::new(kind),
        lifetime: Lifetime::Automatic,
        is_const,
        is_volatile: false,
        initializer: Some(initializer),
    }))
}
