//! Loops up to numbers that arrays hold, against the same loops with these numbers in the text: whatever
//! they are, what each reference does lies within the bounds that their least and greatest give.

use premiss_cache::Hierarchy;
use premiss_histogram::Counted;
use premiss_oracle as oracle;
use premiss_testdata::compare::cache;
use premiss_testdata::judge::execute;
use premiss_testdata::kernel::Kernel;
use premiss_trace::{PerReference, Placement};
use premiss_tree::{EntityRef, NestTree};
use std::collections::BTreeMap;

const N: usize = 4;
/// The extremes that the open text is told.
const FIRST: std::ops::Range<i64> = 2..8;
const LAST: std::ops::Range<i64> = 1..11;
const CASES: u64 = 100;

const BODY: &str = "
  for (int i = 0; i < 4; i++)
    for (int k = first[i]; k < last[i]; k++)
      a[k] = b[9 - k];
  for (int i = 0; i < 4; i++)
    for (int k = last[i] - 1; first[i] <= k; k -= 2)
      b[k] += 1.0;
  for (int i = 0; i < 4; i++) {
    const int n = 2 * (last[i] - first[i]);
    for (int k = i; k < n + i; k += 3)
      c[k] = a[i];
  }
";

fn open() -> Kernel {
    let text = format!(
        "void f(const int *first, const int *last, double *a, double *b, double *c)\n{{{BODY}}}\n"
    );
    let sizes = [
        ("min(first[i])", FIRST.start),
        ("max(first[i])", FIRST.end - 1),
        ("min(last[i])", LAST.start),
        ("max(last[i])", LAST.end - 1),
    ];
    Kernel::from_bytes("open.c", text.into_bytes(), &[], &sizes)
}

fn decided(first: &[i64], last: &[i64]) -> Kernel {
    let list = |numbers: &[i64]| {
        let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
        texts.join(", ")
    };
    let text = format!(
        "static const int first[] = {{{}}};\nstatic const int last[] = {{{}}};\n\
         void f(double *a, double *b, double *c)\n{{{BODY}}}\n",
        list(first),
        list(last)
    );
    Kernel::from_bytes("decided.c", text.into_bytes(), &[], &[])
}

#[test]
fn whatever_is_loaded_counts_lie_within_bounds() {
    let open = open();
    let open = open.only_tree();
    assert!(
        open.rejections.is_empty() && open.bounding_ranges.is_empty(),
        "{open}"
    );
    let bounds = found(open);
    let mut state = 1_u64;
    let mut below = |range: &std::ops::Range<i64>| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let width = range.end - range.start;
        range.start + i64::try_from(state >> 33).expect("31 bits") % width
    };
    for _ in 0..CASES {
        let first: Vec<i64> = (0..N).map(|_| below(&FIRST)).collect();
        let last: Vec<i64> = (0..N).map(|_| below(&LAST)).collect();
        let kernel = decided(&first, &last);
        let tree = kernel.only_tree();
        assert_eq!(tree.references.len(), open.references.len(), "{tree}{open}");
        for (what, (bounds, counts)) in (0..).zip(bounds.iter().zip(truth(tree))) {
            for (id, reference) in &open.references {
                let (lower, upper) = bounds[id].bounds().expect("bounded");
                let count = counts[id].exact().expect("the text says everything");
                assert!(
                    (lower..=upper).contains(&count),
                    "{what}, `{}`, from {first:?} to {last:?}: {count}, not {lower} to {upper}",
                    reference.text
                );
            }
        }
    }
}

/// The bounds of the engine: accesses, and misses of caches with few sets.
pub(crate) fn found(tree: &NestTree) -> Vec<PerReference<Counted>> {
    let execution = execute(tree, 4096);
    let misses = execution.misses(&[cache(64, 1, 2), cache(64, 4, 1)], Hierarchy::Independent);
    let mut found = vec![execution.accesses().expect("within budget")];
    found.extend(misses.expect("within budget"));
    found
}

/// What the oracle finds.
pub(crate) fn truth(tree: &NestTree) -> Vec<PerReference<Counted>> {
    let placement = Placement {
        alignment: 4096,
        bases: BTreeMap::new(),
    };
    let execution = oracle::Execution::new(tree, &BTreeMap::new(), &placement, 100_000);
    let execution = execution.unwrap_or_else(|_| panic!("it fits: {tree}"));
    let misses = execution.misses(&[cache(64, 1, 2), cache(64, 4, 1)], Hierarchy::Independent);
    let mut found = vec![execution.accesses()];
    found.extend(misses);
    found
}

#[test]
fn without_the_extremes_nothing_bounds_the_loops() {
    let text = format!(
        "void f(const int *first, const int *last, double *a, double *b, double *c)\n{{{BODY}}}\n"
    );
    let sizes = [("min(first[i])", 2), ("max(first[i])", 7)];
    let kernel = Kernel::from_bytes("open.c", text.into_bytes(), &[], &sizes);
    let tree = kernel.only_tree();
    let counts = &found(tree)[0];
    let stored = tree
        .references
        .keys()
        .find(|id| tree.references[*id].text == "a[k]");
    let stored = stored.expect("a store to `a`");
    assert_eq!(
        counts[stored],
        Counted::Unknown,
        "{} {tree}",
        stored.index()
    );
}
