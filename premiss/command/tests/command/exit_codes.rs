//! Exit codes, one by one.

use crate::{Folder, SCALE, premiss, premiss_on};

const GEMM: &str = "testdata/kernels/c/gemm.c";

#[test]
fn a_report_that_was_made_is_0() {
    premiss(&["report", GEMM]).exits(0);
    premiss_on(SCALE, &["report", "-", "-P", "n=10"]).exits(0);
    premiss(&["coverage", GEMM]).exits(0);
    premiss(&["machine", "list"]).exits(0);
    premiss(&["machine", "show", "zen4"]).exits(0);
    premiss(&["trace", "testdata/kernels/c/gemm.c", "-P", "NI=2"]).exits(0);
    premiss(&["--help"]).exits(0);
    premiss(&["--version"]).exits(0);
}

#[test]
fn a_file_without_nests_is_0() {
    let run = premiss_on("int x;\n", &["report", "-"]).exits(0);
    assert!(run.stderr.contains("no function with a loop nest"));
    assert!(run.stdout.starts_with("Coverage: 0/0 nests exact"));
}

#[test]
fn findings_are_1_for_check_alone() {
    let search = "void search(double *x)\n\
                  {\n  for (int i = 0; i < 9; i++)\n    while (x[i] > 0) x[i] /= 2;\n}\n";
    let check = |arguments: &[&str]| premiss_on(search, arguments);
    check(&["check", "-"]).exits(1);
    check(&["check", "-", "--exit-zero"]).exits(0);
    check(&["report", "-"]).exits(3);
    premiss(&["check", GEMM]).exits(0);
}

