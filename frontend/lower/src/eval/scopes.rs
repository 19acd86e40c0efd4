//! Scopes of the lowered function: binding names, and undeclared names.

use crate::context::Lowering;
use crate::domain::types::{INT, Type};
use crate::domain::values::{Pointer, Slot, Target, Value};
use crate::syntax::{GlobalName, Name};
use std::rc::Rc;

/// Whether a name is declared in the function, not at file scope.
pub(crate) fn is_local_name(ctx: &Lowering, name: &Name) -> bool {
    let mut scopes = ctx.frame().scopes.iter();
    scopes.any(|scope| scope.contains_key(name))
}

pub(crate) fn bind_name(ctx: &mut Lowering, name: &Name, slot: Slot) {
    if let Some(scope) = ctx.frame_mut().scopes.last_mut() {
        scope.insert(name.clone(), slot);
    }
}

/// The value of an undeclared name.
pub(crate) fn undeclared_name(ctx: &Lowering, name: &Name) -> Value {
    match &**name {
        "NULL" | "nullptr" => Value::Pointer(Pointer {
            target: Target::Null,
            offset: 0.into(),
            pointee: Rc::new(Type::Void),
        }),
        "true" | "false" => Value::Integer(i64::from(&**name == "true").into(), INT),
        _ => Value::Function(GlobalName {
            unit: ctx.unit(),
            name: name.clone(),
        }),
    }
}
