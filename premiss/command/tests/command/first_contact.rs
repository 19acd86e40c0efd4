//! What those see who use it for the first time: without arguments, without sizes, and the line to type next.

use crate::{Folder, SCALE, command, premiss, premiss_on};

/// Two functions with sizes of their own.
const TWO: &str = "void scale(int n, double *x)\n{\n  for (int i = 0; i < n; i++)\n    x[i] *= 2;\n}\n\
                   void add(int n, int m, double x[n][m])\n{\n  for (int i = 0; i < n; i++)\n    \
                   for (int j = 0; j < m; j++)\n      x[i][j] += 1;\n}\n";

#[test]
fn without_arguments_it_says_what_is_there_and_where_to_begin() {
    let folder = Folder::repository("first");
    let run = |folder: &Folder| {
        let output = command(&[]).current_dir(&folder.0).output();
        crate::Run::new(&output.expect("it starts")).exits(2)
    };
    run(&folder).says("This folder has no files in C, Fortran or Rust");
    folder.write("src/k.c", SCALE);
    folder.write("src/m.f90", "end\n");
    let run = run(&folder)
        .says("This folder has 1 C file and 1 Fortran file. Next:")
        .says("  premiss check . ")
        .says("  premiss report src/k.c ");
    assert!(run.stderr.lines().count() < 24, "{}", run.stderr);
}

#[test]
fn sizes_without_a_value_are_one_table_and_the_next_line_gives_them_values() {
    let folder = Folder::repository("sizes");
    folder.write("src/k.c", TWO);
    let run = folder.premiss(&["check", "src"]).exits(1);
    let table = "2 functions are not counted, as sizes have no value:\n\n size  functions  first at\n \
                 n             2  src/k.c:1\n m             1  src/k.c:6\n";
    assert!(run.stdout.contains(table), "{}", run.stdout);
    assert_eq!(run.stdout.matches("missing-size").count(), 0);
    let last = run.stdout.lines().last().expect("a line");
    assert!(last.starts_with("Coverage: 2/2"), "{last}");
    let next = run.stderr.trim().strip_prefix("next: premiss ");
    assert_eq!(next, Some("check src -P n=1000 -P m=1000"));
    let words: Vec<&str> = next.expect("a line").split(' ').collect();
    let run = folder.premiss(&words);
    assert!(!run.stderr.contains("next:"), "{}", run.stderr);
    // Other formats have a message for each function, as before.
    let run = folder
        .premiss(&["check", "src", "--format", "json"])
        .exits(1);
    assert_eq!(run.stdout.matches("missing-size").count(), 2);
    assert_eq!(run.stderr, "");
}

#[test]
fn the_next_line_gives_a_length_to_lengths_alone() {
    let text = "void f(int lo, int n, int mode, double *x)\n{\n  if (mode)\n    for (int i = lo; i < n; i++)\n      \
                x[i] = 0;\n}\n";
    premiss_on(text, &["check", "-"])
        .exits(1)
        .says("next: premiss check - ")
        .says(" -P n=1000")
        .says(" -P lo=1");
}

