//! A call of a library method, for any receiver.

use crate::types::Ty;
use premiss_ast::syntax::{Expression, TextRange};
use syn::Expr;

/// The name and arguments of a method call.
pub(crate) struct MethodCall<'a, 'n> {
    pub(crate) name: &'n str,
    pub(crate) arguments: Vec<&'a Expr>,
    pub(crate) at: TextRange,
    /// The expected type of the result, or the one stated in angle brackets.
    pub(crate) expected: Option<Ty>,
    /// The number stated in angle brackets: `as_chunks::<4>()`.
    pub(crate) stated_number: Option<Expression>,
}

/// The name of the result type of comparisons.
pub(crate) const ORDERING: &str = "Ordering";
