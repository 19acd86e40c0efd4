//! The mutually recursive parts of the translation: expressions, designators and sequences of statements.
//!
//! This module closes the recursion. Each judgment is implemented by a pass below, and the passes call it as a method,
//! so that no pass imports one above it.

use crate::syntax::{Expr, Statement as FortranStatement};
use crate::translate::arrays::{array_assignment, designators};
use crate::translate::context::Translator;
use crate::translate::expressions::scalar;
use crate::translate::statements::execution_part;
use premiss_ast::syntax::{Expression, Statement, TextRange};

impl Translator<'_> {
    /// The value of a scalar expression.
    pub(crate) fn expression(&mut self, expr: &Expr) -> Expression {
        scalar::expression(self, expr)
    }

    /// The scalar object that a designator denotes; `None` if the expression denotes none.
    pub(crate) fn designator(&mut self, expr: &Expr) -> Option<Expression> {
        designators::designator(self, expr)
    }

    /// `left = right` with an array on the left side; `None` if it is not modelled.
    pub(crate) fn assign_array(
        &mut self,
        left: &Expr,
        right: &Expr,
        at: TextRange,
    ) -> Option<Statement> {
        array_assignment::assign_array(self, left, right, at)
    }

    /// Statements in sequence.
    pub(crate) fn statements(&mut self, list: &[FortranStatement]) -> Vec<Statement> {
        execution_part::statements(self, list)
    }

    /// Statements as one block; `at` is its place if it is empty.
    pub(crate) fn body(&mut self, list: &[FortranStatement], at: TextRange) -> Statement {
        execution_part::body(self, list, at)
    }
}
