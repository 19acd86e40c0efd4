//! The published form of the report.

use crate::{SCALE, premiss, premiss_on};
use serde_json::{Value, json};

fn report(source: &str, arguments: &[&str]) -> Value {
    let all = [&["report", "-", "--format", "json"], arguments].concat();
    let run = premiss_on(source, &all).exits(0);
    serde_json::from_str(&run.stdout).expect("it is JSON")
}

fn exact(value: u64) -> Value {
    json!({"value": value, "kind": "exact"})
}

/// 16 doubles, read and written one after the other: two lines of 64 bytes.
#[test]
fn every_number_of_a_small_nest() {
    let report = report(
        SCALE,
        &[
            "-P",
            "n=16",
            "--cache",
            "L1=64,1,64",
            "--tlb",
            "t=1,1,4K",
            "--histogram",
        ],
    );
    assert_eq!(report["schema_version"], "1.0");
    assert_eq!(report["machine"]["name"], "custom");
    assert_eq!(report["hierarchy"], "independent");
    assert_eq!(report["layout"], "page4096");
    assert_eq!(
        report["coverage"],
        json!({"exact": 1, "bounded": 0, "unknown": 0})
    );
    let function = &report["functions"][0];
    assert_eq!(function["name"], "scale");
    assert_eq!(function["file"], "stdin.c");
    assert_eq!(function["line"], 1);
    assert_eq!(function["parameters"], json!({"n": 16}));
    assert_eq!(function["engine"], "trace");
    assert_eq!(function["accesses"], exact(32));
    assert_eq!(function["loads"], exact(16));
    assert_eq!(function["stores"], exact(16));
    let line = json!({"line_size": 64, "cold": exact(2),
                      "histogram": [{"distance": 0, "count": 30}]});
    assert_eq!(function["lines"][0], line);
    let level = json!({
        "name": "L1", "engine": "trace", "misses": exact(2), "load_misses": exact(2), "store_misses": exact(0),
        "compulsory": exact(2), "capacity": exact(0), "conflict": exact(0),
        "estimate": {"value": 2, "kind": "estimate"},
        "write_backs": exact(1), "bytes_read": exact(128), "bytes_written": exact(64)});
    assert_eq!(function["levels"][0], level);
    assert_eq!(function["levels"][1]["name"], "t");
    let of_loop = &function["loops"][0];
    assert_eq!(of_loop["line"], 3);
    assert_eq!(of_loop["iterator"], "i");
    assert_eq!(of_loop["accesses"], exact(32));
    assert_eq!(
        of_loop["levels"][0],
        json!({"name": "L1", "misses": exact(2)})
    );
    let load = &function["references"][0];
    assert_eq!((&load["line"], &load["column"]), (&json!(4), &json!(5)));
    assert_eq!(load["text"], "x[i]");
    assert_eq!(load["array"], "x");
    assert_eq!(load["kind"], "load");
    assert_eq!(load["accesses"], exact(16));
    assert_eq!(load["levels"][0], json!({"name": "L1", "misses": exact(2)}));
    assert_eq!(function["references"][1]["kind"], "store");
}

#[test]
fn histograms_are_printed_on_request() {
    let report = report(SCALE, &["-P", "n=16"]);
    let function = &report["functions"][0];
    assert_eq!(function["lines"][0]["histogram"], Value::Null);
    assert_eq!(function["lines"][0]["cold"], exact(2));
    assert_eq!(function["references"][0]["lines"], Value::Null);
}

#[test]
fn what_data_decides_is_bounded() {
    let source = "void f(int n, const int *p, double *x)\n\
                  {\n  for (int i = 0; i < n; i++)\n    if (p[i])\n      x[i] = 0;\n}\n";
    let report = report(source, &["-P", "n=8", "--histogram"]);
    let function = &report["functions"][0];
    let bounded = json!({"value": null, "lower": 8, "upper": 16, "kind": "bounded"});
    assert_eq!(function["accesses"], bounded);
    assert_eq!(report["coverage"]["bounded"], 1);
    let reason = &function["nests"][0]["reasons"][0];
    assert_eq!(reason["line"], 5);
    assert_eq!(reason["class"], "bounded");
}

