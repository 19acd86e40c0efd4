//! A call of a library method, whatever its receiver.

use crate::types::Ty;
use premiss_ast::syntax::At;
use syn::Expr;

/// What a method is called with.
pub(crate) struct MethodCall<'a, 'n> {
    pub(crate) name: &'n str,
    pub(crate) arguments: Vec<&'a Expr>,
    pub(crate) at: At,
    /// The type that is expected of the result, or stated in brackets.
    pub(crate) expected: Option<Ty>,
}

/// The type of what a comparison yields.
pub(crate) const ORDERING: &str = "Ordering";
