//! Names: what they stand for, from the innermost scope to file scope.

use crate::context::Lowering;
use crate::domain::values::Slot;
use crate::eval::globals::global_slot;
use crate::syntax::Name;

/// What a name stands for here; `None` where nothing declares it.
pub(crate) fn lookup_name(ctx: &mut Lowering, name: &Name) -> Option<Slot> {
    let scopes = ctx.frame().scopes.iter().rev();
    let mut found = scopes.filter_map(|scope| scope.get(name));
    match found.next() {
        Some(slot) => Some(slot.clone()),
        None => global_slot(ctx, name),
    }
}
