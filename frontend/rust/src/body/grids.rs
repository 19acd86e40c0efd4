//! Arrays of `ndarray`: without gaps, their last dimension the innermost.

use super::indices::grid_place;
use super::methods::Method;
use super::{Body, build};
use crate::types::Ty;
use crate::value::{Grid, Item, Sequence, Value};
use premiss_ast::syntax::{At, Expression};
use std::sync::Arc;
use syn::Expr;

impl<'a> Body<'a, '_> {
    pub(super) fn grid_method(&mut self, grid: Grid, method: &Method<'a, '_>) -> Value<'a> {
        let at = method.at;
        let length = |idx: usize| match grid.axes.get(idx) {
            Some((length, _)) => Value::size(length.clone()),
            None => Value::Unknown(Ty::unknown()),
        };
        match (method.name, method.arguments.as_slice()) {
            ("nrows", []) => length(0),
            ("ncols", []) => length(1),
            ("len", []) => match self.as_slice(Value::Grid(grid), at) {
                Some(slice) => Value::size(slice.length),
                None => Value::Unknown(Ty::unknown()),
            },
            ("len_of", [axis]) => match self.axis(axis) {
                Some(axis) => length(axis),
                None => self.unsupported("an axis that is not a number", at),
            },
            ("dim" | "shape" | "raw_dim", []) => match grid.axes.len() {
                1 if method.name != "shape" => length(0),
                n => Value::Tuple((0..n).map(length).collect()),
            },
            (
                "view" | "view_mut" | "reborrow" | "clone" | "to_owned" | "into_owned" | "borrow",
                [],
            ) => Value::Grid(grid),
            ("iter" | "iter_mut" | "into_iter", []) => self.all_elements(grid, at),
            ("as_slice" | "as_slice_mut" | "as_slice_memory_order", []) => {
                match self.as_slice(Value::Grid(grid), at) {
                    Some(slice) => {
                        Value::Maybe(build::integer(at, 1), Box::new(Value::Slice(slice)))
                    }
                    None => Value::Unknown(Ty::unknown()),
                }
            }
            ("row" | "row_mut", [index]) => self.lane_method(grid, 0, index, at),
            ("column" | "column_mut", [index]) => self.lane_method(grid, 1, index, at),
            ("index_axis" | "index_axis_mut", [axis, index]) => match self.axis(axis) {
                Some(axis) => self.lane_method(grid, axis, index, at),
                None => self.unsupported("an axis that is not a number", at),
            },
            ("rows" | "rows_mut" | "outer_iter" | "outer_iter_mut" | "genrows", []) => {
                lanes(grid, 0)
            }
            ("columns" | "columns_mut" | "gencolumns", []) => lanes(grid, 1),
            ("axis_iter" | "axis_iter_mut", [axis]) => match self.axis(axis) {
                Some(axis) => lanes(grid, axis),
                None => self.unsupported("an axis that is not a number", at),
            },
            ("t" | "reversed_axes", []) => {
                let axes = grid.axes.iter().rev().cloned().collect();
                Value::Grid(Grid { axes, ..grid })
            }
            ("get" | "get_mut" | "uget" | "uget_mut", [index]) => {
                let list = index_list(index);
                let values = self.operands(list);
                let indices = values.into_iter().map(|value| self.integer_of(value, at));
                let place = grid_place(&grid, indices.collect(), at);
                let element = self.value_at(place, &grid.element);
                let element = self.reference_to(element, at);
                match method.name {
                    "get" | "get_mut" => Value::Maybe(self.data(at), Box::new(element)),
                    _ => element,
                }
            }
            ("fill", [value]) => {
                let value = self.expression(value, Some(&grid.element.clone()));
                let value = self.held(value, "value");
                let all = self.all_elements(grid, at);
                if let Some(all) = self.sequence(all, at) {
                    let names = super::drive::Named::nothing();
                    self.drive(all, at, &names, &mut |body, place| {
                        let place = body.dereferenced(place, at);
                        body.assign_to(place, value.clone(), at);
                    });
                }
                Value::Unit
            }
            _ => {
                let receiver = Value::Unknown(Ty::Unknown("ndarray::ArrayBase".into()));
                self.unknown_method(receiver, method)
            }
        }
    }

    /// The number in `Axis(0)`.
    fn axis(&mut self, axis: &Expr) -> Option<usize> {
        let Expr::Call(call) = axis else { return None };
        let Some(Expr::Lit(literal)) = call.args.first() else {
            return None;
        };
        match &literal.lit {
            syn::Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        }
    }

    fn lane_method(&mut self, grid: Grid, axis: usize, index: &'a Expr, at: At) -> Value<'a> {
        let (grid, index) = self.in_order(Value::Grid(grid), |body| body.integer(index));
        match grid {
            Value::Grid(grid) => cut(&grid, axis, index, at),
            other => other,
        }
    }

    fn all_elements(&mut self, grid: Grid, at: At) -> Value<'a> {
        if let [(length, step)] = grid.axes.as_slice()
            && build::as_integer(step) != Some(1)
        {
            let element = Item::Element {
                pointer: grid.pointer.clone(),
                element: grid.element.clone(),
            };
            let item = Item::Stepped(Box::new(element), step.clone());
            return Value::Iterator(Box::new(Sequence::counted(length.clone(), item)));
        }
        match self.as_slice(Value::Grid(grid), at) {
            Some(slice) => Value::Iterator(Box::new(super::chains::elements(slice))),
            None => Value::Unknown(Ty::unknown()),
        }
    }

    /// `Array2::zeros((n, m))` and the like.
    pub(super) fn new_grid(
        &mut self,
        kind: &str,
        name: &str,
        path: &syn::Path,
        arguments: &[Value<'a>],
        at: At,
        expected: Option<&Ty>,
    ) -> Option<Value<'a>> {
        let is_made = [
            "zeros",
            "ones",
            "from_elem",
            "uninit",
            "default",
            "from_shape_fn",
        ]
        .contains(&name);
        let rank: Option<usize> = kind.trim_start_matches(char::is_alphabetic).parse().ok();
        if !is_made {
            return None;
        }
        if name == "from_shape_fn" {
            return Some(self.unsupported("`from_shape_fn`", at));
        }
        let mut lengths = Vec::new();
        match arguments.first()?.clone() {
            Value::Tuple(list) => {
                for value in list {
                    lengths.push(self.integer_of(value, at));
                }
            }
            Value::Plain(length, kind) if kind.is_integer() => lengths.push(length),
            _ => return None,
        }
        if rank.is_some_and(|rank| rank != lengths.len()) {
            return None;
        }
        let scope = self.scope.clone();
        let mut stated = path
            .segments
            .iter()
            .flat_map(|part| self.ctx.arguments(part, &scope, 0));
        let element = match (
            stated.next(),
            expected.and_then(Ty::element),
            arguments.get(1),
        ) {
            (Some(crate::types::Argument::Type(kind)), _, _) => Arc::new(kind),
            (_, Some(element), _) if !element.is_unknown() => element,
            (_, _, Some(value)) => Arc::new(self.open(value.kind(), at)),
            _ => Arc::new(self.open(crate::types::SOME_FLOAT, at)),
        };
        let mut held = Vec::new();
        for length in lengths {
            held.push(self.stable(length, "length"));
        }
        let product = held
            .iter()
            .cloned()
            .reduce(|a, b| build::binary(at, premiss_ast::syntax::Binary::Multiply, a, b))?;
        let slice = self.allocated(&element, product, at);
        Some(Value::Grid(Grid::standard(
            at,
            slice.pointer,
            element,
            held,
        )))
    }
}

