//! `DATA` statements: initial values of variables and arrays.

use super::builder::ScopeBuilder;
use crate::names::{constants, storage_association};
use crate::syntax::{DataSet, Expr, ExprKind, Ident};
use premiss_ast::syntax::TextRange;
use std::sync::Arc;

/// The maximum number of values kept of one `DATA` statement.
const MAX_DATA: usize = 100_000;

/// Records the initial values of a `DATA` statement.
pub(super) fn data(builder: &mut ScopeBuilder, sets: &[DataSet]) {
    for set in sets {
        let mut values = data_values(builder, set);
        for object in &set.objects {
            let Some(key) = object.root() else { continue };
            let end = object.at.start + u32::try_from(key.len()).unwrap_or(0);
            let at = TextRange { end, ..object.at };
            let name = Ident {
                key: key.clone(),
                at,
            };
            let value = match object.as_name() {
                Some(_) => data_of(builder, &name, object.at, &mut values),
                None => None,
            };
            if value.is_none() {
                // The number of values for this object is unknown.
                values = Vec::new().into_iter();
            }
            let facts = builder.attributes(&name);
            facts.has_data = true;
            facts.initial = value.map(Arc::new);
        }
    }
}

/// The values of a `DATA` statement one by one, as far as they are known.
pub(super) fn data_values(builder: &ScopeBuilder, set: &DataSet) -> std::vec::IntoIter<Expr> {
    let mut list = Vec::new();
    for (repeat, value) in &set.values {
        let times = match repeat {
            None => Some(1),
            Some(repeat) => constants::integer(repeat, &builder.scope),
        };
        let times = times.and_then(|times| usize::try_from(times).ok());
        match times.filter(|times| list.len() + times <= MAX_DATA) {
            Some(times) => list.extend(std::iter::repeat_n(value.clone(), times)),
            None => break,
        }
    }
    list.into_iter()
}

/// The initial value of an object: one value, or a list for a whole array.
pub(super) fn data_of(
    builder: &ScopeBuilder,
    name: &Ident,
    at: TextRange,
    values: &mut std::vec::IntoIter<Expr>,
) -> Option<Expr> {
    let Some(shape) = builder
        .attributes
        .get(&name.key)
        .and_then(|x| x.shape.as_ref())
    else {
        return values.next();
    };
    let length = storage_association::length(shape, &builder.scope)?;
    let length = usize::try_from(length).ok()?;
    let items: Vec<Expr> = values.take(length).collect();
    (items.len() == length).then_some(Expr {
        at,
        kind: ExprKind::Constructor(items),
    })
}
