//! `premiss coverage`: what counts as a nest, and under what assumptions.

use crate::folder::Folder;
use crate::{premiss, premiss_on};

const SCALE_NONZEROS: &str = "void scale(int n, double *x, double *y)\n{\n\
     \x20 for (int i = 0; i < n; i++)\n    if (x[i] != 0)\n      y[i] *= x[i];\n\
     \x20 for (int i = 0; i < n; i++)\n    if (x[i])\n      y[i] += 1;\n}\n";

#[test]
fn dense_data_is_an_assumption_that_reports_name() {
    let run = premiss_on(SCALE_NONZEROS, &["coverage", "-"]).exits(0);
    assert!(
        run.stdout
            .ends_with("0/2 nests exact, 2 bounded, 0 unknown\n")
    );
    assert!(!run.stdout.contains("Assumed"));
    let run = premiss_on(SCALE_NONZEROS, &["coverage", "-", "--dense"]).exits(0);
    assert!(
        run.stdout
            .ends_with("2/2 nests exact, 0 bounded, 0 unknown\n")
    );
    assert!(
        run.stdout
            .contains("Assumed: numbers that only running the program would tell are numbers")
    );
    let arguments = ["report", "-", "-P", "n=10", "--format", "json", "--dense"];
    let run = premiss_on(SCALE_NONZEROS, &arguments).exits(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    // 10 times: x[i]; y[i], x[i], y[i]; then x[i]; y[i], y[i].
    assert_eq!(report["functions"][0]["accesses"]["value"], 70);
    let assumptions = report["assumptions"].as_array().expect("a list");
    let names_it = |text: &serde_json::Value| text.as_str().is_some_and(|x| x.contains("--dense"));
    assert!(assumptions.iter().any(names_it));
}

#[test]
fn files_that_are_not_parsed_completely_are_listed() {
    let run = premiss_on("void f(((\n", &["coverage", "-"]).exits(3);
    assert!(
        run.stdout
            .contains("Files: 0/1 parsed; 0 outermost loops without arrays\n  partly: stdin.c\n"),
        "{}",
        run.stdout
    );
}

/// Whether the only nest of a file is exact.
#[track_caller]
fn check_exact(text: &str, flags: &[&str], is_exact: bool) {
    let run = premiss_on(text, &[&["coverage", "-"], flags].concat()).exits(0);
    let all = "1/1 nests exact, 0 bounded, 0 unknown\n";
    assert_eq!(run.stdout.ends_with(all), is_exact, "{text}{}", run.stdout);
}

#[test]
fn dense_numbers_equal_no_constants_and_are_numbers() {
    let covers = |before: &str, condition: &str, is_decided: bool| {
        let text = format!(
            "static int isnot(double x, double y)\n{{\n  return x != y;\n}}\n\
             static int isnone(double x)\n{{\n  return isnot(x, x);\n}}\n\
             void f(int n, double *a, double *b)\n{{\n  for (int i = 0; i < n; i++) {{\n\
             \x20   double x = a[i], y = a[i + 1], t = 1;\n    float r = 0.1;\n    {before}\n\
             \x20   if ({condition})\n      b[i] = 1;\n  }}\n}}\n"
        );
        check_exact(&text, &[], false);
        check_exact(&text, &["--dense"], is_decided);
    };
    let decided = |condition| covers("", condition, true);
    decided("x != 1");
    decided("-1.5 != x");
    decided("a[n] != 3");
    decided("x * y + 1 == 0");
    decided("fabs(x) != 0");
    decided("x == x && !isnan(y)");
    decided("!isnone(x) && !isnone(a[2])");
    decided("a[n] == a[n]");
    let open = |condition| covers("", condition, false);
    open("x != y");
    open("isnot(x, y)");
    open("x < 1");
    open("a[0] == a[1]");
    // It is one of these, or a whole number.
    open("fmax(x, 0) != 0");
    open("floor(x) != 0");
    open("copysign(1, x) != 1");
    // The text tells it, and no data.
    open("r == 0.1");
    open("(double)n == 1");
    // Data decide whether the text sets it.
    covers("if (x < 0) t = y;", "t != 1", false);
    covers("if (x < 0) t = y; t = t * x;", "t != 1", true);
}

#[test]
fn dense_sums_equal_no_constants_once_they_have_begun() {
    let check = |inside: &str, after: &str, is_exact: bool| {
        let text = format!(
            "void f(int n, double *a, double *b)\n{{\n  for (int k = 0; k < n; k++) {{\n    double t = 0;\n\
             \x20   for (int i = 0; i < n; i++) {{\n      if ({inside})\n        b[i] = 1;\n      t = t + a[i];\n    }}\n\
             \x20   if ({after})\n      b[k] = t;\n  }}\n}}\n"
        );
        check_exact(&text, &["--dense"], is_exact);
    };
    check("i < k", "t != 0", true);
    check("a[i] == a[i]", "t == t && t != 1", true);
    // In the first iteration it is 0, later not.
    check("t == 0", "t != 0", false);
}

#[test]
fn loops_of_what_is_given_up_are_nests_by_themselves() {
    let covers = |label: &str, loop_label: &str, expected: &str| {
        let text = format!(
            "void f(int n, double *a)\n{{\n  if (n > 3) {{\n  {label}\n    a[0] = 1;\n  }}\n\
             \x20 for (int i = 0; i < n; i++) {{\n  {loop_label}\n    a[i] = 0;\n  }}\n  if (a[1] > 0)\n    \
             goto inside;\n  for (int i = 0; i < n; i++)\n    a[i] = 1;\n}}\n"
        );
        let run = premiss_on(&text, &["coverage", "-"]).exits(0);
        assert!(run.stdout.ends_with(expected), "{}", run.stdout);
    };
    covers("inside:", "", "2/2 nests exact, 0 bounded, 0 unknown\n");
    // One that a jump leads into is not entered by its header alone.
    covers("", "inside:", "1/2 nests exact, 0 bounded, 1 unknown\n");
}

#[test]
fn fortran_as_cmake_and_fpm_compile_it() {
    let run = premiss(&["coverage", "-p", "testdata/projects/fortran_cmake/build"]).exits(0);
    assert!(
        run.stdout
            .ends_with("9/9 nests exact, 0 bounded, 0 unknown\n")
    );
    let run = premiss(&["coverage", "-p", "testdata/projects/fortran_fpm/build"]).exits(0);
    assert!(run.stdout.contains("Files: 3/3 parsed"), "{}", run.stdout);
}

#[test]
fn headers_are_looked_for_in_the_rest_of_the_repository() {
    let folder = Folder::repository("headers-of-the-repository");
    let program = "#include <types.h>\nvoid f(number n, value *x)\n{\n  for (number i = 0; i < n; i++)\n    x[i] = 1;\n}\n";
    let header = "typedef int number;\ntypedef double value;\n";
    folder
        .write("src/f.c", program)
        .write("include/types.h", header);
    for (below, arguments) in [("", ["coverage", "src"]), ("src", ["coverage", "."])] {
        let run = folder.premiss_in(below, &arguments).exits(0);
        assert!(
            run.stdout
                .ends_with("1/1 nests exact, 0 bounded, 0 unknown\n"),
            "{}",
            run.stdout
        );
        assert!(run.stderr.contains("include/types.h"), "{}", run.stderr);
    }
    // One of the folder itself goes before.
    folder.write(
        "src/own/types.h",
        "typedef int number;\ntypedef float value;\n",
    );
    let run = folder.premiss(&["coverage", "src"]).exits(0);
    assert!(run.stderr.contains("src/own/types.h"), "{}", run.stderr);
    assert!(!run.stderr.contains("as well"), "{}", run.stderr);
}
