//! All program units of the files that are read together.

use super::intents::modified_dummies;
use super::lowered::lowered;
use super::scope::{Around, build};
use super::{AreaTable, DerivedType, Entity, Scope, Shape, Storage, Type};
use crate::syntax::{File, Intent, Key, ProgramUnit, SpecificationKind, UnitKind};
use premiss_imperative::side_by_side;
use premiss_imperative::syntax::{Name, Struct, UnitId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A parsed file.
pub(crate) struct Source<'a> {
    pub(crate) unit: UnitId,
    pub(crate) text: &'a str,
    pub(crate) file: &'a File,
}

/// A procedure or main program that the files define.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ProcedureId(pub(crate) usize);

/// How an argument is handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Passing {
    /// Nobody changes it: its value.
    Value,
    /// Where it is.
    Reference,
    /// Where its first element is.
    Array,
    /// The same, with the extents of so many dimensions.
    Shaped(usize),
    /// Where the pointer to its first element and the bounds of so many dimensions are: it may be
    /// allocated, or let point elsewhere.
    Descriptor(usize),
    /// A procedure.
    Procedure,
}

/// A procedure with what its callers need to know.
pub(crate) struct Procedure<'a> {
    pub(crate) unit: UnitId,
    pub(crate) ast: &'a ProgramUnit,
    pub(crate) scope: Arc<Scope>,
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
pub(crate) struct Index<'a> {
    pub(crate) procedures: Vec<Procedure<'a>>,
    pub(crate) modules: BTreeMap<Key, (UnitId, Arc<Scope>)>,
    pub(crate) externals: FxHashMap<Key, Vec<ProcedureId>>,
    pub(crate) areas: AreaTable,
    /// Procedures that are passed as arguments: whoever calls them knows them by their type alone.
    pub(crate) escaping: BTreeSet<ProcedureId>,
    /// All derived types by their names.
    pub(crate) types: BTreeMap<Key, Arc<DerivedType>>,
    /// Arrays that some statement gives another lower bound than 1 when the program runs.
    pub(crate) lowered: BTreeSet<Key>,
}

/// A procedure before its names are known.
struct Found<'a> {
    source: usize,
    ast: &'a ProgramUnit,
    module: Option<Key>,
    host: Option<ProcedureId>,
    contained: Vec<(Key, ProcedureId)>,
}

impl<'a> Index<'a> {
    /// The index of files, with the structs of each.
    pub(crate) fn new(sources: &[Source<'a>]) -> (Self, Vec<Vec<Struct>>) {
        let mut finder = Finder::default();
        for (idx, source) in sources.iter().enumerate() {
            for unit in &source.file.units {
                finder.unit(idx, unit, None, None);
            }
        }
        let mut modules = Modules {
            sources,
            found: &finder.modules,
            scopes: BTreeMap::new(),
            open: BTreeSet::new(),
            structs: sources.iter().map(|_| Vec::new()).collect(),
        };
        for key in finder.modules.keys() {
            modules.scope(key);
        }
        let scopes_of_modules = modules.scopes;
        let of_sources = side_by_side(modules.structs.into_iter().zip(0..), |(structs, source)| {
            finder.scopes(source, sources, &scopes_of_modules, structs)
        });
        let mut scopes: Vec<Arc<Scope>> = Vec::new();
        let mut structs = Vec::new();
        for (some, of_source) in of_sources {
            scopes.extend(some);
            structs.push(of_source);
        }
        let mut areas = AreaTable::default();
        scopes_of_modules
            .values()
            .for_each(|scope| areas.add(scope));
        scopes.iter().for_each(|scope| areas.add(scope));
        let names = names(&finder.procedures, sources);
        let procedures = finder.procedures.iter().zip(scopes).zip(names);
        let procedures = procedures.map(|((found, scope), name)| Procedure {
            unit: sources[found.source].unit,
            ast: found.ast,
            scope,
            name,
            passing: Vec::new(),
            captured: Vec::new(),
            host: found.host,
            modified: BTreeSet::new(),
        });
        let place = |key: &Key| sources[finder.modules[key].0].unit;
        let mut index = Self {
            procedures: procedures.collect(),
            modules: scopes_of_modules
                .into_iter()
                .map(|(key, scope)| (key.clone(), (place(&key), scope)))
                .collect(),
            externals: finder.externals,
            areas,
            escaping: BTreeSet::new(),
            types: BTreeMap::new(),
            lowered: BTreeSet::new(),
        };
        index.lowered = lowered(&index, sources);
        index.settle_passing();
        index.find_types();
        (index, structs)
    }

    pub(crate) fn procedure(&self, id: ProcedureId) -> &Procedure<'a> {
        &self.procedures[id.0]
    }

