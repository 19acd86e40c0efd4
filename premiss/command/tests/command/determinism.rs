//! Same input, same bytes: twice, in another place, from another folder, with another number of threads.

use crate::{Folder, Run, command};
use std::fmt::Write as _;
use std::process::Command;

const FORMS: [&str; 8] = [
    "text",
    "json",
    "sarif",
    "github",
    "gitlab",
    "junit",
    "markdown",
    "callgrind",
];

/// A repository with findings in several files and functions, and with what nobody understands.
fn project(name: &str) -> Folder {
    let folder = Folder::repository(name);
    for file in 0..2 {
        let mut text = String::from("double s;\n");
        for function in 0..3 {
            let (rows, name) = (1000 + 100 * function, format!("f{file}{function}"));
            let _ = writeln!(
                text,
                "void {name}(double a[{rows}][16], double b[{rows}])\n{{\n  for (int j = 0; j < 16; j++)\n    \
                 for (int i = 0; i < {rows}; i++)\n      s += a[i][j] + b[i];\n}}"
            );
        }
        let _ = writeln!(
            text,
            "void search{file}(double *b)\n{{\n  for (int i = 0; i < 9; i++)\n    while (b[i] > 0) b[i] /= 2;\n}}"
        );
        folder.write(&format!("src/{file}.c"), &text);
    }
    folder.write("premiss.toml", "machine = \"zen4\"\n");
    folder.commit();
    folder
}

fn check(folder: &Folder, below: &str, paths: &str, form: &str) -> String {
    let run = folder.premiss_in(below, &["check", paths, "--format", form]);
    run.exits(1).stdout
}

#[test]
fn every_form_is_the_same_again_and_in_another_place() {
    let (one, other) = (project("same-one"), project("same-other/deeper"));
    for form in FORMS {
        let first = check(&one, "", "src", form);
        assert!(
            !first.contains(&one.0.display().to_string()),
            "{form}: {first}"
        );
        assert_eq!(first, check(&one, "", "src", form), "{form}, again");
        assert_eq!(
            first,
            check(&other, "", "src", form),
            "{form}, in another place"
        );
    }
}

#[test]
fn all_forms_but_text_are_the_same_from_another_folder() {
    let folder = project("same-folder");
    for form in &FORMS[1..] {
        let first = check(&folder, "", "src", form);
        assert_eq!(first, check(&folder, "src", ".", form), "{form}");
    }
}

/// Without taskset the test passes and says that it was skipped.
#[test]
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn threads_do_not_matter() {
    let folder = project("same-threads");
    let alone = |arguments: &[&str]| {
        let premiss = command(arguments);
        let mut one = Command::new("taskset");
        one.args(["-c", "0"])
            .arg(premiss.get_program())
            .args(arguments);
        one.env_remove("HOME")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("PREMISS_CACHE_DIR");
        one.current_dir(&folder.0)
            .output()
            .ok()
            .map(|output| Run::new(&output))
    };
    for form in FORMS {
        let arguments = ["check", "src", "--format", form];
        let Some(run) = alone(&arguments) else {
            println!("skipped: there is no taskset");
            return;
        };
        assert_eq!(
            run.exits(1).stdout,
            check(&folder, "", "src", form),
            "{form}"
        );
    }
    let diff = ["diff", "--base", "HEAD", "src", "--format", "json"];
    let run = alone(&diff).expect("taskset").exits(0);
    assert_eq!(run.stdout, folder.premiss(&diff).exits(0).stdout);
}

#[test]
fn exit_codes_of_a_gate_one_by_one() {
    let folder = project("gate-codes");
    let code = |arguments: &[&str], code: i32| folder.premiss(arguments).exits(code);
    code(&["check", "src"], 1);
    code(&["check", "src", "--exit-zero"], 0);
    code(&["diff", "--base", "HEAD", "src"], 0);
    code(
        &["check", "src", "--baseline", "none.json", "--exit-zero"],
        3,
    );
    code(&["check", "src", "--min-coverage", "90%", "--exit-zero"], 3);
    code(&["diff", "--base", "no/such/revision", "src"], 2);
    code(&["check", "no/such/file.c"], 2);
    code(&["check", "premiss.toml/x.c"], 2);
    // What changed and is not known is undecided.
    let text = folder.read("src/0.c");
    folder.write("src/0.c", &text.replace("b[i] /= 2", "b[i] /= 2, b[0]++"));
    code(&["diff", "--base", "HEAD", "src"], 3);
    folder.write(
        "src/0.c",
        &text.replace("s += a[i][j] + b[i];", "s += a[i][j] + b[i] + a[i][0];"),
    );
    code(&["diff", "--base", "HEAD", "src"], 1);
    code(&["diff", "--base", "HEAD", "src", "--exit-zero"], 0);
    // An empty file is no failure.
    folder.write("src/0.c", "");
    code(&["check", "src"], 1);
}

#[cfg(unix)]
#[test]
fn a_file_of_a_folder_that_cannot_be_read_is_a_finding_and_by_name_2() {
    let folder = project("unreadable");
    std::os::unix::fs::symlink("nowhere.c", folder.0.join("src/dead.c")).expect("a link");
    let run = folder.premiss(&["check", "src"]).exits(1);
    assert!(run.stdout.contains("dead.c"), "{}", run.stdout);
    folder.premiss(&["baseline", "write", "src"]).exits(0);
    assert!(folder.read("premiss-baseline.json").contains("not-read"));
    folder
        .premiss(&["check", "src/dead.c"])
        .exits(2)
        .says("dead.c");
}
