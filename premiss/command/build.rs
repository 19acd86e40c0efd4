//! Tells the command what the program was made of: what a program found whose sources differ in anything
//! is not what this one would find.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// What the program is made of, from this crate's folder.
const MADE_OF: [&str; 6] = [
    "../../frontend",
    "../../polyhedral",
    "../../reuse",
    "../../bounds",
    "../../premiss",
    "../../Cargo.lock",
];

/// Folders that are no part of the program.
const LEFT_OUT: [&str; 2] = ["tests", "benches"];

fn main() {
    let mut hasher = DefaultHasher::new();
    for place in MADE_OF {
        let mut files = Vec::new();
        collect(Path::new(place), &mut files);
        files.sort();
        for file in files {
            println!("cargo:rerun-if-changed={}", file.display());
            file.hash(&mut hasher);
            fs::read(&file).unwrap_or_default().hash(&mut hasher);
        }
    }
    let program = hasher.finish();
    println!("cargo:rustc-env=PREMISS_PROGRAM={program:016x}");
}

/// The files at a place; none where there is nothing.
fn collect(place: &Path, files: &mut Vec<PathBuf>) {
    let is_left_out = |name: &std::ffi::OsStr| LEFT_OUT.iter().any(|other| name == *other);
    if place.file_name().is_some_and(is_left_out) {
        return;
    }
    match fs::read_dir(place) {
        Ok(entries) => entries
            .flatten()
            .for_each(|entry| collect(&entry.path(), files)),
        Err(_) if place.is_file() => files.push(place.to_owned()),
        Err(_) => {}
    }
}
