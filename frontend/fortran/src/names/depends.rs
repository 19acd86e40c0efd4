//! What the translation of a file depends on besides its own text, digested.
//!
//! A file may call the external procedures whose names stand in it, and needs to know how they are called. Of everything
//! else (modules, contained procedures, derived types) the whole text of its file counts, for files that may have to do
//! with such. Where these are as they were, a file that says what it said is translated to the same.

use super::index::{Index, Procedure, ProcedureId, Source};
use super::{Entity, Scope, Shape};
use crate::syntax::{Key, UnitKind};
use crate::translate::is_intrinsic;
use premiss_imperative::side_by_side;
use premiss_imperative::syntax::UnitId;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// For each file, a digest of what others say that its translation depends on, wherever that stands; `included` are those
/// of what files say that it includes.
pub(crate) fn depends(index: &Index, sources: &[Source], included: &[u64]) -> Vec<u64> {
    let faces = Faces {
        index,
        all: side_by_side(&index.procedures, face),
    };
    let shared = faces.shared();
    let (mut open, mut plain) = (FxHasher::default(), Vec::new());
    for source in sources {
        let is_plain = is_plain(source, index);
        plain.push(is_plain);
        if !is_plain {
            (source.unit, source.text).hash(&mut open);
            faces.own(source.unit, &mut open);
        }
    }
    index.areas.digest(&mut open);
    let open = open.finish();
    let sources = sources.iter().zip(plain).zip(included);
    side_by_side(sources, |((source, is_plain), included)| {
        let mut hasher = FxHasher::default();
        (shared, included).hash(&mut hasher);
        if !is_plain || may_see_modules(source, index) {
            open.hash(&mut hasher);
        }
        faces.own(source.unit, &mut hasher);
        faces.named(source).hash(&mut hasher);
        hasher.finish()
    })
}

/// How all procedures are called, digested.
struct Faces<'i, 'a> {
    index: &'i Index<'a>,
    all: Vec<u64>,
}

impl Faces<'_, '_> {
    /// What every file depends on.
    fn shared(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.index.lowered.hash(&mut hasher);
        // What is translated as a call of an intrinsic procedure need not be one in the text.
        let externals = self.index.externals.iter();
        let hidden = externals.filter(|(key, _)| is_intrinsic(key));
        let hidden = hidden.map(|(_, ids)| self.of(ids));
        hidden.fold(0, u64::wrapping_add).hash(&mut hasher);
        hasher.finish()
    }

    /// Digests the procedures of a file, the variables that they change, by what they call among others, and the areas in
    /// which they have some.
    fn own(&self, unit: UnitId, hasher: &mut FxHasher) {
        let procedures = &self.index.procedures;
        let first = procedures.partition_point(|one| one.unit < unit);
        let own = procedures[first..].iter().zip(&self.all[first..]);
        for (procedure, face) in own.take_while(|(one, _)| one.unit == unit) {
            (face, &procedure.modified).hash(hasher);
            let areas = procedure.scope.areas.keys();
            areas.for_each(|area| self.index.areas.area(area, hasher));
        }
    }

    /// A digest of the external procedures whose names stand in a file, in no order.
    fn named(&self, source: &Source) -> u64 {
        let names = source.file.names.iter();
        let called = names.filter_map(|name| self.index.externals.get(name));
        called.map(|ids| self.of(ids)).fold(0, u64::wrapping_add)
    }

    fn of(&self, ids: &[ProcedureId]) -> u64 {
        let mut hasher = FxHasher::default();
        ids.iter().for_each(|id| self.all[id.0].hash(&mut hasher));
        hasher.finish()
    }
}

/// Whether a file may have to do with what modules declare, or with a derived type of some other file.
fn may_see_modules(source: &Source, index: &Index) -> bool {
    let names = &source.file.names;
    names.contains("use") || index.types.keys().any(|name| names.contains(name))
}

/// How a procedure is called.
fn face(procedure: &Procedure) -> u64 {
    let hasher = &mut FxHasher::default();
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
    hasher.finish()
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
