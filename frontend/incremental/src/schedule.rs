//! Schedules the lowering of units and divides the budget of steps among them.

use crate::lowered_unit::{LoweredUnit, TreeStore, lower_unit};
use crate::program::IncrementalProgram;
use premiss_ast::syntax::UnitId;
use premiss_lower::MAX_FILE_WORK;
use premiss_parallel as parallel;
use std::sync::atomic::{AtomicU64, Ordering};

/// The share of a unit in the steps that are left for `n_units` units: four times the average, as most units need
/// less.
fn share_of(left: u64, n_units: u64) -> u64 {
    let part = left / n_units.max(1);
    part.saturating_mul(4).min(left).min(MAX_FILE_WORK)
}

/// Lowers units in parallel, with the same results as one after another: as long as more steps are left than a
/// function may take in bodies of other files, it does not matter what earlier units took.
pub(crate) fn lower_each<'p>(
    incremental: &'p IncrementalProgram<'p>,
    units: &[UnitId],
) -> Vec<LoweredUnit<'p>> {
    let linked = incremental.linked();
    let budget = linked.budget();
    let trees = TreeStore::default();
    let taken = AtomicU64::new(0);
    let is_free = budget.own_bodies == u64::MAX;
    let free = if is_free { units } else { &[] };
    let ahead = parallel::map(free, |unit| {
        if budget.total < taken.load(Ordering::Relaxed) {
            return None;
        }
        let share = share_of(u64::MAX, 1);
        let lowered = lower_unit(&linked.view(), *unit, share, budget.total, &trees);
        taken.fetch_add(lowered.linked_work, Ordering::Relaxed);
        Some(lowered)
    });
    let mut ahead = ahead.into_iter();
    let mut linked_left = budget.total;
    let mut left = budget.own_bodies;
    let mut n_units = linked.unit_ids().count() as u64;
    let mut done = Vec::new();
    for unit in units {
        let is_same = |x: &LoweredUnit| {
            budget.most_of_function().saturating_add(x.linked_work) <= linked_left
        };
        let lowered = match ahead.next().flatten().filter(is_same) {
            Some(lowered) => lowered,
            None => {
                let share = share_of(left, n_units);
                let lowered = lower_unit(&linked.view(), *unit, share, linked_left, &trees);
                left -= share - lowered.left;
                lowered
            }
        };
        n_units -= 1;
        linked_left -= lowered.linked_work;
        let used = lowered.used_sizes.iter();
        used.for_each(|size| incremental.program().use_size(size));
        done.push(lowered);
        if is_free && linked_left == 0 {
            break;
        }
    }
    // The rest inlines no calls into other files.
    let rest = &units[done.len()..];
    done.extend(parallel::map(rest, |unit| {
        let share = share_of(u64::MAX, 1);
        lower_unit(&linked.view(), *unit, share, 0, &trees)
    }));
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_may_take_four_times_the_average_of_what_is_left() {
        assert_eq!(share_of(1_000, 10), 400);
        assert_eq!(share_of(1_000, 4), 1_000);
        assert_eq!(share_of(1_000, 1), 1_000, "no more than there is");
        assert_eq!(share_of(0, 3), 0);
        assert_eq!(share_of(u64::MAX, 1), MAX_FILE_WORK);
        assert_eq!(share_of(1_000, 0), 1_000);
    }
}
