//! Closes the recursion of the grammar: an operand is an expression, a declarator contains declarations in its
//! parentheses, a GNU C expression contains statements.
//!
//! A pass that needs a production above its own calls the method here and imports nothing.

use super::parser::{Parsed, Parser};
use super::specifier_set::Specifiers;
use super::{
    Declaration, Expression, Part, Statement, TypeName, declarations, declarators, expressions,
    specifiers, statements,
};
use std::sync::Arc;

impl Parser<'_> {
    /// An expression, including comma operators.
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        expressions::expression(self)
    }

    /// An expression without comma operators.
    pub(super) fn assignment_expression(&mut self) -> Parsed<Expression> {
        expressions::assignment_expression(self)
    }

    /// A conditional expression, the syntax of constant expressions.
    pub(super) fn conditional_expression(&mut self) -> Parsed<Expression> {
        expressions::conditional_expression(self)
    }

    /// A type name, as in a cast or `sizeof`.
    pub(super) fn type_name(&mut self) -> Parsed<Arc<TypeName>> {
        declarators::type_name(self)
    }

    /// A statement or declaration. What cannot be parsed is recorded and skipped.
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        statements::statement(self)
    }

    /// Parses specifiers; adds the enumeration constants that they define to `declared`.
    pub(super) fn declaration_specifiers(
        &mut self,
        declared: &mut Vec<Declaration>,
    ) -> Parsed<Specifiers> {
        specifiers::declaration_specifiers(self, declared)
    }

    /// Parses specifiers where a declaration must stand: those of members or of a parameter.
    pub(super) fn certain_specifiers(&mut self) -> Parsed<Specifiers> {
        let outside = std::mem::replace(&mut self.must_declare, true);
        let specifiers = specifiers::declaration_specifiers(self, &mut Vec::new());
        self.must_declare = outside;
        specifiers
    }

    /// Whether a type name or declaration starts `n` tokens ahead.
    pub(super) fn starts_type_after(&self, n: usize) -> bool {
        specifiers::starts_type_after(self, n)
    }

    /// The elements of a braced initializer, with their designators.
    pub(super) fn initializer_list(&mut self) -> Parsed<Vec<Part>> {
        declarations::initializer_list(self)
    }

    /// A declaration including its `;`.
    pub(super) fn declaration(&mut self) -> Parsed<Vec<Declaration>> {
        declarations::declaration(self)
    }
}
