//! The recursion of the grammar, tied in one place: an operand is an expression, a declarator has declarations in
//! its parentheses, an expression of GCC has statements.
//!
//! A pass that needs a production above its own calls the method here, and imports nothing.

use super::parser::{Parsed, Parser};
use super::specifier_set::Specifiers;
use super::{
    Declaration, Expression, Part, Statement, TypeName, declarations, declarators, expressions,
    specifiers, statements,
};
use std::sync::Arc;

impl Parser<'_> {
    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        expressions::expression(self)
    }

    /// An expression without commas.
    pub(super) fn assignment_expression(&mut self) -> Parsed<Expression> {
        expressions::assignment_expression(self)
    }

    /// A conditional expression: what a constant expression may be.
    pub(super) fn conditional_expression(&mut self) -> Parsed<Expression> {
        expressions::conditional_expression(self)
    }

    /// A type as a cast or `sizeof` names it.
    pub(super) fn type_name(&mut self) -> Parsed<Arc<TypeName>> {
        declarators::type_name(self)
    }

    /// A statement or declaration. What cannot be read is recorded and skipped.
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        statements::statement(self)
    }

    /// Reads specifiers; enumeration constants that they define go to `declared`.
    pub(super) fn declaration_specifiers(
        &mut self,
        declared: &mut Vec<Declaration>,
    ) -> Parsed<Specifiers> {
        specifiers::declaration_specifiers(self, declared)
    }

    /// Whether a type name or declaration starts `n` tokens ahead.
    pub(super) fn starts_type_after(&self, n: usize) -> bool {
        specifiers::starts_type_after(self, n)
    }

    /// The parts of an initializer in braces, with their designators.
    pub(super) fn initializer_list(&mut self) -> Parsed<Vec<Part>> {
        declarations::initializer_list(self)
    }

    /// A declaration up to and with its `;`.
    pub(super) fn declaration(&mut self) -> Parsed<Vec<Declaration>> {
        declarations::declaration(self)
    }
}
