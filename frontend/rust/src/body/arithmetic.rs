//! Operators and assignments.

use super::{Body, build};
use crate::resolve::{is_assignment, operator};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{
    At, Binary, Expression, ExpressionKind as Kind, Statement, StatementKind,
};
use syn::{BinOp, Expr};

impl<'a> Body<'a, '_> {
    pub(super) fn binary(&mut self, operation: &'a syn::ExprBinary, at: At) -> Value<'a> {
        if is_assignment(&operation.op) {
            return self.compound_assignment(operation, at);
        }
        match operation.op {
            BinOp::And(_) | BinOp::Or(_) => {
                let truth = self.logical(operation, at);
                Value::Plain(truth, Ty::Bool)
            }
            _ => self.arithmetic(operation, at),
        }
    }

    fn arithmetic(&mut self, operation: &'a syn::ExprBinary, at: At) -> Value<'a> {
        let is_shift = matches!(operation.op, BinOp::Shl(_) | BinOp::Shr(_));
        let left = self.expression(&operation.left, None);
        let left_kind = self.solved(&left.kind());
        let seen = self.solved(left_kind.peeled());
        let expected = (!is_shift && !seen.is_weak()).then_some(seen);
        let (left, right) = self.in_order(left, |body| {
            body.expression(&operation.right, expected.as_ref())
        });
        let is_reference = |kind: &Ty| matches!(kind, Ty::Pointer(_));
        // The operator itself follows references, once it has both operands.
        let is_late = is_reference(&left_kind) && !is_reference(&self.solved(&right.kind()));
        let right = self.peeled(right, self.at(&operation.right));
        let right = match &right {
            Value::Plain(value, _) if is_late && !build::is_pure(value) => {
                self.held(right, "right")
            }
            _ => right,
        };
        let left = self.peeled(left, self.at(&operation.left));
        let Some(operator) = operator(&operation.op) else {
            return self.unsupported("an operator of this kind", at);
        };
        self.operation(operator, left, right, at)
    }

    /// An operation on two values.
    pub(super) fn operation(
        &mut self,
        operator: Binary,
        left: Value<'a>,
        right: Value<'a>,
        at: At,
    ) -> Value<'a> {
        let (left_kind, right_kind) = (self.solved(&left.kind()), self.solved(&right.kind()));
        let (Value::Plain(a, _), Value::Plain(b, _)) = (left.clone(), right.clone()) else {
            return self.operation_on_whole(operator, left, right, at);
        };
        let is_pointer = |kind: &Ty| matches!(kind, Ty::Pointer(_) | Ty::Box(_));
        let is_number = |kind: &Ty| kind.is_scalar() || kind.is_unknown() || is_pointer(kind);
        if !is_number(&left_kind) || !is_number(&right_kind) {
            return self.operation_on_whole(operator, left, right, at);
        }
        let is_shift = matches!(operator, Binary::ShiftLeft | Binary::ShiftRight);
        if !is_shift {
            self.tell(&left.kind(), &right.kind());
        }
        let is_hole = |kind: &Ty| matches!(kind, Ty::Hole(_));
        let kind = match (left.kind(), right.kind()) {
            (hole, _) if is_hole(&hole) => hole,
            (_, hole) if is_hole(&hole) && !is_shift => hole,
            _ if left_kind.is_weak() && !is_shift => right_kind.clone(),
            _ => left_kind.clone(),
        };
        let (a, b) = (self.loaded(a, &left_kind), self.loaded(b, &right_kind));
        let result = build::binary(at, operator, a, b);
        if operator.is_comparison() {
            return Value::Plain(result, Ty::Bool);
        }
        let result = match (operator, &self.solved(&kind)) {
            (Binary::ShiftLeft, Ty::Int(kind)) if 0 < kind.bits && kind.bits < 64 => {
                let narrow = premiss_ast::syntax::TypeName::Integer(*kind);
                build::cast(at, build::wide(), build::cast(at, narrow, result))
            }
            _ => result,
        };
        Value::Plain(result, kind)
    }

    /// An operation on something that is no number: its parts are read, and what comes of it is data.
    fn operation_on_whole(
        &mut self,
        operator: Binary,
        left: Value<'a>,
        right: Value<'a>,
        at: At,
    ) -> Value<'a> {
        let kind = self.solved(&left.kind());
        let kind = match kind.is_scalar() {
            true => self.solved(&right.kind()),
            false => kind,
        };
        let method = method_of(operator);
        if let (Ty::Record(record, _), Some(method)) = (&kind, method) {
            let name = self.ctx.index.record_name(*record);
            if let Some(function) = self.ctx.index.method(&name, method) {
                return self.call_function(function, vec![left, right], at);
            }
        }
        for value in [left, right] {
            self.read_whole(&value, at);
        }
        match operator.is_comparison() {
            true => Value::Plain(self.data(at), Ty::Bool),
            false => Value::Unknown(kind),
        }
    }

    /// Reads a value with all of its parts.
    pub(super) fn read_whole(&mut self, value: &Value<'a>, at: At) {
        if let Value::Slice(_) | Value::Grid(_) = value {
            self.unsupported("an operation on a whole array", at);
            return;
        }
        let mut parts = Vec::new();
        value.parts(&mut parts);
        for part in parts {
            if !build::is_pure(&part) {
                self.emit(build::evaluated(part));
            }
        }
    }

    fn logical(&mut self, operation: &'a syn::ExprBinary, at: At) -> Expression {
        let left = self.condition(&operation.left);
        let lets = self.lets.clone();
        let (statements, right) = self.aside_keeping(|body| {
            for (pattern, value) in lets {
                body.bind(pattern, value);
            }
            body.condition(&operation.right)
        });
        let right = self.after(statements, right);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match operation.op {
            BinOp::And(_) => Kind::And(left, right),
            _ => Kind::Or(left, right),
        };
        Expression::new(at, kind)
    }

    /// Makes statements aside; names that are bound stay bound.
    pub(super) fn aside_keeping<T>(
        &mut self,
        make: impl FnOnce(&mut Self) -> T,
    ) -> (Vec<Statement>, T) {
        let around = std::mem::take(&mut self.block);
        let made = make(self);
        (std::mem::replace(&mut self.block, around), made)
    }

    /// A value behind the statements that it takes.
    pub(super) fn after(&self, statements: Vec<Statement>, value: Expression) -> Expression {
        if statements.is_empty() {
            return value;
        }
        let at = value.at;
        let mut list = statements;
        list.push(build::evaluated(value));
        let block = Box::new(build::block(at, list));
        Expression::new(at, Kind::StatementExpression(block))
    }

    /// A condition as a truth value.
    pub(super) fn condition(&mut self, value: &'a Expr) -> Expression {
        match value {
            Expr::Paren(inner) => self.condition(&inner.expr),
            Expr::Let(condition) => self.let_condition(condition),
            value => {
                let at = self.at(value);
                let found = self.expression(value, Some(&Ty::Bool));
                match self.peeled(found, at) {
                    Value::Plain(truth, _) => truth,
                    other => {
                        self.evaluate(other);
                        self.data(at)
                    }
                }
            }
        }
    }

    pub(super) fn assignment(&mut self, assignment: &'a syn::ExprAssign, at: At) -> Value<'a> {
        if let Expr::Tuple(places) = &*assignment.left {
            return self.destructuring(places, &assignment.right, at);
        }
        if let Expr::Infer(_) = &*assignment.left {
            let value = self.expression(&assignment.right, None);
            return self.evaluate(value);
        }
        let expected = self.expected_of(&assignment.left);
        let value = self.expression(&assignment.right, expected.as_ref());
        if matches!(value, Value::Never) {
            return value;
        }
        let (value, place) = self.in_order(value, |body| body.expression(&assignment.left, None));
        self.assign_to(place, value, at);
        Value::Unit
    }

    /// The type of a variable, for what is assigned to it.
    fn expected_of(&mut self, place: &'a Expr) -> Option<Ty> {
        let Expr::Path(path) = place else { return None };
        let name = path.path.get_ident()?.to_string();
        let value = self.sees.get(&name)?.clone();
        let kind = self.solved(&value.kind());
        (!kind.is_weak()).then_some(kind)
    }

    /// Stores a value to what another one stands for.
    pub(super) fn assign_to(&mut self, place: Value<'a>, value: Value<'a>, at: At) {
        match place {
            Value::Plain(place, kind) => {
                let place_at = place.at;
                let whole = self.solved(&kind);
                if let (Value::Plain(..), true) = (&value, whole.is_weak()) {
                    self.tell(&kind, &value.kind());
                }
                let at = if build::is_place(&place) {
                    at
                } else {
                    place_at
                };
                self.store(place, &kind, value, at);
            }
            Value::Unknown(_) | Value::Unit => {
                self.evaluate(value);
            }
            place => {
                let value = self.coerced(value, &place.kind());
                self.tell(&place.kind(), &value.kind());
                let value = self.apart_from(value);
                self.assign_parts(&place, &value, at);
            }
        }
    }

    /// A value that does not change while its parts are stored one after another.
    fn apart_from(&mut self, value: Value<'a>) -> Value<'a> {
        let mut parts = Vec::new();
        value.parts(&mut parts);
        match parts.len() {
            0 | 1 => value,
            _ => self.held(value, "held"),
        }
    }

    pub(super) fn assign_parts(&mut self, place: &Value<'a>, value: &Value<'a>, at: At) {
        let (mut places, mut values) = (Vec::new(), Vec::new());
        place.parts(&mut places);
        value.parts(&mut values);
        for (idx, place) in places.into_iter().enumerate() {
            let value = match values.get(idx) {
                Some(value) => value.clone(),
                None => self.data(at),
            };
            self.emit(build::evaluated(build::assign(at, place, value)));
        }
    }

    fn destructuring(&mut self, places: &'a syn::ExprTuple, value: &'a Expr, at: At) -> Value<'a> {
        let value = self.expression(value, None);
        let value = self.held(value, "held");
        for (idx, place) in places.elems.iter().enumerate() {
            let part = self.field_of(value.clone(), &idx.to_string(), at);
            if let Expr::Infer(_) = place {
                continue;
            }
            let place = self.expression(place, None);
            self.assign_to(place, part, at);
        }
        Value::Unit
    }

    /// `place op= value`: the loads of the value, that of the place, and the store.
    fn compound_assignment(&mut self, operation: &'a syn::ExprBinary, at: At) -> Value<'a> {
        let Some(operator) = operator(&operation.op) else {
            return self.unsupported("an operator of this kind", at);
        };
        let expected = self.expected_of(&operation.left);
        let right = self.expression(&operation.right, expected.as_ref());
        let right_at = self.at(&operation.right);
        let right = self.peeled(right, right_at);
        let is_variable = |place: &Expr| matches!(place, Expr::Path(_));
        let right = match &right {
            Value::Plain(value, _) if !build::is_pure(value) && !is_variable(&operation.left) => {
                self.kept_in_order(right)
            }
            _ => right,
        };
        let left_at = self.at(&operation.left);
        let (right, left) = self.in_order(right, |body| {
            let place = body.expression(&operation.left, None);
            body.peeled(place, left_at)
        });
        match (left, right) {
            (Value::Plain(place, kind), Value::Plain(value, found)) => {
                self.tell(&kind, &found);
                let (kind, found) = (self.solved(&kind), self.solved(&found));
                if let Ty::Record(..) = kind {
                    let left = Value::Plain(place, kind);
                    return self.compound_on_whole(operator, left, Value::Plain(value, found), at);
                }
                let value = self.loaded(value, &found);
                let place = Expression {
                    at: left_at,
                    ..place
                };
                let kind = Kind::Assign(Some(operator), Box::new(place), Box::new(value));
                self.emit(build::evaluated(Expression::new(at, kind)));
            }
            (left, right) => return self.compound_on_whole(operator, left, right, at),
        }
        Value::Unit
    }

    fn compound_on_whole(
        &mut self,
        operator: Binary,
        left: Value<'a>,
        right: Value<'a>,
        at: At,
    ) -> Value<'a> {
        let kind = self.solved(&left.kind());
        if let (Ty::Record(record, _), Some(method)) = (&kind, method_of(operator)) {
            let name = self.ctx.index.record_name(*record);
            let method = format!("{method}_assign");
            if let Some(function) = self.ctx.index.method(&name, &method) {
                let left = self.reference_to(left, at);
                return self.call_function(function, vec![left, right], at);
            }
        }
        self.read_whole(&right, at);
        self.read_whole(&left, at);
        if let Value::Plain(place, kind) = left {
            let memory = self.memory(&kind);
            let data = build::data(at, memory);
            self.emit(build::evaluated(build::assign(at, place, data)));
        }
        Value::Unit
    }

    /// A value with loads that come before those of a place.
    fn kept_in_order(&mut self, value: Value<'a>) -> Value<'a> {
        match value {
            Value::Plain(expression, kind) => {
                let memory = self.variable_type(&kind);
                let at = expression.at;
                let kept = self.variable(at, "operand", memory, expression);
                Value::Plain(kept, kind)
            }
            other => other,
        }
    }

    /// Ends a block with what is said where it cannot be reached.
    pub(super) fn jump_statement(&mut self, kind: StatementKind, at: At) -> Value<'a> {
        self.emit(build::statement(at, kind));
        Value::Never
    }
}

/// The method of a trait of `std::ops` that an operator calls.
fn method_of(operator: Binary) -> Option<&'static str> {
    Some(match operator {
        Binary::Add => "add",
        Binary::Subtract => "sub",
        Binary::Multiply => "mul",
        Binary::Divide => "div",
        Binary::Remainder => "rem",
        _ => return None,
    })
}
