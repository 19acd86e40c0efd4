//! How far a run has come: a line on a terminal, and nothing anywhere else.

use crate::{Folder, Run, command};
use std::process::Command;

/// Takes back what stands on the line.
const CLEAR: &str = "\r\u{1b}[K";
const VARIABLES: [&str; 3] = ["CI", "TERM", "COLUMNS"];

/// Three files that take their time.
fn project(name: &str) -> Folder {
    let folder = Folder::repository(name);
    for file in ["one", "two", "three"] {
        let text = format!(
            "void {file}(double a[150][150], double b[150][150], double c[150][150])\n{{\n  \
             for (int i = 0; i < 150; i++)\n    for (int j = 0; j < 150; j++)\n      \
             for (int k = 0; k < 150; k++)\n        c[i][j] += a[i][k] * b[k][j];\n}}\n"
        );
        folder.write(&format!("src/{file}.c"), &text);
    }
    folder
}

const SLOW: &str = "check src --engine trace --no-cache";

/// Runs premiss on a terminal, data going to `out.txt`; yields what the terminal got. None without `script` of
/// util-linux.
fn on_terminal(folder: &Folder, arguments: &str, variables: &[(&str, &str)]) -> Option<String> {
    let line = format!("{} {arguments} > out.txt", env!("CARGO_BIN_EXE_premiss"));
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &line, "seen.txt"]);
    for name in VARIABLES {
        script.env_remove(name);
    }
    script.env_remove("HOME").env_remove("XDG_CACHE_HOME");
    script.env("TERM", "xterm").envs(variables.iter().copied());
    script.current_dir(&folder.0).output().ok()?;
    // What it says of itself stands before and behind.
    let seen = folder.read("seen.txt");
    let lines = seen.lines().filter(|line| !line.starts_with("Script "));
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// Without `script` the test passes and says that it was skipped.
#[test]
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn a_terminal_sees_which_file_is_counted_and_nothing_of_it_at_the_end() {
    let folder = project("progress");
    let Some(seen) = on_terminal(&folder, SLOW, &[]) else {
        println!("skipped: there is no script of util-linux");
        return;
    };
    assert!(
        seen.contains("counting ") && seen.contains("/3 functions, "),
        "{seen:?}"
    );
    let (_, last) = seen.rsplit_once("/3 functions, ").expect("the line");
    let (_, left) = last.rsplit_once(CLEAR).expect("it is taken back");
    assert!(!left.contains("src/"), "{seen:?}");
    let data = folder.read("out.txt");
    assert!(
        data.ends_with("unknown\n") && !data.contains("/3 functions"),
        "{data}"
    );
    // The same bytes as without a terminal.
    let mut without = command(&SLOW.split(' ').collect::<Vec<_>>());
    let run = Run::new(&without.current_dir(&folder.0).output().expect("it starts"));
    assert_eq!((run.stdout, run.stderr.as_str()), (data, ""));
    for variables in [[("CI", "true")], [("TERM", "dumb")]] {
        let seen = on_terminal(&folder, SLOW, &variables).expect("it was there");
        assert!(
            !seen.contains("counting") && !seen.contains(CLEAR),
            "{seen:?}"
        );
    }
    let slow = format!("{SLOW} --shard 1/2 --format json");
    let seen = on_terminal(&folder, &slow, &[]).expect("it was there");
    assert!(
        seen.contains("2 functions") || seen.contains("1 functions"),
        "{seen:?}"
    );
    // One that is over at once.
    let seen = on_terminal(&folder, "coverage src", &[]).expect("it was there");
    assert!(!seen.contains(CLEAR), "{seen:?}");
}
