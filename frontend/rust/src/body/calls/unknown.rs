//! Calls of unknown functions: the operands are evaluated, and the call is a rejection unless it is known to access no
//! array.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::library::method_call::{MethodCall, ORDERING};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::TextRange;
use premiss_tree::RejectReason;

/// Methods without accesses to arrays, on values that are not modelled.
const WITHOUT_ACCESSES: [&str; 30] = [
    "unwrap",
    "expect",
    "unwrap_or",
    "unwrap_or_default",
    "ok",
    "is_ok",
    "is_err",
    "to_f64",
    "elapsed",
    "as_secs_f64",
    "as_secs_f32",
    "as_secs",
    "as_millis",
    "as_micros",
    "as_nanos",
    "random",
    "gen",
    "r#gen",
    "gen_range",
    "gen_bool",
    "random_range",
    "sample",
    "next_u32",
    "next_u64",
    "subsec_nanos",
    "duration_since",
    "is_empty",
    "is_some",
    "is_none",
    "to_string",
];

/// A call of an unknown function.
pub(crate) fn unknown_call<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    arguments: Vec<Value<'a>>,
    at: TextRange,
) -> Value<'a> {
    if arguments.iter().any(Value::has_code) {
        return unknown_code(ctx, name, arguments, at);
    }
    let mut passed = Vec::new();
    arguments.iter().for_each(|value| value.parts(&mut passed));
    let call = ast_builder::call(at, name, passed);
    ctx.emit(ast_builder::evaluated(call));
    Value::Unknown(Ty::unknown())
}

/// A call of a function pointer or closure that is not known, or of an unknown function that is passed code: whatever
/// the arguments are, the code may access all that its definition sees.
pub(crate) fn unknown_code<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    arguments: Vec<Value<'a>>,
    at: TextRange,
) -> Value<'a> {
    for value in arguments {
        ctx.evaluate(value);
    }
    let callee = name.to_owned();
    ctx.reject(RejectReason::UnknownCall { callee }, at)
}

/// A method of an unknown type.
pub(crate) fn unknown_method<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: Value<'a>,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    let list = method.arguments.iter().map(|x| (*x, None)).collect();
    let values = ctx.operands(list);
    let is_order = matches!(&receiver, Value::Unknown(Ty::Unknown(name)) if &**name == ORDERING);
    let is_harmless = (is_order || WITHOUT_ACCESSES.contains(&method.name))
        && values.iter().all(|value| {
            !matches!(value, Value::Slice(_) | Value::NdArray(_)) && !value.has_code()
        });
    for value in &values {
        ctx.evaluate(value.clone());
    }
    let has_code = values.iter().any(Value::has_code);
    // What was rejected may do anything, and so may code that it is passed.
    if receiver.kind().peeled().is_rejected() || (is_order && !has_code) {
        return receiver;
    }
    if is_harmless {
        let kind = method.expected.clone().unwrap_or_else(Ty::unknown);
        return ctx.unknown_value(&kind, at);
    }
    let kind = ctx.inference.resolve(&receiver.kind());
    let callee = match kind.peeled() {
        Ty::Unknown(name) if &**name != "_" => format!("{name}::{}", method.name),
        Ty::Record(record, _) => {
            format!(
                "{}::{}",
                ctx.program.index.record_name(*record),
                method.name
            )
        }
        _ => method.name.to_owned(),
    };
    ctx.reject(RejectReason::UnknownCall { callee }, at)
}
