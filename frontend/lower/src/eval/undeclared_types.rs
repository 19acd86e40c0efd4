//! Types of C that nothing declares, as those of headers that are not there: what their names say, else 8 bytes. Both are
//! assumptions, and told.

use crate::context::Lowering;
use crate::domain::types::{NumberType, Type};
use crate::syntax::{Name, TypeName};
use premiss_ast::type_of_name;
use premiss_tree::{Assumption, AssumptionKind};

/// The type that the name of an undeclared type says, as `int32_t` for `opus_int32`; else one of 8 bytes without a meaning.
pub(crate) fn undeclared_type(ctx: &mut Lowering, name: &Name) -> Type {
    let (kind, text) = match type_of_name(name) {
        Some(TypeName::Integer(kind)) => {
            let unsigned = if kind.signed { "" } else { "u" };
            (Type::Integer(kind), format!("{unsigned}int{}_t", kind.bits))
        }
        Some(TypeName::Floating(4)) => (Type::Floating(NumberType::real(4)), "float".to_owned()),
        Some(TypeName::Floating(bytes)) => {
            (Type::Floating(NumberType::real(bytes)), "double".to_owned())
        }
        _ => return Type::Undeclared(name.clone()),
    };
    assume(ctx, format!("{name} as {text}"));
    kind
}

/// Records that a type is taken to have 8 bytes, if nothing declares it or its elements.
pub(crate) fn assume_undeclared(ctx: &mut Lowering, kind: &Type) {
    if let Type::Undeclared(name) = kind.innermost() {
        assume(ctx, name.to_string());
    }
}

fn assume(ctx: &mut Lowering, subject: String) {
    ctx.assumptions.insert(Assumption {
        kind: AssumptionKind::UndeclaredType,
        subject,
    });
}
