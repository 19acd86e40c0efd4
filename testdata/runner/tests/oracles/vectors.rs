//! Which innermost loops may be vectors: loops in three languages with the answer beside them, all pairs
//! of accesses one by one, and what a compiler makes vectors of.
//!
//! The oracle lists the accesses of a tree with their iterations and looks at each two of them byte by
//! byte; it knows nothing of sets. `PROPTEST_CASES=10000 cargo test -p premiss-testdata --test oracles vectors::`
//! tries longer.

#![expect(clippy::print_stdout, reason = "what is skipped is said")]

use premiss_operations::{Hindrance, Vectorisable, Verdict, vectorisable};
use premiss_oracle::{Iterated, iterated};
use premiss_testdata::kernel::{Kernel, names_in, sizes_at};
use premiss_testdata::random::{Knowledge, config, shapeless, sweeps};
use premiss_testdata::truth::testdata;
use premiss_tree::{AccessKind, LoopId, NestTree, Node, ReferenceId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// More accesses than this are not compared with each other.
const ACCESSES: usize = 20_000;
/// Operations on sets for each loop.
const BUDGET: u64 = 1 << 18;
/// Dependences over more iterations than this hinder no vector.
const REACH: i64 = 63;

fn tell(tree: &NestTree, found: &Vectorisable) -> String {
    let masked = if found.is_masked { ", masked" } else { "" };
    let most = found
        .most
        .map(|most| format!(", at most {}", most.distance));
    let most = most.unwrap_or_default();
    let kind = |kind| format!("{kind:?}").to_lowercase();
    match &found.verdict {
        Verdict::Yes => format!("yes{masked}{most}"),
        Verdict::Reduction(of) => format!("reduction of {}{masked}{most}", of.join(", ")),
        Verdict::No(why) => match why {
            Hindrance::Carried(by) => format!("no: {} {}", kind(by.kind), by.distance),
            Hindrance::Scatter(id) => {
                assert_eq!(tree.references[*id].kind, AccessKind::Store);
                "no: scatter".to_owned()
            }
            Hindrance::Gather(_) => "no: gather".to_owned(),
            Hindrance::Scalar(name) => format!("no: scalar {name}"),
            Hindrance::Call(name) => format!("no: call {name}"),
            Hindrance::EndsByData => "no: ends by data".to_owned(),
            Hindrance::Unknown(why) => format!("no: unknown, {why}"),
        },
    }
}

/// Compares each innermost loop of a file with what stands behind `vector:` in its line.
fn check_stated(path: &str) {
    let kernel = Kernel::read(path, &[], &[]);
    let text = fs::read_to_string(testdata().join(path)).expect("a text");
    let mut stated = BTreeMap::new();
    for (idx, line) in text.lines().enumerate().skip(1) {
        if let Some((_, rest)) = line.split_once("vector: ") {
            stated.insert(idx + 1, rest.trim_end_matches("*/").trim().to_owned());
        }
    }
    let mut found = BTreeMap::new();
    for tree in &kernel.unit.functions {
        for (id, own) in vectorisable(tree, BUDGET) {
            let line = kernel.sources.start(tree.loops[id].span).line as usize;
            found.insert(line, tell(tree, &own));
        }
    }
    assert!(5 < stated.len(), "{path} states something");
    assert_eq!(found, stated, "{path}");
}

#[test]
fn loops_in_c() {
    check_stated("vectors/loops.c");
}

#[test]
fn loops_in_fortran() {
    check_stated("vectors/loops.f90");
}

#[test]
fn loops_in_rust() {
    check_stated("vectors/loops.rs");
}

/// Two references, the first of which stands not before the second, and touches a byte first.
type Key = (ReferenceId, ReferenceId);

/// What is known of the pairs of accesses of an innermost loop that a vector would exchange.
#[derive(Default, Debug)]
struct Pairs {
    /// The least number of iterations in between.
    nearest: BTreeMap<Key, i64>,
    /// The offsets of each reference in each run of the loop, by the iterations around.
    offsets: BTreeMap<(Vec<i64>, ReferenceId), BTreeSet<i64>>,
}

impl Pairs {
    /// Whether each run of the loop touches the same element by both references, and no other.
    fn is_one_element(&self, (source, sink): Key) -> bool {
        let runs = self.offsets.iter();
        let mut of_source = runs.clone().filter(|((_, id), _)| *id == source);
        of_source.all(|((run, _), offsets)| {
            let other = self.offsets.get(&(run.clone(), sink));
            offsets.len() == 1 && other.is_none_or(|other| other == offsets)
        })
    }
}

/// The pairs of a loop that stand in no branch on data.
fn pairs(tree: &NestTree, id: LoopId, place: &[ReferenceId], accesses: &[Iterated]) -> Pairs {
    type ByteTouch = (usize, ReferenceId, i64);
    let mut by_byte: BTreeMap<_, Vec<ByteTouch>> = BTreeMap::new();
    let mut pairs = Pairs::default();
    for access in accesses {
        let Some(own) = access.iterations.last().filter(|x| x.id == id) else {
            continue;
        };
        let around = access.iterations.split_last().expect("one").1;
        let run: Vec<i64> = around.iter().map(|x| x.value).collect();
        let reference = &tree.references[access.reference];
        let position = place.iter().position(|x| *x == access.reference);
        let position = position.expect("a reference of the loop");
        for byte in 0..i64::from(reference.size) {
            let key = (run.clone(), reference.array, access.offset + byte);
            let touched = by_byte.entry(key).or_default();
            touched.push((position, access.reference, own.order));
        }
        let offsets = pairs.offsets.entry((run, access.reference)).or_default();
        offsets.insert(access.offset);
    }
    let stores = |id: ReferenceId| tree.references[id].kind == AccessKind::Store;
    for touched in by_byte.values() {
        for (idx, (place, source, order)) in touched.iter().enumerate() {
            for (later_place, sink, later) in &touched[idx + 1..] {
                let distance = later - order;
                let is_backward = later_place <= place && 0 < distance && distance <= REACH;
                if is_backward && (stores(*source) || stores(*sink)) {
                    let nearest = pairs.nearest.entry((*source, *sink)).or_insert(distance);
                    *nearest = distance.min(*nearest);
                }
            }
        }
    }
    pairs
}

fn references(nodes: &[Node], id: LoopId) -> Vec<ReferenceId> {
    let mut found = Vec::new();
    for node in nodes {
        node.walk(&mut |node| {
            if let Node::Loop(inner) = node
                && inner.id == id
            {
                for node in &inner.body {
                    node.walk(&mut |node| {
                        if let Node::Access(id) = node {
                            found.push(*id);
                        }
                    });
                }
            }
        });
    }
    found
}

/// Whether what is said has to be as near as can be. Conditions that are not affine are left out, so that
/// there seem to be more dependences than there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Precision {
    Exactly,
    Safely,
}

