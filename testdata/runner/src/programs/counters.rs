//! What is compiled around programs: counters, arrays, and a main program that calls each.

/// What C programs are compiled with, before them.
pub(super) const C: &str = r#"#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#define N_LINES 100000
#define ELEMENTS (1 << 22)
static unsigned long counted[3][N_LINES];
static long fuel;
static sigjmp_buf way_out;
#define TICK if (--fuel < 0) siglongjmp(way_out, 1)
#define LOADS(line, n) (counted[0][line] += (n))
#define STORES(line, n) (counted[1][line] += (n))
#define FLOP(line) (counted[2][line]++)
#define LD(line, x) (*(LOADS(line, 1), &(x)))
#define ST(line, x) (*(STORES(line, 1), &(x)))
#define UP(line, x) (*(LOADS(line, 1), STORES(line, 1), &(x)))
"#;

/// What follows C programs: their functions are called one after the other, and what they count is printed.
pub(super) fn c_main(calls: &[(u64, i64, i64)]) -> String {
    let calls: String = calls
        .iter()
        .map(|(number, n, m)| format!("  RUN({number}, f{number}({n}, {m}, a, b, c, d, s, q));\n"))
        .collect();
    [
        C_RUN,
        "int main(void) {\n",
        C_ARRAYS,
        &calls,
        "  return 0;\n}\n",
    ]
    .concat()
}

const C_ARRAYS: &str = "\
  signal(SIGSEGV, leave);\n\
  double *a = memory_a + ELEMENTS / 2, *b = memory_b + ELEMENTS / 2, *c = memory_c + ELEMENTS / 2;\n\
  double (*d)[9] = (double (*)[9])memory_d + ELEMENTS / 18;\n\
  struct S *s = memory_s + ELEMENTS / 8;\n\
  int *q = memory_q + ELEMENTS / 2;\n";

const C_RUN: &str = r#"
static double memory_a[ELEMENTS], memory_b[ELEMENTS], memory_c[ELEMENTS], memory_d[ELEMENTS];
static struct S memory_s[ELEMENTS / 4];
static int memory_q[ELEMENTS];
static void leave(int signal) { (void)signal; siglongjmp(way_out, 2); }
static void fill(void) {
  memset(counted, 0, sizeof counted);
  fuel = 3000;
  for (int i = ELEMENTS / 2 - 4096; i < ELEMENTS / 2 + 4096; i++) {
    memory_a[i] = i * 7 % 11 / 11.0;
    memory_b[i] = i * 5 % 13 / 13.0;
    memory_c[i] = i * 3 % 7 / 7.0;
    memory_q[i] = i * 5 % 7;
  }
}
static void print(int number, int state) {
  printf("program %d %s\n", number, state == 0 ? "ended" : "lost");
  for (int line = 0; state == 0 && line < N_LINES; line++)
    if (counted[0][line] || counted[1][line] || counted[2][line])
      printf("%d %lu %lu %lu\n", line, counted[0][line], counted[1][line], counted[2][line]);
}
#define RUN(number, call) \
  fill(); \
  switch (sigsetjmp(way_out, 1)) { case 0: call; print(number, 0); break; default: print(number, 1); }
"#;

/// What Rust programs are compiled with, before them, in one line.
pub(super) const RUST: &str = "use counters::*; \
mod counters { \
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed}; \
pub const N_LINES: usize = 100_000; \
pub static COUNTED: [[AtomicU64; N_LINES]; 3] = [const { [const { AtomicU64::new(0) }; N_LINES] }; 3]; \
pub static FUEL: AtomicI64 = AtomicI64::new(0); \
pub fn count(what: usize, line: usize, n: usize) { COUNTED[what][line].fetch_add(n as u64, Relaxed); } \
pub fn ld<T>(line: usize, x: T) -> T { count(0, line, 1); x } \
pub fn fl<T>(line: usize, x: T) -> T { count(2, line, 1); x } \
pub fn tick() { if FUEL.fetch_sub(1, Relaxed) <= 0 { panic!(\"too long\"); } } \
pub fn print(number: u64, has_ended: bool) { \
println!(\"program {number} {}\", if has_ended { \"ended\" } else { \"lost\" }); \
for line in 0..N_LINES { let [x, y, z] = [0, 1, 2].map(|what| COUNTED[what][line].swap(0, Relaxed)); \
if has_ended && 0 < x + y + z { println!(\"{line} {x} {y} {z}\"); } } } \
} ";

/// What follows Rust programs.
pub(super) fn rust_main(calls: &[(u64, i64, i64)]) -> String {
    let calls: String = calls
        .iter()
        .map(|(number, n, m)| {
            format!("  run({number}, |a, b, c, d, s, q| f{number}({n}, {m}, a, b, c, d, s, q));\n")
        })
        .collect();
    [
        RUST_RUN,
        "fn main() {\n  std::panic::set_hook(Box::new(|_| {}));\n",
        &calls,
        "}\n",
    ]
    .concat()
}

const RUST_RUN: &str = r#"
type Call = fn(&mut [f64], &mut [f64], &[f64], &mut [[f64; 9]], &mut [S], &[usize]);
fn run(number: u64, call: Call) {
    let numbers = |factor: usize, modulus: usize| -> Vec<f64> {
        (0..4096).map(|i| (i * factor % modulus) as f64 / modulus as f64).collect()
    };
    let (mut a, mut b, c) = (numbers(7, 11), numbers(5, 13), numbers(3, 7));
    let mut d = vec![[0.5; 9]; 4096];
    let mut s = vec![S { x: 0.5, y: [0.5; 3], z: 1 }; 4096];
    let q: Vec<usize> = (0..4096).map(|i| i * 5 % 7).collect();
    FUEL.store(3000, std::sync::atomic::Ordering::Relaxed);
    let run = || call(&mut a, &mut b, &c, &mut d, &mut s, &q);
    let has_ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_ok();
    print(number, has_ended);
}
"#;

/// The main program for subroutines of Fortran, in C, with their counters.
pub(super) fn fortran_main(calls: &[(u64, i64, i64)]) -> String {
    let declared: String = calls
        .iter()
        .map(|(number, ..)| format!("void f{number}_();\n"))
        .collect();
    let calls: String = calls
        .iter()
        .map(|(number, n, m)| {
            format!("  n = {n}; m = {m}; RUN({number}, f{number}_(&n, &m, a, b, c, d, s, q));\n")
        })
        .collect();
    let before = [C, "struct S { double x; float y[3]; int z; };\n", FORTRAN].concat();
    let main = ["int main(void) {\n  static int n, m;\n", C_ARRAYS].concat();
    [&before, &declared, C_RUN, &main, &calls, "  return 0;\n}\n"].concat()
}

const FORTRAN: &str = r"
double ld_(int *line, double *x) { LOADS(*line, 1); return *x; }
int ldi_(int *line, int *x) { LOADS(*line, 1); return *x; }
double fl_(int *line, double *x) { FLOP(*line); return *x; }
void cn_(int *what, int *line, int *n) { counted[*what][*line] += *n; }
void tick_(void) { TICK; }
";
