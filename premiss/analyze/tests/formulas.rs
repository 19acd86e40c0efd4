//! Formulas, sweeps and closed forms against the trace, at sizes that divide the line and sizes that
//! do not. The trace knows nothing of sets or formulas.

use premiss_analyze::{
    Analysis, BudgetScope, CacheGeometry, Effort, Engine, FormulaResult, Hierarchy, Layout,
    MeasureOptions, MeasureScope, Point, Provenance, ReadOptions, SymbolicOptions, formulas,
    measure, read, sweep,
};
use premiss_histogram::Counted;
use premiss_machine::{CacheLevel, Machine};
use premiss_source::{MemoryFiles, SourceMap};
use premiss_tree::{NestTree, ParameterId};
use std::collections::{BTreeMap, BTreeSet};

const MATMUL: &str = "
    #define N 100
    double A[N][N], B[N][N], C[N][N];
    void f(void) {
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          for (int k = 0; k < N; k++)
            C[i][j] += A[i][k] * B[k][j];
    }";

const STENCIL: &str = "
    #define N 100
    double A[N][N], B[N][N];
    void f(void) {
      for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
          B[i][j] = A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j];
    }";

const TRIANGLE: &str = "
    enum { N = 100 };
    double A[N][N];
    double x[N];
    void f(void) {
      for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
          x[i] += A[i][j] * x[j];
    }";

/// Rows of one dimension: no residue matters.
const VECTORS: &str = "
    void f(int N, double *a, float *b) {
      for (int t = 0; t < 3; t++)
        for (int i = 0; i < N; i++)
          a[i] += b[i];
    }";

/// The trees of a text, with some sizes symbolic and others given.
fn trees(text: &str, symbolic: &[&str], sizes: &[(&str, i64)]) -> premiss_analyze::Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.into()).expect("a small file");
    let options = ReadOptions {
        sizes: sizes
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
        symbolic: symbolic
            .iter()
            .map(ToString::to_string)
            .collect::<BTreeSet<_>>(),
        ..ReadOptions::default()
    };
    read(&mut sources, file, &options, &MemoryFiles::new())
}

/// Fully associative caches of so many lines of 64 bytes.
fn caches(lines: &[u64]) -> Machine {
    let level = |lines: &u64| CacheLevel::parse(&format!("L{lines}={},full,64", 64 * lines));
    let caches = lines.iter().map(level).collect::<Result<_, _>>();
    Machine::new("test", "", caches.expect("levels"), Vec::new()).expect("a machine")
}

fn options(machine: Machine, engine: Engine) -> MeasureOptions {
    MeasureOptions {
        scope: MeasureScope::Everything,
        machine,
        hierarchy: Hierarchy::Independent,
        layout: Layout::Page4096,
        bases: BTreeMap::new(),
        engine,
        budget: 1_000_000_000,
        effort: Effort::DEFAULT,
        budget_scope: BudgetScope::Function,
        store: None,
    }
}

fn measured(text: &str, n: i64, lines: &[u64], engine: Engine) -> Analysis {
    let program = trees(text, &[], &[("N", n)]);
    measure(program, &options(caches(lines), engine))
}

const CAPACITIES: [u64; 4] = [1, 6, 16, 64];

/// Formulas of one residue class against the trace at some sizes of that class.
#[track_caller]
fn check_formulas(text: &str, residue: i64, sizes: &[i64]) {
    let program = trees(text, &["N"], &[]);
    let tree = &program.functions[0];
    let id = size_of(tree);
    let levels: Vec<(String, CacheGeometry)> = caches(&CAPACITIES)
        .levels()
        .map(|(name, geometry)| (name.to_owned(), geometry))
        .collect();
    let asked = SymbolicOptions {
        line_size: 64,
        alignment: Some(4096),
        bound: None,
        effort: Effort::DEFAULT,
        store: None,
    };
    let found = formulas(tree, &levels, &BTreeMap::from([(id, residue)]), asked);
    let found = found.expect("formulas");
    let size = found.histogram.parameters[0];
    let mut n_compared = 0;
    for n in sizes {
        assert_eq!(n % size.factor, size.residue, "{n} is in the class");
        let point = [i128::from((n - size.residue) / size.factor)];
        if !found.histogram.context.contains(&point).expect("fits") {
            continue;
        }
        let mut compare = |what: &str, formula: &FormulaResult, counted: Counted| {
            let Ok(formula) = formula else { return };
            let value = formula.at(&point).expect("fits").to_integer();
            let traced = counted.exact().map(i128::from);
            assert_eq!(value, traced, "{what} at N = {n}: {formula:?}");
            n_compared += 1;
        };
        let analysis = measured(text, *n, &CAPACITIES, Engine::Trace);
        let function = &analysis.functions[0];
        compare("accesses", &found.accesses, function.accesses);
        let line = function.lines[0].histogram.as_ref().expect("a histogram");
        compare("cold", &found.cold, line.cold());
        for (formula, level) in found.levels.iter().zip(&function.levels) {
            compare(&formula.name, &formula.misses, level.misses);
        }
        for reference in &found.references {
            let counts = function.references.iter().find(|x| x.id == reference.id);
            let counts = counts.expect("the same references");
            let text = &tree.references[reference.id].text;
            compare(text, &reference.accesses, counts.accesses);
            for (formula, misses) in reference.misses.iter().zip(&counts.misses) {
                compare(text, formula, *misses);
            }
        }
    }
    assert!(
        4 * sizes.len() <= n_compared,
        "too few formulas: {n_compared}"
    );
}

