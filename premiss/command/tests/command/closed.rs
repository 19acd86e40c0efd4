//! Closed forms on the command line: engines, formulas, sweeps and explanations.

use crate::{premiss, premiss_on};
use serde_json::Value;

const CACHE: [&str; 2] = ["--cache", "L1=32KiB,full,64"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

const MATMUL: &str = "#define N 100\n\
    double A[N][N], B[N][N], C[N][N];\n\
    void mm(void)\n\
    {\n\
    \x20 for (int i = 0; i < N; i++)\n\
    \x20   for (int j = 0; j < N; j++)\n\
    \x20     for (int k = 0; k < N; k++)\n\
    \x20       C[i][j] += A[i][k] * B[k][j];\n\
    }\n";

const DATA: &str = "void f(int n, double *a, int *b)\n\
    {\n  for (int i = 0; i < n; i++)\n    a[b[i]] = 0;\n}\n";

#[test]
fn the_closed_engine_counts_what_the_trace_counts() {
    for n in ["N=7", "N=16", "N=33"] {
        let report = |engine: &str| {
            let options = [
                "report",
                "-",
                "-P",
                n,
                "--engine",
                engine,
                "--format",
                "json",
                "--histogram",
            ];
            let run = premiss_on(MATMUL, &[&options[..], &CACHE].concat()).exits(0);
            let mut report = json(&run.stdout);
            assert_eq!(report["functions"][0]["engine"], engine);
            assert_eq!(report["functions"][0]["levels"][0]["engine"], engine);
            report["functions"][0]["engine"] = Value::Null;
            // What is dirty is followed by running the loops alone.
            for name in ["engine", "write_backs", "bytes_read", "bytes_written"] {
                report["functions"][0]["levels"][0][name] = Value::Null;
            }
            report
        };
        assert_eq!(report("closed"), report("trace"), "{n}");
    }
}

const THRESHOLD: &str = "void f(int n, double a[n], double b[n])\n\
    {\n  for (int i = 0; i < n; i++)\n    if (a[i] > 0.5) b[i] = a[i];\n}\n";

#[test]
fn the_closed_engine_has_the_bounds_of_the_trace_where_data_decide() {
    for n in ["n=8", "n=31", "n=2000"] {
        let report = |engine: &str| {
            let options = ["report", "-", "-P", n, "--engine", engine];
            let json_format = ["--format", "json", "--cache", "L1=4KiB,2,64"];
            let run = premiss_on(THRESHOLD, &[&options[..], &json_format].concat()).exits(0);
            let function = &json(&run.stdout)["functions"][0];
            let of_function = ["accesses", "loads", "stores"].map(|name| function[name].clone());
            let references = function["references"].as_array().cloned();
            let all = of_function
                .into_iter()
                .chain(references.unwrap_or_default());
            let most = function["levels"][0]["misses"]["upper"].as_u64();
            (all.collect::<Vec<_>>(), most)
        };
        let (closed, most) = report("closed");
        let (traced, least) = report("trace");
        assert_eq!(closed, traced, "{n}");
        // The trace knows that a line of `b` misses once, whichever of its elements is stored to first.
        assert!(least <= most, "{n}");
        assert_eq!(closed[2]["kind"], "bounded", "{n}");
    }
}

#[test]
fn formulas_are_bounds_where_data_decide() {
    let options = ["formula", "-", "--format", "json"];
    let run = premiss_on(THRESHOLD, &[&options[..], &CACHE].concat()).exits(0);
    let function = &json(&run.stdout)["functions"][0];
    let misses = &function["levels"][0]["misses"];
    assert_eq!(misses["kind"], "bounded");
    assert_eq!(misses["lower"]["expr"], "n/8");
    assert_eq!(misses["upper"]["expr"], "9*n/8");
    assert_eq!(
        function["references"][0]["misses"][0]["misses"]["kind"],
        "exact"
    );
}

#[test]
fn the_closed_engine_leaves_unknown_what_it_cannot_derive() {
    let run = premiss_on(
        DATA,
        &[
            "report", "-", "-P", "n=9", "--engine", "closed", "--format", "json",
        ],
    );
    let run = run.exits(3).says("has no closed form");
    let report = json(&run.stdout);
    assert_eq!(report["functions"][0]["accesses"]["kind"], "unknown");
    // Caches that are not LRU have no closed form; the rest has.
    let report = matmul("closed", "L1=32KiB,8,64,fifo", 3);
    let function = &report["functions"][0];
    assert_eq!(function["accesses"]["value"], 4_000_000);
    assert_eq!(function["levels"][0]["misses"]["kind"], "unknown");
}

/// The report of a matrix multiplication.
fn matmul(engine: &str, cache: &str, code: i32) -> Value {
    let options = [
        "report",
        "-",
        "--engine",
        engine,
        "--format",
        "json",
        "--cache",
        cache,
        "--no-cache",
    ];
    json(&premiss_on(MATMUL, &options).exits(code).stdout)
}

#[test]
fn misses_in_sets_are_those_of_the_trace() {
    for cache in ["L1=32KiB,8,64", "L1=6KiB,3,64", "L1=1MiB,16,64"] {
        let [closed, traced] = ["closed", "trace"].map(|engine| matmul(engine, cache, 0));
        let level = |report: &Value| report["functions"][0]["levels"][0].clone();
        let (closed, traced) = (level(&closed), level(&traced));
        assert_eq!(closed["engine"], "closed", "{cache}");
        assert_eq!(closed["misses"]["kind"], "exact", "{cache}");
        for name in ["misses", "load_misses", "store_misses", "conflict"] {
            assert_eq!(closed[name], traced[name], "{name} of {cache}");
        }
    }
}

#[test]
fn a_level_that_takes_too_long_leaves_the_other_levels_exact() {
    let levels = |more: &[&str]| {
        let options = [
            "report",
            "testdata/kernels/c/trmm.c",
            "-P",
            "M=100",
            "-P",
            "N=120",
            "--cache",
            "L1=4KiB,2,64",
            "--cache",
            "L2=1MiB,16,64",
            "--format",
            "json",
            "--no-cache",
        ];
        let run = premiss(&[&options[..], more].concat()).exits(0);
        json(&run.stdout)["functions"][0]["levels"].clone()
    };
    let within = levels(&["--effort", "60000", "--budget", "1000"]);
    assert_eq!(within[0]["engine"], "estimate");
    assert_eq!(within[1]["engine"], "closed");
    let traced = levels(&["--engine", "trace"]);
    assert_eq!(within[1]["misses"], traced[1]["misses"]);
    assert_eq!(within[0]["compulsory"], traced[0]["compulsory"]);
}

#[test]
fn auto_falls_back_and_says_why() {
    let options = ["report", "-", "-P", "n=9", "--format", "json"];
    let report = json(&premiss_on(DATA, &options).exits(0).stdout);
    let function = &report["functions"][0];
    assert_eq!(function["engine"], "trace");
    assert!(function["engine_reason"].is_string(), "{function}");
}

#[test]
fn formulas_are_in_the_sizes_of_the_program() {
    let run = premiss_on(MATMUL, &[&["formula", "-", "-P", "N"][..], &CACHE].concat()).exits(0);
    for text in [
        "N = 8·m",
        "accesses               4·N³\n",
        "cold misses            3/8·N²\n",
        "1/8·N³ + 1/4·N² for 64 ≤ N ≤ 448",
        "9/8·N³ + 1/8·N² for N ≥ 464",
    ] {
        assert!(run.stdout.contains(text), "{text} not in {}", run.stdout);
    }
    let options = ["formula", "-", "--class", "N=3", "--format", "json"];
    let report = json(&premiss_on(MATMUL, &options).exits(0).stdout);
    let function = &report["functions"][0];
    assert_eq!(function["sizes"]["N"]["residue"], 3);
    assert_eq!(function["references"][0]["accesses"]["expr"], "N^3");
}

#[test]
fn sizes_are_symbolic_unless_they_are_given() {
    let text = "void f(int n, int m, double *a)\n\
        {\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      a[j] = 0;\n}\n";
    let run = premiss_on(text, &["formula", "-", "-P", "m=80"]).exits(0);
    assert!(
        run.stdout.contains("accesses               80·n"),
        "{}",
        run.stdout
    );
    let run = premiss_on(text, &["formula", "-"]).exits(0);
    assert!(
        run.stdout.contains("·m") || run.stdout.contains("m·"),
        "{}",
        run.stdout
    );
}

#[test]
fn formulas_that_cannot_be_are_3_and_wrong_usage_is_2() {
    premiss_on(DATA, &["formula", "-"])
        .exits(3)
        .says("has no closed form");
    premiss_on(MATMUL, &["formula", "-", "-P", "M"])
        .exits(2)
        .says("no size of that name");
    premiss_on(MATMUL, &["formula", "-", "--class", "N"])
        .exits(2)
        .says("NAME=RESIDUE");
    premiss_on(MATMUL, &["formula", "-", "--class", "M=1"])
        .exits(2)
        .says("no function has");
    premiss_on(MATMUL, &["formula", "-", "--engine", "trace"]).exits(2);
    premiss_on(MATMUL, &["formula", "-", "--line", "0"]).exits(2);
    premiss_on(MATMUL, &["formula", "-", "-P", "N", "-P", "N=3"]).exits(2);
}

#[test]
fn a_sweep_is_one_derivation_and_the_trace_at_each_point() {
    let options = ["sweep", "-", "-P", "N=8..64", "--format", "json"];
    let report = json(
        &premiss_on(MATMUL, &[&options[..], &CACHE].concat())
            .exits(0)
            .stdout,
    );
    let function = &report["functions"][0];
    assert_eq!(function["derivations"], 1);
    let points = function["points"].as_array().expect("points");
    assert_eq!(points.len(), 4);
    for point in points {
        let size = format!("N={}", point["parameters"]["N"]);
        let options = [
            "report", "-", "-P", &size, "--engine", "trace", "--format", "json",
        ];
        let traced = json(&premiss_on(MATMUL, &[&options[..], &CACHE].concat()).stdout);
        let traced = &traced["functions"][0]["levels"][0];
        assert_eq!(point["levels"][0]["name"], "L1");
        assert_eq!(point["levels"][0]["misses"], traced["misses"], "{size}");
    }
}

#[test]
fn a_sweep_names_thresholds() {
    let arguments = [&["sweep", "-", "-P", "N=64..8192"][..], &CACHE].concat();
    let run = premiss_on(MATMUL, &arguments).exits(0);
    let text = "From N = 456 on, L1 no longer holds what B[k][j] uses again.";
    assert!(run.stdout.contains(text), "{}", run.stdout);
}

#[test]
fn sweeps_without_a_range_are_2() {
    for wrong in [
        &["sweep", "-"][..],
        &["sweep", "-", "-P", "N=9..3"],
        &["sweep", "-", "-P", "N=0..3"],
    ] {
        premiss_on(MATMUL, wrong).exits(2);
    }
    premiss_on(MATMUL, &["sweep", "-", "-P", "N=1..3", "--step", "0"]).exits(2);
    premiss_on(MATMUL, &["sweep", "-", "-P", "M=1..3"])
        .exits(2)
        .says("no size of that name");
}

#[test]
fn an_explanation_tells_who_touched_the_line() {
    let place = "testdata/kernels/c/gemm.c:20:38";
    let run = premiss(&[&["explain", place][..], &CACHE].concat()).exits(0);
    for text in [
        "B[k][j]",
        "this reference itself",
        "self-spatial reuse",
        "in between: A",
    ] {
        assert!(run.stdout.contains(text), "{text} not in {}", run.stdout);
    }
    let run = premiss(&["explain", place, "--format", "json"]).exits(0);
    let kinds = json(&run.stdout);
    assert!(
        kinds["references"][0]["reuses"][0]["kind"].is_string(),
        "{kinds}"
    );
}

#[test]
fn places_without_references_are_2() {
    for place in [
        "testdata/kernels/c/gemm.c:1",
        "testdata/kernels/c/gemm.c",
        "x",
        "x:0",
    ] {
        premiss(&["explain", place]).exits(2);
    }
}

#[test]
fn work_is_formulas_in_either_convention() {
    let axpy4 = "void axpy4(int n, double y[n], double a1, double x1[n], double a2, double x2[n],\n\
                 double a3, double x3[n], double a4, double x4[n]) {\n\
                 for (int i = 0; i <= n - 1; i++)\n\
                 y[i] = y[i] + a1 * x1[i] + a2 * x2[i] + a3 * x3[i] + a4 * x4[i];\n}\n";
    let lines = |convention: &str| {
        let run = premiss_on(axpy4, &["formula", "-", "--convention", convention]);
        let lines = run.exits(0).stdout;
        let two = lines
            .lines()
            .filter_map(|line| line.trim().split_once("  "));
        let mut named = std::collections::BTreeMap::new();
        for (name, value) in two {
            // References have lines of the same names behind these.
            let first = named.entry(name.to_owned());
            first.or_insert_with(|| value.trim().to_owned());
        }
        named
    };
    // The caption of Fig. 2 in the paper of PBound.
    let pbound = lines("pbound");
    for (name, value) in [
        ("integer loads", "2"),
        ("integer stores", "0"),
        ("floating-point loads", "5·n + 4"),
        ("floating-point stores", "n"),
        ("integer operations", "3·n + 1"),
    ] {
        assert_eq!(pbound[name], value, "{name}");
    }
    let run = premiss_on(
        axpy4,
        &["formula", "-", "--convention", "pbound", "--format", "json"],
    );
    let json: Value = serde_json::from_str(&run.exits(0).stdout).expect("JSON");
    let own = &json["functions"][0]["loops"][0];
    assert_eq!(own["line"], 3);
    // The four scalars are no part of the loop.
    for (name, expr) in [
        ("floating-point loads", "5*n"),
        ("floating-point stores", "n"),
        ("integer operations", "3*n + 1"),
        ("floating-point operations", "4*n"),
    ] {
        assert_eq!(own["work"][name][0]["expr"], expr, "{name}");
    }
    assert!(own["work"].get("integer loads").is_none(), "there are none");
    let elements = lines("elements");
    for (name, value) in [
        ("accesses", "6·n"),
        ("loads", "5·n"),
        ("bytes of stores", "8·n"),
        ("flop", "8·n"),
        ("mul", "4·n"),
        ("of these fused", "4·n"),
    ] {
        assert_eq!(elements[name], value, "{name}");
    }
}

/// Loop by loop what each does itself: the inner loop without the outer one's stores, and the other way round.
#[test]
fn loops_have_what_they_do_themselves_in_the_convention_of_pbound() {
    let text = "void mv(int m, int n, double a[m][n], double *x, double *y) {\n\
                for (int i = 0; i < m; i++) {\n\
                y[i] = 0.0;\n\
                for (int j = 0; j < n; j++) y[i] += a[i][j] * x[j];\n\
                }\n}\n";
    let run = premiss_on(text, &["formula", "-", "--convention", "pbound"]);
    let out = run.exits(0).stdout;
    let expected = [
        " 2:1 loop over i, itself",
        "   floating-point stores m",
        "   integer operations   2·m + 1",
        " 4:1 loop over j, itself",
        "   floating-point loads 3·m·n",
        "   floating-point stores m·n",
        "   integer operations   2·m·n + m",
        "   floating-point operations m·n",
    ];
    let expected = expected.join("\n");
    assert!(out.contains(&expected), "{expected}\n\nis not in\n\n{out}");
}

#[test]
fn a_sweep_names_functions_that_it_does_not_concern() {
    let both = "static double a[8];\nvoid fixed(void)\n{\n  for (int i = 0; i < 8; i++)\n    a[i] = 0;\n}\n\
        void open(int n, double *b)\n{\n  for (int i = 0; i < n; i++)\n    b[i] = 0;\n}\n";
    let run = premiss_on(both, &["sweep", "-", "-P", "n=8..16"]).exits(0);
    let note = "note: `fixed` is left out: no size that is swept concerns it";
    assert!(run.stderr.contains(note), "{}", run.stderr);
}

/// Rows of 40 and 104 doubles share eight sets in the same manner.
#[test]
fn a_class_has_formulas_of_a_set_associative_level() {
    let cache = ["--cache", "L1=4KiB,8,64", "--format", "json"];
    let options = [&["formula", "-", "--class", "N=40"][..], &cache].concat();
    let run = premiss_on(MATMUL, &options).exits(0);
    let formulas = json(&run.stdout);
    let level = &formulas["functions"][0]["levels"][0]["in_sets"];
    assert_eq!(level["sizes"]["N"]["factor"], 64);
    let misses = level["misses"]["cases"].as_array().expect("cases");
    let of_one_size = misses.iter().filter_map(|case| {
        let size = case["when"].as_str()?.strip_prefix("N = ")?;
        Some((size.to_owned(), case["expr"].as_str()?.to_owned()))
    });
    let of_one_size: Vec<(String, String)> = of_one_size.collect();
    assert!(!of_one_size.is_empty(), "{misses:?}");
    for (size, expected) in of_one_size {
        let size = format!("N={size}");
        let options = ["report", "-", "-P", &size, "--engine", "trace"];
        let run = premiss_on(MATMUL, &[&options[..], &cache].concat()).exits(0);
        let report = json(&run.stdout);
        let counted = &report["functions"][0]["levels"][0]["misses"]["value"];
        assert_eq!(counted.to_string(), expected, "{size}");
    }
}

#[test]
fn an_array_of_unknown_size_has_no_formulas_of_a_set_associative_level() {
    let text = "void f(int n, double *a, double *b)\n\
        {\n  for (int i = 0; i < n; i++)\n    a[i] += b[i];\n}\n";
    let run = premiss_on(
        text,
        &["formula", "-", "--cache", "L1=1KiB,2,64", "--class", "n=40"],
    );
    let line = run.stdout.lines().find(|line| line.contains("L1 misses"));
    let line = line.expect("the level is named");
    assert!(line.contains("sizes of arrays are not declared"), "{line}");
}

#[test]
fn what_has_no_closed_form_and_few_accesses_is_traced() {
    let scattered = "double f(double a[8192])\n{\n  double s = 0;\n  for (int i = 0; i < 8192; i++)\n    \
                     s += a[(i * 1021) % 8192];\n  return s;\n}\n";
    let options = ["--cache", "L1=4KiB,4,64", "--tlb", "dTLB=8,4,4096"];
    let report = [&["report", "-", "--format", "json"][..], &options].concat();
    let report = json(&premiss_on(scattered, &report).exits(0).stdout);
    let function = &report["functions"][0];
    for level in function["levels"].as_array().expect("levels") {
        assert_eq!(level["engine"], "trace");
    }
    assert_eq!(function["levels"][0]["misses"]["value"], 8192);
}
