//! A digest of sources at build time, as an environment variable of the compilation: for build scripts.
//!
//! Results that are stored between runs carry the digest of the program that derived them. Where it differs, what is
//! stored is not used. Packages of a registry come without the folders around them: there the version, which all
//! crates of the workspace share, stands for these.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script reads sources, and tells Cargo what to do on its standard output"
)]

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Folders whose files no program is compiled from.
const EXCLUDED: [&str; 2] = ["tests", "benches"];

/// Sets the variable to a digest of the files at these paths, folders deeply, and has Cargo run the script again when
/// one of them changes.
pub fn export(variable: &str, paths: &[&str]) {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    for path in paths {
        let mut files = Vec::new();
        collect(Path::new(path), &mut files);
        files.sort();
        for file in files {
            // A file that is added to a folder is declared in one that changes.
            println!("cargo:rerun-if-changed={}", file.display());
            file.hash(&mut hasher);
            fs::read(&file).unwrap_or_default().hash(&mut hasher);
        }
    }
    println!("cargo:rustc-env={variable}={:016x}", hasher.finish());
}

/// The files at a path; none where there is nothing.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    let is_excluded = |name: &std::ffi::OsStr| EXCLUDED.iter().any(|other| name == *other);
    if path.file_name().is_some_and(is_excluded) {
        return;
    }
    match fs::read_dir(path) {
        Ok(entries) => entries
            .flatten()
            .for_each(|entry| collect(&entry.path(), files)),
        Err(_) if path.is_file() => files.push(path.to_owned()),
        Err(_) => {}
    }
}
