//! Writing, compiling and running slices.

use crate::Row;
use premiss_memo::computed_once;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the command on a text.
pub(crate) fn premiss(arguments: &[&str], text: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_premiss"));
    command.args(arguments).arg("--no-cache");
    command.current_dir(root());
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // What does not read its input closes it.
    let _ = stdin.write_all(text);
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// With which code a slice ended, and all that it printed.
pub(crate) type Outcome = (Option<i32>, String);

/// A slice that can be compiled.
pub(crate) struct Slice {
    pub(crate) text: String,
    /// Its functions with the names of their sizes.
    pub(crate) functions: Vec<(String, Vec<String>)>,
    path: String,
    /// What the compiler says of itself.
    compiler: String,
    /// The program with integers of 128 bits, and the one without; compiled once they are run.
    programs: OnceCell<[PathBuf; 2]>,
}

impl Slice {
    /// The slice of a text; the command may end with 0 and with these codes. Nothing where there is no compiler.
    pub(crate) fn emitted(path: &str, text: &[u8], codes: &[i32]) -> Option<Self> {
        let arguments = ["formula", "-", "--stdin-filename", path, "--emit", "pbound"];
        let output = premiss(&arguments, text);
        let said = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code().expect("it ends by itself");
        assert!(code == 0 || codes.contains(&code), "{path}: {said}");
        let Ok(version) = Command::new("cc").arg("--version").output() else {
            let _ = writeln!(std::io::stderr(), "skipped: there is no cc");
            return None;
        };
        let mut slice = Self {
            text: String::from_utf8(output.stdout).expect("text"),
            functions: Vec::new(),
            path: path.to_owned(),
            compiler: String::from_utf8_lossy(&version.stdout).into_owned(),
            programs: OnceCell::new(),
        };
        slice.functions = slice.usage();
        Some(slice)
    }

    /// Functions and sizes as the program itself tells them.
    fn usage(&self) -> Vec<(String, Vec<String>)> {
        let (code, said) = self.run(&["?"; 40]);
        assert_eq!(code, Some(2), "{said}");
        let lines = said.lines().skip_while(|line| *line != "usage:").skip(1);
        let lines = lines.map(|line| {
            let mut words = line.split_whitespace().skip(1).map(str::to_owned);
            (words.next().expect("a function"), words.collect())
        });
        lines.collect()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        let arguments = arguments.iter().map(|&x| x.to_owned()).collect();
        self.outcomes(&[arguments]).remove(0)
    }

    /// What it does with each of several lists of arguments, where there are integers of 128 bits and where there are
    /// none. A slice of the same text does the same in later runs of the tests.
    fn outcomes(&self, runs: &[Vec<String>]) -> Vec<Outcome> {
        let key = format!("{}\n{runs:?}\n{}", self.compiler, self.text);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slices");
        let outcomes = computed_once(&folder, &key, || {
            let programs = self.programs.get_or_init(|| self.compile());
            let run_both = |arguments: &Vec<String>| {
                let [wide, narrow] = [0, 1].map(|idx| run(&programs[idx], arguments));
                assert_eq!(wide, narrow, "{}: {arguments:?}", self.path);
                wide
            };
            let outcomes: Vec<Outcome> = runs.iter().map(run_both).collect();
            serde_json::to_string(&outcomes).expect("text")
        });
        serde_json::from_str(&outcomes).expect("what was written")
    }

    fn compile(&self) -> [PathBuf; 2] {
        let name: String = self
            .path
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect();
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("slice").replace("::", "_");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}_{name}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        let source = folder.join("slice.c");
        std::fs::write(&source, &self.text).expect("a file");
        [("slice", "-O1"), ("slice_64", "-U__SIZEOF_INT128__")].map(|(name, option)| {
            let program = folder.join(name);
            let mut compiler = Command::new("cc");
            compiler.args([
                "-std=c99",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-pedantic",
                option,
            ]);
            let output = compiler.arg("-o").arg(&program).arg(&source).output();
            let output = output.expect("the compiler starts");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {said}", self.path);
            program
        })
    }

    /// The log of a function at sizes for which it holds; it may leave something out.
    pub(crate) fn log(&self, function: &str, sizes: &[i64]) -> Log {
        self.logs(function, &[sizes.to_vec()]).remove(0)
    }

    /// The logs of a function at several points.
    pub(crate) fn logs(&self, function: &str, points: &[Vec<i64>]) -> Vec<Log> {
        let arguments = |point: &Vec<i64>| {
            let sizes = point.iter().map(i64::to_string);
            std::iter::once(function.to_owned()).chain(sizes).collect()
        };
        let runs: Vec<Vec<String>> = points.iter().map(arguments).collect();
        let outcomes = self.outcomes(&runs).into_iter().zip(points);
        let logs = outcomes.map(|((code, said), point)| {
            assert!(matches!(code, Some(0 | 3)), "{function} {point:?}: {said}");
            assert_eq!(code == Some(3), said.contains("left out: "), "{said}");
            Log::read(&said)
        });
        logs.collect()
    }

    /// The text of a function.
    pub(crate) fn function(&self, name: &str) -> &str {
        let start = self
            .text
            .find(&format!("void {name}_pbound("))
            .expect("it is there");
        let end = self.text[start..].find("\n}\n").expect("it ends");
        &self.text[start..start + end]
    }
}

fn run(program: &Path, arguments: &[String]) -> Outcome {
    // Its usage says by what name it was called.
    let output = Command::new(program).arg0("slice").args(arguments).output();
    let output = output.expect("it starts");
    let both = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(both).expect("text"))
}

/// What a slice prints.
pub(crate) struct Log {
    pub(crate) total: Row,
    /// Each place with its numbers.
    places: Vec<(String, Row)>,
}

impl Log {
    /// Numbers that are not known are up to the largest there is.
    pub(crate) fn read(text: &str) -> Self {
        let number = |text: &str| text.parse().expect("a number");
        let cell = |text: &str| match text.split_once("..") {
            None => (number(text), number(text)),
            Some((least, "?")) => (number(least), u64::MAX),
            Some((least, most)) => (number(least), number(most)),
        };
        let mut rows = Vec::new();
        for line in text.lines().skip(2) {
            if line.starts_with("left out") {
                break;
            }
            let (cells, place) = line
                .trim_start()
                .split_at(line.trim_start().rfind("  ").expect("two blanks"));
            let cells: Vec<(u64, u64)> = cells.split_whitespace().map(cell).collect();
            rows.push((
                place.trim().to_owned(),
                cells.try_into().expect("six numbers"),
            ));
        }
        let total = rows.remove(0);
        assert_eq!(total.0, "total");
        Self {
            total: total.1,
            places: rows,
        }
    }

    /// The numbers of what begins in each line; those of the function itself at 0.
    pub(crate) fn by_line(&self) -> BTreeMap<u32, Row> {
        let mut lines: BTreeMap<u32, Row> = BTreeMap::new();
        for (place, row) in &self.places {
            let line = match place.strip_prefix("loop at ") {
                None => 0,
                Some(place) => place
                    .split(':')
                    .nth(1)
                    .expect("a line")
                    .parse()
                    .expect("a number"),
            };
            let sum = lines.entry(line).or_insert([(0, 0); 6]);
            for (sum, each) in sum.iter_mut().zip(row) {
                *sum = (sum.0 + each.0, sum.1.saturating_add(each.1));
            }
        }
        lines.retain(|_, row| *row != [(0, 0); 6]);
        lines
    }
}
