//! Constant expressions, in kinds and array bounds.

use super::symbols::{Entity, NameScope};
use crate::syntax::{ActualArgument, BinaryOperator as Op, Expr, ExprKind, NameKey, UnaryOperator};

/// The maximum depth of references between constants.
const MAX_DEPTH: u32 = 64;

/// The value of a constant integer expression.
pub(crate) fn integer(expr: &Expr, scope: &NameScope) -> Option<i64> {
    value(expr, scope, 0)
}

fn value(expr: &Expr, scope: &NameScope, depth: u32) -> Option<i64> {
    if MAX_DEPTH < depth {
        return None;
    }
    let of = |expr: &Expr| value(expr, scope, depth + 1);
    match &expr.kind {
        ExprKind::Integer(value, _) => Some(*value),
        ExprKind::Logical(truth) => Some(i64::from(*truth)),
        ExprKind::Text(bytes) if bytes.len() == 1 => bytes.first().map(|byte| i64::from(*byte)),
        ExprKind::Name(key) => match scope.lookup(key).map(|symbol| &symbol.entity) {
            Some(Entity::Constant { integer, .. }) => *integer,
            _ => intrinsic_constant(key),
        },
        ExprKind::Unary(UnaryOperator::Minus, x) => of(x)?.checked_neg(),
        ExprKind::Unary(UnaryOperator::Plus, x) | ExprKind::Parentheses(x) => of(x),
        ExprKind::Binary(op, a, b) => binary(*op, of(a)?, of(b)?),
        ExprKind::Apply(base, arguments) => call(base.as_name()?, arguments, scope, depth),
        _ => None,
    }
}

fn binary(op: Op, a: i64, b: i64) -> Option<i64> {
    match op {
        Op::Add => a.checked_add(b),
        Op::Subtract => a.checked_sub(b),
        Op::Multiply => a.checked_mul(b),
        Op::Divide => a.checked_div(b),
        Op::Power => a.checked_pow(u32::try_from(b).ok()?),
        _ => None,
    }
}

fn call(
    name: &NameKey,
    arguments: &[ActualArgument],
    scope: &NameScope,
    depth: u32,
) -> Option<i64> {
    let argument = |idx: usize| value(arguments.get(idx)?.expr()?, scope, depth + 1);
    match &**name {
        "max" | "max0" => (0..arguments.len())
            .map(argument)
            .try_fold(i64::MIN, |a, b| Some(a.max(b?))),
        "min" | "min0" => (0..arguments.len())
            .map(argument)
            .try_fold(i64::MAX, |a, b| Some(a.min(b?))),
        "mod" => argument(0)?.checked_rem(argument(1)?),
        "abs" => argument(0)?.checked_abs(),
        "int" => argument(0),
        "ichar" | "iachar" => argument(0),
        "kind" => kind_of(arguments.first()?.expr()?, scope),
        "selected_real_kind" => {
            let keyword = arguments.first()?.keyword.as_deref();
            let (digits, range) = match keyword {
                Some("r") => (0, argument(0)?),
                _ => (argument(0)?, argument(1).unwrap_or(0)),
            };
            Some(match (digits, range) {
                (..=6, ..=37) => 4,
                (..=15, ..=307) => 8,
                _ => 16,
            })
        }
        "selected_int_kind" => Some(match argument(0)? {
            ..=2 => 1,
            3..=4 => 2,
            5..=9 => 4,
            _ => 8,
        }),
        _ => None,
    }
}

fn kind_of(expr: &Expr, scope: &NameScope) -> Option<i64> {
    match &expr.kind {
        ExprKind::Real(_, true, _) => Some(8),
        ExprKind::Real(_, false, None) | ExprKind::Integer(_, None) | ExprKind::Logical(_) => {
            Some(4)
        }
        ExprKind::Real(_, _, Some(kind)) | ExprKind::Integer(_, Some(kind)) => {
            kind_parameter(kind, scope)
        }
        ExprKind::Text(_) => Some(1),
        ExprKind::Name(key) => scope.lookup(key)?.kind()?.size(),
        _ => None,
    }
}

/// The kind suffix of a literal.
pub(crate) fn kind_parameter(kind: &NameKey, scope: &NameScope) -> Option<i64> {
    if let Ok(value) = kind.parse() {
        return Some(value);
    }
    match scope.lookup(kind).map(|symbol| &symbol.entity) {
        Some(Entity::Constant { integer, .. }) => *integer,
        _ => intrinsic_constant(kind),
    }
}

/// The constants that the intrinsic modules define.
pub(super) fn intrinsic_constant(key: &NameKey) -> Option<i64> {
    Some(match &**key {
        "int8" | "c_int8_t" | "c_signed_char" | "c_char" | "c_bool" => 1,
        "int16" | "c_short" | "c_int16_t" => 2,
        "int32" | "real32" | "c_int" | "c_float" | "c_int32_t" | "logical32" => 4,
        "int64" | "real64" | "c_long" | "c_double" | "c_int64_t" | "c_size_t" | "c_long_long"
        | "c_intptr_t" | "c_ptrdiff_t" => 8,
        "real128" => 16,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::integer;
    use crate::names::symbols::NameScope;
    use crate::parser::parse;
    use crate::syntax::StatementKind;
    use crate::text::SourceForm;
    use premiss_ast::syntax::UnitId;

    #[test]
    fn constant_expressions_have_values() {
        for (text, expected) in [
            ("2 ** 10 - 1", Some(1023)),
            ("max(3, 7) / 2", Some(3)),
            ("kind(1.0d0)", Some(8)),
            ("selected_int_kind(9)", Some(4)),
            ("7 / 0", None),
            ("n + 1", None),
        ] {
            let file = parse(UnitId(0), &format!("x = {text}\nend\n"), SourceForm::Free);
            match &file.units[0].body[0].kind {
                StatementKind::Assign(_, value) => {
                    assert_eq!(integer(value, &NameScope::default()), expected, "{text}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
