//! Tells the library what it was made of: derivations kept by a program whose sources differ in
//! anything that derivations depend on are not those that this one would make.

#![allow(clippy::disallowed_methods, reason = "a build script reads sources")]

#[path = "../made_of.rs"]
mod made_of;

/// What a derivation depends on, from this crate's folder.
const MADE_OF: [&str; 5] = [
    "../made_of.rs",
    "src",
    "../../polyhedral",
    "../../reuse/distance/src",
    "../../Cargo.lock",
];

fn main() {
    made_of::tell("PREMISS_FINGERPRINT", &MADE_OF);
}
