//! The emitted program before it is written in a language: functions that compute sums of pieces.

/// The functions that are emitted for one analysed function.
pub(super) struct Kernel {
    /// The lines of the comment before the functions.
    pub(super) comment: Vec<String>,
    pub(super) functions: Vec<CodeFunction>,
}

/// A function of the sizes.
pub(super) struct CodeFunction {
    /// Its name: letters, digits and underscores, not starting with a digit.
    pub(super) name: String,
    /// What it counts, as lines of a comment.
    pub(super) comment: Vec<String>,
    /// Its arguments: the capacity if it has one, then the sizes.
    pub(super) arguments: Vec<String>,
    pub(super) body: Body,
}

/// The body of a function.
pub(super) enum Body {
    /// None, for this reason.
    Unknown(String),
    /// Computes the number from those of other functions of the same sizes.
    Steps(Vec<Statement>),
    /// Selects the residue class of the arguments, and evaluates its form.
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
    /// The remainder for each column.
    pub(super) residues: Vec<i64>,
    pub(super) statements: Vec<Statement>,
    /// The denominator of the sum.
    pub(super) denominator: i128,
}

/// The name of a column: `x1_`, `x2_` and so on. Other internal names end in an underscore as well, which no argument
/// does.
pub(super) fn column(index: usize) -> String {
    format!("x{index}_")
}

/// A step of an evaluation; the sum starts at 0.
pub(super) enum Statement {
    /// Fails as outside of the domain unless all conditions hold.
    Require(Vec<CodeCondition>),
    /// Names a number.
    Let(String, Expression),
    /// Names the result of another function.
    Call {
        name: String,
        function: String,
        /// The capacity, if the function has one, and the sizes.
        arguments: Vec<String>,
    },
    /// Adds a number to the sum if all conditions hold.
    Add(Vec<CodeCondition>, Expression),
    /// Enumerates the values of a name from the maximum of some lower bounds to the minimum of some upper bounds.
    For {
        name: String,
        low: Vec<Expression>,
        high: Vec<Expression>,
        body: Vec<Statement>,
    },
}

/// A condition on a number.
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
    /// The maximum of some numbers; there is at least one.
    Greatest(Vec<Expression>),
    /// `floor(numerator / denominator)`, with a positive denominator.
    Floor(Box<Expression>, i64),
}
