//! Bounds in closed form where data decide what executes, against the oracle's, which shares no code with them, and against
//! runs in which chance decides.
//!
//! The oracle takes each possible access by itself, as closed forms do: then both have the same bounds. The trace knows that
//! the accesses of one arm happen together, so that its upper bounds may be less.
//!
//! `PREMISS_CASES=10000 cargo test -p premiss-testdata --test oracles closed_bounds:: -- --nocapture` tries longer, and
//! prints how many kernels had no closed form, and why.

use crate::decided_misses::{Outcomes, random_config};
use premiss_cache::Hierarchy;
use premiss_dataflow::{DistanceBound, analyze_bound};
use premiss_distance::{SymbolicHistogram, conflict_sets};
use premiss_histogram::{Distance, ReuseDistanceHistogram};
use premiss_oracle as oracle;
use premiss_presburger::Budget;
use premiss_scop::{ArrayLayout, Scop, ScopOptions, lower_possible};
use premiss_testdata::closed::{Effort, bound_of, lower_symbolic_by};
use premiss_testdata::compare::cache;
use premiss_testdata::kernel::Kernel;
use premiss_testdata::random::data_kernels;
use premiss_trace::{Execution, PerReference, Placement};
use premiss_tree::{NestTree, ParameterId};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};

/// What one form may take: kernels that take longer are refused.
const EFFORT: Effort = Effort {
    operations: 500_000,
    steps: 5_000,
};

const LINE: u64 = 64;

/// Runs in which chance decides, for each kernel.
const RUNS: u64 = 6;

/// Accesses that the oracle may list.
const ACCESSES: u64 = 100_000;

/// The forms of lower and of upper distances.
struct Bounds {
    lower: SymbolicHistogram,
    upper: SymbolicHistogram,
}

impl Bounds {
    fn of(scop: &Scop, effort: Effort) -> Result<Self, String> {
        let form = |bound| bound_of(scop, bound, effort).map_err(|why| format!("{why:?}"));
        Ok(Self {
            lower: form(DistanceBound::Lower)?,
            upper: form(DistanceBound::Upper)?,
        })
    }

    /// The histogram of each reference at values of the forms' columns.
    fn at(
        &self,
        tree: &NestTree,
        values: &[i128],
    ) -> Result<PerReference<ReuseDistanceHistogram>, String> {
        let sized = |form: &SymbolicHistogram| -> Result<_, premiss_presburger::Refusal> {
            let sized = form.at(values)?;
            let histograms = sized.references.iter().map(|part| {
                let histogram = part.histogram(&mut Budget::new(1_000_000))?;
                Ok((part.reference, histogram))
            });
            histograms.collect::<Result<Vec<_>, _>>()
        };
        let forms = (sized(&self.lower), sized(&self.upper));
        let (Ok(lower), Ok(upper)) = forms else {
            return Err(format!("{forms:?}"));
        };
        let mut all = PerReference::with_capacity(tree.references.len());
        for id in tree.references.keys() {
            all[id] = ReuseDistanceHistogram::default();
        }
        for ((id, least), (_, greatest)) in lower.iter().zip(&upper) {
            all[*id].merge(&ReuseDistanceHistogram::between(least, greatest));
        }
        Ok(all)
    }
}

fn placement() -> Placement {
    Placement {
        alignment: LINE,
        bases: BTreeMap::new(),
    }
}

/// All capacities at which one of two histograms may change.
fn capacities(histograms: [&ReuseDistanceHistogram; 2]) -> BTreeSet<u64> {
    let bins = histograms
        .into_iter()
        .flat_map(ReuseDistanceHistogram::bins);
    let ends = bins.flat_map(|bin| [bin.lower, bin.upper]);
    let mut capacities = BTreeSet::from([0, u64::MAX]);
    for distance in ends {
        if let Distance::Finite(lines) = distance {
            capacities.extend([lines, lines + 1]);
        }
    }
    capacities
}

