//! `premiss check --watch`

use crate::{SCALE, command, premiss};
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::{env, fs};

#[test]
fn a_change_is_checked() {
    let folder = env::temp_dir().join(format!("premiss-watch-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("there is room");
    let file = folder.join("scale.c");
    fs::write(&file, SCALE).expect("there is room");
    let path = folder.to_str().expect("a plain name");
    let mut child = command(&["check", path, "-P", "n=10", "--watch", "--no-cache"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let stdout = child.stdout.take().expect("it is piped");
    let mut summaries = BufReader::new(stdout).lines().map_while(Result::ok);
    let mut summary = || summaries.find(|line| line.starts_with("Coverage:"));
    assert_eq!(
        summary().as_deref(),
        Some("Coverage: 1/1 nests exact, 0 bounded, 0 unknown")
    );
    let twice = SCALE.to_owned() + &SCALE.replace("scale", "again");
    // What is no source changes nothing.
    fs::write(folder.join("notes.txt"), "a note").expect("there is room");
    fs::write(&file, twice).expect("there is room");
    assert_eq!(
        summary().as_deref(),
        Some("Coverage: 2/2 nests exact, 0 bounded, 0 unknown")
    );
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn standard_input_does_not_change() {
    premiss(&["check", "-", "--watch"])
        .exits(2)
        .says("does not change");
    premiss(&["check", "nowhere/at/all.c", "--watch"])
        .exits(2)
        .says("--watch");
}
