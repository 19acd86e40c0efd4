//! Evaluation at file scope: constant expressions, without accesses.

use crate::bailout::Lowered;
use crate::call_stack::Frame;
use crate::context::Lowering;
use crate::syntax::{GlobalName, TextRange, UnitId};
use std::sync::Arc;

/// Evaluates with the names at file scope alone; the accesses are discarded.
pub(crate) fn at_file_scope<T>(
    ctx: &mut Lowering,
    unit: UnitId,
    lower: impl FnOnce(&mut Lowering) -> Lowered<T>,
) -> Option<T> {
    let checkpoint = ctx.checkpoint();
    let nothing = GlobalName {
        unit,
        name: "".into(),
    };
    let call = TextRange::start_of(unit);
    let path = ctx.frame().path.through(call);
    ctx.frames
        .push(Frame::new(nothing, call, path, Arc::default()));
    let result = ctx.in_block(lower);
    ctx.roll_back(&checkpoint);
    result.ok().map(|(_, value)| value)
}
