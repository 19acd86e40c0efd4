//! Which files of a folder are looked at.

use crate::SCALE;
use crate::folder::Folder;
use std::{env, fs, process};

#[test]
fn what_git_ignores_is_left_out_but_for_headers() {
    let folder = Folder::repository("ignored");
    let sized = "#include \"made.h\"\nvoid f(double *x)\n{\n  for (int i = 0; i < SIZE; i++)\n    x[i] = 0;\n}\n";
    folder.write("src/f.c", sized).write("src/g.c", SCALE);
    folder
        .write("made/made.c", SCALE)
        .write("made/made.h", "#define SIZE 10\n");
    folder
        .write(".hidden/h.c", SCALE)
        .write(".gitignore", "/made/\ng.c\n");
    let run = folder.premiss(&["coverage", "."]).exits(0);
    assert!(run.stdout.contains("src/f.c"), "{}", run.stdout);
    for left_out in ["g.c", "made.c", "h.c"] {
        assert!(!run.stdout.contains(left_out), "{left_out}: {}", run.stdout);
    }
    assert!(
        run.stdout.contains("1/1 nests exact"),
        "{}\n{}",
        run.stdout,
        run.stderr
    );
    // What is named is looked at.
    let run = folder.premiss(&["coverage", "src/g.c", "made"]).exits(0);
    assert!(run.stdout.contains("2/2 nests exact"), "{}", run.stdout);
}

#[test]
fn without_a_repository_nothing_is_ignored() {
    // The folders of other tests are in a repository: that of this project.
    let folder = Folder(env::temp_dir().join(format!("premiss-ignored-{}", process::id())));
    folder.write("a.c", SCALE).write(".gitignore", "a.c\n");
    let run = folder.premiss(&["coverage", "."]).exits(0);
    assert!(run.stdout.contains("1/1 nests exact"), "{}", run.stdout);
    fs::remove_dir_all(&folder.0).expect("it is there");
}
