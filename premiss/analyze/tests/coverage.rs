//! Which nests the model covers, from C text.

use premiss_analyze::{Coverage, CoverageClass, ReadOptions, coverage, read};
use premiss_source::{MemoryFiles, SourceMap};

/// The classes of the nests of a file, and all reasons.
fn nests(source: &str) -> (Vec<CoverageClass>, Vec<String>) {
    let mut sources = SourceMap::new();
    let file = sources.add("nests.c", source.into()).unwrap();
    let options = ReadOptions::default();
    let program = read(&mut sources, file, &options, &MemoryFiles::new());
    let nests: Vec<_> = program.functions.iter().flat_map(coverage).collect();
    let classes = nests.iter().map(|nest| nest.class).collect();
    let reasons = nests.into_iter().flat_map(|nest| nest.reasons);
    (classes, reasons.map(|reason| reason.text).collect())
}

#[track_caller]
fn check(body: &str, expected: CoverageClass) -> Vec<String> {
    let source = format!("void f(int n, int m, int *p, double *x)\n{{\n{body}\n}}\n");
    let (classes, reasons) = nests(&source);
    assert_eq!(classes, [expected], "{reasons:?}");
    reasons
}

#[test]
fn sizes_need_no_value_to_be_exact() {
    check(
        "for (int i = 0; i < n; i++) x[i] = 0;",
        CoverageClass::Exact,
    );
    check(
        "for (int i = 0; i < n; i++) if (i < m) x[n - i] = 0;",
        CoverageClass::Exact,
    );
    check(
        "for (int i = 0; i < n; i++) for (int j = i; j < m; j += 2) x[i * m + j] = 0;",
        CoverageClass::Exact,
    );
}

#[test]
fn a_counter_that_each_iteration_steps_is_known() {
    check(
        "int k = 0; for (int i = 0; i < n; i++) { x[k] = 0; k += 2; }",
        CoverageClass::Exact,
    );
}

#[test]
fn a_counter_that_data_steps_is_not_known_from_the_second_iteration_on() {
    let reasons = check(
        "int k = 0; for (int i = 0; i < n; i++) { x[k] = 0; if (p[i]) k++; }",
        CoverageClass::Bounded,
    );
    assert_eq!(
        reasons,
        ["the subscript of `x[k]` depends on run-time data"]
    );
}

#[test]
fn elements_and_guards_that_depend_on_data_are_listed() {
    let reasons = check(
        "for (int i = 0; i < n; i++) if (p[i]) x[p[i]] = 0;",
        CoverageClass::Bounded,
    );
    assert!(reasons.contains(&"whether `x[p[i]]` is accessed depends on run-time data".to_owned()));
    assert!(reasons.contains(&"the subscript of `x[p[i]]` depends on run-time data".to_owned()));
}

#[test]
fn what_nothing_bounds_is_unknown() {
    check(
        "extern void g(double *); for (int i = 0; i < n; i++) g(x + i);",
        CoverageClass::Unknown,
    );
}

#[test]
fn loops_that_data_alone_end_are_bounded_by_sizes_of_their_own() {
    check(
        "for (int i = 0; x[i] > 0; i++) x[i] = 1;",
        CoverageClass::Bounded,
    );
    check(
        "for (int i = 0; i < p[i]; i++) x[i] = 1;",
        CoverageClass::Bounded,
    );
    check(
        "for (int i = 0; i < p[0]; i++) p[0] = m;",
        CoverageClass::Bounded,
    );
}

#[test]
fn only_outermost_loops_that_touch_arrays_count() {
    let source = "void f(int n, double *x)\n{\n  int s = 0;\n\
                  for (int i = 0; i < n; i++) s += i;\n\
                  for (int i = 0; i < n; i++) x[i] = s;\n\
                  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[j] = i;\n}\n";
    let (classes, _) = nests(source);
    assert_eq!(classes, [CoverageClass::Exact; 2]);
}

#[test]
fn integers_in_memory_that_nothing_stores_are_sizes() {
    check(
        "for (int i = 0; i < p[0]; i++) x[i] = 1;",
        CoverageClass::Exact,
    );
    check(
        "for (int i = 0; i < n; i++) x[i * *p] = 1;",
        CoverageClass::Exact,
    );
    check(
        "for (int i = 0; i < n; i++) { p[1] = i; x[p[0]] = 1; }",
        CoverageClass::Exact,
    );
}

#[test]
fn integers_in_memory_that_the_nest_stores_are_data() {
    check(
        "for (int i = 0; i < n; i++) { x[p[0]] = 1; p[i] = 3; }",
        CoverageClass::Bounded,
    );
}

