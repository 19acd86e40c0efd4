//! The rows of the tables of a tree: parameters, variables, arrays, references, loops, tables of constants.

use crate::{ArrayId, Expression, LoopId};
use premiss_source::Span;
use std::sync::Arc;

/// A size of the program that the function does not change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name as written, such as `n`.
    pub name: String,
    /// Its value, where the source fixes it, every caller agrees on it, or the user gave it.
    pub value: Option<i64>,
    /// What it stands for.
    pub kind: ParameterKind,
    /// Where it is declared.
    pub span: Span,
}

/// What a parameter stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ParameterKind {
    /// A size: nothing can be counted without its value.
    Size,
    /// The minimum or the maximum of the integers that one load of the program yields. Without a value,
    /// loops bounded by it have an unknown trip count.
    Extremum,
    /// A condition that keeps its value, as 0 or 1. Without a value, both arms are possible.
    Predicate,
}

/// An integer variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name as written; a scalar that the front end made has a name that no source can have.
    pub name: String,
}

/// Constants that the program looks up: what an array of integers holds, wherever the function is.
///
/// Loading an entry is an access of its own in the tree; the table says what the load yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The array as written, with the member where it holds structs: `dx`, `steps.x`.
    pub name: String,
    /// The numbers; of unsigned 64-bit ones the signed numbers with the same bits. Trees of one
    /// program share them.
    pub entries: Arc<[i64]>,
}

impl Table {
    /// The entry at an index; `None` where the table has none.
    #[must_use]
    pub fn entry(&self, index: i64) -> Option<i64> {
        let index = usize::try_from(index).ok()?;
        self.entries.get(index).copied()
    }
}

/// Which group of the layout an array belongs to, in the order of the groups in memory (rule 4 of
/// the access model).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Storage {
    /// File-scope and static arrays, COMMON blocks and module variables.
    Global,
    /// Parameters of the function.
    Parameter,
    /// Local and allocated arrays of the function.
    Local,
    /// Local arrays of functions that it calls, in order of first call.
    Callee,
}

/// A region of memory that references name elements of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// Its name as written.
    pub name: String,
    /// Its group in the layout.
    pub storage: Storage,
    /// Size of one (scalar) element in bytes.
    pub element_size: u32,
    /// Its size in bytes as declared or allocated, a function of parameters and constants alone;
    /// `None` where nothing says.
    pub extent: Option<Expression>,
    /// Its shape as declared: how many bytes lie between neighbours in each dimension, the outermost
    /// first, functions of parameters and constants alone. `[8 * m, 8]` for `double a[n][m]`; empty
    /// where nothing says. References need not keep to it.
    pub strides: Vec<Expression>,
    /// Where it is declared.
    pub span: Span,
}

/// Whether an access reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// It reads.
    Load,
    /// It writes.
    Store,
}

/// One place in the source that loads or stores an array element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The array.
    pub array: ArrayId,
    /// Whether it reads or writes.
    pub kind: AccessKind,
    /// Which element: the distance of its first byte from the start of the array, in bytes, as a
    /// function of parameters and the current values of variables.
    pub offset: Expression,
    /// How many bytes it touches.
    pub size: u32,
    /// Where it is written; inside a macro, where the macro is used.
    pub span: Span,
    /// Its text as written, runs of white space as one space, such as `A[i + 1][j]`.
    pub text: String,
    /// The innermost loop around it.
    pub inside: Option<LoopId>,
    /// The function that it is written in; differs from the tree's own where a call was followed.
    pub function: String,
}

/// What the source says about a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopHeader {
    /// Its iterator as written.
    pub iterator: String,
    /// The loop around it.
    pub inside: Option<LoopId>,
    /// The statement's keyword and header.
    pub span: Span,
    /// The function that it is written in.
    pub function: String,
}
