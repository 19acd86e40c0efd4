//! Programs as syntax: statements and expressions over typed objects, with pointers, structs and calls.
//!
//! It is C's abstract syntax, and what other languages are put into: a Fortran array is a pointer with its
//! bounds, a slice of Rust a pointer with its length.

mod height;

use premiss_tree::{IntegerType, RejectReason};
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A name as written.
pub type Name = Arc<str>;

/// One of the files that are read together, with all that it includes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct UnitId(pub u32);

/// The bytes of a unit's preprocessed text from `start` to `end`.
///
/// Its hash says nothing of where: that of a tree is the same however lines are shifted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct At {
    /// Which unit.
    pub unit: UnitId,
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Hash for At {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.unit.hash(state);
    }
}

impl At {
    /// The start of a unit, for what stands nowhere in its text.
    pub fn start_of(unit: UnitId) -> Self {
        Self {
            unit,
            start: 0,
            end: 0,
        }
    }

    /// Whether it covers all of the other.
    pub fn covers(self, other: Self) -> bool {
        self.unit == other.unit && self.start <= other.start && other.end <= self.end
    }

    /// From the start of one to the end of the other.
    pub fn to(self, end: Self) -> Self {
        Self {
            unit: self.unit,
            start: self.start,
            end: end.end.max(self.start),
        }
    }
}

/// A name at file scope, with the unit whose text says what it means.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GlobalName {
    /// Which unit.
    pub unit: UnitId,
    /// The name in it.
    pub name: Name,
}

/// A file with all that it includes.
#[derive(Debug, Default, Hash)]
pub struct Unit {
    /// What stands at file scope, in order.
    pub items: Vec<Item>,
    /// The structs that [`StructId`]s name.
    pub structs: Vec<Struct>,
    /// Whether some of it could not be read.
    pub has_error: bool,
    /// How its language writes parts of objects.
    pub notation: Notation,
}

/// How a language writes a part of an object, for the names of sizes that are found in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Notation {
    /// `a[2].n`, `p->n`, `*p`.
    #[default]
    C,
    /// `a(3)%n`, `p%n`, `p`: counted from 1.
    Fortran,
    /// `a[2].n`, `p.n`, `*p`.
    Rust,
}

impl Notation {
    /// What follows an array for its element of a number, counted from 0.
    #[must_use]
    pub fn element(self, idx: i64) -> String {
        match self {
            Self::C | Self::Rust => format!("[{idx}]"),
            Self::Fortran => format!("({})", idx.saturating_add(1)),
        }
    }

    /// What stands between a struct and its member.
    #[must_use]
    pub fn member(self) -> &'static str {
        match self {
            Self::C | Self::Rust => ".",
            Self::Fortran => "%",
        }
    }

    /// What stands between a pointer and a member of what it points to.
    #[must_use]
    pub fn pointed_member(self) -> &'static str {
        match self {
            Self::C => "->",
            Self::Rust | Self::Fortran => self.member(),
        }
    }
}

/// Something at file scope.
#[derive(Debug, Hash)]
pub enum Item {
    /// A function with its body.
    Function(Arc<Function>),
    /// What is declared.
    Declaration(Declaration),
}

/// A function with its body.
#[derive(Debug, Hash)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Where its name stands.
    pub at: At,
    /// What it takes and returns.
    pub signature: Arc<Signature>,
    /// Who can call it.
    pub linkage: Linkage,
    /// What it does.
    pub body: Statement,
}

impl Function {
    /// The name of this definition.
    #[must_use]
    pub fn global_name(&self) -> GlobalName {
        GlobalName {
            unit: self.at.unit,
            name: self.name.clone(),
        }
    }
}

/// Who can call a function by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// All units.
    External,
    /// Its own unit alone: it is `static`, or an `inline` definition beside that of another unit.
    Internal,
}

/// What a function takes and returns.
#[derive(Debug, Hash)]
pub struct Signature {
    /// The type of its result.
    pub result: Arc<TypeName>,
    /// What it is given, in order.
    pub parameters: Vec<Parameter>,
    /// Who calls it by a pointer hands its arguments over as they are written: which parameter each of them is for. Empty
    /// where these are in order.
    pub order: Vec<usize>,
}

/// A parameter of a function.
#[derive(Debug, Clone, Hash)]
pub struct Parameter {
    /// Its name; `None` where it has none.
    pub name: Option<Name>,
    /// Where it stands.
    pub at: At,
    /// Its type.
    pub kind: Arc<TypeName>,
}