fn size_of(tree: &NestTree) -> ParameterId {
    let mut open = tree.parameters.iter();
    let open = open.find(|(_, parameter)| parameter.value.is_none());
    open.expect("a symbolic size").0
}

#[test]
fn formulas_are_the_trace_where_rows_are_aligned() {
    check_formulas(MATMUL, 0, &[8, 16, 24, 40, 56, 64, 72]);
    check_formulas(STENCIL, 0, &[8, 16, 24, 40, 64, 128]);
    check_formulas(TRIANGLE, 0, &[8, 16, 24, 40, 64]);
}

#[test]
fn formulas_are_the_trace_where_rows_straddle_lines() {
    check_formulas(STENCIL, 4, &[4, 12, 20, 28, 60]);
    check_formulas(MATMUL, 3, &[3, 11, 19, 27, 51]);
    check_formulas(TRIANGLE, 5, &[5, 13, 21, 37]);
}

#[test]
fn one_derivation_serves_all_sizes_where_no_row_matters() {
    let sizes = [1, 2, 3, 8, 100, 101, 128, 1000];
    let points: Vec<Point> = sizes.iter().map(|n| point(*n)).collect();
    let swept = check_sweep(VECTORS, &points);
    assert_eq!(swept.derivations, 1);
}

fn point(n: i64) -> Point {
    BTreeMap::from([("N".to_owned(), n)])
}

#[track_caller]
fn check_sweep(text: &str, points: &[Point]) -> premiss_analyze::FunctionSweep {
    let program = trees(text, &["N"], &[]);
    let swept = sweep(
        &program.functions[0],
        points,
        &options(caches(&CAPACITIES), Engine::Auto),
    );
    for (point, found) in points.iter().zip(&swept.points) {
        let analysis = measured(text, point["N"], &CAPACITIES, Engine::Trace);
        let traced = analysis.functions[0]
            .levels
            .iter()
            .map(|level| level.misses);
        let counted = found.levels.iter().map(|(misses, _)| *misses);
        assert!(counted.eq(traced), "{point:?}: {found:?}");
        assert!(
            found
                .levels
                .iter()
                .all(|(_, answered)| *answered == Provenance::ClosedForm),
            "{point:?}: {:?}",
            swept.reasons
        );
    }
    swept
}

#[test]
fn sweeps_derive_once_for_each_class() {
    let points: Vec<Point> = [8, 16, 32, 64, 96].map(point).to_vec();
    let swept = check_sweep(MATMUL, &points);
    assert_eq!(swept.derivations, 1);
    assert!(
        swept
            .thresholds
            .iter()
            .any(|threshold| threshold.value == 64),
        "{:?}",
        swept.thresholds
    );
    let points: Vec<Point> = [8, 12, 16, 20].map(point).to_vec();
    assert_eq!(check_sweep(STENCIL, &points).derivations, 2);
}