/// Compares what is said of the arrays of a tree's innermost loops; yields how many loops were compared.
fn compare(tree: &NestTree, told: Precision, what: &str) -> usize {
    if !tree.tables.is_empty() {
        // The oracle knows no tables.
        return 0;
    }
    let Ok(Some(accesses)) = iterated(tree, &BTreeMap::new(), ACCESSES) else {
        return 0;
    };
    let mut n_compared = 0;
    for (id, found) in vectorisable(tree, BUDGET) {
        let place = references(&tree.body, id);
        let pairs = pairs(tree, id, &place, &accesses);
        let what = format!("{what}, {id}: {} {pairs:?}", tell(tree, &found));
        let reduces = match &found.verdict {
            Verdict::No(Hindrance::Carried(by)) => {
                assert_eq!(by.distance, 1, "{what}");
                if told == Precision::Exactly {
                    let nearest = pairs.nearest.get(&(by.source, by.sink));
                    assert_eq!(nearest, Some(&by.distance), "{what}");
                    n_compared += 1;
                }
                continue;
            }
            Verdict::No(_) => continue,
            Verdict::Reduction(_) => true,
            Verdict::Yes => false,
        };
        let left = pairs.nearest.iter();
        let left = left.filter(|(key, _)| !reduces || !pairs.is_one_element(**key));
        let nearest = left.map(|(_, distance)| *distance).min();
        let most = found.most.map(|most| most.distance);
        match told {
            Precision::Exactly => assert_eq!(most, nearest, "{what}"),
            Precision::Safely => {
                let or_none = |distance: Option<i64>| distance.unwrap_or(i64::MAX);
                assert!(or_none(most) <= or_none(nearest), "{what}");
            }
        }
        n_compared += 1;
    }
    n_compared
}

/// The kernels of a folder in C.
fn kernels(folder: &str) -> Vec<String> {
    let names = names_in(folder).into_iter();
    names.map(|name| format!("{folder}/{name}.c")).collect()
}

