//! Calls of library functions.

use crate::bailout::Lowered;
use crate::calls::argument_effects::points_to_scalar;
use crate::calls::library_functions::{
    LibraryFunction, base_name, fold_math_function, math_function, math_result_type,
};
use crate::calls::memory_copies::copy_memory;
use crate::context::Lowering;
use crate::domain::integers::{choose, times};
use crate::domain::memory_version::Clobber;
use crate::domain::reals::apply_real_function;
use crate::domain::types::{INT, NumberType, Type};
use crate::domain::values::{Pointer, Target, Value, exponent_of, place_type, unknown_value};
use crate::eval::arrays::allocate_array;
use crate::eval::comparisons::nan_test;
use crate::eval::havoc::havoc_shared;
use crate::eval::heap_stores::initialize_allocation;
use crate::eval::places::dereference;
use crate::eval::row_allocations::{disturb_allocations, place_allocation};
use crate::output::operations::{
    record_call, record_external_call, record_operation, record_power,
};
use crate::syntax::{Binary, Name, TextRange};
use premiss_tree::{
    BinaryOperator as Op, Expression, IntegerType, Operands, OperationKind, Role, UnaryOperator,
};

pub(crate) fn call_library_function(
    ctx: &mut Lowering,
    name: &Name,
    known: LibraryFunction,
    arguments: Vec<(Value, TextRange)>,
    at: TextRange,
) -> Lowered<Value> {
    if is_disturbing(name, known) {
        disturb_allocations(ctx);
    }
    let integer = |idx: usize| match arguments.get(idx) {
        Some((Value::Integer(value, _), _)) => value.clone(),
        _ => Expression::Data,
    };
    match known {
        LibraryFunction::Allocate(factors) => {
            record_external_call(ctx, name);
            let size = factors.iter().map(|idx| integer(*idx)).reduce(times);
            let mut region = allocate_array(ctx, size.clone(), at);
            if let Value::Pointer(Pointer {
                target: Target::Fresh(row),
                offset,
                ..
            }) = &mut region
            {
                initialize_allocation(ctx, *row);
                if let Some(place) = place_allocation(ctx, name, *row, size) {
                    *offset = place;
                }
            }
            return Ok(region);
        }
        LibraryFunction::AllocateInto => {
            record_external_call(ctx, name);
            let size = integer(2);
            let region = allocate_array(ctx, Some(size), at);
            if let Some((Value::Pointer(pointer), at)) = arguments.into_iter().next() {
                let place = dereference(ctx, Value::Pointer(pointer), at);
                ctx.store(&place, region, at);
            }
            return Ok(Value::Integer(0.into(), INT));
        }
        LibraryFunction::Reallocate => {
            record_external_call(ctx, name);
            let size = integer(1);
            return Ok(reallocate(ctx, arguments.into_iter().next(), size, at));
        }
        LibraryFunction::Copy | LibraryFunction::Fill => {
            let size = arguments.get(2).map_or(Value::Void, |a| a.0.clone());
            let mut arguments = arguments.into_iter();
            let (Some(to), second) = (arguments.next(), arguments.next()) else {
                return Ok(Value::Void);
            };
            let from = second.filter(|_| known == LibraryFunction::Copy);
            let result = to.0.clone();
            copy_memory(ctx, name, to, from, size, at)?;
            return Ok(result);
        }
        LibraryFunction::StoresThrough(size) => {
            record_call(ctx, base_name(name), Operands::Floating(size.max(4)));
            for (value, at) in arguments {
                if let Value::Pointer(pointer) = value {
                    let place = dereference(ctx, Value::Pointer(pointer), at);
                    let kind = place_type(&place);
                    ctx.store(&place, unknown_value(kind), at);
                }
            }
            return Ok(match size {
                0 => Value::Void,
                size => Value::Floating(None, NumberType::real(size)),
            });
        }
        LibraryFunction::Absolute(bits) => {
            let kind = IntegerType { bits, signed: true };
            let called = OperationKind::Call("abs".into());
            record_operation(ctx, called, Operands::Integer(bits), Role::Data);
            return Ok(Value::Integer(absolute(integer(0)), kind));
        }
        _ => {}
    }
    if arguments.iter().any(|(value, _)| points_to_scalar(value)) {
        havoc_shared(ctx, Clobber::Integers);
    }
    Ok(match known {
        LibraryFunction::Floating(size) => {
            let constants: Option<Vec<f64>> = arguments
                .iter()
                .map(|(value, _)| constant_argument(value))
                .collect();
            let value = constants.and_then(|constants| fold_math_function(name, &constants));
            let kind = math_result_type(name, size);
            record_math_call(ctx, name, kind.operands(), &arguments);
            match value.filter(|_| size == 8) {
                Some(value) => Value::Floating(Some(value), kind),
                None => {
                    let operands = arguments.into_iter().map(|(value, _)| value);
                    apply_real_function(Some(name), &operands.collect::<Vec<_>>(), kind)
                }
            }
        }
        LibraryFunction::Integer(bits) => {
            record_external_call(ctx, name);
            if let ("isnan" | "__builtin_isnan", [(number, _)]) = (&**name, &arguments[..]) {
                let truth = nan_test(ctx, Binary::NotEqual, number);
                let truth = truth.unwrap_or(Expression::Data);
                return Ok(Value::Integer(truth, IntegerType { bits, signed: true }));
            }
            Value::Integer(Expression::Data, IntegerType { bits, signed: true })
        }
        LibraryFunction::Handle | LibraryFunction::Vector => {
            record_external_call(ctx, name);
            Value::Data(Type::Unknown(name.clone()))
        }
        _ => {
            record_external_call(ctx, name);
            Value::Void
        }
    })
}