/// A struct or union; `None` while only its tag is known.
#[derive(Debug, Clone, Default, Hash)]
pub struct Struct {
    /// Its members, in order.
    pub fields: Option<Vec<Field>>,
    /// Whether all members lie at its start.
    pub is_union: bool,
    /// Whether it is declared outside of functions.
    pub is_at_file_scope: bool,
    /// What is stated about its layout.
    pub attributes: Attributes,
    /// The greatest alignment of members; `None` where nothing limits it.
    pub packing: Option<Packing>,
}

/// What is stated at one place about layout.
#[derive(Debug, Clone, Default, Hash)]
pub struct Attributes {
    /// Without gaps: on a struct all its members, on a member itself, on an enumeration its size.
    pub packed: bool,
    /// Least alignments; the strictest counts.
    pub aligned: Vec<Alignment>,
    /// Bytes of a vector of what the declaration names.
    pub vector: Option<Arc<Expression>>,
    /// The type that takes the place of the one that is named.
    pub mode: Option<Arc<TypeName>>,
    /// Whether layout follows the rules of another compiler.
    pub is_foreign: bool,
}

impl Attributes {
    /// Adds what stands at another place about the same thing.
    pub fn extend(&mut self, other: Self) {
        self.packed |= other.packed;
        self.aligned.extend(other.aligned);
        self.vector = other.vector.or(self.vector.take());
        self.mode = other.mode.or(self.mode.take());
        self.is_foreign |= other.is_foreign;
    }

    /// The type that a declaration of something of this type declares.
    #[must_use]
    pub fn applied(&self, kind: Arc<TypeName>) -> Arc<TypeName> {
        let kind = self.mode.clone().unwrap_or(kind);
        match &self.vector {
            Some(bytes) => Arc::new(TypeName::Vector(bytes.clone())),
            None => kind,
        }
    }

    /// The type that a name for a type with these attributes stands for.
    #[must_use]
    pub fn of_typedef(&self, kind: Arc<TypeName>) -> Arc<TypeName> {
        let kind = self.applied(kind);
        match self.aligned.is_empty() {
            true => kind,
            false => Arc::new(TypeName::Aligned(kind, self.aligned.clone())),
        }
    }
}

/// The greatest alignment of members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Members are aligned as their types are.
    Natural,
    /// Members are aligned to so many bytes at most.
    Bytes(u8),
    /// What is stated could not be read.
    Unknown,
}

/// A least alignment.
#[derive(Debug, Clone, Hash)]
pub enum Alignment {
    /// So many.
    Bytes(Arc<Expression>),
    /// That of a type.
    OfType(Arc<TypeName>),
    /// The greatest that any type needs: 16 bytes.
    Greatest,
}

/// An enumeration whose size depends on its values.
#[derive(Debug, Hash)]
pub struct Enumeration {
    /// Each value: that of the expression (0 where there is none) plus a number.
    pub values: Vec<(Option<Arc<Expression>>, i64)>,
    /// Whether it is as small as its values allow.
    pub packed: bool,
}

/// A row of [`Unit::structs`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub struct StructId {
    /// The unit that declares it.
    pub unit: UnitId,
    /// Which of its rows.
    pub row: usize,
}

/// A member of a struct.
#[derive(Debug, Clone, Hash)]
pub struct Field {
    /// `None` for a struct without a name, whose members count as the outer one's.
    pub name: Option<Name>,
    /// Its type.
    pub kind: Arc<TypeName>,
    /// How many bits a bit-field has.
    pub width: Option<Arc<Expression>>,
    /// What is stated about its layout.
    pub attributes: Attributes,
}

/// A type as written; typedef names are resolved.
#[derive(Debug, Clone, Hash)]
pub enum TypeName {
    /// No value.
    Void,
    /// An integer type.
    Integer(IntegerType),
    /// A truth value of one byte.
    Bool,
    /// A real floating type of so many bytes.
    Floating(u32),
    /// A complex type whose parts have so many bytes.
    Complex(u32),
    /// A vector of so many bytes.
    Vector(Arc<Expression>),
    /// A type with an alignment of its own.
    Aligned(Arc<TypeName>, Vec<Alignment>),
    /// An enumeration.
    Enumeration(Arc<Enumeration>),
    /// A pointer to a type.
    Pointer(Arc<TypeName>),
    /// A pointer to a variable of the caller, as the type of a parameter: what it points to is no array
    /// where nobody calls.
    Reference(Arc<TypeName>),
    /// Elements of a type, so many where that is stated.
    Array(Arc<TypeName>, Option<Arc<Expression>>),
    /// A function.
    Function(Arc<Signature>),
    /// A struct or union.
    Struct(StructId),
    /// The type of an expression.
    TypeOf(Arc<Expression>),
    /// A name that nothing declares; a header that is not there would.
    Unknown(Name),
}

