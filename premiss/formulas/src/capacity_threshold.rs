//! The size from which on a level evicts lines before their reuse, which it keeps at smaller sizes.
//!
//! A function that was counted at its sizes is derived with one of them symbolic, and the misses of the references are
//! evaluated at half of its value, and then by bisection. With 512 lines and `y[i] += a[i][j] * x[j]`, where each line
//! of `x` is reused after `n/8` lines of `a`, as many of `x`, and one of `y`:
//!
//! ```text
//! n = 3000   376 + 376 lines between two uses: lost       twice the level keeps them
//! n = 1500   189 + 189 lines: kept
//! between    lost from n = 2041 on
//! ```
//!
//! Levels count as fully associative, because reuse distances do not depend on sets.

use crate::refusal::Effort;
use crate::residue_classes::{
    DerivationOptions, ResidueFactors, SymbolicOptions, factors, symbolic_form,
};
use premiss_cache::CacheGeometry;
use premiss_distance::{PreparedHistogram, SymbolicHistogram};
use premiss_tree::{NestTree, ParameterId, ReferenceId};
use std::collections::BTreeMap;

/// The most sizes that a function may use.
const MOST_SIZES: usize = 3;
/// The most closed forms derived for a function.
const MOST_DERIVATIONS: usize = 12;
/// The most effort for each of them: a threshold only adds a remark to a finding.
const MOST_EFFORT: u64 = 500_000;

/// The size from which on a level no longer keeps lines until they are reused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CapacityThreshold {
    /// The name of the size.
    pub size: String,
    /// The least value at which they are lost.
    pub value: i64,
    /// The value of the size for which the function was counted.
    pub current: i64,
}

/// Finds capacity thresholds of one function; caches the closed forms with one of its sizes symbolic.
#[derive(Debug)]
pub struct CapacityThresholds<'a> {
    tree: &'a NestTree,
    options: DerivationOptions<'a>,
    /// By line size in bytes and the symbolic size.
    open: BTreeMap<(u64, ParameterId), Option<Open>>,
    n_derivations: usize,
}

/// A function with one size symbolic.
#[derive(Debug)]
struct Open {
    tree: NestTree,
    factors: ResidueFactors,
    /// By the remainder of the size.
    forms: BTreeMap<i64, Option<ThresholdForm>>,
}

#[derive(Debug)]
struct ThresholdForm {
    histogram: SymbolicHistogram,
    prepared: PreparedHistogram,
}

/// The level in which lines are lost, and the references that reuse them.
#[derive(Clone, Copy)]
struct ReuseSite<'r> {
    geometry: CacheGeometry,
    references: &'r [ReferenceId],
}

impl<'a> CapacityThresholds<'a> {
    /// For a function whose sizes have the values that it was counted at.
    #[must_use]
    pub fn new(tree: &'a NestTree, options: DerivationOptions<'a>) -> Self {
        Self {
            tree,
            options,
            open: BTreeMap::new(),
            n_derivations: 0,
        }
    }

    /// The size from which on twice the capacity of a level would save at least half of the misses of these references
    /// (all ids of the function's tree), given that this is so at the function's sizes. `None` if no closed form is
    /// found, if halving no size avoids it, or if halving any of several sizes does.
    pub fn threshold(
        &mut self,
        geometry: CacheGeometry,
        references: &[ReferenceId],
    ) -> Option<CapacityThreshold> {
        let place = ReuseSite {
            geometry,
            references,
        };
        let used = self.tree.used_parameters();
        if MOST_SIZES < used.len() {
            return None;
        }
        let mut found = None;
        for size in used {
            let now = self.tree.parameters[size].value?;
            let factor = self.factor(geometry.line_size, size)?;
            // Half of it, in the same class.
            let half = now / 2 - (now / 2 - now).rem_euclid(factor);
            let is_mended =
                0 < half && self.is_lost(place, size, now)? && !self.is_lost(place, size, half)?;
            if is_mended && found.replace((size, (half, now), factor)).is_some() {
                return None;
            }
        }
        let (size, between, factor) = found?;
        let current = between.1;
        let between = self.bisect(place, size, between, factor)?;
        let (_, value) = self.bisect(place, size, between, 1)?;
        Some(CapacityThreshold {
            size: self.tree.parameters[size].name.clone(),
            value,
            current,
        })
    }

