//! The syntax tree.

use super::{Attributes, Packing};
use premiss_tree::{IntegerType, RejectReason};
use std::rc::Rc;

/// A name as written.
pub(crate) type Name = Rc<str>;

/// One of the files that are read together, with all that it includes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct UnitId(pub(crate) u32);

/// The bytes of a unit's preprocessed text from `start` to `end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct At {
    pub(crate) unit: UnitId,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl At {
    /// The start of a unit, for what stands nowhere in its text.
    pub(crate) fn start_of(unit: UnitId) -> Self {
        Self {
            unit,
            start: 0,
            end: 0,
        }
    }

    /// Whether it covers all of the other.
    pub(crate) fn covers(self, other: Self) -> bool {
        self.unit == other.unit && self.start <= other.start && other.end <= self.end
    }

    /// From the start of one to the end of the other.
    pub(crate) fn to(self, end: Self) -> Self {
        Self {
            unit: self.unit,
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
    /// Whether some of it could not be read.
    pub(crate) has_error: bool,
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
    pub(crate) linkage: Linkage,
    pub(crate) body: Statement,
}

/// Who can call a function by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Linkage {
    /// All units.
    External,
    /// Its own unit alone: it is `static`, or an `inline` definition beside that of another unit.
    Internal,
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
    /// Whether it is declared outside of functions.
    pub(crate) is_at_file_scope: bool,
    pub(crate) attributes: Attributes,
    /// The greatest alignment of members; `None` where nothing limits it.
    pub(crate) packing: Option<Packing>,
}

/// A least alignment.
#[derive(Debug, Clone)]
pub(crate) enum Alignment {
    Bytes(Rc<Expression>),
    /// That of a type.
    OfType(Rc<TypeName>),
    /// The greatest that any type needs: 16 bytes.
    Greatest,
}

/// An enumeration whose size depends on its values.
#[derive(Debug)]
pub(crate) struct Enumeration {
    /// Each value: that of the expression (0 where there is none) plus a number.
    pub(crate) values: Vec<(Option<Rc<Expression>>, i64)>,
    pub(crate) packed: bool,
}

/// A row of [`Unit::structs`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct StructId {
    pub(crate) unit: UnitId,
    pub(crate) row: usize,
}

/// A member of a struct.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// `None` for a struct without a name, whose members count as the outer one's.
    pub(crate) name: Option<Name>,
    pub(crate) kind: Rc<TypeName>,
    /// How many bits a bit-field has.
    pub(crate) width: Option<Rc<Expression>>,
    pub(crate) attributes: Attributes,
}

/// A type as written; typedef names are resolved.
#[derive(Debug, Clone)]
pub(crate) enum TypeName {
    Void,
    Integer(IntegerType),
    Bool,
    /// A real floating type of so many bytes.
    Floating(u32),
    /// A complex type whose parts have so many bytes.
    Complex(u32),
    /// A vector of so many bytes.
    Vector(Rc<Expression>),
    /// A type with an alignment of its own.
    Aligned(Rc<TypeName>, Vec<Alignment>),
    Enumeration(Rc<Enumeration>),
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
    pub(crate) is_volatile: bool,
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
    /// What stands in braces, in order.
    List(Vec<Part>),
}

/// What a part of an object starts with.
#[derive(Debug)]
pub(crate) struct Part {
    /// Which part, as a path into the object; empty for the one after the last.
    pub(crate) designators: Vec<Designator>,
    pub(crate) value: Initializer,
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
    Label(Name, Box<Statement>),
    Return(Option<Expression>),
    Break,
    Continue,
    /// To a label; `None` where the program computes where to.
    Goto(Option<Name>),
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
    /// The alignment of what an expression names.
    AlignofExpression(Box<Expression>),
    /// The distance of a member from the start of a type.
    OffsetOf(Rc<TypeName>, Vec<Designator>),
    Comma(Box<Expression>, Box<Expression>),
    CompoundLiteral(Rc<TypeName>, Vec<Part>),
    StatementExpression(Box<Statement>),
    /// `_Generic`: the expression whose type decides, then what each type selects, `default` as none.
    Generic(Box<Expression>, Vec<(Option<Rc<TypeName>>, Expression)>),
    /// A construct that is read over: its name.
    Unsupported(&'static str),
}

/// A step to a part of an object.
#[derive(Debug)]
pub(crate) enum Designator {
    Member(Name),
    Index(Expression),
    /// GNU C: all elements from one to another one.
    Range(Expression, Expression),
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
