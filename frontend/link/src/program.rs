//! Units linked into one program, and the views through which threads read it.

use crate::call_summary::CallSummaryCache;
use crate::dependencies::{Dependencies, Input, NoRecorder, Recorder};
use crate::externals::ExternalSymbols;
use crate::inputs::{FunctionModels, InlineBudget, LinkUnit, SizeOptions};
use crate::pure_call_cache::PureCallCache;
use crate::statement_cache::StatementCache;
use crate::symbols::UnitSymbols;
use crate::unit_summary::{UnitInterface, UnitSummary};
use premiss_ast::syntax::{GlobalName, Name, UnitId};
use premiss_ast::{FunctionEffect, ResultKind, is_error_handler};
use premiss_parallel as parallel;
use premiss_source::SourceMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// The maximum of steps that one function may spend in bodies of other files, however few functions there are: half of
/// its total, so that its own body has room as well.
const MAX_INLINED_STEPS: u64 = 1_000_000;

/// Error handlers access no array.
const NO_EFFECT: &FunctionEffect = &FunctionEffect::Nothing(ResultKind::Void);

/// A view of the units linked into one program, for one computation.
///
/// A name refers to the definition in its own unit. A name that its unit only declares refers to the definition with
/// external linkage in the one other unit that has one. If several units define it, they belong to different programs,
/// and the name keeps its meaning within the unit.
///
/// It implements [`Queries`](crate::Queries) and reports the inputs that they read to its [`Recorder`]. Each thread
/// has its own view.
pub struct Program<'a> {
    linked: Arc<LinkedProgram<'a>>,
    used_sizes: RefCell<BTreeSet<String>>,
    recorder: Box<dyn Recorder>,
}

/// The state that all views of a program share.
pub struct LinkedProgram<'a> {
    pub(crate) units: Vec<UnitSymbols<'a>>,
    pub(crate) externals: ExternalSymbols,
    /// Names at file scope that some function modifies, sorted.
    pub(crate) modified: Vec<GlobalName>,
    pub(crate) models: FunctionModels<'a>,
    pub(crate) sizes: SizeOptions<'a>,
    pub(crate) sources: &'a SourceMap,
    budget: InlineBudget,
    new_recorder: NewRecorder,
    pub(crate) pure_calls: PureCallCache,
    pub(crate) call_summaries: CallSummaryCache,
    pub(crate) statements: StatementCache,
}

/// Creates the recorder of a view of a program with `n_units` units.
pub type NewRecorder = fn(n_units: usize) -> Box<dyn Recorder>;

/// A recorder that records nothing, for programs whose results are not cached.
#[must_use]
pub fn no_recorder(_: usize) -> Box<dyn Recorder> {
    Box::new(NoRecorder)
}

/// The place of the definition that a call by name refers to.
pub(crate) enum Definition<'a> {
    /// This unit defines it.
    Unit(UnitId),
    Stated(&'a FunctionEffect),
    Ambiguous,
    Undefined,
}

impl Definition<'_> {
    pub(crate) fn global_name(&self, name: &Name) -> Option<GlobalName> {
        match self {
            Self::Unit(unit) => Some(GlobalName {
                unit: *unit,
                name: name.clone(),
            }),
            Self::Stated(_) | Self::Ambiguous | Self::Undefined => None,
        }
    }
}

/// The options of linking.
#[derive(Clone, Copy)]
pub struct LinkOptions<'a> {
    /// Models of functions, which replace or complement the definitions in the files.
    pub models: FunctionModels<'a>,
    /// What the user states about sizes.
    pub sizes: SizeOptions<'a>,
    /// The limits of inlining.
    pub budget: InlineBudget,
}