/// A declaration of one name, or an evaluation that a declaration asks for.
#[derive(Debug, Clone, Hash)]
pub enum Declaration {
    /// An object or function.
    Object(Object),
    /// An enumeration constant: the value of `base` (0 where there is none) plus `plus`.
    Enumerator {
        /// Its name.
        name: Name,
        /// The expression that it counts from.
        base: Option<Arc<Expression>>,
        /// What is added to that.
        plus: i64,
    },
}

/// An object (or function) that is declared.
#[derive(Debug, Clone, Hash)]
pub struct Object {
    /// Its name.
    pub name: Name,
    /// Where it stands.
    pub at: At,
    /// Its type.
    pub kind: Arc<TypeName>,
    /// How it is stored.
    pub lifetime: Lifetime,
    /// Whether it never changes.
    pub is_const: bool,
    /// Whether others may change it.
    pub is_volatile: bool,
    /// What it starts with.
    pub initializer: Option<Initializer>,
}

/// How an object is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lifetime {
    /// While its block is executed.
    Automatic,
    /// For the whole program, known to its unit or block alone.
    Static,
    /// Declared here, stored elsewhere.
    Extern,
}

/// What an object starts with.
#[derive(Debug, Clone, Hash)]
pub enum Initializer {
    /// A value.
    Expression(Expression),
    /// What stands in braces, in order.
    List(Vec<Part>),
}

/// What a part of an object starts with.
#[derive(Debug, Clone, Hash)]
pub struct Part {
    /// Which part, as a path into the object; empty for the one after the last.
    pub designators: Vec<Designator>,
    /// What it starts with.
    pub value: Initializer,
}

/// A statement.
#[derive(Debug, Clone, Hash)]
pub struct Statement {
    /// Where it stands.
    pub at: At,
    /// What it does.
    pub kind: StatementKind,
}

/// What a statement does.
#[derive(Debug, Clone, Hash)]
pub enum StatementKind {
    /// Statements in a scope of their own.
    Block(Vec<Statement>),
    /// Declarations.
    Declarations(Vec<Declaration>),
    /// An expression whose value is not used.
    Expression(Expression),
    /// A choice.
    If {
        /// Which arm is taken: the first where it is not 0.
        condition: Expression,
        /// The first arm.
        then: Box<Statement>,
        /// The second arm.
        otherwise: Option<Box<Statement>>,
    },
    /// A `for` statement.
    For(Box<For>),
    /// A loop that tests before each iteration.
    While {
        /// Whether there is another iteration.
        condition: Expression,
        /// What an iteration does.
        body: Box<Statement>,
    },
    /// A loop that tests after each iteration.
    DoWhile {
        /// What an iteration does.
        body: Box<Statement>,
        /// Whether there is another iteration.
        condition: Expression,
    },
    /// A jump to one of several places of a statement.
    Switch {
        /// What decides where to.
        value: Expression,
        /// The statement.
        body: Box<Statement>,
    },
    /// `case` or `default`, with the statement that follows.
    Case(Option<Expression>, Box<Statement>),
    /// A label, with the statement that follows.
    Label(Name, Box<Statement>),
    /// The end of the function, with its result.
    Return(Option<Expression>),
    /// The end of the innermost loop or `switch`.
    Break,
    /// The end of an iteration of the innermost loop.
    Continue,
    /// To a label; `None` where the program computes where to.
    Goto(Option<Name>),
    /// Nothing.
    Empty,
    /// A statement that could not be read.
    Error(RejectReason),
}

/// A `for` statement.
#[derive(Debug, Clone, Hash)]
pub struct For {
    /// The keyword and what stands in the parentheses.
    pub header: At,
    /// What is done before the first iteration.
    pub initial: Statement,
    /// Whether there is another iteration; always where there is none.
    pub condition: Option<Expression>,
    /// What is done after each iteration.
    pub step: Option<Expression>,
    /// What an iteration does.
    pub body: Statement,
}

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
        by: i64,
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
