//! Conversions, and storing values.

use super::access::data;
use super::types::Type;
use super::value::{Knowledge, NULL, Place, Pointer, PointerId, Slot, Target, Value, WhereSet};
use super::{Lowered, Lowering};
use crate::syntax::{At, Initializer, Name};
use premiss_tree::{
    AccessKind, BinaryOperator as Op, Expression, IntegerType, Node, Storage, VariableId,
};
use std::rc::Rc;

/// How many operators the known value of a variable may have.
const MAX_KNOWN_SIZE: usize = 24;

impl Lowering<'_> {
    /// A value as a type holds it.
    pub(super) fn convert(&mut self, value: Value, to: &Type) -> Value {
        match (value, to) {
            (Value::Integer(x, _), Type::Integer(IntegerType { bits: 1, .. })) => {
                truth_value(x, self)
            }
            (Value::Integer(x, from), Type::Integer(to)) => {
                Value::Integer(self.convert_integer(x, from, *to), *to)
            }
            (Value::Integer(x, _), Type::Bool) => truth_value(x, self),
            (Value::Integer(x, _), Type::Floating(kind)) => {
                let constant = x.as_integer().and_then(|x| i32::try_from(x).ok());
                match constant.map(f64::from).filter(|x| kind.holds(*x)) {
                    None => Value::Particular(*kind),
                    constant => Value::Floating(constant, *kind),
                }
            }
            (Value::Integer(Expression::Integer(0), _), Type::Pointer(pointee)) => {
                Value::Pointer(Pointer {
                    target: Target::Null,
                    offset: 0.into(),
                    pointee: pointee.clone(),
                })
            }
            (Value::Floating(Some(x), _), Type::Integer(to)) => Value::Integer(truncated(x), *to),
            (Value::Floating(Some(x), _), Type::Floating(size)) if !size.holds(x) => {
                Value::Particular(*size)
            }
            (Value::Floating(constant, _), Type::Floating(size)) => {
                Value::Floating(constant, *size)
            }
            (Value::Particular(_), Type::Floating(size)) => Value::Particular(*size),
            (Value::Named(id, from), Type::Floating(to)) if from == *to => Value::Named(id, from),
            (Value::Pointer(pointer), Type::Pointer(pointee)) => Value::Pointer(Pointer {
                pointee: pointee.clone(),
                ..pointer
            }),
            (Value::Pointer(pointer), Type::Bool) if super::expressions::is_object(&pointer) => {
                data(Type::Bool)
            }
            (value @ Value::Function(_), Type::Pointer(_))
            | (value @ Value::Record(..), Type::Struct(..)) => value,
            (_, Type::Array(element, _)) => data(Type::Pointer(element.clone())),
            (_, to) => data(to.clone()),
        }
    }

    /// Stores a value of the place's type.
    pub(super) fn store(&mut self, place: &Place, value: Value, at: At) {
        if let Place::Element {
            target: Target::OneOf(choice),
            ..
        } = place
        {
            return self.store_either(choice, place, &value, at);
        }
        match place {
            Place::Slot(Slot::Integer(id, kind)) => {
                let value = match self.convert(value, &Type::Integer(*kind)) {
                    Value::Integer(value, _) => value,
                    _ => Expression::Data,
                };
                self.assign(*id, value);
            }
            Place::Slot(Slot::Pointer(id, _)) => self.assign_pointer(*id, value),
            Place::Slot(Slot::Real(id, kind)) => self.assign_real(*id, *kind, value),
            Place::Slot(Slot::Fixed(_)) => {
                self.reject_unsupported("an assignment to something that is not a variable", at);
            }
            Place::Slot(Slot::Record(row, kind)) => {
                self.note_struct(*row, &0.into(), kind, &value, at);
            }
            Place::Slot(Slot::Data(_)) => {}
            Place::Nowhere(_) => self.forget_shared_reals(),
            Place::Slot(Slot::Array(row, kind)) => {
                self.access(
                    AccessKind::Store,
                    &Target::Array(*row),
                    &0.into(),
                    &kind.clone(),
                    at,
                );
            }
            Place::Element {
                target,
                offset,
                kind,
                at,
            } => {
                let value = self.convert(value, kind);
                self.access(AccessKind::Store, target, offset, kind, *at);
                if let Target::Array(row) | Target::Fresh(row) | Target::Register(row) = target {
                    match kind {
                        Type::Struct(..) => self.note_struct(*row, offset, kind, &value, *at),
                        _ => self.note_value(*row, offset, &value),
                    }
                }
            }
        }
    }

    /// Gives a variable a value, and remembers what is known of it.
    pub(super) fn assign(&mut self, id: VariableId, value: Expression) {
        let is_shared = self.variable(id).is_shared;
        let mut n_operators = 0;
        let mut depends = false;
        value.walk(&mut |part| {
            n_operators += 1;
            depends |= matches!(part, Expression::Variable(_) | Expression::Data);
        });
        let knowledge = if value == Expression::Data {
            Knowledge::Unknown
        } else if depends || is_shared || n_operators > MAX_KNOWN_SIZE {
            Knowledge::Exact
        } else {
            Knowledge::Known(value.clone())
        };
        self.give(id, knowledge);
        self.state.nullable.remove(&id);
        self.emit(Node::Assign {
            variable: id,
            value,
        });
    }

    fn assign_pointer(&mut self, id: PointerId, value: Value) {
        let offset = self.pointers[id.0];
        match value {
            Value::Pointer(pointer) => {
                let name = self.variable(offset).name.trim_end_matches('@').to_owned();
                let frame = self.variable(offset).frame;
                let target = self.named_target(pointer.target, &Name::from(name), frame, None);
                let is_null = target == Target::Null;
                self.state.pointers.insert(id, target);
                let where_set = match is_null {
                    true => Some(WhereSet::Never),
                    false => self.nullable(&pointer.offset).map(|(_, x)| x.clone()),
                };
                self.assign(offset, if is_null { NULL.into() } else { pointer.offset });
                if let Some(where_set) = where_set {
                    self.state.nullable.insert(offset, where_set);
                }
            }
            _ => {
                self.state.pointers.insert(id, Target::Ambiguous);
                self.assign(offset, Expression::Data);
            }
        }
    }

    /// A new region takes the name of the variable nearest to the unit that it is given to.
    pub(super) fn named_target(
        &mut self,
        target: Target,
        name: &Name,
        frame: usize,
        at: Option<At>,
    ) -> Target {
        let (Target::Fresh(row) | Target::Array(row)) = target else {
            return target;
        };
        let data = &mut self.arrays[row.0];
        if frame < data.frame {
            data.frame = frame;
            data.name = name.clone();
            if let Some(at) = at {
                data.at = at;
                data.order.1 = at;
            }
            data.storage = if frame <= 1 {
                Storage::Local
            } else {
                Storage::Callee
            };
        }
        Target::Array(row)
    }

    /// Evaluates what an object starts with, for its accesses alone where it is a list.
    pub(super) fn initializer(&mut self, initializer: &Initializer) -> Lowered<Value> {
        match initializer {
            Initializer::Expression(syntax) => self.value(syntax),
            Initializer::List(list) => {
                let mut first = None;
                for part in list {
                    let value = self.initializer(&part.value)?;
                    first.get_or_insert(value);
                }
                // `int n = { 3 };` is `int n = 3;`.
                match (first, list.len()) {
                    (Some(value), 1) => Ok(value),
                    _ => Ok(Value::Void),
                }
            }
        }
    }

    /// A pointer to a new region of so many bytes, allocated where this is.
    pub(super) fn allocation(&mut self, size: Option<Expression>, at: At) -> Value {
        let mut key: Vec<At> = self.frames.iter().map(|frame| frame.call).collect();
        key.push(at);
        let extent = size.filter(|size| self.is_constant(size));
        let row = self.array_row(
            key,
            super::ArrayData {
                name: Name::from("allocated"),
                storage: Storage::Callee,
                order: (0, at),
                kind: Type::Void,
                extent,
                at,
                frame: usize::MAX,
                is_used: true,
                is_region: false,
                may_be_missing: false,
            },
        );
        Value::Pointer(Pointer {
            target: Target::Fresh(row),
            offset: 0.into(),
            pointee: Rc::new(Type::Void),
        })
    }

    /// Whether an expression is made of parameters and constants alone.
    pub(super) fn is_constant(&self, expression: &Expression) -> bool {
        !expression.any(|part| matches!(part, Expression::Variable(_) | Expression::Data))
    }
}

fn truth_value(x: Expression, lowering: &Lowering) -> Value {
    let kind = IntegerType {
        bits: 1,
        signed: false,
    };
    let truth = match lowering.is_truth(&x) {
        true => x,
        false => Expression::binary(Op::NotEqual, x, 0.into()),
    };
    Value::Integer(truth, kind)
}

/// A floating constant cut to an integer; data where it does not fit one.
#[allow(clippy::cast_possible_truncation)]
fn truncated(x: f64) -> Expression {
    // Below 2^62 the conversion is exact: it cuts the fraction and nothing else.
    if x.abs() < 4.6e18 {
        Expression::Integer(x as i64)
    } else {
        Expression::Data
    }
}
