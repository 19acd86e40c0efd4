//! The arithmetic of a function, beside what it does to arrays.
//!
//! A [`NestTree`](crate::NestTree) holds what decides about misses and nothing else. Its [`Work`] is the
//! same function with its arithmetic left in: a branch that only chooses between two sums is there, and
//! so is the size that only this branch depends on. Loops, references and arrays have the same ids in
//! both, so that engines that look for misses never see the difference.
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

/// A place where arithmetic runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationsId(u32);
entity_impl!(OperationsId, "O");

/// A scalar variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScalarId(u32);
entity_impl!(ScalarId, "K");

/// What a function does, its arithmetic included.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// The sizes of the tree under the same ids, then those that arithmetic alone depends on.
    pub parameters: PrimaryMap<ParameterId, Parameter>,
    /// The variables of the tree under the same ids, then those that arithmetic alone depends on.
    pub variables: PrimaryMap<VariableId, Variable>,
    /// The tables of the tree under the same ids, then those that arithmetic alone depends on.
    pub tables: PrimaryMap<TableId, Table>,
    /// Where arithmetic runs, in the order of the text that was executed.
    pub operations: PrimaryMap<OperationsId, Operations>,
    /// What each loop does for every iteration beside its body: its test and its step.
    pub headers: SecondaryMap<LoopId, Arithmetic>,
    /// Loops of which only the iterations tell which is the last: they run while data say so, or data may
    /// end them early.
    pub ended_by_data: BTreeSet<LoopId>,
    /// What the element is that each reference touches, where its type is known.
    pub elements: SecondaryMap<ReferenceId, Option<Operands>>,
    /// How each store combines what its element held with other values, where it does: `a[k] += x` is
    /// a sum.
    pub updates: SecondaryMap<ReferenceId, Option<Combination>>,
    /// Its scalar variables.
    pub scalars: PrimaryMap<ScalarId, Scalar>,
    /// What it does, in order; holds the accesses of the tree and [`Node::Operations`] between them.
    pub body: Vec<Node>,
    /// How often parts of it run on average; empty where the text is all that is known.
    pub averages: Averages,
}

/// What one statement computes where it is executed once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operations {
    /// What runs.
    pub arithmetic: Arithmetic,
    /// The statement; a condition stands for itself.
    pub span: Span,
    /// The innermost loop around it.
    pub inside: Option<LoopId>,
}

/// Operations by kind, with the scalars that they read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arithmetic {
    /// How many of each kind run.
    pub performed: BTreeMap<Operation, u32>,
    /// How many of these are a sum or difference together with the product that is one of its operands,
    /// by what they compute with: one fused instruction each, where a machine has it. They count as two
    /// in `performed`. `y + a*b + c*d` has two.
    pub fused: BTreeMap<Operands, u32>,
    /// The scalar variables whose values are used, each time.
    pub reads: BTreeMap<ScalarId, u32>,
    /// Those of them whose values from before are used, as nothing here has written them by then.
    pub needs: BTreeSet<ScalarId>,
    /// The scalar variables that get a value.
    pub writes: BTreeMap<ScalarId, Write>,
    /// The functions that are called, and neither followed nor operations.
    pub calls: BTreeSet<Arc<str>>,
    /// Whether variables are used in a way that `reads` and `writes` do not tell: through a pointer, or
    /// a struct as a whole.
    pub is_veiled: bool,
}

/// How a statement gives a scalar variable its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// How many times.
    pub times: u32,
    /// What its old value is combined with others by, where each time it is: `s = s + x` is a sum.
    pub combines: Option<Combination>,
    /// What its old value is combined with, at worst.
    pub with: Operand,
}

/// What a variable's old value is combined with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Operand {
    /// Literals.
    Literals,
    /// Literals and variables that the statement reads.
    Variables,
    /// Anything.
    Anything,
}

/// An operation that may combine many values in any order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Combination {
    /// Sums and differences.
    Sum,
    /// Products.
    Product,
    /// The least.
    Least,
    /// The greatest.
    Greatest,
}

impl Arithmetic {
    /// Whether nothing runs, and no variable is read or written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let is_idle = self.performed.is_empty() && self.calls.is_empty();
        is_idle && !self.is_veiled && self.reads.is_empty() && self.writes.is_empty()
    }
}

/// A kind of operation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Operation {
    /// What is done.
    pub kind: OperationKind,
    /// With what.
    pub operands: Operands,
    /// What for.
    pub role: Role,
}

/// What an operation does.
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
    /// `a < b` and its like; the lesser or greater of two integers.
    Compare,
    /// Shifts, and operations on bits.
    Bits,
    /// A function of the mathematical library, by its name in C or, where it has none, in its language.
    Call(Arc<str>),
}

/// What an operation computes with: the type that its operands are brought to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operands {
    /// Real numbers of so many bytes.
    Floating(u32),
    /// Complex numbers with parts of so many bytes. One operation on them counts as one.
    Complex(u32),
    /// Integers of so many bits; addresses are integers of 64.
    Integer(u8),
}

impl Operands {
    /// Whether it computes with real or complex numbers.
    #[must_use]
    pub fn is_floating(self) -> bool {
        !matches!(self, Self::Integer(_))
    }
}

impl OperationKind {
    /// A short name: `add`, `mul`, that of a function.
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

/// What the result of an operation is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// The program's own data.
    Data,
    /// Finding an array element: it stands in a subscript, or moves a pointer.
    Index,
    /// Running a loop: it stands in the loop's header.
    Header,
}

/// A scalar variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// Its name as written.
    pub name: String,
    /// What it holds.
    pub holds: Operands,
    /// Whether it is a member of a struct that is a variable.
    pub is_member: bool,
    /// Whether it may stand for several variables of its name, one inside the scope of another.
    pub is_shadowed: bool,
}
