//! Gives the crate a digest of the sources that determine the result of a derivation: derivations cached by a program
//! with other sources are not used.

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
