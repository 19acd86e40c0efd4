//! Least times, estimates and rooflines.

use crate::{premiss, premiss_on};
use serde_json::{Value, json};

/// Three streams of 4096 doubles, 512 lines each.
const TRIAD: &str = "void triad(double a[4096], double b[4096], double c[4096])\n{\n  \
                     for (int i = 0; i < 4096; i++)\n    a[i] = b[i] + 3.0 * c[i];\n}\n";
/// A product of matrices.
const PRODUCT: &str = "void product(int N, double A[N][N], double B[N][N], double C[N][N])\n{\n  \
                       for (int i = 0; i < N; i++)\n    for (int k = 0; k < N; k++)\n      \
                       for (int j = 0; j < N; j++)\n        C[i][j] += A[i][k] * B[k][j];\n}\n";
const PLAIN: [&str; 2] = ["-m", "testdata/machines/plain.toml"];

fn report(source: &str, options: &[&str]) -> Value {
    let arguments = [&["report", "-", "--format", "json"][..], options].concat();
    let run = premiss_on(source, &arguments).exits(0);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn the_least_time_is_that_of_the_slowest_resource() {
    let report = report(TRIAD, &PLAIN);
    let time = &report["functions"][0]["time"];
    let least = &time["least"];
    // 4096 pairs, 4 to an instruction, 2 instructions in a nanosecond; 98,304 bytes at 32 and 8 GB/s.
    assert_eq!(least["ceilings"][0]["seconds"], json!(512e-9));
    assert_eq!(least["ceilings"][1]["seconds"], json!(3.072e-6));
    assert_eq!(least["ceilings"][2]["bytes_read"], json!(98304.0));
    assert_eq!(least["seconds"], json!(12.288e-6));
    assert_eq!(least["bound_by"], "memory to L2");
    // The loop is all there is.
    let of_loop = &report["functions"][0]["loops"][0]["time"]["least"];
    assert_eq!(of_loop["seconds"], json!(12.288e-6));
}

#[test]
fn the_estimate_is_the_sum_worked_by_hand() {
    let report = report(TRIAD, &PLAIN);
    let estimate = &report["functions"][0]["time"]["estimate"];
    let cost = &estimate["cost"];
    // 12,288 accesses of 4 ns; 1536 misses of 14 ns and of 86 ns; 24 pages of 20 ns.
    assert_eq!(cost["accesses"], json!(49.152e-6));
    assert_eq!(cost["caches"], json!([21.504e-6, 132.096e-6]));
    assert_eq!(cost["tlbs"], json!(0.48e-6));
    // 12,288 * 3.5 ns, 1536 * (14 - 2) ns, 1536 * (86 - 8) ns.
    assert_eq!(cost["overlap"], json!(181.248e-6));
    assert_eq!(estimate["value"], json!(21.984e-6));
    assert_eq!(estimate["kind"], "estimate");
}

#[test]
fn patterns_stand_beside_what_is_counted() {
    let report = report(PRODUCT, &[&PLAIN[..], &["-P", "N=64"]].concat());
    let patterns = report["functions"][0]["patterns"].as_array().unwrap();
    let class = |text: &str| {
        let of = |x: &&Value| x["references"][0]["text"] == text;
        patterns.iter().find(of).unwrap()["class"].clone()
    };
    // Rows of 64 doubles follow one another.
    assert_eq!(class("A[i][k]"), "contiguous");
    assert_eq!(class("B[k][j]"), "contiguous");
    // All of B is 32 KiB, which L1 does not hold: 64 times 512 lines.
    let of_b = patterns
        .iter()
        .find(|x| x["references"][0]["text"] == "B[k][j]");
    assert_eq!(of_b.unwrap()["levels"][0]["misses"], json!(64.0 * 512.0));
    assert_eq!(of_b.unwrap()["levels"][1]["misses"], json!(512.0));
}

#[test]
fn text_tells_what_binds() {
    let run = premiss_on(TRIAD, &[&["report", "-"][..], &PLAIN].concat()).exits(0);
    let sentence = "At least 12.3 µs: memory to L2 binds. About ~22.0 µs: accesses 49.2 µs, \
                    misses 154 µs, TLB misses 480 ns, less 181 µs that overlap.";
    let words: Vec<&str> = run.stdout.split_whitespace().collect();
    assert!(words.join(" ").contains(sentence), "{}", run.stdout);
}

#[test]
fn sweeps_tell_where_something_else_binds() {
    let arguments = ["sweep", "-", "-P", "N=16..256", "--engine", "trace"];
    let run = premiss_on(PRODUCT, &[&arguments[..], &PLAIN].concat()).exits(0);
    assert!(run.stdout.contains("at least"), "{}", run.stdout);
    // Lines take 2 ns from L2 and 8 ns from memory. L1 does not hold a matrix of 32² doubles, L2 not one
    // of 128².
    let sentences = [
        "Between N = 16 and N = 32, L2 to L1 becomes slower than memory to L2.",
        "Between N = 64 and N = 128, memory to L2 becomes slower than L2 to L1.",
    ];
    for sentence in sentences {
        assert!(run.stdout.contains(sentence), "{}", run.stdout);
    }
}

#[test]
fn machines_that_tell_nothing_have_no_times() {
    let cache = ["--cache", "L1=4096,4,64"];
    let run = premiss_on(TRIAD, &[&["report", "-"][..], &cache].concat()).exits(0);
    assert!(!run.stdout.contains("at least"), "{}", run.stdout);
    let report = report(TRIAD, &cache);
    let time = &report["functions"][0]["time"];
    assert_eq!(time["least"], Value::Null);
    assert_eq!(time["estimate"]["kind"], "unknown");
    assert!(
        time["estimate"]["reason"]
            .as_str()
            .unwrap()
            .contains("core")
    );
    let run = premiss_on(TRIAD, &[&["roofline", "-"][..], &cache].concat()).exits(2);
    assert!(run.stderr.contains("[core]"), "{}", run.stderr);
}

#[test]
fn rooflines_are_pictures() {
    let arguments = [&["roofline", "testdata/kernels/c/gemm.c"][..], &PLAIN].concat();
    let run = premiss(&arguments).exits(0);
    assert!(run.stdout.starts_with("<svg ") && run.stdout.ends_with("</svg>\n"));
    for text in [
        "a plain machine",
        "gemm.c:12 kernel_gemm",
        "L2: 32 GB/s",
        "16 Gflop/s",
    ] {
        assert!(run.stdout.contains(text), "{text}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("NaN") && !run.stdout.contains("inf"));
    let again = premiss(&arguments).exits(0);
    assert_eq!(run.stdout, again.stdout);
}

#[test]
fn nothing_to_draw_is_inconclusive() {
    let copy = "void copy(long a[64], long b[64])\n{\n  for (int i = 0; i < 64; i++)\n    a[i] = b[i];\n}\n";
    let run = premiss_on(copy, &[&["roofline", "-"][..], &PLAIN].concat()).exits(3);
    assert!(
        run.stderr.contains("no function is known to compute"),
        "{}",
        run.stderr
    );
}
