//! Bounds of lines that are counted element by element, where data decide what executes, against those of the trace, which counts
//! all arrays together.

use premiss_analyze::{
    Analysis, BudgetScope, Effort, Engine, Hierarchy, Layout, MeasureOptions, MeasureScope,
    ReadOptions, measure, read,
};
use premiss_machine::{CacheLevel, Machine};
use premiss_source::{MemoryFiles, SourceMap};
use std::collections::BTreeMap;

/// A triangle of ints whose rows begin at many places of a line, beside bytes.
const FOLDING: &str = "
    void f(int n, char s[n], int t[n][n]) {
      for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
          if (t[i][j] < t[i + 1 < n ? i + 1 : i][j - 1] + s[i] * s[j])
            t[i][j] = t[i][j - 1] + s[j];
          for (int k = i + 1; k < j; k++)
            t[i][j] = t[i][j] > t[i][k] + t[k + 1][j] ? t[i][j] : t[i][k] + t[k + 1][j];
        }
    }";

/// Elements of one length, in two arrays.
const THRESHOLD: &str = "
    void f(int n, double a[n][n], double b[n][n]) {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          if (a[i][j] > a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1])
            b[i][j] = a[j][i] + b[j][i] + b[j - 1][i + 1] + b[j + 1][i - 1];
    }";

const CACHES: [&str; 4] = ["A=1KiB,1,64", "B=3KiB,3,64", "C=8KiB,16,64", "D=64KiB,8,64"];

fn measured(text: &str, n: i64, engine: Engine) -> Analysis {
    let caches = CACHES.map(|cache| CacheLevel::parse(cache).expect("a level"));
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.into()).expect("a small file");
    let asked = ReadOptions {
        sizes: BTreeMap::from([("n".to_owned(), n)]),
        ..ReadOptions::default()
    };
    let program = read(&mut sources, file, &asked, &MemoryFiles::new());
    let options = MeasureOptions {
        scope: MeasureScope::Misses,
        machine: Machine::new("test", "", caches.to_vec(), Vec::new()).expect("a machine"),
        hierarchy: Hierarchy::Independent,
        layout: Layout::Page4096,
        bases: BTreeMap::new(),
        engine,
        budget: 1_000_000_000,
        effort: Effort { steps: 200_000 },
        budget_scope: BudgetScope::Function,
        store: None,
    };
    measure(program, &options)
}

/// The bounds of each reference hold those of the trace, and are less than all accesses somewhere.
#[track_caller]
fn check(text: &str, sizes: &[i64]) {
    let mut n_narrow = 0;
    for n in sizes {
        let closed = measured(text, *n, Engine::Closed);
        let traced = measured(text, *n, Engine::Trace);
        let (closed, traced) = (&closed.functions[0], &traced.functions[0]);
        for (own, reference) in closed.references.iter().zip(&traced.references) {
            let text = &closed.tree.references[own.id].text;
            assert_eq!(own.accesses, reference.accesses, "{text} at n = {n}");
            for (level, cache) in CACHES.iter().enumerate() {
                let what = format!("{text} in {cache} at n = {n}");
                let bounds = own.misses[level].bounds();
                let (least, most) = bounds.unwrap_or_else(|| panic!("{what}: no bounds"));
                let (traced_least, traced_most) = reference.misses[level].bounds().expect("traced");
                assert!(least <= traced_least, "{what}: {least} > {traced_least}");
                assert!(traced_most <= most, "{what}: {most} < {traced_most}");
                let accesses = own.accesses.bounds().expect("counted").1;
                n_narrow += u32::from(2 * most < accesses);
            }
        }
    }
    assert!(0 < n_narrow, "bounds say something");
}

#[test]
fn elements_of_two_lengths() {
    check(FOLDING, &[2, 67, 100, 131]);
}

#[test]
fn elements_of_one_length() {
    check(THRESHOLD, &[3, 67, 101]);
}
