//! Evaluates pure calls in isolation and uses their results: see [`premiss_link::PureCall`].

use crate::bailout::Lowered;
use crate::budget::Allowance;
use crate::calls::inlining::{PassedArguments, lower_callee_body, record_call_arguments};
use crate::constant_images::ConstantImages;
use crate::context::Lowering;
use crate::domain::types::{NumberType, Type};
use crate::domain::values::{Place, Pointer, Slot, Target, Value, unknown_value};
use crate::eval::slots::new_slot;
use crate::syntax::{Function, Parameter, TextRange, TypeName};
use premiss_link::{
    AbstractScalar, PureArgument, PureCall, PureCallResult, Queries, ScalarKind, may_be_pure,
};
use premiss_tree::{Assumption, Expression, IntegerType, Node};
use std::rc::Rc;
use std::sync::Arc;

/// The maximum number of steps for the evaluation of a pure call.
const MAX_STEPS: u64 = 20_000;

/// Interprets a function in isolation on the abstract values of the arguments of a call. `None` if the arguments do
/// not fit its parameters, if it has effects apart from its result and its by-reference arguments, if a result depends
/// on sizes, or if it cannot be interpreted within its budget of steps.
pub fn evaluate_pure_call(
    program: &dyn Queries,
    images: &ConstantImages,
    call: &PureCall,
) -> Option<PureCallResult> {
    let function = program.function(&call.function)?;
    let parameters = function.signature.parameters.iter();
    let mut pairs = parameters.zip(&call.arguments);
    let fits = call.arguments.len() == function.signature.parameters.len()
        && pairs.all(|(parameter, argument)| argument.fits(&parameter.kind));
    if !fits {
        return None;
    }
    let allowance = Allowance {
        file: MAX_STEPS,
        remaining: MAX_STEPS,
        own_file: MAX_STEPS,
        linked: MAX_STEPS,
        linked_for_loops: 0,
    };
    let ctx = Lowering::new(program, images, function, allowance);
    let summary = &ctx.call_summary;
    let keeps_to_itself =
        summary.modifies_nothing() && !summary.has_shared_arrays && !summary.is_recursive;
    match keeps_to_itself {
        true => execute_alone(ctx, function, &call.arguments),
        false => None,
    }
}

/// The result of a call if it is pure. A function that gets one variable twice may compare it with itself or change
/// it, so it is inlined.
pub(crate) fn result_of_pure_call(
    ctx: &mut Lowering,
    function: &Arc<Function>,
    (arguments, again): &PassedArguments,
) -> Option<PureCallResult> {
    if !again.is_empty() || !may_be_pure(function) {
        return None;
    }
    let call = describe_pure_call(ctx, function, arguments)?;
    let (program, images) = (ctx.program, ctx.images);
    program.pure_call(&call, &|call| evaluate_pure_call(program, images, call))
}

/// A call with the abstract values of its arguments; `None` if some argument is not a number.
fn describe_pure_call(
    ctx: &mut Lowering,
    function: &Function,
    arguments: &[(Value, TextRange)],
) -> Option<PureCall> {
    let parameters = &function.signature.parameters;
    if parameters.len() != arguments.len() {
        return None;
    }
    let mut variables = Vec::new();
    let mut passed = Vec::new();
    for (parameter, (value, _)) in parameters.iter().zip(arguments) {
        let variable = scalar_variable(value);
        if variable.is_some_and(|slot| variables.contains(&slot)) {
            return None;
        }
        variables.extend(variable);
        let value = match variable {
            Some(slot) => ctx.load(Place::Slot(slot.clone())),
            None => value.clone(),
        };
        let kind = match (variable, &*parameter.kind) {
            (Some(_), TypeName::Reference(kind)) => ScalarKind::of_number(kind)?,
            (Some(_), _) => return None,
            (None, kind) => ScalarKind::of_type(kind)?,
        };
        passed.push(PureArgument {
            kind,
            value: abstract_scalar(kind, &value)?,
            is_variable: variable.is_some(),
        });
    }
    Some(PureCall {
        arguments: passed,
        function: function.global_name(),
    })
}

