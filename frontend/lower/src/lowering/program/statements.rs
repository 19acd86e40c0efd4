//! What the texts of statements tell, found once for all functions that follow them.

use super::Program;
use crate::syntax::Statement;
use premiss_ast::{NameUses, SyntaxFacts};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What was found so far, for all files. Statements of a program, and those that are written in the place of some of them
/// here, stay where they are as long as it is there.
#[derive(Default)]
pub(super) struct Statements {
    mentions: Mutex<FxHashMap<Place, Arc<NameUses>>>,
    rewritten: Mutex<FxHashMap<Place, Arc<Statement>>>,
}

/// Where a statement is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place(usize);

impl Place {
    fn of(statement: &Statement) -> Self {
        Self(std::ptr::from_ref(statement).addr())
    }
}

impl Program<'_> {
    /// What stands in a statement.
    pub(in crate::lowering) fn mentions(&self, statement: &Statement) -> Arc<NameUses> {
        let find = || Arc::new(SyntaxFacts::of_statement(statement).into());
        known_or(&self.linked.statements.mentions, statement, find)
    }

    /// What is written in the place of a statement.
    pub(in crate::lowering) fn rewritten(
        &self,
        statement: &Statement,
        rewrite: impl FnOnce() -> Statement,
    ) -> Arc<Statement> {
        let rewrite = || Arc::new(rewrite());
        known_or(&self.linked.statements.rewritten, statement, rewrite)
    }
}

/// What is known of a statement, found where nobody asked before. Where several ask at once, all get what the first found.
fn known_or<T>(
    known: &Mutex<FxHashMap<Place, Arc<T>>>,
    statement: &Statement,
    find: impl FnOnce() -> Arc<T>,
) -> Arc<T> {
    let known = || known.lock().unwrap_or_else(PoisonError::into_inner);
    let place = Place::of(statement);
    let found = known().get(&place).cloned();
    found.unwrap_or_else(|| {
        let found = find();
        known().entry(place).or_insert(found).clone()
    })
}
