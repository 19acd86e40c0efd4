//! Intrinsics of SSE and AVX: those that load or store access as many bytes, the others compute.

use super::trees;

fn with(body: &str) -> String {
    trees(&format!(
        "#include <immintrin.h>\nvoid f(int n, float *x, double *y) {{ {body} }}"
    ))
}

#[test]
fn loads_and_stores_access_their_bytes() {
    for (statement, accesses) in [
        (
            "_mm_storeu_ps(x + i, _mm_load_ps(x + 4));",
            ["load x + 16 (16 bytes)", "store x + 4 * i (16 bytes)"],
        ),
        (
            "_mm256_store_pd(&y[i], _mm256_broadcast_sd(y));",
            ["load y + 0", "store y + 8 * i (32 bytes)"],
        ),
        (
            "_mm512_storeu_ps(x + i, _mm512_loadu_ps(x));",
            ["load x + 0 (64 bytes)", "store x + 4 * i (64 bytes)"],
        ),
        (
            "_mm_store_ss(x + i, _mm_set1_ps(x[1]));",
            ["load x + 4", "store x + 4 * i"],
        ),
        (
            "_mm_storeh_pd(y + i, _mm_loadl_pd(_mm_setzero_pd(), y));",
            ["load y + 0", "store y + 8 * i"],
        ),
    ] {
        let tree = with(&format!("for (int i = 0; i < n; i += 4) {statement}"));
        let lines: Vec<&str> = tree.lines().filter(|line| line.contains("   ")).collect();
        for access in accesses {
            assert!(
                lines.iter().any(|line| line.contains(access)),
                "{statement}: {tree}"
            );
        }
        assert!(!tree.contains("opaque"), "{statement}: {tree}");
    }
}

#[test]
fn vectors_are_computed_without_accesses() {
    let tree = with(
        "__m256 s = _mm256_setzero_ps(); for (int i = 0; i < n; i += 8) \
         s = _mm256_fmadd_ps(_mm256_load_ps(x + i), s, s); x[0] = s[0] + _mm_cvtss_f32(_mm256_castps256_ps128(s));",
    );
    assert_eq!(tree.matches("load x").count(), 1, "{tree}");
    assert_eq!(tree.matches("store x").count(), 1, "{tree}");
    assert!(!tree.contains("opaque"), "{tree}");
    let gathered =
        with("for (int i = 0; i < n; i += 8) _mm256_i32gather_ps(x, _mm256_set1_epi32(i), 4);");
    assert!(gathered.contains("may touch any array"), "{gathered}");
}

#[test]
fn variable_arguments_are_data() {
    let tree = trees(
        "#include <stdarg.h>\nvoid f(double *x, int n, ...) { va_list list; va_start(list, n); \
         for (int i = 0; i < n; i++) { x[i] = va_arg(list, double); if (va_arg(list, int)) x[i] = 0; } va_end(list); }",
    );
    assert!(
        tree.contains("loop i = 0; i < n; i += 1") && tree.contains("if data"),
        "{tree}"
    );
    assert!(!tree.contains("opaque"), "{tree}");
}

#[test]
fn files_are_read_without_accesses_where_no_array_is_given() {
    let with = |call: &str| {
        trees(&format!(
            "#include <stdio.h>\n#include <unistd.h>\nvoid f(int n, double *x, FILE *from) {{ int k; \
             for (int i = 0; i < n; i++) {{ {call} x[i] = 0; }} }}"
        ))
    };
    for call in [
        "fread(&k, 4, 1, from);",
        "if (read(n, &k, 4) < 4) close(n);",
    ] {
        assert!(!with(call).contains("opaque"), "{}", with(call));
    }
    assert!(with("fread(x, 8, n, from);").contains("may touch any array"));
}

#[test]
fn a_thread_runs_where_it_is_created() {
    let tree = trees(
        "#include <pthread.h>\nstatic void *run(void *x) { for (int i = 0; i < 40; i++) ((double *)x)[i] = 1; return 0; }\n\
         void f(int n, double *x) { pthread_t t[8]; for (int k = 0; k < 8; k++) pthread_create(&t[k], 0, run, x); \
         for (int k = 0; k < 8; k++) pthread_join(t[k], 0); }",
    );
    assert!(
        tree.contains("store t + 8 * k") && tree.contains("load t + 8 * k"),
        "{tree}"
    );
    assert!(
        tree.contains("store x + 8 * i") && !tree.contains("opaque"),
        "{tree}"
    );
}
