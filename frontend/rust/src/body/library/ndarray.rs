//! Arrays of `ndarray`: a pointer with a length and a stride for each axis.

use crate::ast_builder;
use crate::body::calls::unknown;
use crate::body::context::Body;
use crate::body::iterators::drive::LoopNames;
use crate::body::iterators::{adapters, drive};
use crate::body::library::method_call::MethodCall;
use crate::body::library::vectors;
use crate::body::values::{assignments, indexing, places};
use crate::types::Ty;
use crate::value::{ItemSequence, NdArray, SequenceItem, Value};
use premiss_ast::syntax::{Expression, TextRange};
use std::sync::Arc;
use syn::Expr;

/// The functions that create an array of a shape.
const CONSTRUCTORS: [&str; 6] = [
    "zeros",
    "ones",
    "from_elem",
    "uninit",
    "default",
    "from_shape_fn",
];

pub(crate) fn ndarray_method<'a>(
    ctx: &mut Body<'a, '_>,
    grid: NdArray,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    let length = |idx: usize| match grid.axes.get(idx) {
        Some((length, _)) => Value::size(length.clone()),
        None => Value::Unknown(Ty::unknown()),
    };
    match (method.name, method.arguments.as_slice()) {
        ("nrows", []) => length(0),
        ("ncols", []) => length(1),
        ("len", []) => match places::as_slice(ctx, Value::NdArray(grid), at) {
            Some(slice) => Value::size(slice.length),
            None => Value::Unknown(Ty::unknown()),
        },
        ("len_of", [axis]) => match axis_argument(ctx, axis) {
            Some(axis) => length(axis),
            None => ctx.unsupported("an axis that is not a number", at),
        },
        ("dim" | "shape" | "raw_dim", []) => match grid.axes.len() {
            1 if method.name != "shape" => length(0),
            n => Value::Tuple((0..n).map(length).collect()),
        },
        ("view" | "view_mut" | "reborrow" | "clone" | "to_owned" | "into_owned" | "borrow", []) => {
            Value::NdArray(grid)
        }
        ("iter" | "iter_mut" | "into_iter", []) => all_elements(ctx, grid, at),
        ("as_slice" | "as_slice_mut" | "as_slice_memory_order", []) => {
            match places::as_slice(ctx, Value::NdArray(grid), at) {
                Some(slice) => {
                    Value::Option(ast_builder::integer(at, 1), Box::new(Value::Slice(slice)))
                }
                None => Value::Unknown(Ty::unknown()),
            }
        }
        ("row" | "row_mut", [index]) => lane_method(ctx, grid, 0, index, at),
        ("column" | "column_mut", [index]) => lane_method(ctx, grid, 1, index, at),
        ("index_axis" | "index_axis_mut", [axis, index]) => match axis_argument(ctx, axis) {
            Some(axis) => lane_method(ctx, grid, axis, index, at),
            None => ctx.unsupported("an axis that is not a number", at),
        },
        ("rows" | "rows_mut" | "outer_iter" | "outer_iter_mut" | "genrows", []) => lanes(grid, 0),
        ("columns" | "columns_mut" | "gencolumns", []) => lanes(grid, 1),
        ("axis_iter" | "axis_iter_mut", [axis]) => match axis_argument(ctx, axis) {
            Some(axis) => lanes(grid, axis),
            None => ctx.unsupported("an axis that is not a number", at),
        },
        ("t" | "reversed_axes", []) => {
            let axes = grid.axes.iter().rev().cloned().collect();
            Value::NdArray(NdArray { axes, ..grid })
        }
        ("get" | "get_mut" | "uget" | "uget_mut", [index]) => {
            let element = get(ctx, &grid, index, at);
            match method.name {
                "get" | "get_mut" => Value::Option(ctx.unknown_integer(at), Box::new(element)),
                _ => element,
            }
        }
        ("fill", [value]) => fill(ctx, grid, value, at),
        _ => {
            let receiver = Value::Unknown(Ty::Unknown("ndarray::ArrayBase".into()));
            unknown::unknown_method(ctx, receiver, method)
        }
    }
}

/// A reference to the element at a tuple of indices.
fn get<'a>(ctx: &mut Body<'a, '_>, grid: &NdArray, index: &'a Expr, at: TextRange) -> Value<'a> {
    let list = index_list(index);
    let values = ctx.operands(list);
    let indices = values.into_iter().map(|value| ctx.integer_of(value, at));
    let place = indexing::ndarray_place(grid, indices.collect(), at);
    let element = places::value_at(ctx, place, &grid.element);
    places::borrow(ctx, element, at)
}

/// Stores a value to every element.
fn fill<'a>(ctx: &mut Body<'a, '_>, grid: NdArray, value: &'a Expr, at: TextRange) -> Value<'a> {
    let value = ctx.expression(value, Some(&grid.element.clone()));
    let value = ctx.hold(value, "value");
    let all = all_elements(ctx, grid, at);
    if let Some(all) = adapters::into_sequence(ctx, all, at) {
        let names = LoopNames::nothing();
        drive::drive(ctx, all, at, &names, &mut |ctx, place| {
            let place = places::dereference(ctx, place, at);
            assignments::assign(ctx, place, value.clone(), at);
        });
    }
    Value::Unit
}

/// The number in `Axis(0)`.
fn axis_argument(_ctx: &mut Body, axis: &Expr) -> Option<usize> {
    let Expr::Call(call) = axis else { return None };
    let Some(Expr::Lit(literal)) = call.args.first() else {
        return None;
    };
    match &literal.lit {
        syn::Lit::Int(number) => number.base10_parse().ok(),
        _ => None,
    }
}

