//! The passes that match nests, each over those that are still unmatched.

use super::kernel::Kernel;
use super::likeness::Likeness;
use super::pair::{MatchKind, Pair};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Beyond this many pairs of functions, only those within one file are compared.
const MOST_COMPARED: usize = 1_000_000;

/// The kernels of both programs that are still unmatched, and the pairs found so far.
pub(super) struct Matcher<'a> {
    base: &'a [Kernel],
    head: &'a [Kernel],
    open_base: Vec<usize>,
    open_head: Vec<usize>,
    pairs: Vec<Pair>,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(base: &'a [Kernel], head: &'a [Kernel]) -> Self {
        Self {
            base,
            head,
            open_base: (0..base.len()).collect(),
            open_head: (0..head.len()).collect(),
            pairs: Vec::new(),
        }
    }

    /// The unmatched kernels of both programs, by key.
    fn groups<K: Ord>(&self, key: impl Fn(&Kernel) -> K) -> BTreeMap<K, (Vec<usize>, Vec<usize>)> {
        let mut groups: BTreeMap<K, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for idx in &self.open_base {
            groups
                .entry(key(&self.base[*idx]))
                .or_default()
                .0
                .push(*idx);
        }
        for idx in &self.open_head {
            groups
                .entry(key(&self.head[*idx]))
                .or_default()
                .1
                .push(*idx);
        }
        groups.retain(|_, (base, head)| !base.is_empty() && !head.is_empty());
        groups
    }

    /// Pairs kernels with the same key, which includes the shape, in order.
    pub(super) fn equal<K: Ord>(&mut self, key: impl Fn(&Kernel) -> K) {
        for (base, head) in self.groups(key).into_values() {
            for (base, head) in base.into_iter().zip(head) {
                self.pair(vec![base], vec![head], MatchKind::Shape);
            }
        }
    }

    /// Pairs the remaining kernels of functions with the same key.
    pub(super) fn changed<K: Ord>(&mut self, key: impl Fn(&Kernel) -> K) {
        for (base, head) in self.groups(key).into_values() {
            self.pair_all(base, head, MatchKind::Name);
        }
    }

    /// Pairs nests one by one if both sides have equally many, the most alike first; else all of them as a whole.
    fn pair_all(&mut self, base: Vec<usize>, head: Vec<usize>, match_kind: MatchKind) {
        if base.len() != head.len() {
            return self.pair(base, head, match_kind);
        }
        let mut rest = head;
        for old in base {
            let likeness = |new: &usize| self.base[old].likeness.to(&self.head[*new].likeness);
            // The first of those that are equally alike.
            let best =
                (0..rest.len()).reduce(|a, b| match likeness(&rest[a]) < likeness(&rest[b]) {
                    true => b,
                    false => a,
                });
            let Some(best) = best else { return };
            let new = rest.remove(best);
            self.pair(vec![old], vec![new], match_kind);
        }
    }

    /// Pairs the remaining nests of an existing function with the nests that the function had and another function has
    /// now.
    pub(super) fn copied(&mut self) {
        let mut pairs = Vec::new();
        for idx in &self.open_head {
            let new = &self.head[*idx];
            let is_own = |old: &Kernel| (&old.name, &old.file) == (&new.name, &new.file);
            let went = self.pairs.iter().filter(|pair| {
                let stayed = pair
                    .head
                    .iter()
                    .any(|x| self.head[*x].function == new.function);
                pair.match_kind == MatchKind::Shape
                    && !stayed
                    && pair.base.iter().all(|x| is_own(&self.base[*x]))
            });
            let alike = went
                .map(|pair| pair.base[0])
                .find(|old| self.base[*old].likeness.is_like(&new.likeness));
            pairs.extend(alike.map(|old| (old, *idx)));
        }
        for (old, new) in pairs {
            self.pair(vec![old], vec![new], MatchKind::Likeness);
        }
    }

    /// Pairs functions that are gone with new ones that look alike, the most alike first.
    pub(super) fn alike(&mut self) {
        let old = functions(self.base, &self.open_base);
        let new = functions(self.head, &self.open_head);
        let are_many = MOST_COMPARED < old.len().saturating_mul(new.len());
        let mut found: Vec<(Reverse<u64>, &UnmatchedFunction, &UnmatchedFunction)> = Vec::new();
        for was in &old {
            let near = new.iter().filter(|is| !are_many || is.file == was.file);
            let like = near.filter(|is| was.likeness.is_like(&is.likeness));
            found.extend(like.map(|is| (Reverse(was.likeness.to(&is.likeness)), was, is)));
        }
        // The first of those that are equally alike.
        found.sort_by_key(|(likeness, was, is)| (*likeness, was.nests[0], is.nests[0]));
        for (_, was, is) in found {
            if self.open_base.contains(&was.nests[0]) && self.open_head.contains(&is.nests[0]) {
                self.pair_all(was.nests.clone(), is.nests.clone(), MatchKind::Likeness);
            }
        }
    }

    /// Compares a nest that was added to a function, and uses arrays of its existing nests, together with these: an
    /// additional pass is more work for the same result.
    pub(super) fn more(&mut self) {
        for idx in self.open_head.clone() {
            let new = &self.head[idx];
            let shares = |other: &usize| {
                let other = &self.head[*other];
                let arrays = &other.nest.arrays;
                other.function == new.function && arrays.iter().any(|x| new.nest.arrays.contains(x))
            };
            let (with, others): (Vec<Pair>, Vec<Pair>) = std::mem::take(&mut self.pairs)
                .into_iter()
                .partition(|pair| pair.head.iter().any(shares));
            self.pairs = others;
            if with.is_empty() {
                continue;
            }
            let match_kind = with
                .iter()
                .map(|pair| pair.match_kind)
                .max()
                .unwrap_or(MatchKind::Name)
                .max(MatchKind::Name);
            let base: BTreeSet<usize> = with.iter().flat_map(|pair| pair.base.clone()).collect();
            let head = with.iter().flat_map(|pair| pair.head.clone()).chain([idx]);
            let head: BTreeSet<usize> = head.collect();
            self.pair(
                base.into_iter().collect(),
                head.into_iter().collect(),
                match_kind,
            );
        }
    }

    fn pair(&mut self, base: Vec<usize>, head: Vec<usize>, match_kind: MatchKind) {
        self.open_base.retain(|idx| !base.contains(idx));
        self.open_head.retain(|idx| !head.contains(idx));
        self.pairs.push(Pair {
            base,
            head,
            match_kind,
        });
    }

    /// All pairs in the order of the head, then the removed nests in the order of the base.
    pub(super) fn finish(mut self) -> Vec<Pair> {
        for idx in std::mem::take(&mut self.open_base) {
            self.pair(vec![idx], Vec::new(), MatchKind::Nothing);
        }
        for idx in std::mem::take(&mut self.open_head) {
            self.pair(Vec::new(), vec![idx], MatchKind::Nothing);
        }
        let order = |x: &Pair| (x.head.is_empty(), x.head.clone(), x.base.clone());
        self.pairs.sort_by_key(order);
        self.pairs
    }
}

/// A function with the nests that are still unmatched.
struct UnmatchedFunction<'a> {
    file: &'a str,
    nests: Vec<usize>,
    likeness: Likeness,
}

/// The functions of these kernels, in order.
fn functions<'a>(side: &'a [Kernel], open: &[usize]) -> Vec<UnmatchedFunction<'a>> {
    let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for idx in open {
        all.entry(side[*idx].function).or_default().push(*idx);
    }
    let function = |nests: Vec<usize>| UnmatchedFunction {
        file: &side[nests[0]].file,
        likeness: Likeness::sum(nests.iter().map(|idx| &side[*idx].likeness)),
        nests,
    };
    all.into_values().map(function).collect()
}
