//! Gives the crate a digest of the sources that determine the results of a check: results cached by a program with
//! other sources are not used.

/// The sources of the whole program, from this crate's folder.
const SOURCES: [&str; 6] = [
    "../../frontend",
    "../../polyhedral",
    "../../reuse",
    "../../bounds",
    "../../premiss",
    "../../Cargo.lock",
];

fn main() {
    premiss_source_digest::export("PREMISS_PROGRAM", &SOURCES);
}
