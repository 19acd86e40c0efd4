//! Gives the crate a digest of the sources that decide what a derivation is: derivations that a program kept whose
//! sources differ in any of them are not those that this one would make.

#![allow(clippy::disallowed_methods, reason = "a build script reads sources")]

#[path = "../source_digest.rs"]
mod source_digest;

/// The sources that derivations depend on, from this crate's folder.
const SOURCES: [&str; 5] = [
    "../source_digest.rs",
    "src",
    "../../polyhedral",
    "../../reuse/distance/src",
    "../../Cargo.lock",
];

fn main() {
    source_digest::export("PREMISS_FINGERPRINT", &SOURCES);
}
