//! Units linked into one program, and the views of it through which threads read it.

use crate::call_summary::CallSummaryCache;
use crate::dependencies::{Dependencies, Input, NoRecorder, Recorder};
use crate::externals::ExternalSymbols;
use crate::inputs::{FunctionModels, InlineBudget, LinkUnit, SizeOptions};
use crate::pure_call_cache::PureCallCache;
use crate::statement_cache::StatementCache;
use crate::symbols::UnitSymbols;
use crate::unit_summary::{UnitInterface, UnitSummary};
use premiss_ast::syntax::{GlobalName, Name, UnitId};
use premiss_ast::{FunctionEffect, ResultKind, is_handler};
use premiss_parallel as parallel;
use premiss_source::SourceMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// How many steps of one function may go into bodies of other files, however few functions there are: half of what a
/// function may take, since what it takes itself has to find room, too.
const MAX_INLINED_STEPS: u64 = 1_000_000;

/// That error handlers touch no array.
const NO_EFFECT: &FunctionEffect = &FunctionEffect::Nothing(ResultKind::Void);

/// Units that are linked into one program, as one computation reads it.
///
/// A name means what its own unit defines. What a unit only declares is what the one other unit says
/// that defines it with external linkage; where several do, these belong to several programs, and
/// the name keeps its meaning within the unit.
///
/// It answers [`Queries`](crate::Queries), and tells its [`Recorder`] which inputs it reads for that. Each thread has a
/// view of its own.
pub struct Program<'a> {
    linked: Arc<LinkedProgram<'a>>,
    used_sizes: RefCell<BTreeSet<String>>,
    recorder: Box<dyn Recorder>,
}

/// What all views of a program have in common.
pub struct LinkedProgram<'a> {
    pub(crate) units: Vec<UnitSymbols<'a>>,
    pub(crate) externals: ExternalSymbols,
    /// Names at file scope that some function modifies, in order.
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

/// Makes the recorder of a view of a program with so many units.
pub type NewRecorder = fn(n_units: usize) -> Box<dyn Recorder>;

/// A recorder that records nothing, for programs whose results are not remembered.
#[must_use]
pub fn no_recorder(_: usize) -> Box<dyn Recorder> {
    Box::new(NoRecorder)
}

/// Where what a call by name leads to is.
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

/// What linking is given beside the units.
#[derive(Clone, Copy)]
pub struct LinkOptions<'a> {
    /// What functions do whatever the files say of them, or say nothing.
    pub models: FunctionModels<'a>,
    /// What the user says of sizes.
    pub sizes: SizeOptions<'a>,
    /// How far calls are followed.
    pub budget: InlineBudget,
}

impl<'a> Program<'a> {
    /// Links units; the id of each is its place in the list. `earlier` has what linking needed of them in an earlier
    /// run, in the same order: deferred units whose summaries mean the same among these units are not built.
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
        let mut linked = Arc::new(linked);
        linked.find_interfaces();
        let shared = Arc::get_mut(&mut linked).expect("there are no views any more");
        shared.modified = shared.collect_modified();
        linked.view()
    }

    /// What all views of it have in common.
    #[must_use]
    pub fn linked(&self) -> &Arc<LinkedProgram<'a>> {
        &self.linked
    }

    /// The sizes that the user gives for names that the program has, as far as this view met them.
    #[must_use]
    pub fn used_sizes(&self) -> BTreeSet<String> {
        self.used_sizes.borrow().clone()
    }

    /// Adds a size that the user gives and the program has a name for.
    pub fn use_size(&self, size: &str) {
        self.recorder.record(Input::Size(size));
        self.used_sizes.borrow_mut().insert(size.to_owned());
    }

    /// The inputs that were read since this was called last.
    pub fn take_dependencies(&self) -> Dependencies {
        self.recorder.take()
    }

    /// Adds what another computation read, on whose result this one rests.
    pub(crate) fn add_dependencies(&self, dependencies: &Dependencies) {
        self.recorder.add(dependencies);
    }

    pub(crate) fn record(&self, input: Input<'_>) {
        self.recorder.record(input);
    }

    /// The symbols of a unit, all of which is read.
    pub(crate) fn read_unit(&self, unit: UnitId) -> &UnitSymbols<'a> {
        // Models of functions are part of the program.
        if unit != self.linked.models.builtin {
            self.record(Input::Unit(unit));
        }
        self.linked.unit(unit)
    }

    /// The units whose texts say what names mean in a unit, its own first, with their symbols. What is read of them
    /// is recorded by whoever reads it.
    pub(crate) fn scope(&self, unit: UnitId) -> impl Iterator<Item = (UnitId, &UnitSymbols<'a>)> {
        let prelude = |unit: &UnitId| self.linked.unit(*unit).inputs.prelude;
        let units = std::iter::successors(Some(unit), prelude);
        units.map(|unit| (unit, self.linked.unit(unit)))
    }
}

