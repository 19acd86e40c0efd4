//! Whatever the text, reading and running it ends without a panic. What does not end within minutes is ended by the
//! runner (`.config/nextest.toml`).

use premiss_testdata::any_text::{read_and_run, texts_below};
use premiss_testdata::mangle::{changes, mangled};
use premiss_testdata::random::config;
use premiss_testdata::truth::testdata;
use proptest::prelude::*;
use std::sync::LazyLock;

/// The texts of all kernels and fixtures, with names that tell their languages.
static TEXTS: LazyLock<Vec<(String, Vec<u8>)>> =
    LazyLock::new(|| texts_below(&["kernels", "rejects"].map(|folder| testdata().join(folder))));

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for name in ["any.c", "any.f90", "any.f", "any.rs"] {
            read_and_run(name, bytes.clone());
        }
    }

    #[test]
    fn bytes_in_a_loop(text in "[-a-z0-9+*/%<>=!&|?:;,.(){}\\[\\]\" \n#]{0,120}") {
        let c = format!("void f(int n, double *a) {{ for (int i = 0; i < n; i++) {{ {text} }} }}");
        read_and_run("any.c", c.into());
        let fortran = format!("subroutine f(n, a)\nreal a(n)\ndo i = 1, n\n{text}\nend do\nend\n");
        read_and_run("any.f90", fortran.into());
        let rust = format!("fn f(n: usize, a: &mut [f64]) {{ for i in 0..n {{ {text} }} }}");
        read_and_run("any.rs", rust.into());
    }
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn mangled_kernels(which in any::<prop::sample::Index>(), changes in changes()) {
        let (name, text) = which.get(&TEXTS);
        read_and_run(name, mangled(text, &changes));
    }
}