#[test]
fn a_call_that_is_not_known_costs_what_it_is_given_and_no_more() {
    let extern_call = "extern void g(int *); ";
    check(
        &format!("{extern_call} g(p); for (int i = 0; i < p[0]; i++) x[i] = 1;"),
        CoverageClass::Exact,
    );
    check(
        &format!("{extern_call} for (int i = 0; i < p[0]; i++) {{ x[i] = 1; g(p); }}"),
        CoverageClass::Unknown,
    );
}

#[test]
fn loops_that_end_early_by_data_are_bounded() {
    check(
        "for (int i = 0; i < n; i++) { if (x[i] > 0) break; x[i] = 1; }",
        CoverageClass::Bounded,
    );
    check(
        "for (int i = 0; i < n; i++) { if (x[i] > 0) return; x[i] = 1; }",
        CoverageClass::Bounded,
    );
    check(
        "for (int i = 0; i < n; i++) { if (x[i] > 0) goto end; x[i] = 1; } end: ;",
        CoverageClass::Bounded,
    );
}

#[test]
fn inner_loops_of_an_unknown_one_count_by_themselves() {
    let source = "extern void g(double *);\n\
                  void f(int n, int t, double *x, double *y)\n{\n\
                  for (int k = 0; k < t; k++) {\n\
                  for (int i = 0; i < n; i++) x[i] = y[i];\n\
                  g(x);\n}\n}\n";
    let (classes, _) = nests(source);
    assert_eq!(classes, [CoverageClass::Unknown, CoverageClass::Exact]);
}

#[test]
fn a_value_that_an_unknown_loop_left_is_no_size_inside_of_another() {
    let source = "void f(int n, double *x)\n{\n int k = 0;\n\
                  for (int i = 0; i < n; i++) {\n\
                  while (x[k] > 0) k++;\n x[k] = 0;\n}\n}\n";
    let (classes, _) = nests(source);
    assert!(!classes.contains(&CoverageClass::Exact), "{classes:?}");
}

#[test]
fn calls_outside_of_loops_are_no_nests() {
    let (classes, _) = nests("extern void g(double *);\nvoid f(double *x) { g(x); while (0) ; }\n");
    assert_eq!(classes, []);
}

#[test]
fn nests_are_counted_by_class() {
    let coverage = Coverage {
        exact: 1,
        bounded: 2,
        unknown: 3,
    };
    assert_eq!(coverage.nests(), 6);
    assert_eq!(
        [coverage, coverage].into_iter().sum::<Coverage>().unknown,
        6
    );
}

#[test]
fn loops_up_to_numbers_that_nothing_stores_are_bounded() {
    let reasons = check(
        "for (int i = 0; i < n; i++) for (int k = p[i]; k < p[i + 1]; k++) x[k] = 0;",
        CoverageClass::Bounded,
    );
    assert!(
        reasons.contains(&"the iterations of the loop over `k` depend on run-time data".to_owned()),
        "{reasons:?}"
    );
    // A sum of such numbers, with what else it takes from sizes and iterators.
    check(
        "for (int i = 0; i < n; i++) for (int k = i; k < 2 * p[i] - m + i; k += 2) x[k] = 0;",
        CoverageClass::Bounded,
    );
    // The same with names of their own.
    check(
        "for (int i = 0; i < n; i++) { const int last = p[i]; for (int k = 0; k < last; k++) x[k] = 0; }",
        CoverageClass::Bounded,
    );
}

#[test]
fn loops_up_to_numbers_that_the_nest_stores_are_bounded_by_the_greatest() {
    let body = "for (int i = 0; i < n; i++) { for (int k = 0; k < p[i]; k++) x[k] = 0; p[m] = i; }";
    let source = format!("void f(int n, int m, int *p, double *x)\n{{\n{body}\n}}\n");
    let (classes, reasons) = nests(&source);
    assert_eq!(classes[0], CoverageClass::Bounded, "{reasons:?}");
    // Nobody knows how far a product of two of them goes.
    let body = "for (int i = 0; i < n; i++) for (int k = 0; k < p[i] * p[i + 1]; k++) x[k] = 0;";
    let source = format!("void f(int n, int m, int *p, double *x)\n{{\n{body}\n}}\n");
    let (classes, reasons) = nests(&source);
    assert_eq!(classes[0], CoverageClass::Unknown, "{reasons:?}");
}

#[test]
fn an_element_that_sizes_name_is_a_size() {
    check(
        "for (int k = 0; k < p[n]; k++) x[k] = 0;",
        CoverageClass::Exact,
    );
    check(
        "for (int i = 0; i < m; i++) for (int k = 0; k < p[n]; k++) x[k] = 0;",
        CoverageClass::Exact,
    );
}