#[test]
fn a_missing_size_is_a_finding_and_named() {
    let run = premiss_on(SCALE, &["check", "-"]).exits(1);
    assert!(
        run.stdout
            .contains("1 function is not counted, as sizes have no value:"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("\n n "), "{}", run.stdout);
    assert!(run.stderr.contains("-P n=1000"), "{}", run.stderr);
}

#[test]
fn wrong_usage_is_2() {
    premiss(&[]).exits(2);
    premiss(&["report"]).exits(2);
    premiss(&["report", GEMM, "--no-such-option"]).exits(2);
    premiss(&["report", GEMM, "-P", "NI"])
        .exits(2)
        .says("NAME=VALUE");
    premiss(&["report", GEMM, "-P", "NI=x"])
        .exits(2)
        .says("not an integer");
    premiss(&["report", GEMM, "-D", "5=1"])
        .exits(2)
        .says("not a macro name");
    premiss(&["report", GEMM, "--array-base", "A"])
        .exits(2)
        .says("NAME=ADDR");
    premiss(&["report", GEMM, "--budget", "0"]).exits(2);
    premiss(&["report", GEMM, "-m", "vax"]).exits(2).says("spr");
    premiss(&["report", GEMM, "-m", "spr", "--cache", "L1=4K,1,64"]).exits(2);
    premiss(&["report", GEMM, "--cache", "L1=33K,7,64"])
        .exits(2)
        .says("nearest that can");
    premiss(&["machine", "show", "vax"]).exits(2);
}

#[test]
fn names_that_are_not_there_are_2_with_the_nearest() {
    premiss(&["report", GEMM, "-P", "NIJ=5"])
        .exits(2)
        .says("did you mean `NI`?");
    premiss(&["report", GEMM, "--function", "kernel_gem"])
        .exits(2)
        .says("did you mean `kernel_gemm`?");
    premiss(&["report", GEMM, "--array-base", "Q=0x1000"])
        .exits(2)
        .says("`A`, `B`, `C`");
}

#[test]
fn input_that_cannot_be_read_is_2() {
    premiss(&["report", "no/such/file.c"])
        .exits(2)
        .says("no such file");
    premiss(&["report", "testdata"]).exits(2).says("folder");
    premiss(&["report", "main.cpp"]).exits(2).says("C++");
    premiss_on("", &["report", "-"]).exits(2).says("empty");
    premiss_on(" \n", &["report", "-"]).exits(2).says("empty");
    premiss_on("int x;", &["report", "-", "--stdin-filename", "a.hpp"])
        .exits(2)
        .says("C++");
    premiss(&["report", GEMM, "-m", "no/such.toml"]).exits(2);
    premiss(&["report", GEMM, "-o", "no/such/folder/report.txt"]).exits(2);
    premiss(&["report", GEMM, "-o", "report.pdf"])
        .exits(2)
        .says("name it .html, .json or .txt");
}

#[test]
fn a_report_without_one_counted_function_is_3() {
    let run = premiss_on(SCALE, &["report", "-"]).exits(3);
    let run = run.says("1 function is not counted, as sizes have no value");
    assert!(run.stdout.contains("cold misses"), "{}", run.stdout);
    let large = ["report", "-", "-P", "n=1000000", "--budget", "10"];
    premiss_on(SCALE, &[&large[..], &["--engine", "trace"]].concat())
        .exits(3)
        .says("budget of 10 steps");
    premiss_on(SCALE, &["trace", "-"])
        .exits(3)
        .says("`scale` cannot be counted without a value for `n`");
    let sweep = ["sweep", "-", "-P", "n=64..128", "--budget", "100"];
    premiss_on(SCALE, &[&sweep[..], &["--engine", "trace"]].concat()).exits(3);
    // A closed form counts what the trace cannot; levels of several sets are estimates then.
    premiss_on(SCALE, &large)
        .exits(0)
        .says("estimated, not counted");
}

#[test]
fn code_without_misses_is_3() {
    let squares =
        "void f(long n, double *x)\n{\n  for (long i = 0; i < n; i++)\n    x[i * i] = 0;\n}\n";
    premiss_on(squares, &["formula", "-", "--emit", "c"]).exits(3);
    premiss_on(SCALE, &["formula", "-", "--emit", "c"]).exits(0);
}

#[test]
fn a_level_that_closed_forms_leave_unknown_is_named() {
    let options = [
        "-P",
        "n=1000",
        "--engine",
        "closed",
        "--cache",
        "L1=32768,8,64,fifo",
    ];
    for (command, code) in [("check", 1), ("report", 3)] {
        let run = premiss_on(SCALE, &[&[command, "-"][..], &options].concat()).exits(code);
        let said = run.stdout + &run.stderr;
        let expected = "not all misses of `scale` have a closed form";
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_check_of_estimates_is_3_and_says_why() {
    premiss_on(SCALE, &["check", "-", "-P", "n=1000000", "--budget", "10"])
        .exits(3)
        .says("1 function is estimated, not counted, and rules judge counts alone");
}

#[test]
fn a_baseline_of_estimates_says_so() {
    let folder = Folder::new("estimated-baseline");
    folder.write("scale.c", SCALE);
    let options = ["scale.c", "-P", "n=1000000", "--budget", "10"];
    let run = folder.premiss(&[&["baseline", "write"][..], &options].concat());
    run.exits(0)
        .says("1 function is estimated, not counted, and rules judge counts alone");
}

/// A product of matrices whose rows begin at many places of a page: its distances in pages have no closed form.
const PRODUCT: &str = "void f(double a[150][150], double b[150][150], double c[150][150])
{
  for (int i = 0; i < 150; i++)
    for (int j = 0; j < 150; j++)
      for (int k = 0; k < 150; k++)
        c[i][j] += a[i][k] * b[k][j];
}
";

#[test]
fn misses_whose_causes_take_too_many_steps_are_counted_and_no_estimates() {
    let options = ["-", "-m", "spr", "--budget", "1e5", "--no-cache"];
    let check = premiss_on(PRODUCT, &[&["check"][..], &options].concat()).exits(0);
    assert!(
        check.stdout.contains("unclassified-misses"),
        "{}",
        check.stdout
    );
    assert!(!check.stderr.contains("estimated"), "{}", check.stderr);
    let report = premiss_on(PRODUCT, &[&["report"][..], &options].concat()).exits(0);
    assert!(!report.stderr.contains("estimated"), "{}", report.stderr);
    assert!(
        report.stdout.contains("Causes of misses that are `?`"),
        "{}",
        report.stdout
    );
    let exact = ["-", "-m", "spr", "--exact", "--no-cache"];
    let exact = premiss_on(PRODUCT, &[&["report"][..], &exact].concat()).exits(0);
    assert!(
        !exact.stdout.contains("Causes of misses"),
        "{}",
        exact.stdout
    );
}
