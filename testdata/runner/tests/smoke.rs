//! Whatever the text, reading and running it ends soon and without a panic.

use premiss_testdata::any_text::read_and_run;
use premiss_testdata::mangle::{changes, mangled};
use premiss_testdata::random::config;
use premiss_testdata::truth::testdata;
use proptest::prelude::*;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A text that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(20);

/// The texts of all kernels and fixtures.
static TEXTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folders = [
        "kernels/c",
        "kernels/c/micro",
        "kernels/c/shapes",
        "rejects",
    ];
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(testdata().join(folder)).expect("a folder"))
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
        .iter()
        .map(|path| fs::read(path).expect("a text"))
        .collect()
});

fn check(bytes: Vec<u8>) {
    let start = Instant::now();
    read_and_run(bytes);
    let elapsed = start.elapsed();
    assert!(elapsed < LIMIT, "took {elapsed:?}");
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(bytes);
    }

    #[test]
    fn bytes_in_a_loop(text in "[-a-z0-9+*/%<>=!&|?:;,.(){}\\[\\]\" \n#]{0,120}") {
        check(format!("void f(int n, double *a) {{ for (int i = 0; i < n; i++) {{ {text} }} }}").into());
    }
}

proptest! {
    #![proptest_config(config(2))]

    #[test]
    fn mangled_kernels(which in any::<prop::sample::Index>(), changes in changes()) {
        let text: &Vec<u8> = which.get(&TEXTS);
        check(mangled(text, &changes));
    }
}