/// Compares the histograms with bounds of the oracle and of the trace, and with runs in which chance decides.
fn compare(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    histograms: &PerReference<ReuseDistanceHistogram>,
    outcomes: &Outcomes,
) -> Result<(), String> {
    let open = oracle::Execution::new(tree, sizes, &placement(), ACCESSES);
    let (Ok(open), Ok(trace)) = (
        open.map(oracle::Execution::taking_each_access_by_itself),
        Execution::new(tree, sizes, &placement(), 1_000_000),
    ) else {
        outcomes.note("not executed".to_owned());
        return Ok(());
    };
    let expected = open.histograms(LINE);
    let traced = trace.histograms(LINE).map_err(|why| format!("{why:?}"))?;
    for (id, row) in &tree.references {
        let all = [&histograms[id], &expected[id]];
        for capacity in capacities(all) {
            let [found, expected, traced] =
                [all[0], all[1], &traced[id]].map(|x| x.misses(capacity));
            let what = || format!("{id} {} {:?} beyond {capacity}", row.text, row.kind);
            if found != expected {
                let what = what();
                return Err(format!("{what}: {found:?}, not {expected:?}"));
            }
            let ends = (found.bounds(), traced.bounds());
            let (Some((lower, upper)), Some((least, most))) = ends else {
                return Err(format!("{}: {ends:?}", what()));
            };
            if lower != least || upper < most {
                return Err(format!("{}: {found:?}, traced {traced:?}", what()));
            }
        }
    }
    for seed in 0..RUNS {
        run(tree, sizes, histograms, seed)?;
    }
    let is_open = !open.is_certain();
    outcomes.note(if is_open { "equal" } else { "certain" }.to_owned());
    Ok(())
}

/// Compares the misses of a run in which chance decides with the bounds.
fn run(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    histograms: &PerReference<ReuseDistanceHistogram>,
    seed: u64,
) -> Result<(), String> {
    let mut state = seed;
    let choose = |limit: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // The first two seeds take all arms of one kind.
        match seed {
            0 => 0,
            1 => limit.saturating_sub(1),
            _ => (state >> 33) % limit.max(1),
        }
    };
    let decided = oracle::Execution::decided(tree, sizes, &placement(), ACCESSES, choose);
    let decided = decided.map_err(|why| format!("{why:?}"))?;
    let ways = [1, 2, 3, 5, 8, 13];
    let levels = ways.map(|ways| cache(LINE, 1, ways));
    let counts = decided.misses(&levels, Hierarchy::Independent);
    for (ways, counts) in ways.into_iter().zip(counts) {
        for (id, row) in &tree.references {
            let bounds = histograms[id].misses(ways);
            let (Some((lower, upper)), Some(count)) = (bounds.bounds(), counts[id].exact()) else {
                return Err(format!("{id}: {bounds:?}, {:?}", counts[id]));
            };
            if !(lower..=upper).contains(&count) {
                return Err(format!(
                    "{id} {} in {ways} lines: {count}, not {lower} to {upper}",
                    row.text
                ));
            }
        }
    }
    Ok(())
}

/// Compares the bounds of a tree whose sizes have values.
fn check_fixed(tree: &NestTree, effort: Effort, outcomes: &Outcomes) -> Result<(), String> {
    let options = ScopOptions {
        line_size: LINE,
        layout: ArrayLayout::Aligned,
        sizes: BTreeMap::new(),
    };
    let scop = match lower_possible(tree, &options) {
        Ok(scop) => scop,
        Err(reject) => {
            outcomes.note(format!("lowered: {}", reject.code()));
            return Ok(());
        }
    };
    let bounds = Bounds::of(&scop, effort).and_then(|bounds| bounds.at(tree, &[]));
    match bounds {
        Ok(histograms) => compare(tree, &BTreeMap::new(), &histograms, outcomes),
        Err(why) => {
            outcomes.note(why);
            Ok(())
        }
    }
}

/// Kernels in which data decide, with small sizes.
const KERNELS: [(&str, &[(&str, i64)]); 3] = [
    ("floyd-warshall", &[("N", 17)]),
    ("nussinov", &[("N", 19)]),
    ("correlation", &[("M", 17), ("N", 11)]),
];

