//! Names as keys: Fortran is case-insensitive.

use premiss_ast::syntax::TextRange;
use std::sync::Arc;

/// A name in lower case, as Fortran is case-insensitive.
pub(crate) type NameKey = Arc<str>;

/// A name with its place.
#[derive(Debug, Clone)]
pub(crate) struct Ident {
    pub(crate) key: NameKey,
    pub(crate) at: TextRange,
}