impl<'a> Program<'a> {
    /// Links units; the [`UnitId`] of each is its index in the list. `earlier` has the summaries of an earlier run in
    /// the same order: deferred units whose summaries are still valid are not built. `options.models.builtin` must be
    /// the id of one of the units.
    pub fn link(
        units: Vec<LinkUnit<'a>>,
        options: LinkOptions<'a>,
        sources: &'a SourceMap,
        earlier: Option<&[&UnitSummary]>,
        new_recorder: NewRecorder,
    ) -> Self {
        let LinkOptions {
            models,
            sizes,
            budget,
        } = options;
        let units = parallel::map(units, UnitSymbols::new);
        let mut linked = LinkedProgram {
            externals: ExternalSymbols::of_units(&units, models.builtin),
            units,
            modified: Vec::new(),
            models,
            sizes,
            sources,
            budget,
            new_recorder,
            pure_calls: PureCallCache::default(),
            call_summaries: CallSummaryCache::default(),
            statements: StatementCache::default(),
        };
        linked.validate_summaries(earlier);
        linked.budget.per_function = linked.steps_per_function();
        linked.budget.own_body = linked.steps_per_body();
        let mut linked = Arc::new(linked);
        linked.find_interfaces();
        let shared = Arc::get_mut(&mut linked).expect("there are no views any more");
        shared.modified = shared.collect_modified();
        linked.view()
    }

    /// The state that all views of this program share.
    #[must_use]
    pub fn linked(&self) -> &Arc<LinkedProgram<'a>> {
        &self.linked
    }

    /// The sizes given by the user that this view has looked up so far.
    #[must_use]
    pub fn used_sizes(&self) -> BTreeSet<String> {
        self.used_sizes.borrow().clone()
    }

    /// Records the use of a size given by the user.
    pub fn use_size(&self, size: &str) {
        self.recorder.record(Input::Size(size));
        self.used_sizes.borrow_mut().insert(size.to_owned());
    }

    /// The inputs read since the last call of this function.
    pub fn take_dependencies(&self) -> Dependencies {
        self.recorder.take()
    }

    /// Adds the inputs of another computation whose result the current one uses.
    pub(crate) fn add_dependencies(&self, dependencies: &Dependencies) {
        self.recorder.add(dependencies);
    }

    pub(crate) fn record(&self, input: Input<'_>) {
        self.recorder.record(input);
    }

    /// The symbols of a unit; records a dependency on the whole unit.
    pub(crate) fn read_unit(&self, unit: UnitId) -> &UnitSymbols<'a> {
        // Models of functions are built into this program and do not change.
        if unit != self.linked.models.builtin {
            self.record(Input::Unit(unit));
        }
        self.linked.unit(unit)
    }

    /// A unit, then its preludes, with their symbols: the scope in which its names are looked up. Callers record what
    /// they read.
    pub(crate) fn scope(&self, unit: UnitId) -> impl Iterator<Item = (UnitId, &UnitSymbols<'a>)> {
        let prelude = |unit: &UnitId| self.linked.unit(*unit).inputs.prelude;
        let units = std::iter::successors(Some(unit), prelude);
        units.map(|unit| (unit, self.linked.unit(unit)))
    }
}

