//! Abstract programs.

/// The type of an integer variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    I32,
    U32,
    U8,
    I16,
}

impl Width {
    /// The value that a variable of this type has after a number was assigned to it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "numbers wrap around as in the programs"
    )]
    pub(super) fn wrapped(self, x: i64) -> i64 {
        match self {
            Self::I32 => i64::from(x as i32),
            Self::U32 => i64::from(x as u32),
            Self::U8 => i64::from(x as u8),
            Self::I16 => i64::from(x as i16),
        }
    }
}

/// A variable: shadowed ones have equal names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) width: Width,
}

/// An integer expression.
#[derive(Clone, Debug)]
pub(super) enum Integer {
    Constant(i64),
    Variable(Variable),
    Plus(Box<Integer>, Box<Integer>),
    Minus(Box<Integer>, Box<Integer>),
    Times(i64, Box<Integer>),
    Quotient(Box<Integer>, i64),
    Remainder(Box<Integer>, i64),
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Greater,
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Compare(Comparison, Integer, Integer),
    /// An element is greater than one half.
    Element(Place),
    Both(Box<Test>, Box<Test>),
}

/// An array: `a`, `b`, or the parameters `x` and `y` of the function that is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Array {
    A,
    B,
    X,
    Y,
}

/// An element of an array.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) array: Array,
    pub(super) subscript: Integer,
}

/// How a statement leaves what is around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    Break,
    Continue,
    Return,
    /// The end of the program.
    Stop,
}

/// A statement with the number of its line within the program.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Store(Place),
    Update(Place),
    Copy(Place, Place),
    Assign(Variable, Integer),
    /// `v += by`, which may wrap around.
    Step(Variable, i64),
    If(Test, Vec<Statement>, Vec<Statement>),
    /// From a first value while less than a bound, or greater for a negative step.
    For {
        counter: Variable,
        first: Integer,
        bound: Integer,
        step: i64,
        body: Vec<Statement>,
    },
    While(Test, Vec<Statement>),
    /// From a first value while less than a bound, multiplied by a factor.
    Geometric {
        counter: Variable,
        first: i64,
        bound: Integer,
        factor: i64,
        body: Vec<Statement>,
    },
    /// Two counters that go towards each other.
    Meet {
        low: Variable,
        high: Variable,
        end: Integer,
        body: Vec<Statement>,
    },
    /// The elements from the first to the last place, by a step that may be negative, are set.
    Section(Array, Integer, Integer, i64),
    /// The first elements of both arrays are copied, as far as both go.
    Zip(Integer, Integer),
    /// An element by a macro or a closure, of a variable and a number.
    Put(Variable, i64),
    /// A block that declares a variable again.
    Shadow(Variable, Integer, Vec<Statement>),
    /// A call of the function with parts of two arrays that begin at these places.
    Call((Array, i64), (Array, i64), Integer),
    Leave(Exit),
}

/// A program: a function of two sizes and two arrays, and a function that it calls.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) number: u64,
    pub(super) sizes: [i64; 2],
    pub(super) body: Vec<Statement>,
    /// The body of the function that is called, which has the arrays X and Y and the size `k`.
    pub(super) called: Vec<Statement>,
}

impl Program {
    /// One of its two sizes.
    pub(super) fn size(&self, idx: usize) -> Variable {
        let letter = ["n", "m"][idx];
        Variable {
            name: format!("{letter}{}", self.number),
            width: Width::I32,
        }
    }
}
