//! Names of the variables, parameters and components that hold the bounds of an array at run time.
//!
//! An array whose bounds are not in the text is a pointer to its first element with these variables; for a component
//! of derived type, they are members of the struct.

use premiss_ast::syntax::Name;

/// The name of the extent of a dimension (counted from 0): `size(a,1)`.
pub(crate) fn extent_name(array: &Name, dimension: usize) -> Name {
    Name::from(format!("size({array},{})", dimension + 1))
}

/// The name of the lower bound of a dimension (counted from 0): `lbound(a,1)`.
pub(crate) fn lower_bound_name(array: &Name, dimension: usize) -> Name {
    Name::from(format!("lbound({array},{})", dimension + 1))
}
