//! Why a derivation was refused: the stage that gave up, its reason, and the effort it was allowed.

use premiss_presburger::Refusal;
use premiss_scop::Reject;
use premiss_tree::NestTree;

/// How many set operations go with one counting step of an [`Effort`].
const OPERATIONS_PER_STEP: u64 = 10;

/// How much work deriving a closed form may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Counting steps of some microseconds each; ten times as many set operations.
    pub steps: u64,
}

impl Effort {
    /// What suffices for most programs, and takes two minutes or so at most.
    pub const DEFAULT: Self = Self { steps: 4_000_000 };

    /// The set operations that go with the steps.
    pub(crate) fn operations(self) -> u64 {
        self.steps.saturating_mul(OPERATIONS_PER_STEP)
    }
}

/// A stage on the way to a closed form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DerivationStage {
    /// Finding the access that touched each line last.
    Predecessors,
    /// Counting what is touched in between.
    Distances,
    /// Putting numbers in the place of sizes.
    Evaluation,
}

/// Why there is no closed form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoClosedForm {
    /// The tree is outside the model.
    Rejected(Reject),
    /// A stage gave up.
    Refused {
        /// Which.
        stage: DerivationStage,
        /// Why.
        refusal: Refusal,
        /// What it was allowed.
        effort: Effort,
    },
    /// Where arrays lie in lines of so many bytes cannot be said without running the loops: they
    /// start at multiples of less, or where they were told to.
    Placement(u64),
}

impl NoClosedForm {
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
                    DerivationStage::Predecessors => "finding previous accesses",
                    DerivationStage::Distances => "counting distances",
                    DerivationStage::Evaluation => "evaluating the formulas",
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
