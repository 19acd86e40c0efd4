//! Values of expressions, and the slots, places and pointer targets that they come from.

use crate::domain::integers::choose;
use crate::domain::types::{BitField, NumberType, Type};
use crate::syntax::{GlobalName, TextRange};
use premiss_tree::{BinaryOperator as Op, Expression, IntegerType, VariableId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The maximum nesting depth of choices.
const MAX_CHOICES: usize = 4;

/// The maximum number of arrays that a pointer may lead to before it may lead anywhere.
const MAX_CANDIDATES: usize = 6;

/// The offset of a null pointer, which no object has.
pub(crate) const NULL: i64 = i64::MIN / 4;

/// A named real number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RealId(pub(crate) usize);

/// A row of the symbol table's arrays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ArrayRow(pub(crate) usize);

/// A pointer variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PointerId(pub(crate) usize);

/// The value of an expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    /// An integer of a type. The expression's value is in the range of the type; 64-bit unsigned values are
    /// represented as in [`Expression`].
    Integer(Expression, IntegerType),
    /// A real or complex number, with its value if it is constant.
    Floating(Option<f64>, NumberType),
    /// A real or complex number that is not in general position: see [`RealKnowledge::Particular`].
    Particular(NumberType),
    /// A real or complex number that keeps its value.
    Named(RealId, NumberType),
    Pointer(Pointer),
    /// A function, by its name in the unit that mentions it.
    Function(GlobalName),
    /// The struct at an offset of an array or of a struct in registers.
    Record(ArrayRow, i64, Type),
    Void,
    /// A value that depends on data.
    Data(Type),
}

impl Value {
    pub(crate) fn kind(&self) -> Type {
        match self {
            Self::Integer(_, kind) => Type::Integer(*kind),
            Self::Floating(_, size) | Self::Particular(size) | Self::Named(_, size) => {
                Type::Floating(*size)
            }
            Self::Pointer(pointer) => Type::Pointer(pointer.pointee.clone()),
            Self::Function(_) => Type::Function,
            Self::Void => Type::Void,
            Self::Data(kind) | Self::Record(_, _, kind) => kind.clone(),
        }
    }
}

/// An address.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pointer {
    pub(crate) target: Target,
    /// The byte offset from the start of the target.
    pub(crate) offset: Expression,
    pub(crate) pointee: Rc<Type>,
}

/// The object that a pointer points into.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Target {
    Array(ArrayRow),
    /// A struct in registers, or part of one: dereferencing makes no access.
    Register(ArrayRow),
    /// A variable that is not an array: dereferencing makes no access.
    Scalar(Box<Slot>),
    Null,
    /// A new region without a name yet.
    Fresh(ArrayRow),
    /// One of two targets, selected by the arm of a branch that was taken.
    OneOf(Rc<Choice>),
    /// One of several arrays, or elsewhere; nothing tells which.
    Several(Rc<Candidates>),
    /// An unknown place of a block that nothing tells of: as far as the text goes, no other name leads there.
    Elsewhere,
    /// Any target, or an address computed from data.
    Ambiguous,
}

impl Target {
    /// The arrays that it may be.
    pub(crate) fn arrays(&self) -> Vec<ArrayRow> {
        match self {
            Self::Array(row) | Self::Fresh(row) => vec![*row],
            Self::OneOf(choice) => {
                let mut rows = choice.first.arrays();
                rows.append(&mut choice.second.arrays());
                rows
            }
            _ => Vec::new(),
        }
    }

    /// Whether the target depends on one of these variables.
    pub(crate) fn depends_on(&self, is_one: &impl Fn(VariableId) -> bool) -> bool {
        match self {
            Self::OneOf(choice) => {
                is_one(choice.selector)
                    || choice.first.depends_on(is_one)
                    || choice.second.depends_on(is_one)
            }
            _ => false,
        }
    }

    pub(crate) fn n_choices(&self) -> usize {
        match self {
            Self::OneOf(choice) => choice.depth(),
            _ => 0,
        }
    }

    /// Whether it can be an alternative of a [`Choice`].
    pub(crate) fn is_choosable(&self) -> bool {
        let is_known = matches!(
            self,
            Self::Array(_) | Self::Fresh(_) | Self::Register(_) | Self::OneOf(_)
        );
        is_known && self.n_choices() < MAX_CHOICES
    }

