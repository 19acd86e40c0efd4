//! Caches derived facts and rewrites of statements, shared by all functions that inline them.

use premiss_ast::syntax::Statement;
use premiss_ast::{NameUses, SyntaxFacts};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// The facts found so far, shared by all units, by the address of the statement. The statements of a program and the
/// rewritten ones in this cache do not move while the program exists.
#[derive(Default)]
pub(crate) struct StatementCache {
    name_uses: Mutex<FxHashMap<StatementAddress, Arc<NameUses>>>,
    rewrites: Mutex<FxHashMap<(StatementAddress, Rewriting), Arc<Statement>>>,
}

/// What a statement is rewritten into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rewriting {
    /// A loop with a part of its condition as an exit in its body.
    GuardsInBody,
    /// A loop with exits of its body in its condition.
    ExitsInCondition,
    /// A loop whose condition `c ? a : b` is `c && a`.
    FirstArm,
    /// A loop whose condition `c ? a : b` is `!c && b`.
    SecondArm,
    /// A loop that ends where this is no longer an element of the array that its condition reads.
    WithinArray(i64),
}

/// The address of a statement in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct StatementAddress(usize);

impl StatementCache {
    /// The names used in a statement.
    pub(crate) fn name_uses(&self, statement: &Statement) -> Arc<NameUses> {
        memoize(&self.name_uses, StatementAddress::of(statement), || {
            Arc::new(SyntaxFacts::of_statement(statement).into())
        })
    }

    /// The replacement of a statement.
    pub(crate) fn rewrite_once(
        &self,
        statement: &Statement,
        kind: Rewriting,
        rewrite: &mut dyn FnMut() -> Statement,
    ) -> Arc<Statement> {
        let key = (StatementAddress::of(statement), kind);
        memoize(&self.rewrites, key, || Arc::new(rewrite()))
    }
}

impl StatementAddress {
    fn of(statement: &Statement) -> Self {
        Self(std::ptr::from_ref(statement).addr())
    }
}

/// The cached value for a key, computed on first use. If several threads compute it at once, all get the value that is
/// stored first.
fn memoize<K: Copy + Eq + Hash, T>(
    cache: &Mutex<FxHashMap<K, Arc<T>>>,
    key: K,
    compute: impl FnOnce() -> Arc<T>,
) -> Arc<T> {
    let lock = || cache.lock().unwrap_or_else(PoisonError::into_inner);
    let cached = lock().get(&key).cloned();
    cached.unwrap_or_else(|| {
        let computed = compute();
        lock().entry(key).or_insert(computed).clone()
    })
}
