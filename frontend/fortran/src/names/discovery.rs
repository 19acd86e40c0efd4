//! Finds the procedures and modules of files, and the meanings of the names in each.

use super::ambiguous_names::ambiguous_names;
use super::index::Procedure;
use super::inputs::{FileDefinitions, FileInput, ParsedFile, ScopedProcedure};
use super::scopes::{EnclosingScope, QualifiedNames, build};
use super::summary::ProcedureSummary;
use super::symbols::{Entity, NameScope, ProcedureId};
use super::types::FortranType;
use crate::syntax::{NameKey, ProgramUnit, UnitKind};
use premiss_ast::syntax::{Name, Struct, UnitId};
use premiss_parallel as parallel;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The procedures, modules and definitions of files.
pub(super) struct Discovery<'a> {
    /// In the order of the files, without the results of linking: mod sets and how arguments are passed.
    pub(super) procedures: Vec<Procedure>,
    pub(super) modules: BTreeMap<NameKey, (UnitId, Arc<NameScope>)>,
    pub(super) externals: FxHashMap<NameKey, Vec<ProcedureId>>,
    /// The definitions of each file.
    pub(super) definitions: Vec<FileDefinitions<'a>>,
}

/// A procedure before its scope is built.
struct DiscoveredProcedure<'a> {
    unit: UnitId,
    text: ProcedureText<'a>,
    module: Option<NameKey>,
    host: Option<ProcedureId>,
    contained: Vec<(NameKey, ProcedureId)>,
}

/// The syntax of a procedure, or its summary.
#[derive(Clone, Copy)]
enum ProcedureText<'a> {
    Parsed(&'a ProgramUnit),
    Summarized(&'a Arc<ProcedureSummary>),
}

/// A module before its scope is built.
struct DiscoveredModule<'a> {
    source: ParsedFile<'a>,
    ast: &'a ProgramUnit,
    contained: Vec<(NameKey, ProcedureId)>,
}

/// Finds the procedures and modules of files and builds their scopes: first those of modules, which the others use,
/// then those of each file separately.
pub(super) fn discover<'a>(files: &[FileInput<'a>]) -> Discovery<'a> {
    let scan = FileScan::over(files);
    let (scopes, structs) =
        ModuleScopes::build(&scan.modules, &scan.ambiguous_names(), files.len());
    let with_structs = files.iter().zip(structs);
    let of_files = parallel::map(with_structs, |(file, structs)| match file {
        FileInput::Parsed(source) => scan.summarize_file(source, &scopes, structs),
        FileInput::Summarized(unit, _) => scan.summary_of_file(*unit),
    });
    let (own, summaries): (Vec<_>, Vec<_>) = of_files.into_iter().unzip();
    let summaries: Vec<Arc<ProcedureSummary>> = summaries.into_iter().flatten().collect();
    let names = names(&scan.procedures, &summaries);
    let procedures = scan.procedures.iter().zip(summaries).zip(names);
    let procedures = procedures.map(|((one, summary), name)| one.procedure(summary, name));
    let place = |key: &NameKey| scan.modules[key].source.unit;
    let modules = scopes.into_iter();
    let modules = modules.map(|(key, scope)| (key.clone(), (place(&key), scope)));
    Discovery {
        procedures: procedures.collect(),
        modules: modules.collect(),
        externals: scan.externals,
        definitions: own,
    }
}

/// The definitions of a file that has no modules or contained procedures, and uses no modules.
pub(crate) fn definitions_of_plain_file<'a>(source: &ParsedFile<'a>) -> FileDefinitions<'a> {
    let mut scan = FileScan::default();
    for unit in &source.file.units {
        scan.add_unit(*source, unit, None, None);
    }
    scan.definitions(source, &BTreeMap::new(), Vec::new())
}

#[derive(Default)]
struct FileScan<'a> {
    procedures: Vec<DiscoveredProcedure<'a>>,
    modules: BTreeMap<NameKey, DiscoveredModule<'a>>,
    externals: FxHashMap<NameKey, Vec<ProcedureId>>,
}

