//! Names as keys: Fortran does not tell upper case from lower case.

use premiss_ast::syntax::At;
use std::sync::Arc;

/// A name in lower case: Fortran does not tell upper case from lower case.
pub(crate) type NameKey = Arc<str>;

/// A name where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Ident {
    pub(crate) key: NameKey,
    pub(crate) at: At,
}
