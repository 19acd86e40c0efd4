//! What earlier runs of the tests found, for work that takes long and follows from few things.
//!
//! A change of a front end leaves nearly all trees as they were. An engine agrees with an oracle on a tree that it has
//! been compared on, as long as neither changed ([`compare_once`]); a compiled kernel does what it did, as long as its
//! text and the compiler are the same ([`computed_once`]). What was found lies in the folder of the build, and is gone
//! with it: after `cargo clean`, as in a fresh clone, everything is done anew.

use premiss_tree::NestTree;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::Location;
use std::path::{Path, PathBuf};

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
    let file = file(kind, key);
    if let Ok(found) = fs::read_to_string(&file) {
        return found;
    }
    let result = compute();
    store(&file, &result);
    result
}

fn file(kind: &str, key: &str) -> PathBuf {
    // Two digests of 64 bits: among a million keys, two that differ and have the same are not to be expected.
    let digest = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        (seed, ENGINES, key).hash(&mut hasher);
        hasher.finish()
    };
    let folder = Path::new(env!("OUT_DIR")).join(kind);
    folder.join(format!("{:016x}{:016x}", digest(0), digest(1)))
}

/// Writes a file as a whole or not at all: tests run side by side.
fn store(file: &Path, text: &str) {
    let part = file.with_extension(format!(
        "{}.{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    let folder = file.parent().expect("a file lies in a folder");
    fs::create_dir_all(folder).expect("a folder in the folder of the build");
    fs::write(&part, text).expect("a file in the folder of the build");
    fs::rename(&part, file).expect("a name in the same folder");
}

#[cfg(test)]
mod tests {
    use super::computed_once;

    #[test]
    fn what_is_found_once_is_found_again_and_for_nothing_else() {
        let key = format!("a key of process {}", std::process::id());
        let first = computed_once("tests", &key, || "found".to_owned());
        let second = computed_once("tests", &key, || unreachable!("it is there"));
        let other = computed_once("tests", &format!("{key}."), || "other".to_owned());
        assert_eq!([first, second, other], ["found", "found", "other"]);
    }

    #[test]
    fn work_that_panics_is_not_remembered() {
        let key = format!("a panic of process {}", std::process::id());
        let fails = || computed_once("tests", &key, || panic!("they differ"));
        assert!(std::panic::catch_unwind(fails).is_err());
        assert_eq!(computed_once("tests", &key, || "anew".to_owned()), "anew");
    }
}
