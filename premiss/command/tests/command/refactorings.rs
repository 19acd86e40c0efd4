//! A gate that never cries wolf and never fails open: refactorings that keep every loop's accesses pass, and those
//! that cost misses are caught in the function and on the line that they are in, with sizes that are known and with
//! sizes that are not, from git and from two folders.

mod c;
mod fortran;
mod hurting;
mod nests;
mod rust;

use crate::repository::Repository;
use crate::{Run, command, root};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Few lines and several sets, so that what is placed elsewhere would be seen.
const CACHES: [&str; 6] = [
    "--cache",
    "L1=4KiB,4,64",
    "--cache",
    "L2=32KiB,4,64",
    "--tlb",
    "dTLB=8,4,4096",
];

/// Files by path.
type Files = Vec<(String, String)>;

/// A program before and after, and what is to be said of it.
struct Case {
    name: &'static str,
    base: Files,
    head: Files,
    expected: Expected,
}

/// What `premiss diff` has to find.
#[derive(Clone, Copy)]
enum Expected {
    /// Nothing.
    Kept,
    /// A regression of this function, on the line of this text.
    Worse {
        function: &'static str,
        text: &'static str,
    },
}

/// A base program in `testdata/refactorings`.
fn base_text(name: &str) -> String {
    let path = root().join("testdata/refactorings").join(name);
    fs::read_to_string(path).expect("a base")
}

/// A text with parts replaced, each of which has to be there.
fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "no {from:?} in\n{text}");
        text.replace(from, to)
    })
}

/// The text with one part between two marks moved behind the end.
fn last(text: &str, from: &str, to: &str) -> String {
    let start = text.find(from).expect("the beginning");
    let end = start + text[start..].find(to).expect("the end") + to.len();
    let (part, rest) = (&text[start..end], [&text[..start], &text[end..]].concat());
    format!("{rest}\n{part}")
}

impl Case {
    /// A refactoring of one file that keeps what it does.
    fn keeps(name: &'static str, path: &str, base: &str, head: String) -> Self {
        Self::unharmed(
            name,
            vec![(path.to_owned(), base.to_owned())],
            vec![(path.to_owned(), head)],
        )
    }

    fn unharmed(name: &'static str, base: Files, head: Files) -> Self {
        Self {
            name,
            base,
            head,
            expected: Expected::Kept,
        }
    }

    /// One that costs misses.
    fn hurts(
        name: &'static str,
        path: &str,
        (base, head): (&str, String),
        (function, text): (&'static str, &'static str),
    ) -> Self {
        assert!(head.contains(text), "{name}: no {text:?}");
        Self {
            name,
            base: vec![(path.to_owned(), base.to_owned())],
            head: vec![(path.to_owned(), head)],
            expected: Expected::Worse { function, text },
        }
    }

    /// The same the other way round.
    fn reversed(mut self, name: &'static str) -> Self {
        std::mem::swap(&mut self.base, &mut self.head);
        self.name = name;
        self
    }

    /// What is wrong with what the gate says, from git and from folders.
    fn complaints(&self, arguments: &[&str], cache: &Path) -> String {
        // Several tests try the same cases at a time.
        static TRIED: AtomicUsize = AtomicUsize::new(0);
        let number = TRIED.fetch_add(1, Ordering::Relaxed);
        let repository = Repository::new(&format!("case-{number}"));
        let write = |folder: &str, files: &Files| {
            for (path, text) in files {
                repository.write(&format!("{folder}/{path}"), text);
            }
        };
        write("src", &self.base);
        repository.commit();
        fs::remove_dir_all(repository.path("src")).expect("it is there");
        write("src", &self.head);
        write("old", &self.base);
        let mut complaints = String::new();
        for words in [&["--base", "HEAD", "src"][..], &["old", "src"]] {
            // Not one miss more is kept.
            let strict = ["diff", "--limit", "0%"];
            let mut diff = command(&[&strict[..], words, arguments, &CACHES].concat());
            diff.current_dir(repository.path("."))
                .env("PREMISS_CACHE_DIR", cache);
            let run = Run::new(&diff.output().expect("it starts"));
            let said = match self.expected {
                Expected::Kept => {
                    run.code == Some(0)
                        && run.stdout.contains("Nests: 0 changed")
                        && !run.stderr.contains("error")
                }
                Expected::Worse { function, text } => {
                    let place = self.place(text);
                    run.code == Some(1)
                        && run.stdout.contains(&place)
                        && run.stdout.contains(function)
                }
            };
            if !said {
                let _ = writeln!(
                    complaints,
                    "=== {}: {words:?} {arguments:?}: {:?}\n{}{}",
                    self.name, run.code, run.stdout, run.stderr
                );
            }
        }
        complaints
    }

    /// `src/k.c:6:`: the line that a text of the head is on.
    fn place(&self, text: &str) -> String {
        let of_file = |(path, all): &(String, String)| {
            let start = all.find(text)?;
            Some(format!(
                "src/{path}:{}:",
                all[..start].matches('\n').count() + 1
            ))
        };
        self.head
            .iter()
            .find_map(of_file)
            .expect("the text is in the head")
    }
}

/// What is wrong with what the gate says of each case.
fn complaints(cases: &[Case], arguments: &[&str]) -> Vec<String> {
    // The cases have much in common, and stay as they are: what something costs is derived once, for later runs of the
    // tests too.
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refactorings-cache");
    let complaints = cases.iter().map(|case| case.complaints(arguments, &cache));
    complaints.collect()
}

/// Tries all cases, and tells of all that fail.
#[track_caller]
fn try_all(cases: &[Case], arguments: &[&str]) {
    let complaints = complaints(cases, arguments);
    let failed = complaints.iter().filter(|text| !text.is_empty()).count();
    assert!(
        failed == 0,
        "{failed} of {} fail\n{}",
        cases.len(),
        complaints.concat()
    );
}
