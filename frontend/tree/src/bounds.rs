//! Bounds of sizes that the author of a program states: `premiss:assume 1 <= k <= n`.

use crate::{NestTree, ParameterId};
use premiss_source::Span;
use std::collections::BTreeMap;

/// A linear form in the sizes that is at least 0: `n - k` for `k <= n`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SizeBound {
    /// The coefficient of each size; includes sizes that only arithmetic depends on.
    pub sizes: BTreeMap<ParameterId, i64>,
    /// The constant term.
    pub constant: i64,
    /// The bound as written.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

impl SizeBound {
    /// Whether the bound does not hold for these values; `false` where a size has no value.
    #[must_use]
    pub fn is_violated(&self, value: impl Fn(ParameterId) -> Option<i64>) -> bool {
        let mut sum = i128::from(self.constant);
        for (id, factor) in &self.sizes {
            let Some(value) = value(*id) else {
                return false;
            };
            // The sum saturates: only its sign matters.
            sum = sum.saturating_add(i128::from(value) * i128::from(*factor));
        }
        sum < 0
    }
}

impl NestTree {
    /// The first stated bound that does not hold; sizes without a value in the tree get theirs from `given`, by name.
    #[must_use]
    pub fn violated_bound(&self, given: impl Fn(&str) -> Option<i64>) -> Option<&SizeBound> {
        let value = |id: ParameterId| {
            let size = self.parameters.get(id);
            let size = size.or_else(|| self.work.parameters.get(id))?;
            size.value.or_else(|| given(&size.name))
        };
        self.bounds.iter().find(|bound| bound.is_violated(value))
    }
}
