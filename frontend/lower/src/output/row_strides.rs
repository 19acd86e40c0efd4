//! The distances between rows of tables, once the whole function is known.
//!
//! Rows that the program allocates are as far apart as what an iteration allocates; those that it is given as blocks of
//! `malloc` that reach to the last element that some reference accesses:
//!
//! ```text
//! for (i = 0; i < n; i++)
//!   for (j = 1; j < m - 1; j++)        8·j + 8 reaches up to byte 8·(m + 1 - 1): rows of 8·m bytes
//!     b[i][j] = a[i][j + 1];
//! ```

use crate::context::Lowering;
use crate::domain::allocator::block_distance;
use crate::domain::expression_variables::for_each_expression;
use crate::domain::integers::times;
use crate::domain::row_pointers::TableRows;
use crate::domain::types::{LONG, Type};
use crate::eval::variables::new_variable_row;
use crate::output::row_reach::{RowReach, reach_of_rows};
use premiss_tree::{Assumption, AssumptionKind, Expression, Node, ParameterId};
use std::collections::{BTreeMap, BTreeSet};

type Values = BTreeMap<ParameterId, Expression>;

/// Puts distances in place of their symbols, and blocks of one area into one array.
pub(crate) fn resolve_row_strides(ctx: &mut Lowering, nodes: &mut Vec<Node>, function: &str) {
    let symbols = &ctx.heap_symbols;
    if symbols.rows.is_empty() && symbols.areas.is_empty() {
        return;
    }
    let reaches = reach_of_rows(ctx, nodes);
    let mut values = Values::new();
    for rows in ctx.heap_symbols.rows.clone() {
        define_rows(ctx, &rows, reaches.get(&rows.array), &mut values);
    }
    define_allocated(ctx, &mut values);
    tell_assumptions(ctx, function, &values);
    for data in &mut ctx.symbols.arrays {
        let extent = data
            .extent
            .as_ref()
            .map(|extent| substituted(extent, &values));
        data.extent = extent.filter(|extent| *extent != Expression::Data);
    }
    let starts = name_values(ctx, nodes, &mut values);
    for reference in &mut ctx.tree.references {
        reference.offset = substituted(&reference.offset, &values);
        if let Some(area) = ctx.heap_symbols.shared_areas.get(&reference.array) {
            reference.array = *area;
        }
    }
    for row in ctx.heap_symbols.shared_areas.keys() {
        ctx.symbols.arrays[row.0].is_used = false;
    }
    substitute_in(nodes, &values);
    nodes.splice(0..0, starts);
}

/// Puts variables in place of distances that are no constants; returns the assignments that set them.
fn name_values(ctx: &mut Lowering, nodes: &[Node], values: &mut Values) -> Vec<Node> {
    let mut used = BTreeSet::new();
    let mut note = |expression: &Expression| {
        expression.walk(&mut |part| {
            if let Expression::Parameter(id) = part {
                used.insert(*id);
            }
        });
    };
    for reference in &ctx.tree.references {
        note(&reference.offset);
    }
    for_each_expression(nodes, &mut note);
    let mut starts = Vec::new();
    for (id, value) in values {
        if !used.contains(id) || matches!(value, Expression::Data | Expression::Integer(_)) {
            continue;
        }
        let name = ctx.symbols.parameters[id.as_u32() as usize]
            .name
            .to_string();
        let variable = new_variable_row(ctx, &name, LONG, false);
        let value = std::mem::replace(value, Expression::Variable(variable));
        starts.push(Node::Assign { variable, value });
    }
    starts
}

/// The distance between rows that are given, and their length as tables.
fn define_rows(ctx: &Lowering, rows: &TableRows, reach: Option<&RowReach>, values: &mut Values) {
    let kind = ctx.symbols.arrays[rows.array.0].kind.innermost();
    let element = kind.scalar_size().map_or(1, i64::from).max(1);
    let is_symbol = |part: &Expression| matches!(part, Expression::Parameter(id) if ctx.heap_symbols.is_row_symbol(*id));
    let length = reach.and_then(|reach| reach.in_units_of(element));
    let length = length.filter(|length| !length.any(is_symbol));
    let bytes = match kind {
        Type::Struct(..) => length.clone().map(|length| times(element.into(), length)),
        _ => reach.and_then(RowReach::bytes),
    };
    let bytes = bytes.filter(|bytes| !bytes.any(is_symbol));
    values.insert(rows.stride, bytes.map_or(Expression::Data, block_distance));
    values.insert(rows.length, length.unwrap_or(Expression::Data));
}

/// The bytes that iterations allocate: inner loops first, in terms of which those of outer ones are.
fn define_allocated(ctx: &Lowering, values: &mut Values) {
    let distances = &ctx.heap_symbols.distances;
    for _ in 0..=distances.len().min(16) {
        let mut is_done = true;
        for (stride, bytes) in distances {
            if values.contains_key(stride) {
                continue;
            }
            let is_open = |part: &Expression| {
                matches!(part, Expression::Parameter(id)
                    if distances.contains_key(id) && !values.contains_key(id))
            };
            let value = match bytes {
                Some(bytes) if bytes.any(is_open) => {
                    is_done = false;
                    continue;
                }
                Some(bytes) => substituted(bytes, values),
                None => Expression::Data,
            };
            values.insert(*stride, value);
        }
        if is_done {
            return;
        }
    }
    for stride in distances.keys() {
        values.entry(*stride).or_insert(Expression::Data);
    }
}

fn tell_assumptions(ctx: &mut Lowering, function: &str, values: &Values) {
    let mut told = Vec::new();
    for reference in &ctx.tree.references {
        let is_row = reference.offset.any(|part| {
            matches!(part, Expression::Parameter(id)
                if values.get(id).is_some_and(|value| *value != Expression::Data))
        });
        if is_row && !told.contains(&reference.array) {
            told.push(reference.array);
        }
    }
    for row in told {
        let name = &ctx.symbols.arrays[row.0].name;
        ctx.assumptions.insert(Assumption {
            kind: AssumptionKind::Rows,
            subject: format!("`{name}` in `{function}`"),
        });
    }
}

fn substitute_in(nodes: &mut [Node], values: &Values) {
    let replace = |expression: &mut Expression| *expression = substituted(expression, values);
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                replace(&mut inner.first);
                replace(&mut inner.bound);
                replace(&mut inner.step);
                substitute_in(&mut inner.body, values);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                replace(condition);
                substitute_in(then, values);
                substitute_in(otherwise, values);
            }
            Node::Assign { value, .. } => replace(value),
            Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

/// An expression with values in place of parameters; data where one of them is.
fn substituted(expression: &Expression, values: &Values) -> Expression {
    let is_one =
        |part: &Expression| matches!(part, Expression::Parameter(id) if values.contains_key(id));
    if !expression.any(is_one) {
        return expression.clone();
    }
    let inner = |part: &Expression| substituted(part, values);
    match expression {
        Expression::Parameter(id) => values[id].clone(),
        Expression::Unary(operator, x) => Expression::unary(*operator, inner(x)),
        Expression::Binary(operator, a, b) => Expression::binary(*operator, inner(a), inner(b)),
        Expression::Select(parts) => {
            let [condition, then, otherwise] = &**parts;
            match inner(condition) {
                Expression::Data => Expression::Data,
                condition => Expression::select(condition, inner(then), inner(otherwise)),
            }
        }
        Expression::Wrap(kind, x) => Expression::wrap(*kind, inner(x)),
        Expression::Entry(table, index) => Expression::entry(*table, inner(index)),
        other => other.clone(),
    }
}
