//! Jump functions: the arguments of a function's calls as functions of its own parameters (Callahan, Cooper, Kennedy
//! and Torczon, *Interprocedural Constant Propagation*, 1986).
//!
//! ```text
//! void f(int n, double *x) { g(2 * n, x); g(8, x); }
//! f(n, x)    g: [2 * parameter 0, unknown], [8, unknown]
//! ```

use premiss_tree::{BinaryOperator, IntegerType, UnaryOperator};
use serde::{Deserialize, Serialize};

/// The calls of one function, the input of interprocedural constant propagation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallerRecord {
    /// Its name.
    pub function: String,
    /// The names of its parameters, in order; `None` for unnamed ones.
    pub parameters: Vec<Option<String>>,
    /// Its calls, without duplicates.
    pub calls: Vec<CallSite>,
    /// Functions that it may call with unknown arguments, by unit and name.
    pub unknown_calls: Vec<(u32, String)>,
}

/// A call with the jump functions of its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct CallSite {
    /// The called function, by unit and name.
    pub callee: (u32, String),
    /// One jump function per parameter, in order.
    pub arguments: Vec<JumpFunction>,
}

/// The value of an argument as a function of the caller's parameters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum JumpFunction {
    /// An unknown value: the top element.
    Unknown,
    /// A constant.
    Constant(i64),
    /// The caller's parameter at this position.
    Parameter(usize),
    /// An operation on one operand.
    Unary(#[serde(with = "UnaryRecord")] UnaryOperator, Box<Self>),
    /// An operation on two operands.
    Binary(
        #[serde(with = "BinaryRecord")] BinaryOperator,
        Box<[Self; 2]>,
    ),
    /// The second operand if the first is not zero, else the third.
    Select(Box<[Self; 3]>),
    /// The operand reduced to the range of an integer type.
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
    Unsigned,
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