impl<'a> LinkedProgram<'a> {
    /// A view of the program, of which nothing was read yet.
    #[must_use]
    pub fn view(self: &Arc<Self>) -> Program<'a> {
        Program {
            linked: self.clone(),
            used_sizes: RefCell::default(),
            recorder: (self.new_recorder)(self.units.len()),
        }
    }

    /// The units, in order.
    pub fn unit_ids(&self) -> impl Iterator<Item = UnitId> + use<> {
        let n_units = u32::try_from(self.units.len()).unwrap_or(u32::MAX);
        (0..n_units).map(UnitId)
    }

    /// What linking was given of a unit.
    #[must_use]
    pub fn inputs(&self, unit: UnitId) -> &LinkUnit<'a> {
        &self.unit(unit).inputs
    }

    /// What others need of a unit.
    ///
    /// # Panics
    ///
    /// While the program is being linked.
    #[must_use]
    pub fn interface(&self, unit: UnitId) -> &UnitInterface {
        let interface = self.unit(unit).interface.get();
        interface.expect("interfaces are found when the program is linked")
    }

    /// All texts.
    #[must_use]
    pub fn sources(&self) -> &'a SourceMap {
        self.sources
    }

    /// How far calls are followed.
    #[must_use]
    pub fn budget(&self) -> InlineBudget {
        self.budget
    }

    /// What linking was told of sizes.
    #[must_use]
    pub fn sizes(&self) -> SizeOptions<'a> {
        self.sizes
    }

    /// The unit of built-in models of functions, which is nobody's file.
    #[must_use]
    pub fn builtin_unit(&self) -> UnitId {
        self.models.builtin
    }

    /// The units that define names with external linkage.
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

    /// Where what a call by name in a unit leads to is.
    pub(crate) fn resolve(&self, unit: UnitId, name: &Name) -> Definition<'_> {
        let builtin = self.models.builtin;
        let is_builtin = self.unit(builtin).defines(name);
        match self.models.stated.effect(name) {
            Some(FunctionEffect::Body(_)) if is_builtin => return Definition::Unit(builtin),
            Some(effect) => return Definition::Stated(effect),
            None if is_handler(name) => return Definition::Stated(NO_EFFECT),
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

    /// Of several units, the only one in the folder of a unit, else in the next one above it: programs
    /// that share a tree of folders have their own definitions beside what calls them.
    fn nearest(&self, unit: UnitId, several: &[UnitId]) -> Option<UnitId> {
        // Where files are has nothing to do with what they say.
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

    /// How far calls into other files are followed from one function.
    fn steps_per_function(&self) -> u64 {
        let n_functions: u64 = self.units.iter().map(UnitSymbols::n_loops).sum();
        let part = self.budget.shared / n_functions.max(1);
        self.budget.per_function.max(part.min(MAX_INLINED_STEPS))
    }
}