impl DiscoveredProcedure<'_> {
    /// The procedure, before the effects of calls are known.
    fn procedure(&self, summary: Arc<ProcedureSummary>, name: Name) -> Procedure {
        Procedure {
            unit: self.unit,
            summary,
            name,
            passing: Vec::new(),
            host_associated: Vec::new(),
            host: self.host,
            mod_set: BTreeSet::new(),
        }
    }
}

impl<'a> FileScan<'a> {
    fn over(files: &[FileInput<'a>]) -> Self {
        let mut scan = Self::default();
        for file in files {
            match file {
                FileInput::Parsed(source) => {
                    for unit in &source.file.units {
                        scan.add_unit(*source, unit, None, None);
                    }
                }
                FileInput::Summarized(unit, summary) => {
                    let procedures = summary.procedures.iter();
                    procedures.for_each(|procedure| scan.add_summary(*unit, procedure));
                }
            }
        }
        scan
    }

    fn add_unit(
        &mut self,
        source: ParsedFile<'a>,
        ast: &'a ProgramUnit,
        module: Option<&NameKey>,
        host: Option<ProcedureId>,
    ) -> Option<ProcedureId> {
        if ast.kind == UnitKind::Module {
            let key = self.module_key(&ast.name.key);
            let contained = self.add_contained(source, ast, Some(&key), None);
            self.modules.insert(
                key,
                DiscoveredModule {
                    source,
                    ast,
                    contained,
                },
            );
            return None;
        }
        let id = self.add_procedure(source.unit, ProcedureText::Parsed(ast), module, host);
        let contained = self.add_contained(source, ast, module, Some(id));
        self.procedures[id.0].contained = contained;
        Some(id)
    }

    /// The key of one more module of that name: `comm` and `comm@2` may be what a program is built with in turn.
    fn module_key(&self, name: &NameKey) -> NameKey {
        let others = (2..).map(|n: u32| NameKey::from(format!("{name}@{n}")));
        let mut keys = std::iter::once(name.clone()).chain(others);
        let free = keys.find(|key| !self.modules.contains_key(key));
        free.unwrap_or_else(|| name.clone())
    }

    fn add_contained(
        &mut self,
        source: ParsedFile<'a>,
        ast: &'a ProgramUnit,
        module: Option<&NameKey>,
        host: Option<ProcedureId>,
    ) -> Vec<(NameKey, ProcedureId)> {
        let mut list = Vec::new();
        for inner in &ast.contained {
            if let Some(id) = self.add_unit(source, inner, module, host) {
                list.push((inner.name.key.clone(), id));
            }
        }
        list
    }

    fn add_summary(&mut self, unit: UnitId, summary: &'a Arc<ProcedureSummary>) {
        self.add_procedure(unit, ProcedureText::Summarized(summary), None, None);
    }

    fn add_procedure(
        &mut self,
        unit: UnitId,
        text: ProcedureText<'a>,
        module: Option<&NameKey>,
        host: Option<ProcedureId>,
    ) -> ProcedureId {
        let id = ProcedureId(self.procedures.len());
        let (kind, key) = match text {
            ProcedureText::Parsed(ast) => (ast.kind, &ast.name.key),
            ProcedureText::Summarized(summary) => (summary.interface.kind, &summary.interface.key),
        };
        let is_external = module.is_none() && host.is_none();
        if is_external && matches!(kind, UnitKind::Function | UnitKind::Subroutine) {
            self.externals.entry(key.clone()).or_default().push(id);
        }
        self.procedures.push(DiscoveredProcedure {
            unit,
            text,
            module: module.cloned(),
            host,
            contained: Vec::new(),
        });
        id
    }
}

impl<'a> FileScan<'a> {
    /// The names that do not tell which variable of which module they mean.
    fn ambiguous_names(&self) -> BTreeSet<NameKey> {
        let parsed = self.procedures.iter().filter_map(|one| match one.text {
            ProcedureText::Parsed(ast) => Some(ast),
            ProcedureText::Summarized(_) => None,
        });
        let keys = self.procedures.iter().map(|one| match one.text {
            ProcedureText::Parsed(ast) => &ast.name.key,
            ProcedureText::Summarized(summary) => &summary.interface.key,
        });
        let modules = || self.modules.values().map(|module| module.ast);
        let units = modules().chain(parsed);
        ambiguous_names(modules(), keys, units)
    }

