//! Attacks by a tree on those who analyse it: it runs no program, reads nothing outside of itself, and says nothing to
//! terminals, CI servers and people. Each test first shows that its attack would work on who is not careful.

mod files;
mod output;
mod programs;

use crate::{Folder, Run, command};
use std::time::{Duration, Instant};

impl Run {
    /// Asserts that the output has a text, wherever its lines end.
    #[track_caller]
    fn tells(self, text: &str) -> Self {
        let words = [&self.stdout, &self.stderr].map(|x| x.split_whitespace());
        let words = words.into_iter().flatten().filter(|word| *word != "│");
        let said = words.collect::<Vec<_>>().join(" ");
        assert!(said.contains(text), "{text:?} not in {said}");
        self
    }
}

/// Longer than this, a run is waiting for something.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs premiss in a folder; a run that waits for something is ended, and fails the test.
#[track_caller]
fn ends(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = command(arguments);
    command.current_dir(&folder.0);
    command.stdin(std::process::Stdio::null());
    command.stdout(std::process::Stdio::piped());
    command.stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let start = Instant::now();
    while child.try_wait().expect("it is ours").is_none() {
        if PATIENCE < start.elapsed() {
            child.kill().expect("it is ours");
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Run::new(&child.wait_with_output().expect("it ended"))
}
