//! `as`.

use super::{Body, build};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{At, Binary, Expression, ExpressionKind, TypeName};
use premiss_tree::IntegerType;

impl<'a> Body<'a, '_> {
    pub(super) fn cast(&mut self, cast: &'a syn::ExprCast, at: At) -> Value<'a> {
        let scope = self.scope.clone();
        let to = self.ctx.resolve(&cast.ty, &scope);
        let value = self.expression(&cast.expr, None);
        self.cast_to(value, to, at)
    }

    /// A value as one of another type.
    pub(super) fn cast_to(&mut self, value: Value<'a>, to: Ty, at: At) -> Value<'a> {
        match (value, to) {
            (Value::Plain(value, from), to) => {
                let from = self.solved(&from);
                if to.is_unknown() {
                    return Value::Plain(value, from);
                }
                let value = self.loaded(value, &from);
                Value::Plain(converted(at, value, &from, &to), to)
            }
            (Value::Slice(slice), to @ Ty::Pointer(_)) => Value::Plain(slice.pointer, to),
            (value, to) => {
                self.evaluate(value);
                self.data_of(&to, at)
            }
        }
    }
}

fn converted(at: At, value: Expression, from: &Ty, to: &Ty) -> Expression {
    match (from, to) {
        (Ty::Float(_), Ty::Int(_)) => build::cast(at, build::wide(), value),
        (Ty::Int(from), Ty::Int(kind))
            if from.signed && 0 < from.bits && !kind.signed && kind.bits == 64 =>
        {
            natural(at, value)
        }
        (_, Ty::Int(kind)) if is_narrowing(from, *kind) => build::cast(
            at,
            build::wide(),
            build::cast(at, TypeName::Integer(*kind), value),
        ),
        (Ty::Int(_) | Ty::Char | Ty::Bool, Ty::Int(_) | Ty::Char) => value,
        (_, Ty::Float(size)) => {
            let size = if *size == 0 { 8 } else { *size };
            build::cast(at, TypeName::Floating(size), value)
        }
        (Ty::Pointer(_), Ty::Pointer(_)) => value,
        _ => value,
    }
}

/// A number where it is not negative, and data where it is: as an unsigned one of 64 bits it would be
/// greater than all that are computed with.
pub(super) fn natural(at: At, value: Expression) -> Expression {
    let unsigned = |value| {
        let kind = IntegerType {
            bits: 64,
            signed: false,
        };
        Box::new(build::cast(at, TypeName::Integer(kind), value))
    };
    let one = unsigned(build::integer(at, 1));
    let same = ExpressionKind::Binary(Binary::Divide, unsigned(value), one);
    build::cast(at, build::wide(), Expression::new(at, same))
}

/// Whether a conversion to a type, not an unsigned one of 64 bits, may change a value.
fn is_narrowing(from: &Ty, to: IntegerType) -> bool {
    if to.bits == 64 || to.bits == 0 {
        return false;
    }
    match from {
        Ty::Int(from) if from.bits == 0 => false,
        Ty::Int(from) if from.signed == to.signed => to.bits < from.bits,
        Ty::Int(from) if to.signed => to.bits <= from.bits,
        Ty::Bool => false,
        Ty::Char => to.bits < 32,
        _ => true,
    }
}
