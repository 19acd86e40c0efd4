//! Where sizes get their values.

use super::read_c;

/// The sizes of a function with their values.
#[track_caller]
fn sizes(text: &str, given: &[(&str, i64)], function: &str) -> Vec<(String, Option<i64>)> {
    let unit = read_c(text, given);
    let tree = unit.functions.iter().find(|tree| tree.function == function);
    let tree = tree.expect("a function with a loop");
    let parameters = tree.parameters.values();
    parameters.map(|p| (p.name.clone(), p.value)).collect()
}

const CALLED: &str = "
    #define NI 30
    static int half(int x) { return x / 2; }
    void kernel(int ni, int nj, int nk, double *a) {
      for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++)
          for (int k = 0; k < nk; k++)
            a[i] = 0;
    }
    void between(int n, double *a) { kernel(n, half(n + 10), n - 1, a); }
    int main(int argc, char **argv) {
      int ni = NI;
      double a[NI];
      between(ni, a);
      kernel(NI, 20, argc, a);
      return 0;
    }";

fn size_names(name: &str, value: Option<i64>) -> (String, Option<i64>) {
    (name.to_owned(), value)
}

#[test]
fn callers_that_agree_give_sizes() {
    let expected = [
        size_names("ni", Some(30)),
        size_names("nj", Some(20)),
        size_names("nk", None),
    ];
    assert_eq!(sizes(CALLED, &[], "kernel"), expected);
}

#[test]
fn the_user_overrides_macros_and_parameters() {
    let expected = [
        size_names("ni", Some(8)),
        size_names("nj", None),
        size_names("nk", Some(3)),
    ];
    assert_eq!(sizes(CALLED, &[("NI", 8), ("nk", 3)], "kernel"), expected);
    let used = read_c(CALLED, &[("NI", 8), ("nk", 3), ("typo", 1)]).used_sizes;
    assert_eq!(used.into_iter().collect::<Vec<_>>(), ["NI", "nk"]);
}

#[test]
fn constants_of_the_file_are_numbers_that_the_user_overrides() {
    let text = "
        static const int N = 100;
        int m = 7, written = 1, unset;
        void set(void) { written = 2; }
        void f(double *a) {
          for (int i = 0; i < N; i++)
            a[i * m] = a[i * written + unset];
        }";
    let expected = [
        size_names("m", Some(7)),
        size_names("written", None),
        size_names("unset", Some(0)),
    ];
    assert_eq!(sizes(text, &[], "f"), expected);
    let tree = read_c(text, &[("N", 9)]).functions[0].to_string();
    assert!(tree.contains("loop i = 0; i < 9; i += 1"), "{tree}");
}

#[test]
fn a_caller_that_passes_data_leaves_a_size_open() {
    let text = "
        void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 0; }
        void g(int *p, double *a) { f(*p, a); f(3, a); }";
    assert_eq!(sizes(text, &[], "f"), [size_names("n", None)]);
}
