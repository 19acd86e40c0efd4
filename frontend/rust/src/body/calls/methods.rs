//! Method calls: resolution by the type of the receiver, with autoref and autoderef. Methods of the program become
//! calls; library methods are dispatched to the module of their receiver.

use crate::ast_builder;
use crate::body::calls::{functions, unknown};
use crate::body::context::Body;
use crate::body::iterators::{consumers, positions};
use crate::body::library::method_call::MethodCall;
use crate::body::library::{complex, ndarray, numbers, options, slices, streams};
use crate::body::values::{casts, indexing, places};
use crate::implementations;
use crate::inherent_methods::{is_inherent, library_type_name};
use crate::type_shapes::non_zero;
use crate::types::{GenericArg, SOME_FLOAT, Ty};
use crate::value::Value;
use premiss_ast::syntax::TextRange;
use quote::ToTokens;
use syn::{FnArg, ReceiverKind};

/// Methods that return their receiver, as far as memory is concerned.
const FORWARDING: [&str; 24] = [
    "clone",
    "to_owned",
    "into",
    "borrow",
    "borrow_mut",
    "as_ref",
    "as_mut",
    "deref",
    "deref_mut",
    "by_ref",
    "as_deref",
    "as_deref_mut",
    "unwrap_unchecked",
    "cast",
    "as_const",
    "view",
    "view_mut",
    "cast_mut",
    "cast_const",
    "try_into",
    "into_inner",
    "get_mut_unchecked",
    "lock",
    "assume_init",
];

pub(crate) fn method_call<'a>(
    ctx: &mut Body<'a, '_>,
    call: &'a syn::ExprMethodCall,
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    let name = call.method.to_string();
    let receiver = ctx.expression(&call.receiver, None);
    if let Value::Never = receiver {
        return receiver;
    }
    let stated = turbofish_arguments(ctx, call);
    let stated_type = stated.iter().find_map(|argument| match argument {
        GenericArg::Type(kind) => Some(kind.clone()),
        GenericArg::Value(_) => None,
    });
    let stated_number = stated.iter().find_map(|argument| match argument {
        GenericArg::Value(number) => Some(number.expression()),
        GenericArg::Type(_) => None,
    });
    let function = resolve_method(ctx, &receiver, &name);
    let function = function.or_else(|| overloaded_method(ctx, &receiver, call, expected));
    if let Some(function) = function {
        return call_program_method(ctx, function, receiver, call, stated, at);
    }
    let method = MethodCall {
        name: &name,
        arguments: call.args.iter().collect(),
        at,
        expected: stated_type.or_else(|| expected.cloned()),
        stated_number,
    };
    library_method(ctx, receiver, &method)
}

fn turbofish_arguments<'a>(
    ctx: &mut Body<'a, '_>,
    call: &'a syn::ExprMethodCall,
) -> Vec<GenericArg> {
    let scope = ctx.substitution.clone();
    let list = call.turbofish.as_ref();
    list.map_or(Vec::new(), |list| {
        ctx.program.argument_list(list, &scope, 0)
    })
}

/// The method of the program that `receiver.name(…)` calls.
pub(crate) fn resolve_method<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: &Value<'a>,
    name: &str,
) -> Option<usize> {
    let kind = ctx.inference.resolve(&receiver.kind());
    match library_type_name(kind.peeled()) {
        Some(owner) if is_inherent(owner, name) => None,
        _ => method_of_program(ctx, &kind, name),
    }
}

/// The one of several methods of the name, of as many `impl`s, that takes arguments of the types at hand.
fn overloaded_method<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: &Value<'a>,
    call: &'a syn::ExprMethodCall,
    expected: Option<&Ty>,
) -> Option<usize> {
    /// The most tokens of arguments that are evaluated for their types alone.
    const MOST_TOKENS: usize = 60;
    let name = call.method.to_string();
    let own = ctx.inference.resolve_deeply(&receiver.kind());
    if library_type_name(own.peeled()).is_some_and(|owner| is_inherent(owner, &name))
        || implementations::functions_of_type(ctx.program, &own, &name, None).len() < 2
        || MOST_TOKENS < call.args.to_token_stream().into_iter().count()
    {
        return None;
    }
    let mut kinds = vec![own.clone()];
    for argument in &call.args {
        let value = ctx.emit_nothing(|ctx| ctx.expression(argument, None));
        kinds.push(ctx.inference.resolve_deeply(&value.kind()));
    }
    implementations::function_of_call(ctx.program, &own, (&name, None), &kinds, expected)
}

