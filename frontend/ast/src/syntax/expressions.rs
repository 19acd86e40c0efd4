//! Expressions.

use super::{At, Name, Part, Statement, TypeName};
use premiss_tree::{IntegerType, RejectReason};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An expression.
#[derive(Debug, Clone, Hash)]
pub struct Expression {
    /// Where it stands.
    pub at: At,
    /// One more than the greatest height of an operand.
    pub height: u32,
    /// What it is.
    pub kind: ExpressionKind,
}

/// A real number as it is written, known by its bits.
#[derive(Debug, Clone, Copy)]
pub struct Real(pub f64);

impl Hash for Real {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// What an expression is.
#[derive(Debug, Clone, Hash)]
pub enum ExpressionKind {
    /// An integer of a type.
    Integer(i64, IntegerType),
    /// A real number of so many bytes.
    Floating(Real, u32),
    /// A string literal of so many bytes.
    Text(u32),
    /// What a name stands for.
    Name(Name),
    /// The value that a variable has after a step which was moved behind this: its own with a number added, which is
    /// no operation of the program.
    Stepped(Name, i64),
    /// An operation on one operand.
    Unary(Unary, Box<Expression>),
    /// `++x`, `--x`, `x++`, `x--`.
    Increment {
        /// How much is added.
        step: i64,
        /// Whether its value is that after the addition.
        is_prefix: bool,
        /// What is changed.
        operand: Box<Expression>,
    },
    /// The address of an object.
    AddressOf(Box<Expression>),
    /// What a pointer points to.
    Dereference(Box<Expression>),
    /// An operation on two operands.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// 1 where neither operand is 0; the second is evaluated where the first is not.
    And(Box<Expression>, Box<Expression>),
    /// 1 where not both operands are 0; the second is evaluated where the first is 0.
    Or(Box<Expression>, Box<Expression>),
    /// The second operand where the first is not 0, else the third.
    Conditional(Box<[Expression; 3]>),
    /// The right operand, or what an operation on both yields, is stored to the left one.
    Assign(Option<Binary>, Box<Expression>, Box<Expression>),
    /// The element of an array at an index.
    Index(Box<Expression>, Box<Expression>),
    /// `x.name`, or `x->name` where `through_pointer`.
    Member {
        /// The struct, or a pointer to it.
        base: Box<Expression>,
        /// Which member.
        name: Name,
        /// Whether the base is a pointer.
        through_pointer: bool,
    },
    /// A call with its arguments.
    Call(Box<Expression>, Vec<Expression>),
    /// A value as one of another type.
    Cast(Arc<TypeName>, Box<Expression>),
    /// The size of a type.
    SizeofType(Arc<TypeName>),
    /// The size of what an expression yields.
    SizeofExpression(Box<Expression>),
    /// The alignment of a type.
    AlignofType(Arc<TypeName>),
    /// The alignment of what an expression names.
    AlignofExpression(Box<Expression>),
    /// The distance of a member from the start of a type.
    OffsetOf(Arc<TypeName>, Vec<Designator>),
    /// The second operand, the first being evaluated before.
    Comma(Box<Expression>, Box<Expression>),
    /// An object without a name.
    CompoundLiteral(Arc<TypeName>, Vec<Part>),
    /// Statements, the last of which yields a value.
    StatementExpression(Box<Statement>),
    /// `_Generic`: the expression whose type decides, then what each type selects, `default` as none.
    Generic(Box<Expression>, Vec<(Option<Arc<TypeName>>, Expression)>),
    /// A value of a type that only running the program would tell, found from operands that are
    /// evaluated in order; with the function of the mathematical library that does, by its name in C.
    /// `pow` with an integer for its second operand is a power as Fortran and Rust write it.
    Computed(Arc<TypeName>, Option<Name>, Vec<Expression>),
    /// A construct that is read over: its name.
    Unsupported(&'static str),
    /// What is not understood, and why: it may do anything to arrays.
    Rejected(RejectReason),
}

/// A step to a part of an object.
#[derive(Debug, Clone, Hash)]
pub enum Designator {
    /// A member of a struct.
    Member(Name),
    /// An element of an array.
    Index(Expression),
    /// GNU C: all elements from one to another one.
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
    /// 1 where `x` is 0, else 0.
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
    /// `a / b`, of integers rounded towards 0.
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
    /// Whether it yields a truth value.
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
