//! What counts as an operation, by what is written: each test is a statement in a loop with what one
//! iteration of it computes.

use premiss_testdata::kernel::Kernel;
use premiss_tree::{Operands, OperationKind, Role};
use std::collections::BTreeMap;

/// What the function of a text computes where everything is executed once, such as `2 mul f64`; headers
/// of loops are left out.
fn computed(file: &str, text: &str) -> String {
    let read = Kernel::from_bytes(file, text.into(), &[], &[]);
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for row in read.only_tree().work.operations.values() {
        for (operation, each) in &row.arithmetic.performed {
            let kind = match &operation.kind {
                OperationKind::Add => "add",
                OperationKind::Subtract => "sub",
                OperationKind::Multiply => "mul",
                OperationKind::Divide => "div",
                OperationKind::Remainder => "mod",
                OperationKind::Negate => "neg",
                OperationKind::SquareRoot => "sqrt",
                OperationKind::Compare => "compare",
                OperationKind::Bits => "bits",
                OperationKind::Call(name) => name,
            };
            let operands = match operation.operands {
                Operands::Floating(bytes) => format!("f{}", 8 * bytes),
                Operands::Complex(part) => format!("c{}", 8 * part),
                Operands::Integer(bits) => format!("i{bits}"),
            };
            let role = match operation.role {
                Role::Data => "",
                Role::Index => " index",
                Role::Header => continue,
            };
            *found.entry(format!("{kind} {operands}{role}")).or_default() += each;
        }
        for each in row.arithmetic.fused.values() {
            *found.entry("fused".to_owned()).or_default() += each;
        }
    }
    let list: Vec<String> = found
        .iter()
        .map(|(kind, each)| format!("{each} {kind}"))
        .collect();
    list.join(", ")
}

fn c(statement: &str, expected: &str) {
    let text = format!(
        "#include <math.h>\nvoid f(int n, double *a, float *b, int *k, double x, double y, float z, double _Complex w) {{\n\
         const double half = 0.5;\n\
         for (int i = 0; i < n; i++) {{ {statement} }}\n}}\n"
    );
    assert_eq!(computed("statement.c", &text), expected, "{statement}");
}

fn fortran(statement: &str, expected: &str) {
    let text = format!(
        "subroutine f(n, a, b, k, x, y, z)\n\
         integer :: n, k(n), i\n\
         double precision :: a(n), x, y\n\
         real :: b(n)\n\
         complex(8) :: z(n)\n\
         do i = 1, n\n{statement}\nend do\nend subroutine f\n"
    );
    // Subscripts count from the lower bound: that difference is no part of what is tested here.
    let all = computed("statement.f90", &text);
    let own: Vec<&str> = all.split(", ").filter(|x| !x.ends_with("index")).collect();
    assert_eq!(own.join(", "), expected, "{statement}");
}

fn rust(statement: &str, expected: &str) {
    let text = format!(
        "pub fn f(n: usize, a: &mut [f64], b: &mut [f32], k: &mut [i32], x: f64, y: f64) {{\n\
         for i in 0..n {{ {statement} }}\n}}\n"
    );
    assert_eq!(computed("statement.rs", &text), expected, "{statement}");
}

#[test]
fn arithmetic_counts_as_written() {
    c("a[i] = x * y + a[i];", "1 add f64, 1 fused, 1 mul f64");
    c("a[i] += x;", "1 add f64");
    c("a[i] -= x * y;", "1 fused, 1 mul f64, 1 sub f64");
    c("a[i] = -x / y;", "1 div f64, 1 neg f64");
    c("b[i] = b[i] * z;", "1 mul f32");
    c("b[i] = b[i] * x;", "1 mul f64");
    c(
        "a[i] = x * y * x + y + x * x;",
        "2 add f64, 2 fused, 3 mul f64",
    );
    c(
        "k[i] = k[i] % 3 + (k[i] << 1);",
        "1 add i32, 1 bits i32, 1 mod i32",
    );
    c("k[i]++;", "1 add i32");
    c("a[i] = w * w == 0.0;", "1 compare c64, 1 mul c64");
}

