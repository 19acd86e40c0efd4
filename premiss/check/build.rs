//! Gives the crate a digest of the sources that decide what a check finds: results that a program kept whose sources
//! differ in anything are not those of this one.

#![allow(clippy::disallowed_methods, reason = "a build script reads sources")]

#[path = "../source_digest.rs"]
mod source_digest;

/// The sources of the whole program, from this crate's folder.
const SOURCES: [&str; 7] = [
    "../source_digest.rs",
    "../../frontend",
    "../../polyhedral",
    "../../reuse",
    "../../bounds",
    "../../premiss",
    "../../Cargo.lock",
];

fn main() {
    source_digest::export("PREMISS_PROGRAM", &SOURCES);
}