#[test]
fn kernels_by_enumeration() {
    let mut n_compared = 0;
    for path in kernels("kernels/c")
        .iter()
        .chain(&kernels("kernels/c/shapes"))
    {
        for scale in [5, 8] {
            let sizes = sizes_at(scale);
            let lower: Vec<(String, i64)> = sizes
                .iter()
                .map(|(name, value)| (name.to_lowercase(), *value))
                .collect();
            let lower: Vec<(&str, i64)> =
                lower.iter().map(|(name, x)| (name.as_str(), *x)).collect();
            let kernel = Kernel::read(path, &sizes, &lower);
            for tree in &kernel.unit.functions {
                n_compared += compare(
                    tree,
                    Precision::Exactly,
                    &format!("{path} {} at {scale}", tree.function),
                );
            }
        }
    }
    assert!(150 < n_compared, "{n_compared} loops were compared");
}

/// How much is asked of a random tree.
fn required_precision(tree: &NestTree) -> Precision {
    let mut told = Precision::Exactly;
    for node in &tree.body {
        node.walk(&mut |node| {
            if matches!(node, Node::Branch { .. }) {
                told = Precision::Safely;
            }
        });
    }
    told
}

/// A tree with its nodes for its work, without any arithmetic.
fn with_work(mut tree: NestTree) -> NestTree {
    tree.work.body = tree.body.clone();
    tree.work.variables = tree.variables.clone();
    tree
}

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn any_shape(sketch in shapeless(Knowledge::Full)) {
        let tree = with_work(sketch.tree());
        compare(&tree, required_precision(&tree), &format!("{sketch:#?}"));
    }
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn long_sweeps(sketch in sweeps()) {
        let tree = with_work(sketch.tree());
        compare(&tree, required_precision(&tree), &format!("{sketch:#?}"));
    }
}

/// The lines of loops that gcc makes vectors of, without moving loops or statements first; none where
/// there is no gcc.
fn vectors_of_gcc(path: &str, flags: &[&str]) -> Option<BTreeSet<u32>> {
    let file = testdata().join(path);
    let still = [
        "-O3",
        "-fopt-info-vec-optimized",
        "-fno-tree-loop-distribution",
        "-fno-tree-loop-distribute-patterns",
        "-fno-predictive-commoning",
        "-fno-loop-interchange",
        "-fno-loop-unroll-and-jam",
        "-fno-tree-slp-vectorize",
    ];
    let output = Command::new("gcc")
        .args(still)
        .args(flags)
        .args(["-c", "-o", "/dev/null"])
        .arg(&file)
        .output();
    let output = match output {
        Ok(output) if output.status.success() => output,
        Ok(output) => {
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            println!("skipped: gcc does not take {path}: {why}");
            return None;
        }
        Err(error) => {
            println!("skipped: gcc: {error}");
            return None;
        }
    };
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines_with = |what: &'static str| {
        let line = |text: &str| {
            let rest = text.split_once(".c:")?.1;
            rest.split(':').next()?.parse().ok()
        };
        let lines = text.lines().filter(move |line| line.contains(what));
        lines.filter_map(line).collect::<BTreeSet<u32>>()
    };
    // Versions that are chosen when it runs prove nothing.
    let versions = lines_with("versioned for vectorization");
    Some(&lines_with("loop vectorized") - &versions)
}

/// What gcc makes a vector is not said to be hindered by a dependence.
fn check_with_gcc(path: &str, macros: &[(&str, i64)], least: usize) {
    let defined: Vec<String> = macros
        .iter()
        .map(|(name, x)| format!("-D{name}={x}"))
        .collect();
    let mut flags: Vec<&str> = defined.iter().map(String::as_str).collect();
    let mut lines = BTreeSet::new();
    for more in [&[][..], &["-ffast-math"]] {
        flags.extend(more);
        let Some(vectors) = vectors_of_gcc(path, &flags) else {
            return;
        };
        lines.extend(vectors);
    }
    let kernel = Kernel::read(path, macros, &[]);
    let mut n_compared = 0;
    for tree in &kernel.unit.functions {
        for (id, found) in vectorisable(tree, BUDGET) {
            let line = kernel.sources.start(tree.loops[id].span).line;
            if !lines.contains(&line) {
                continue;
            }
            n_compared += 1;
            let is_hindered = matches!(
                found.verdict,
                Verdict::No(Hindrance::Carried(_) | Hindrance::Scalar(_))
            );
            assert!(!is_hindered, "{path}:{line}: {}", tell(tree, &found));
        }
    }
    assert!(least <= n_compared, "{path}: {n_compared} of {lines:?}");
}

#[test]
fn what_gcc_makes_vectors_of() {
    check_with_gcc("vectors/loops.c", &[], 12);
    let mut n_kernels = 0;
    for path in kernels("kernels/c") {
        check_with_gcc(&path, &sizes_at(120), 0);
        n_kernels += 1;
    }
    assert!(20 < n_kernels);
}
