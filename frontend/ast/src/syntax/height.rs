//! The height of expression trees.

use super::{Expression, ExpressionKind, TextRange};

impl Expression {
    /// An expression at a place in the text; computes its height.
    #[must_use]
    pub fn new(at: TextRange, kind: ExpressionKind) -> Self {
        Self {
            at,
            height: 1 + height_below(&kind),
            kind,
        }
    }
}

/// The maximum height of the operands.
fn height_below(kind: &ExpressionKind) -> u32 {
    use ExpressionKind as Kind;
    match kind {
        Kind::Integer(..)
        | Kind::Floating(..)
        | Kind::Text(_)
        | Kind::Name(_)
        | Kind::Stepped(..)
        | Kind::SizeofType(_)
        | Kind::AlignofType(_)
        | Kind::OffsetOf(..)
        | Kind::CompoundLiteral(..)
        | Kind::StatementExpression(_)
        | Kind::Unsupported(_)
        | Kind::Rejected(_) => 0,
        Kind::Unary(_, x)
        | Kind::Increment { operand: x, .. }
        | Kind::AddressOf(x)
        | Kind::Dereference(x)
        | Kind::Member { base: x, .. }
        | Kind::Cast(_, x)
        | Kind::SizeofExpression(x)
        | Kind::AlignofExpression(x) => x.height,
        Kind::Binary(_, a, b)
        | Kind::And(a, b)
        | Kind::Or(a, b)
        | Kind::Assign(_, a, b)
        | Kind::Index(a, b)
        | Kind::Comma(a, b) => a.height.max(b.height),
        Kind::Computed(_, _, operands) => operands.iter().map(|x| x.height).max().unwrap_or(0),
        Kind::Conditional(operands) => operands.iter().map(|x| x.height).max().unwrap_or(0),
        Kind::Generic(control, list) => {
            let highest = list.iter().map(|(_, x)| x.height).max().unwrap_or(0);
            highest.max(control.height)
        }
        Kind::Call(callee, arguments) => {
            let highest = arguments.iter().map(|x| x.height).max().unwrap_or(0);
            highest.max(callee.height)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Binary;
    use crate::test_syntax::{binary, expression, int, var};

    #[test]
    fn an_expression_is_one_higher_than_its_highest_operand() {
        assert_eq!(int(1).height, 1);
        let sum = binary(Binary::Add, int(1), var("x"));
        assert_eq!(sum.height, 2);
        let uneven = binary(Binary::Add, int(1), sum.clone());
        assert_eq!(uneven.height, 3);
        let call = ExpressionKind::Call(Box::new(var("f")), vec![int(1), uneven, sum]);
        assert_eq!(expression(call).height, 4);
        let without_arguments = ExpressionKind::Call(Box::new(var("f")), Vec::new());
        assert_eq!(expression(without_arguments).height, 2);
    }
}
