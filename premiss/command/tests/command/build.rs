//! Projects: what their builds say, and what leads from file to file.

use crate::{Run, command, premiss, premiss_on, root};
use std::path::Path;

const PROJECT: &str = "testdata/projects/linked";

/// Runs premiss in the folder of the project.
fn in_project(arguments: &[&str]) -> Run {
    let output = command(arguments)
        .current_dir(root().join(PROJECT))
        .output()
        .expect("the command starts");
    Run::new(&output)
}

#[test]
fn all_c_files_of_a_build_are_read_as_one_program() {
    let run = in_project(&["report", "--cache", "L1=1KiB,2,64"]).exits(0);
    assert!(run.stdout.contains("src/main.c:8 main"), "{}", run.stdout);
    assert!(run.stdout.contains("400 accesses"), "{}", run.stdout);
    assert!(
        run.stdout.contains("src/row.c:10 smooth_row · n=20"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("other.cc"), "{}", run.stdout);
    in_project(&["check"]).exits(0);
}

#[test]
fn the_folder_of_the_build_can_be_named() {
    let run = premiss(&["coverage", "-p", "testdata/projects/linked/build"]).exits(0);
    assert!(
        run.stdout.contains(&format!("{PROJECT}/src/row.c")),
        "{}",
        run.stdout
    );
    premiss(&["coverage", "-p", "testdata/projects"])
        .exits(2)
        .says("no such file");
}

#[test]
fn a_file_is_read_as_the_build_compiles_it() {
    in_project(&["report", "src/row.c", "-P", "n=4"]).exits(0);
    // Flags of our own command line have the last word.
    in_project(&["report", "src/row.c", "-P", "n=4", "-U", "WEIGHTS"]).says("-DWEIGHTS");
}

#[test]
fn headers_of_a_package_that_is_not_built_are_found_by_name() {
    let run = premiss(&["coverage", "testdata/projects/unbuilt"]).exits(0);
    let run = run.says("<grid/grid.h> was found by its name alone");
    assert!(run.stdout.contains("1/1 nests exact"), "{}", run.stdout);
}

#[test]
fn a_file_that_no_build_compiles_is_2_unless_it_may_be_missing() {
    let report = ["report", "src/lone.c", "-P", "n=4"];
    in_project(&report)
        .exits(2)
        .says("there is no entry for it");
    let with = |how: &str| in_project(&[&report[..], &["--missing-flags", how]].concat());
    with("skip").exits(2).says("left out");
    with("guess").exits(0);
    // There is a file in C++ too.
    let run = in_project(&["coverage", "src", "--missing-flags=skip"]).exits(3);
    assert!(run.stderr.contains("1 file is left out"), "{}", run.stderr);
}

#[test]
fn builds_that_cannot_be_read_are_2() {
    let folder = std::env::temp_dir().join(format!("premiss-build-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let check = |text: &str, why: &str| {
        std::fs::write(folder.join("compile_commands.json"), text).expect("a database");
        let shown = folder.display().to_string();
        premiss(&["coverage", "-p", &shown]).exits(2).says(why);
    };
    check("{", "not a compilation database");
    check("{}", "not a compilation database");
    check("[{}]", "it has no `file`");
    check("[{\"file\": \"a.c\"}]", "neither `arguments` nor `command`");
    check(
        "[{\"file\": \"a.c\", \"command\": \"cc 'a\"}]",
        "open quote",
    );
    check(
        "[{\"file\": \"a.c\", \"arguments\": [1]}]",
        "not a list of words",
    );
    check("[]", "leaves no C file");
    check(
        "[{\"file\": \"a.c\", \"command\": \"cc -m32 -c a.c\"}]",
        "-m32 gives types other sizes",
    );
    check(
        "[{\"file\": \"a.c\", \"command\": \"cc -c a.c\"}]",
        "no such file",
    );
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn without_a_file_and_without_a_build_it_is_2() {
    premiss(&["report"]).exits(2).says("no file is named");
    premiss(&["check"]).exits(2).says("no file is named");
}

#[test]
fn files_named_together_are_linked() {
    let files = ["src/main.c", "src/row.c"];
    let run = in_project(&[&["report", "--function", "main"], &files[..]].concat()).exits(0);
    assert!(run.stdout.contains("400 accesses"), "{}", run.stdout);
    let alone = in_project(&["report", "--function", "main", "src/main.c"]);
    assert!(
        alone.stderr.contains("`smooth_row` is not defined here"),
        "{}",
        alone.stderr
    );
}

#[test]
fn our_own_command_line_may_be_in_a_file() {
    let path = std::env::temp_dir().join(format!("premiss-{}.rsp", std::process::id()));
    std::fs::write(&path, "-P NI=4 -P \"NJ=5\"\n--format json").expect("a response file");
    let file = format!("@{}", path.display());
    let report = ["report", "testdata/kernels/c/gemm.c", &file];
    let run = premiss(&[&report[..], &["--response-files"]].concat()).exits(0);
    assert!(run.stdout.starts_with('{'), "{}", run.stdout);
    // Only where it is asked for, and not where a list of files may have come from somebody else.
    premiss(&report).exits(2).says("there is no such file");
    premiss(&["report", "--response-files", "--", &file])
        .exits(2)
        .says("there is no such file");
    std::fs::remove_file(&path).expect("the file is ours");
}

/// A call of a function that is not there, in a loop over `x`.
const CALLER: &str = "double norm(int n, double *x);\nvoid touch(int n, double *x);\n\
    void f(int n, double *x)\n{\n  for (int i = 0; i < n; i++) {\n    x[i] = 0;\n    touch(1, x);\n  }\n}\n";

fn stated(name: &str, text: &str) -> Run {
    let path = std::env::temp_dir().join(format!("premiss-{name}-{}.toml", std::process::id()));
    std::fs::write(&path, text).expect("a file of functions");
    let shown = path.display().to_string();
    let run = premiss_on(
        CALLER,
        &["report", "-", "-P", "n=10", "--functions", &shown],
    );
    std::fs::remove_file(Path::new(&path)).expect("the file is ours");
    run
}

#[test]
fn what_functions_do_can_be_stated() {
    let nothing = stated("nothing", "[functions]\n\"to*\" = \"nothing\"\n").exits(0);
    assert!(nothing.stdout.contains("10 accesses"), "{}", nothing.stdout);
    let body =
        "[functions]\ntouch = { body = \"void touch(int n, double *x) { x[n] += x[0]; }\" }\n";
    let body = stated("body", body).exits(0);
    assert!(body.stdout.contains("40 accesses"), "{}", body.stdout);
    let unknown = "[functions]\ntouch = { touches = \"unknown\", why = \"what touch does\" }\n";
    let unknown = stated("unknown", unknown);
    assert!(
        unknown.stderr.contains("what touch does is not modelled"),
        "{}",
        unknown.stderr
    );
    stated("wrong", "[functions]\ntouch = 1\n")
        .exits(2)
        .says("touches, result, body, why");
}

#[test]
fn vector_functions_of_blas_are_the_loops_that_they_stand_for() {
    let source = "void cblas_daxpy(int n, double a, const double *x, int incx, double *y, int incy);\n\
        void f(int n, double *x, double *y)\n{\n  for (int i = 0; i < 3; i++)\n    cblas_daxpy(n, 2.0, x, 1, y, 2);\n}\n";
    let run = premiss_on(source, &["report", "-", "-P", "n=10"]).exits(0);
    assert!(
        run.stdout.contains("90 accesses: 60 loads, 30 stores"),
        "{}",
        run.stdout
    );
}
