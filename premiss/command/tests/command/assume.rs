//! `premiss:assume` in comments: sizes, estimates, and what is told of lines that say nothing.

use crate::{Run, premiss, premiss_on, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const CACHE: [&str; 3] = ["--cache", "L1=32KiB,8,64", "--no-cache"];

fn run_on(name: &str, source: &str, command: &str, more: &[&str]) -> Run {
    let mut arguments = vec![command, "-", "--stdin-filename", name];
    arguments.extend(CACHE);
    arguments.extend(more);
    premiss_on(source, &arguments)
}

/// The report of a run; misses that averages do not give are unknown.
fn json(run: &Run) -> Value {
    assert!(matches!(run.code, Some(0 | 3)), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("it is JSON")
}

/// What the report says of the accesses of an array of that kind.
fn accesses<'a>(report: &'a Value, array: &str, kind: &str) -> &'a Value {
    let functions = report["functions"].as_array().expect("a list");
    let mut all = functions
        .iter()
        .flat_map(|x| x["references"].as_array().expect("a list"));
    let found = all.find(|x| x["array"] == array && x["kind"] == kind);
    &found.expect("there is one")["accesses"]
}

/// Kernels with what they were counted to do, as their own words say it.
#[test]
fn estimates_are_what_the_words_say() {
    let read = |name: &str| {
        fs::read_to_string(root().join("testdata/profiles").join(name)).expect("it is there")
    };
    let counts: BTreeMap<String, f64> = read("kernels.counts")
        .lines()
        .filter_map(|line| {
            let (array, count) = line.split_once(' ')?;
            Some((array.to_owned(), count.parse().ok()?))
        })
        .collect();
    let share = |array: &str| counts[array] / 1000.0;
    let mut text = read("kernels.c");
    for (line, directive) in [
        (
            "        if (AT(a, i) > 0.3)\n",
            format!("probability {}", share("b")),
        ),
        (
            "        if (AT(d, i) > 0.6)",
            format!("probability {}", share("e")),
        ),
        // What is behind `continue` runs where the condition does not hold.
        (
            "        if (AT(f, i) > 0.9)\n",
            format!("probability {}", 1.0 - share("g")),
        ),
        (
            "        for (int k = AT(first",
            format!("trips {}", share("value")),
        ),
        (
            "        while (v > 0.1) {\n",
            format!("trips {}", counts["o"] / 4.0 / 1000.0),
        ),
        (
            "    while (AT(t, k) < 0.95)\n",
            format!("trips {}", counts["t"] - 1.0),
        ),
        (
            "        if (AT(ba, i) > 0.2 &&",
            format!("probability {}", share("bc")),
        ),
    ] {
        assert_eq!(text.matches(line).count(), 1, "{line}");
        text = text.replace(line, &format!("// premiss:assume {directive}\n{line}"));
    }
    // As the profile names it, so that it is of this file.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("assume/project/testdata/profiles");
    fs::create_dir_all(&folder).expect("it is ours");
    fs::write(folder.join("kernels.c"), text).expect("it is ours");
    fs::write(folder.join("kernels.h"), read("kernels.h")).expect("it is ours");
    let path = folder.join("kernels.c");
    let path = path.to_str().expect("text");
    let mut arguments = vec!["report", path, "-P", "n=1000", "--format", "json"];
    arguments.extend(CACHE);
    let run = premiss(&arguments).exits(3);
    assert!(!run.stderr.contains("unused-assumption"), "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    for array in ["b", "c", "e", "g", "value", "o", "t", "bc"] {
        let found = accesses(&report, array, "load");
        assert_eq!(found["kind"], "estimate", "{array}");
        let value = found["value"].as_f64().expect("a number");
        let expected = counts[array];
        assert!(
            (value - expected).abs() < 1.0,
            "{array}: {value}, {expected}"
        );
    }
    let assumptions = report["assumptions"].to_string();
    assert!(
        assumptions.contains("premiss:assume says in "),
        "{assumptions}"
    );

    // What a run has measured counts before.
    let profile = "testdata/profiles/kernels.gcov.json";
    let other = read("kernels.c").replace(
        "if (AT(d, i) > 0.6) s",
        "if (AT(d, i) > 0.6) /* premiss:assume probability 0 */ s",
    );
    fs::write(folder.join("kernels.c"), other).expect("it is ours");
    let alone = json(&premiss(&arguments));
    assert_eq!(accesses(&alone, "e", "load")["value"], 0);
    arguments.extend(["--profile", profile]);
    let both = json(&premiss(&arguments));
    let measured = accesses(&both, "e", "load")["value"].as_f64();
    assert_eq!(measured, Some(counts["e"]));
}

