//! Closed forms of a kernel, derived stage by stage.

use premiss_dataflow::analyze;
use premiss_distance::{SizedHistogram, SymbolicHistogram, derive};
use premiss_histogram::ReuseDistanceHistogram;
use premiss_isl::with_budget;
use premiss_presburger::{Budget, Refusal};
use premiss_scop::{Layout, Question, Reject, Size, lower};
use premiss_trace::PerReference;
use premiss_tree::{NestTree, ParameterId, ReferenceId};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Set operations and counting steps that one derivation may take.
const OPERATIONS: u64 = 2_000_000_000;
const STEPS: u64 = 20_000_000;

/// Values of loop variables that one histogram may be enumerated over.
const POINTS: u64 = 200_000_000;

/// Why there is no closed form.
#[derive(Clone, PartialEq, Debug)]
pub enum NoForm {
    /// The tree is outside the model.
    Rejected(String),
    /// A stage gave up.
    Refused(&'static str, Refusal),
}

/// How long each stage took.
#[derive(Clone, Copy, Default, Debug)]
pub struct Times {
    /// From the tree to the scop.
    pub lower: Duration,
    /// From the scop to the reuse relation.
    pub analyze: Duration,
    /// From the relation to the histogram.
    pub derive: Duration,
}

impl Times {
    /// All of it.
    #[must_use]
    pub fn total(self) -> Duration {
        self.lower + self.analyze + self.derive
    }
}

/// The closed form of a tree for lines of so many bytes and aligned arrays.
///
/// # Errors
/// The tree is outside the model, or a budget ran out.
pub fn closed_form(
    tree: &NestTree,
    line_size: u64,
    sizes: &BTreeMap<ParameterId, Size>,
) -> Result<(SymbolicHistogram, Times), NoForm> {
    let question = Question {
        line_size,
        layout: Layout::Aligned,
        sizes: sizes.clone(),
    };
    let mut times = Times::default();
    let started = Instant::now();
    let rejected = |reject: Reject| NoForm::Rejected(format!("{reject:?}"));
    let scop = lower(tree, &question).map_err(rejected)?;
    times.lower = started.elapsed();
    let started = Instant::now();
    let relation = with_budget(OPERATIONS, || analyze(&scop));
    let relation = relation.map_err(|refusal| NoForm::Refused("analyze", refusal))?;
    times.analyze = started.elapsed();
    let started = Instant::now();
    let histogram = derive(&scop, &relation, &mut Budget::new(STEPS));
    let histogram = histogram.map_err(|refusal| NoForm::Refused("derive", refusal))?;
    times.derive = started.elapsed();
    Ok((histogram, times))
}

/// The histograms of all references of a tree.
///
/// # Errors
/// A number does not fit, or there are too many values of loop variables to go through.
pub fn by_reference(
    tree: &NestTree,
    sized: &SizedHistogram,
) -> Result<PerReference<ReuseDistanceHistogram>, Refusal> {
    let mut histograms = PerReference::with_capacity(tree.references.len());
    for reference in tree.references.keys() {
        histograms[reference] = ReuseDistanceHistogram::default();
    }
    let mut budget = Budget::new(POINTS);
    for part in &sized.references {
        let id: ReferenceId = part.reference;
        histograms[id].merge(&part.histogram(&mut budget)?);
    }
    Ok(histograms)
}
