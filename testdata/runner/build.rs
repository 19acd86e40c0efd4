//! Gives the crate a digest of everything that comparisons of engines with oracles follow from, apart from the trees that
//! they are made on: comparisons that an earlier run passed with the same sources need not be made again.

/// Sources and data, from this crate's folder; of front ends, what a tree is.
const SOURCES: [&str; 11] = [
    "src",
    "tests",
    "../oracle",
    "../truth",
    "../../frontend/source",
    "../../frontend/tree",
    "../../polyhedral",
    "../../reuse",
    "../../bounds",
    "../../Cargo.toml",
    "../../Cargo.lock",
];

fn main() {
    premiss_source_digest::export("PREMISS_ENGINES", &SOURCES);
}
