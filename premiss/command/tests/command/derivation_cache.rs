//! Derivations, cached between runs of the command.

use crate::{Run, command};
use std::fs;
use std::path::{Path, PathBuf};

/// A file of ours in the folder for temporary ones, which is gone with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const GEMM: &str = "testdata/kernels/c/gemm.c";
const CACHE: [&str; 2] = ["--cache", "L1=32KiB,full,64"];

/// The commands that derive.
const COMMANDS: [&[&str]; 5] = [
    &["report", GEMM, "--engine", "closed", "--histogram"],
    &["check", GEMM, "--engine", "closed"],
    &["formula", GEMM],
    &["sweep", GEMM, "-P", "NI=20..40"],
    &["explain", "testdata/kernels/c/gemm.c:20"],
];

fn run(arguments: &[&str], more: &[&str], folder: &Path) -> Run {
    let mut command = command(&[arguments, &CACHE, more].concat());
    command.env("PREMISS_CACHE_DIR", folder);
    Run::new(&command.output().expect("the command starts"))
}

/// The names of the files with their contents.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = paths
        .map(|path| (path.clone(), fs::read(path).expect("it is ours")))
        .collect();
    files.sort();
    files
}

#[test]
fn output_does_not_depend_on_what_is_kept() {
    for (number, arguments) in COMMANDS.iter().enumerate() {
        let folder = Folder::new(&format!("kept-{number}"));
        let same = |a: &Run, b: &Run| {
            assert_eq!(
                (&a.code, &a.stdout, &a.stderr),
                (&b.code, &b.stdout, &b.stderr),
                "{arguments:?}"
            );
        };
        let without = run(arguments, &["--no-cache"], &folder.0).exits(0);
        assert!(!folder.0.exists(), "{arguments:?} keeps nothing then");
        let first = run(arguments, &[], &folder.0);
        let kept = contents(&folder.0);
        assert!(!kept.is_empty(), "{arguments:?} keeps what it derives");
        let second = run(arguments, &[], &folder.0);
        assert_eq!(contents(&folder.0), kept, "{arguments:?}");
        same(&first, &without);
        same(&second, &without);
        for (path, _) in &kept {
            fs::write(path, "something else").expect("it is ours");
        }
        same(&run(arguments, &[], &folder.0), &without);
        assert_eq!(contents(&folder.0), kept, "{arguments:?} overwrites it");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_done_without() {
    let folder = Folder::new("kept-file");
    fs::write(&folder.0, "a file").expect("it is ours");
    let run = run(COMMANDS[2], &[], &folder.0.join("below")).exits(0);
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    fs::remove_file(&folder.0).expect("it is ours");
}

#[test]
fn the_trace_keeps_nothing() {
    let folder = Folder::new("kept-trace");
    run(
        &["report", GEMM, "-P", "NI=9", "--engine", "trace"],
        &[],
        &folder.0,
    )
    .exits(0);
    assert!(!folder.0.exists());
}
