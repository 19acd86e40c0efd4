//! The report for people, whole: read every changed line before accepting it.

use crate::{premiss, premiss_on};

fn check(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/report");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn a_kernel_of_known_sizes() {
    let arguments = ["report", "testdata/kernels/c/gemm.c"];
    let sizes = ["-P", "NI=100", "-P", "NJ=100", "-P", "NK=100"];
    let run = premiss(&[&arguments[..], &sizes].concat()).exits(0);
    check("gemm", &run.stdout);
}

#[test]
fn a_kernel_that_branches_on_data() {
    let run = premiss(&[
        "report",
        "testdata/kernels/c/floyd-warshall.c",
        "-m",
        "zen4",
    ])
    .exits(0);
    check("floyd-warshall", &run.stdout);
}

const MIXED: &str = "void gather(int n, int m, const int *idx, double x[n], double y[m])\n\
    {\n  for (int i = 0; i < n; i++)\n    x[i] = y[idx[i]];\n}\n\
    void search(int n, double *x)\n\
    {\n  for (int i = 0; i < n; i++) {\n    if (x[i] == 0)\n      break;\n    x[i] = 1 / x[i];\n  }\n}\n\
    static void clear(double *row, int n)\n\
    {\n  for (int i = 0; i < n; i++)\n    row[i] = 0;\n}\n\
    void rows(double a[64][32])\n\
    {\n  for (int i = 0; i < 64; i++)\n    clear(a[i], 32);\n}\n";

#[test]
fn calls_are_followed_and_what_is_not_known_says_why() {
    let arguments = [
        "report",
        "-",
        "-P",
        "n=100",
        "--cache",
        "L1=4K,2,64",
        "--histogram",
    ];
    let run = premiss_on(MIXED, &arguments).exits(3);
    check("mixed", &run.stdout);
    check("mixed-diagnostics", &run.stderr);
}

#[test]
fn coverage_names_what_keeps_nests_from_being_exact() {
    let run = premiss_on(MIXED, &["coverage", "-"]).exits(0);
    check("coverage", &run.stdout);
}

/// Where data decide which lines are touched, no budget helps.
#[test]
fn write_backs_that_data_decide_are_not_blamed_on_the_budget() {
    let budget = "a larger --budget";
    let gather = premiss_on(MIXED, &["report", "-", "-P", "n=100", "-P", "m=100"]).exits(0);
    assert!(!gather.stdout.contains(budget), "{}", gather.stdout);
    let axpy = "void axpy(int n, double *x, double *y)\n{\n  for (int i = 0; i < n; i++)\n    y[i] += x[i];\n}\n";
    let few_steps = ["report", "-", "-P", "n=1000000", "--budget", "1000"];
    let long = premiss_on(axpy, &few_steps).exits(0);
    assert!(long.stdout.contains(budget), "{}", long.stdout);
}

#[test]
fn machines_show_where_their_numbers_are_from() {
    let run = premiss(&["machine", "show", "spr"]).exits(0);
    check("machine-spr", &run.stdout);
}