/// Uses the known result of a call; its body is still lowered for the operations in it, if these are recorded.
pub(crate) fn use_pure_call_result(
    ctx: &mut Lowering,
    function: &Arc<Function>,
    arguments: PassedArguments,
    result: &PureCallResult,
    at: TextRange,
) -> Lowered<Value> {
    if ctx.program.has_operations() {
        // The budget of the function must not depend on whether operations are recorded.
        let work = std::mem::take(&mut ctx.budget.work);
        let linked_work = std::mem::take(&mut ctx.budget.linked_work);
        let limit = ctx.budget.linked_limit.replace(u64::MAX);
        let followed = ctx.inline_call(function, arguments, at);
        ctx.budget.linked_limit = limit;
        ctx.budget.linked_work = linked_work;
        ctx.budget.work = work;
        followed?;
    } else {
        record_call_arguments(ctx, &function.global_name(), &arguments.0);
        let variables = arguments
            .0
            .iter()
            .filter_map(|(value, _)| scalar_variable(value));
        for (slot, variable) in variables.zip(&result.variables) {
            ctx.store(
                &Place::Slot(slot.clone()),
                value_of_scalar(variable.kind, variable.value),
                at,
            );
        }
    }
    if result.is_dense {
        ctx.assumptions.insert(Assumption::DENSE);
    }
    Ok(value_of_scalar(result.kind, result.value))
}

fn execute_alone(
    mut ctx: Lowering,
    function: &Arc<Function>,
    arguments: &[PureArgument],
) -> Option<PureCallResult> {
    let parameters = function.signature.parameters.iter();
    let mut values = Vec::new();
    for (parameter, argument) in parameters.zip(arguments) {
        let mut value = value_of_argument(&mut ctx, parameter, *argument);
        if argument.is_variable {
            value = argument_variable(&mut ctx, parameter, value);
        }
        values.push((value, parameter.at));
    }
    let value = lower_callee_body(&mut ctx, function, (values.clone(), &[])).ok()?;
    if has_effects(&ctx) {
        return None;
    }
    let kind = ScalarKind::of_type(&function.signature.result)?;
    let value = match kind {
        ScalarKind::Nothing => AbstractScalar::Data,
        _ => scalar_without_size(kind, &value)?,
    };
    let mut variables = Vec::new();
    for ((value, _), argument) in values.iter().zip(arguments) {
        if let Some(slot) = scalar_variable(value) {
            let value = ctx.load(Place::Slot(slot.clone()));
            let value = scalar_without_size(argument.kind, &value)?;
            variables.push(PureArgument { value, ..*argument });
        }
    }
    Some(PureCallResult {
        kind,
        value,
        variables,
        is_dense: ctx.assumptions.contains(&Assumption::DENSE),
    })
}

/// A pointer to a new variable that holds a value.
fn argument_variable(ctx: &mut Lowering, parameter: &Parameter, value: Value) -> Value {
    ctx.symbols.declared_at = parameter.at;
    let kind = value.kind();
    let name = parameter.name.clone().unwrap_or_else(|| "".into());
    let slot = new_slot(ctx, &name, &kind, true);
    ctx.store(&Place::Slot(slot.clone()), value, parameter.at);
    Value::Pointer(Pointer {
        target: Target::Scalar(Box::new(slot)),
        offset: 0.into(),
        pointee: Rc::new(kind),
    })
}

fn value_of_argument(ctx: &mut Lowering, parameter: &Parameter, argument: PureArgument) -> Value {
    let size = |ctx: &mut Lowering, kind| match &parameter.name {
        Some(name) => ctx
            .symbols
            .intern_parameter(name, parameter.at, kind, None, false),
        None => Expression::Data,
    };
    match (type_of_scalar(argument.kind), argument.value) {
        (Type::Integer(kind), AbstractScalar::Size) => Value::Integer(size(ctx, kind), kind),
        (_, value) => value_of_scalar(argument.kind, value),
    }
}

