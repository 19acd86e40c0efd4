//! Why the nests of a program are not exact: kinds of reasons, the most frequent first.

use crate::coverage::{CoverageClass, CoverageReason, NestCoverage};
use std::collections::BTreeMap;

/// One kind of reason, with the number of nests that have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedReason {
    /// The class of the nests that have it.
    pub class: CoverageClass,
    /// Stable kebab-case name, as in [`CoverageReason::code`].
    pub code: &'static str,
    /// How many nests have a reason of this kind that determines their class.
    pub nests: u64,
    /// How many of them have no other kind of reason that does so.
    pub alone: u64,
    /// The first reason of this kind, in the order of the nests.
    pub example: CoverageReason,
}

/// The kinds of reasons that determine the classes of nests, most nests first, then by name. Exact nests count nowhere.
#[must_use]
pub fn rank(nests: &[NestCoverage]) -> Vec<RankedReason> {
    let mut ranked: BTreeMap<&'static str, RankedReason> = BTreeMap::new();
    for nest in nests
        .iter()
        .filter(|nest| nest.class != CoverageClass::Exact)
    {
        let mut kinds: BTreeMap<&'static str, &CoverageReason> = BTreeMap::new();
        for reason in nest.reasons.iter().filter(|x| x.class == nest.class) {
            kinds.entry(reason.code).or_insert(reason);
        }
        let is_alone = kinds.len() == 1;
        for (code, reason) in kinds {
            let row = ranked.entry(code).or_insert_with(|| RankedReason {
                class: nest.class,
                code,
                nests: 0,
                alone: 0,
                example: reason.clone(),
            });
            row.nests += 1;
            row.alone += u64::from(is_alone);
        }
    }
    let mut ranked: Vec<_> = ranked.into_values().collect();
    ranked.sort_by_key(|row| (std::cmp::Reverse(row.nests), row.code));
    ranked
}
