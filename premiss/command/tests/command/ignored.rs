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
    for read in ["src/f.c", ".hidden/h.c"] {
        assert!(run.stdout.contains(read), "{}", run.stdout);
    }
    for left_out in ["g.c", "made.c"] {
        assert!(!run.stdout.contains(left_out), "{left_out}: {}", run.stdout);
    }
    assert!(
        run.stdout.contains("2/2 nests exact"),
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

#[test]
fn what_a_user_ignores_is_looked_at() {
    for (number, file) in [".git/info/exclude", "src/.ignore", "git/ignore"]
        .iter()
        .enumerate()
    {
        let folder = Folder::repository(&format!("ignored-by-user-{number}"));
        folder.write("src/a.c", SCALE).write(file, "a.c\n");
        let home = folder.0.to_string_lossy().into_owned();
        let run = folder.premiss_with(&[("XDG_CONFIG_HOME", &home)], &["coverage", "src"]);
        let run = run.exits(0);
        assert!(run.stdout.contains("src/a.c"), "{file}: {}", run.stdout);
    }
}

#[test]
fn what_a_submodule_tracks_is_looked_at() {
    let library = Folder::repository("ignored-library");
    library.write("a.c", SCALE).commit();
    library.write(".gitignore", "a.c\n").commit();
    let folder = Folder::repository("ignored-submodule");
    let source = library.0.to_string_lossy().into_owned();
    let allowed = ["-c", "protocol.file.allow=always", "submodule", "--quiet"];
    folder.git(&[&allowed[..], &["add", &source, "library"]].concat());
    let run = folder.premiss(&["coverage", "."]).exits(0);
    assert!(run.stdout.contains("library/a.c"), "{}", run.stdout);
}

#[test]
fn what_git_tracks_has_to_be_known_if_something_is_ignored() {
    let folder = Folder::repository("ignored-unknown");
    folder.write("src/a.c", SCALE).write("src/b.c", SCALE);
    folder.commit().write(".git/index", "no index");
    folder.premiss(&["coverage", "src"]).exits(0);
    folder.write(".gitignore", "b.c\n");
    folder
        .premiss(&["coverage", "src"])
        .exits(2)
        .says("git cannot tell which of them it tracks");
}

#[test]
fn files_are_listed_with_the_reason_for_which_they_are_skipped() {
    let folder = Folder::repository("listed");
    for file in [
        "src/a.c",
        "src/tracked.c",
        "src/made.c",
        "src/out.c",
        "src/b.cc",
        "src/gone.c",
    ] {
        folder.write(file, SCALE);
    }
    folder
        .git(&["add", "src/tracked.c", "src/gone.c"])
        .write(".gitignore", "tracked.c\nmade.c\n")
        .write("premiss.toml", "exclude = [\"out.c\"]\n")
        .commit()
        .remove("src/gone.c");
    let expected = "src/a.c\nsrc/tracked.c\n\
                    skipped src/b.cc: C++ is not supported\n\
                    skipped src/made.c: git ignores it\n\
                    skipped src/out.c: settings exclude it\n";
    for command in ["check", "coverage"] {
        let run = folder.premiss(&[command, "--show-files", "src"]).exits(0);
        assert_eq!(run.stdout, expected, "{command}");
    }
    let base = ["diff", "--base", "HEAD", "--show-files", "src"];
    let run = folder.premiss(&base).exits(0);
    assert_eq!(run.stdout, format!("{expected}base alone src/gone.c\n"));
}

#[test]
fn every_language_that_is_not_read_is_named() {
    let folder = Folder::repository("languages");
    folder.write("src/a.c", SCALE);
    for ending in [
        "cc", "cpp", "cxx", "c++", "C", "hh", "hpp", "hxx", "h++", "cu", "cuh", "hip", "ispc",
    ] {
        let file = format!("src/b.{ending}");
        folder.write(&file, SCALE);
        folder.premiss(&["coverage", "src"]).exits(3).says(&file);
        folder.remove(&file);
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_in_a_folder_is_named_and_skipped() {
    let folder = Folder::repository("unreadable");
    folder.write("src/a.c", SCALE).write("src/empty.c", "");
    folder
        .write("src/zero.c", "int a;\0")
        .write("src/b.jl", "")
        .write("src/c.py", "");
    std::os::unix::fs::symlink("nowhere.c", folder.0.join("src/link.c")).expect("a link");
    let told = [
        "it is a link to a file that does not exist: `src/link.c` is not read",
        "it is no text, as it has a zero byte: `src/zero.c` is not read",
        "files in other languages are not read: 1 Julia, 1 Python",
    ];
    for (command, code) in [("coverage", 3), ("check", 1)] {
        let arguments = [command, "src", "-P", "n=10", "--format", "json"];
        let run = folder.premiss(&arguments).exits(code);
        for told in told {
            assert!(run.stdout.contains(told), "{told}: {}", run.stdout);
        }
    }
    // A comparison takes them for the same on both sides, and a new one for undecided.
    folder.commit();
    let compared = ["diff", "--base", "HEAD", "-P", "n=10", "src"];
    folder.premiss(&compared).exits(0);
    folder.write("src/zero.c", "int b;\0");
    folder.premiss(&compared).exits(3);
    // What is named has to be there.
    folder.premiss(&["coverage", "src/link.c"]).exits(2);
}

#[test]
fn a_folder_without_source_files_is_2() {
    let folder = Folder::repository("without-sources");
    folder.write("src/a.c", SCALE).write("notes/a.txt", "a");
    for paths in [&["notes"][..], &["src", "notes"]] {
        let check = [&["check", "-P", "n=10"], paths].concat();
        folder
            .premiss(&check)
            .exits(2)
            .says("`notes`: it has no files in C, Fortran or Rust");
    }
}

#[test]
fn an_empty_file_is_no_error() {
    let folder = Folder::repository("empty");
    folder.write("src/empty.c", "").write("src/a.c", SCALE);
    folder.premiss(&["check", "src", "-P", "n=10"]).exits(0);
    folder.premiss(&["report", "src/empty.c"]).exits(0);
    folder
        .git(&["add", "."])
        .git(&["commit", "--quiet", "--message", "x"]);
    folder.premiss(&["diff", "--base", "HEAD", "src"]).exits(0);
}
