//! The operations of a function: counted by running its loops where that is quick, else by closed forms.

use crate::options::{Engine, MeasureOptions, MeasureScope};
use crate::task::steps_per_run;
use premiss_operations::{
    Counts, FunctionCounts, Places, Scope, Vectorisable, count, enumerate, vectorisable,
};
use premiss_tree::{LoopId, NestTree};
use std::collections::BTreeMap;

/// Below this many steps, running the loops is quicker than deriving.
const QUICK: u64 = 1 << 14;

/// The limit on set operations when looking for the dependences of one loop.
const VECTOR_OPERATIONS: u64 = 1 << 18;

/// The operations of a function, and which of its loops can be vectorised.
#[derive(Debug)]
pub(crate) struct FunctionArithmetic {
    pub(crate) operations: FunctionCounts,
    /// Whether each innermost loop can be vectorised.
    pub(crate) vectors: BTreeMap<LoopId, Vectorisable>,
}

impl FunctionArithmetic {
    /// As far as the options need it.
    pub(crate) fn of(tree: &NestTree, options: &MeasureOptions) -> Self {
        let is_wanted = options.scope == MeasureScope::Everything;
        Self {
            operations: match is_wanted || !tree.work.averages.is_empty() {
                true => operations(tree, options),
                false => FunctionCounts::unknown(),
            },
            vectors: match is_wanted {
                true => vectors(tree),
                false => BTreeMap::new(),
            },
        }
    }
}

/// Counts the operations of a function at the sizes of its tree. Counts that depend on sizes without a value are
/// unknown.
pub(crate) fn operations(tree: &NestTree, options: &MeasureOptions) -> FunctionCounts {
    let sizes = BTreeMap::new();
    let most_steps = steps_per_run(options);
    let run = |steps: u64| enumerate(tree, &sizes, steps.min(most_steps)).ok();
    let derived = || count(tree, &sizes, options.effort.steps).ok();
    let found = match options.engine {
        Engine::Trace => run(most_steps),
        Engine::Closed => derived(),
        Engine::Auto => run(QUICK).or_else(|| match derived() {
            Some(counts) if counts.refused.is_empty() => Some(counts),
            bounded => run(most_steps).or(bounded),
        }),
    };
    found.unwrap_or_else(FunctionCounts::unknown)
}

/// Whether each innermost loop of a function can be vectorised.
pub(crate) fn vectors(tree: &NestTree) -> BTreeMap<LoopId, Vectorisable> {
    vectorisable(tree, VECTOR_OPERATIONS)
}

/// The operations of a function at each of some points, by one closed form in all sizes; `None` if there is none that
/// holds for all of them.
pub(crate) fn counts_at(
    tree: &NestTree,
    points: &[BTreeMap<String, i64>],
    options: &MeasureOptions,
) -> Option<Vec<Counts>> {
    let places = Places::derive(tree, &BTreeMap::new(), options.effort.steps).ok()?;
    let at = |point: &BTreeMap<String, i64>| {
        let name = |size: &premiss_scop::SymbolicParameter| &tree.work.parameters[size.id].name;
        let column = |size| point.get(name(size)).filter(|value| 0 <= **value);
        let columns = places
            .parameters
            .iter()
            .map(|size| column(size).map(|x| i128::from(*x)));
        let columns: Vec<i128> = columns.collect::<Option<_>>()?;
        Some(places.at(tree, &columns).of(Scope::Function).clone())
    };
    let is_exact = places.refused.is_empty() && options.engine != Engine::Trace;
    is_exact.then(|| points.iter().map(at).collect())?
}
