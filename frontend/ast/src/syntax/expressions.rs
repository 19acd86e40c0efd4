//! Expressions.

use super::{Name, Part, Statement, TextRange, TypeName};
use premiss_tree::{IntegerType, RejectReason};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An expression.
#[derive(Debug, Clone, Hash)]
pub struct Expression {
    /// Its text.
    pub at: TextRange,
    /// The height of its tree: 1 plus the maximum height of its operands.
    pub height: u32,
    /// Its form.
    pub kind: ExpressionKind,
}

impl Expression {
    /// The condition that holds where this one does not: `!a` of `a`, and `a` of `!a`.
    #[must_use]
    pub fn negated(&self) -> Self {
        match &self.kind {
            ExpressionKind::Unary(Unary::Not, condition) => (**condition).clone(),
            _ => {
                let condition = Box::new(self.clone());
                Self::new(self.at, ExpressionKind::Unary(Unary::Not, condition))
            }
        }
    }
}

/// A floating-point constant; its hash is that of its bits.
#[derive(Debug, Clone, Copy)]
pub struct Real(pub f64);

impl Hash for Real {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// The forms of expressions, after C11 6.5, with additions for the other languages.
#[derive(Debug, Clone, Hash)]
pub enum ExpressionKind {
    /// An integer constant of a type.
    Integer(i64, IntegerType),
    /// A floating-point constant of this many bytes.
    Floating(Real, u32),
    /// A string literal of this many bytes.
    Text(u32),
    /// A name of an object, function or enumerator.
    Name(Name),
    /// The value of a variable after a step that was moved behind this expression: its current value plus the
    /// constant. This addition is not an operation of the program.
    Stepped(Name, i64),
    /// An operation on one operand.
    Unary(Unary, Box<Expression>),
    /// `++x`, `--x`, `x++`, `x--`.
    Increment {
        /// The amount added.
        step: i64,
        /// Whether the value of the expression is that after the addition.
        is_prefix: bool,
        /// The lvalue that is changed.
        operand: Box<Expression>,
    },
    /// The address of an object.
    AddressOf(Box<Expression>),
    /// What a pointer points to.
    Dereference(Box<Expression>),
    /// An operation on two operands.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// 1 if both operands are not 0, else 0; the second is only evaluated if the first is not 0.
    And(Box<Expression>, Box<Expression>),
    /// 1 if some operand is not 0, else 0; the second is only evaluated if the first is 0.
    Or(Box<Expression>, Box<Expression>),
    /// The second operand if the first is not 0, else the third; only that operand is evaluated.
    Conditional(Box<[Expression; 3]>),
    /// Stores the right operand, or the result of an operation on both, to the left one.
    Assign(Option<Binary>, Box<Expression>, Box<Expression>),
    /// The element of an array at an index.
    Index(Box<Expression>, Box<Expression>),
    /// `x.name`, or `x->name` if `through_pointer`.
    Member {
        /// The struct, or a pointer to it.
        base: Box<Expression>,
        /// The member.
        name: Name,
        /// Whether the base is a pointer.
        through_pointer: bool,
    },
    /// A call with its arguments.
    Call(Box<Expression>, Vec<Expression>),
    /// A conversion to another type.
    Cast(Arc<TypeName>, Box<Expression>),
    /// The size of a type.
    SizeofType(Arc<TypeName>),
    /// The size of the type of an expression.
    SizeofExpression(Box<Expression>),
    /// The alignment of a type.
    AlignofType(Arc<TypeName>),
    /// The alignment of an expression.
    AlignofExpression(Box<Expression>),
    /// The offset of a member from the start of a type, in bytes.
    OffsetOf(Arc<TypeName>, Vec<Designator>),
    /// Evaluates both operands, the first one first; the value is that of the second.
    Comma(Box<Expression>, Box<Expression>),
    /// A compound literal: an object without a name.
    CompoundLiteral(Arc<TypeName>, Vec<Part>),
    /// A statement expression (GNU C): the last statement yields the value.
    StatementExpression(Box<Statement>),
    /// `_Generic`: the controlling expression, then the associations of types and expressions; `default` has no type.
    Generic(Box<Expression>, Vec<(Option<Arc<TypeName>>, Expression)>),
    /// A data-dependent value of a type, computed from operands that are evaluated in order, with the C name of the
    /// function of the mathematical library that computes it. `pow` with an integer as its second operand is the power
    /// operator of Fortran or the power method of Rust.
    Computed(Arc<TypeName>, Option<Name>, Vec<Expression>),
    /// A construct without effects on arrays that is not modelled, by its name.
    Unsupported(&'static str),
    /// An expression that could not be understood, with the reason: it may access any array.
    Rejected(RejectReason),
}

/// A step to a part of an object (C11 6.7.9).
#[derive(Debug, Clone, Hash)]
pub enum Designator {
    /// A member of a struct.
    Member(Name),
    /// An element of an array.
    Index(Expression),
    /// All elements between two indices, inclusive (GNU C).
    Range(Expression, Expression),
}

/// An operation on one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `+x`
    Plus,
    /// `-x`
    Negate,
    /// `~x`
    BitNot,
    /// 1 if `x` is 0, else 0.
    Not,
}

/// An operation on two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`; of integers, rounded towards 0.
    Divide,
    /// The remainder with the sign of `a`.
    Remainder,
    /// `a << b`
    ShiftLeft,
    /// `a >> b`
    ShiftRight,
    /// `a & b`
    BitAnd,
    /// `a | b`
    BitOr,
    /// `a ^ b`
    BitXor,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEqual,
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
    /// The lesser operand; both are evaluated.
    Minimum,
    /// The greater operand; both are evaluated.
    Maximum,
}

impl Binary {
    /// Whether it is a comparison: its value is 0 or 1.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
                | Self::Equal
                | Self::NotEqual
        )
    }
}
