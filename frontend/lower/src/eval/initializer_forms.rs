//! Forms of initializers: all zero, or a string literal.

use crate::domain::types::Type;
use crate::syntax::{ExpressionKind, Initializer};

/// Whether an initializer is all zero.
pub(crate) fn is_zero_initializer(initializer: &Initializer) -> bool {
    use ExpressionKind as Kind;
    let is_zero_value = |syntax: &crate::syntax::Expression| match &syntax.kind {
        Kind::Integer(value, _) => *value == 0,
        Kind::Floating(value, _) => value.0 == 0.0,
        Kind::Cast(_, operand) => matches!(operand.kind, Kind::Integer(0, _)),
        _ => false,
    };
    match initializer {
        Initializer::Expression(syntax) => is_zero_value(syntax),
        Initializer::List(list) => list.iter().all(|part| is_zero_initializer(&part.value)),
    }
}

/// The number of characters of a string literal, including the terminating 0.
pub(crate) fn text_length(initializer: &Initializer) -> Option<i64> {
    match initializer {
        Initializer::Expression(syntax) => match syntax.kind {
            ExpressionKind::Text(size) => Some(size.into()),
            _ => None,
        },
        Initializer::List(_) => None,
    }
}

/// Whether an initializer is a string literal that can initialize an array of such elements.
pub(crate) fn is_text_for(element: &Type, initializer: &Initializer) -> bool {
    match initializer {
        Initializer::Expression(syntax) => {
            matches!(
                (&syntax.kind, element),
                (ExpressionKind::Text(_), Type::Integer(_))
            )
        }
        Initializer::List(_) => false,
    }
}
