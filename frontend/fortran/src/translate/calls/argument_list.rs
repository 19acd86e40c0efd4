//! The actual arguments of one call, as the function that is called takes them, with what has to run before
//! and after the call.

use crate::build;
use premiss_ast::syntax::{At, Expression, Statement, StatementKind};

/// How many arrays of a call may be copied or not as sizes decide: the call is translated once for each choice.
const MAX_ALTERNATIVES: usize = 2;

/// The arguments of a call, by how they are passed.
#[derive(Default, Clone)]
pub(crate) struct ArgumentList {
    pub(crate) scalars: Vec<Expression>,
    pub(crate) extents: Vec<Expression>,
    pub(crate) arrays: Vec<Expression>,
    /// What has to be declared before.
    pub(crate) prologue: Vec<Statement>,
    /// What is to be done when the call has returned.
    pub(crate) epilogue: Vec<Statement>,
    pub(crate) alternatives: Vec<CopyAlternative>,
}

impl ArgumentList {
    /// Adds what has to be done before the call and after it.
    pub(crate) fn surround(&mut self, before: Vec<Statement>, after: Option<Statement>) {
        self.prologue.extend(before);
        self.epilogue.extend(after);
    }

    /// Lets the array that is added next be another one where a condition holds; `None` where there are too many
    /// such arrays.
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

    /// Whether nothing runs before or after the call.
    pub(crate) fn is_plain(&self) -> bool {
        self.prologue.is_empty() && self.epilogue.is_empty() && self.alternatives.is_empty()
    }

    /// The arguments in the order in which procedures take them: scalars, then extents, then arrays, so that
    /// what the bounds of arrays need is there before.
    pub(crate) fn values(&self) -> Vec<Expression> {
        let list = self.scalars.iter().chain(&self.extents);
        list.chain(&self.arrays).cloned().collect()
    }

    /// What comes before a call, and its arguments; `None` where something comes after it.
    pub(crate) fn into_values(self) -> Option<(Vec<Statement>, Vec<Expression>)> {
        let values = self.values();
        let is_all = self.epilogue.is_empty() && self.alternatives.is_empty();
        is_all.then_some((self.prologue, values))
    }

    /// A call with what comes before it and after it.
    pub(crate) fn surround_call(
        mut self,
        at: At,
        call: &dyn Fn(Vec<Expression>) -> Expression,
    ) -> Vec<Statement> {
        let mut list = std::mem::take(&mut self.prologue);
        let after = std::mem::take(&mut self.epilogue);
        list.extend(self.call_by_alternatives(at, call));
        list.extend(after);
        list
    }

    /// The call, once for each choice of arrays and their copies.
    fn call_by_alternatives(
        mut self,
        at: At,
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

/// An array that is passed as it is where a condition holds, and else as a copy.
#[derive(Clone)]
pub(crate) struct CopyAlternative {
    condition: Expression,
    /// Where the array itself is.
    place: Expression,
    /// What fills the copy before the call, and what keeps after it what is in it.
    fill: Option<Statement>,
    keep: Option<Statement>,
    /// Which of the arrays it is.
    idx: usize,
}

/// What a procedure does with an array that it takes, so that a copy has to be filled before, or what is in
/// it is to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentAccess {
    Read,
    Write,
    ReadWrite,
}
