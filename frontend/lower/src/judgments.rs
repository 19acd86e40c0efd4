//! The mutually recursive judgments of the interpreter: the values of expressions, places and conditions, and the
//! effects of statements, loops and calls.
//!
//! This module closes the recursion. Each judgment is a method that delegates to the pass that implements it; passes
//! call these methods and import no pass above them.

use crate::bailout::Lowered;
use crate::calls::inlining::{PassedArguments, inline_body};
use crate::context::Lowering;
use crate::control::branches::lower_branch;
use crate::control::conditions::lower_condition;
use crate::control::function_body::lower_function_body;
use crate::control::statements::{lower_statement, lower_statements};
use crate::control::tail::Tail;
use crate::domain::types::Type;
use crate::domain::values::{Place, Slot, Value};
use crate::eval::expressions::lower_expression;
use crate::eval::loads::load_place;
use crate::eval::names::lookup_name;
use crate::eval::places::lower_place;
use crate::eval::stores::store_to_place;
use crate::eval::type_names::{resolve_type, type_of_expression};
use crate::loops::bounding_ranges::with_range_loads;
use crate::loops::loop_statements::lower_loop;
use crate::output::operations::in_statement;
use crate::syntax::{
    Expression as Syntax, Function, Name, Statement, StatementKind, TextRange, TypeName,
};
use premiss_tree::Expression;
use std::sync::Arc;

impl Lowering<'_> {
    /// The value of an expression; emits the accesses of its evaluation in order.
    pub(crate) fn expression(&mut self, syntax: &Syntax) -> Lowered<Value> {
        self.deeper(syntax.at, |ctx| lower_expression(ctx, syntax))
    }

    /// The place that an lvalue denotes; emits the loads needed to find it.
    pub(crate) fn place(&mut self, syntax: &Syntax) -> Lowered<Place> {
        self.deeper(syntax.at, |ctx| lower_place(ctx, syntax))
    }

    /// The truth value of a condition: zero is false.
    pub(crate) fn condition(&mut self, syntax: &Syntax) -> Lowered<Expression> {
        with_range_loads(self, false, |ctx| lower_condition(ctx, syntax))
    }

    /// The type of an expression, which is not evaluated.
    pub(crate) fn type_of(&mut self, syntax: &Syntax) -> Lowered<Type> {
        type_of_expression(self, syntax)
    }

    /// The type that a type name denotes here; evaluates array lengths.
    pub(crate) fn resolve(&mut self, name: &TypeName) -> Lowered<Type> {
        resolve_type(self, name)
    }

    /// The meaning of a name here; `None` if it is not declared.
    pub(crate) fn lookup(&mut self, name: &Name) -> Option<Slot> {
        lookup_name(self, name)
    }

    /// The value of a place; for an array, the address of its first element.
    pub(crate) fn load(&mut self, place: Place) -> Value {
        load_place(self, place)
    }

    /// Stores a value, which must have the place's type.
    pub(crate) fn store(&mut self, place: &Place, value: Value, at: TextRange) {
        store_to_place(self, place, value, at);
    }

    /// Lowers a statement. `tail` describes what ends where the statement ends.
    pub(crate) fn statement(&mut self, statement: &Statement, tail: Tail) -> Lowered<()> {
        let at = match &statement.kind {
            StatementKind::For(head) => head.header,
            StatementKind::While { condition, .. } | StatementKind::DoWhile { condition, .. } => {
                condition.at
            }
            StatementKind::Switch { value, .. } => value.at,
            _ => statement.at,
        };
        self.deeper(statement.at, |ctx| {
            in_statement(ctx, at, |ctx| lower_statement(ctx, statement, tail))
        })
    }

    /// Lowers statements in order. If one of them may end the function depending on data, the rest is possible.
    pub(crate) fn statements(&mut self, statements: &[Statement], tail: Tail) -> Lowered<()> {
        lower_statements(self, statements, tail)
    }

    /// Lowers two arms of which one is executed; returns the values of both.
    pub(crate) fn branch<T>(
        &mut self,
        condition: Expression,
        then: impl FnOnce(&mut Lowering) -> Lowered<T>,
        otherwise: impl FnOnce(&mut Lowering) -> Lowered<T>,
    ) -> Lowered<Vec<T>> {
        lower_branch(self, condition, then, otherwise)
    }

    /// Lowers a loop: as a counted loop, else as one with an unknown trip count, else as an opaque one.
    pub(crate) fn loop_statement(&mut self, statement: &Statement) -> Lowered<()> {
        lower_loop(self, statement)
    }

    /// Lowers the statements of a function's body.
    pub(crate) fn function_body(&mut self, list: &[Statement]) -> Lowered<()> {
        lower_function_body(self, list)
    }

    /// Inlines a callee's body.
    pub(crate) fn inline_call(
        &mut self,
        function: &Arc<Function>,
        arguments: PassedArguments,
        at: TextRange,
    ) -> Lowered<Value> {
        inline_body(self, function, arguments, at)
    }
}
