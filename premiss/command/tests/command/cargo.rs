//! Packages: which files Cargo says that they have, and calls from one to another.

use crate::{Run, command, premiss};

const PACKAGE: &str = "testdata/projects/rust_package";

#[test]
fn the_files_of_a_package_are_read_as_one_program() {
    let run = premiss(&["report", PACKAGE, "--cache", "L1=1KiB,2,64"]).exits(0);
    for part in [
        "src/main.rs:7 main",
        "src/grid/mod.rs:20 Grid::smooth",
        "src/grid/row.rs:3 smooth",
        "540 accesses",
    ] {
        assert!(run.stdout.contains(part), "{part}:\n{}", run.stdout);
    }
}

#[test]
fn what_no_module_declares_and_tests_are_left_out() {
    let run = premiss(&["coverage", PACKAGE]).exits(0);
    assert!(run.stdout.contains("row.rs"), "{}", run.stdout);
    for left_out in ["forgotten.rs", "tests/smooth.rs"] {
        assert!(!run.stdout.contains(left_out), "{}", run.stdout);
    }
    assert!(!run.stderr.contains("note: `"), "{}", run.stderr);
}

#[test]
fn without_cargo_all_rust_files_are_read() {
    let output = command(&["coverage", PACKAGE])
        .env("PATH", "")
        .output()
        .expect("the command starts");
    let run = Run::new(&output)
        .exits(0)
        .says("Cargo does not say which files belong to the package");
    assert!(run.stdout.contains("forgotten.rs"), "{}", run.stdout);
}
