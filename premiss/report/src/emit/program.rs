//! What is emitted, before it is written in some language: functions that compute sums of pieces.

/// The functions of one kernel.
pub(super) struct Kernel {
    /// What is said ahead of the functions, in lines.
    pub(super) comment: Vec<String>,
    pub(super) functions: Vec<CodeFunction>,
}

/// A function of the sizes.
pub(super) struct CodeFunction {
    /// Its name: letters, digits and underscores, the first one no digit.
    pub(super) name: String,
    /// What it counts, in lines.
    pub(super) comment: Vec<String>,
    /// Its arguments: the capacity if it has one, then the sizes.
    pub(super) arguments: Vec<String>,
    pub(super) body: Body,
}

/// What a function does.
pub(super) enum Body {
    /// There is none: why.
    Unknown(String),
    /// Computes the number from those of other functions of the same sizes.
    Steps(Vec<Statement>),
    /// Finds the class of the arguments, and evaluates its form.
    Classes {
        columns: Vec<ArgumentColumn>,
        classes: Vec<ClassCode>,
    },
}

/// A column of the forms: `argument = factor·x + residue`.
pub(super) struct ArgumentColumn {
    pub(super) argument: String,
    pub(super) factor: i64,
}

/// The form of one class.
pub(super) struct ClassCode {
    /// For each column the remainder.
    pub(super) residues: Vec<i64>,
    pub(super) statements: Vec<Statement>,
    /// What the sum is divided by.
    pub(super) denominator: i128,
}

/// Columns are called `x1_`, `x2_` and so on; other names end in an underscore too, as no argument does.
pub(super) fn column(index: usize) -> String {
    format!("x{index}_")
}

/// A step of an evaluation; the sum starts at 0.
pub(super) enum Statement {
    /// Outside of the domain unless all hold.
    Require(Vec<CodeCondition>),
    /// A name for a number.
    Let(String, Expression),
    /// A name for what another function yields.
    Call {
        name: String,
        function: String,
        /// A capacity, if it has one, and the sizes.
        arguments: Vec<String>,
    },
    /// Adds a number to the sum where all conditions hold.
    Add(Vec<CodeCondition>, Expression),
    /// Goes through the values of a name from the largest of some bounds to the least of others.
    For {
        name: String,
        low: Vec<Expression>,
        high: Vec<Expression>,
        body: Vec<Statement>,
    },
}

/// What a number has to be.
pub(super) enum CodeCondition {
    NotNegative(Expression),
    Zero(Expression),
}

/// A number.
pub(super) enum Expression {
    Integer(i128),
    Name(String),
    Sum(Box<[Expression; 2]>),
    Product(Box<[Expression; 2]>),
    /// The greatest of some numbers; there is at least one.
    Greatest(Vec<Expression>),
    /// `floor(numerator / denominator)`, the denominator positive.
    Floor(Box<Expression>, i64),
}