    /// One of two targets, selected by a variable; `None` if they are equal or not both known.
    pub(crate) fn either(&self, other: &Self, selector: VariableId) -> Option<Self> {
        let is_fine = self != other && self.is_choosable() && other.is_choosable();
        is_fine.then(|| {
            Self::OneOf(Rc::new(Choice {
                selector,
                first: self.clone(),
                second: other.clone(),
            }))
        })
    }

    /// The join of two targets; a null pointer has none.
    pub(crate) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Null, other) | (other, Self::Null) => other.clone(),
            (a, b) if a == b => a.clone(),
            (a, b) => match (a.candidates(), b.candidates()) {
                (Some(a), Some(b)) => Self::any_of(a.or(b)),
                _ => Self::Ambiguous,
            },
        }
    }

    /// The target without the selector that tells which of its arrays it is.
    pub(crate) fn without_selector(&self) -> Self {
        self.candidates().map_or(Self::Ambiguous, Self::any_of)
    }

    /// Where it may lead; `None` if nothing tells.
    fn candidates(&self) -> Option<Candidates> {
        let (rows, has_elsewhere) = match self {
            Self::Array(row) | Self::Fresh(row) => (BTreeSet::from([*row]), false),
            Self::Elsewhere => (BTreeSet::new(), true),
            Self::Several(candidates) => return Some(Candidates::clone(candidates)),
            Self::OneOf(choice) => {
                return Some(choice.first.candidates()?.or(choice.second.candidates()?));
            }
            _ => return None,
        };
        Some(Candidates {
            rows,
            has_elsewhere,
        })
    }

    /// One of these, without a selector that tells which.
    fn any_of(candidates: Candidates) -> Self {
        let Candidates {
            rows,
            has_elsewhere,
        } = &candidates;
        match (rows.len(), rows.first(), has_elsewhere) {
            (0, _, true) => Self::Elsewhere,
            (1, Some(row), false) => Self::Array(*row),
            (1..=MAX_CANDIDATES, ..) => Self::Several(Rc::new(candidates)),
            _ => Self::Ambiguous,
        }
    }
}

/// Where a pointer may lead.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Candidates {
    pub(crate) rows: BTreeSet<ArrayRow>,
    /// Whether it may also lead to a block that nothing tells of ([`Target::Elsewhere`]).
    pub(crate) has_elsewhere: bool,
}

impl Candidates {
    /// These and others.
    fn or(mut self, mut others: Self) -> Self {
        self.rows.append(&mut others.rows);
        self.has_elsewhere |= others.has_elsewhere;
        self
    }

    /// Each of them.
    pub(crate) fn targets(&self) -> Vec<Target> {
        let arrays = self.rows.iter().map(|row| Target::Array(*row));
        let elsewhere = self.has_elsewhere.then_some(Target::Elsewhere);
        arrays.chain(elsewhere).collect()
    }
}

/// The alternatives of a branch.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Choice {
    /// A variable of the tree that is 0 where the first alternative applies.
    pub(crate) selector: VariableId,
    pub(crate) first: Target,
    pub(crate) second: Target,
}

impl Choice {
    pub(crate) fn depth(&self) -> usize {
        1 + self.first.n_choices().max(self.second.n_choices())
    }
}

/// The meaning of a name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Slot {
    /// A value that does not change while the name is in scope.
    Fixed(Value),
    Integer(VariableId, IntegerType),
    Pointer(PointerId, Rc<Type>),
    /// A real or complex number; its variable does not occur in trees.
    Real(VariableId, NumberType),
    /// A struct in registers.
    Record(ArrayRow, Type),
    /// A variable whose value is data.
    Data(Type),
    /// An array, or a struct that contains one.
    Array(ArrayRow, Type),
}

/// Something that can be loaded, stored and pointed to: an lvalue.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Place {
    Slot(Slot),
    Element {
        target: Target,
        offset: Expression,
        kind: Type,
        at: TextRange,
    },
    /// A place whose accesses were rejected already, or that makes none.
    Nowhere(Type),
}

impl Place {
    /// The same place in another target.
    pub(crate) fn at_target(&self, target: Target) -> Self {
        match self.clone() {
            Self::Element {
                offset, kind, at, ..
            } => Self::Element {
                target,
                offset,
                kind,
                at,
            },
            other => other,
        }
    }
}

