//! Why a derivation was refused: the stage, the reason, and the effort it was allowed.

use premiss_presburger::Refusal;
use premiss_scop::{ExpressionSite, Reject};
use premiss_tree::NestTree;

/// How many set operations are allowed for each counting step of an [`Effort`].
const OPERATIONS_PER_STEP: u64 = 10;

/// The budget of a derivation, in steps, so that it does not depend on the speed of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// The most counting steps, of some microseconds each; ten times as many set operations are allowed.
    pub steps: u64,
}

impl Effort {
    /// Suffices for most programs, and takes about two minutes at most.
    pub const DEFAULT: Self = Self { steps: 4_000_000 };

    /// The most set operations.
    pub(crate) fn operations(self) -> u64 {
        self.steps.saturating_mul(OPERATIONS_PER_STEP)
    }
}

/// A stage on the way to a closed form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DerivationStage {
    /// Finding, for each access, the access that touched its line last.
    Predecessors,
    /// Counting the lines that are touched in between.
    Distances,
    /// Evaluating formulas at given sizes.
    Evaluation,
    /// Deciding how many of the lines in between are in the same set.
    Conflicts,
}

/// Why a function has no closed form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoClosedForm {
    /// The tree is outside the model.
    Rejected(Reject),
    /// A stage gave up.
    Refused {
        /// The stage.
        stage: DerivationStage,
        /// The reason.
        refusal: Refusal,
        /// The effort that it was allowed.
        effort: Effort,
    },
    /// The position of arrays within lines of this many bytes is unknown without running the loops: arrays start at
    /// multiples of less, or the user placed them.
    Placement(u64),
    /// Rows begin at so many places within lines of this many bytes that lines are not told by their place.
    ManyPieces(u64),
    /// Which set of a cache an array starts in is unknown, or differs among the sizes of every class.
    SetPlacement,
}

impl NoClosedForm {
    /// Whether a condition has no closed form: if it depends on data, there may be bounds.
    #[must_use]
    pub fn is_condition(&self) -> bool {
        let Self::Rejected(Reject::Expression { place, .. }) = self else {
            return false;
        };
        matches!(place, ExpressionSite::Condition(_))
    }

    /// The reason, as a line that starts lower-case and has no final stop.
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
                    DerivationStage::Conflicts => "deciding which lines share sets",
                };
                match refusal {
                    Refusal::Budget => {
                        let steps = effort.steps;
                        format!("{stage} takes more than the effort of {steps} steps")
                    }
                    other => format!("{stage} was given up: {other}"),
                }
            }
            Self::SetPlacement => {
                "the set in which an array starts is unknown: sizes of arrays are not declared, or are no polynomials"
                    .to_owned()
            }
            Self::ManyPieces(line) => {
                format!("rows begin at many places within lines of {line} bytes, whose bounds were found element by element")
            }
            Self::Placement(line) => format!(
                "arrays may start within lines of {line} bytes, at places that only the trace finds"
            ),
        }
    }
}