    /// What a call of a name in a scope may lead to; empty where no file defines it.
    pub(crate) fn callees(&self, scope: &Scope, key: &Key) -> Vec<ProcedureId> {
        match scope.lookup(key).map(|symbol| &symbol.entity) {
            Some(Entity::Procedure(id)) => vec![*id],
            Some(Entity::Generic(ids)) => ids.to_vec(),
            Some(Entity::Variable(variable)) if variable.storage != Storage::Result => Vec::new(),
            Some(Entity::External(_) | Entity::Variable(_)) | None => {
                self.externals.get(key).cloned().unwrap_or_default()
            }
            Some(_) => Vec::new(),
        }
    }

    /// Finds how all arguments are handed over.
    fn settle_passing(&mut self) {
        let facts = modified_dummies(self);
        self.escaping = facts.escaping;
        let mut modified = facts.modified;
        for (idx, captured) in facts.captured.into_iter().enumerate() {
            let procedure = &self.procedures[idx];
            let is_escaping = self.escaping.contains(&ProcedureId(idx));
            let dummies = procedure.ast.dummies.iter().flatten();
            let of_dummies = dummies.map(|dummy| {
                let is_changed = modified[idx].contains(&dummy.key) || is_escaping;
                let is_lowered = self.lowered.contains(&dummy.key);
                passing(&procedure.scope, &dummy.key, is_changed, is_lowered)
            });
            let of_dummies: Vec<Passing> = of_dummies.collect();
            let captured = captured.into_iter().map(|key| {
                let host = &procedure.scope;
                let is_changed = facts.modified_captured[idx].contains(&key);
                let is_lowered = self.lowered.contains(&key);
                let handed = passing(host, &key, is_changed, is_lowered);
                (key, handed)
            });
            let captured = captured.collect();
            let procedure = &mut self.procedures[idx];
            procedure.modified = std::mem::take(&mut modified[idx]);
            procedure.passing = of_dummies;
            procedure.captured = captured;
        }
    }
}

impl Index<'_> {
    fn find_types(&mut self) {
        let modules = self.modules.values().map(|(_, scope)| scope);
        let scopes = modules.chain(self.procedures.iter().map(|one| &one.scope));
        for (key, symbol) in scopes.flat_map(|scope| &scope.symbols) {
            if let Entity::DerivedType(found) = &symbol.entity {
                let known = self.types.entry(key.clone());
                known.or_insert_with(|| found.clone());
            }
        }
    }
}

/// How an argument, or a variable of the host, is handed over.
fn passing(scope: &Scope, key: &Key, is_changed: bool, is_lowered: bool) -> Passing {
    let entity = scope.lookup(key).map(|symbol| &symbol.entity);
    let Some(Entity::Variable(variable)) = entity else {
        return Passing::Procedure;
    };
    match &variable.shape {
        Some(Shape::Explicit(_)) => Passing::Array,
        Some(Shape::Deferred(rank)) if is_changed || is_lowered => Passing::Descriptor(*rank),
        Some(shape) => Passing::Shaped(shape.rank()),
        None if matches!(variable.kind, Type::Derived(..)) || variable.is_pointer => {
            Passing::Reference
        }
        None if is_changed && variable.intent != Some(Intent::In) => Passing::Reference,
        None => Passing::Value,
    }
}

/// A module before its names are known: its source, and the procedures that it contains.
type FoundModule<'a> = (usize, &'a ProgramUnit, Vec<(Key, ProcedureId)>);

#[derive(Default)]
struct Finder<'a> {
    procedures: Vec<Found<'a>>,
    modules: BTreeMap<Key, FoundModule<'a>>,
    externals: FxHashMap<Key, Vec<ProcedureId>>,
}

impl<'a> Finder<'a> {
    fn unit(
        &mut self,
        source: usize,
        ast: &'a ProgramUnit,
        module: Option<&Key>,
        host: Option<ProcedureId>,
    ) -> Option<ProcedureId> {
        if ast.kind == UnitKind::Module {
            let key = ast.name.key.clone();
            let contained = self.contained(source, ast, Some(&key), None);
            self.modules.entry(key).or_insert((source, ast, contained));
            return None;
        }
        let id = ProcedureId(self.procedures.len());
        self.procedures.push(Found {
            source,
            ast,
            module: module.cloned(),
            host,
            contained: Vec::new(),
        });
        let is_external = module.is_none() && host.is_none();
        let is_procedure = matches!(ast.kind, UnitKind::Function | UnitKind::Subroutine);
        if is_external && is_procedure {
            let known = self.externals.entry(ast.name.key.clone());
            known.or_default().push(id);
        }
        let contained = self.contained(source, ast, module, Some(id));
        self.procedures[id.0].contained = contained;
        Some(id)
    }

