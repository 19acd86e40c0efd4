//! Gives the crate a digest of the sources that decide what a check finds: results that a program kept whose sources
//! differ in anything are not those of this one.

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