/// An integer as an offset; data if it is unknown.
pub(crate) fn as_offset(value: Value) -> Expression {
    match value {
        Value::Integer(expression, _) => expression,
        _ => Expression::Data,
    }
}

/// An unknown value of a type.
pub(crate) fn unknown_value(kind: Type) -> Value {
    match kind {
        Type::Integer(kind) | Type::BitField(BitField { kind, .. }) => {
            Value::Integer(Expression::Data, kind)
        }
        Type::Floating(size) => Value::Floating(None, size),
        Type::Bool => Value::Integer(
            Expression::Data,
            IntegerType {
                bits: 1,
                signed: false,
            },
        ),
        Type::Void => Value::Void,
        Type::Pointer(pointee) => Value::Pointer(Pointer {
            target: Target::Elsewhere,
            offset: Expression::Data,
            pointee,
        }),
        other => Value::Data(other),
    }
}

/// A value of which nothing is known: a pointer may lead to any array.
pub(crate) fn any_value(kind: Type) -> Value {
    match unknown_value(kind) {
        Value::Pointer(pointer) => Value::Pointer(Pointer {
            target: Target::Ambiguous,
            ..pointer
        }),
        other => other,
    }
}

pub(crate) fn slot_type(slot: &Slot) -> Type {
    match slot {
        Slot::Fixed(value) => value.kind(),
        Slot::Integer(_, kind) => Type::Integer(*kind),
        Slot::Pointer(_, pointee) => Type::Pointer(pointee.clone()),
        Slot::Real(_, kind) => Type::Floating(*kind),
        Slot::Data(kind) | Slot::Array(_, kind) | Slot::Record(_, kind) => kind.clone(),
    }
}

/// Whether an expression is made of parameters and constants alone.
pub(crate) fn is_constant(expression: &Expression) -> bool {
    !expression.any(|part| matches!(part, Expression::Variable(_) | Expression::Data))
}

/// One of two values: the first where the selector is 0.
pub(crate) fn select_by(selector: VariableId, first: Expression, second: Expression) -> Expression {
    choose(is_first(selector), first, second)
}

/// Whether the first alternative was selected.
pub(crate) fn is_first(selector: VariableId) -> Expression {
    Expression::binary(Op::Equal, Expression::Variable(selector), 0.into())
}

/// Whether a value is not zero.
pub(crate) fn truth_of(value: Value) -> Expression {
    match value {
        Value::Integer(expression, _) => expression,
        Value::Floating(Some(x), _) => i64::from(x != 0.0).into(),
        Value::Function(_) => 1.into(),
        _ => Expression::Data,
    }
}

/// The type of a place.
pub(crate) fn place_type(place: &Place) -> Type {
    match place {
        Place::Slot(slot) => slot_type(slot),
        Place::Element { kind, .. } | Place::Nowhere(kind) => kind.clone(),
    }
}

/// Whether a pointer points to an object and is not null. Allocations are assumed to succeed.
pub(crate) fn is_object(pointer: &Pointer) -> bool {
    matches!(
        pointer.target,
        Target::Array(_)
            | Target::Fresh(_)
            | Target::Scalar(_)
            | Target::Register(_)
            | Target::OneOf(_)
    )
}

pub(crate) fn pointer_to(row: ArrayRow, offset: Expression, pointee: &Rc<Type>) -> Pointer {
    Pointer {
        target: Target::Array(row),
        offset,
        pointee: pointee.clone(),
    }
}

/// The constant integer that a value is, if it is known.
pub(crate) fn constant_integer_of(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(Expression::Integer(value), _) => Some(*value),
        _ => None,
    }
}

/// The integer exponent of `powi`; a literal may have been converted to the type of the base.
pub(crate) fn exponent_of(value: &Value) -> Option<i64> {
    match value {
        Value::Floating(Some(x), _) => x.to_string().parse().ok(),
        value => constant_integer_of(value),
    }
}

/// The struct at a place, as a value.
pub(crate) fn struct_at(target: &Target, offset: &Expression, kind: &Type) -> Value {
    match (target, offset.as_integer()) {
        (Target::Array(row) | Target::Fresh(row) | Target::Register(row), Some(offset)) => {
            Value::Record(*row, offset, kind.clone())
        }
        _ => Value::Data(kind.clone()),
    }
}
