//! `premiss check --watch`

use crate::{SCALE, command, premiss};
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;
use std::{env, fs};

/// No check of a few lines takes so long.
const LONGEST: Duration = Duration::from_secs(120);

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
    let (sender, summaries) = channel();
    std::thread::spawn(move || {
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        lines.try_for_each(|line| sender.send(line))
    });
    let nests = |n: usize| {
        let wanted = format!("Coverage: {n}/{n} nests exact, 0 bounded, 0 unknown");
        while summaries.recv_timeout(LONGEST).expect("it checks in time") != wanted {}
    };
    nests(1);
    // What is no source changes nothing.
    fs::write(folder.join("notes.txt"), "a note").expect("there is room");
    let twice = SCALE.to_owned() + &SCALE.replace("scale", "again");
    fs::write(&file, twice).expect("there is room");
    nests(2);
    // Checking reads files, which is no change either.
    assert!(summaries.recv_timeout(Duration::from_secs(1)).is_err());
    fs::write(&file, SCALE).expect("there is room");
    nests(1);
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