/// Programs of sizes `n` and `m`.
const PROGRAMS: [(&str, &str); 4] = [
    (
        "linear search",
        "int f(int n, int m, float a[n][m], float x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i][j] == x) return j;
  return -1;
}",
    ),
    (
        "thresholds",
        "void f(int n, int m, double a[n][m], double b[m], double c[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (j < i && a[i][j] > 0.5) c[i] += b[j];
      b[j] = a[i][j] < 0.0 ? 0.0 : a[i][j];
    }
}",
    ),
    (
        "LU, a row left out where its pivot is small",
        "void f(int n, int m, double a[n][n]) {
  for (int k = 0; k < n; k++) {
    double largest = 0;
    for (int i = k; i < n; i++)
      if (a[i][k] > largest) largest = a[i][k];
    if (largest < 1e-9) continue;
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];
    }
  }
}",
    ),
    (
        "rows that end at a sentinel",
        "void f(int n, int m, double a[n][m], double b[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (a[i][j] < 0) break;
      b[i] += a[i][j];
    }
}",
    ),
];

/// Dynamic programmes, at given sizes: their forms for all sizes of a class take longer than a test should.
const RECURRENCES: [(&str, &str); 2] = [
    (
        "folding, a triangle from its last row on",
        "void f(int n, int m, int t[n][n]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      if (t[i][j] < t[i + 1][j]) t[i][j] = t[i + 1][j];
      for (int k = i + 1; k < j; k++)
        if (t[i][j] < t[i][k] + t[k + 1][j]) t[i][j] = t[i][k] + t[k + 1][j];
    }
}",
    ),
    (
        "alignment with gaps of any length",
        "void f(int n, int m, int h[n][m]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      for (int k = 0; k < i; k++)
        if (h[i][j] < h[k][j]) h[i][j] = h[k][j];
      for (int k = 0; k < j; k++)
        if (h[i][j] < h[i][k]) h[i][j] = h[i][k];
    }
}",
    ),
];

#[test]
fn kernels_have_the_bounds_of_the_oracle() {
    for (kernel, macros) in KERNELS {
        let read = Kernel::read(&format!("kernels/c/{kernel}.c"), macros, &[]);
        check_equal(kernel, read.unit.functions.last().expect("a function"));
    }
}

#[test]
fn programs_have_the_bounds_of_the_oracle() {
    for (name, text) in PROGRAMS.into_iter().chain(RECURRENCES) {
        for sizes in [[("n", 9), ("m", 13)], [("n", 24), ("m", 8)]] {
            let read = Kernel::from_bytes("f.c", text.into(), &[], &sizes);
            check_equal(name, read.only_tree());
        }
    }
}

/// Bounds on the misses of caches of several sets, by the lines that share the set of a line.
#[test]
fn programs_have_the_bounds_of_the_oracle_in_sets() {
    for (name, text) in PROGRAMS.into_iter().chain(RECURRENCES) {
        for sizes in [[("n", 21), ("m", 40)], [("n", 24), ("m", 16)]] {
            let read = Kernel::from_bytes("f.c", text.into(), &[], &sizes);
            check_sets(read.only_tree()).unwrap_or_else(|what| panic!("{name}: {what}"));
        }
    }
}

