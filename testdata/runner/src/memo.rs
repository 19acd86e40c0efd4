//! What earlier runs of the tests found, for work that takes long and follows from few things.
//!
//! A change of a front end leaves nearly all trees as they were. An engine agrees with an oracle on a tree that it has
//! been compared on, as long as neither changed ([`compare_once`]); a compiled kernel does what it did, as long as its
//! text and the compiler are the same ([`computed_once`]). What was found lies in the folder of the build, and is gone
//! with it: after `cargo clean`, as in a fresh clone, everything is done anew.

use premiss_tree::NestTree;
use std::panic::Location;
use std::path::Path;

/// A digest of the sources of engines, oracles and tests, and of recorded truth.
const ENGINES: &str = env!("PREMISS_ENGINES");

/// Compares engines with an oracle on a tree, unless this comparison passed in an earlier run with the same sources.
/// Apart from the tree, `compare` may depend only on what `parameters` says. It panics where they differ.
#[track_caller]
pub fn compare_once(tree: &NestTree, parameters: &str, compare: impl FnOnce()) {
    let place = Location::caller();
    let key = format!("{}:{} {parameters} {tree:?}", place.file(), place.line());
    computed_once("passed", &key, || {
        compare();
        String::new()
    });
}

/// The result of work of some kind that follows from `key` and the sources of engines, oracles and tests, from an
/// earlier run where there was one.
pub fn computed_once(kind: &str, key: &str, compute: impl FnOnce() -> String) -> String {
    let folder = Path::new(env!("OUT_DIR")).join(kind);
    premiss_memo::computed_once(&folder, &format!("{ENGINES} {key}"), compute)
}
