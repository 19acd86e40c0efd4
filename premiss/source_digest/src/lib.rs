//! A digest of source files at build time, exported as an environment variable of the compilation; for build scripts.
//!
//! Results that are cached between runs carry the digest of the program that derived them. If it differs, they are not
//! used. Packages from a registry do not include the surrounding folders: there, the digest covers the version, which
//! all crates of the workspace share, and the files that exist.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script reads sources, and tells Cargo what to do on its standard output"
)]

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Folders whose files are not part of a program.
const EXCLUDED: [&str; 2] = ["tests", "benches"];

/// Sets the environment variable `variable` of the compilation to 16 hexadecimal digits, a digest of the crate's
/// version and of the files at these paths, including folders recursively (those called `tests` or `benches` within them
/// are left out), and has Cargo run the build script again
/// when one of them changes. Paths that do not exist are ignored.
pub fn export(variable: &str, paths: &[&str]) {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    for path in paths {
        let mut files = Vec::new();
        collect(Path::new(path), &mut files);
        files.sort();
        for file in files {
            // A file added to a folder is declared in another file, which changes then.
            println!("cargo:rerun-if-changed={}", file.display());
            file.hash(&mut hasher);
            fs::read(&file).unwrap_or_default().hash(&mut hasher);
        }
    }
    println!("cargo:rustc-env={variable}={:016x}", hasher.finish());
}

/// The files at a path, apart from those in folders within it that are no part of a program; none if it does not
/// exist.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    let is_part = |entry: &fs::DirEntry| EXCLUDED.iter().all(|name| entry.file_name() != **name);
    match fs::read_dir(path) {
        Ok(entries) => entries
            .flatten()
            .filter(is_part)
            .for_each(|entry| collect(&entry.path(), files)),
        Err(_) if path.is_file() => files.push(path.to_owned()),
        Err(_) => {}
    }
}
