//! The likeness of nests: whether one that is gone and one that is new may be the same, renamed and changed at once.

use crate::shape::Nest;
use premiss_tree::{AccessKind, LoopId, NestTree};
use std::collections::BTreeMap;

/// The names in the text of a nest, and a summary of its accesses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Likeness {
    /// How many times each name occurs in references and as the iterator of a loop around them.
    pub(crate) names: BTreeMap<String, u64>,
    /// The number of references by kind, bytes of the element, and number of loops around them.
    pub(crate) accesses: BTreeMap<(AccessKind, u32, usize), u64>,
}

/// Two nests are alike if they have at least this many thousandths in common.
const ALIKE: u64 = 500;

impl Likeness {
    pub(crate) fn of(tree: &NestTree, nest: &Nest) -> Self {
        let mut found = Self::default();
        for id in &nest.references {
            let reference = &tree.references[*id];
            found.note(&reference.text);
            let depth = loops(tree, reference.inside).count();
            let key = (reference.kind, reference.size, depth);
            *found.accesses.entry(key).or_insert(0) += 1;
            for inner in loops(tree, reference.inside) {
                found.note(&tree.loops[inner].iterator);
            }
        }
        found
    }

    fn note(&mut self, text: &str) {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        for name in text.split(|letter| !is_part(letter)) {
            if name.starts_with(|letter: char| !letter.is_ascii_digit()) {
                *self.names.entry(name.to_lowercase()).or_insert(0) += 1;
            }
        }
    }

    pub(crate) fn sum<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        let mut sum = Self::default();
        for one in all {
            for (name, n) in &one.names {
                *sum.names.entry(name.clone()).or_insert(0) += n;
            }
            for (kind, n) in &one.accesses {
                *sum.accesses.entry(*kind).or_insert(0) += n;
            }
        }
        sum
    }

    /// How much two nests have in common: the sum of two shares, each in thousandths.
    pub(crate) fn to(&self, other: &Self) -> u64 {
        common(&self.names, &other.names) + common(&self.accesses, &other.accesses)
    }

    /// Whether they may be the same: half of the names agree, or all accesses do and there are at least three.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let (names, accesses) = (
            common(&self.names, &other.names),
            common(&self.accesses, &other.accesses),
        );
        let telling = 3 <= self.accesses.values().sum::<u64>();
        ALIKE <= names || (telling && accesses == 1000)
    }
}

/// How much two tables have in common, in thousandths.
fn common<K: Ord>(a: &BTreeMap<K, u64>, b: &BTreeMap<K, u64>) -> u64 {
    let both: u64 = a
        .iter()
        .map(|(key, n)| b.get(key).map_or(0, |m| *n.min(m)))
        .sum();
    let all = a.values().sum::<u64>().max(b.values().sum());
    (1000 * both).checked_div(all).unwrap_or(0)
}

/// The loops around a place, innermost first.
fn loops(tree: &NestTree, inside: Option<LoopId>) -> impl Iterator<Item = LoopId> {
    std::iter::successors(inside, |id| tree.loops[*id].inside)
}
