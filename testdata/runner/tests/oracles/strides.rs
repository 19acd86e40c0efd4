//! First locations, strides, flags and groups of references, told from the source.

use premiss_scop::{Formula, ReferenceId, SizePolynomial, formulae, similar};
use premiss_testdata::kernel::Kernel;
use premiss_tree::NestTree;

fn kernel(text: &str) -> Kernel {
    Kernel::from_bytes("strides.c", text.as_bytes().to_vec(), &[], &[])
}

/// A polynomial as text, `24 + 8*n`.
fn polynomial(tree: &NestTree, value: Option<&SizePolynomial>) -> String {
    let Some(value) = value else {
        return "irregular".to_owned();
    };
    let term = |(product, factor): (&Vec<_>, &i64)| {
        let names = product
            .iter()
            .map(|id| format!("*{}", tree.parameters[*id].name));
        format!("{factor}{}", names.collect::<String>())
    };
    let terms: Vec<String> = value.iter().map(term).collect();
    if terms.is_empty() {
        "0".to_owned()
    } else {
        terms.join(" + ")
    }
}

/// Text, first location, strides outermost first; an indirect one with a star before it.
fn row(tree: &NestTree, formula: &Formula) -> String {
    let text = &tree.references[formula.reference].text;
    let first = polynomial(tree, formula.first.as_ref());
    let strides = formula.strides.iter().map(|stride| {
        let star = if stride.indirect { "*" } else { "" };
        format!("{star}{}", polynomial(tree, stride.bytes.as_ref()))
    });
    let strides: Vec<String> = strides.collect();
    format!("{text} from {first} by [{}]", strides.join(", "))
}

fn check(text: &str, expected: &[&str], groups: &[&[&str]]) {
    let kernel = kernel(text);
    let tree = kernel.only_tree();
    let formulae = formulae(tree);
    let found: Vec<String> = formulae.iter().map(|formula| row(tree, formula)).collect();
    assert_eq!(found, expected);
    let name = |id: &ReferenceId| tree.references[*id].text.as_str();
    let found: Vec<Vec<&str>> = similar(tree, &formulae)
        .iter()
        .map(|group| group.iter().map(name).collect())
        .collect();
    assert_eq!(found, groups);
}

#[test]
fn the_unrolled_multiplication_has_the_strides_of_its_source() {
    check(
        "void f(int n, double *A, double *B, double *C) {
           for (int i = 0; i < n; i++)
             for (int j = 0; j < n; j++)
               for (int k = 0; k < n - 1; k += 2)
                 C[i * n + j] += A[i * n + k] * B[k * n + j]
                   + A[i * n + k + 1] * B[(k + 1) * n + j];
         }",
        &[
            "C[i * n + j] from 0 by [8*n, 8, 0]",
            "A[i * n + k] from 0 by [8*n, 0, 16]",
            "B[k * n + j] from 0 by [0, 8, 16*n]",
            "A[i * n + k + 1] from 8 by [8*n, 0, 16]",
            "B[(k + 1) * n + j] from 8*n by [0, 8, 16*n]",
            "C[i * n + j] from 0 by [8*n, 8, 0]",
        ],
        &[
            &["C[i * n + j]", "C[i * n + j]"],
            &["A[i * n + k]", "A[i * n + k + 1]"],
            &["B[k * n + j]", "B[(k + 1) * n + j]"],
        ],
    );
}

#[test]
fn what_data_or_squares_decide_is_flagged() {
    check(
        "void f(int n, int *p, double *x, double *y) {
           for (int i = 0; i < n; i++) {
             int s = p[i]; // Data; in which loop they were read, a tree does not say.
             for (int j = 1; j < n; j++) {
               x[s] += 1;
               y[p[j]] += x[j * j] + x[i * j];
             }
           }
         }",
        &[
            "p[i] from 0 by [4]",
            "x[s] from irregular by [*irregular, *irregular]",
            "x[s] from irregular by [*irregular, *irregular]",
            "p[j] from 4 by [0, 4]",
            "y[p[j]] from irregular by [*irregular, *irregular]",
            "x[j * j] from 8 by [0, irregular]",
            "x[i * j] from 0 by [irregular, irregular]",
            "y[p[j]] from irregular by [*irregular, *irregular]",
        ],
        &[
            &["p[i]"],
            &["x[s]"],
            &["x[s]"],
            &["p[j]"],
            &["y[p[j]]"],
            &["x[j * j]"],
            &["x[i * j]"],
            &["y[p[j]]"],
        ],
    );
}
