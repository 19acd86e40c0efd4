//! What the author of a program says of its sizes: `premiss:assume 1 <= k <= n`.

use crate::{NestTree, ParameterId};
use premiss_source::Span;
use std::collections::BTreeMap;

/// A sum of sizes that is not negative: `n - k` for `k <= n`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SizeBound {
    /// How often each size is in the sum; sizes that arithmetic alone depends on are among them.
    pub sizes: BTreeMap<ParameterId, i64>,
    /// What is added to that.
    pub constant: i64,
    /// As it is written.
    pub text: String,
    /// Where.
    pub span: Span,
}

impl SizeBound {
    /// Whether it does not hold where sizes have these values; `false` where one has none.
    #[must_use]
    pub fn is_violated(&self, value: impl Fn(ParameterId) -> Option<i64>) -> bool {
        let mut sum = i128::from(self.constant);
        for (id, factor) in &self.sizes {
            let Some(value) = value(*id) else {
                return false;
            };
            // At the ends of what fits, the sign is all that matters.
            sum = sum.saturating_add(i128::from(value) * i128::from(*factor));
        }
        sum < 0
    }
}

impl NestTree {
    /// The first of what is said of the sizes that does not hold where those without a value have these.
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
