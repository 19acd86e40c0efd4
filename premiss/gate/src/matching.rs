//! Which nests of a base and of a head are the same, however they are called and wherever they stand.

mod likeness;
mod sizes;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use likeness::Likeness;
pub use sizes::{share_saved_sizes, share_sizes};

use crate::shape::{Nest, Shape, nests};
use premiss_tree::NestTree;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A nest of a function of one side.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The function by its place among all of its side.
    pub function: usize,
    /// Its name.
    pub name: String,
    /// The file in which the function is, as both sides call it.
    pub file: String,
    /// Which nest of the function it is.
    pub position: usize,
    /// What it does.
    pub nest: Nest,
    /// What it looks like.
    pub(crate) likeness: Likeness,
}

/// Nests of a base and what became of them: one each, but several where a changed function has another
/// number of nests than before, which are compared as a whole. Nothing on one side where they are new or gone. A nest
/// of the base may be in two pairs: that of what it became, and that of its copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Places among the kernels of the base.
    pub base: Vec<usize>,
    /// Places among the kernels of the head.
    pub head: Vec<usize>,
    /// How the two were found to belong together.
    pub by: By,
}

/// How nests of a base and of a head were found to belong together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum By {
    /// They have one shape.
    Shape,
    /// They are in one function, and changed.
    Name,
    /// One is gone, the other is new, and they look alike: it may have been renamed and changed at once.
    Likeness,
    /// They do not belong together: one side is empty.
    Nothing,
}

impl Pair {
    /// Whether their shape is the same.
    #[must_use]
    pub fn same_shape(&self) -> bool {
        self.by == By::Shape
    }
}

/// The kernels of functions; `file` is what both sides call the file of a function.
pub fn kernels<'a>(
    trees: impl Iterator<Item = &'a NestTree>,
    file: impl Fn(&NestTree) -> String,
) -> Vec<Kernel> {
    let mut kernels = Vec::new();
    for (function, tree) in trees.enumerate() {
        for (position, nest) in nests(tree).into_iter().enumerate() {
            kernels.push(Kernel {
                function,
                name: tree.function.clone(),
                file: file(tree),
                position,
                likeness: Likeness::of(tree, &nest),
                nest,
            });
        }
    }
    kernels
}

/// Matches kernels: those that did not change; those that moved within functions of one name; those of one
/// shape anywhere; what is left of functions of one name, first in one file; copies of what was there that took the
/// place of something worse; what looks alike; and what came to functions that were there.
#[must_use]
pub fn matching(base: &[Kernel], head: &[Kernel]) -> Vec<Pair> {
    let mut open = Open::new(base, head);
    open.equal(|x| (x.file.clone(), x.name.clone(), x.position, x.nest.shape));
    open.equal(|x| (x.file.clone(), x.name.clone(), x.nest.shape));
    open.equal(|x| (x.name.clone(), x.nest.shape));
    open.equal(|x| (x.file.clone(), x.nest.shape));
    open.equal(|x: &Kernel| -> Shape { x.nest.shape });
    open.changed(|x| (x.file.clone(), x.name.clone()));
    open.changed(|x| x.name.clone());
    open.copied();
    open.alike();
    open.more();
    open.finish()
}

/// More pairs of functions are not looked at, but those of one file.
const MOST_COMPARED: usize = 1_000_000;

struct Open<'a> {
    base: &'a [Kernel],
    head: &'a [Kernel],
    open_base: Vec<usize>,
    open_head: Vec<usize>,
    pairs: Vec<Pair>,
}

impl<'a> Open<'a> {
    fn new(base: &'a [Kernel], head: &'a [Kernel]) -> Self {
        Self {
            base,
            head,
            open_base: (0..base.len()).collect(),
            open_head: (0..head.len()).collect(),
            pairs: Vec::new(),
        }
    }

    /// What is open on both sides, by key.
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

    /// Pairs kernels of one key, which has the shape, in order.
    fn equal<K: Ord>(&mut self, key: impl Fn(&Kernel) -> K) {
        for (base, head) in self.groups(key).into_values() {
            for (base, head) in base.into_iter().zip(head) {
                self.pair(vec![base], vec![head], By::Shape);
            }
        }
    }

    /// Pairs what is left of functions of one key.
    fn changed<K: Ord>(&mut self, key: impl Fn(&Kernel) -> K) {
        for (base, head) in self.groups(key).into_values() {
            self.pair_all(base, head, By::Name);
        }
    }