/// The method of this name that the program defines for a type.
fn method_of_program(ctx: &Body<'_, '_>, kind: &Ty, name: &str) -> Option<usize> {
    if let Some(function) = ctx.program.function_of_type(kind, name, None) {
        return Some(function);
    }
    let index = &ctx.program.index;
    match kind.peeled() {
        Ty::Record(record, _) => index.method(&index.record_name(*record), name),
        Ty::Unknown(owner) => index.method(owner, name),
        kind => index.method_of_type(library_type_name(kind)?, name),
    }
}

fn call_program_method<'a>(
    ctx: &mut Body<'a, '_>,
    function: usize,
    receiver: Value<'a>,
    call: &'a syn::ExprMethodCall,
    stated: Vec<GenericArg>,
    at: TextRange,
) -> Value<'a> {
    let receiver_at = ctx.at(&call.receiver);
    let receiver = adjust_receiver(ctx, function, receiver, receiver_at);
    let own_type = ctx.inference.resolve_deeply(receiver.kind().peeled());
    let stated = functions::StatedGenerics {
        of_owner: ctx.program.arguments_of_owner(function, &own_type),
        of_function: stated,
        self_type: Some(own_type),
    };
    let own = std::slice::from_ref(&receiver);
    let (scope, _) = functions::callee_scope(ctx, function, own, Some(&stated));
    let kinds = ctx.program.parameter_types(function, &scope);
    let arguments = call.args.iter().enumerate();
    let list = arguments
        .map(|(idx, x)| (x, kinds.get(idx + 1).cloned()))
        .collect();
    let (receiver, mut arguments) = ctx.evaluate_in_order(receiver, |ctx| ctx.operands(list));
    arguments.insert(0, receiver);
    functions::call_with_generics(ctx, function, arguments, at, Some(&stated))
}

/// A method of the program that takes no other argument.
pub(crate) fn call_without_arguments<'a>(
    ctx: &mut Body<'a, '_>,
    function: usize,
    receiver: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let owner = ctx.program.index.functions[function].owner.as_ref();
    let self_type = owner.and_then(|owner| owner.self_type);
    let receiver = match self_type {
        // `self` is a reference.
        Some(syn::Type::Reference(_)) => receiver,
        _ => adjust_receiver(ctx, function, receiver, at),
    };
    ctx.call_function(function, vec![receiver], at)
}

/// The `self` argument of a method, after autoref and autoderef.
fn adjust_receiver<'a>(
    ctx: &mut Body<'a, '_>,
    function: usize,
    receiver: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let sig = ctx.program.index.functions[function].sig;
    let by_reference = match sig.inputs.first() {
        Some(FnArg::Receiver(receiver)) => matches!(receiver.kind, ReceiverKind::Reference(..)),
        _ => return receiver,
    };
    match (by_reference, &receiver) {
        (true, Value::Plain(_, kind)) => match ctx.inference.resolve(kind) {
            Ty::Pointer(_) | Ty::Box(_) => receiver,
            _ => places::borrow(ctx, receiver, at),
        },
        (true, _) => places::borrow(ctx, receiver, at),
        (false, _) => places::strip_references(ctx, receiver, at),
    }
}

/// A method called by its path, of a type (`f64::max(a, b)`) or of a trait (`Real::max(a, b)`).
pub(crate) fn call_method_by_path<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: Value<'a>,
    path: &[&str],
    arguments: Vec<Value<'a>>,
    at: TextRange,
) -> Value<'a> {
    let (name, owners) = path
        .split_last()
        .map_or(("", path), |(name, owners)| (*name, owners));
    let is_library = owners.last().is_some_and(|owner| is_inherent(owner, name));
    let kind = ctx.inference.resolve(&receiver.kind());
    if !is_library && let Some(function) = method_of_program(ctx, &kind, name) {
        let receiver = adjust_receiver(ctx, function, receiver, at);
        let mut all = vec![receiver];
        all.extend(arguments);
        return ctx.call_function(function, all, at);
    }
    if arguments.is_empty() {
        let method = MethodCall {
            name,
            arguments: Vec::new(),
            at,
            expected: None,
            stated_number: None,
        };
        return library_method(ctx, receiver, &method);
    }
    let peeled = places::strip_references(ctx, receiver.clone(), at);
    let kind = ctx.inference.resolve(&peeled.kind());
    if kind.is_scalar() {
        return numbers::number_with(ctx, peeled, name, arguments, at);
    }
    let mut all = vec![receiver];
    all.extend(arguments);
    unknown::unknown_call(ctx, &path.join("::"), all, at)
}

