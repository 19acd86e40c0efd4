//! The engine that executes nothing: from a tree to the closed form of its reuse distances.
//!
//! A tree becomes a scop, the scop a reuse relation, and that a histogram whose entries are formulas
//! in the sizes that have no value. Each stage may refuse; what refused, and why, is a [`NoForm`].

use crate::kept::Deriver;
use crate::store::Store;
use premiss_distance::{ReadyHistogram, SizedHistogram, SymbolicHistogram};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_presburger::{Budget, Refusal};
use premiss_scop::{Layout, Question, Reject, Scop, Size, lower};
use premiss_trace::PerReference;
use premiss_tree::{NestTree, ParameterId};
use std::collections::BTreeMap;

/// How many set operations go with one counting step of an [`Effort`].
const OPERATIONS_PER_STEP: u64 = 10;

/// Whole histograms of a function that take more entries than this are not written out.
const MOST_WRITTEN_OUT: u64 = 1 << 26;

/// How much work deriving a closed form may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Counting steps of some microseconds each; ten times as many set operations.
    pub steps: u64,
}

impl Effort {
    /// The set operations that go with the steps.
    pub(crate) fn operations(self) -> u64 {
        self.steps.saturating_mul(OPERATIONS_PER_STEP)
    }
}

/// What is derived of a tree for one line size.
#[derive(Debug)]
pub struct Derivation {
    /// The tree as sets.
    pub scop: Scop,
    /// How many accesses have which reuse distance.
    pub histogram: SymbolicHistogram,
}

/// A stage on the way to a closed form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Finding the access that touched each line last.
    Predecessors,
    /// Counting what is touched in between.
    Distances,
    /// Putting numbers in the place of sizes.
    Evaluation,
}

/// Why there is no closed form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoForm {
    /// The tree is outside the model.
    Rejected(Reject),
    /// A stage gave up.
    Refused {
        /// Which.
        stage: Stage,
        /// Why.
        refusal: Refusal,
        /// What it was allowed.
        effort: Effort,
    },
    /// Where arrays lie in lines of so many bytes cannot be said without running the loops: they
    /// start at multiples of less, or where they were told to.
    Placement(u64),
}

impl NoForm {
    /// What happened, as a line that starts lower-case and has no final stop.
    #[must_use]
    pub fn message(&self, tree: &NestTree) -> String {
        match self {
            Self::Rejected(reject) => reject.message(tree),
            Self::Refused {
                stage,
                refusal,
                effort,
            } => {
                let stage = match stage {
                    Stage::Predecessors => "finding previous accesses",
                    Stage::Distances => "counting distances",
                    Stage::Evaluation => "evaluating the formulas",
                };
                match refusal {
                    Refusal::Budget => {
                        let steps = effort.steps;
                        format!("{stage} takes more than the effort of {steps} steps")
                    }
                    other => format!("{stage} was given up: {other}"),
                }
            }
            Self::Placement(line) => format!(
                "arrays may start within lines of {line} bytes, at places that only the trace finds"
            ),
        }
    }
}

/// Derives the closed form of a tree, or finds it in a store.
///
/// # Errors
/// The tree is outside the model, or the effort did not suffice.
pub fn closed_form(
    tree: &NestTree,
    question: &Question,
    effort: Effort,
    store: Option<&Store>,
) -> Result<Derivation, NoForm> {
    let scop = lower(tree, question).map_err(NoForm::Rejected)?;
    let histogram = Deriver::new(&scop, effort, store).histogram()?;
    Ok(Derivation { scop, histogram })
}

/// What is asked of a tree whose arrays all start at multiples of `alignment`.
///
/// # Errors
/// The alignment leaves open where in a line an array starts.
pub fn question(
    line_size: u64,
    alignment: Option<u64>,
    sizes: BTreeMap<ParameterId, Size>,
) -> Result<Question, NoForm> {
    match alignment {
        Some(alignment) if alignment.is_multiple_of(line_size) => Ok(Question {
            line_size,
            layout: Layout::Aligned,
            sizes,
        }),
        _ => Err(NoForm::Placement(line_size)),
    }
}

/// The counts of a closed form at given sizes, by reference of the tree.
#[derive(Debug)]
pub(crate) struct ClosedCounts {
    /// How often each is executed.
    pub(crate) accesses: PerReference<Counted>,
    /// The reuse distances; nothing where there are too many to write out.
    pub(crate) histograms: Option<PerReference<ReuseDistanceHistogram>>,
    /// The misses of fully associative caches, by capacity in lines.
    pub(crate) misses: BTreeMap<u64, PerReference<Counted>>,
}

/// The whole histograms, by reference of the tree.
fn written_out(
    tree: &NestTree,
    sized: &SizedHistogram,
) -> Result<PerReference<ReuseDistanceHistogram>, Refusal> {
    let mut budget = Budget::new(MOST_WRITTEN_OUT);
    let mut histograms = per_reference(tree, &ReuseDistanceHistogram::default());
    for part in &sized.references {
        histograms[part.reference].merge(&part.histogram(&mut budget)?);
    }
    Ok(histograms)
}

/// Evaluates a closed form at the values of its columns, for caches of these capacities.
pub(crate) fn counts(
    tree: &NestTree,
    form: &ReadyHistogram,
    values: &[i128],
    capacities: &[u64],
) -> Result<ClosedCounts, Refusal> {
    let sized = form.at(values)?;
    let misses = |capacity: u64| {
        let mut counts = per_reference(tree, &Counted::ZERO);
        for part in &sized.references {
            counts[part.reference] += Counted::Exact(part.misses(capacity)?);
        }
        Ok::<_, Refusal>(counts)
    };
    let accesses = misses(0)?;
    let histograms = match written_out(tree, &sized) {
        Err(Refusal::Budget) => None,
        histograms => Some(histograms?),
    };
    let mut by_capacity = BTreeMap::new();
    for capacity in capacities {
        by_capacity.insert(*capacity, misses(*capacity)?);
    }
    Ok(ClosedCounts {
        accesses,
        histograms,
        misses: by_capacity,
    })
}

/// The same value for each reference of a tree.
pub(crate) fn per_reference<T: Clone + Default>(tree: &NestTree, value: &T) -> PerReference<T> {
    let mut all = PerReference::with_capacity(tree.references.len());
    for reference in tree.references.keys() {
        all[reference] = value.clone();
    }
    all
}
