//! The time of `premiss check` on a whole tree: without a cache, with a complete cache, and after edits; and whether
//! its output is the same as without a cache.
//!
//! ```sh
//! PREMISS_TREE=lapack PREMISS_EDITS='SRC/dgesvd.f;SRC/ilaenv.f:NB = 64=>NB = 48' cargo bench -p premiss --bench checking
//! ```
//!
//! The tree is copied. An edit of a file puts a comment at its head, so that everything in it moves; one with
//! `:before=>after` replaces a text, and one with `:+` adds a statement without effect before the last `end` of the
//! file, which invalidates all cached results of this file and of those that follow calls into it. Without
//! `PREMISS_EDITS`, the first, the middle and the last file in Fortran or C get a comment. `PREMISS_ARGUMENTS` are
//! further arguments.

use std::error::Error;
use std::fmt::{Display, Formatter};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The cost of a run.
struct Measurement {
    time: Duration,
    /// The most memory that it used, in KiB; 0 if the system does not tell.
    peak: u64,
    output: Vec<u8>,
}

#[expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]
fn main() -> Result<()> {
    let Some(tree) = std::env::var_os("PREMISS_TREE") else {
        println!("PREMISS_TREE names no folder: nothing is measured");
        return Ok(());
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("checking");
    let _ = fs::remove_dir_all(&folder);
    let copy = folder.join("tree");
    copy_below(Path::new(&tree), &copy)?;
    let files = sources(&copy)?;
    let lines: usize = files.iter().map(|file| n_lines(file)).sum();
    println!("{} files, {lines} lines", files.len());
    let kept = folder.join("kept");
    let output = folder.join("output.json");
    let run = |further: &[&str]| run(&copy, &kept, &output, further);
    let cold = run(&[])?;
    show("cold", &cold);
    show("warm", &run(&[])?);
    for edit in edits(&files, &copy) {
        edit.make(&copy)?;
        let after = run(&[])?;
        show(&format!("after {edit}"), &after);
        if after.output != run(&["--no-cache"])?.output {
            return Err(format!("after {edit}, something else is found").into());
        }
    }
    fs::remove_dir_all(&folder)?;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]
fn show(what: &str, taken: &Measurement) {
    let (seconds, mebibytes) = (taken.time.as_secs_f64(), taken.peak / 1024);
    println!("{what}: {seconds:.2} s, {mebibytes} MiB");
}

/// Checks a folder, with the cache in another.
fn run(tree: &Path, kept: &Path, output: &Path, further: &[&str]) -> Result<Measurement> {
    let own = std::env::var("PREMISS_ARGUMENTS").unwrap_or_default();
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_premiss"))
        .args(["check", ".", "--format"])
        .arg(format!("json:{}", output.display()))
        .args(own.split_whitespace())
        .args(further)
        .current_dir(tree)
        .env("PREMISS_CACHE_DIR", kept)
        .env("PREMISS_CACHE_KEY", "of the benchmark")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let code = loop {
        peak = peak.max(most_memory(&status).unwrap_or(0));
        if let Some(code) = child.try_wait()? {
            break code;
        }
        thread::sleep(Duration::from_millis(5));
    };
    let time = start.elapsed();
    match code.code() {
        Some(0 | 1) => Ok(Measurement {
            time,
            peak,
            output: fs::read(output)?,
        }),
        _ => Err(format!("premiss check: {code}").into()),
    }
}

fn most_memory(status: &str) -> Option<u64> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// An edit of a file.
struct Edit {
    file: String,
    change: Change,
}

/// A change of the text of a file.
enum Change {
    /// An additional comment at its head.
    Comment,
    /// An additional statement without effect, before its last `end`.
    Statement,
    /// A text replaced by another.
    Text(String, String),
}

impl Edit {
    fn of(text: &str) -> Self {
        let (file, change) = text.split_once(':').unwrap_or((text, ""));
        Self {
            file: file.to_owned(),
            change: match change.split_once("=>") {
                Some((before, after)) => Change::Text(before.to_owned(), after.to_owned()),
                None if change == "+" => Change::Statement,
                None => Change::Comment,
            },
        }
    }

    fn make(&self, tree: &Path) -> Result<()> {
        let file = tree.join(&self.file);
        let text = fs::read_to_string(&file)?;
        let text = match (&self.change, self.file.ends_with(".c")) {
            (Change::Text(before, _), _) if !text.contains(before) => {
                return Err(format!("{}: no `{before}`", self.file).into());
            }
            (Change::Text(before, after), _) => text.replacen(before, after, 1),
            (Change::Statement, true) => before_last(&text, "}", ";"),
            (Change::Statement, false) => before_last(&text, "\n      END", "\n      CONTINUE"),
            (Change::Comment, true) => format!("/* edited */\n{text}"),
            (Change::Comment, false) => format!("! edited\n{text}"),
        };
        Ok(fs::write(file, text)?)
    }
}

impl Display for Edit {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match &self.change {
            Change::Text(before, after) => write!(f, "`{before}` is `{after}` in {}", self.file),
            Change::Statement => write!(f, "a statement in {}", self.file),
            Change::Comment => write!(f, "a comment in {}", self.file),
        }
    }
}

/// Inserts a text before the last occurrence of another, or at the end.
fn before_last(text: &str, end: &str, more: &str) -> String {
    let at = text.rfind(end).unwrap_or(text.len());
    format!("{}{more}{}", &text[..at], &text[at..])
}

fn edits(files: &[PathBuf], tree: &Path) -> Vec<Edit> {
    match std::env::var("PREMISS_EDITS") {
        Ok(edits) => edits.split(';').map(Edit::of).collect(),
        Err(_) => {
            let places = [0, files.len() / 2, files.len().saturating_sub(1)];
            let chosen = places.iter().filter_map(|place| files.get(*place));
            let chosen = chosen.filter_map(|file| file.strip_prefix(tree).ok());
            chosen
                .map(|file| Edit::of(&file.display().to_string()))
                .collect()
        }
    }
}

/// The files in C and Fortran, in order.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let extension = path.extension().and_then(|x| x.to_str()).unwrap_or("");
            match path.is_dir() {
                true => open.push(path),
                false if matches!(extension, "c" | "f" | "F" | "f90" | "F90") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    Ok(files)
}

fn n_lines(file: &Path) -> usize {
    let bytes = fs::read(file).unwrap_or_default();
    bytes.split(|byte| *byte == b'\n').count().saturating_sub(1)
}

fn copy_below(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_below(&entry.path(), &target)?,
            false => {
                fs::copy(entry.path(), target)?;
            }
        }
    }
    Ok(())
}
