//! Tells the library what it was made of: derivations kept by a program whose sources differ in
//! anything that derivations depend on are not those that this one would make.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// What a derivation depends on, from this crate's folder.
const MADE_OF: [&str; 4] = [
    "src",
    "../../polyhedral",
    "../../reuse/distance/src",
    "../../Cargo.lock",
];

fn main() {
    let mut hasher = DefaultHasher::new();
    for place in MADE_OF {
        println!("cargo:rerun-if-changed={place}");
        let mut files = Vec::new();
        collect(Path::new(place), &mut files);
        files.sort();
        for file in files {
            file.hash(&mut hasher);
            fs::read(&file).unwrap_or_default().hash(&mut hasher);
        }
    }
    let fingerprint = hasher.finish();
    println!("cargo:rustc-env=PREMISS_FINGERPRINT={fingerprint:016x}");
}

/// The files at a place; none where there is nothing.
fn collect(place: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(place) {
        Ok(entries) => entries
            .flatten()
            .for_each(|entry| collect(&entry.path(), files)),
        Err(_) if place.is_file() => files.push(place.to_owned()),
        Err(_) => {}
    }
}