/// A method of the standard library, or of `ndarray`.
fn library_method<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: Value<'a>,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    let receiver = match receiver {
        Value::Iterator(sequence) => {
            return consumers::iterator_method(ctx, *sequence, method);
        }
        Value::Alias(value) => match *value {
            Value::Iterator(sequence) => {
                let sequence = positions::through_reference(ctx, *sequence, method.name);
                return consumers::iterator_method(ctx, sequence, method);
            }
            value => Value::Alias(Box::new(value)),
        },
        receiver => receiver,
    };
    if let ("as_ptr" | "as_mut_ptr", Some(slice)) =
        (method.name, places::as_slice(ctx, receiver.clone(), at))
    {
        let kind = (*slice.element).clone().pointer();
        return Value::Plain(slice.pointer, kind);
    }
    if let Some(value) = slices::pointer_method(ctx, &receiver, method) {
        return value;
    }
    let receiver = match receiver {
        Value::Slice(_) => receiver,
        receiver => indexing::indexable_base(ctx, receiver, at),
    };
    match receiver {
        Value::Range(range) => consumers::range_method(ctx, range, method),
        Value::Option(is_some, value) => options::option_method(ctx, is_some, *value, method),
        Value::NdArray(grid) => ndarray::ndarray_method(ctx, grid, method),
        Value::Slice(slice) => slices::slice_method(ctx, slice, method),
        Value::Tuple(parts) => {
            let pair = Value::Tuple(parts);
            match complex::complex_method(ctx, &pair, method) {
                Some(value) => value,
                None => forwarding_method(ctx, pair, method),
            }
        }
        Value::Plain(place, kind) => match ctx.inference.resolve(&kind) {
            // `MaybeUninit::write`: a type that holds another one is that.
            kind if kind.is_scalar()
                && method.name == "write"
                && method.arguments.len() == 1
                && ast_builder::is_place(&place) =>
            {
                let value = ctx.expression(method.arguments[0], Some(&kind));
                places::store(ctx, place, &kind, value, at);
                Value::Unit
            }
            kind if kind.is_scalar() && method.name == "as_" => {
                // `AsPrimitive` of num-traits: the context tells the type.
                let value = Value::Plain(place, kind);
                let to = method.expected.clone().filter(Ty::is_scalar);
                casts::convert(ctx, value, to.unwrap_or(SOME_FLOAT), at)
            }
            kind if kind.is_scalar() || kind.is_weak() && !kind.is_unknown() => {
                numbers::number_method(ctx, Value::Plain(place, kind), method)
            }
            Ty::Array(..) => match places::as_slice(ctx, Value::Plain(place.clone(), kind), at) {
                Some(slice) => slices::slice_method(ctx, slice, method),
                None => unknown::unknown_method(ctx, Value::Unknown(Ty::unknown()), method),
            },
            kind => forwarding_method(ctx, Value::Plain(place, kind), method),
        },
        other => forwarding_method(ctx, other, method),
    }
}

fn forwarding_method<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: Value<'a>,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    if FORWARDING.contains(&method.name) {
        return receiver;
    }
    let kind = ctx.inference.resolve(&receiver.kind());
    if let (Ty::Option(inner), Value::Unknown(_)) = (&kind, &receiver) {
        let inner = ctx.unknown_value(&inner.clone(), method.at);
        let is_some = ctx.unknown_integer(method.at);
        return options::option_method(ctx, is_some, inner, method);
    }
    if let Ty::Unknown(name) = kind.peeled()
        && let Some(number) = non_zero(name)
        && method.name == "get"
    {
        ctx.evaluate(receiver);
        return ctx.unknown_value(&Ty::Int(number), method.at);
    }
    if let Some(value) = streams::stream_method(ctx, &receiver, method) {
        return value;
    }
    unknown::unknown_method(ctx, receiver, method)
}
