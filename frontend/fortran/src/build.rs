//! Constructors of syntax trees: expressions, statements and declarations of the unit that a file is translated to.
//!
//! Each creates one node at a place in the source, without looking up names. [`binary`] folds constants, so that
//! bounds and subscripts stay as short as the text.

use premiss_ast::syntax::{
    Binary, Declaration, Expression, ExpressionKind as Kind, Initializer, Lifetime, Name, Object,
    Statement, StatementKind, TextRange, TypeName, Unary, UnitId,
};
use premiss_tree::IntegerType;
use std::sync::Arc;

/// The type of positions and extents.
pub(crate) const LONG: IntegerType = IntegerType {
    bits: 64,
    signed: true,
};

/// The type name of [`LONG`].
pub(crate) fn long_name() -> Arc<TypeName> {
    Arc::new(TypeName::Integer(LONG))
}

/// An integer constant of 64 bits.
pub(crate) fn integer(at: TextRange, value: i64) -> Expression {
    Expression::new(at, Kind::Integer(value, LONG))
}

/// The type of an array of this many bytes.
pub(crate) fn bytes(size: i64) -> Arc<TypeName> {
    let byte = TypeName::Integer(IntegerType {
        bits: 8,
        signed: true,
    });
    let length = integer(TextRange::start_of(UnitId(0)), size);
    Arc::new(TypeName::Array(Arc::new(byte), Some(Arc::new(length))))
}

/// The object of that name.
pub(crate) fn name(at: TextRange, name: &Name) -> Expression {
    Expression::new(at, Kind::Name(name.clone()))
}

/// `a op b`, folded if both are constants or one is the neutral element.
pub(crate) fn binary(at: TextRange, op: Binary, a: Expression, b: Expression) -> Expression {
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

/// `*pointer`
pub(crate) fn dereference(at: TextRange, pointer: Expression) -> Expression {
    Expression::new(at, Kind::Dereference(Box::new(pointer)))
}

/// `&place`
pub(crate) fn address_of(at: TextRange, place: Expression) -> Expression {
    Expression::new(at, Kind::AddressOf(Box::new(place)))
}

/// `base[subscript]`
pub(crate) fn index(at: TextRange, base: Expression, subscript: Expression) -> Expression {
    Expression::new(at, Kind::Index(Box::new(base), Box::new(subscript)))
}

/// A conversion to a type.
pub(crate) fn cast(at: TextRange, kind: Arc<TypeName>, value: Expression) -> Expression {
    Expression::new(at, Kind::Cast(kind, Box::new(value)))
}

/// A data-dependent value of a type, computed from operands.
pub(crate) fn opaque_value(
    at: TextRange,
    kind: Arc<TypeName>,
    operands: Vec<Expression>,
) -> Expression {
    Expression::new(at, Kind::Computed(kind, None, operands))
}

/// A value that a function of the C library computes.
pub(crate) fn library_value(
    at: TextRange,
    function: &str,
    kind: Arc<TypeName>,
    operands: Vec<Expression>,
) -> Expression {
    Expression::new(at, Kind::Computed(kind, Some(function.into()), operands))
}

/// `place = value`
pub(crate) fn assign(at: TextRange, place: Expression, value: Expression) -> Expression {
    Expression::new(at, Kind::Assign(None, Box::new(place), Box::new(value)))
}

/// A call of the function of that name.
pub(crate) fn call(at: TextRange, callee: &str, arguments: Vec<Expression>) -> Expression {
    let callee = Expression::new(at, Kind::Name(callee.into()));
    Expression::new(at, Kind::Call(Box::new(callee), arguments))
}

/// A statement at a place.
pub(crate) fn statement(at: TextRange, kind: StatementKind) -> Statement {
    Statement { at, kind }
}

/// An expression statement.
pub(crate) fn evaluate(value: Expression) -> Statement {
    statement(value.at, StatementKind::Expression(value))
}

/// Statements in sequence.
pub(crate) fn block(at: TextRange, list: Vec<Statement>) -> Statement {
    statement(at, StatementKind::Block(list))
}

/// A statement that does nothing.
pub(crate) fn empty(at: TextRange) -> Statement {
    statement(at, StatementKind::Empty)
}

/// A variable with the lifetime of its block.
pub(crate) fn object(
    at: TextRange,
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

/// The declaration of a constant with a value.
pub(crate) fn constant(
    at: TextRange,
    name: &Name,
    kind: Arc<TypeName>,
    value: Expression,
) -> Statement {
    let object = Object {
        is_const: true,
        ..object(at, name, kind, Some(value))
    };
    declare(at, object)
}

/// The declaration of an object.
pub(crate) fn declare(at: TextRange, object: Object) -> Statement {
    statement(
        at,
        StatementKind::Declarations(vec![Declaration::Object(object)]),
    )
}

/// `x**y`; compilers expand it to multiplications if `y` is a small constant.
pub(crate) fn power(at: TextRange, kind: Arc<TypeName>, operands: Vec<Expression>) -> Expression {
    library_value(at, "pow", kind, operands)
}

/// `IF (condition) then`, with an optional `ELSE` arm.
pub(crate) fn branch(
    at: TextRange,
    condition: Expression,
    then: Statement,
    otherwise: Option<Statement>,
) -> Statement {
    statement(
        at,
        StatementKind::If {
            condition,
            then: Box::new(then),
            otherwise: otherwise.map(Box::new),
        },
    )
}

/// An operation on two values, not folded.
pub(crate) fn operation(
    at: TextRange,
    operator: Binary,
    a: Expression,
    b: Expression,
) -> Expression {
    Expression::new(at, Kind::Binary(operator, Box::new(a), Box::new(b)))
}

/// An operation on one value.
pub(crate) fn unary(at: TextRange, operator: Unary, operand: Expression) -> Expression {
    Expression::new(at, Kind::Unary(operator, Box::new(operand)))
}

/// A component of an object of derived type.
pub(crate) fn member(at: TextRange, base: Expression, name: Name) -> Expression {
    Expression::new(
        at,
        Kind::Member {
            base: Box::new(base),
            name,
            through_pointer: false,
        },
    )
}

/// Whether an expression denotes an object whose address can be taken.
pub(crate) fn is_addressable(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        Kind::Name(_) | Kind::Index(..) | Kind::Dereference(_) | Kind::Member { .. }
    )
}
