//! `premiss coverage`: what counts as a nest, and under what assumptions.

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
    assert!(run.stdout.contains("Assumed: no number is zero"));
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