#[test]
fn a_report_without_sizes_shows_formulas() {
    let run = premiss_on(TWO, &["report", "-"]).exits(3);
    for part in [
        "stdin.c:1 scale · ",
        "cold misses",
        "L1 misses",
        "levels as if fully associative",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("not counted"), "{}", run.stdout);
    let run = run.says("next: premiss report - -P n=1000 -P m=1000");
    assert_eq!(run.stderr.matches("no value").count(), 1, "{}", run.stderr);
    // With one of the sizes, one function is counted and the other has formulas in its own.
    let run = premiss_on(TWO, &["report", "-", "-P", "n=100"]).exits(3);
    assert!(
        run.stdout.contains("stdin.c:1 scale · n=100"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("stdin.c:6 add · "), "{}", run.stdout);
    let traced = premiss_on(TWO, &["report", "-", "--engine", "trace"]).exits(3);
    assert!(traced.stdout.contains("not counted"), "{}", traced.stdout);
}

#[test]
fn sizes_may_be_written_as_floats_and_are_checked() {
    let report = |sizes: &[&str]| premiss_on(SCALE, &[&["report", "-"], sizes].concat());
    let plain = report(&["-P", "n=1000"]).exits(0);
    assert_eq!(report(&["-P", "n=1e3"]).exits(0).stdout, plain.stdout);
    report(&["-P", "n=1.5"])
        .exits(2)
        .says("`1.5` is not an integer of 64 bits");
    let again = report(&["-P", "n=5", "-P", "n=1000"]).exits(0);
    assert_eq!(again.stdout, plain.stdout);
    again.says("warning: -P n=1000 replaces the value 5 given before");
    report(&["-P", "n=-5"])
        .exits(0)
        .says("warning: -P n=-5: the size is negative");
    let same = report(&["-P", "n=1000", "-P", "n=1000"]).exits(0);
    assert_eq!(same.stderr, "");
}

/// Columns of a matrix whose rows are a power of two: its lines crowd in few sets.
const COLUMNS: &str = "double s;\nvoid f(int n, double a[n][n])\n{\n  for (int j = 0; j < n; j++)\n    \
                       for (int i = 0; i < n; i++)\n      s += a[i][j];\n}\n";

#[test]
fn numbers_of_fully_associative_levels_are_labelled() {
    let folder = Folder::repository("sets");
    folder.write("k.c", COLUMNS);
    let cache = ["--cache", "L1=8KiB,2,64"];
    let explain = ["explain", "k.c:6:12", "-P", "n=64"];
    let run = folder.premiss(&[&explain[..], &cache].concat()).exits(0);
    let line =
        " L1 misses: 4096 in its 64 sets; as if fully associative 512: 3584 conflict misses\n";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    assert!(
        run.stdout.contains(" · levels as if fully associative\n"),
        "{}",
        run.stdout
    );
    folder
        .premiss(&["explain", "k.c:5"])
        .exits(2)
        .says("starts there; the nearest: line 6");
    let report = folder.premiss(&[&["report", "k.c", "-P", "n=64"][..], &cache].concat());
    assert!(report.stdout.contains(" 4096 "), "{}", report.stdout);
    let full = folder.premiss(&[&explain[..], &["--cache", "L1=8KiB,full,64"]].concat());
    assert!(full.exits(0).stdout.contains(" L1 misses: 512\n"));
}

#[test]
fn a_sweep_has_no_least_time_where_a_cache_is_estimated() {
    let sweep = |budget: &str| {
        let sizes = ["sweep", "-", "-P", "n=64..128", "--budget", budget];
        premiss_on(COLUMNS, &sizes).exits(0).stdout
    };
    let counted = sweep("4e9");
    assert!(
        !counted.contains('?') && !counted.contains('~'),
        "{counted}"
    );
    let estimated = sweep("1e3");
    assert!(estimated.contains('~'), "{estimated}");
    let rows = estimated
        .lines()
        .filter(|line| line.starts_with(" 64") || line.starts_with(" 128"));
    for row in rows {
        assert!(row.trim_end().ends_with('?'), "{estimated}");
    }
    assert!(!estimated.contains("becomes slower"), "{estimated}");
    assert!(
        estimated.contains("Note: `~` is an estimate"),
        "{estimated}"
    );
}

#[test]
fn the_first_iteration_of_a_loop_that_data_may_end_is_certain() {
    let source = "double s;\nvoid f(int n, int m, double *a)\n{\n  for (int t = 0; t < m; t++) {\n    \
                  for (int i = 0; i < n; i++)\n      a[i] += 1;\n    if (a[0] > 3)\n      break;\n  }\n}\n";
    let of = |m: &str| {
        let sizes = ["report", "-", "-P", "n=8", "-P", m];
        premiss_on(source, &sizes).exits(0).stdout
    };
    let accesses = |text: &str, range: &str| {
        assert!(text.contains(&format!("{range} accesses")), "{text}");
    };
    accesses(&of("m=10"), "17..170");
    accesses(&of("m=1"), "17");
    accesses(&of("m=0"), "0");
    // The first value is one that the body changes: nothing is certain then.
    let moving = "void f(int n, int k, double *a)\n{\n  int i = k;\n  while (i < n) {\n    a[i] = 1;\n    \
                  if (a[0] > 3)\n      break;\n    k = k + 1;\n    i++;\n  }\n}\n";
    let run = premiss_on(moving, &["report", "-", "-P", "n=8", "-P", "k=0"]).exits(0);
    accesses(&run.stdout, "2..16");
}

#[test]
fn coverage_says_where_totals_are_less_certain_than_nests() {
    let source = "double s;\nvoid f(int n, double *p, double *a)\n{\n  if (*p > 0.5)\n    for (int i = 0; i < n; i++)\n      \
                  s += a[i];\n}\n";
    let run = premiss_on(source, &["report", "-", "-P", "n=100"]).exits(0);
    let last = run.stdout.lines().last().expect("a line");
    let line =
        "Coverage: 1/1 nests exact, 0 bounded, 0 unknown; totals of 1 function are not exact · ";
    assert!(last.starts_with(line), "{last}");
    assert!(
        run.stdout.contains("data decide whether it is"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("1..101 accesses"), "{}", run.stdout);
    // A ratio of bounds is a range.
    assert!(
        run.stdout.contains(".. 100.0 %") || run.stdout.contains("..100.0 %"),
        "{}",
        run.stdout
    );
    let certain = premiss_on(SCALE, &["report", "-", "-P", "n=100"]).exits(0);
    assert!(!certain.stdout.contains("totals"), "{}", certain.stdout);
}

#[test]
fn a_report_fits_100_columns() {
    let gather = "double s;\nvoid gather(int n, const int *idx, const double *x, double *long_name_of_an_array)\n{\n  \
                  for (int i = 0; i < n; i++)\n    long_name_of_an_array[i] += x[idx[i]] * x[idx[i] + 1] * x[idx[i] + 2];\n}\n";
    for source in [gather, COLUMNS, TWO] {
        for sizes in [&["-P", "n=1000"][..], &["-P", "n=1000", "-P", "m=1000"]] {
            let run = premiss_on(source, &[&["report", "-"], sizes].concat());
            let widest = run.stdout.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(100), "{widest:?}: {}", run.stdout);
        }
    }
}

#[test]
fn one_option_has_one_meaning() {
    premiss(&[
        "report",
        "testdata/kernels/c/gemm.c",
        "--base",
        "A=0x100000",
    ])
    .exits(2);
    let run = premiss_on(
        SCALE,
        &["report", "-", "-P", "n=10", "--array-base", "x=0x100000"],
    );
    run.exits(0);
}
