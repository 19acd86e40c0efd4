//! Which nests of a base and of a head are the same, however they are called and wherever they stand.

use crate::shape::{Nest, Shape, nests};
use premiss_tree::NestTree;
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
}

/// Nests of a base and what became of them: one each, but several where a changed function has another
/// number of nests than before, which are compared as a whole. Nothing on one side where they are new or gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Places among the kernels of the base.
    pub base: Vec<usize>,
    /// Places among the kernels of the head.
    pub head: Vec<usize>,
    /// Whether their shape is the same.
    pub same_shape: bool,
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
                nest,
            });
        }
    }
    kernels
}

/// Matches kernels: those that did not change; those that moved within functions of one name; those of one
/// shape anywhere; and what is left of functions of one name, first in one file.
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
    open.finish()
}

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
                self.pair(vec![base], vec![head], true);
            }
        }
    }

    /// Pairs what is left of functions of one key: nests one by one where there are as many as before.
    fn changed<K: Ord>(&mut self, key: impl Fn(&Kernel) -> K) {
        for (base, head) in self.groups(key).into_values() {
            if base.len() != head.len() {
                self.pair(base, head, false);
                continue;
            }
            for (base, head) in base.into_iter().zip(head) {
                self.pair(vec![base], vec![head], false);
            }
        }
    }

    fn pair(&mut self, base: Vec<usize>, head: Vec<usize>, same_shape: bool) {
        self.open_base.retain(|idx| !base.contains(idx));
        self.open_head.retain(|idx| !head.contains(idx));
        self.pairs.push(Pair {
            base,
            head,
            same_shape,
        });
    }

    /// All pairs in the order of the head, then what is gone in the order of the base.
    fn finish(mut self) -> Vec<Pair> {
        for idx in std::mem::take(&mut self.open_base) {
            self.pair(vec![idx], Vec::new(), false);
        }
        for idx in std::mem::take(&mut self.open_head) {
            self.pair(Vec::new(), vec![idx], false);
        }
        let order = |x: &Pair| (x.head.is_empty(), x.head.clone(), x.base.clone());
        self.pairs.sort_by_key(order);
        self.pairs
    }
}

/// Gives sizes that were renamed the values of what they were called on the other side: a size has a value
/// on one side alone where `-P` names it as it is called there. The names whose values both sides have then.
pub fn share_sizes(
    pairs: &[Pair],
    (base, base_trees): (&[Kernel], &mut [NestTree]),
    (head, head_trees): (&[Kernel], &mut [NestTree]),
) -> BTreeSet<String> {
    let mut shared = BTreeSet::new();
    for pair in pairs.iter().filter(|pair| pair.same_shape) {
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

fn set(tree: &mut NestTree, name: &str, value: i64) {
    let all = tree.parameters.values_mut();
    for size in all.chain(tree.work.parameters.values_mut()) {
        if size.name == name && size.value.is_none() {
            size.value = Some(value);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use premiss_analyze::{ReadOptions, read};
    use premiss_source::SourceMap;

    pub(crate) fn trees(source: &str) -> Vec<NestTree> {
        let mut sources = SourceMap::new();
        let file = sources.add("a.c", source.into()).expect("it is short");
        read(&mut sources, file, &ReadOptions::default(), &mut |_| None).functions
    }

    pub(crate) fn tree(source: &str) -> NestTree {
        trees(source).remove(0)
    }

    fn of(file: &str, source: &str) -> Vec<Kernel> {
        kernels(trees(source).iter(), |_| file.to_owned())
    }

    /// `f0 → g1` for each pair.
    fn check(base: &[Kernel], head: &[Kernel], expected: &[&str]) {
        let name = |side: &[Kernel], all: &[usize]| {
            let names = all
                .iter()
                .map(|x| format!("{}{}", side[*x].name, side[*x].position));
            names.collect::<Vec<_>>().join("+")
        };
        let shown = matching(base, head).into_iter().map(|pair| {
            let arrow = if pair.same_shape { "=" } else { "→" };
            let (base, head) = (name(base, &pair.base), name(head, &pair.head));
            format!("{base} {arrow} {head}")
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    const UP: &str = "for (int i = 0; i < n; i++) a[i] = 0;";
    const DOWN: &str = "for (int i = n; i > 0; i--) a[i] = 0;";
    const ODD: &str = "for (int i = 1; i < n; i += 2) a[i] = 0;";

    fn function(name: &str, body: &[&str]) -> String {
        format!("void {name}(int n, double *a) {{ {} }}\n", body.join("\n"))
    }

    #[test]
    fn what_moves_is_found() {
        let base = of(
            "a.c",
            &(function("f", &[UP, DOWN]) + &function("g", &[ODD])),
        );
        let head = of(
            "b.c",
            &(function("h", &[ODD]) + &function("f", &[DOWN, UP])),
        );
        check(&base, &head, &["g0 = h0", "f1 = f0", "f0 = f1"]);
    }

    #[test]
    fn what_changes_is_compared_with_what_it_was() {
        let base = of("a.c", &function("f", &[UP, DOWN]));
        check(
            &base,
            &of("a.c", &function("f", &[UP, ODD])),
            &["f0 = f0", "f1 → f1"],
        );
        check(&base, &of("b.c", &function("f", &[ODD])), &["f0+f1 → f0"]);
        check(
            &base,
            &of("a.c", &function("f", &[UP, DOWN, ODD])),
            &["f0 = f0", "f1 = f1", " → f2"],
        );
        check(
            &base,
            &of("a.c", &function("f", &[UP])),
            &["f0 = f0", "f1 → "],
        );
        check(
            &base,
            &of("a.c", &function("g", &[ODD])),
            &[" → g0", "f0 → ", "f1 → "],
        );
    }

    #[test]
    fn renamed_sizes_keep_their_values() {
        let (mut old, mut new) = (
            trees(&function("f", &[UP])),
            trees("void f(int m, double *a) { for (int i = 0; i < m; i++) a[i] = 0; }"),
        );
        let (base, head) = (
            kernels(old.iter(), |_| String::new()),
            kernels(new.iter(), |_| String::new()),
        );
        set(&mut old[0], "n", 1000);
        share_sizes(
            &matching(&base, &head),
            (&base, &mut old),
            (&head, &mut new),
        );
        let id = head[0].nest.sizes[0];
        assert_eq!(new[0].parameters[id].value, Some(1000));
    }
}
