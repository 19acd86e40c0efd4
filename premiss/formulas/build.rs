//! Gives the crate a digest of the sources that decide what a derivation is: derivations that a program kept whose
//! sources differ in any of them are not those that this one would make.

/// The sources that derivations depend on, from this crate's folder.
const SOURCES: [&str; 5] = [
    "../source_digest/src",
    "src",
    "../../polyhedral",
    "../../reuse/distance/src",
    "../../Cargo.lock",
];

fn main() {
    premiss_source_digest::export("PREMISS_FINGERPRINT", &SOURCES);
}
