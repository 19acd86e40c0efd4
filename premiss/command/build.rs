//! Tells the command what the program was made of: what a program found whose sources differ in anything
//! is not what this one would find.

#[path = "../made_of.rs"]
mod made_of;

/// What the program is made of, from this crate's folder.
const MADE_OF: [&str; 7] = [
    "../made_of.rs",
    "../../frontend",
    "../../polyhedral",
    "../../reuse",
    "../../bounds",
    "../../premiss",
    "../../Cargo.lock",
];

fn main() {
    made_of::tell("PREMISS_PROGRAM", &MADE_OF);
}
