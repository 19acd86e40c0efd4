//! Packages: which files Cargo says that they have, and calls from one to another.

use crate::{Folder, Run, command, premiss};

const PACKAGE: &str = "testdata/projects/rust_package";

#[test]
fn the_files_of_a_package_are_read_as_one_program() {
    let run = premiss(&["coverage", PACKAGE]).exits(0);
    // Exact, as the call into another file is followed.
    for part in [
        "src/grid/mod.rs:21: exact",
        "src/grid/row.rs:4: exact",
        "Files: 3/3 parsed",
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
fn no_cargo_is_run() {
    let usual = premiss(&["coverage", PACKAGE]).exits(0);
    let output = command(&["coverage", PACKAGE])
        .env("PATH", "")
        .output()
        .expect("the command starts");
    let run = Run::new(&output).exits(0);
    assert_eq!((run.stdout, run.stderr), (usual.stdout, usual.stderr));
}

#[test]
fn where_a_manifest_is_malformed_all_files_are_read() {
    let folder = Folder::new("cargo-malformed");
    folder.write("src/lib.rs", LOOP).write("forgotten.rs", LOOP);
    folder.write("Cargo.toml", "[package]\nname = 3\n");
    let run = folder.premiss(&["coverage", "."]);
    let why =
        "which files belong to the package is not known, and all *.rs are read: `Cargo.toml`: ";
    let run = run.says(why);
    assert!(run.stdout.contains("forgotten.rs"), "{}", run.stdout);
}

const LOOP: &str =
    "pub fn scale(x: &mut [f64; 9]) {\n    for i in 0..9 {\n        x[i] *= 2.0;\n    }\n}\n";
