//! Sizes that were renamed between base and head.

use super::kernel::Kernel;
use super::pair::Pair;
use crate::saved::SavedBase;
use premiss_tree::NestTree;
use std::collections::BTreeSet;

/// Gives renamed sizes the values that their counterparts in the other program have: `-P` names a size as it is called
/// in one of them. Only nests of the same shape are considered. Returns the names of all sizes with the same value in
/// both programs.
pub fn share_sizes(
    pairs: &[Pair],
    (base, base_trees): (&[Kernel], &mut [NestTree]),
    (head, head_trees): (&[Kernel], &mut [NestTree]),
) -> BTreeSet<String> {
    let mut shared = BTreeSet::new();
    for pair in pairs.iter().filter(|pair| pair.same_shape()) {
        for (old, new) in pair.base.iter().zip(&pair.head) {
            let (old, new) = (&base[*old], &head[*new]);
            for (was, is) in old.nest.sizes.iter().zip(&new.nest.sizes) {
                let before = base_trees[old.function].parameters[*was].clone();
                let after = head_trees[new.function].parameters[*is].clone();
                match (before.value, after.value) {
                    (Some(value), None) => set(&mut head_trees[new.function], &after.name, value),
                    (None, Some(value)) => set(&mut base_trees[old.function], &before.name, value),
                    (Some(one), Some(other)) if one == other => {}
                    _ => continue,
                }
                shared.extend([before.name, after.name]);
            }
        }
    }
    shared
}

/// The same for a saved base, whose values are fixed. Returns the names of the sizes of the head that got a value.
pub fn share_saved_sizes(
    pairs: &[Pair],
    base: &SavedBase,
    (head, head_trees): (&[Kernel], &mut [NestTree]),
) -> BTreeSet<String> {
    let mut shared = BTreeSet::new();
    for pair in pairs.iter().filter(|pair| pair.same_shape()) {
        for (old, new) in pair.base.iter().zip(&pair.head) {
            let new = &head[*new];
            for (place, is) in new.nest.sizes.iter().enumerate() {
                let after = head_trees[new.function].parameters[*is].clone();
                if let (Some(value), None) = (base.size(*old, place), after.value) {
                    set(&mut head_trees[new.function], &after.name, value);
                    shared.insert(after.name);
                }
            }
        }
    }
    shared
}

pub(super) fn set(tree: &mut NestTree, name: &str, value: i64) {
    let all = tree.parameters.values_mut();
    for size in all.chain(tree.work.parameters.values_mut()) {
        if size.name == name && size.value.is_none() {
            size.value = Some(value);
        }
    }
}
