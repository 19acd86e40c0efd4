//! The first screen: what is in the current folder, and what to type next.

use premiss_analyze::Language;
use premiss_check::first_sources;
use std::fmt::Write as _;
use std::path::Path;

/// Files beyond this number are not counted.
const MOST_FILES: usize = 10_000;

/// What `premiss` without arguments prints, in a folder.
pub(crate) fn text(folder: &Path) -> String {
    let files = first_sources(folder, MOST_FILES);
    let mut text =
        "premiss predicts cache and TLB misses from C, Fortran or Rust source.\n\n".to_owned();
    match files.first() {
        None => text.push_str(
            "This folder has no files in C, Fortran or Rust. In one that has, or with the path of a file:\n\n",
        ),
        Some(_) => {
            let _ = writeln!(text, "This folder has {}. Next:\n", counted(&files));
        }
    }
    let file = files.first().map_or("FILE", String::as_str);
    for (command, purpose) in [
        ("premiss check .".to_owned(), "findings in all of them"),
        (format!("premiss report {file}"), "one file, line by line"),
        (
            format!("premiss formula {file}"),
            "the same as formulas in its sizes",
        ),
        (
            "premiss diff --base HEAD .".to_owned(),
            "what misses more than in that revision",
        ),
    ] {
        let _ = writeln!(text, "  {command:<40} {purpose}");
    }
    text.push_str("\nSizes get values with -P n=1000. All commands: premiss --help\n");
    text
}

/// `12 C files and 3 Fortran files`
fn counted(files: &[String]) -> String {
    let languages = [
        (Language::C, "C"),
        (Language::Fortran, "Fortran"),
        (Language::Rust, "Rust"),
    ];
    let of_one = |(language, name): (Language, &str)| {
        let is_its = |file: &&String| Language::of_path(file) == Some(language);
        let all = match files.iter().filter(is_its).count() {
            0 => return None,
            1 => format!("1 {name} file"),
            n => format!("{n} {name} files"),
        };
        Some(all)
    };
    let parts: Vec<String> = languages.into_iter().filter_map(of_one).collect();
    let at_least = if files.len() == MOST_FILES {
        "at least "
    } else {
        ""
    };
    match parts.split_last() {
        Some((last, [])) => format!("{at_least}{last}"),
        Some((last, before)) => format!("{at_least}{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_counted_by_name() {
        let files = ["a.c", "b.c", "m.f90", "x.rs"].map(str::to_owned);
        assert_eq!(counted(&files), "2 C files, 1 Fortran file and 1 Rust file");
        assert_eq!(counted(&files[..1]), "1 C file");
    }
}
