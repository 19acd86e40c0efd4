//! Writing, compiling and running slices.

use crate::Row;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the command on a text.
pub(crate) fn premiss(arguments: &[&str], text: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_premiss"));
    command
        .args(arguments)
        .arg("--no-cache")
        .current_dir(root());
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // What does not read its input closes it.
    let _ = stdin.write_all(text);
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// A slice that is compiled.
pub(crate) struct Slice {
    pub(crate) text: String,
    /// Its functions with the names of their sizes.
    pub(crate) functions: Vec<(String, Vec<String>)>,
    program: PathBuf,
    /// The same where there are no integers of 128 bits.
    narrow: PathBuf,
}

impl Slice {
    /// The slice of a text; the command may end with 0 and with these codes. Nothing where there is no compiler.
    pub(crate) fn compiled(path: &str, text: &[u8], codes: &[i32]) -> Option<Self> {
        let arguments = ["formula", "-", "--stdin-filename", path, "--emit", "pbound"];
        let output = premiss(&arguments, text);
        let said = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code().expect("it ends by itself");
        assert!(code == 0 || codes.contains(&code), "{path}: {said}");
        let slice = String::from_utf8(output.stdout).expect("text");
        let name: String = path
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect();
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("slice").replace("::", "_");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}_{name}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        let [source, program, narrow] =
            ["slice.c", "slice", "slice_64"].map(|name| folder.join(name));
        std::fs::write(&source, &slice).expect("a file");
        for (program, option) in [(&program, "-O1"), (&narrow, "-U__SIZEOF_INT128__")] {
            let mut compiler = Command::new("cc");
            compiler.args([
                "-std=c99",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-pedantic",
                option,
                "-o",
            ]);
            let Ok(output) = compiler.arg(program).arg(&source).output() else {
                let _ = writeln!(std::io::stderr(), "skipped: there is no cc");
                return None;
            };
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{path}: {said}");
        }
        let mut slice = Self {
            text: slice,
            functions: Vec::new(),
            program,
            narrow,
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

    /// The code with which it ends, and all that it prints.
    pub(crate) fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        run(&self.program, arguments)
    }

    /// The log of a function at sizes for which it holds; it may leave something out.
    pub(crate) fn log(&self, function: &str, sizes: &[i64]) -> Log {
        let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
        let arguments = std::iter::once(function).chain(sizes.iter().map(String::as_str));
        let arguments: Vec<&str> = arguments.collect();
        let (code, said) = self.run(&arguments);
        assert!(matches!(code, Some(0 | 3)), "{function} {sizes:?}: {said}");
        assert_eq!(code == Some(3), said.contains("left out: "), "{said}");
        assert_eq!(run(&self.narrow, &arguments), (code, said.clone()));
        Log::read(&said)
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

fn run(program: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(program).args(arguments).output();
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
