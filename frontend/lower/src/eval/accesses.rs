//! Accesses: the loads and stores of array elements in the tree.
//!
//! A struct is accessed scalar by scalar, a bit-field by the bytes that hold its bits. A store also updates the
//! abstract heap.

use crate::context::Lowering;
use crate::domain::integers::plus;
use crate::domain::memory_version::Clobber;
use crate::domain::types::{BitField, Type};
use crate::domain::values::{ArrayRow, Target};
use crate::eval::alternatives::{with_alternatives, with_candidates};
use crate::eval::heap_loads::own_block;
use crate::eval::heap_stores::{clobber_heap, holds_reals, store_unknown};
use crate::eval::real_variables::havoc_shared_reals;
use crate::eval::rejections::reject_unsupported;
use crate::eval::row_tables::{record_any_pointer, record_number};
use crate::eval::struct_layouts::scalars_of;
use crate::eval::undeclared_types::assume_undeclared;
use crate::output::operation_recorder::operands_of_type;
use crate::output::tree_builder::ReferenceRow;
use crate::syntax::TextRange;
use premiss_link::Queries;
use premiss_tree::{AccessKind, Expression, Node, ReferenceId, RejectReason};

/// Emits an access to a scalar in memory.
pub(crate) fn access_element(
    ctx: &mut Lowering,
    kind: AccessKind,
    target: &Target,
    offset: &Expression,
    element: &Type,
    at: TextRange,
) {
    match target {
        Target::Array(row) | Target::Fresh(row) => {
            match element {
                Type::Struct(..) => return access_struct(ctx, kind, *row, offset, element, at),
                Type::BitField(field) => {
                    return access_bit_field(ctx, kind, *row, offset, *field, at);
                }
                _ => {}
            }
            let Some(size) = element.scalar_size() else {
                return reject_unsupported(ctx, "an access to something of unknown size", at);
            };
            assume_undeclared(ctx, element);
            if kind == AccessKind::Store && !meets_reals_alone(ctx, *row, offset, element) {
                store_unknown(ctx, *row, offset, size);
                if !matches!(element, Type::Pointer(_)) {
                    record_number(ctx, *row, offset, size);
                }
            }
            emit_access(ctx, kind, *row, offset.clone(), size, at);
            if let Some(reference) = ctx.tree.references.last_mut() {
                reference.holds = operands_of_type(element);
            }
        }
        Target::Register(row) => {
            if kind == AccessKind::Store && !matches!(element, Type::Struct(..)) {
                let size = element.scalar_size().unwrap_or(0);
                store_unknown(ctx, *row, offset, size);
            }
        }
        Target::Scalar(_) => {}
        Target::OneOf(choice) => {
            // An access cannot fail.
            let _ = with_alternatives(ctx, choice, |ctx, target| {
                access_element(ctx, kind, &target, offset, element, at);
            });
        }
        Target::Several(candidates) => with_candidates(ctx, candidates, &|ctx, target| {
            access_element(ctx, kind, &target, offset, element, at);
        }),
        Target::Elsewhere => {
            access_own_block(ctx, kind, element, at);
            if kind == AccessKind::Store {
                clobber_by_type(ctx, element);
            }
        }
        Target::Null | Target::Ambiguous => {
            let pointer = pointer_text(ctx.program, at);
            ctx.tree
                .add_rejection(RejectReason::AmbiguousPointer { pointer }, at);
            if kind == AccessKind::Store {
                clobber_by_type(ctx, element);
            }
        }
    }
}

/// Accesses an unknown place of the block that a pointer leads to of which nothing tells where it leads. As for one that
/// a function yields which nothing defines, that block is one of its own, an assumption that is told. The access is only
/// possible: the pointer may lead to a scalar, which stays in a register.
fn access_own_block(ctx: &mut Lowering, kind: AccessKind, element: &Type, at: TextRange) {
    let pointer = pointer_text(ctx.program, at);
    let row = own_block(ctx, pointer, element, at);
    let target = Target::Array(row);
    // An access cannot fail.
    let _ = ctx.branch(
        Expression::Data,
        |ctx| {
            access_element(ctx, kind, &target, &Expression::Data, element, at);
            Ok(())
        },
        |_| Ok(()),
    );
}

