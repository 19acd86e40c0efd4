//! Library functions that process text up to an end that depends on the text.
//!
//! `strcmp(name, "abc")` reads a data-dependent number of characters of `name`, at most its length:
//!
//! ```text
//! for (c = 0; c < sizeof name; c++)
//!   if (data) load name[c]
//! ```
//!
//! If the array has no known extent, the greatest length of the strings is a size, `max(strlen(name))`, in a loop. String
//! literals, words of the command line and files are not arrays of the program.

use crate::bailout::Lowered;
use crate::calls::argument_effects::reaches_arrays;
use crate::context::Lowering;
use crate::domain::integers::plus;
use crate::domain::types::{LONG, Type};
use crate::domain::values::{ArrayRow, Pointer, Target, Value, place_type, unknown_value};
use crate::eval::accesses::access_element;
use crate::eval::places::dereference;
use crate::loops::bounding_ranges::number_within_range;
use crate::loops::loop_nodes::emit_library_loop;
use crate::syntax::TextRange;
use premiss_tree::{
    AccessKind, BinaryOperator as Op, Expression, IntegerType, RejectReason, Storage,
};

const CHARACTER_TYPE: IntegerType = IntegerType {
    bits: 8,
    signed: true,
};

/// The accesses of a call that processes text: it stores to the arguments from `stores` on that are numbers, or to the
/// one at `stores`, and reads the others.
pub(crate) fn access_text(
    ctx: &mut Lowering,
    name: &str,
    arguments: &[(Value, TextRange)],
    stores: &std::ops::Range<usize>,
) -> Lowered<()> {
    for (idx, (value, at)) in arguments.iter().enumerate() {
        let Value::Pointer(pointer) = value else {
            continue;
        };
        let kind = match stores.contains(&idx) {
            true => AccessKind::Store,
            false => AccessKind::Load,
        };
        let is_text = matches!(&*pointer.pointee, Type::Integer(kind) if kind.bits == 8);
        if is_text && is_command_line(ctx, &pointer.target) {
            continue;
        }
        if is_text && reaches_arrays(ctx, std::slice::from_ref(&arguments[idx])) {
            access_characters(ctx, name, kind, pointer, *at)?;
        } else if kind == AccessKind::Store {
            store_if_read(ctx, pointer, *at)?;
        }
    }
    Ok(())
}

/// Whether a pointer leads to words of the command line: `argv[1]` in `main(int argc, char **argv)`.
fn is_command_line(ctx: &Lowering, target: &Target) -> bool {
    let is_word = |row: &ArrayRow| {
        let data = &ctx.symbols.arrays[row.0];
        data.is_region && data.storage == Storage::Parameter && data.order.0 == 1
    };
    let is_main = ctx.frames.first().is_some_and(|x| &*x.function == "main");
    let rows = target.arrays();
    is_main && !rows.is_empty() && rows.iter().all(is_word)
}

/// A loop over characters, each access to which is possible.
fn access_characters(
    ctx: &mut Lowering,
    name: &str,
    kind: AccessKind,
    pointer: &Pointer,
    at: TextRange,
) -> Lowered<()> {
    let bound = match bytes_from(ctx, pointer) {
        Some(bound) => bound,
        None if ctx.is_in_loop() => {
            let text = ctx.program.text(at);
            number_within_range(ctx, &format!("strlen({text})"), LONG, at)
        }
        None => {
            let construct = format!("a string of unknown length, which `{name}` accesses,");
            ctx.tree
                .add_rejection(RejectReason::Unsupported { construct }, at);
            return Ok(());
        }
    };
    emit_library_loop(ctx, name, at, bound, 1, |ctx, character| {
        let offset = plus(pointer.offset.clone(), character.clone());
        let access = |ctx: &mut Lowering| {
            access_element(
                ctx,
                kind,
                &pointer.target,
                &offset,
                &Type::Integer(CHARACTER_TYPE),
                at,
            );
            Ok(())
        };
        ctx.branch(Expression::Data, access, |_| Ok(())).map(|_| ())
    })
}

/// The number of bytes from a pointer to the end of its array.
fn bytes_from(ctx: &Lowering, pointer: &Pointer) -> Option<Expression> {
    let (Target::Array(row) | Target::Fresh(row)) = pointer.target else {
        return None;
    };
    let extent = ctx.symbols.arrays[row.0].extent.clone()?;
    let is_data = pointer.offset.any(|part| *part == Expression::Data);
    (!is_data).then(|| match pointer.offset.as_integer() {
        Some(0) => extent,
        _ => Expression::binary(Op::Subtract, extent, pointer.offset.clone()),
    })
}

/// Stores what was read, if anything was.
fn store_if_read(ctx: &mut Lowering, pointer: &Pointer, at: TextRange) -> Lowered<()> {
    if !matches!(*pointer.pointee, Type::Integer(_) | Type::Floating(_)) {
        return Ok(());
    }
    let place = dereference(ctx, Value::Pointer(pointer.clone()), at);
    let kind = place_type(&place);
    let store = |ctx: &mut Lowering| {
        ctx.store(&place, unknown_value(kind), at);
        Ok(())
    };
    ctx.branch(Expression::Data, store, |_| Ok(())).map(|_| ())
}
