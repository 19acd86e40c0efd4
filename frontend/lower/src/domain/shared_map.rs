//! Maps that share common structure with their copies.
//!
//! A state is copied at every branch and loop, and joined where paths meet; most copies differ in a few entries. Here
//! a copy takes constant time, and a comparison visits only what is not shared.

use imbl::ordmap::DiffItem;
use imbl::shared_ptr::RcK;

/// An ordered map with copies that share its nodes.
pub(crate) type SharedMap<K, V> = imbl::GenericOrdMap<K, V, RcK>;

/// The entries whose keys are in both maps, with differing values joined.
pub(crate) fn join_common<K, V>(
    a: &SharedMap<K, V>,
    b: &SharedMap<K, V>,
    join: impl Fn(&V, &V) -> V,
) -> SharedMap<K, V>
where
    K: Ord + Clone,
    V: PartialEq + Clone,
{
    let mut joined = a.clone();
    for difference in a.diff(b) {
        match difference {
            DiffItem::Add(..) => {}
            DiffItem::Update { old, new } => {
                joined.insert(old.0.clone(), join(old.1, new.1));
            }
            DiffItem::Remove(key, _) => {
                joined.remove(key);
            }
        }
    }
    joined
}

/// Of the entries with keys from `first` on, removes those for which `is_kept` is false.
pub(crate) fn retain_from<K, V>(map: &mut SharedMap<K, V>, first: K, is_kept: impl Fn(K) -> bool)
where
    K: Ord + Copy,
    V: Clone,
{
    let keys = map.range(first..).map(|(key, _)| *key);
    let lost: Vec<K> = keys.filter(|key| !is_kept(*key)).collect();
    for key in &lost {
        map.remove(key);
    }
}