/// Whether a function may allocate or free blocks that are not accounted for.
fn is_disturbing(name: &Name, known: LibraryFunction) -> bool {
    match known {
        LibraryFunction::AllocateInto | LibraryFunction::Reallocate | LibraryFunction::Handle => {
            true
        }
        LibraryFunction::Nothing => matches!(&**name, "free" | "_mm_free" | "polybench_free_data"),
        _ => false,
    }
}

/// Records a call that yields a real number, if it is one of a mathematical function.
fn record_math_call(
    ctx: &mut Lowering,
    name: &Name,
    with: Operands,
    arguments: &[(Value, TextRange)],
) {
    match math_function(name) {
        Some("powi") => {
            let exponent = arguments.get(1).map(|(value, _)| value);
            record_power(ctx, with, exponent.and_then(exponent_of));
        }
        Some(function) => record_call(ctx, function, with),
        None => record_external_call(ctx, name),
    }
}

fn reallocate(
    ctx: &mut Lowering,
    old: Option<(Value, TextRange)>,
    size: Expression,
    at: TextRange,
) -> Value {
    match old {
        Some((Value::Pointer(pointer), _)) => match pointer.target {
            Target::Array(row) | Target::Fresh(row) => {
                ctx.symbols.arrays[row.0].extent = None;
                ctx.symbols.arrays[row.0].may_be_missing = false;
                Value::Pointer(pointer)
            }
            _ => allocate_array(ctx, Some(size), at),
        },
        _ => allocate_array(ctx, Some(size), at),
    }
}

fn constant_argument(value: &Value) -> Option<f64> {
    match value {
        Value::Floating(constant, kind) if *kind == NumberType::real(8) => *constant,
        Value::Integer(Expression::Integer(x), _) => i32::try_from(*x).ok().map(f64::from),
        _ => None,
    }
}

fn absolute(x: Expression) -> Expression {
    let is_negative = Expression::binary(Op::Less, x.clone(), 0.into());
    let negated = Expression::unary(UnaryOperator::Negate, x.clone());
    choose(is_negative, negated, x)
}
