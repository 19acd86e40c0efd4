//! Names: their meanings, from the innermost scope to file scope.

use crate::context::Lowering;
use crate::domain::values::Slot;
use crate::eval::globals::global_slot;
use crate::syntax::Name;

/// The meaning of a name here; `None` if it is not declared.
pub(crate) fn lookup_name(ctx: &mut Lowering, name: &Name) -> Option<Slot> {
    let scopes = ctx.frame().scopes.iter().rev();
    let mut found = scopes.filter_map(|scope| scope.get(name));
    match found.next() {
        Some(slot) => Some(slot.clone()),
        None => global_slot(ctx, name),
    }
}
