//! The arithmetic of a function, apart from its array accesses.
//!
//! A [`NestTree`](crate::NestTree) contains only what determines cache misses. Its [`Work`] is the same function with
//! its arithmetic: it keeps a branch that only chooses between two sums, and the size that only this branch depends
//! on. Loops, references and arrays have the same ids in both, so analyses of misses need not know about [`Work`].
//!
//! ```text
//! for (i = 0; i < n; i++)          loop i = 0; i < n; i += 1     each iteration: 1 compare, 1 add
//!     s += x[i] * 2.0;                 access load x + 8*i
//!                                      operations 1 mul, 1 add of doubles, 1 pair; reads s
//! ```

use crate::{
    Averages, LoopId, Node, Parameter, ParameterId, ReferenceId, SecondaryMap, Table, TableId,
    Variable, VariableId,
};
use cranelift_entity::{PrimaryMap, entity_impl};
use premiss_source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A statement or condition that computes something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationsId(u32);
entity_impl!(OperationsId, "O");

/// A scalar variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScalarId(u32);
entity_impl!(ScalarId, "K");

/// A function with its arithmetic.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// The parameters of the tree under the same ids, followed by those that only arithmetic depends on.
    pub parameters: PrimaryMap<ParameterId, Parameter>,
    /// The variables of the tree under the same ids, followed by those that only arithmetic depends on.
    pub variables: PrimaryMap<VariableId, Variable>,
    /// The tables of the tree under the same ids, followed by those that only arithmetic depends on.
    pub tables: PrimaryMap<TableId, Table>,
    /// The arithmetic of statements and conditions, in order of lowering.
    pub operations: PrimaryMap<OperationsId, Operations>,
    /// The arithmetic of each loop's header per iteration: its condition and its step.
    pub headers: SecondaryMap<LoopId, Arithmetic>,
    /// Loops whose trip count is only known after their last iteration: their condition depends on data, or data may
    /// end them early.
    pub ended_by_data: BTreeSet<LoopId>,
    /// The type of the element that each reference accesses, where it is known.
    pub elements: SecondaryMap<ReferenceId, Option<Operands>>,
    /// How each store combines the old value of its element with other values, if it does: `a[k] += x` is a sum.
    pub updates: SecondaryMap<ReferenceId, Option<Combination>>,
    /// The scalar variables of the program.
    pub scalars: PrimaryMap<ScalarId, Scalar>,
    /// The body of the function, in order of execution: the accesses of the tree with [`Node::Operations`] between
    /// them.
    pub body: Vec<Node>,
    /// Average execution counts of its parts; empty if none are known.
    pub averages: Averages,
}

/// The arithmetic of one execution of a statement or condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operations {
    /// The operations and the scalars used.
    pub arithmetic: Arithmetic,
    /// The statement, or the condition itself.
    pub span: Span,
    /// The innermost enclosing loop; `None` outside of loops.
    pub inside: Option<LoopId>,
}

/// Operation counts by kind, with the scalars that are read and written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arithmetic {
    /// The number of operations of each kind.
    pub performed: BTreeMap<Operation, u32>,
    /// How many of these operations are pairs of a sum or difference and a product that is one of its operands, by
    /// operand type: one fused multiply-add each on a machine that has it. A pair counts as two operations in
    /// `performed`. `y + a*b + c*d` has two pairs.
    pub fused: BTreeMap<Operands, u32>,
    /// The scalar variables that are read, with the number of reads.
    pub reads: BTreeMap<ScalarId, u32>,
    /// Those of them whose value on entry is read: there is no earlier write in this statement.
    pub needs: BTreeSet<ScalarId>,
    /// The scalar variables that are written.
    pub writes: BTreeMap<ScalarId, Write>,
    /// The called functions that are neither inlined nor counted as operations.
    pub calls: BTreeSet<Arc<str>>,
    /// Whether variables are used in a way that `reads` and `writes` do not show: through a pointer, or as part of a
    /// whole struct.
    pub is_veiled: bool,
}

/// How a statement writes a scalar variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The number of writes.
    pub times: u32,
    /// How the old value is combined with other values, if every write combines it in the same way: `s = s + x` is a
    /// sum.
    pub combines: Option<Combination>,
    /// The most general kind of value that the old value is combined with.
    pub with: Operand,
}

/// What the old value of a variable is combined with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Operand {
    /// Literals.
    Literals,
    /// Literals and variables that the statement reads.
    Variables,
    /// Anything.
    Anything,
}

/// An associative and commutative reduction operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Combination {
    /// Sums and differences.
    Sum,
    /// Products.
    Product,
    /// Minimum.
    Least,
    /// Maximum.
    Greatest,
}

impl Arithmetic {
    /// Whether there are no operations, no calls, and no reads or writes of variables.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let is_idle = self.performed.is_empty() && self.calls.is_empty();
        is_idle && !self.is_veiled && self.reads.is_empty() && self.writes.is_empty()
    }
}

/// A kind of operation: counts are kept per kind, operand type and role.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Operation {
    /// The operation.
    pub kind: OperationKind,
    /// The type of its operands.
    pub operands: Operands,
    /// What the result is used for.
    pub role: Role,
}

/// The operations that are distinguished.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OperationKind {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a % b`
    Remainder,
    /// `-a`
    Negate,
    /// A square root.
    SquareRoot,
    /// `a < b` and the other comparisons; minimum and maximum of two integers.
    Compare,
    /// Shifts and bitwise operations.
    Bits,
    /// A function of the mathematical library, by its name in C or, if C has none, in the source language.
    Call(Arc<str>),
}

/// The type that the operands of an operation are converted to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operands {
    /// Floating-point numbers of this many bytes.
    Floating(u32),
    /// Complex numbers whose parts have this many bytes. An operation on them counts as one.
    Complex(u32),
    /// Integers of this many bits; addresses are integers of 64 bits.
    Integer(u8),
}

impl Operands {
    /// Whether these are floating-point or complex numbers.
    #[must_use]
    pub fn is_floating(self) -> bool {
        !matches!(self, Self::Integer(_))
    }
}

impl OperationKind {
    /// A short name: `add`, `mul`; for a call that of the function.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Add => "add",
            Self::Subtract => "sub",
            Self::Multiply => "mul",
            Self::Divide => "div",
            Self::Remainder => "mod",
            Self::Negate => "neg",
            Self::SquareRoot => "sqrt",
            Self::Compare => "compare",
            Self::Bits => "bits",
            Self::Call(name) => name,
        }
    }
}

/// What the result of an operation is used for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// The program's data.
    Data,
    /// The address of an array element: the operation is in a subscript, or moves a pointer.
    Index,
    /// Loop control: the operation is in a loop's header.
    Header,
}

/// A scalar variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// Its name as written.
    pub name: String,
    /// The type of its value.
    pub holds: Operands,
    /// Whether it is a member of a struct variable.
    pub is_member: bool,
    /// Whether several variables of this name, in nested scopes, may share this id.
    pub is_shadowed: bool,
}