/// Whether lowering had effects apart from values of the function's own variables.
fn has_effects(ctx: &Lowering) -> bool {
    let is_opaque = |node: &Node| {
        let mut found = false;
        node.walk(&mut |part| found |= matches!(part, Node::Opaque(_)));
        found
    };
    !ctx.tree.references.is_empty()
        || !ctx.tree.rejections.is_empty()
        || ctx.calls.has_unknown_effects
        || ctx.tree.block.iter().any(is_opaque)
}

fn type_of_scalar(kind: ScalarKind) -> Type {
    match kind {
        ScalarKind::Integer(bits, signed) => Type::Integer(IntegerType { bits, signed }),
        ScalarKind::Real(bytes) => Type::Floating(NumberType::real(bytes)),
        ScalarKind::Complex(part) => Type::Floating(NumberType::complex(part)),
        ScalarKind::Other => Type::Unknown("value".into()),
        ScalarKind::Nothing => Type::Void,
    }
}

/// An abstract value of a type, for a value that does not depend on sizes.
fn value_of_scalar(kind: ScalarKind, value: AbstractScalar) -> Value {
    match (type_of_scalar(kind), value) {
        (Type::Integer(kind), AbstractScalar::Constant(x)) => Value::Integer(x.into(), kind),
        (Type::Floating(kind), AbstractScalar::Constant(bits)) => {
            Value::Floating(Some(f64::from_bits(bits.cast_unsigned())), kind)
        }
        (Type::Floating(kind), AbstractScalar::Particular) => Value::Particular(kind),
        (Type::Void, _) => Value::Void,
        (kind, _) => unknown_value(kind),
    }
}

/// The variable of the caller that a value points to.
fn scalar_variable(value: &Value) -> Option<&Slot> {
    match value {
        Value::Pointer(Pointer {
            target: Target::Scalar(slot),
            offset: Expression::Integer(0),
            pointee,
        }) => match &**slot {
            Slot::Integer(_, kind) => (**pointee == Type::Integer(*kind)).then_some(slot),
            Slot::Real(_, kind) => (**pointee == Type::Floating(*kind)).then_some(slot),
            _ => None,
        },
        _ => None,
    }
}

/// The abstract value of a value, if it does not depend on sizes.
fn scalar_without_size(kind: ScalarKind, value: &Value) -> Option<AbstractScalar> {
    abstract_scalar(kind, value).filter(|value| *value != AbstractScalar::Size)
}

/// The abstract value of an argument for a parameter of a type. A constant of another type may become any value of
/// this one.
fn abstract_scalar(kind: ScalarKind, value: &Value) -> Option<AbstractScalar> {
    let is_same = type_of_scalar(kind) == value.kind();
    Some(match (kind, value) {
        (ScalarKind::Integer(..), Value::Integer(Expression::Integer(x), _)) if is_same => {
            AbstractScalar::Constant(*x)
        }
        (ScalarKind::Integer(..), Value::Integer(Expression::Data, _)) => AbstractScalar::Data,
        // Whether it is data depends on sizes.
        (ScalarKind::Integer(..), Value::Integer(x, _))
            if x.any(|part| *part == Expression::Data) =>
        {
            return None;
        }
        (ScalarKind::Integer(..), Value::Integer(..)) => AbstractScalar::Size,
        (ScalarKind::Real(_), Value::Floating(Some(x), _)) if is_same => {
            AbstractScalar::Constant(x.to_bits().cast_signed())
        }
        (ScalarKind::Real(_) | ScalarKind::Complex(_), Value::Floating(None, _)) if is_same => {
            AbstractScalar::Data
        }
        (
            ScalarKind::Real(_) | ScalarKind::Complex(_),
            Value::Particular(_) | Value::Floating(..) | Value::Integer(..),
        ) => AbstractScalar::Particular,
        (ScalarKind::Integer(..), Value::Particular(_) | Value::Floating(..))
        | (ScalarKind::Other, Value::Data(Type::Undeclared(_) | Type::Unknown(_))) => {
            AbstractScalar::Data
        }
        _ => return None,
    })
}
