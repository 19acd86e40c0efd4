//! All program units of the files that are read together.

use super::deeds::Callee;
use super::draft::{Account, Draft};
use super::face::Passing;
use super::find::{Found, find};
use super::intents::modified_variables;
use super::lowered::lowered;
use super::{AreaTable, DerivedType, Entity, Scope};
use crate::syntax::{File, Key, ProgramUnit, Words};
use premiss_imperative::syntax::{Name, Struct, UnitId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A parsed file.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) unit: UnitId,
    pub(crate) text: &'a str,
    pub(crate) file: &'a File,
}

/// A file, or what an earlier run kept of it.
pub(crate) enum Told<'a> {
    Read(Source<'a>),
    Drafted(UnitId, &'a Draft),
}

impl Told<'_> {
    pub(crate) fn unit(&self) -> UnitId {
        match self {
            Self::Read(source) => source.unit,
            Self::Drafted(unit, _) => *unit,
        }
    }

    pub(crate) fn words(&self) -> &Words {
        match self {
            Self::Read(source) => &source.file.words,
            Self::Drafted(_, draft) => &draft.words,
        }
    }
}

/// What the text of a file says, which other files do not ask for.
#[derive(Default)]
pub(crate) struct Own<'a> {
    /// Its procedures, in order.
    pub(crate) procedures: Vec<Written<'a>>,
    pub(crate) structs: Vec<Struct>,
    /// Whether all that others can ask of it is how its external procedures are called: it has no modules, contained
    /// procedures, derived types and objects of such.
    pub(crate) is_plain: bool,
}

/// A procedure as it is written, with what its names mean.
#[derive(Clone)]
pub(crate) struct Written<'a> {
    pub(crate) ast: &'a ProgramUnit,
    pub(crate) scope: Arc<Scope>,
}

/// A procedure or main program that the files define.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ProcedureId(pub(crate) usize);

/// A procedure with what its callers need to know.
pub(crate) struct Procedure {
    pub(crate) unit: UnitId,
    pub(crate) account: Arc<Account>,
    /// Its name among those of all files.
    pub(crate) name: Name,
    pub(crate) passing: Vec<Passing>,
    /// Variables of its host that it uses, with how they are handed over.
    pub(crate) captured: Vec<(Key, Passing)>,
    pub(crate) host: Option<ProcedureId>,
    /// The variables that it changes, itself or by what it calls.
    pub(crate) modified: BTreeSet<Key>,
}

/// Everything that has a name.
pub(crate) struct Index {
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) modules: BTreeMap<Key, (UnitId, Arc<Scope>)>,
    pub(crate) externals: FxHashMap<Key, Vec<ProcedureId>>,
    pub(crate) areas: AreaTable,
    /// All derived types by their names.
    pub(crate) types: BTreeMap<Key, Arc<DerivedType>>,
    /// Arrays that some statement gives another lower bound than 1 when the program runs.
    pub(crate) lowered: BTreeSet<Key>,
}

impl Index {
    /// The index of files, the unit of each being its place in the list, with what each has for itself.
    pub(crate) fn new<'a>(files: &[Told<'a>]) -> (Self, Vec<Own<'a>>) {
        let found = find(files);
        let mut areas = AreaTable::default();
        let modules = found.modules.values();
        modules.for_each(|(_, scope)| areas.add(scope.areas.values()));
        let accounts = found.procedures.iter().map(|one| &one.account);
        accounts.for_each(|account| areas.add(&account.areas));
        let mut index = Self {
            types: types(&found),
            procedures: found.procedures,
            modules: found.modules,
            externals: found.externals,
            areas,
            lowered: BTreeSet::new(),
        };
        index.lowered = lowered(&index, files, &found.own);
        index.settle_passing();
        (index, found.own)
    }

    pub(crate) fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0]
    }

    /// The procedures of a file, in order.
    pub(crate) fn of_unit(&self, unit: UnitId) -> impl Iterator<Item = (ProcedureId, &Procedure)> {
        // Procedures stand in the order of their files.
        let first = self.procedures.partition_point(|one| one.unit < unit);
        let numbered = (first..).map(ProcedureId).zip(&self.procedures[first..]);
        numbered.take_while(move |(_, one)| one.unit == unit)
    }

    /// What a call of a name in a scope may lead to; empty where no file defines it.
    pub(crate) fn callees(&self, scope: &Scope, key: &Key) -> Vec<ProcedureId> {
        self.led_to(&Callee::of(scope, key)).to_vec()
    }

    pub(super) fn led_to<'c>(&'c self, callee: &'c Callee) -> &'c [ProcedureId] {
        match callee {
            Callee::Nothing => &[],
            Callee::External(key) => self.externals.get(key).map_or(&[], Vec::as_slice),
            Callee::Contained(ids) => ids,
        }
    }

    /// Finds how all arguments are handed over.
    fn settle_passing(&mut self) {
        let found = modified_variables(self);
        let with_modified = self.procedures.iter_mut().zip(found.modified);
        for (id, (procedure, modified)) in (0..).map(ProcedureId).zip(with_modified) {
            let Account { face, deeds, .. } = &*procedure.account;
            let is_escaping = found.escaping.contains(&id);
            let dummies = face.dummies.iter().flatten();
            let passing = dummies.map(|dummy| {
                let is_changed = modified.contains(&dummy.key) || is_escaping;
                let is_lowered = self.lowered.contains(&dummy.key);
                let passing = Passing::of(dummy.variable.as_ref(), is_changed, is_lowered);
                match passing {
                    // Who calls it by a dummy procedure knows nothing of its intents.
                    Passing::Value if is_escaping => Passing::Reference,
                    passing => passing,
                }
            });
            procedure.passing = passing.collect();
            let captured = deeds.captured.iter().map(|(key, declared)| {
                let is_changed = modified.contains(key);
                let is_lowered = self.lowered.contains(key);
                let passing = Passing::of(declared.as_ref(), is_changed, is_lowered);
                (key.clone(), passing)
            });
            procedure.captured = captured.collect();
            procedure.modified = modified;
        }
    }
}

/// All derived types by their names.
fn types(found: &Found) -> BTreeMap<Key, Arc<DerivedType>> {
    let mut types = BTreeMap::new();
    let modules = found.modules.values().map(|(_, scope)| scope);
    let written = found.own.iter().flat_map(|own| &own.procedures);
    let scopes = modules.chain(written.map(|one| &one.scope));
    for (key, symbol) in scopes.flat_map(|scope| &scope.symbols) {
        if let Entity::DerivedType(found) = &symbol.entity {
            let known = types.entry(key.clone());
            known.or_insert_with(|| found.clone());
        }
    }
    types
}
