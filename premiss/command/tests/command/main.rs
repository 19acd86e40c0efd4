//! The command as its users meet it: arguments in; streams and exit codes out.

mod adoption;
mod assume;
mod baseline;
mod build;
mod callgrind;
mod cargo;
mod check_cache;
mod closed;
mod coverage;
mod data_bounds;
mod derivation_cache;
mod determinism;
mod diff;
mod diff_html;
mod dump;
mod edited_files;
mod exit_codes;
mod explain_sets;
mod findings;
mod first_contact;
mod folder;
mod formats;
mod html;
mod ignored;
mod imports;
mod incremental_edits;
mod json;
mod machines;
#[path = "../page/numbers.rs"]
mod numbers;
mod orders;
mod policy;
mod profile;
mod programs;
mod progress;
mod refactorings;
mod repository;
mod samples;
mod schemas;
mod settings;
mod shards;
mod streams;
mod text;
mod time;
#[cfg(unix)]
mod untrusted;
mod watch;

pub(crate) use folder::Folder;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run left behind.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// The root of the repository: paths in reports are as given, relative to it.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_premiss"));
    command.args(arguments).current_dir(root());
    let cache_dirs = ["PREMISS_CACHE_DIR", "XDG_CACHE_HOME", "HOME"];
    let surroundings = [
        "NO_COLOR",
        "FORCE_COLOR",
        "CLICOLOR_FORCE",
        "GITHUB_STEP_SUMMARY",
        "PREMISS_CONFIG",
        "PREMISS_MACHINE",
        "PREMISS_BUILD",
        "PREMISS_MISSING_FLAGS",
        "PREMISS_MIN_COVERAGE",
        "PREMISS_BASELINE",
        "PREMISS_LIMIT",
        "PREMISS_PARAMS",
    ];
    for name in surroundings.iter().chain(&cache_dirs) {
        command.env_remove(name);
    }
    command.env("PREMISS_CACHE_KEY", "of the tests");
    command
}

/// Runs premiss on files.
fn premiss(arguments: &[&str]) -> Run {
    let output = command(arguments).output().expect("the command starts");
    Run::new(&output)
}

/// Runs premiss on text in standard input.
fn premiss_on(source: &str, arguments: &[&str]) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // It may end without reading all: that is for the test to judge by what it says.
    let _ = stdin.write_all(source.as_bytes());
    drop(stdin);
    Run::new(&child.wait_with_output().expect("the command ends"))
}

impl Run {
    fn new(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts the exit code.
    #[track_caller]
    fn exits(self, code: i32) -> Self {
        let Self { stdout, stderr, .. } = &self;
        assert_eq!(self.code, Some(code), "stdout: {stdout}\nstderr: {stderr}");
        self
    }

    /// Asserts that standard error has a text.
    #[track_caller]
    fn says(self, text: &str) -> Self {
        assert!(
            self.stderr.contains(text),
            "{text:?} not in {}",
            self.stderr
        );
        self
    }
}

/// A loop over `n` elements.
const SCALE: &str = "void scale(int n, double *x)\n\
                     {\n  for (int i = 0; i < n; i++)\n    x[i] *= 2;\n}\n";