    fn contained(
        &mut self,
        source: usize,
        ast: &'a ProgramUnit,
        module: Option<&Key>,
        host: Option<ProcedureId>,
    ) -> Vec<(Key, ProcedureId)> {
        let mut list = Vec::new();
        for inner in &ast.contained {
            if let Some(id) = self.unit(source, inner, module, host) {
                list.push((inner.name.key.clone(), id));
            }
        }
        list
    }
}

impl Finder<'_> {
    /// The scopes of all procedures of a source, in order, with its structs.
    fn scopes(
        &self,
        source: usize,
        sources: &[Source],
        modules: &BTreeMap<Key, Arc<Scope>>,
        mut structs: Vec<Struct>,
    ) -> (Vec<Arc<Scope>>, Vec<Struct>) {
        // Procedures stand in the order of their sources.
        let first = self.procedures.partition_point(|one| one.source < source);
        let own = self.procedures[first..].iter();
        let mut scopes: Vec<Arc<Scope>> = Vec::new();
        for found in own.take_while(|one| one.source == source) {
            let host = match (found.host, &found.module) {
                (Some(host), _) => Some(scopes[host.0 - first].clone()),
                (None, Some(module)) => modules.get(module).cloned(),
                (None, None) => None,
            };
            let place = (&sources[source], found.ast);
            let scope = scope(place, modules, host, &found.contained, &mut structs);
            scopes.push(scope);
        }
        (scopes, structs)
    }
}

struct Modules<'s, 'a> {
    sources: &'s [Source<'a>],
    found: &'s BTreeMap<Key, FoundModule<'a>>,
    scopes: BTreeMap<Key, Arc<Scope>>,
    /// Modules whose scopes are being made: a circle of `USE` ends there.
    open: BTreeSet<Key>,
    structs: Vec<Vec<Struct>>,
}

impl<'a> Modules<'_, 'a> {
    /// The scope of a module, made where it is asked for first.
    fn scope(&mut self, key: &Key) -> Option<Arc<Scope>> {
        if let Some(scope) = self.scopes.get(key) {
            return Some(scope.clone());
        }
        let (source, ast, contained) = self.found.get(key)?;
        if !self.open.insert(key.clone()) {
            return None;
        }
        for used in used_modules(ast) {
            self.scope(&used);
        }
        let scope = self.build(*source, ast, None, contained);
        self.scopes.insert(key.clone(), scope.clone());
        Some(scope)
    }

    fn build(
        &mut self,
        source: usize,
        ast: &'a ProgramUnit,
        host: Option<Arc<Scope>>,
        contained: &[(Key, ProcedureId)],
    ) -> Arc<Scope> {
        let structs = &mut self.structs[source];
        scope(
            (&self.sources[source], ast),
            &self.scopes,
            host,
            contained,
            structs,
        )
    }
}

/// The scope of a program unit.
fn scope(
    (origin, ast): (&Source, &ProgramUnit),
    modules: &BTreeMap<Key, Arc<Scope>>,
    host: Option<Arc<Scope>>,
    contained: &[(Key, ProcedureId)],
    structs: &mut Vec<Struct>,
) -> Arc<Scope> {
    let mut around = Around {
        unit: origin.unit,
        text: origin.text,
        host,
        module: &mut |key| modules.get(key).cloned(),
        structs,
        contained: contained.to_vec(),
    };
    Arc::new(build(ast, &mut around))
}

/// The modules that a program unit uses itself.
fn used_modules(ast: &ProgramUnit) -> Vec<Key> {
    let used = ast
        .specifications
        .iter()
        .filter_map(|spec| match &spec.kind {
            SpecificationKind::Use(used) => Some(used.module.clone()),
            _ => None,
        });
    used.collect()
}

/// Names by which procedures are linked: their own, with the module or host before it where several have
/// the same one.
fn names(found: &[Found], sources: &[Source]) -> Vec<Name> {
    let mut counts: FxHashMap<&Key, usize> = FxHashMap::default();
    let is_inner = |one: &Found| one.module.is_some() || one.host.is_some();
    for one in found {
        *counts.entry(&one.ast.name.key).or_default() += 1;
    }
    let name = |one: &Found| {
        let at = one.ast.name.at;
        let text = sources[one.source].text;
        let own = text.get(at.start as usize..at.end as usize).unwrap_or("");
        let own = match own {
            "" => "main",
            own => own,
        };
        let is_alone = counts[&one.ast.name.key] == 1;
        let owner = match (one.host, &one.module) {
            (Some(host), _) => Some(found[host.0].ast.name.key.clone()),
            (None, module) => module.clone(),
        };
        match owner {
            Some(owner) if !is_alone && is_inner(one) => Name::from(format!("{owner}::{own}")),
            _ => Name::from(own),
        }
    };
    found.iter().map(name).collect()
}
