//! Compiled kernels, timed.

use premiss_testdata::truth::testdata;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A kernel and how to call it.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    /// The kernel in `testdata`.
    pub(crate) path: &'static str,
    /// The call, with arrays as pointers to doubles.
    pub(crate) call: &'static str,
    /// Its arrays with their numbers of elements in terms of `N`.
    pub(crate) arrays: &'static [(&'static str, &'static str)],
    /// The names of the size, which all have the same value.
    pub(crate) size: &'static str,
    /// The values.
    pub(crate) values: &'static [i64],
}

/// Seconds of the fastest of several runs, each with cold caches.
pub(crate) fn measured(program: &Program, value: i64) -> f64 {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = folder.join("least_times.c");
    let binary = folder.join("least_times");
    fs::write(&source, text(program, value)).expect("the folder can be written to");
    let compiled = Command::new("gcc")
        .args(["-O3", "-march=native", "-o"])
        .args([&binary, &source])
        .status()
        .expect("gcc starts");
    assert!(compiled.success(), "gcc compiles {}", program.path);
    let output = Command::new(&binary).output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().expect("it prints seconds")
}

/// A program that prints the least time of several runs. Before each, something larger than any cache is
/// written to, and what the kernel uses is flushed where there is an instruction for it, as a large cache
/// of many cores may keep it for long; pages are touched beforehand, so that the first access to one costs
/// nothing more.
fn text(program: &Program, value: i64) -> String {
    let kernel = testdata().join(program.path);
    let mut text = String::from("#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n");
    for name in program.size.split(' ') {
        if name.chars().all(char::is_uppercase) {
            text.push_str(&format!("#define {name} {value}\n"));
        }
    }
    text.push_str("#define TSTEPS 4\n");
    text.push_str(&format!(
        "#include \"{}\"\n#undef N\n#define N {value}L\n",
        kernel.display()
    ));
    text.push_str(
        "static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);\n  \
         return t.tv_sec + 1e-9 * t.tv_nsec; }\n\
         #define FLUSH (256L << 20)\n\
         #ifdef __x86_64__\n\
         #define FORGET(at, bytes) for (long nth = 0; nth < (bytes); nth += 64) __builtin_ia32_clflush((char *)(at) + nth)\n\
         #else\n\
         #define FORGET(at, bytes)\n\
         #endif\n\
         int main(void) {\n  char *flush = malloc(FLUSH);\n  double best = 1e30, spent = 0;\n",
    );
    for (name, elements) in program.arrays {
        text.push_str(&format!(
            "  double *{name} = aligned_alloc(4096, (8 * ({elements}) + 4095) / 4096 * 4096);\n  \
             for (long nth = 0; nth < {elements}; nth++) {name}[nth] = 1.0 / (nth + 1);\n"
        ));
    }
    let forget = program.arrays.iter();
    let forget = forget.map(|(name, elements)| format!("FORGET({name}, 8 * ({elements})); "));
    let forget: String = forget.collect();
    text.push_str(&format!(
        "  for (int run = 0; run < 20 && (run < 3 || spent < 2); run++) {{\n    \
         for (long nth = 0; nth < FLUSH; nth += 64) flush[nth] = run;\n    {forget}\n    \
         double start = now();\n    {};\n    double taken = now() - start;\n    \
         spent += taken; if (taken < best) best = taken;\n  }}\n  \
         double sum = flush[0];\n",
        program.call
    ));
    let sums = program
        .arrays
        .iter()
        .map(|(name, _)| format!("sum += {name}[0]; "));
    text.push_str(&format!(
        "  {}\n  fprintf(stderr, \"%g\\n\", sum);\n  printf(\"%.9g\\n\", best);\n  return 0;\n}}\n",
        sums.collect::<String>()
    ));
    text
}
