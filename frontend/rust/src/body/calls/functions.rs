//! Calls by a path: finds the function of the program or library, its generic arguments, and how arguments are passed.

use crate::ast_builder;
use crate::body::calls::{macros, paths, signatures, unknown, vector_lengths};
use crate::body::context::{Body, OpenParameters};
use crate::body::control::jump_scan;
use crate::body::library::{complex, functions};
use crate::body::values::{aggregates, places};
use crate::context::{MAX_INSTANCES, Substitution};
use crate::generic_inference::{GenericBindings, written_type};
use crate::implementations;
use crate::inherent_methods::{is_inherent, library_type_name};
use crate::type_resolution::named_constant;
use crate::types::{GenericArg, LARGEST, Ty};
use crate::value::{InlinedCode, Value};
use premiss_ast::syntax::{Expression, Name, TextRange, TypeName};
use std::sync::Arc;
use syn::Expr;

/// The generic arguments that a call states, before those that its operands tell.
#[derive(Debug, Clone, Default)]
pub(crate) struct StatedGenerics {
    /// Those of the `impl` or trait.
    pub(crate) of_owner: Vec<GenericArg>,
    /// Those of the function.
    pub(crate) of_function: Vec<GenericArg>,
    /// The type whose function it is.
    pub(crate) self_type: Option<Ty>,
}

/// The maximum number of statements of a function that is inlined because its result is more than a number.
const MAX_SMALL: usize = 4;

/// The maximum depth of calls that are inlined because their results would be lost otherwise: options, results, arrays.
const MAX_LOST_DEPTH: usize = 6;

/// The number of statements of a body from which on such calls are not inlined: in a program of which most functions
/// return results, each body would contain all that it leads to.
const MAX_STATEMENTS_WITH_LOST: usize = 4_000;

pub(crate) fn call_expression<'a>(
    ctx: &mut Body<'a, '_>,
    call: &'a syn::ExprCall,
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    if let Some(value) = macros::builtin_macro(ctx, call, at, expected) {
        return value;
    }
    let callee = unparenthesized(&call.func);
    let Expr::Path(path) = callee else {
        let callee = ctx.expression(callee, None);
        let arguments = ctx.operands(call.args.iter().map(|x| (x, None)).collect());
        return match callee {
            Value::Closure(closure) => ctx.call_closure(&closure, arguments, at),
            _ => unknown::unknown_code(ctx, "a function pointer", arguments, at),
        };
    };
    if let Some(name) = path.path.get_ident()
        && let Some(value) = ctx.environment.get(&name.to_string()).cloned()
    {
        let arguments = ctx.operands(call.args.iter().map(|x| (x, None)).collect());
        return match value {
            Value::Closure(closure) => ctx.call_closure(&closure, arguments, at),
            _ => unknown::unknown_code(ctx, &name.to_string(), arguments, at),
        };
    }
    let kinds = expected_argument_types(ctx, path, expected);
    let arguments = call.args.iter().enumerate();
    let arguments = arguments.map(|(idx, x)| (x, kinds.get(idx).cloned()));
    let arguments = ctx.operands(arguments.collect());
    if arguments.iter().any(|value| matches!(value, Value::Never)) {
        return Value::Never;
    }
    ctx.call_path(path, arguments, at, expected)
}

/// The types of a function's parameters, as far as its declaration determines them.
fn expected_argument_types(ctx: &mut Body, path: &syn::ExprPath, expected: Option<&Ty>) -> Vec<Ty> {
    let parts = paths::path_parts(ctx, path);
    if let (Some("Some" | "Ok"), Some(Ty::Option(inner))) =
        (parts.last().map(String::as_str), expected)
    {
        return vec![(**inner).clone()];
    }
    if let Some((function, stated)) = function_of_path(ctx, path, &parts) {
        let (scope, _) = callee_scope(ctx, function, &[], Some(&stated));
        return ctx.program.parameter_types(function, &scope);
    }
    match parts
        .last()
        .and_then(|name| ctx.program.index.record_from(ctx.unit, name))
    {
        Some(record) => {
            let fields = ctx.program.fields(record, &[]);
            fields.into_iter().map(|(_, kind)| kind).collect()
        }
        None => Vec::new(),
    }
}

