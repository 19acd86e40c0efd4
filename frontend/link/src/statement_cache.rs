//! What the syntax of statements tells, found once for all functions that follow them.

use premiss_ast::syntax::Statement;
use premiss_ast::{NameUses, SyntaxFacts};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What was found so far, for all files. Statements of a program, and those that were put in the place of some of them
/// here, stay where they are as long as it is there.
#[derive(Default)]
pub(crate) struct StatementCache {
    name_uses: Mutex<FxHashMap<StatementAddress, Arc<NameUses>>>,
    rewrites: Mutex<FxHashMap<StatementAddress, Arc<Statement>>>,
}

/// Where a statement is in the memory of this process.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct StatementAddress(usize);

impl StatementCache {
    /// The names in a statement.
    pub(crate) fn name_uses(&self, statement: &Statement) -> Arc<NameUses> {
        memoize(&self.name_uses, statement, || {
            Arc::new(SyntaxFacts::of_statement(statement).into())
        })
    }

    /// What is written in the place of a statement.
    pub(crate) fn rewrite_once(
        &self,
        statement: &Statement,
        rewrite: &mut dyn FnMut() -> Statement,
    ) -> Arc<Statement> {
        memoize(&self.rewrites, statement, || Arc::new(rewrite()))
    }
}

/// The value for a statement, computed where there is none. Where several threads compute it at once, all get what the
/// first one found.
fn memoize<T>(
    cache: &Mutex<FxHashMap<StatementAddress, Arc<T>>>,
    statement: &Statement,
    compute: impl FnOnce() -> Arc<T>,
) -> Arc<T> {
    let lock = || cache.lock().unwrap_or_else(PoisonError::into_inner);
    let address = StatementAddress(std::ptr::from_ref(statement).addr());
    let cached = lock().get(&address).cloned();
    cached.unwrap_or_else(|| {
        let computed = compute();
        lock().entry(address).or_insert(computed).clone()
    })
}