impl<'a> LinkedProgram<'a> {
    /// A new view of the program with an empty set of dependencies.
    #[must_use]
    pub fn view(self: &Arc<Self>) -> Program<'a> {
        Program {
            linked: self.clone(),
            used_sizes: RefCell::default(),
            recorder: (self.new_recorder)(self.units.len()),
        }
    }

    /// The ids of all units, in order.
    pub fn unit_ids(&self) -> impl Iterator<Item = UnitId> + use<> {
        let n_units = u32::try_from(self.units.len()).unwrap_or(u32::MAX);
        (0..n_units).map(UnitId)
    }

    /// The inputs of linking for a unit.
    ///
    /// # Panics
    ///
    /// If there is no such unit.
    #[must_use]
    pub fn inputs(&self, unit: UnitId) -> &LinkUnit<'a> {
        &self.unit(unit).inputs
    }

    /// The interface of a unit.
    ///
    /// # Panics
    ///
    /// While the program is being linked, or if there is no such unit.
    #[must_use]
    pub fn interface(&self, unit: UnitId) -> &UnitInterface {
        let interface = self.unit(unit).interface.get();
        interface.expect("interfaces are found when the program is linked")
    }

    /// The texts of all files.
    #[must_use]
    pub fn sources(&self) -> &'a SourceMap {
        self.sources
    }

    /// The limits of inlining.
    #[must_use]
    pub fn budget(&self) -> InlineBudget {
        self.budget
    }

    /// What the user states about sizes.
    #[must_use]
    pub fn sizes(&self) -> SizeOptions<'a> {
        self.sizes
    }

    /// The unit of built-in models of functions.
    #[must_use]
    pub fn builtin_unit(&self) -> UnitId {
        self.models.builtin
    }

    /// The units that define each name with external linkage.
    #[must_use]
    pub fn externals(&self) -> &ExternalSymbols {
        &self.externals
    }

    /// Whether some function modifies an object at file scope.
    #[must_use]
    pub fn is_modified(&self, name: &GlobalName) -> bool {
        self.modified.binary_search(name).is_ok()
    }

    pub(crate) fn unit(&self, unit: UnitId) -> &UnitSymbols<'a> {
        &self.units[unit.0 as usize]
    }

    /// Finds the definition that a call by name in a unit refers to.
    pub(crate) fn resolve(&self, unit: UnitId, name: &Name) -> Definition<'_> {
        let builtin = self.models.builtin;
        let is_builtin = self.unit(builtin).defines(name);
        match self.models.stated.effect(name) {
            Some(FunctionEffect::Body(_)) if is_builtin => return Definition::Unit(builtin),
            Some(effect) => return Definition::Stated(effect),
            None if is_error_handler(name) => return Definition::Stated(NO_EFFECT),
            None if self.unit(unit).defines(name) => return Definition::Unit(unit),
            None => {}
        }
        match self.externals.functions(name) {
            [other] => Definition::Unit(*other),
            several @ [_, _, ..] => match self.nearest(unit, several) {
                Some(other) => Definition::Unit(other),
                None => Definition::Ambiguous,
            },
            [] if is_builtin => Definition::Unit(builtin),
            [] => Definition::Undefined,
        }
    }

    pub(crate) fn definition(&self, unit: UnitId, name: &Name) -> Option<GlobalName> {
        self.resolve(unit, name).global_name(name)
    }

    /// The only one of several units in the folder of `unit`, else in the nearest folder above it that has one:
    /// programs that share a tree of folders keep their own definitions next to the callers.
    fn nearest(&self, unit: UnitId, several: &[UnitId]) -> Option<UnitId> {
        // Paths do not depend on the contents of files, so no input is recorded.
        let folder = |unit: UnitId| {
            let main = self.inputs(unit).origins.main();
            let path = self.sources.file(main).path();
            Path::new(path).parent().unwrap_or(Path::new(""))
        };
        let own = folder(unit);
        let above = |other: &&UnitId| own.starts_with(folder(**other));
        let depth = |other: &UnitId| folder(*other).components().count();
        let deepest = several.iter().filter(above).map(depth).max()?;
        let nearest = several.iter().filter(above);
        let mut nearest = nearest.filter(|other| depth(other) == deepest);
        match (nearest.next(), nearest.next()) {
            (Some(only), None) => Some(*only),
            _ => None,
        }
    }

    /// The steps of one function for calls into other files.
    fn steps_per_function(&self) -> u64 {
        let part = self.budget.shared / self.n_functions_with_loops();
        self.budget.per_function.max(part.min(MAX_INLINED_STEPS))
    }

    /// The steps of one function in bodies of its own file.
    fn steps_per_body(&self) -> u64 {
        let part = self.budget.own_bodies / self.n_functions_with_loops();
        self.budget.own_body.max(part)
    }

    /// The number of functions with a loop, at least one.
    fn n_functions_with_loops(&self) -> u64 {
        let all: u64 = self.units.iter().map(UnitSymbols::n_loops).sum();
        all.max(1)
    }
}
