//! The actual arguments of one call in the form in which the callee takes them, with the statements before and after
//! the call.

use crate::build;
use premiss_ast::syntax::{Expression, Statement, StatementKind, TextRange};

/// The maximum number of arrays of a call whose copying depends on sizes: the call is translated once for each
/// combination.
const MAX_ALTERNATIVES: usize = 2;

/// The arguments of a call, by how they are passed.
#[derive(Default, Clone)]
pub(crate) struct ArgumentList {
    pub(crate) scalars: Vec<Expression>,
    pub(crate) extents: Vec<Expression>,
    pub(crate) arrays: Vec<Expression>,
    /// Declarations and statements before the call.
    pub(crate) prologue: Vec<Statement>,
    /// Statements after the call.
    pub(crate) epilogue: Vec<Statement>,
    pub(crate) alternatives: Vec<CopyAlternative>,
}

impl ArgumentList {
    /// Adds statements before and after the call.
    pub(crate) fn surround(&mut self, before: Vec<Statement>, after: Option<Statement>) {
        self.prologue.extend(before);
        self.epilogue.extend(after);
    }

    /// Makes the next array depend on a condition; `None` if there are too many such arrays.
    pub(crate) fn choose(
        &mut self,
        condition: Expression,
        place: Expression,
        fill: Option<Statement>,
        keep: Option<Statement>,
    ) -> Option<()> {
        self.alternatives.push(CopyAlternative {
            condition,
            place,
            fill,
            keep,
            idx: self.arrays.len(),
        });
        (self.alternatives.len() <= MAX_ALTERNATIVES).then_some(())
    }

    /// Whether no statements are executed before or after the call.
    pub(crate) fn is_plain(&self) -> bool {
        self.prologue.is_empty() && self.epilogue.is_empty() && self.alternatives.is_empty()
    }

    /// The arguments in the order of the callee's parameters: scalars, then extents, then arrays, so that the bounds
    /// of arrays can use the parameters before them.
    pub(crate) fn values(&self) -> Vec<Expression> {
        let list = self.scalars.iter().chain(&self.extents);
        list.chain(&self.arrays).cloned().collect()
    }

    /// The statements before a call and its arguments; `None` if there are statements after it.
    pub(crate) fn into_values(self) -> Option<(Vec<Statement>, Vec<Expression>)> {
        let values = self.values();
        let is_all = self.epilogue.is_empty() && self.alternatives.is_empty();
        is_all.then_some((self.prologue, values))
    }

    /// A call with the statements before and after it.
    pub(crate) fn surround_call(
        mut self,
        at: TextRange,
        call: &dyn Fn(Vec<Expression>) -> Expression,
    ) -> Vec<Statement> {
        let mut list = std::mem::take(&mut self.prologue);
        let after = std::mem::take(&mut self.epilogue);
        list.extend(self.call_by_alternatives(at, call));
        list.extend(after);
        list
    }

    /// The call, once for each combination of arrays and copies.
    fn call_by_alternatives(
        mut self,
        at: TextRange,
        call: &dyn Fn(Vec<Expression>) -> Expression,
    ) -> Vec<Statement> {
        let Some(last) = self.alternatives.pop() else {
            return vec![build::evaluate(call(self.values()))];
        };
        let mut whole = self.clone();
        if let Some(array) = whole.arrays.get_mut(last.idx) {
            *array = last.place;
        }
        let mut copied: Vec<Statement> = last.fill.into_iter().collect();
        copied.extend(self.call_by_alternatives(at, call));
        copied.extend(last.keep);
        let choice = StatementKind::If {
            condition: last.condition,
            then: Box::new(build::block(at, whole.call_by_alternatives(at, call))),
            otherwise: Some(Box::new(build::block(at, copied))),
        };
        vec![build::statement(at, choice)]
    }
}

/// An array that is passed directly if a condition holds, else as a copy.
#[derive(Clone)]
pub(crate) struct CopyAlternative {
    condition: Expression,
    /// The address of the array itself.
    place: Expression,
    /// The statement that fills the copy before the call, and the one that stores it back after the call.
    fill: Option<Statement>,
    keep: Option<Statement>,
    /// Its index among the arrays.
    idx: usize,
}

/// What a procedure does with an array argument, which determines whether a copy is filled before the call and stored
/// back after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentAccess {
    Read,
    Write,
    ReadWrite,
}
