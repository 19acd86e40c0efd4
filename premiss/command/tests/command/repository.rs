//! A repository of git in a folder of a test's own.

use crate::{Run, command};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

pub(crate) const CACHES: [&str; 4] = ["--cache", "L1=4KiB,full,64", "--cache", "L2=32KiB,full,64"];

/// A folder of a test's own, with a repository; it is gone afterwards.
pub(crate) struct Repository(PathBuf);

impl Repository {
    pub(crate) fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("premiss-diff-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let repository = Self(folder);
        repository.git(&["init", "--quiet"]);
        repository
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let own = [
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "commit.gpgsign=false",
        ];
        let mut git = Command::new("git");
        git.args(own).args(arguments).current_dir(&self.0);
        let output = git.output().expect("git starts");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
        self
    }

    pub(crate) fn commit(&self) -> &Self {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "x"]);
        self
    }

    pub(crate) fn diff_in(&self, folder: &str, arguments: &[&str]) -> Run {
        let all = [&["diff"][..], arguments, &CACHES].concat();
        let output = command(&all).current_dir(self.0.join(folder)).output();
        Run::new(&output.expect("it starts"))
    }

    /// The same with other caches.
    pub(crate) fn diff_with(&self, arguments: &[&str], caches: &[&str]) -> Run {
        let all = [&["diff"][..], arguments, caches].concat();
        let output = command(&all).current_dir(&self.0).output();
        Run::new(&output.expect("it starts"))
    }

    pub(crate) fn diff(&self, arguments: &[&str]) -> Run {
        self.diff_in("", arguments)
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
