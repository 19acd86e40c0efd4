//! Rejections, and the clobbers that follow from them.

use crate::context::Lowering;
use crate::domain::memory_version::Clobber;
use crate::eval::havoc::havoc_shared;
use crate::eval::heap_stores::clobber_heap;
use crate::eval::real_variables::havoc_shared_reals;
use crate::syntax::TextRange;
use premiss_tree::RejectReason;

/// Records a rejection; the rejected construct may access and change any array.
pub(crate) fn reject(ctx: &mut Lowering, reason: RejectReason, at: TextRange) {
    ctx.tree.add_rejection(reason, at);
    havoc_shared_reals(ctx);
    clobber_heap(ctx, Clobber::Everything);
}

/// Records a call of a function that no file defines and that changes numbers only: see [`Clobber::Integers`].
pub(crate) fn reject_external_call(ctx: &mut Lowering, reason: RejectReason, at: TextRange) {
    ctx.tree.add_rejection(reason, at);
    clobber_heap(ctx, Clobber::Integers);
    havoc_shared(ctx, Clobber::Integers);
}

pub(crate) fn reject_unsupported(ctx: &mut Lowering, construct: &str, at: TextRange) {
    let construct = construct.to_owned();
    reject(ctx, RejectReason::Unsupported { construct }, at);
}
