//! What functions pass to each other, as it is remembered.
//!
//! ```text
//! void f(int n, double *x) { g(2 * n, x); g(8, x); }
//! f(n, x)    g: [2 * parameter 0, unknown], [8, unknown]
//! ```

use premiss_tree::{BinaryOperator, IntegerType, UnaryOperator};
use serde::{Deserialize, Serialize};

/// What one function passes to others: its part of the equations between sizes that callers agree on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Passing {
    /// Its name.
    pub(crate) function: String,
    /// The names of its parameters.
    pub(crate) parameters: Vec<Option<String>>,
    /// Its calls, none twice.
    pub(crate) calls: Vec<PassingCall>,
    /// Functions that it may call with anything, by unit and name.
    pub(crate) lost_calls: Vec<(u32, String)>,
}

/// A call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct PassingCall {
    /// The function that is called, by unit and name.
    pub(crate) callee: (u32, String),
    pub(crate) arguments: Vec<Argument>,
}

/// What is passed, as a function of the caller's parameters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) enum Argument {
    Unknown,
    Value(i64),
    /// The caller's parameter at this position.
    Own(usize),
    Unary(#[serde(with = "UnaryRecord")] UnaryOperator, Box<Self>),
    Binary(
        #[serde(with = "BinaryRecord")] BinaryOperator,
        Box<[Self; 2]>,
    ),
    /// The second where the first is not zero, else the third.
    Select(Box<[Self; 3]>),
    Wrap(#[serde(with = "IntegerRecord")] IntegerType, Box<Self>),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "IntegerType")]
struct IntegerRecord {
    bits: u8,
    signed: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "UnaryOperator")]
enum UnaryRecord {
    Negate,
    BitNot,
    Not,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "BinaryOperator")]
enum BinaryRecord {
    Add,
    Subtract,
    Multiply,
    Quotient,
    Remainder,
    Minimum,
    Maximum,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    LessUnsigned,
    LessEqualUnsigned,
    Equal,
    NotEqual,
    And,
    Or,
}