/// Calls the target of a path.
pub(crate) fn call_path<'a>(
    ctx: &mut Body<'a, '_>,
    path: &syn::ExprPath,
    arguments: Vec<Value<'a>>,
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    let parts = paths::path_parts(ctx, path);
    let function = function_of_trait(ctx, path, &parts, &arguments, expected);
    let function = function.or_else(|| function_of_path(ctx, path, &parts));
    let function =
        function.or_else(|| overloaded_function(ctx, path, &parts, &arguments, expected));
    if let Some((function, stated)) = function {
        return call_with_generics(ctx, function, arguments, at, Some(&stated));
    }
    if let Some(record) = parts
        .last()
        .and_then(|name| ctx.program.index.record_from(ctx.unit, name))
    {
        return aggregates::tuple_struct_literal(ctx, record, arguments, at);
    }
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    if let ([.., "default"], true, Some((kind @ (Ty::Array(..) | Ty::Record(..)), _))) = (
        names.as_slice(),
        arguments.is_empty(),
        paths::owner_of(ctx, path),
    ) {
        return aggregates::default_value(ctx, &kind, at);
    }
    let written = &path.path;
    if let Some(value) = functions::library_call(ctx, &names, written, &arguments, at, expected) {
        return value;
    }
    if let Some(value) = variant_with_fields(ctx, path, &names, &arguments) {
        return value;
    }
    // `Type::method(value, …)`
    let is_type =
        |name: &str| name.starts_with(char::is_uppercase) || Ty::primitive(name).is_some();
    if let [.., owner, _] = names.as_slice()
        && is_type(owner)
        && !arguments.is_empty()
    {
        let mut rest = arguments.into_iter();
        let receiver = rest.next().unwrap_or(Value::Unit);
        return ctx.call_method_by_path(receiver, &names, rest.collect(), at);
    }
    if parts.last().is_some_and(|name| is_constructor(name)) {
        for value in arguments {
            ctx.evaluate(value);
        }
        return Value::Unknown(Ty::unknown());
    }
    unknown::unknown_call(ctx, &parts.join("::"), arguments, at)
}

/// Whether a function of this name makes a struct or a variant of its arguments: those of the language alone have names
/// like `Luma`.
fn is_constructor(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.chars().any(char::is_lowercase)
}

/// The function of the program that a path refers to, and the generic arguments that the path states.
fn function_of_path(
    ctx: &Body,
    path: &syn::ExprPath,
    parts: &[String],
) -> Option<(usize, StatedGenerics)> {
    let scope = ctx.substitution.clone();
    let last = path.path.segments.last()?;
    let own = ctx.program.arguments(last, &scope, 0);
    if let Some((kind, of_trait)) = paths::owner_of(ctx, path) {
        let name = last.ident.to_string();
        let owner = library_owner(&kind, parts);
        let is_library = is_inherent(owner, &name);
        if is_library && owner == "Complex" {
            return None;
        }
        let function = ctx
            .program
            .function_of_type(&kind, &name, of_trait.as_deref());
        if let Some(function) = function.filter(|_| !is_library) {
            let stated = StatedGenerics {
                of_owner: ctx.program.arguments_of_owner(function, &kind),
                of_function: own,
                self_type: Some(kind),
            };
            return Some((function, stated));
        }
    }
    let seen_from = (ctx.unit, last.ident.span().byte_range().start);
    let function = ctx.program.index.function_of(seen_from, parts)?;
    let before = path.path.segments.iter().rev().nth(1);
    let of_owner = before.map(|segment| ctx.program.arguments(segment, &scope, 0));
    let stated = StatedGenerics {
        of_owner: of_owner.unwrap_or_default(),
        of_function: own,
        self_type: None,
    };
    Some((function, stated))
}

/// The one of several functions `Type::name`, of as many `impl`s, that takes arguments of the types at hand.
fn overloaded_function<'a>(
    ctx: &Body<'a, '_>,
    path: &syn::ExprPath,
    parts: &[String],
    arguments: &[Value<'a>],
    expected: Option<&Ty>,
) -> Option<(usize, StatedGenerics)> {
    let (kind, of_trait) = paths::owner_of(ctx, path)?;
    let last = path.path.segments.last()?;
    let name = last.ident.to_string();
    if is_inherent(library_owner(&kind, parts), &name) {
        return None;
    }
    let kinds: Vec<Ty> = arguments
        .iter()
        .map(|value| ctx.inference.resolve_deeply(&value.kind()))
        .collect();
    let called = (name.as_str(), of_trait.as_deref());
    let function = implementations::function_of_call(ctx.program, &kind, called, &kinds, expected)?;
    let scope = ctx.substitution.clone();
    let stated = StatedGenerics {
        of_owner: ctx.program.arguments_of_owner(function, &kind),
        of_function: ctx.program.arguments(last, &scope, 0),
        self_type: Some(kind),
    };
    Some((function, stated))
}