    /// Pairs nests one by one where there are as many, those first that look most alike; else all of them as a whole.
    fn pair_all(&mut self, base: Vec<usize>, head: Vec<usize>, by: By) {
        if base.len() != head.len() {
            return self.pair(base, head, by);
        }
        let mut rest = head;
        for old in base {
            let likeness = |new: &usize| self.base[old].likeness.to(&self.head[*new].likeness);
            // The first of those that are as much alike.
            let best =
                (0..rest.len()).reduce(|a, b| match likeness(&rest[a]) < likeness(&rest[b]) {
                    true => b,
                    false => a,
                });
            let Some(best) = best else { return };
            let new = rest.remove(best);
            self.pair(vec![old], vec![new], by);
        }
    }

    /// Pairs nests that are left in a function that was there with what the function had and another one has now.
    fn copied(&mut self) {
        let mut pairs = Vec::new();
        for idx in &self.open_head {
            let new = &self.head[*idx];
            let is_own = |old: &Kernel| (&old.name, &old.file) == (&new.name, &new.file);
            let went = self.pairs.iter().filter(|pair| {
                let stayed = pair
                    .head
                    .iter()
                    .any(|x| self.head[*x].function == new.function);
                pair.by == By::Shape && !stayed && pair.base.iter().all(|x| is_own(&self.base[*x]))
            });
            let alike = went
                .map(|pair| pair.base[0])
                .find(|old| self.base[*old].likeness.is_like(&new.likeness));
            pairs.extend(alike.map(|old| (old, *idx)));
        }
        for (old, new) in pairs {
            self.pair(vec![old], vec![new], By::Likeness);
        }
    }

    /// Pairs functions that are gone with new ones that look alike, most alike first.
    fn alike(&mut self) {
        let old = functions(self.base, &self.open_base);
        let new = functions(self.head, &self.open_head);
        let are_many = MOST_COMPARED < old.len().saturating_mul(new.len());
        let mut found: Vec<(Reverse<u64>, &Function, &Function)> = Vec::new();
        for was in &old {
            let near = new.iter().filter(|is| !are_many || is.file == was.file);
            let like = near.filter(|is| was.likeness.is_like(&is.likeness));
            found.extend(like.map(|is| (Reverse(was.likeness.to(&is.likeness)), was, is)));
        }
        // The first of those that are as much alike.
        found.sort_by_key(|(likeness, was, is)| (*likeness, was.nests[0], is.nests[0]));
        for (_, was, is) in found {
            if self.open_base.contains(&was.nests[0]) && self.open_head.contains(&is.nests[0]) {
                self.pair_all(was.nests.clone(), is.nests.clone(), By::Likeness);
            }
        }
    }

    /// A nest that came to a function, and has to do with arrays of those that were there, is compared with them: one
    /// pass more is more work for the same.
    fn more(&mut self) {
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
            let by = with
                .iter()
                .map(|pair| pair.by)
                .max()
                .unwrap_or(By::Name)
                .max(By::Name);
            let base: BTreeSet<usize> = with.iter().flat_map(|pair| pair.base.clone()).collect();
            let head = with.iter().flat_map(|pair| pair.head.clone()).chain([idx]);
            let head: BTreeSet<usize> = head.collect();
            self.pair(base.into_iter().collect(), head.into_iter().collect(), by);
        }
    }

    fn pair(&mut self, base: Vec<usize>, head: Vec<usize>, by: By) {
        self.open_base.retain(|idx| !base.contains(idx));
        self.open_head.retain(|idx| !head.contains(idx));
        self.pairs.push(Pair { base, head, by });
    }

    /// All pairs in the order of the head, then what is gone in the order of the base.
    fn finish(mut self) -> Vec<Pair> {
        for idx in std::mem::take(&mut self.open_base) {
            self.pair(vec![idx], Vec::new(), By::Nothing);
        }
        for idx in std::mem::take(&mut self.open_head) {
            self.pair(Vec::new(), vec![idx], By::Nothing);
        }
        let order = |x: &Pair| (x.head.is_empty(), x.head.clone(), x.base.clone());
        self.pairs.sort_by_key(order);
        self.pairs
    }
}

/// A function with nests that belong to none of the other side yet.
struct Function<'a> {
    file: &'a str,
    nests: Vec<usize>,
    likeness: Likeness,
}

/// The functions of these kernels, in order.
fn functions<'a>(side: &'a [Kernel], open: &[usize]) -> Vec<Function<'a>> {
    let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for idx in open {
        all.entry(side[*idx].function).or_default().push(*idx);
    }
    let function = |nests: Vec<usize>| Function {
        file: &side[nests[0]].file,
        likeness: Likeness::sum(nests.iter().map(|idx| &side[*idx].likeness)),
        nests,
    };
    all.into_values().map(function).collect()
}