    /// Bisects, by multiples of `step`, between a value at which lines are kept and one at which they are lost.
    fn bisect(
        &mut self,
        place: ReuseSite<'_>,
        size: ParameterId,
        (mut kept, mut lost): (i64, i64),
        step: i64,
    ) -> Option<(i64, i64)> {
        while step < lost - kept {
            let middle = kept + (lost - kept) / step / 2 * step;
            match self.is_lost(place, size, middle)? {
                true => lost = middle,
                false => kept = middle,
            }
        }
        Some((kept, lost))
    }

    /// Whether twice the capacity would save at least half of the misses, where a size has this value.
    fn is_lost(&mut self, place: ReuseSite<'_>, size: ParameterId, value: i64) -> Option<bool> {
        let ReuseSite {
            geometry,
            references,
        } = place;
        let form = self.form(geometry.line_size, size, value)?;
        let [column] = form.histogram.parameters.as_slice() else {
            return None;
        };
        let values = [i128::from((value - column.residue) / column.factor)];
        if !form.histogram.context.contains(&values).ok()? {
            return None;
        }
        let sized = form.prepared.at(&values).ok()?;
        let (mut misses, mut of_twice) = (0_u64, 0_u64);
        for (one, counts) in form.histogram.references.iter().zip(&sized.references) {
            if references.contains(&one.reference) {
                let lines = geometry.lines();
                misses = misses.checked_add(counts.misses(lines).ok()?)?;
                of_twice = of_twice.checked_add(counts.misses(lines.saturating_mul(2)).ok()?)?;
            }
        }
        Some(0 < misses && of_twice.saturating_mul(2) <= misses)
    }

    /// The modulus of the residue classes of a size.
    fn factor(&mut self, line_size: u64, size: ParameterId) -> Option<i64> {
        let open = self.open(line_size, size)?;
        Some(open.factors.get(&size).copied().unwrap_or(1))
    }

    fn open(&mut self, line_size: u64, size: ParameterId) -> Option<&mut Open> {
        let options = within_effort(self.options, line_size);
        let open = || {
            let mut tree = self.tree.clone();
            let work = &mut tree.work;
            for parameters in [&mut tree.parameters, &mut work.parameters] {
                if let Some(parameter) = parameters.get_mut(size) {
                    parameter.value = None;
                }
            }
            Some(Open {
                factors: factors(&tree, options).ok()?,
                tree,
                forms: BTreeMap::new(),
            })
        };
        let known = self.open.entry((line_size, size));
        known.or_insert_with(open).as_mut()
    }

    /// The closed form for the residue class of a value.
    fn form(&mut self, line_size: u64, size: ParameterId, value: i64) -> Option<&ThresholdForm> {
        let options = within_effort(self.options, line_size);
        let n_derivations = self.n_derivations;
        let open = self.open(line_size, size)?;
        let factor = open.factors.get(&size).copied().unwrap_or(1);
        let residue = value.rem_euclid(factor);
        let is_new = !open.forms.contains_key(&residue);
        if is_new {
            let residues = BTreeMap::from([(size, residue)]);
            let may_derive = n_derivations < MOST_DERIVATIONS;
            let derive = || symbolic_form(&open.tree, &open.factors, &residues, options).ok();
            let form = may_derive.then(derive).flatten().map(|form| ThresholdForm {
                prepared: form.histogram.prepared(),
                histogram: form.histogram,
            });
            open.forms.insert(residue, form);
            self.n_derivations += 1;
        }
        self.open(line_size, size)?.forms.get(&residue)?.as_ref()
    }
}

/// The options for lines of `line_size` bytes, with a small effort.
fn within_effort(options: DerivationOptions<'_>, line_size: u64) -> SymbolicOptions<'_> {
    let effort = Effort {
        steps: options.effort.steps.min(MOST_EFFORT),
    };
    DerivationOptions { effort, ..options }.for_lines(line_size)
}
