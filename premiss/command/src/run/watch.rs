//! `--watch`: runs again whenever a source file changes.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use notify::{Event, RecursiveMode, Watcher as _, recommended_watcher};
use premiss_analyze::Language;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Editors write a file in several steps: changes within this time are one change.
const BURST: Duration = Duration::from_millis(100);

/// Runs a job now, and whenever a source file below the paths changes; fails if changes cannot be observed, and ends if
/// nobody reads the output.
///
/// # Errors
///
/// A path cannot be watched, or is standard input.
pub(super) fn watch(
    paths: &[String],
    mut once: impl FnMut() -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    if paths.iter().any(|path| path == "-") {
        return Err(Failure::usage("--watch: standard input does not change"));
    }
    let (sender, changes) = channel();
    let refuse = |error: &notify::Error| Failure::File(format!("--watch: {error}"));
    let mut watcher = recommended_watcher(sender).map_err(|error| refuse(&error))?;
    let here = [".".to_owned()];
    for path in if paths.is_empty() { &here } else { paths } {
        let (folder, mode) = watch_target(Path::new(path));
        let started = watcher.watch(&folder, mode);
        started.map_err(|error| refuse(&error))?;
    }
    loop {
        match once() {
            Ok(exit) if output::reader_is_gone() => return Ok(exit),
            Ok(_) => {}
            // The file may be in the process of being written.
            Err(failure) => output::say(&format!("error: {failure}\n")),
        }
        output::say("note: waiting for changes\n");
        if !wait_for_change(&changes) {
            return Err(Failure::File(
                "--watch: changes are no longer reported".to_owned(),
            ));
        }
    }
}

/// For a file, the folder that contains it: an editor may replace the file.
fn watch_target(path: &Path) -> (PathBuf, RecursiveMode) {
    if path.is_dir() {
        return (path.to_owned(), RecursiveMode::Recursive);
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    (folder.to_owned(), RecursiveMode::NonRecursive)
}

/// Waits until a source file has changed, and while more do; false if no more events will come.
fn wait_for_change(changes: &Receiver<notify::Result<Event>>) -> bool {
    while let Ok(news) = changes.recv() {
        if news.is_ok_and(|event| is_change(&event)) {
            while changes.recv_timeout(BURST).is_ok() {}
            return true;
        }
    }
    false
}

/// Whether a source file was created, removed or modified: reading a file is an event as well.
fn is_change(event: &Event) -> bool {
    let is_source = |path: &PathBuf| {
        path.to_str()
            .is_some_and(|path| Language::of_path(path).is_some())
    };
    !event.kind.is_access() && event.paths.iter().any(is_source)
}
