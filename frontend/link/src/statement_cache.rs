//! Caches derived facts and rewrites of statements, shared by all functions that inline them.

use premiss_ast::syntax::Statement;
use premiss_ast::{NameUses, SyntaxFacts};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The facts found so far, shared by all units, by the address of the statement. The statements of a program and the
/// rewritten ones in this cache do not move while the program exists.
#[derive(Default)]
pub(crate) struct StatementCache {
    name_uses: Mutex<FxHashMap<StatementAddress, Arc<NameUses>>>,
    rewrites: Mutex<FxHashMap<StatementAddress, Arc<Statement>>>,
}

/// The address of a statement in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct StatementAddress(usize);

impl StatementCache {
    /// The names used in a statement.
    pub(crate) fn name_uses(&self, statement: &Statement) -> Arc<NameUses> {
        memoize(&self.name_uses, statement, || {
            Arc::new(SyntaxFacts::of_statement(statement).into())
        })
    }

    /// The replacement of a statement.
    pub(crate) fn rewrite_once(
        &self,
        statement: &Statement,
        rewrite: &mut dyn FnMut() -> Statement,
    ) -> Arc<Statement> {
        memoize(&self.rewrites, statement, || Arc::new(rewrite()))
    }
}

/// The cached value for a statement, computed on first use. If several threads compute it at once, all get the value
/// that is stored first.
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
