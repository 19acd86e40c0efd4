//! The tables of the finished tree: parameters, arrays in the order of the layout, loops, references, rejections.

use crate::context::Lowering;
use crate::domain::types::Type;
use crate::domain::values::ArrayRow;
use crate::output::numbering::{Numbering, renumber_expression};
use crate::symbol_table::ArrayData;
use premiss_tree::{
    Array, EntityRef, Expression, LoopHeader, LoopId, NestTree, Parameter, ParameterId, Reference,
    Rejection, Storage,
};
use std::collections::BTreeSet;

pub(crate) fn tree_parameter(ctx: &Lowering, id: ParameterId) -> Parameter {
    let row = &ctx.symbols.parameters[id.as_u32() as usize];
    Parameter {
        name: row.name.to_string(),
        value: row.value,
        kind: row.meaning,
        span: ctx.program.span_of_size(&row.name, row.at),
    }
}

pub(crate) fn fill_tables(ctx: &Lowering, tree: &mut NestTree, numbering: &Numbering) {
    let program = ctx.program;
    let loop_id = |row: usize| LoopId::new(row);
    for row in &ctx.tree.loops {
        tree.loops.push(LoopHeader {
            iterator: row.iterator.clone(),
            inside: row.inside.map(loop_id),
            span: program.span(row.header),
            function: row.function.to_string(),
        });
    }
    for row in &ctx.tree.references {
        let mut offset = row.offset.clone();
        renumber_expression(&mut offset, numbering);
        let Some(array) = numbering.arrays.get(&row.array) else {
            continue;
        };
        tree.references.push(Reference {
            array: *array,
            kind: row.kind,
            offset,
            size: row.size,
            span: program.span(row.at),
            text: program.text(row.at),
            inside: row.inside.map(loop_id),
            function: row.function.to_string(),
        });
    }
    for (reason, at) in &ctx.tree.rejections {
        tree.rejections.push(Rejection {
            reason: reason.clone(),
            span: program.span(*at),
        });
    }
}

pub(crate) fn tree_array(ctx: &Lowering, row: ArrayRow, numbering: &Numbering) -> Array {
    let data = &ctx.symbols.arrays[row.0];
    let extent = data.extent.clone().map(|mut extent| {
        renumber_expression(&mut extent, numbering);
        extent
    });
    let accessed = ctx.tree.references.iter().find(|r| r.array == row);
    let element_size = data
        .kind
        .innermost()
        .scalar_size()
        .or(accessed.map(|reference| reference.size));
    Array {
        name: data.name.to_string(),
        storage: data.storage,
        element_size: element_size.unwrap_or(1).max(1),
        extent,
        strides: strides(data, numbering),
        span: ctx.program.span(data.at),
    }
}

/// The arrays of the tree, in the order of the layout.
pub(crate) fn arrays_in_layout_order(ctx: &Lowering) -> Vec<ArrayRow> {
    let referenced: BTreeSet<ArrayRow> = ctx.tree.references.iter().map(|r| r.array).collect();
    let is_kept = |(idx, data): (usize, &ArrayData)| {
        let row = ArrayRow(idx);
        let is_allocated = data.frame == usize::MAX;
        let is_text = &*data.name == "literal";
        let is_kept = referenced.contains(&row)
            || (data.is_used && !is_text && !(is_allocated && data.extent.is_none()));
        is_kept.then_some(row)
    };
    let rows = ctx.symbols.arrays.iter().enumerate();
    let mut rows: Vec<ArrayRow> = rows.filter_map(is_kept).collect();
    rows.sort_by_key(|row| {
        let data = &ctx.symbols.arrays[row.0];
        (data.storage, data.order, row.0)
    });
    debug_assert!(
        rows.windows(2)
            .all(|pair| ctx.symbols.arrays[pair[0].0].storage
                <= ctx.symbols.arrays[pair[1].0].storage),
        "groups of the layout in order, {:?} first",
        Storage::Global
    );
    rows
}

/// The strides of an array, outermost first; empty if one of them depends on more than the tree's own parameters.
fn strides(data: &ArrayData, numbering: &Numbering) -> Vec<Expression> {
    let mut strides = Vec::new();
    let mut kind = &data.kind;
    loop {
        match kind.size() {
            // The size of the whole array is not a stride.
            Some(size) if strides.is_empty() && Some(&size) == data.extent.as_ref() => {}
            Some(size) => strides.push(size),
            None => return Vec::new(),
        }
        match kind {
            Type::Array(element, _) => kind = element,
            Type::Void | Type::Function => return Vec::new(),
            _ => break,
        }
    }
    let is_foreign = |part: &Expression| match part {
        Expression::Parameter(id) => !numbering.parameters.contains_key(id),
        part => matches!(part, Expression::Variable(_) | Expression::Data),
    };
    if strides.iter().any(|stride| stride.any(is_foreign)) {
        return Vec::new();
    }
    strides
        .iter_mut()
        .for_each(|stride| renumber_expression(stride, numbering));
    strides
}