/// The part of an array at a number of one of its axes.
pub(super) fn cut<'a>(grid: &Grid, axis: usize, number: Expression, at: At) -> Value<'a> {
    let mut axes = grid.axes.clone();
    if axes.len() <= axis {
        return Value::Unknown(Ty::unknown());
    }
    let (_, step) = axes.remove(axis);
    let offset = build::binary(at, premiss_ast::syntax::Binary::Multiply, number, step);
    let place = build::index(at, grid.pointer.clone(), offset);
    if axes.is_empty() {
        return Value::Plain(build::address(at, place), Ty::Pointer(grid.element.clone()));
    }
    Value::Grid(Grid {
        pointer: build::address(at, place),
        element: grid.element.clone(),
        axes,
    })
}

/// The parts of an array along one of its axes.
fn lanes<'a>(mut grid: Grid, axis: usize) -> Value<'a> {
    if grid.axes.len() <= axis {
        return Value::Unknown(Ty::unknown());
    }
    let along = grid.axes.remove(axis);
    let count = along.0.clone();
    grid.axes.insert(0, along);
    Value::Iterator(Box::new(Sequence::counted(count, Item::Lane(grid))))
}

/// What stands in an index of several dimensions.
fn index_list(index: &Expr) -> Vec<(&Expr, Option<Ty>)> {
    match index {
        Expr::Array(list) => list.elems.iter().map(|x| (x, None)).collect(),
        Expr::Tuple(list) => list.elems.iter().map(|x| (x, None)).collect(),
        other => vec![(other, None)],
    }
}
