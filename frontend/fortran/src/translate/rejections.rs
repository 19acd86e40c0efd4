//! Constructs that are not modelled: they become rejections in the tree of their procedure.

use crate::build;
use crate::syntax::Expr;
use crate::translate::environment::NameEnvironment;
use premiss_ast::syntax::{Expression, ExpressionKind, Statement, StatementKind, TextRange};
use premiss_tree::RejectReason;

/// A construct that is not modelled, as a statement.
pub(crate) fn unsupported(construct: impl Into<String>, at: TextRange) -> Statement {
    let construct = construct.into();
    build::statement(
        at,
        StatementKind::Error(RejectReason::Unsupported { construct }),
    )
}

/// A loop that is not modelled, or a statement that stands for loops.
pub(crate) fn unsupported_loop(construct: impl Into<String>, at: TextRange) -> Statement {
    let construct = construct.into();
    build::statement(
        at,
        StatementKind::Error(RejectReason::UnsupportedLoop { construct }),
    )
}

/// A construct that is not modelled, as a value.
pub(crate) fn unsupported_value(
    env: &NameEnvironment,
    construct: String,
    expr: &Expr,
) -> Expression {
    let rejected = unsupported(construct, expr.at);
    value_after(env, rejected, expr)
}

/// The value of an expression after a statement.
pub(crate) fn value_after(
    env: &NameEnvironment,
    statement_before: Statement,
    expr: &Expr,
) -> Expression {
    let at = expr.at;
    let value = build::evaluate(build::opaque_value(
        at,
        env.type_of(expr).name(),
        Vec::new(),
    ));
    let body = build::block(at, vec![statement_before, value]);
    Expression::new(at, ExpressionKind::StatementExpression(Box::new(body)))
}

/// The rejection of a jump that is not modelled.
pub(crate) fn untranslated_jump(keyword: &'static str) -> RejectReason {
    RejectReason::Jump { keyword }
}
