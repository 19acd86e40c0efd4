//! What evaluating emitted C costs: nanoseconds a call, for the formulas of gemm.
//!
//! ```sh
//! cargo bench -p premiss --bench emitted
//! ```

use std::path::Path;
use std::process::Command;

/// Times each function; sizes and capacity change from call to call.
const MAIN: &str = r#"
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

#define TIME(name, call) do { \
    double start = now(); \
    uint64_t sum = 0, v = 0; \
    for (int64_t i = 0; i < 1000000; i++) { \
        int64_t n = 8 * (i % 500 + 1); \
        if (call == PREMISS_OK) \
            sum += v; \
    } \
    printf("%-10s %6.0f ns   (sum %llu)\n", name, (now() - start) / 1e6, (unsigned long long)sum); \
} while (0)

int main(void)
{
    TIME("accesses", premiss_kernel_gemm_accesses(n, n + 8, n, &v));
    TIME("flops", premiss_kernel_gemm_flops(n, n + 8, n, &v));
    TIME("cold", premiss_kernel_gemm_cold(n, n + 8, n, &v));
    TIME("misses", premiss_kernel_gemm_misses(512 + i % 7, n, n + 8, n, &v));
    return 0;
}
"#;

#[expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]
fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let kernel = "testdata/kernels/c/gemm.c";
    let mut premiss = Command::new(env!("CARGO_BIN_EXE_premiss"));
    premiss.args(["formula", kernel, "--no-cache", "--emit", "c"]);
    let emitted = premiss.current_dir(root).output().expect("it starts");
    let text = String::from_utf8(emitted.stdout).expect("text") + MAIN;
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