#[test]
fn closed_forms_of_fixed_sizes_are_the_trace() {
    for text in [MATMUL, STENCIL, TRIANGLE, VECTORS] {
        for n in [1, 2, 3, 7, 8, 9, 16, 21, 32] {
            let closed = measured(text, n, &CAPACITIES, Engine::Closed);
            let traced = measured(text, n, &CAPACITIES, Engine::Trace);
            let [closed, traced] = [closed, traced].map(|mut x| x.functions.remove(0));
            assert_eq!(closed.failure, None, "N = {n}");
            assert_eq!(closed.engine, Engine::Closed);
            assert_eq!(closed.accesses, traced.accesses, "N = {n}");
            let histograms =
                |x: &premiss_analyze::FunctionAnalysis| x.lines[0].by_reference.clone();
            assert_eq!(histograms(&closed), histograms(&traced), "N = {n}");
            for (a, b) in closed.levels.iter().zip(&traced.levels) {
                assert_eq!(a.misses, b.misses, "{} at N = {n}", a.name);
                assert_eq!(a.provenance, Provenance::ClosedForm);
            }
        }
    }
}

#[test]
fn auto_says_which_engine_answered_and_why() {
    let small = measured(MATMUL, 8, &[16], Engine::Auto);
    assert_eq!(small.functions[0].engine, Engine::Trace);
    let reason = small.functions[0].engine_reason.as_deref();
    assert!(
        reason.is_some_and(|reason| reason.contains("fewer steps")),
        "{reason:?}"
    );
    let large = measured(MATMUL, 2000, &[16], Engine::Auto);
    assert_eq!(large.functions[0].engine, Engine::Closed);
    assert_eq!(
        large.functions[0].accesses,
        Counted::Exact(4 * 2000_u64.pow(3))
    );
    let data = "void f(int N, double *a, int *b) {
          for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[b[i]] += b[j];
        }";
    let data = measured(data, 3000, &[16], Engine::Auto);
    assert_eq!(data.functions[0].engine, Engine::Trace);
    let reason = data.functions[0].engine_reason.as_deref();
    assert!(
        reason.is_some_and(|reason| reason.contains("no closed form")),
        "{reason:?}"
    );
}

#[test]
fn levels_beyond_the_budget_are_estimates_from_samples() {
    let machine = Machine::new(
        "test",
        "",
        // More sets than closed forms decide, and fewer lines than the arrays have.
        vec![CacheLevel::parse("L1=2GiB,8,64").expect("a level")],
        Vec::new(),
    );
    let program = trees(MATMUL, &[], &[("N", 20_000)]);
    let mut few = options(machine.expect("a machine"), Engine::Auto);
    few.budget = 1000;
    let analysis = measure(program, &few);
    let level = &analysis.functions[0].levels[0];
    // Too few steps for a sample either: as if lines were spread evenly over sets.
    assert_eq!(level.provenance, Provenance::Estimate);
    assert!(
        matches!(level.misses, Counted::Estimate(_)),
        "{:?}",
        level.misses
    );
    assert_eq!(level.interval, None);
    assert_eq!(analysis.functions[0].failure, None);
    few.budget = 1_000_000;
    let program = trees(MATMUL, &[], &[("N", 20_000)]);
    let analysis = measure(program, &few);
    let level = &analysis.functions[0].levels[0];
    assert_eq!(level.provenance, Provenance::Sample);
    let (least, most) = level.interval.expect("it is a sample");
    let middle = level.misses.middle().expect("an estimate");
    assert!(
        least as f64 <= middle && middle <= most as f64,
        "{least} to {most}: {middle}"
    );
}

#[test]
fn formulas_in_several_sizes_are_the_trace() {
    let text = "
        #define N 9
        #define M 9
        double A[N][M], B[M][N];
        void f(void) {
          for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
              B[j][i] = A[i][j];
        }";
    let program = trees(text, &["N", "M"], &[]);
    let asked = SymbolicOptions {
        line_size: 64,
        alignment: Some(4096),
        bound: None,
        effort: Effort::DEFAULT,
        store: None,
    };
    let tree = &program.functions[0];
    let found = formulas(tree, &[], &BTreeMap::new(), asked).expect("formulas");
    for (n, m) in [(8, 8), (8, 40), (24, 8), (16, 32)] {
        let given = trees(text, &[], &[("N", n), ("M", m)]);
        let analysis = measure(given, &options(caches(&[4]), Engine::Trace));
        let function = &analysis.functions[0];
        let point = |size: &premiss_analyze::SymbolicParameter| {
            let value = if tree.parameters[size.id].name == "N" {
                n
            } else {
                m
            };
            i128::from((value - size.residue) / size.factor)
        };
        let point: Vec<i128> = found.histogram.parameters.iter().map(point).collect();
        let line = function.lines[0].histogram.as_ref().expect("a histogram");
        for (formula, counted) in [
            (&found.accesses, function.accesses),
            (&found.cold, line.cold()),
        ] {
            let formula = formula.as_ref().expect("a formula");
            let value = formula.at(&point).expect("fits").to_integer();
            assert_eq!(
                value,
                counted.exact().map(i128::from),
                "{n} {m}: {formula:?}"
            );
        }
    }
}