/// Misses of an arm lie between their bounds where its accesses do.
#[test]
fn misses_are_estimated_between_their_bounds() {
    let source = |words: &str| {
        format!(
            "double f(int n, double *x, double *y)\n{{\n    double s = 0;\n    for (int i = 0; i < n; i++)\n        \
             if (x[i] > 0.5) // {words}\n            s += y[i];\n    return s;\n}}\n"
        )
    };
    let sizes = ["-P", "n=8000", "--format", "json", "--engine", "trace"];
    let plain = json(&run_on("k.c", &source("nothing"), "report", &sizes));
    let level = |report: &Value| report["functions"][0]["levels"][0]["misses"].clone();
    let bounds = level(&plain);
    // x has 1000 lines, y as many; of y, each access may be the first to its line, but only one of a line is.
    assert_eq!(
        (&bounds["lower"], &bounds["upper"]),
        (&1000.into(), &2000.into())
    );
    // 80 accesses of y that miss each; then more than it has lines.
    for (chance, expected) in [("0.01", 1080), ("0.25", 2000)] {
        let words = format!("premiss:assume probability {chance}");
        let assumed = json(&run_on("k.c", &source(&words), "report", &sizes));
        let found = level(&assumed);
        assert_eq!(found["kind"], "estimate");
        assert_eq!(found["value"], expected);
        let reference = &assumed["functions"][0]["references"][1];
        assert_eq!(
            reference["levels"][0]["misses"]["kind"], "estimate",
            "{reference}"
        );
    }
    let words = "premiss:assume probability 0.25";
    let assumed = json(&run_on("k.c", &source(words), "report", &sizes));
    // The least time has nothing to do with it.
    let least = |report: &Value| report["functions"][0]["time"]["least"].clone();
    assert_eq!(least(&plain), least(&assumed));
}

#[test]
fn other_languages_have_comments_too() {
    for (name, source, array, expected) in [
        (
            "k.f90",
            "subroutine f(n, x, y)\n  integer :: n, i\n  real(8) :: x(n), y(n)\n  do i = 1, n\n    \
             ! premiss:assume probability 0.25\n    if (x(i) > 0.5d0) then\n      y(i) = 0\n    end if\n  \
             end do\nend subroutine\n",
            "y",
            250,
        ),
        (
            "k.f",
            "      SUBROUTINE F(N, X, Y)\n      INTEGER N, I\n      DOUBLE PRECISION X(N), Y(N)\n      DO 10 I = 1, N\n\
             C premiss:assume probability 0.25\n        IF (X(I) .GT. 0.5D0) Y(I) = 0\n   10 CONTINUE\n      END\n",
            "Y",
            250,
        ),
        (
            "k.rs",
            "pub fn f(n: usize, x: &[f64], y: &mut [f64]) {\n    for i in 0..n {\n        let mut k = i;\n        \
             // premiss:assume trips 12.5\n        while x[k] < 0.5 {\n            y[k] = 0.0;\n            k += 1;\n        \
             }\n    }\n}\n",
            "y",
            12500,
        ),
    ] {
        let sizes = ["-P", "n=1000", "--format", "json"];
        let run = run_on(name, source, "report", &sizes);
        assert!(!run.stderr.contains("assumption"), "{name}: {}", run.stderr);
        let report = json(&run);
        let found = accesses(&report, array, "store");
        assert_eq!(found["kind"], "estimate", "{name}");
        assert_eq!(found["value"], expected, "{name}");
    }
}

const SIZED: &str = "// premiss:assume 8 <= n <= 4096\nvoid t(int n, double a[n][n], double b[n][n])\n{\n    \
                     for (int i = 0; i < n; i++)\n        for (int j = 0; j < n; j++)\n            \
                     b[j][i] = a[i][j];\n}\n";