/// Clobbers after a store of a type to an unknown place: objects of other types do not change (C11 6.5:7).
fn clobber_by_type(ctx: &mut Lowering, element: &Type) {
    havoc_shared_reals(ctx);
    match element {
        Type::Floating(_) => {}
        Type::Integer(kind) if 8 < kind.bits => clobber_heap(ctx, Clobber::Integers),
        _ => clobber_heap(ctx, Clobber::Everything),
    }
}

/// Whether a store to an unknown element of structs changes real numbers alone, whose values are not tracked: a store of
/// a real does not change objects of other types (C11 6.5:7), except in a union.
///
/// ```text
/// struct { int n; double v[9]; } s;
/// for (i = 0; i < s.n; i++) s.v[i] = 0;        s.n stays the same size
/// ```
fn meets_reals_alone(ctx: &Lowering, row: ArrayRow, offset: &Expression, element: &Type) -> bool {
    let kind = ctx.symbols.arrays[row.0].kind.innermost();
    let is_union = |part: &Type| matches!(part, Type::Struct(_, layout) if layout.is_union);
    matches!((element, kind), (Type::Floating(_), Type::Struct(..)))
        && offset.as_integer().is_none()
        && !kind.any_part(&is_union)
}

/// Emits an access to so many bytes of an array.
pub(crate) fn access_array(
    ctx: &mut Lowering,
    kind: AccessKind,
    row: ArrayRow,
    offset: Expression,
    size: u32,
    at: TextRange,
) {
    if kind == AccessKind::Store {
        store_unknown(ctx, row, &offset, size);
        match offset.as_integer() {
            _ if holds_reals(ctx, row) => {}
            Some(at) if size == 8 => record_any_pointer(ctx, row, at),
            Some(_) => {}
            None => ctx.state.memory.content_mut(row).rows.lose(),
        }
    }
    emit_access(ctx, kind, row, offset, size, at);
}

fn emit_access(
    ctx: &mut Lowering,
    kind: AccessKind,
    row: ArrayRow,
    offset: Expression,
    size: u32,
    at: TextRange,
) {
    ctx.symbols.arrays[row.0].is_used = true;
    let id = u32::try_from(ctx.tree.references.len()).unwrap_or(u32::MAX);
    let function = ctx.frame().function.clone();
    ctx.tree.references.push(ReferenceRow {
        array: row,
        kind,
        offset,
        size,
        holds: None,
        combines: None,
        at,
        inside: ctx.tree.open_loops.last().copied(),
        function,
    });
    ctx.tree.emit(Node::Access(ReferenceId::from_u32(id)));
}

/// The pointer in a reference as written: `p[i]` without its last subscript, `*p` without `*`.
fn pointer_text(program: &dyn Queries, at: TextRange) -> String {
    let text = program.text(at);
    if let Some(rest) = text.strip_prefix('*') {
        return rest.trim_matches(['(', ')', '+']).to_owned();
    }
    let mut open = 0_usize;
    for (idx, c) in text.char_indices().rev() {
        match c {
            ']' => open += 1,
            '[' => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 && c == '[' {
            return text[..idx].trim().to_owned();
        }
    }
    match text.rsplit_once("->") {
        Some((pointer, _)) => pointer.to_owned(),
        None => text,
    }
}

/// Accesses the bytes that hold a bit-field. A store may load them first to preserve the neighbouring bits; how is up
/// to the compiler.
fn access_bit_field(
    ctx: &mut Lowering,
    kind: AccessKind,
    row: ArrayRow,
    offset: &Expression,
    field: BitField,
    at: TextRange,
) {
    if kind == AccessKind::Store && !field.is_whole {
        let outer = std::mem::take(&mut ctx.tree.block);
        access_array(
            ctx,
            AccessKind::Load,
            row,
            offset.clone(),
            field.n_bytes,
            at,
        );
        let then = std::mem::replace(&mut ctx.tree.block, outer);
        ctx.tree.emit(Node::Branch {
            condition: Expression::Data,
            then,
            otherwise: Vec::new(),
        });
    }
    access_array(ctx, kind, row, offset.clone(), field.n_bytes, at);
}

/// Accesses each scalar of a struct, in order.
fn access_struct(
    ctx: &mut Lowering,
    kind: AccessKind,
    row: ArrayRow,
    offset: &Expression,
    element: &Type,
    at: TextRange,
) {
    let mut scalars = Vec::new();
    if !scalars_of(element, 0, &mut scalars) {
        return reject_unsupported(ctx, "a copy of such a struct", at);
    }
    for (start, size) in scalars {
        access_array(ctx, kind, row, plus(offset.clone(), start.into()), size, at);
    }
}
