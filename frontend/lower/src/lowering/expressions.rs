//! Expressions: their values, and the accesses that evaluating them makes, in C's order.

use super::access::data;
use super::integers::{choose, minus};
use super::operations::known_integer;
use super::scalars::{Update, compound, update};
use super::types::{NumberType, SIZE, Type};
use super::value::{NULL, Place, Pointer, Slot, Target, Value, WhereSet};
use super::{Lowered, Lowering, reals};
use crate::syntax::{
    At, Binary, Expression as Syntax, ExpressionKind, Name, Real, TypeName, Unary,
};
use premiss_tree::{AccessKind, BinaryOperator as Op, Combination, Expression, Operand, Role};
use std::rc::Rc;
use std::sync::Arc;

impl Lowering<'_> {
    /// Evaluates an expression.
    pub(super) fn value(&mut self, syntax: &Syntax) -> Lowered<Value> {
        self.deeper(syntax.at, |l| l.value_here(syntax))
    }

    fn value_here(&mut self, syntax: &Syntax) -> Lowered<Value> {
        let at = syntax.at;
        match &syntax.kind {
            ExpressionKind::Integer(value, kind) => Ok(Value::Integer((*value).into(), *kind)),
            ExpressionKind::Floating(Real(value), size) => {
                let constant = value.is_finite().then_some(*value);
                let kind = NumberType::real(*size);
                Ok(self.convert(Value::Floating(constant, kind), &Type::Floating(kind)))
            }
            ExpressionKind::Text(size) => Ok(self.text_literal(*size, at)),
            ExpressionKind::Name(_)
            | ExpressionKind::Index(..)
            | ExpressionKind::Dereference(_)
            | ExpressionKind::Member { .. }
            | ExpressionKind::CompoundLiteral(..) => {
                let place = self.place(syntax)?;
                self.note_used(syntax, &place);
                if let Place::Slot(Slot::Array(row, kind @ Type::Struct(..))) = &place {
                    let array = Target::Array(*row);
                    self.access(AccessKind::Load, &array, &0.into(), kind, at);
                }
                Ok(self.load(place))
            }
            ExpressionKind::Stepped(name, by) => {
                let value = self.value(&Syntax::new(at, ExpressionKind::Name(name.clone())))?;
                let by = Value::Integer((*by).into(), super::types::INT);
                Ok(self.binary(Binary::Add, value, by))
            }
            ExpressionKind::Unary(operator, operand) => self.unary(*operator, operand),
            ExpressionKind::Increment {
                by,
                is_prefix,
                operand,
            } => self.increment(operand, *by, *is_prefix, at),
            ExpressionKind::AddressOf(operand) => {
                let place = self.place(operand)?;
                Ok(self.address(place))
            }
            ExpressionKind::Binary(operator, left, right) => {
                let a = self.value(left)?;
                let b = match &a {
                    Value::Pointer(_) => self.with_role(Role::Index, |l| l.value(right))?,
                    _ => self.value(right)?,
                };
                self.note_binary(*operator, (&a, Some(left)), (&b, Some(right)));
                let compares = matches!(operator, Binary::Equal | Binary::NotEqual);
                let same = (compares && self.is_same_number(left, right)).then(|| a.clone());
                let value = self.binary(*operator, a, b);
                Ok(match (same, &value) {
                    (Some(number), Value::Integer(Expression::Data, kind)) => {
                        let truth = self.nan_test(*operator, &number);
                        Value::Integer(truth.unwrap_or(Expression::Data), *kind)
                    }
                    _ => value,
                })
            }
            ExpressionKind::And(..) | ExpressionKind::Or(..) => {
                let truth = self.condition(syntax)?;
                let truth = match self.is_truth(&truth) || truth == Expression::Data {
                    true => truth,
                    false => Expression::binary(Op::NotEqual, truth, 0.into()),
                };
                Ok(Value::Integer(truth, super::types::INT))
            }
            ExpressionKind::Conditional(operands) => self.conditional(operands),
            ExpressionKind::Assign(operator, left, right) => {
                self.assignment(*operator, left, right, at)
            }
            ExpressionKind::Call(callee, arguments) => self.call(callee, arguments, at),
            ExpressionKind::Cast(kind, operand) => {
                let kind = self.resolve(kind)?;
                let value = self.value(operand)?;
                Ok(self.convert(value, &kind))
            }
            ExpressionKind::SizeofType(kind) => {
                let kind = self.resolve(kind)?;
                Ok(size_value(&kind))
            }
            ExpressionKind::SizeofExpression(operand) => {
                // Everywhere else it is a pointer to its first character.
                if let ExpressionKind::Text(size) = operand.kind {
                    return Ok(Value::Integer(i64::from(size).into(), SIZE));
                }
                let kind = self.type_of(operand)?;
                Ok(size_value(&kind))
            }
            ExpressionKind::AlignofType(kind) => {
                let alignment = self.alignment_of(kind)?;
                let alignment = alignment.map_or(Expression::Data, Expression::Integer);
                Ok(Value::Integer(alignment, SIZE))
            }
            // Objects may be aligned more than their types.
            ExpressionKind::AlignofExpression(_) => Ok(Value::Integer(Expression::Data, SIZE)),
            ExpressionKind::OffsetOf(kind, steps) => {
                let kind = self.resolve(kind)?;
                let offset = self.offset_of(kind, steps)?;
                Ok(Value::Integer(offset, SIZE))
            }
            ExpressionKind::Comma(left, right) => {
                self.value(left)?;
                self.value(right)
            }
            ExpressionKind::StatementExpression(body) => self.statement_expression(body),
            ExpressionKind::Generic(control, list) => match self.selected(control, list)? {
                Some(selected) => self.value(selected),
                None => Ok(Value::Data(self.unselected(at))),
            },
            ExpressionKind::Computed(kind, function, operands) => {
                let kind = self.resolve(kind)?;
                self.computed(kind, function.as_ref(), operands)
            }
            ExpressionKind::Unsupported(construct) => {
                self.reject_unsupported(construct, at);
                Ok(Value::Data(Type::Unknown(Name::from(*construct))))
            }
            ExpressionKind::Rejected(reason) => {
                self.reject(reason.clone(), at);
                Ok(Value::Data(Type::Unknown(Name::from("?"))))
            }
        }
    }

    /// A value that only running the program would tell, computed by a function.
    fn computed(
        &mut self,
        kind: Type,
        function: Option<&Name>,
        operands: &[Syntax],
    ) -> Lowered<Value> {
        let mut values = Vec::new();
        for operand in operands {
            values.push(self.value(operand)?);
        }
        if let (Some("isnan"), [number], Some(kind)) =
            (function.map(|x| &**x), &values[..], kind.integer())
        {
            let truth = self.nan_test(Binary::NotEqual, number);
            return Ok(Value::Integer(truth.unwrap_or(Expression::Data), kind));
        }
        let result = match &kind {
            Type::Floating(number) => reals::of_function(function, &values, *number),
            _ => data(kind),
        };
        let last = values.last();
        if let (Some(function), Some(with)) = (function, super::operations::operands(&result)) {
            match &**function {
                "pow" => self.note_power(with, last.and_then(known_integer)),
                function => self.note_call(function, with),
            }
        }
        Ok(result)
    }

    /// A string literal: an array that makes no access of its own unless it is subscripted.
    fn text_literal(&mut self, size: u32, at: At) -> Value {
        let character = Rc::new(Type::Integer(premiss_tree::IntegerType {
            bits: 8,
            signed: true,
        }));
        let kind = Type::Array(character.clone(), Some(i64::from(size).into()));
        let row = self.static_array(&Name::from("literal"), at, &kind, at);
        Value::Pointer(self.pointer_to(row, 0.into(), &character))
    }

    fn unary(&mut self, operator: Unary, operand: &Syntax) -> Lowered<Value> {
        if operator == Unary::Not {
            let truth = self.condition(operand)?;
            return Ok(Value::Integer(
                super::integers::negation(truth),
                super::types::INT,
            ));
        }
        let value = self.value(operand)?;
        self.note_unary(operator, &value, operand);
        Ok(match value {
            Value::Integer(x, kind) => self.unary_integer(operator, x, kind),
            Value::Floating(Some(x), size) if operator == Unary::Negate => {
                Value::Floating(Some(-x), size)
            }
            Value::Floating(Some(x), size) if operator == Unary::Plus => {
                Value::Floating(Some(x), size)
            }
            Value::Particular(size) => Value::Particular(size),
            other => data(other.kind()),
        })
    }

    pub(super) fn binary(&mut self, operator: Binary, left: Value, right: Value) -> Value {
        match (left, right) {
            (Value::Integer(a, a_kind), Value::Integer(b, b_kind)) => {
                self.binary_integer(operator, (a, a_kind), (b, b_kind))
            }
            (Value::Pointer(a), Value::Pointer(b)) => {
                let is_null = |x: &Pointer| x.target == Target::Null;
                match (is_null(&a), is_null(&b)) {
                    (true, _) if operator.is_comparison() => self.null_test(operator, &b),
                    (_, true) if operator.is_comparison() => self.null_test(operator, &a),
                    _ => pointers(operator, &a, &b),
                }
            }
            (Value::Pointer(pointer), other) | (other, Value::Pointer(pointer))
                if operator.is_comparison() =>
            {
                match other {
                    Value::Integer(Expression::Integer(0), _) => self.null_test(operator, &pointer),
                    _ => Value::Integer(Expression::Data, super::types::INT),
                }
            }
            (Value::Pointer(pointer), other) | (other, Value::Pointer(pointer)) => {
                let distance = self.as_offset(other);
                let distance = match operator {
                    Binary::Subtract => {
                        Expression::unary(premiss_tree::UnaryOperator::Negate, distance)
                    }
                    _ => distance,
                };
                Value::Pointer(self.moved(pointer, distance))
            }
            (left, right) => {
                let known = floating(operator, &left, &right);
                match (&known, operator.is_comparison()) {
                    (Value::Integer(Expression::Data, kind), true) => {
                        let truth = self.named_truth(operator, &left, &right);
                        let truth = truth.or_else(|| self.dense_truth(operator, &left, &right));
                        Value::Integer(truth.unwrap_or(Expression::Data), *kind)
                    }
                    _ => known,
                }
            }
        }
    }

    /// A pointer compared with a null pointer.
    fn null_test(&self, operator: Binary, pointer: &Pointer) -> Value {
        let is_set = self.is_set(pointer);
        let value = match operator {
            Binary::Equal => super::integers::negation(is_set),
            Binary::NotEqual => is_set,
            _ => Expression::Data,
        };
        Value::Integer(value, super::types::INT)
    }

    /// Whether a pointer is not null, as a truth value. An allocation counts as never failing; a
    /// pointer that came from memory may be null.
    pub(super) fn is_set(&self, pointer: &Pointer) -> Expression {
        match &pointer.target {
            Target::Null => 0.into(),
            Target::Ambiguous => Expression::Data,
            target
                if target
                    .arrays()
                    .iter()
                    .any(|x| self.arrays[x.0].may_be_missing) =>
            {
                Expression::Data
            }
            _ => match self.nullable(&pointer.offset) {
                Some((id, _)) => {
                    Expression::binary(Op::NotEqual, Expression::Variable(id), NULL.into())
                }
                None => 1.into(),
            },
        }
    }

    /// A 0 that stands beside a pointer, as a null pointer.
    fn as_null(&mut self, value: Value, beside: &Type) -> Value {
        match (&value, beside) {
            (Value::Integer(Expression::Integer(0), _), Type::Pointer(_)) => {
                self.convert(value, beside)
            }
            _ => value,
        }
    }

    fn where_set(&self, offset: &Expression) -> WhereSet {
        match self.is_constant(offset) {
            true => WhereSet::Known(offset.clone()),
            false => WhereSet::Varies,
        }
    }

    /// The offset that a pointer has where it is not null.
    pub(super) fn offset_where_set(&self, offset: Expression) -> Expression {
        match self.nullable(&offset) {
            Some((_, WhereSet::Known(known))) => known.clone(),
            _ => offset,
        }
    }

    /// The offset of a pointer that may be null, as a variable.
    pub(super) fn nullable_offset(
        &mut self,
        offset: Expression,
        where_set: WhereSet,
    ) -> Expression {
        let id = self.new_variable("pointer@", super::types::LONG, false);
        self.assign(id, offset);
        self.state.nullable.insert(id, where_set);
        Expression::Variable(id)
    }

    /// The variable that an offset is, where it is that of a pointer that may be null, and what it is
    /// where the pointer is not.
    pub(super) fn nullable(
        &self,
        offset: &Expression,
    ) -> Option<(premiss_tree::VariableId, &WhereSet)> {
        match offset {
            Expression::Variable(id) => Some((*id, self.state.nullable.get(id)?)),
            _ => None,
        }
    }

    fn conditional(&mut self, operands: &[Syntax; 3]) -> Lowered<Value> {
        let [condition, then, otherwise] = operands;
        let condition = self.condition(condition)?;
        match condition.as_integer() {
            Some(0) => return self.value(otherwise),
            Some(_) => return self.value(then),
            None => {}
        }
        let mut values =
            self.branch_values(condition.clone(), |l| l.value(then), |l| l.value(otherwise))?;
        let (Some(b), Some(a)) = (values.pop(), values.pop()) else {
            return Ok(Value::Void);
        };
        Ok(self.chosen(condition, a, b))
    }

    /// `condition ? a : b` of two values.
    pub(super) fn chosen(&mut self, condition: Expression, a: Value, b: Value) -> Value {
        let (a_kind, b_kind) = (a.kind(), b.kind());
        match (self.as_null(a, &b_kind), self.as_null(b, &a_kind)) {
            (Value::Integer(a, a_kind), Value::Integer(b, b_kind)) => {
                let kind = super::types::common(a_kind, b_kind);
                let a = self.convert_integer(a, a_kind, kind);
                let b = self.convert_integer(b, b_kind, kind);
                Value::Integer(choose(condition, a, b), kind)
            }
            (Value::Pointer(a), Value::Pointer(b)) => {
                let target = self.chosen_target(&condition, &a.target, &b.target);
                let offset = |x: Pointer| match x.target {
                    Target::Null => NULL.into(),
                    _ => x.offset,
                };
                let has_null = a.target == Target::Null || b.target == Target::Null;
                let pointee = match *a.pointee == Type::Void {
                    true => b.pointee.clone(),
                    false => a.pointee.clone(),
                };
                let where_set = match (&a.target, &b.target) {
                    (Target::Null, _) => self.where_set(&b.offset),
                    _ => self.where_set(&a.offset),
                };
                let mut offset = choose(condition, offset(a), offset(b));
                if has_null && target != Target::Null {
                    offset = self.nullable_offset(offset, where_set);
                }
                Value::Pointer(Pointer {
                    target,
                    offset,
                    pointee,
                })
            }
            (Value::Pointer(pointer), _) | (_, Value::Pointer(pointer)) => Value::Pointer(pointer),
            (a, b) if a == b && matches!(a, Value::Floating(..)) => a,
            (a, b) => match floating(Binary::Maximum, &a, &b).kind() {
                Type::Floating(size) => reals::computed(Binary::Maximum, [&a, &b], size),
                other => data(other),
            },
        }
    }

    fn increment(&mut self, operand: &Syntax, by: i64, is_prefix: bool, at: At) -> Lowered<Value> {
        let place = self.place(operand)?;
        let before = self.load(place.clone());
        self.note_used(operand, &place);
        let one = Value::Integer(1.into(), super::types::INT);
        let operator = if by < 0 {
            Binary::Subtract
        } else {
            Binary::Add
        };
        self.note_binary(operator, (&before, None), (&one, None));
        let after = self.binary(operator, before.clone(), one.clone());
        let after = self.convert(after, &before.kind());
        self.store(&place, after, at);
        let by_one = Update {
            combines: Some(Combination::Sum),
            with: Operand::Literals,
        };
        self.note_changed(operand, &place, by_one);
        if is_prefix {
            return Ok(self.value_just_stored(&place, &before.kind()));
        }
        // The variable has its new value by now; the old one is told from it.
        let is_variable = matches!(place, Place::Slot(Slot::Integer(..) | Slot::Pointer(..)));
        if !is_variable {
            return Ok(before);
        }
        let undo = if by < 0 {
            Binary::Add
        } else {
            Binary::Subtract
        };
        let now = self.load(place);
        let old = self.binary(undo, now, one);
        Ok(self.convert(old, &before.kind()))
    }

    /// The value of an assignment: what the place holds now, without another access.
    pub(super) fn value_just_stored(&mut self, place: &Place, kind: &Type) -> Value {
        match place {
            Place::Slot(slot @ (Slot::Integer(..) | Slot::Pointer(..) | Slot::Real(..))) => {
                self.load(Place::Slot(slot.clone()))
            }
            _ => data(kind.clone()),
        }
    }

    fn assignment(
        &mut self,
        operator: Option<Binary>,
        left: &Syntax,
        right: &Syntax,
        at: At,
    ) -> Lowered<Value> {
        let Some(operator) = operator else {
            let value = self.value(right)?;
            let place = self.place(left)?;
            let kind = place_type(&place);
            let value = self.convert(value, &kind);
            let at = if matches!(place, Place::Element { .. }) {
                left.at
            } else {
                at
            };
            self.store(&place, value.clone(), at);
            self.note_changed(left, &place, update(left, right));
            return Ok(match place {
                Place::Slot(Slot::Integer(..) | Slot::Pointer(..) | Slot::Real(..)) => {
                    self.value_just_stored(&place, &kind)
                }
                _ => value,
            });
        };
        let place = self.place(left)?;
        let kind = place_type(&place);
        let before = self.load(place.clone());
        self.note_used(left, &place);
        let operand = match &before {
            Value::Pointer(_) => self.with_role(Role::Index, |l| l.value(right))?,
            _ => self.value(right)?,
        };
        self.note_binary(operator, (&before, None), (&operand, Some(right)));
        let after = self.binary(operator, before, operand);
        let after = self.convert(after, &kind);
        self.store(&place, after, left.at);
        self.note_changed(left, &place, compound(operator, right));
        Ok(self.value_just_stored(&place, &kind))
    }

    /// The type of an expression; nothing is evaluated.
    pub(super) fn type_of(&mut self, syntax: &Syntax) -> Lowered<Type> {
        let checkpoint = self.checkpoint();
        let result = self.in_block(|l| match l.place(syntax)? {
            Place::Slot(Slot::Fixed(value)) => Ok(value.kind()),
            place => Ok(place_type(&place)),
        });
        self.roll_back(&checkpoint);
        Ok(result?.1)
    }

    /// What `_Generic` selects: the first expression whose type is that of the first operand.
    pub(super) fn selected<'s>(
        &mut self,
        control: &Syntax,
        list: &'s [(Option<Arc<TypeName>>, Syntax)],
    ) -> Lowered<Option<&'s Syntax>> {
        let control = super::calls::decayed(self.type_of(control)?);
        for (kind, selected) in list {
            if let Some(kind) = kind
                && self.resolve(kind)? == control
            {
                return Ok(Some(selected));
            }
        }
        let default = list.iter().find(|(kind, _)| kind.is_none());
        Ok(default.map(|(_, selected)| selected))
    }

    /// The type of a `_Generic` that selects nothing.
    pub(super) fn unselected(&mut self, at: At) -> Type {
        self.reject_unsupported("a `_Generic` that no type selects from", at);
        Type::Unknown(Name::from("_Generic"))
    }
}