#[test]
fn pages_are_not_derived_where_they_are_traced() {
    let program = trees(MATMUL, &["N"], &[]);
    let level = CacheLevel::parse("L1=4KiB,full,64").expect("a level");
    let tlb = premiss_machine::TlbLevel::parse("T=16,4,4096").expect("a level");
    let machine = Machine::new("test", "", vec![level], vec![tlb]).expect("a machine");
    let points: Vec<Point> = [40, 48]
        .map(|n| Point::from([("N".to_owned(), n)]))
        .to_vec();
    let swept = sweep(
        &program.functions[0],
        &points,
        &options(machine, Engine::Auto),
    );
    assert_eq!((swept.derivations, swept.reasons.len()), (1, 0));
    for point in &swept.points {
        let answered: Vec<Provenance> = point.levels.iter().map(|x| x.1).collect();
        assert_eq!(answered, [Provenance::ClosedForm, Provenance::Trace]);
    }
}

#[test]
fn sizes_are_put_into_a_class_where_formulas_have_floors_otherwise() {
    let text = "
        void f(int N, double *a) {
          for (int t = 0; t < N; t++)
            for (int i = N - 2; i >= t; i--)
              a[i] = a[i + 1];
        }";
    let program = trees(text, &[], &[]);
    let tree = &program.functions[0];
    let asked = SymbolicOptions {
        line_size: 64,
        alignment: Some(4096),
        bound: None,
        effort: Effort::DEFAULT,
        store: None,
    };
    let found = formulas(tree, &[], &BTreeMap::new(), asked).expect("formulas");
    let accesses = found.accesses.expect("a formula");
    assert!(
        accesses
            .cases
            .iter()
            .all(|case| case.domain.floors.is_empty())
    );
    let size = found.histogram.parameters[0];
    for x in [1, 2, 5] {
        let n = i128::from(size.factor * x + size.residue);
        let value = accesses.at(&[i128::from(x)]).expect("fits").to_integer();
        assert_eq!(value, Some(n * (n - 1)), "{n}");
    }
}

/// A triangular product, whose formulas in two sizes have conditions on floors.
const TRMM: &str = "void trmm(int M, int N, double A[M][M], double B[M][N])\n{\n\
                    for (int i = 0; i < M; i++)\n  for (int j = 0; j < N; j++) {\n\
                    for (int k = i + 1; k < M; k++)\n      B[i][j] += A[k][i] * B[k][j];\n\
                    B[i][j] = 1.5 * B[i][j];\n  }\n}\n";

#[test]
fn formulas_in_two_sizes_are_the_trace() {
    let program = trees(TRMM, &[], &[]);
    let tree = &program.functions[0];
    let asked = SymbolicOptions {
        line_size: 64,
        alignment: Some(4096),
        bound: None,
        effort: Effort::DEFAULT,
        store: None,
    };
    let found = formulas(tree, &[], &BTreeMap::new(), asked).expect("formulas");
    let names = found.histogram.parameters.iter();
    let names: Vec<_> = names
        .map(|size| (size, &tree.parameters[size.id].name))
        .collect();
    for (m, n) in [(8, 8), (8, 24), (24, 8), (16, 16), (40, 40), (64, 8)] {
        let value = |name: &str| if name == "M" { m } else { n };
        let point = names
            .iter()
            .map(|(size, name)| i128::from(value(name) / size.factor));
        let point: Vec<i128> = point.collect();
        let sized = trees(TRMM, &[], &[("M", m), ("N", n)]);
        let traced = measure(sized, &options(caches(&[4]), Engine::Trace));
        let traced = &traced.functions[0];
        let at = |formula: &FormulaResult| {
            let formula = formula.as_ref().expect("a formula");
            formula.at(&point).expect("it fits").to_integer()
        };
        let counted = |count: Counted| count.exact().map(i128::from);
        assert_eq!(
            at(&found.accesses),
            counted(traced.accesses),
            "M = {m}, N = {n}"
        );
        let line = traced.lines[0].histogram.as_ref().expect("a histogram");
        assert_eq!(at(&found.cold), counted(line.cold()), "M = {m}, N = {n}");
    }
}
