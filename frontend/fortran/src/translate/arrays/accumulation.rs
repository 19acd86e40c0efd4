//! One step of a reduction.

use crate::build;
use premiss_ast::syntax::{Binary, Expression, TextRange, TypeName};
use std::sync::Arc;

/// The accumulation of one element by a reduction: `SUM` adds it to the partial sum, and so on.
pub(crate) fn accumulate(
    at: TextRange,
    key: &str,
    kind: Arc<TypeName>,
    element: Expression,
) -> Expression {
    let operator = match key {
        "sum" | "dot_product" => Binary::Add,
        "product" => Binary::Multiply,
        "maxval" | "minval" => Binary::Less,
        _ => return element,
    };
    let so_far = build::opaque_value(at, kind, Vec::new());
    build::operation(at, operator, so_far, element)
}