fn size_value(kind: &Type) -> Value {
    Value::Integer(kind.size().unwrap_or(Expression::Data), SIZE)
}

/// The type of what a place holds.
pub(super) fn place_type(place: &Place) -> Type {
    match place {
        Place::Slot(slot) => super::access::slot_type(slot),
        Place::Element { kind, .. } | Place::Nowhere(kind) => kind.clone(),
    }
}

/// Comparison and difference of two pointers.
fn pointers(operator: Binary, a: &Pointer, b: &Pointer) -> Value {
    let same = a.target == b.target && !matches!(a.target, Target::Ambiguous | Target::Null);
    let size = a.pointee.size();
    let compared =
        |op, x: &Pointer, y: &Pointer| Expression::binary(op, x.offset.clone(), y.offset.clone());
    let value = match operator {
        Binary::Subtract if same => {
            let distance = minus(a.offset.clone(), b.offset.clone());
            let elements = match size {
                Some(Expression::Integer(1)) => distance,
                Some(size) => Expression::binary(Op::Quotient, distance, size),
                None => Expression::Data,
            };
            return Value::Integer(elements, super::types::LONG);
        }
        Binary::Subtract => return Value::Integer(Expression::Data, super::types::LONG),
        _ if !same => Expression::Data,
        Binary::Less => compared(Op::Less, a, b),
        Binary::LessEqual => compared(Op::LessEqual, a, b),
        Binary::Greater => compared(Op::Less, b, a),
        Binary::GreaterEqual => compared(Op::LessEqual, b, a),
        Binary::Equal => compared(Op::Equal, a, b),
        _ => compared(Op::NotEqual, a, b),
    };
    Value::Integer(value, super::types::INT)
}

