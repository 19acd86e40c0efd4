//! The cost of evaluating emitted C: nanoseconds of processor time per call, for each function of gemm and all of them
//! together. How premiss was compiled does not matter.
//!
//! ```sh
//! cargo bench -p premiss --bench emitted
//! ```

use std::path::Path;
use std::process::Command;

/// Times a function; sizes and capacity change from call to call.
const TIMES: &str = r#"
#include <stdio.h>
#include <time.h>

/* Processor time in nanoseconds. */
static double now(void)
{
    return (double)clock() * (1e9 / CLOCKS_PER_SEC);
}

static double all;

#define TIME(name, call) do { \
    double start = now(), each; \
    uint64_t sum = 0, v = 0; \
    for (int64_t i = 0; i < 1000000; i++) { \
        int64_t n = 8 * (i % 500 + 1); \
        if (call == PREMISS_OK) \
            sum += v; \
    } \
    all += each = (now() - start) / 1e6; \
    printf("%-24s %6.0f ns   (sum %llu)\n", name, each, (unsigned long long)sum); \
} while (0)

"#;

/// A main program that times each function.
fn main_of(text: &str) -> String {
    let heads = text
        .lines()
        .filter_map(|line| line.strip_prefix("enum premiss_status premiss_kernel_gemm_"));
    let calls = heads.filter_map(|head| {
        let (name, arguments) = head.split_once('(')?;
        let capacity = match arguments.contains("int64_t capacity") {
            true => "512 + i % 7, ",
            false => "",
        };
        Some(format!(
            "    TIME(\"{name}\", premiss_kernel_gemm_{name}({capacity}n, n + 8, n, &v));\n"
        ))
    });
    let calls: String = calls.collect();
    let all = "    printf(\"%-24s %6.0f ns\\n\", \"all\", all);\n    return 0;\n";
    format!("int main(void)\n{{\n{calls}{all}}}\n")
}

#[expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]
fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let kernel = "testdata/kernels/c/gemm.c";
    let mut premiss = Command::new(env!("CARGO_BIN_EXE_premiss"));
    let machine = "testdata/machines/plain.toml";
    premiss.args([
        "formula",
        kernel,
        "--no-cache",
        "--emit",
        "c",
        "-m",
        machine,
    ]);
    let emitted = premiss.current_dir(root).output().expect("it starts");
    let text = String::from_utf8(emitted.stdout).expect("text");
    let text = format!("{text}{TIMES}{}", main_of(&text));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(folder).expect("a folder");
    let (source, binary) = (folder.join("emitted.c"), folder.join("emitted"));
    std::fs::write(&source, text).expect("a file");
    for level in ["-O1", "-O2"] {
        let mut cc = Command::new("cc");
        cc.args([level, "-std=c11"])
            .arg(&source)
            .arg("-o")
            .arg(&binary);
        assert!(cc.status().expect("a C compiler").success(), "it compiles");
        let output = Command::new(&binary).output().expect("it runs");
        println!("cc {level}\n{}", String::from_utf8_lossy(&output.stdout));
    }
}
