//! `memcpy` and similar functions, lowered to loops over elements.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::domain::integers::plus;
use crate::domain::memory_version::Clobber;
use crate::domain::types::LONG;
use crate::domain::values::{ArrayRow, Pointer, Target, Value};
use crate::eval::accesses::access_array;
use crate::eval::havoc::havoc_shared;
use crate::eval::heap_loads::own_block;
use crate::eval::heap_stores::clobber_heap;
use crate::eval::rejections::reject;
use crate::loops::bounding_ranges::number_within_range;
use crate::loops::loop_nodes::emit_library_loop;
use crate::syntax::TextRange;
use premiss_tree::{AccessKind, Expression, RejectReason};

/// One side of a transfer.
struct CopyEnd {
    kind: AccessKind,
    row: ArrayRow,
    offset: Expression,
    /// Whether it surely is memory: a pointer of which nothing tells where it leads may lead to a scalar in a register.
    is_certain: bool,
    at: TextRange,
}

/// Copies (or fills) element by element: loads from `from`, stores to `to`. The elements are those of the destination.
pub(crate) fn copy_memory(
    ctx: &mut Lowering,
    name: &str,
    to: (Value, TextRange),
    from: Option<(Value, TextRange)>,
    size: Value,
    at: TextRange,
) -> Lowered<()> {
    let element = element_size(ctx, &to.0);
    let mut sides = Vec::new();
    let sources = from.map(|(value, at)| (AccessKind::Load, value, at));
    let sinks = std::iter::once((AccessKind::Store, to.0, to.1));
    for (kind, value, at) in sources.into_iter().chain(sinks) {
        match value {
            Value::Pointer(Pointer {
                target: Target::Array(row) | Target::Fresh(row),
                offset,
                ..
            }) => sides.push(CopyEnd {
                kind,
                row,
                offset,
                is_certain: true,
                at,
            }),
            Value::Pointer(Pointer {
                target: Target::Scalar(_) | Target::Register(_),
                ..
            }) => {
                havoc_shared(ctx, Clobber::Everything);
                clobber_heap(ctx, Clobber::Everything);
            }
            Value::Pointer(Pointer {
                target: Target::Elsewhere,
                pointee,
                ..
            }) => {
                let pointer = ctx.program.text(at);
                let row = own_block(ctx, pointer, &pointee, at);
                if kind == AccessKind::Store {
                    clobber_heap(ctx, Clobber::Everything);
                }
                sides.push(CopyEnd {
                    kind,
                    row,
                    offset: Expression::Data,
                    is_certain: false,
                    at,
                });
            }
            _ => {
                let pointer = ctx.program.text(at);
                reject(ctx, RejectReason::AmbiguousPointer { pointer }, at);
                return Ok(());
            }
        }
    }
    if sides.is_empty() {
        return Ok(());
    }
    let size = match size {
        Value::Integer(size, _) if !size.any(|part| *part == Expression::Data) => size,
        _ if ctx.is_in_loop() => number_within_range(ctx, &format!("bytes({name})"), LONG, at),
        _ => {
            let why = format!("`{name}` copies a number of bytes that is data");
            reject(ctx, RejectReason::UncountedLoop { reason: why }, at);
            return Ok(());
        }
    };
    emit_copy_loop(ctx, name, &sides, size, element, at)
}

fn emit_copy_loop(
    ctx: &mut Lowering,
    name: &str,
    sides: &[CopyEnd],
    size: Expression,
    element: u32,
    at: TextRange,
) -> Lowered<()> {
    emit_library_loop(ctx, name, at, size, element, |ctx, byte| {
        for side in sides {
            let offset = plus(side.offset.clone(), byte.clone());
            let access = |ctx: &mut Lowering| {
                access_array(ctx, side.kind, side.row, offset, element, side.at);
                Ok(())
            };
            match side.is_certain {
                true => access(ctx)?,
                false => {
                    ctx.branch(Expression::Data, access, |_| Ok(()))?;
                }
            }
        }
        Ok(())
    })
}

/// The size in bytes of the scalars that a pointer points to, or else of the elements of its region.
fn element_size(ctx: &Lowering, value: &Value) -> u32 {
    let Value::Pointer(pointer) = value else {
        return 1;
    };
    let declared = pointer.pointee.innermost().scalar_size();
    let own = match &pointer.target {
        Target::Array(row) | Target::Fresh(row) => {
            ctx.symbols.arrays[row.0].kind.innermost().scalar_size()
        }
        _ => None,
    };
    declared.or(own).unwrap_or(1).max(1)
}