/// Whether it points to something and is not null. An allocation counts as never failing.
pub(super) fn is_object(pointer: &Pointer) -> bool {
    matches!(
        pointer.target,
        Target::Array(_)
            | Target::Fresh(_)
            | Target::Scalar(_)
            | Target::Register(_)
            | Target::OneOf(_)
    )
}

/// A number that is known. A complex one is where it has no imaginary part.
fn constant(value: &Value) -> Option<f64> {
    match value {
        Value::Floating(Some(x), kind) if kind.is_within_doubles() => Some(*x),
        // Exact up to 2^53, beyond which sizes do not go.
        Value::Integer(Expression::Integer(x), _) => i32::try_from(*x).ok().map(f64::from),
        _ => None,
    }
}

/// The truth of a comparison where an operand is no integer: known for constants.
fn compared(operator: Binary, left: &Value, right: &Value) -> Expression {
    let (Some(a), Some(b)) = (constant(left), constant(right)) else {
        return Expression::Data;
    };
    let truth = match operator {
        Binary::Less => a < b,
        Binary::LessEqual => a <= b,
        Binary::Greater => a > b,
        Binary::GreaterEqual => a >= b,
        Binary::Equal => a == b,
        _ => a != b,
    };
    i64::from(truth).into()
}

/// Arithmetic where an operand is no integer.
fn floating(operator: Binary, left: &Value, right: &Value) -> Value {
    if operator.is_comparison() {
        return Value::Integer(compared(operator, left, right), super::types::INT);
    }
    let kind_of = |value: &Value| match value {
        Value::Floating(_, kind) | Value::Particular(kind) | Value::Named(_, kind) => Some(*kind),
        _ => None,
    };
    let kind = match (kind_of(left), kind_of(right)) {
        (Some(a), Some(b)) => a.common(b),
        (Some(kind), None) | (None, Some(kind)) => kind,
        (None, None) => return Value::Data(left.kind()),
    };
    let folded = match (constant(left), constant(right)) {
        (Some(a), Some(b)) if kind.is_within_doubles() => match operator {
            Binary::Add => Some(a + b),
            Binary::Subtract => Some(a - b),
            Binary::Multiply => Some(a * b),
            Binary::Divide if !kind.is_complex() => Some(a / b),
            Binary::Minimum => Some(a.min(b)),
            Binary::Maximum => Some(a.max(b)),
            _ => None,
        },
        _ => None,
    };
    match folded.filter(|x| kind.holds(*x)) {
        Some(x) => Value::Floating(Some(x), kind),
        None => reals::computed(operator, [left, right], kind),
    }
}