fn lane_method<'a>(
    ctx: &mut Body<'a, '_>,
    grid: NdArray,
    axis: usize,
    index: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let (grid, index) = ctx.evaluate_in_order(Value::NdArray(grid), |ctx| ctx.integer(index));
    match grid {
        Value::NdArray(grid) => cut(&grid, axis, index, at),
        other => other,
    }
}

fn all_elements<'a>(ctx: &mut Body<'a, '_>, grid: NdArray, at: TextRange) -> Value<'a> {
    if let [(length, step)] = grid.axes.as_slice()
        && ast_builder::as_integer(step) != Some(1)
    {
        let element = SequenceItem::Element {
            pointer: grid.pointer.clone(),
            element: grid.element.clone(),
        };
        let item = SequenceItem::Stepped(Box::new(element), step.clone());
        return Value::Iterator(Box::new(ItemSequence::counted(length.clone(), item)));
    }
    match places::as_slice(ctx, Value::NdArray(grid), at) {
        Some(slice) => Value::Iterator(Box::new(adapters::elements(slice))),
        None => Value::Unknown(Ty::unknown()),
    }
}

/// `Array2::zeros((n, m))` and similar.
pub(crate) fn new_ndarray<'a>(
    ctx: &mut Body<'a, '_>,
    kind: &str,
    name: &str,
    path: &syn::Path,
    arguments: &[Value<'a>],
    at: TextRange,
    expected: Option<&Ty>,
) -> Option<Value<'a>> {
    let rank: Option<usize> = kind.trim_start_matches(char::is_alphabetic).parse().ok();
    if !CONSTRUCTORS.contains(&name) {
        return None;
    }
    if name == "from_shape_fn" {
        return Some(ctx.unsupported("`from_shape_fn`", at));
    }
    let lengths = shape(ctx, arguments.first()?.clone(), at)?;
    if rank.is_some_and(|rank| rank != lengths.len()) {
        return None;
    }
    let element = element_type(ctx, path, arguments.get(1), at, expected);
    let mut held = Vec::new();
    for length in lengths {
        held.push(ctx.stabilize(length, "length"));
    }
    let product = held
        .iter()
        .cloned()
        .reduce(|a, b| ast_builder::binary(at, premiss_ast::syntax::Binary::Multiply, a, b))?;
    let slice = vectors::allocate(ctx, &element, product, at);
    Some(Value::NdArray(NdArray::standard(
        at,
        slice.pointer,
        element,
        held,
    )))
}

/// The lengths of a shape: a tuple of lengths, or one length.
fn shape<'a>(ctx: &mut Body<'a, '_>, shape: Value<'a>, at: TextRange) -> Option<Vec<Expression>> {
    match shape {
        Value::Tuple(list) => {
            let lengths = list.into_iter().map(|value| ctx.integer_of(value, at));
            Some(lengths.collect())
        }
        Value::Plain(length, kind) if kind.is_integer() => Some(vec![length]),
        _ => None,
    }
}

/// The element type of a new array: the stated or expected one, or that of the first value.
fn element_type<'a>(
    ctx: &mut Body<'a, '_>,
    path: &syn::Path,
    first: Option<&Value<'a>>,
    at: TextRange,
    expected: Option<&Ty>,
) -> Arc<Ty> {
    let substitution = ctx.substitution.clone();
    let mut written = path
        .segments
        .iter()
        .flat_map(|part| ctx.program.arguments(part, &substitution, 0));
    match (written.next(), expected.and_then(Ty::element), first) {
        (Some(crate::types::GenericArg::Type(kind)), _, _) => Arc::new(kind),
        (_, Some(element), _) if !element.is_unknown() => element,
        (_, _, Some(value)) => Arc::new(ctx.inference.open_type(value.kind(), at)),
        _ => Arc::new(ctx.inference.open_type(crate::types::SOME_FLOAT, at)),
    }
}

/// The subarray at an index of one axis.
pub(crate) fn cut<'a>(grid: &NdArray, axis: usize, number: Expression, at: TextRange) -> Value<'a> {
    let mut axes = grid.axes.clone();
    if axes.len() <= axis {
        return Value::Unknown(Ty::unknown());
    }
    let (_, step) = axes.remove(axis);
    let offset = ast_builder::binary(at, premiss_ast::syntax::Binary::Multiply, number, step);
    let place = ast_builder::index(at, grid.pointer.clone(), offset);
    if axes.is_empty() {
        return Value::Plain(
            ast_builder::address(at, place),
            Ty::Pointer(grid.element.clone()),
        );
    }
    Value::NdArray(NdArray {
        pointer: ast_builder::address(at, place),
        element: grid.element.clone(),
        axes,
    })
}

/// The subarrays along one axis.
fn lanes<'a>(mut grid: NdArray, axis: usize) -> Value<'a> {
    if grid.axes.len() <= axis {
        return Value::Unknown(Ty::unknown());
    }
    let along = grid.axes.remove(axis);
    let count = along.0.clone();
    grid.axes.insert(0, along);
    Value::Iterator(Box::new(ItemSequence::counted(
        count,
        SequenceItem::Lane(grid),
    )))
}

/// The components of a multidimensional index.
fn index_list(index: &Expr) -> Vec<(&Expr, Option<Ty>)> {
    match index {
        Expr::Array(list) => list.elems.iter().map(|x| (x, None)).collect(),
        Expr::Tuple(list) => list.elems.iter().map(|x| (x, None)).collect(),
        other => vec![(other, None)],
    }
}