#[test]
fn what_is_not_known_is_unknown() {
    let run = premiss_on(SCALE, &["report", "-", "--format", "json"]).exits(3);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let function = &report["functions"][0];
    assert_eq!(function["parameters"], json!({"n": null}));
    assert_eq!(
        function["accesses"],
        json!({"value": null, "kind": "unknown"})
    );
    assert_eq!(function["levels"][0]["conflict"]["kind"], "unknown");
    assert_eq!(report["diagnostics"][0]["code"], "missing-size");
}

#[test]
fn a_filtered_level_sees_the_misses_of_the_one_above() {
    let report = report(
        SCALE,
        &[
            "-P",
            "n=64",
            "--hierarchy",
            "filtered",
            "--cache",
            "L1=128,1,64",
            "--cache",
            "L2=4K,full,64",
        ],
    );
    assert_eq!(report["hierarchy"], "filtered");
    let levels = &report["functions"][0]["levels"];
    assert_eq!(levels[1]["misses"], exact(8));
    assert_eq!(levels[1]["compulsory"], exact(8));
    assert_eq!(levels[1]["estimate"]["kind"], "unknown");
}

#[test]
fn sums_agree_with_their_parts() {
    for kernel in ["gemm", "lu", "jacobi-2d", "mvt"] {
        let path = format!("testdata/kernels/c/{kernel}.c");
        let run = premiss(&["report", &path, "--format", "json"]).exits(0);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        for function in report["functions"].as_array().unwrap() {
            check_sums(function);
        }
    }
}

fn check_sums(function: &Value) {
    let number = |value: &Value| value["value"].as_i64().expect("it is exact");
    let references = function["references"].as_array().unwrap();
    for (idx, level) in function["levels"].as_array().unwrap().iter().enumerate() {
        let misses = number(&level["misses"]);
        let parts = references
            .iter()
            .map(|x| number(&x["levels"][idx]["misses"]));
        assert_eq!(parts.sum::<i64>(), misses);
        assert_eq!(
            number(&level["load_misses"]) + number(&level["store_misses"]),
            misses
        );
        let causes = ["compulsory", "capacity", "conflict"];
        let causes = causes.iter().map(|cause| number(&level[cause]));
        assert_eq!(causes.sum::<i64>(), misses);
    }
    let accesses = number(&function["accesses"]);
    let outermost = function["loops"].as_array().unwrap().iter();
    let outermost = outermost.filter(|x| x["depth"] == 0);
    assert_eq!(
        outermost.map(|x| number(&x["accesses"])).sum::<i64>(),
        accesses
    );
}

/// Of functions every kind is there; of loops and statements those that there are.
#[test]
fn operations_by_kind_of_functions_loops_and_statements() {
    let source = "void f(int n, double *x, double *y, int *k)\n{\n\
                  \x20 for (int i = 0; i < n; i++) {\n\
                  \x20   x[i] = x[i] * 2.0 + y[i];\n\
                  \x20   if (y[i] > 0)\n\
                  \x20     k[i] = k[i] / 3;\n  }\n}\n";
    let report = report(source, &["-P", "n=10"]);
    let function = &report["functions"][0];
    let operations = &function["operations"];
    let floating = &operations["floating_point"];
    assert_eq!(floating["add"], exact(10));
    assert_eq!(floating["mul"], exact(10));
    assert_eq!(floating["compare"], exact(10));
    assert_eq!(floating["sqrt"], exact(0));
    assert_eq!(operations["fused"], exact(10));
    assert_eq!(operations["by_type"], json!({"double": exact(30)}));
    let possible = json!({"value": null, "lower": 0, "upper": 10, "kind": "bounded"});
    assert_eq!(operations["integer"]["div"], possible);
    let elements = &operations["elements"];
    assert_eq!(elements["floating_point"]["load_bytes"], exact(240));
    assert_eq!(elements["integer"]["stores"], possible);
    let inside = json!({"add": exact(10), "mul": exact(10), "compare": exact(10)});
    assert_eq!(function["loops"][0]["operations"]["floating_point"], inside);
    let lines = function["statements"].as_array().expect("a list").iter();
    let lines: Vec<u64> = lines.filter_map(|x| x["line"].as_u64()).collect();
    assert_eq!(lines, [4, 5, 6]);
}