#[test]
fn formulas_hold_where_sizes_are_assumed() {
    let cache = ["--cache", "L2=8MiB,full,64"];
    let plain = SIZED.replace("premiss:assume", "not assumed");
    let formula = |source: &str| {
        let arguments = ["formula", "-", "--stdin-filename", "t.c", "--no-cache"];
        premiss_on(source, &[&arguments[..], &cache].concat())
            .exits(0)
            .stdout
    };
    let (whole, part) = (formula(&plain), formula(SIZED));
    assert!(part.contains("n ≥ 8, n ≤ 4096"), "{part}");
    assert!(!whole.contains("4096"), "{whole}");
    // 8 MiB hold 131072 lines: what the second half of the formula is for does not occur.
    let misses = |text: &str| {
        let mut lines = text.lines().filter(|x| x.contains("L2 misses"));
        lines.next().expect("there is one").to_owned()
    };
    assert!(misses(&whole).contains(';'), "{whole}");
    let least = misses(&whole);
    let first = least.split(" for ").next().expect("a part");
    assert!(misses(&part).starts_with(first), "{part}");
}

#[test]
fn sizes_outside_are_refused_with_the_line() {
    for (command, sizes) in [
        ("report", "n=4"),
        ("report", "n=5000"),
        ("sweep", "n=4..64"),
        ("sweep", "n=64..8192"),
        ("formula", "n=4"),
    ] {
        let run = run_on("t.c", SIZED, command, &["-P", sizes]).exits(2);
        assert!(run.stdout.is_empty(), "{command} {sizes}");
        run.says("t.c:1: `premiss:assume ");
    }
    run_on("t.c", SIZED, "report", &["-P", "n=8"]).exits(0);
    run_on("t.c", SIZED, "sweep", &["-P", "n=8..64"]).exits(0);
    let run = run_on("t.c", SIZED, "check", &["-P", "n=4"]).exits(1);
    assert!(run.stdout.contains("broken-assumption"), "{}", run.stdout);
    assert!(run.stdout.contains("t.c:1:"), "{}", run.stdout);
    // Macros are sizes too.
    let source = SIZED
        .replace("int n, ", "")
        .replace('n', "N")
        .replace("iNt", "int")
        .replace(
            "premiss:assume 8 <= N <= 4096",
            "premiss:assume N in 8..4096",
        );
    let source = format!("#define N 64\n{source}");
    run_on("t.c", &source, "report", &["-P", "N=4"])
        .exits(2)
        .says("t.c:2: `premiss:assume 8 <= N` does not hold for `t`");
    run_on("t.c", &source, "report", &["-P", "N=8"]).exits(0);
}

#[test]
fn unused_assumptions_are_reported() {
    for (comment, message) in [
        (
            "premiss:assume trips many",
            "`many` is not a number of at least 0",
        ),
        (
            "premiss:assumes n >= 8",
            "`premiss:assumes` is no directive",
        ),
        (
            "premiss:assume q >= 8",
            "depends on a size `q`; there are: `n`",
        ),
        (
            "premiss:assume trips 4",
            "how often this loop repeats follows from sizes",
        ),
        (
            "premiss:assume probability 0.5",
            "line 3 has no `if` that data decide",
        ),
        ("premiss:assume n >= n*n", "`n*n` is not a sum of sizes"),
    ] {
        let source = format!(
            "void f(int n, double *x)\n{{\n    for (int i = 0; i < n; i++) // {comment}\n        x[i] = 0;\n}}\n"
        );
        let run = run_on("f.c", &source, "check", &["-P", "n=100"]).exits(1);
        assert!(run.stdout.contains(message), "{comment}: {}", run.stdout);
        assert!(run.stdout.contains("f.c:3:"), "{comment}: {}", run.stdout);
        run_on("f.c", &source, "report", &["-P", "n=100"])
            .exits(0)
            .says(message);
    }
    let behind = "void f(int n, double *x)\n{\n    for (int i = 0; i < n; i++)\n        x[i] = 0;\n}\n/* premiss:assume n > 1 */\n";
    let run = run_on("f.c", behind, "check", &["-P", "n=100"]).exits(1);
    let message = "no function with a loop begins behind this";
    assert!(run.stdout.contains(message), "{}", run.stdout);
}