/// The name of the type of the library whose function a path of these parts is.
fn library_owner(kind: &Ty, parts: &[String]) -> &'static str {
    match (library_type_name(kind), parts) {
        (Some(name), _) => name,
        (None, [.., owner, _]) if complex::is_named(owner) => "Complex",
        _ => "",
    }
}

/// The function that `Trait::name(…)` calls, for a trait of the program: that of the type for which the arguments, or else
/// the result, are of the types that the trait declares. `Vector::sum(rows)` is that of `__m256` for `rows: [__m256; 4]` and
/// `fn sum(rows: [Self; 4])`.
fn function_of_trait<'a>(
    ctx: &Body<'a, '_>,
    path: &syn::ExprPath,
    parts: &[String],
    arguments: &[Value<'a>],
    expected: Option<&Ty>,
) -> Option<(usize, StatedGenerics)> {
    let [.., owner, name] = parts else {
        return None;
    };
    let item = ctx.program.index.trait_of(owner)?;
    let sig = item.items.iter().find_map(|item| match item {
        syn::TraitItem::Fn(one) if one.sig.ident == *name => Some(&one.sig),
        _ => None,
    })?;
    let mut bound = GenericBindings::new(std::iter::once(&sig.generics));
    bound.add_type("Self");
    for (input, value) in sig.inputs.iter().zip(arguments) {
        let kind = ctx.inference.resolve_deeply(&value.kind());
        match written_type(input) {
            Some(written) => bound.learn(ctx.program, written, &kind),
            None => bound.learn_self(kind.peeled()),
        }
    }
    if let (syn::ReturnType::Type(_, written), Some(expected)) = (&sig.output, expected) {
        bound.learn(ctx.program, written, expected);
    }
    let own = bound.scope.types.get("Self").filter(|own| !own.is_weak())?;
    let function = ctx.program.function_of_type(own, name, Some(owner))?;
    let scope = ctx.substitution.clone();
    let stated = StatedGenerics {
        of_owner: ctx.program.arguments_of_owner(function, own),
        of_function: ctx.program.arguments(path.path.segments.last()?, &scope, 0),
        self_type: Some(own.clone()),
    };
    Some((function, stated))
}

/// A variant with fields, which has no accesses of its own: `Error::Width(n)`, or `Width(n)` where it is imported.
fn variant_with_fields<'a>(
    ctx: &mut Body<'a, '_>,
    path: &syn::ExprPath,
    names: &[&str],
    arguments: &[Value<'a>],
) -> Option<Value<'a>> {
    let variant = names
        .last()
        .filter(|name| name.starts_with(char::is_uppercase))?;
    let owner: Option<Arc<str>> = match names {
        [_] => None,
        _ => match paths::owner_of(ctx, path)?.0 {
            Ty::Unknown(owner) => Some(owner),
            _ => return None,
        },
    };
    let list = &ctx.program.index.enumerations;
    if !list.is_variant(owner.as_deref(), variant) {
        return None;
    }
    for value in arguments {
        ctx.evaluate(value.clone());
    }
    Some(Value::Unknown(owner.map_or_else(Ty::unknown, Ty::Unknown)))
}

/// Calls a function of the program.
pub(crate) fn call_function<'a>(
    ctx: &mut Body<'a, '_>,
    function: usize,
    arguments: Vec<Value<'a>>,
    at: TextRange,
) -> Value<'a> {
    call_with_generics(ctx, function, arguments, at, None)
}

pub(crate) fn call_with_generics<'a>(
    ctx: &mut Body<'a, '_>,
    function: usize,
    arguments: Vec<Value<'a>>,
    at: TextRange,
    stated: Option<&StatedGenerics>,
) -> Value<'a> {
    let takes_code = arguments.iter().any(Value::has_code);
    let closed = closed_scope(ctx, function, &arguments, stated);
    let item = &ctx.program.index.functions[function];
    let block = item.block;
    let is_async = item.sig.asyncness.is_some();
    let result = ctx
        .program
        .in_text(item.unit, |c| c.result_type(item.sig, &closed.scope));
    let is_small = block.stmts.len() <= MAX_SMALL && !jump_scan::contains_loop(block);
    let is_composite = !(result.is_scalar()
        || matches!(result, Ty::Unit | Ty::Never | Ty::Pointer(_))
            && result.slice_element().is_none());
    let is_lost = matches!(result, Ty::Array(..) | Ty::Option(_) | Ty::Unknown(_))
        && ctx.n_inlined < MAX_LOST_DEPTH
        && ctx.n_statements < MAX_STATEMENTS_WITH_LOST;
    let is_open = ctx.inline_stack.contains(&InlinedCode::Function(function));
    let wants = takes_code || (is_composite && is_small) || is_lost;
    if is_async {
        return ctx.unsupported("a call of an asynchronous function", at);
    }
    // A call within itself that passes code is refused there: a call of an instance would lose the code.
    if wants && (takes_code || !is_open) {
        return ctx.inline_function(function, arguments, at, closed);
    }
    call_instance(ctx, function, arguments, at, (closed, result))
}

