//! The operations of a function: by running its loops where that is quick, else by closed forms.

use crate::options::{Engine, MeasureOptions, MeasureScope};
use premiss_operations::{
    Counts, FunctionCounts, Places, Scope, Vectorisable, count, enumerate, vectorisable,
};
use premiss_tree::{LoopId, NestTree};
use std::collections::BTreeMap;

/// Running loops for so many steps takes less than deriving.
const QUICK: u64 = 1 << 14;

/// So many operations on sets find the dependences of one loop.
const VECTOR_OPERATIONS: u64 = 1 << 18;

/// What a function computes.
#[derive(Debug)]
pub(crate) struct FunctionArithmetic {
    pub(crate) operations: FunctionCounts,
    /// Its innermost loops, with whether they may be vectors.
    pub(crate) vectors: BTreeMap<LoopId, Vectorisable>,
}

impl FunctionArithmetic {
    /// As far as it is wanted.
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

/// Counts the operations of a function at the sizes that it has. Those that are missing leave unknown
/// what depends on them.
pub(crate) fn operations(tree: &NestTree, options: &MeasureOptions) -> FunctionCounts {
    let sizes = BTreeMap::new();
    let run = |budget: u64| enumerate(tree, &sizes, budget.min(options.budget)).ok();
    let derived = || count(tree, &sizes, options.effort.steps).ok();
    let found = match options.engine {
        Engine::Trace => run(options.budget),
        Engine::Closed => derived(),
        Engine::Auto => run(QUICK).or_else(|| match derived() {
            Some(counts) if counts.refused.is_empty() => Some(counts),
            bounded => run(options.budget).or(bounded),
        }),
    };
    found.unwrap_or_else(FunctionCounts::unknown)
}

/// The innermost loops of a function, with whether they may be vectors.
pub(crate) fn vectors(tree: &NestTree) -> BTreeMap<LoopId, Vectorisable> {
    vectorisable(tree, VECTOR_OPERATIONS)
}

/// What a function does at each of some points, by one closed form in all sizes; nothing where there is
/// none that holds for all of them.
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