    /// The procedures of a file, with the index of the first.
    fn of_unit(&self, unit: UnitId) -> (usize, impl Iterator<Item = &DiscoveredProcedure<'a>>) {
        // Procedures are in the order of their files.
        let first = self.procedures.partition_point(|one| one.unit < unit);
        let own = self.procedures[first..].iter();
        (first, own.take_while(move |one| one.unit == unit))
    }

    /// The definitions of a file, and the summaries of its procedures for other files.
    fn summarize_file(
        &self,
        source: &ParsedFile<'a>,
        modules: &BTreeMap<NameKey, Arc<NameScope>>,
        structs: Vec<Struct>,
    ) -> (FileDefinitions<'a>, Vec<Arc<ProcedureSummary>>) {
        let own = self.definitions(source, modules, structs);
        let (_, named) = self.of_unit(source.unit);
        let named = named.zip(&own.procedures);
        let summaries = named.map(|(named, written)| {
            let summary = ProcedureSummary::new(
                written.ast,
                &written.scope,
                source.text,
                named.host.is_some(),
            );
            Arc::new(summary)
        });
        let summaries = summaries.collect();
        (own, summaries)
    }

    fn summary_of_file(&self, unit: UnitId) -> (FileDefinitions<'a>, Vec<Arc<ProcedureSummary>>) {
        let (_, named) = self.of_unit(unit);
        let summaries = named.filter_map(|one| match one.text {
            ProcedureText::Summarized(summary) => Some(summary.clone()),
            ProcedureText::Parsed(_) => None,
        });
        let own = FileDefinitions {
            is_plain: true,
            ..FileDefinitions::default()
        };
        (own, summaries.collect())
    }

    /// The syntax of the procedures of a file, with their scopes.
    fn definitions(
        &self,
        source: &ParsedFile<'a>,
        modules: &BTreeMap<NameKey, Arc<NameScope>>,
        mut structs: Vec<Struct>,
    ) -> FileDefinitions<'a> {
        let (first, named) = self.of_unit(source.unit);
        let mut procedures: Vec<ScopedProcedure> = Vec::new();
        for one in named {
            let ProcedureText::Parsed(ast) = one.text else {
                continue;
            };
            let host = match (one.host, &one.module) {
                (Some(host), _) => Some(procedures[host.0 - first].scope.clone()),
                (None, Some(module)) => modules.get(module).cloned(),
                (None, None) => None,
            };
            let used = |name: &NameKey| {
                let key = nearest_module(&self.modules, name, source.unit)?;
                modules.get(&key).cloned()
            };
            let around = (&used as UsedModule, None);
            let scope = scope((source, ast), around, host, &one.contained, &mut structs);
            procedures.push(ScopedProcedure { ast, scope });
        }
        let has_types = |one: &ScopedProcedure| {
            let mut symbols = one.scope.symbols.values();
            symbols.any(|symbol| {
                matches!(symbol.entity, Entity::DerivedType(_))
                    || matches!(symbol.kind(), Some(FortranType::Derived(..)))
            })
        };
        let mut units = source.file.units.iter();
        FileDefinitions {
            is_plain: units.all(|unit| unit.kind != UnitKind::Module && unit.contained.is_empty())
                && !procedures.iter().any(has_types),
            procedures,
            structs,
        }
    }
}

struct ModuleScopes<'s, 'a> {
    modules: &'s BTreeMap<NameKey, DiscoveredModule<'a>>,
    /// The names that are qualified by their module.
    ambiguous: &'s BTreeSet<NameKey>,
    scopes: BTreeMap<NameKey, Arc<NameScope>>,
    /// Modules whose scopes are being built: a cycle of `USE` ends there.
    open: BTreeSet<NameKey>,
    /// The structs of each file.
    structs: Vec<Vec<Struct>>,
}

