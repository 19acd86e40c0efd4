//! What the translation of a file depends on besides its own text, digested.
//!
//! Of external procedures callers need to know how they are called; of everything else (modules, contained
//! procedures, derived types) the whole text of its file counts. Where both are as they were, a file that says what it
//! said is translated to the same.

use super::index::{Index, Procedure, Source};
use super::{Entity, Scope, Shape};
use crate::syntax::{Key, UnitKind};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// For each file, a digest of what others say that its translation depends on, wherever that stands.
pub(crate) fn depends(index: &Index, sources: &[Source]) -> Vec<u64> {
    let mut shared = FxHasher::default();
    index
        .procedures
        .iter()
        .for_each(|one| face(one, &mut shared));
    for source in sources {
        if !is_plain(source, index) {
            (source.unit, source.text).hash(&mut shared);
        }
    }
    index.areas.digest(&mut shared);
    index.lowered.hash(&mut shared);
    let shared = shared.finish();
    let mut all: Vec<FxHasher> = sources.iter().map(|_| FxHasher::default()).collect();
    all.iter_mut().for_each(|hasher| shared.hash(hasher));
    for procedure in &index.procedures {
        // Which of its own variables it changes depends on what it calls.
        if let Some(hasher) = all.get_mut(procedure.unit.0 as usize) {
            procedure.modified.hash(hasher);
        }
    }
    all.into_iter().map(|hasher| hasher.finish()).collect()
}

/// How a procedure is called.
fn face(procedure: &Procedure, hasher: &mut FxHasher) {
    let ast = procedure.ast;
    let is_function = ast.kind == UnitKind::Function;
    (procedure.unit, &ast.name.key, &procedure.name, is_function).hash(hasher);
    (procedure.host, &procedure.passing, &procedure.captured).hash(hasher);
    for dummy in &ast.dummies {
        let key = dummy.as_ref().map(|dummy| &dummy.key);
        key.hash(hasher);
        key.into_iter()
            .for_each(|key| variable(&procedure.scope, key, hasher));
    }
    let result = ast.result.as_ref().unwrap_or(&ast.name);
    result.key.hash(hasher);
    variable(&procedure.scope, &result.key, hasher);
}

/// What callers ask of a dummy argument or a result.
fn variable(scope: &Scope, key: &Key, hasher: &mut FxHasher) {
    match scope.variable(key) {
        Some(variable) => {
            let rank = variable.shape.as_ref().map(Shape::rank);
            (&variable.kind, rank, variable.is_optional).hash(hasher);
        }
        None => scope.implicit.of(key).hash(hasher),
    }
}

/// Whether all that others can ask of a file is how its external procedures are called.
fn is_plain(source: &Source, index: &Index) -> bool {
    let mut units = source.file.units.iter();
    let first = index
        .procedures
        .partition_point(|one| one.unit < source.unit);
    let own = index.procedures[first..].iter();
    let mut own = own.take_while(|one| one.unit == source.unit);
    let has_types = |scope: &Scope| {
        let mut symbols = scope.symbols.values();
        symbols.any(|symbol| matches!(symbol.entity, Entity::DerivedType(_)))
    };
    units.all(|unit| unit.kind != UnitKind::Module && unit.contained.is_empty())
        && !own.any(|one| has_types(&one.scope))
}