/// Calls the instance of a function for the types at hand, whose result is of a type.
fn call_instance<'a>(
    ctx: &mut Body<'a, '_>,
    function: usize,
    arguments: Vec<Value<'a>>,
    at: TextRange,
    (closed, result): (ClosedScope, Ty),
) -> Value<'a> {
    let ClosedScope {
        scope,
        constants,
        assumed,
    } = closed;
    let kinds = ctx.program.parameter_types(function, &scope);
    let around = ctx.program.assumed_types.clone();
    if !assumed.is_empty() {
        ctx.program.assumed_types = around.iter().chain(&assumed).cloned().collect();
    }
    let instance = ctx.program.instance(function, scope);
    ctx.program.assumed_types = around;
    let Some(instance) = instance else {
        let limit = format!("{MAX_INSTANCES} more types that functions are called with");
        return ctx.reject(premiss_tree::RejectReason::Budget { limit }, at);
    };
    let lengths = vector_lengths::borrowed_lengths(ctx, function, &arguments);
    let mut passed: Vec<Expression> = Vec::new();
    for name in ctx.program.constant_parameters(function) {
        let known = constants.iter().find(|(known, _)| *known == name);
        passed.push(match known {
            Some((_, value)) => value.clone(),
            None => ctx.unknown_integer(at),
        });
    }
    for (kind, value) in kinds.iter().zip(arguments) {
        pass_argument(ctx, kind, value, &mut passed, at);
    }
    let call = ast_builder::call(at, &instance.name, passed);
    let found = call_result(ctx, call, &result, at);
    vector_lengths::forget_lengths(ctx, lengths, found, at)
}

/// Adds the parts of an argument to those that are passed.
fn pass_argument<'a>(
    ctx: &mut Body<'a, '_>,
    kind: &Ty,
    value: Value<'a>,
    passed: &mut Vec<Expression>,
    at: TextRange,
) {
    ctx.inference.unify(kind, &value.kind());
    let value = places::coerce(ctx, value, kind);
    let value = match (&value, ctx.inference.resolve(kind)) {
        // By value: the callee has a copy.
        (Value::Plain(from, _), kind)
            if places::is_array(ctx, &kind) && places::take_fresh(ctx, &value).is_none() =>
        {
            places::copy_of_array(ctx, "argument", from.clone(), &kind, at)
        }
        _ => value,
    };
    if let Value::NdArray(grid) = &value
        && let Some((_, step)) = grid.axes.last()
        && ast_builder::as_integer(step) != Some(1)
    {
        ctx.unsupported("a view with steps between its elements, as an argument", at);
    }
    let kinds = ctx.parts_of(kind);
    let mut parts = Vec::new();
    match value {
        Value::Plain(expression, found) => parts.push(places::load(ctx, expression, &found)),
        value => value.parts(&mut parts),
    }
    let mut parts = parts.into_iter();
    for (_, kind) in kinds {
        passed.push(parts.next().unwrap_or_else(|| ast_builder::data(at, kind)));
    }
}

fn call_result<'a>(
    ctx: &mut Body<'a, '_>,
    call: Expression,
    result: &Ty,
    at: TextRange,
) -> Value<'a> {
    match signatures::result_type_name(ctx, result) {
        TypeName::Void => {
            ctx.emit(ast_builder::evaluated(call));
            match result {
                Ty::Unit => Value::Unit,
                Ty::Never => Value::Never,
                Ty::Option(inner) => {
                    let inner = ctx.unknown_value(&inner.clone(), at);
                    Value::Option(ctx.unknown_integer(at), Box::new(inner))
                }
                result => Value::Unknown(result.clone()),
            }
        }
        name @ TypeName::Struct(_) => {
            let place = ctx.fresh_at(at);
            let variable = ctx.fresh_name("returned");
            ctx.emit(ast_builder::declaration(place, &variable, name, Some(call)));
            let place = ast_builder::name(at, &variable);
            match result {
                Ty::Record(..) => {
                    ctx.fresh_variables.insert(variable);
                    Value::Plain(place, result.clone())
                }
                Ty::Pointer(inner) if matches!(**inner, Ty::Vec(_)) => {
                    places::value_at(ctx, place, &inner.clone())
                }
                result => places::value_at(ctx, place, result),
            }
        }
        _ => Value::Plain(call, result.clone()),
    }
}