impl<'s, 'a> ModuleScopes<'s, 'a> {
    /// The scopes of all modules, and the structs that they add to each of `n_files` files.
    fn build(
        modules: &'s BTreeMap<NameKey, DiscoveredModule<'a>>,
        ambiguous: &'s BTreeSet<NameKey>,
        n_files: usize,
    ) -> (BTreeMap<NameKey, Arc<NameScope>>, Vec<Vec<Struct>>) {
        let mut builder = Self {
            modules,
            ambiguous,
            scopes: BTreeMap::new(),
            open: BTreeSet::new(),
            structs: vec![Vec::new(); n_files],
        };
        for key in modules.keys() {
            builder.scope(key);
        }
        (builder.scopes, builder.structs)
    }

    /// Builds the scope of a module, unless it exists.
    fn scope(&mut self, key: &NameKey) {
        let Some(module) = self.modules.get(key) else {
            return;
        };
        if self.scopes.contains_key(key) || !self.open.insert(key.clone()) {
            return;
        }
        let unit = module.source.unit;
        for used in module.ast.used_modules() {
            if let Some(key) = nearest_module(self.modules, &used.key, unit) {
                self.scope(&key);
            }
        }
        let DiscoveredModule {
            source,
            ast,
            contained,
        } = module;
        let structs = &mut self.structs[source.unit.0 as usize];
        let qualified = QualifiedNames {
            module: key,
            names: self.ambiguous,
        };
        let used = |name: &NameKey| {
            let key = nearest_module(self.modules, name, unit)?;
            self.scopes.get(&key).cloned()
        };
        let around = (&used as UsedModule, Some(qualified));
        let scope = scope((source, ast), around, None, contained, structs);
        self.scopes.insert(key.clone(), scope);
    }
}

/// The scope of the module that a `USE` of this name means; `None` if no file defines it.
type UsedModule<'f> = &'f dyn Fn(&NameKey) -> Option<Arc<NameScope>>;

/// The module of that name that a file uses: of several definitions, the one whose file is nearest in the list of files,
/// where those of one folder are side by side; the first of two.
fn nearest_module(
    modules: &BTreeMap<NameKey, DiscoveredModule>,
    name: &NameKey,
    unit: UnitId,
) -> Option<NameKey> {
    let first = (name.clone(), modules.get(name)?);
    let later = (2..).map_while(|n: u32| {
        let key = NameKey::from(format!("{name}@{n}"));
        let module = modules.get(&key)?;
        Some((key, module))
    });
    let all = std::iter::once(first).chain(later);
    let nearest = all.min_by_key(|(_, module)| module.source.unit.0.abs_diff(unit.0));
    nearest.map(|(key, _)| key)
}

/// The scope of a program unit.
fn scope(
    (source, ast): (&ParsedFile, &ProgramUnit),
    (used, qualified): (UsedModule, Option<QualifiedNames>),
    host: Option<Arc<NameScope>>,
    contained: &[(NameKey, ProcedureId)],
    structs: &mut Vec<Struct>,
) -> Arc<NameScope> {
    let mut around = EnclosingScope {
        unit: source.unit,
        text: source.text,
        host,
        module: &mut |key| used(key),
        qualified,
        structs,
        contained: contained.to_vec(),
    };
    Arc::new(build(ast, &mut around))
}

/// The names by which procedures are linked: their own, prefixed by the module or host if several procedures have the
/// same name.
fn names(named: &[DiscoveredProcedure], summaries: &[Arc<ProcedureSummary>]) -> Vec<Name> {
    let mut counts: FxHashMap<&NameKey, usize> = FxHashMap::default();
    for summary in summaries {
        *counts.entry(&summary.interface.key).or_default() += 1;
    }
    let name = |(one, summary): (&DiscoveredProcedure, &Arc<ProcedureSummary>)| {
        let own = match &*summary.interface.source_name {
            "" => "main",
            own => own,
        };
        let is_alone = counts[&summary.interface.key] == 1;
        let owner = match (one.host, &one.module) {
            (Some(host), _) => Some(&summaries[host.0].interface.key),
            (None, module) => module.as_ref(),
        };
        match owner {
            Some(owner) if !is_alone => Name::from(format!("{owner}::{own}")),
            _ => Name::from(own),
        }
    };
    named.iter().zip(summaries).map(name).collect()
}
