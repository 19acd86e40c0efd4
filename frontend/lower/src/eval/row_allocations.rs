//! Where the blocks lie that iterations of loops allocate and keep: one behind the other, as `domain::allocator` says.
//!
//! The bytes that an iteration of a loop allocates are a symbol until the loop has been lowered (`output::row_strides`);
//! they stay unknown if iterations differ, free something or call what nothing defines.
//!
//! ```text
//! for (i = 0; i < n; i++)            each iteration takes b = 2080 + 4016·m bytes:
//!   a[i] = malloc(2064);             at b·i
//!   for (j = 0; j < m; j++)
//!     t[i][j] = malloc(4000);        at b·i + 2080 + 4016·j
//! ```

use crate::context::Lowering;
use crate::domain::allocator::{ROW_HEADER, block_distance};
use crate::domain::integers::{minus, plus, times};
use crate::domain::row_pointers::AllocationLevel;
use crate::domain::types::LONG;
use crate::domain::values::{ArrayRow, is_constant};
use crate::loops::loop_context::LoopKey;
use crate::loops::loop_header::LoopBounds;
use crate::syntax::{Expression as Syntax, ExpressionKind, TextRange};
use premiss_tree::{BinaryOperator as Op, Comparison, Expression, VariableId};

/// Begins an iteration of a loop; `iteration` is its number, counted from 0.
pub(crate) fn begin_iteration(
    ctx: &mut Lowering,
    key: LoopKey,
    iteration: Option<Expression>,
    at: TextRange,
) {
    let stride = match ctx.loops.fixpoint.strides.get(&key) {
        Some(stride) => *stride,
        None => {
            let Expression::Parameter(stride) = ctx.symbols.fresh_size("allocated@", LONG, at)
            else {
                return;
            };
            ctx.loops.fixpoint.strides.insert(key, stride);
            stride
        }
    };
    ctx.heap_symbols.levels.push(AllocationLevel {
        stride,
        is_regular: iteration.is_some(),
        iteration: iteration.unwrap_or(Expression::Data),
        bytes: 0.into(),
    });
}

/// Ends the iteration of a loop that is executed so many times.
pub(crate) fn end_iteration(ctx: &mut Lowering, trips: Option<Expression>) {
    let Some(level) = ctx.heap_symbols.levels.pop() else {
        return;
    };
    let is_known = level.is_regular && is_constant(&level.bytes);
    let bytes = is_known.then_some(level.bytes);
    let takes_none = bytes == Some(0.into());
    ctx.heap_symbols
        .distances
        .insert(level.stride, bytes.clone());
    let Some(around) = ctx.heap_symbols.levels.last_mut() else {
        return;
    };
    match trips.filter(is_constant) {
        _ if takes_none => {}
        Some(trips) if bytes.is_some() => {
            let all = times(Expression::Parameter(level.stride), trips);
            around.bytes = plus(around.bytes.clone(), all);
        }
        _ => disturb_allocations(ctx),
    }
}

/// The number of an iteration, counted from 0, and how many there are.
pub(crate) fn iterations(
    header: &LoopBounds,
    iterator: VariableId,
) -> (Option<Expression>, Option<Expression>) {
    let iterator = Expression::Variable(iterator);
    let (first, bound) = (&header.first, &header.bound);
    let is_up = match header.step.as_integer() {
        Some(1) => true,
        Some(-1) => false,
        _ => return (None, None),
    };
    if !is_constant(first) {
        return (None, None);
    }
    let (number, distance) = match is_up {
        true => (
            minus(iterator, first.clone()),
            minus(bound.clone(), first.clone()),
        ),
        false => (
            minus(first.clone(), iterator),
            minus(first.clone(), bound.clone()),
        ),
    };
    let trips = match header.comparison {
        Comparison::LessEqual | Comparison::GreaterEqual => plus(distance, 1.into()),
        _ => distance,
    };
    let trips = Expression::binary(Op::Maximum, trips, 0.into());
    (Some(number), Some(trips))
}

/// The bytes that the iteration of the innermost loop has allocated so far.
pub(crate) fn allocated_so_far(ctx: &Lowering) -> Option<Expression> {
    ctx.heap_symbols
        .levels
        .last()
        .map(|level| level.bytes.clone())
}

/// Goes on with other bytes allocated, as in the other arm of a branch; returns those that were.
pub(crate) fn exchange_allocated(
    ctx: &mut Lowering,
    bytes: Option<Expression>,
) -> Option<Expression> {
    let level = ctx.heap_symbols.levels.last_mut()?;
    Some(std::mem::replace(&mut level.bytes, bytes?))
}

/// What is allocated, freed or called from here on leaves it open where the blocks of the open loops lie.
pub(crate) fn disturb_allocations(ctx: &mut Lowering) {
    for level in &mut ctx.heap_symbols.levels {
        level.is_regular = false;
    }
}

/// The place of a block that `name` has allocated, in the area of the outermost loop; `None` if it is a block of its own.
pub(crate) fn place_allocation(
    ctx: &mut Lowering,
    name: &str,
    row: ArrayRow,
    size: Option<Expression>,
) -> Option<Expression> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let size = size.filter(is_constant);
    let (Some(size), "malloc" | "calloc") = (size, name) else {
        disturb_allocations(ctx);
        ctx.symbols.arrays[row.0].is_renewed |= !ctx.heap_symbols.levels.is_empty();
        return None;
    };
    let levels = &mut ctx.heap_symbols.levels;
    let mut place: Expression = ROW_HEADER.into();
    for level in levels.iter() {
        let before = times(Expression::Parameter(level.stride), level.iteration.clone());
        place = plus(plus(place, before), level.bytes.clone());
    }
    let area = levels.first()?.stride;
    let innermost = levels.last_mut()?;
    innermost.bytes = plus(innermost.bytes.clone(), block_distance(size));
    let is_placed = ctx.heap_symbols.keeps_blocks && levels_are_counted(ctx);
    let data = &mut ctx.symbols.arrays[row.0];
    if !is_placed {
        data.is_renewed = true;
        return None;
    }
    data.extent = None;
    let first = *ctx.heap_symbols.areas.entry(area).or_insert(row);
    if first != row {
        ctx.heap_symbols.shared_areas.insert(row, first);
    }
    Some(place)
}

fn levels_are_counted(ctx: &Lowering) -> bool {
    let mut levels = ctx.heap_symbols.levels.iter();
    levels.all(|level| level.iteration != Expression::Data)
}

/// Evaluates what is assigned to a place; blocks that are allocated meanwhile are kept if the place is an element.
pub(crate) fn with_kept_blocks<T>(
    ctx: &mut Lowering,
    place: &Syntax,
    evaluate: impl FnOnce(&mut Lowering) -> T,
) -> T {
    let keeps = ctx.heap_symbols.keeps_blocks;
    ctx.heap_symbols.keeps_blocks |= !ctx.heap_symbols.levels.is_empty() && is_element(place);
    let value = evaluate(ctx);
    ctx.heap_symbols.keeps_blocks = keeps;
    value
}

/// Whether a place is an element of an array, or a member of one.
fn is_element(place: &Syntax) -> bool {
    match &place.kind {
        ExpressionKind::Index(..) | ExpressionKind::Dereference(_) => true,
        ExpressionKind::Member {
            base,
            through_pointer,
            ..
        } => *through_pointer || is_element(base),
        _ => false,
    }
}