/// The values of a function's generic parameters in a call, as the callee sees them; and the constants that are
/// passed, as the caller sees them.
pub(crate) fn callee_scope<'a>(
    ctx: &mut Body<'a, '_>,
    function: usize,
    arguments: &[Value<'a>],
    stated: Option<&StatedGenerics>,
) -> (Substitution, Vec<(String, Expression)>) {
    let item = &ctx.program.index.functions[function];
    let (sig, owner) = (item.sig, item.owner.clone());
    let of_owner = owner.iter().map(|owner| owner.generics);
    let mut bound = GenericBindings::new(of_owner.chain([&sig.generics]));
    let kinds: Vec<Ty> = arguments
        .iter()
        .map(|value| ctx.inference.resolve_deeply(&value.kind()))
        .collect();
    if let Some(stated) = stated {
        bound.state(&sig.generics, &stated.of_function);
        if let Some(owner) = &owner {
            bound.state(owner.generics, &stated.of_owner);
        }
        bound.scope.self_type.clone_from(&stated.self_type);
    }
    let around = ctx.program.text_unit.replace(item.unit);
    for (argument, kind) in sig.inputs.iter().zip(&kinds) {
        let own = owner.as_ref().and_then(|owner| owner.self_type);
        match (written_type(argument), own) {
            (Some(written), _) => bound.learn(ctx.program, written, kind),
            (None, Some(own)) => bound.learn(ctx.program, own, kind.peeled()),
            (None, None) => bound.scope.self_type = Some(kind.peeled().clone()),
        }
    }
    let mut scope = bound.scope;
    for kind in scope.types.values_mut() {
        *kind = without_variables(kind);
        if kind.is_larger(LARGEST) {
            *kind = Ty::unknown();
        }
    }
    for name in ctx.program.constant_parameters(function) {
        let value = Arc::new(named_constant(&name));
        scope.values.insert(name, value);
    }
    if let Some(own) = owner.and_then(|owner| owner.self_type) {
        scope.self_type = Some(ctx.program.resolve(own, &scope));
    }
    ctx.program.text_unit.set(around);
    (scope, bound.constants)
}

/// The values of a function's generic parameters in a call whose arguments are evaluated.
pub(crate) struct ClosedScope {
    /// The values as the callee sees them.
    pub(crate) scope: Substitution,
    /// The constants that are passed, as the caller sees them.
    pub(crate) constants: Vec<(String, Expression)>,
    /// The types that were assumed.
    assumed: Vec<Name>,
}

/// As [`callee_scope`], for a call whose arguments are evaluated: parameters that neither they nor the context of the call
/// determine are assumed, once the types in the body are inferred.
pub(crate) fn closed_scope<'a>(
    ctx: &mut Body<'a, '_>,
    function: usize,
    arguments: &[Value<'a>],
    stated: Option<&StatedGenerics>,
) -> ClosedScope {
    let (mut scope, constants) = callee_scope(ctx, function, arguments, stated);
    let unit = ctx.program.index.functions[function].unit;
    let assumed = ctx
        .program
        .in_text(unit, |c| c.assume_types(function, &mut scope));
    if assumed.is_empty() {
        return ClosedScope {
            scope,
            constants,
            assumed,
        };
    }
    if ctx.open_parameters != OpenParameters::Assumed {
        ctx.open_parameters = OpenParameters::Seen;
        let (scope, constants) = callee_scope(ctx, function, arguments, stated);
        return ClosedScope {
            scope,
            constants,
            assumed: Vec::new(),
        };
    }
    let item = &ctx.program.index.functions[function];
    if let Some(own) = item.owner.as_ref().and_then(|owner| owner.self_type) {
        scope.self_type = Some(ctx.program.in_text(unit, |c| c.resolve(own, &scope)));
    }
    for one in &assumed {
        let told = match one.split_once(" = ") {
            Some((name, kind)) => format!("{name} of `{}` = {kind}", item.name),
            None => one.to_string(),
        };
        ctx.assumed_types.insert(told.into());
    }
    ClosedScope {
        scope,
        constants,
        assumed,
    }
}

/// A type with unresolved literal types replaced by their defaults.
fn without_variables(kind: &Ty) -> Ty {
    match kind {
        Ty::Int(kind) if kind.bits == 0 => Ty::primitive("i32").unwrap_or_else(Ty::unknown),
        Ty::Float(0) => Ty::Float(8),
        other => other.clone(),
    }
}

fn unparenthesized(value: &Expr) -> &Expr {
    match value {
        Expr::Paren(inner) => unparenthesized(&inner.expr),
        other => other,
    }
}
