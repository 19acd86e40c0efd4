use super::*;
use crate::matching::tests::tree;

fn shapes(source: &str) -> Vec<NestShape> {
    nests(&tree(source)).iter().map(|x| x.shape).collect()
}

const SUM: &str = "double s; void f(int n, double a[n][n]) {\n\
                   for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j]; }";

#[test]
fn names_and_layout_of_the_text_do_not_matter() {
    let other = "double total; /* of all */\n\nint unused;\nvoid rows(int rank, double m[rank][rank])\n{\n  \
                 for (int y = 0; y < rank; y++) {\n    // row by row\n    for (int x = 0; x < rank; x++)\n      \
                 total += m[y][x];\n  }\n}\n";
    assert_eq!(shapes(SUM), shapes(other));
    assert_eq!(shapes(SUM).len(), 1);
}

#[test]
fn what_is_accessed_matters() {
    let all = [
        SUM.to_owned(),
        SUM.replace("a[i][j]", "a[j][i]"),
        SUM.replace("i < n", "i <= n"),
        SUM.replace("i = 0", "i = 1"),
        SUM.replace("double a", "float a"),
        SUM.replace("s += a[i][j]", "a[i][j] = s"),
        SUM.replace("int n, double a[n][n]", "int n, int m, double a[n][m]"),
    ];
    let mut distinct: Vec<_> = all.iter().map(|source| shapes(source)).collect();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), all.len());
}

/// A body in a function of sizes and arrays.
fn shape(body: &str) -> NestShape {
    let source = format!("void f(int n, int m, double *a, double *b, int *t) {{ {body} }}");
    shapes(&source).remove(0)
}

#[test]
fn how_integers_are_computed_does_not_matter() {
    let same = [
        "for (int i = 0; i < n; i++) a[i * m + 1] = b[i];",
        "for (int i = 1; i <= n; ++i) a[m * (i - 1) + 1] = b[i - 1];",
        "int last = n - 1; for (long i = 0; last >= i; i += 1) { int k = i * m; a[1 + k] = *(b + i); }",
        "int i = 0; while (i != n) { a[i * m + 1] = b[i]; i++; }",
        "if (n <= 0) return; for (int i = 0; i < n; i++) a[i * m + 1] = b[i];",
        "if (n != 0) for (int i = 0; i < n; i++) a[i * m + 1] = b[i];",
        "int x = 0; for (int i = 0; i < n; i++) { if (i > 3) x = 1; a[i * m + 1] = b[i]; }",
    ];
    for body in same {
        assert_eq!(shape(body), shape(same[0]), "{body}");
    }
}

#[test]
fn which_arm_is_first_does_not_matter_where_data_decide() {
    let same = [
        "for (int i = 0; i < n; i++) { if (a[i] > 0) b[i] = a[i]; else b[i] = 0; }",
        "for (int i = 0; i < n; i++) { if (a[i] <= 0) b[i] = 0; else b[i] = a[i]; }",
        "for (int i = 0; i < n; i++) b[i] = a[i] > 0 ? a[i] : 0;",
    ];
    for body in same {
        assert_eq!(shape(body), shape(same[0]), "{body}");
    }
    let other = "for (int i = 0; i < n; i++) { if (a[i] > 0) b[i] = a[i]; else b[i + 1] = 0; }";
    assert_ne!(shape(other), shape(same[0]));
}

#[test]
fn what_was_computed_before_matters() {
    let all = [
        "int last = n; for (int i = 0; i < last; i++) a[i] = 0;",
        "int last = n / 2; for (int i = 0; i < last; i++) a[i] = 0;",
        "int last = n; last += m; for (int i = 0; i < last; i++) a[i] = 0;",
        "if (m > 7) for (int i = 0; i < n; i++) a[i] = 0;",
        "int k = 0; for (int i = 0; i < n; i++) { a[k] = 0; k += i; }",
        "int k = 1; for (int i = 0; i < n; i++) { a[k] = 0; k += i; }",
        "for (int i = n - 1; i >= 0; i--) a[i] = 0;",
        "for (int i = 0; i < n; i++) a[(unsigned char)i] = 0;",
        "for (int i = 0; i < n; i++) a[t[i]] = 0;",
    ];
    let mut distinct: Vec<NestShape> = all.iter().map(|body| shape(body)).collect();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), all.len());
}
