// What something is made of, as a number: a part of build scripts.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Folders whose files nothing is made of.
const LEFT_OUT: [&str; 2] = ["tests", "benches"];

/// Gives the crate a digest of the files at some places, deeply, as a variable of its environment; it is built
/// anew where one of them changes.
pub(crate) fn tell(variable: &str, places: &[&str]) {
    let mut hasher = DefaultHasher::new();
    for place in places {
        let mut files = Vec::new();
        collect(Path::new(place), &mut files);
        files.sort();
        for file in files {
            // A file that comes to a folder is named by one that changes.
            println!("cargo:rerun-if-changed={}", file.display());
            file.hash(&mut hasher);
            fs::read(&file).unwrap_or_default().hash(&mut hasher);
        }
    }
    println!("cargo:rustc-env={variable}={:016x}", hasher.finish());
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
