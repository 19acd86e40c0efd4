//! Loops of which data alone decide how often they run, against the same loops with numbers in the text: whatever the
//! data are, what each reference does lies within the bounds that the greatest numbers give.

use crate::loaded_bounds::{found, truth};
use premiss_testdata::kernel::Kernel;

/// More than each number of iterations in the text.
const MOST: i64 = 6;

/// The body with a declaration before its inner loop, and the header of that.
fn kernel(declaration: &str, header: &str, sizes: &[(&str, i64)]) -> Kernel {
    let text = format!(
        "void f(double eps, double *a, double *b, double *c)
{{
  for (int i = 0; i < 4; i++) {{
    {declaration}
    {header} {{
      a[i] += b[2 * i];
      e *= 0.5;
    }}
    c[i] = a[0];
  }}
}}
"
    );
    Kernel::from_bytes("open.c", text.into_bytes(), &[], sizes)
}

#[test]
fn whatever_data_decide_counts_lie_within_bounds() {
    let sizes = [("iterations(while (e > 0.5))", MOST)];
    let open = kernel("double e = eps;", "while (e > 0.5)", &sizes);
    let open = open.only_tree();
    assert!(open.bounding_ranges.is_empty(), "{open}");
    let bounds = found(open);
    for case in 0..MOST {
        let of = |row: i64| (case + row * 5) % MOST;
        let (first, second, last) = (of(0), of(1), of(2));
        let number = format!("(i == 0 ? {first} : i == 1 ? {second} : {last})");
        let header = format!("for (int t = 0; t < {number}; t++)");
        let kernel = kernel("double e = eps;", &header, &[]);
        let tree = kernel.only_tree();
        assert_eq!(tree.references.len(), open.references.len(), "{tree}{open}");
        for (bounds, counts) in bounds.iter().zip(truth(tree)) {
            for (id, reference) in &open.references {
                let (lower, upper) = bounds[id].bounds().expect("bounded");
                let count = counts[id].exact().expect("the text says everything");
                assert!(
                    (lower..=upper).contains(&count),
                    "`{}`, case {case}: {count}, not {lower} to {upper}",
                    reference.text
                );
            }
        }
    }
}
