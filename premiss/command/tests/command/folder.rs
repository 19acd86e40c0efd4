//! A folder with files that a test writes, and premiss in it.

use crate::{Run, command};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// An empty one.
    pub(crate) fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join("folders")
            .join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    /// An empty one that git knows.
    pub(crate) fn repository(name: &str) -> Self {
        let folder = Self::new(name);
        folder.git(&["init", "--quiet", "--initial-branch=main"]);
        folder
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("it is written");
        self
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn remove(&self, path: &str) -> &Self {
        fs::remove_file(self.0.join(path)).expect("it is there");
        self
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> &Self {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("git starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        self
    }

    pub(crate) fn commit(&self) -> &Self {
        self.git(&["add", "--all"])
            .git(&["commit", "--quiet", "--message", "files"])
    }

    pub(crate) fn premiss(&self, arguments: &[&str]) -> Run {
        self.premiss_in("", arguments)
    }

    pub(crate) fn premiss_in(&self, below: &str, arguments: &[&str]) -> Run {
        let mut command = command(arguments);
        let output = command.current_dir(self.0.join(below)).output();
        Run::new(&output.expect("it starts"))
    }

    pub(crate) fn premiss_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
        let mut command = command(arguments);
        command.envs(variables.iter().copied()).current_dir(&self.0);
        Run::new(&command.output().expect("it starts"))
    }
}
