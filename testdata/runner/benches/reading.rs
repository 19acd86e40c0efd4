//! How many lines of C, Fortran and Rust are read in a minute, from text to trees, on one core.
//!
//! ```sh
//! cargo bench -p premiss-testdata --bench reading
//! ```
//!
//! The program is made of all kernels of `testdata/kernels`, each as often as it takes: their functions
//! and names differ from copy to copy. On a real package, `premiss coverage -I . .` says the same:
//!
//! ```sh
//! cd gsl && time taskset -c 0 premiss coverage -I . . -o coverage.txt
//! ```

use premiss_testdata::kernel::{Kernel, ODD_SIZES};
use premiss_testdata::truth::testdata;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What the best of so many passes took counts.
const PASSES: usize = 3;

fn main() {
    for language in ["c", "fortran", "rust"] {
        let mut paths = Vec::new();
        collect(&testdata().join("kernels").join(language), &mut paths);
        paths.sort();
        let files: Vec<(String, String)> = paths.iter().map(|path| file(path)).collect();
        let n_lines: usize = files.iter().map(|(_, text)| text.lines().count()).sum();
        let best = (0..PASSES).map(|_| pass(&files)).min();
        let seconds = best.unwrap_or(Duration::ZERO).as_secs_f64();
        report(language, files.len(), n_lines, seconds);
    }
}

/// The name of a file that has a kernel many times, and its text.
fn file(path: &Path) -> (String, String) {
    let text = fs::read_to_string(path).expect("a kernel");
    let extension = path.extension().and_then(|x| x.to_str()).unwrap_or("");
    let text = match extension {
        "c" => many(&text),
        // Modules of their own keep the names apart.
        "rs" => repeated(&text, |copy, text| {
            format!("mod copy{copy} {{\n{text}\n}}\n")
        }),
        _ => repeated(&text, |_, text| text.to_owned()),
    };
    (format!("kernels.{extension}"), text)
}

/// A text twenty times.
fn repeated(text: &str, one: impl Fn(usize, &str) -> String) -> String {
    (0..20).map(|copy| one(copy, text)).collect()
}

#[expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]
#[expect(clippy::cast_precision_loss, reason = "a figure to be read")]
fn report(language: &str, n_files: usize, n_lines: usize, seconds: f64) {
    let per_minute = n_lines as f64 * 60.0 / seconds;
    println!(
        "{language}: {n_files} files, {n_lines} lines, {seconds:.2} s: {per_minute:.0} lines a minute on one core"
    );
}

/// Reads all files, one after another.
fn pass(files: &[(String, String)]) -> Duration {
    let start = Instant::now();
    for (name, text) in files {
        let kernel = Kernel::from_bytes(name, text.clone().into_bytes(), &[], &ODD_SIZES);
        assert!(!kernel.unit.functions.is_empty());
    }
    start.elapsed()
}

/// A kernel twenty times, its names apart by a macro for each.
fn many(text: &str) -> String {
    let mut file = String::new();
    for copy in 0..20 {
        for name in names(text) {
            file += &format!("#undef {name}\n#define {name} {name}_{copy}\n");
        }
        file += text;
        file.push('\n');
    }
    file
}

/// The functions and structs that a text defines, by their looks.
fn names(text: &str) -> Vec<&str> {
    let lines = text.lines();
    lines
        .filter(|line| !line.starts_with([' ', '\t', '#', '/', '}', '{', '*']))
        .filter_map(|line| {
            if let Some(rest) = line.strip_prefix("struct ") {
                return rest.split_whitespace().next();
            }
            let (head, _) = line.split_once('(')?;
            head.rsplit([' ', '*']).next()
        })
        .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty())
        .collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of kernels") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path
            .extension()
            .is_some_and(|x| x == "c" || x == "f" || x == "f90" || x == "rs")
        {
            paths.push(path);
        }
    }
}
