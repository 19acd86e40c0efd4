//! Constructors of expressions and statements of the common syntax.

use premiss_ast::syntax::{
    Binary, Declaration, Expression, ExpressionKind as Kind, Initializer, Lifetime, Name, Object,
    Real, Statement, StatementKind, TextRange, TypeName, Unary,
};
use premiss_tree::{IntegerType, RejectReason};
use std::sync::Arc;

/// The type of integer arithmetic: overflow panics in Rust, so nothing wraps.
pub(crate) const WIDE: IntegerType = IntegerType {
    bits: 64,
    signed: true,
};

pub(crate) fn wide() -> TypeName {
    TypeName::Integer(WIDE)
}

pub(crate) fn integer(at: TextRange, value: i64) -> Expression {
    Expression::new(at, Kind::Integer(value, WIDE))
}

pub(crate) fn name(at: TextRange, name: &Name) -> Expression {
    Expression::new(at, Kind::Name(name.clone()))
}

pub(crate) fn unary(at: TextRange, operator: Unary, operand: Expression) -> Expression {
    Expression::new(at, Kind::Unary(operator, Box::new(operand)))
}

/// An operation; neutral elements are left out.
pub(crate) fn binary(at: TextRange, operator: Binary, a: Expression, b: Expression) -> Expression {
    match (operator, as_integer(&a), as_integer(&b)) {
        (Binary::Add | Binary::Subtract, _, Some(0))
        | (Binary::Multiply | Binary::Divide, _, Some(1)) => a,
        (Binary::Add, Some(0), _) | (Binary::Multiply, Some(1), _) => b,
        _ => Expression::new(at, Kind::Binary(operator, Box::new(a), Box::new(b))),
    }
}

/// `a && b`.
pub(crate) fn and(at: TextRange, a: Expression, b: Expression) -> Expression {
    match (as_integer(&a), as_integer(&b)) {
        (Some(1), _) => b,
        (_, Some(1)) => a,
        _ => Expression::new(at, Kind::And(Box::new(a), Box::new(b))),
    }
}

pub(crate) fn conditional(at: TextRange, operands: [Expression; 3]) -> Expression {
    Expression::new(at, Kind::Conditional(Box::new(operands)))
}

/// The lesser of two operands.
pub(crate) fn least(at: TextRange, a: Expression, b: Expression) -> Expression {
    let test = binary(at, Binary::Less, a.clone(), b.clone());
    conditional(at, [test, a, b])
}

/// The greater of two operands.
pub(crate) fn greatest(at: TextRange, a: Expression, b: Expression) -> Expression {
    let test = binary(at, Binary::Less, b.clone(), a.clone());
    conditional(at, [test, a, b])
}

pub(crate) fn index(at: TextRange, base: Expression, index: Expression) -> Expression {
    Expression::new(at, Kind::Index(Box::new(base), Box::new(index)))
}

pub(crate) fn dereference(at: TextRange, pointer: Expression) -> Expression {
    match pointer.kind {
        Kind::AddressOf(place) => Expression { at, ..*place },
        _ => Expression::new(at, Kind::Dereference(Box::new(pointer))),
    }
}

pub(crate) fn address(at: TextRange, place: Expression) -> Expression {
    match place.kind {
        Kind::Dereference(pointer) => *pointer,
        _ => Expression::new(at, Kind::AddressOf(Box::new(place))),
    }
}

/// A member of a struct.
pub(crate) fn member(at: TextRange, base: Expression, name: &str) -> Expression {
    let (base, through_pointer) = match base.kind {
        Kind::Dereference(pointer) => (*pointer, true),
        _ => (base, false),
    };
    let kind = Kind::Member {
        base: Box::new(base),
        name: name.into(),
        through_pointer,
    };
    Expression::new(at, kind)
}

pub(crate) fn cast(at: TextRange, to: TypeName, operand: Expression) -> Expression {
    Expression::new(at, Kind::Cast(Arc::new(to), Box::new(operand)))
}

pub(crate) fn floating(at: TextRange, value: f64, size: u32) -> Expression {
    Expression::new(at, Kind::Floating(Real(value), size))
}

/// A data-dependent value of a type.
pub(crate) fn data(at: TextRange, kind: TypeName) -> Expression {
    Expression::new(at, Kind::Computed(Arc::new(kind), None, Vec::new()))
}

/// Whether a floating-point number is NaN.
pub(crate) fn is_nan(at: TextRange, number: Expression) -> Expression {
    let function = Some("isnan".into());
    Expression::new(at, Kind::Computed(Arc::new(wide()), function, vec![number]))
}

pub(crate) fn assign(at: TextRange, left: Expression, right: Expression) -> Expression {
    Expression::new(at, Kind::Assign(None, Box::new(left), Box::new(right)))
}

pub(crate) fn call(at: TextRange, callee: &str, arguments: Vec<Expression>) -> Expression {
    let callee = name(at, &callee.into());
    Expression::new(at, Kind::Call(Box::new(callee), arguments))
}

pub(crate) fn rejected(at: TextRange, reason: RejectReason) -> Expression {
    Expression::new(at, Kind::Rejected(reason))
}

pub(crate) fn statement(at: TextRange, kind: StatementKind) -> Statement {
    Statement { at, kind }
}

pub(crate) fn evaluated(expression: Expression) -> Statement {
    statement(expression.at, StatementKind::Expression(expression))
}

pub(crate) fn block(at: TextRange, list: Vec<Statement>) -> Statement {
    statement(at, StatementKind::Block(list))
}

/// The declaration of a local variable.
pub(crate) fn declaration(
    at: TextRange,
    name: &Name,
    kind: TypeName,
    value: Option<Expression>,
) -> Statement {
    let object = Object {
        name: name.clone(),
        at,
        kind: Arc::new(kind),
        lifetime: Lifetime::Automatic,
        is_const: false,
        is_volatile: false,
        initializer: value.map(Initializer::Expression),
    };
    let list = vec![Declaration::Object(object)];
    statement(at, StatementKind::Declarations(list))
}

/// The value of an integer literal.
pub(crate) fn as_integer(expression: &Expression) -> Option<i64> {
    match expression.kind {
        Kind::Integer(value, _) => Some(value),
        _ => None,
    }
}

/// Whether evaluating an expression makes no access and has no side effects.
pub(crate) fn is_pure(expression: &Expression) -> bool {
    match &expression.kind {
        Kind::Integer(..) | Kind::Floating(..) | Kind::Name(_) | Kind::SizeofType(_) => true,
        Kind::Unary(_, x) | Kind::Cast(_, x) => is_pure(x),
        Kind::Binary(_, a, b) | Kind::And(a, b) | Kind::Or(a, b) => is_pure(a) && is_pure(b),
        Kind::Conditional(operands) => operands.iter().all(is_pure),
        Kind::AddressOf(place) => is_pure_place(place),
        _ => false,
    }
}

/// Whether evaluating a place makes no access.
pub(crate) fn is_pure_place(place: &Expression) -> bool {
    match &place.kind {
        Kind::Name(_) => true,
        Kind::Index(base, index) => is_pure(base) && is_pure(index),
        Kind::Dereference(pointer) => is_pure(pointer),
        Kind::Member {
            base,
            through_pointer,
            ..
        } => match through_pointer {
            true => is_pure(base),
            false => is_pure_place(base),
        },
        _ => false,
    }
}

/// Whether an expression denotes an object in memory or a variable.
pub(crate) fn is_place(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        Kind::Name(_) | Kind::Index(..) | Kind::Dereference(_) | Kind::Member { .. }
    )
}
