//! The entities of a tree, one table each: parameters, variables, arrays, references, loops, tables of constants.

use crate::{ArrayId, Expression, LoopId};
use premiss_source::Span;
use std::sync::Arc;

/// An integer that does not change while the function runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name as written, such as `n`.
    pub name: String,
    /// Its value, where the source fixes it, all callers agree on it, or the user gave it.
    pub value: Option<i64>,
    /// What kind of integer it is.
    pub kind: ParameterKind,
    /// Where it is declared.
    pub span: Span,
}

/// The kinds of parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ParameterKind {
    /// A size: without a value for it, nothing can be counted.
    Size,
    /// The minimum or the maximum of the integers that one load of the program yields, or of the ends or the number of
    /// iterations of a loop. Without a value, loops bounded by it have an unknown trip count.
    Extremum,
    /// A loop-invariant condition as 0 or 1. Without a value, both arms of a branch are possible.
    Predicate,
}

/// An integer variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name as written; scalars that the front end introduces have names that cannot occur in a source file.
    pub name: String,
}

/// A table of constants: the elements of an array of integers that never change.
///
/// Loading an entry is a separate access in the tree; the table gives the value that the load yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The array as written, with the member where its elements are structs: `dx`, `steps.x`.
    pub name: String,
    /// The entries, in order of their indices; unsigned 64-bit values of 2^63 or more are stored as the negative
    /// numbers with the same bits. Trees of one program share them.
    pub entries: Arc<[i64]>,
}

impl Table {
    /// The entry at an index counted from 0; `None` if the table has none.
    #[must_use]
    pub fn entry(&self, index: i64) -> Option<i64> {
        let index = usize::try_from(index).ok()?;
        self.entries.get(index).copied()
    }
}

/// The group of the memory layout that an array belongs to, in the order of the groups in memory (rule 4 of the access
/// model).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Storage {
    /// File-scope and static arrays, COMMON blocks and module variables.
    Global,
    /// Parameters of the function.
    Parameter,
    /// Local and allocated arrays of the function.
    Local,
    /// Local arrays of callees, in order of first call.
    Callee,
}

/// A region of memory whose elements references access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// Its name as written.
    pub name: String,
    /// Its group in the layout.
    pub storage: Storage,
    /// The size of one scalar element, in bytes.
    pub element_size: u32,
    /// Its size in bytes as declared or allocated, a function of parameters and constants alone; `None` if unknown.
    pub extent: Option<Expression>,
    /// The distance in bytes between neighbours in each dimension of the declared shape, outermost first, as functions
    /// of parameters and constants alone: `[8 * m, 8]` for `double a[n][m]`; empty if unknown. References need not
    /// follow this shape.
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
    /// The byte offset of the accessed element from the start of the array, as a function of parameters and the
    /// current values of variables.
    pub offset: Expression,
    /// The number of bytes accessed.
    pub size: u32,
    /// Where it is written; for text from a macro, the invocation.
    pub span: Span,
    /// Its text as written, such as `A[i + 1][j]`; each run of white space is one space.
    pub text: String,
    /// The innermost enclosing loop; `None` outside of loops.
    pub inside: Option<LoopId>,
    /// The function that it is written in; differs from the tree's function where a call was followed.
    pub function: String,
}

/// The source-level description of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopHeader {
    /// Its iterator as written.
    pub iterator: String,
    /// The enclosing loop; `None` for an outermost loop.
    pub inside: Option<LoopId>,
    /// The statement's keyword and header.
    pub span: Span,
    /// The function that it is written in.
    pub function: String,
}
