//! The shapes of arrays as declared.

use super::read_c;
use premiss_tree::{BinaryOperator, EntityRef, Expression, NestTree};

/// The strides of an array with these values of the sizes, in bytes.
fn strides(tree: &NestTree, array: &str, sizes: &[i64]) -> Vec<i64> {
    let found = tree.arrays.values().find(|found| found.name == array);
    let strides = &found.expect("the array").strides;
    strides.iter().map(|stride| value(stride, sizes)).collect()
}

fn value(expression: &Expression, sizes: &[i64]) -> i64 {
    match expression {
        Expression::Integer(value) => *value,
        Expression::Parameter(id) => sizes[id.index()],
        Expression::Binary(BinaryOperator::Multiply, a, b) => value(a, sizes) * value(b, sizes),
        other => panic!("{other:?} is in no stride"),
    }
}

#[test]
fn dimensions_have_strides() {
    let text = "
        struct point { double x, y, z; };
        float table[7][11];
        void shapes(int n, int m, double a[n][m], double (*b)[m], double *c, struct point *d,
                    int e[][3][5]) {
            double local[m][n];
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) {
                    a[i][j] = b[i][j] + c[i * m + j] + d[j].y + e[i][1][2] + table[i][j];
                    local[j][i] = 0;
                }
        }";
    let unit = read_c(text, &[]);
    let tree = unit.functions.last().expect("a function");
    let names: Vec<&str> = tree.parameters.values().map(|x| x.name.as_str()).collect();
    assert_eq!(names, ["n", "m"]);
    let found = |array| strides(tree, array, &[100, 10]);
    assert_eq!(found("a"), [80, 8]);
    assert_eq!(found("b"), [80, 8]);
    assert_eq!(found("c"), [8]);
    assert_eq!(found("d"), [24]);
    assert_eq!(found("e"), [60, 20, 4]);
    assert_eq!(found("table"), [44, 4]);
    assert_eq!(found("local"), [800, 8]);
}

#[test]
fn lengths_that_change_say_nothing() {
    let text = "
        void triangle(int n, double *a) {
            for (int i = 1; i < n; i++) {
                double row[i][i];
                for (int j = 0; j < i; j++)
                    row[j][0] = a[j];
            }
        }";
    let unit = read_c(text, &[]);
    let tree = unit.functions.last().expect("a function");
    assert_eq!(strides(tree, "row", &[]), []);
}
