//! Small pieces of programs.

use premiss_imperative::syntax::{
    At, Binary, Declaration, Expression, ExpressionKind as Kind, Initializer, Lifetime, Name,
    Object, Statement, StatementKind, TypeName, UnitId,
};
use premiss_tree::IntegerType;
use std::sync::Arc;

/// The type that positions and extents are computed in.
pub(super) const LONG: IntegerType = IntegerType {
    bits: 64,
    signed: true,
};

pub(crate) fn long_name() -> Arc<TypeName> {
    Arc::new(TypeName::Integer(LONG))
}

pub(crate) fn integer(at: At, value: i64) -> Expression {
    Expression::new(at, Kind::Integer(value, LONG))
}

/// So many bytes.
pub(crate) fn bytes(size: i64) -> Arc<TypeName> {
    let byte = TypeName::Integer(IntegerType {
        bits: 8,
        signed: true,
    });
    let length = integer(At::start_of(UnitId(0)), size);
    Arc::new(TypeName::Array(Arc::new(byte), Some(Arc::new(length))))
}

pub(super) fn name(at: At, name: &Name) -> Expression {
    Expression::new(at, Kind::Name(name.clone()))
}

/// `a op b`, folded where both are constants or one changes nothing.
pub(super) fn binary(at: At, op: Binary, a: Expression, b: Expression) -> Expression {
    match (op, &a.kind, &b.kind) {
        (Binary::Add | Binary::Subtract, _, Kind::Integer(0, _)) => return a,
        (Binary::Add, Kind::Integer(0, _), _) => return b,
        (Binary::Multiply | Binary::Divide, _, Kind::Integer(1, _)) => return a,
        (Binary::Multiply, Kind::Integer(1, _), _) => return b,
        (_, Kind::Integer(x, kind), Kind::Integer(y, _)) => {
            let folded = match op {
                Binary::Add => x.checked_add(*y),
                Binary::Subtract => x.checked_sub(*y),
                Binary::Multiply => x.checked_mul(*y),
                _ => None,
            };
            if let Some(value) = folded {
                return Expression::new(at, Kind::Integer(value, *kind));
            }
        }
        _ => {}
    }
    Expression::new(at, Kind::Binary(op, Box::new(a), Box::new(b)))
}

pub(super) fn dereference(at: At, pointer: Expression) -> Expression {
    Expression::new(at, Kind::Dereference(Box::new(pointer)))
}

pub(super) fn address_of(at: At, place: Expression) -> Expression {
    Expression::new(at, Kind::AddressOf(Box::new(place)))
}

pub(super) fn index(at: At, base: Expression, subscript: Expression) -> Expression {
    Expression::new(at, Kind::Index(Box::new(base), Box::new(subscript)))
}

pub(super) fn cast(at: At, kind: Arc<TypeName>, value: Expression) -> Expression {
    Expression::new(at, Kind::Cast(kind, Box::new(value)))
}

/// A value of a type that nobody knows before the program runs.
pub(super) fn computed(at: At, kind: Arc<TypeName>, operands: Vec<Expression>) -> Expression {
    Expression::new(at, Kind::Computed(kind, None, operands))
}

/// The same, computed by a function of mathematics.
pub(super) fn computed_by(
    at: At,
    function: &str,
    kind: Arc<TypeName>,
    operands: Vec<Expression>,
) -> Expression {
    Expression::new(at, Kind::Computed(kind, Some(function.into()), operands))
}

pub(super) fn assign(at: At, place: Expression, value: Expression) -> Expression {
    Expression::new(at, Kind::Assign(None, Box::new(place), Box::new(value)))
}

pub(super) fn call(at: At, callee: &str, arguments: Vec<Expression>) -> Expression {
    let callee = Expression::new(at, Kind::Name(callee.into()));
    Expression::new(at, Kind::Call(Box::new(callee), arguments))
}

pub(super) fn statement(at: At, kind: StatementKind) -> Statement {
    Statement { at, kind }
}

/// A statement that evaluates something.
pub(super) fn evaluate(value: Expression) -> Statement {
    statement(value.at, StatementKind::Expression(value))
}

pub(super) fn block(at: At, list: Vec<Statement>) -> Statement {
    statement(at, StatementKind::Block(list))
}

pub(super) fn empty(at: At) -> Statement {
    statement(at, StatementKind::Empty)
}

/// A variable that lives as long as its block.
pub(super) fn object(
    at: At,
    name: &Name,
    kind: Arc<TypeName>,
    initial: Option<Expression>,
) -> Object {
    Object {
        name: name.clone(),
        at,
        kind,
        lifetime: Lifetime::Automatic,
        is_const: false,
        is_volatile: false,
        initializer: initial.map(Initializer::Expression),
    }
}

/// A value under a name, once and for all.
pub(super) fn constant(at: At, name: &Name, kind: Arc<TypeName>, value: Expression) -> Statement {
    let object = Object {
        is_const: true,
        ..object(at, name, kind, Some(value))
    };
    statement(
        at,
        StatementKind::Declarations(vec![Declaration::Object(object)]),
    )
}
