//! The syntax tree.

use premiss_tree::{IntegerType, RejectReason};
use std::rc::Rc;

/// A name as written.
pub(crate) type Name = Rc<str>;

/// The bytes of the preprocessed text from `start` to `end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct At {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl At {
    /// From the start of one to the end of the other.
    pub(crate) fn to(self, end: Self) -> Self {
        Self {
            start: self.start,
            end: end.end.max(self.start),
        }
    }
}

/// A file with all that it includes.
#[derive(Debug, Default)]
pub(crate) struct Unit {
    pub(crate) items: Vec<Item>,
    pub(crate) structs: Vec<Struct>,
}

/// Something at file scope.
#[derive(Debug)]
pub(crate) enum Item {
    Function(Rc<Function>),
    Declaration(Declaration),
}

/// A function with its body.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: Name,
    pub(crate) at: At,
    pub(crate) signature: Rc<Signature>,
    pub(crate) body: Statement,
}

/// What a function takes and returns.
#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) result: Rc<TypeName>,
    pub(crate) parameters: Vec<Parameter>,
}

/// A parameter of a function.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    pub(crate) name: Option<Name>,
    pub(crate) at: At,
    pub(crate) kind: Rc<TypeName>,
}

/// A struct or union; `None` while only its tag is known.
#[derive(Debug, Default)]
pub(crate) struct Struct {
    pub(crate) fields: Option<Vec<Field>>,
    pub(crate) is_union: bool,
    pub(crate) packed: bool,
}

/// A row of [`Unit::structs`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct StructId(pub(crate) usize);

/// A member of a struct.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// `None` for a struct without a name, whose members count as the outer one's.
    pub(crate) name: Option<Name>,
    pub(crate) kind: Rc<TypeName>,
    pub(crate) is_bit_field: bool,
}

/// A type as written; typedef names are resolved.
#[derive(Debug, Clone)]
pub(crate) enum TypeName {
    Void,
    Integer(IntegerType),
    Bool,
    /// A real or complex floating type of so many bytes.
    Floating(u32),
    Pointer(Rc<TypeName>),
    Array(Rc<TypeName>, Option<Rc<Expression>>),
    Function(Rc<Signature>),
    Struct(StructId),
    TypeOf(Rc<Expression>),
    /// A name that nothing declares; a header that is not there would.
    Unknown(Name),
}

/// A declaration of one name, or an evaluation that a declaration asks for.
#[derive(Debug)]
pub(crate) enum Declaration {
    Object(Object),
    /// An enumeration constant: the value of `base` (0 where there is none) plus `plus`.
    Enumerator {
        name: Name,
        base: Option<Rc<Expression>>,
        plus: i64,
    },
}

/// An object (or function) that is declared.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) name: Name,
    pub(crate) at: At,
    pub(crate) kind: Rc<TypeName>,
    pub(crate) lifetime: Lifetime,
    pub(crate) is_const: bool,
    pub(crate) initializer: Option<Initializer>,
}

/// How an object is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifetime {
    Automatic,
    Static,
    Extern,
}

/// What an object starts with.
#[derive(Debug)]
pub(crate) enum Initializer {
    Expression(Expression),
    /// The expressions in braces, in order, without their designators.
    List(Vec<Initializer>),
}

/// A statement.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) at: At,
    pub(crate) kind: StatementKind,
}

#[derive(Debug)]
pub(crate) enum StatementKind {
    Block(Vec<Statement>),
    Declarations(Vec<Declaration>),
    Expression(Expression),
    If {
        condition: Expression,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    For(Box<For>),
    While {
        condition: Expression,
        body: Box<Statement>,
    },
    DoWhile {
        body: Box<Statement>,
        condition: Expression,
    },
    Switch {
        value: Expression,
        body: Box<Statement>,
    },
    /// `case` or `default`, with the statement that follows.
    Case(Option<Expression>, Box<Statement>),
    Label(Box<Statement>),
    Return(Option<Expression>),
    Break,
    Continue,
    Goto,
    Empty,
    Error(RejectReason),
}

/// A `for` statement.
#[derive(Debug)]
pub(crate) struct For {
    /// The keyword and what stands in the parentheses.
    pub(crate) header: At,
    pub(crate) initial: Statement,
    pub(crate) condition: Option<Expression>,
    pub(crate) step: Option<Expression>,
    pub(crate) body: Statement,
}

#[derive(Debug)]
pub(crate) struct Expression {
    pub(crate) at: At,
    /// One more than the greatest height of an operand.
    pub(crate) height: u32,
    pub(crate) kind: ExpressionKind,
}

#[derive(Debug)]
pub(crate) enum ExpressionKind {
    Integer(i64, IntegerType),
    Floating(f64, u32),
    /// A string literal of so many bytes.
    Text(u32),
    Name(Name),
    Unary(Unary, Box<Expression>),
    /// `++x`, `--x`, `x++`, `x--`.
    Increment {
        by: i64,
        is_prefix: bool,
        operand: Box<Expression>,
    },
    AddressOf(Box<Expression>),
    Dereference(Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Conditional(Box<[Expression; 3]>),
    Assign(Option<Binary>, Box<Expression>, Box<Expression>),
    Index(Box<Expression>, Box<Expression>),
    /// `x.name`, or `x->name` where `through_pointer`.
    Member {
        base: Box<Expression>,
        name: Name,
        through_pointer: bool,
    },
    Call(Box<Expression>, Vec<Expression>),
    Cast(Rc<TypeName>, Box<Expression>),
    SizeofType(Rc<TypeName>),
    SizeofExpression(Box<Expression>),
    AlignofType(Rc<TypeName>),
    Comma(Box<Expression>, Box<Expression>),
    CompoundLiteral(Rc<TypeName>, Vec<Initializer>),
    StatementExpression(Box<Statement>),
    /// A construct that is read over: its name.
    Unsupported(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Plus,
    Negate,
    BitNot,
    Not,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Binary {
    /// Whether it yields a truth value.
    pub(crate) fn is_comparison(self) -> bool {
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