#[test]
fn constants_count_nothing() {
    c("a[i] = 2.0 * 3.0 * x;", "1 mul f64");
    c("a[i] = -1.0;", "");
    c("a[i] = half * 2.0;", "");
    c("a[i] = half * x;", "1 mul f64");
    c("a[i] = sizeof(double) * 2;", "");
}

#[test]
fn functions_are_calls_but_square_roots() {
    c("a[i] = sqrt(x);", "1 sqrt f64");
    c("b[i] = sqrtf(z);", "1 sqrt f32");
    c(
        "a[i] = exp(x) + pow(x, 2.0);",
        "1 add f64, 1 exp f64, 1 pow f64",
    );
    c("b[i] = expf(z);", "1 exp f32");
    c("a[i] = fma(x, y, a[i]);", "1 add f64, 1 fused, 1 mul f64");
    c("a[i] = fabs(x);", "1 fabs f64");
}

#[test]
fn subscripts_and_pointers_are_index_arithmetic() {
    c("a[2 * i + 1] = x;", "1 add i32 index, 1 mul i32 index");
    c("*(a + i * n) = x;", "1 add i64 index, 1 mul i32 index");
    c("k[i] = k[k[i] + 1] + 1;", "1 add i32, 1 add i32 index");
}

#[test]
fn conditions_compare_where_they_are_evaluated() {
    c("if (a[i] > x) a[i] = y;", "1 compare f64");
    c("if (a[i] > x && a[i] < y) a[i] = y;", "2 compare f64");
    c(
        "a[i] = a[i] > 0.0 ? a[i] + x : a[i] - x;",
        "1 add f64, 1 compare f64, 1 sub f64",
    );
    c("if (k[i]) a[i] = x;", "");
}

/// Compilers make products of a power with a known exponent; of any other they make a call.
#[test]
fn powers_in_fortran_are_products() {
    fortran("a(i) = x**2", "1 mul f64");
    fortran("a(i) = x**3", "2 mul f64");
    fortran("a(i) = x**8", "3 mul f64");
    fortran("a(i) = x**(-2)", "1 div f64, 1 mul f64");
    fortran("a(i) = x**y", "1 pow f64");
    fortran("a(i) = x**0.5d0", "1 pow f64");
}

#[test]
fn intrinsic_functions_are_called_as_in_c() {
    fortran("a(i) = sqrt(x)", "1 sqrt f64");
    fortran("b(i) = sqrt(b(i))", "1 sqrt f32");
    fortran(
        "a(i) = dexp(x) + max(x, y)",
        "1 add f64, 1 exp f64, 1 fmax f64",
    );
    fortran("k(i) = mod(k(i), 3)", "1 mod i32");
    fortran("x = sum(a)", "1 add f64");
    fortran("x = dot_product(a, a)", "1 add f64, 1 fused, 1 mul f64");
}

#[test]
fn complex_numbers_count_as_such() {
    fortran("z(i) = z(i) * x + z(i)", "1 add c64, 1 fused, 1 mul c64");
    fortran("z(i) = exp(z(i))", "1 exp c64");
}

#[test]
fn methods_of_numbers_in_rust() {
    rust("a[i] = x * y + a[i];", "1 add f64, 1 fused, 1 mul f64");
    rust("a[i] += x * a[i];", "1 add f64, 1 fused, 1 mul f64");
    rust("a[i] = x.sqrt();", "1 sqrt f64");
    rust("b[i] = b[i].sqrt();", "1 sqrt f32");
    rust(
        "a[i] = x.powi(3) + x.powf(y);",
        "1 add f64, 2 mul f64, 1 pow f64",
    );
    rust(
        "a[i] = x.mul_add(y, a[i]);",
        "1 add f64, 1 fused, 1 mul f64",
    );
    rust("a[i] = x.exp().ln();", "1 exp f64, 1 log f64");
}