fn check_sets(tree: &NestTree) -> Result<(), String> {
    let options = ScopOptions {
        line_size: LINE,
        layout: ArrayLayout::Aligned,
        sizes: BTreeMap::new(),
    };
    let scop = lower_possible(tree, &options).map_err(|reject| reject.message(tree))?;
    let open = oracle::Execution::new(tree, &BTreeMap::new(), &placement(), ACCESSES);
    let open = open.map_err(|why| format!("{why:?}"))?;
    let open = open.taking_each_access_by_itself();
    let bases = open.bases();
    let first_line = |space| {
        let base: u64 = bases[scop.spaces[space].array];
        i64::try_from(base / LINE).expect("it is small")
    };
    let conflicts = [DistanceBound::Lower, DistanceBound::Upper].map(|bound| {
        let relation = analyze_bound(&scop, bound).expect("it is small");
        conflict_sets(&scop, &relation, &first_line, &mut Budget::new(100_000_000))
    });
    for (sets, ways) in [(4, 1), (8, 2), (3, 2), (16, 1)] {
        let geometry = cache(LINE, sets, ways);
        let mut bounds: BTreeMap<_, (u64, u64)> = BTreeMap::new();
        for (idx, conflicts) in conflicts.iter().enumerate() {
            let conflicts = conflicts.as_ref().map_err(|why| format!("{why:?}"))?;
            let misses = conflicts.misses(geometry, &mut Budget::new(1_000_000_000));
            for (id, misses) in misses.map_err(|why| format!("{why:?}"))? {
                let ends = bounds.entry(id).or_default();
                *(if idx == 0 { &mut ends.0 } else { &mut ends.1 }) += misses;
            }
        }
        let expected = open.misses(&[geometry], Hierarchy::Independent);
        for (id, row) in &tree.references {
            let ends = bounds.get(&id).copied().unwrap_or_default();
            if expected[0][id].bounds() != Some(ends) {
                let expected = expected[0][id];
                return Err(format!(
                    "{id} {} in {sets} sets of {ways}: {ends:?}, not {expected:?}",
                    row.text
                ));
            }
        }
    }
    Ok(())
}

fn check_equal(name: &str, tree: &NestTree) {
    let outcomes = Outcomes::default();
    check_fixed(tree, Effort::GENEROUS, &outcomes).unwrap_or_else(|what| panic!("{name}: {what}"));
    let n_equal = outcomes.0.borrow().get("equal").copied();
    assert_eq!(n_equal, Some(1), "{name}: {outcomes:?}\n{tree}");
}

/// One form for all sizes of a class.
#[test]
fn symbolic_bounds_hold_at_all_sizes() {
    for (name, text) in PROGRAMS {
        let read = Kernel::from_bytes("f.c", text.into(), &[], &[]);
        let tree = read.only_tree();
        let scop = lower_symbolic_by(lower_possible, tree, 3).expect("it is admitted");
        let bounds = Bounds::of(&scop, Effort::GENEROUS).expect("generous");
        let outcomes = Outcomes::default();
        for lines in [0, 1, 2] {
            let values: Vec<i128> = bounds.upper.parameters.iter().map(|_| lines).collect();
            if !bounds.upper.context.contains(&values).expect("it is small") {
                continue;
            }
            let parameters = bounds.upper.parameters.iter().zip(&values);
            let sizes = parameters.map(|(parameter, value)| {
                let value = i64::try_from(*value).expect("it is small");
                (parameter.id, parameter.factor * value + parameter.residue)
            });
            let sizes = sizes.collect();
            let histograms = bounds.at(tree, &values).expect("they are small");
            compare(tree, &sizes, &histograms, &outcomes)
                .unwrap_or_else(|what| panic!("{name} at {sizes:?}: {what}"));
        }
        let n_equal = outcomes.0.borrow().get("equal").copied();
        assert!(Some(2) <= n_equal, "{name}: {outcomes:?}");
    }
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "what was refused is told to whoever asks"
)]
fn random_kernels_have_the_bounds_of_the_oracle() {
    let outcomes = Outcomes::default();
    let strategy = (data_kernels(), 1..14_i64, 1..14_i64);
    let config = random_config();
    let few = config.cases / 4;
    let result = TestRunner::new(config).run(&strategy, |(text, n, m)| {
        let read = Kernel::from_bytes("f.c", text.clone().into(), &[], &[("n", n), ("m", m)]);
        check_fixed(read.only_tree(), EFFORT, &outcomes)
            .map_err(|what| TestCaseError::fail(format!("n = {n}, m = {m}: {what}\n{text}")))
    });
    println!("{:?}", outcomes.0.borrow());
    if let Err(error) = result {
        panic!("{error}");
    }
    let n_equal = outcomes.0.borrow().get("equal").copied().unwrap_or(0);
    assert!(few < n_equal, "{n_equal} kernels were compared");
}
