//! What earlier runs of the tests computed, for work that takes long and follows from few things.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// The result of work that follows from `key` alone, from an earlier run that had the same folder, where there was one.
/// Work that panics is not remembered.
///
/// # Panics
///
/// The result cannot be written to the folder.
pub fn computed_once(folder: &Path, key: &str, compute: impl FnOnce() -> String) -> String {
    // Two digests of 64 bits: among a million keys, two that differ and have the same are not to be expected.
    let digest = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        (seed, key).hash(&mut hasher);
        hasher.finish()
    };
    let file = folder.join(format!("{:016x}{:016x}", digest(0), digest(1)));
    if let Ok(result) = fs::read_to_string(&file) {
        return result;
    }
    let result = compute();
    store(folder, &file, &result);
    result
}

/// Writes a file as a whole or not at all: tests run side by side.
fn store(folder: &Path, file: &Path, text: &str) {
    let part = file.with_extension(format!(
        "{}.{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    fs::create_dir_all(folder).expect("a folder in the folder of the build");
    fs::write(&part, text).expect("a file in the folder of the build");
    fs::rename(&part, file).expect("a name in the same folder");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_folder(name: &str, test: impl FnOnce(&Path)) {
        let folder =
            std::env::temp_dir().join(format!("premiss-memo-{name}-{}", std::process::id()));
        test(&folder);
        let _ = fs::remove_dir_all(folder);
    }

    #[test]
    fn what_is_computed_once_is_there_again_and_for_nothing_else() {
        in_folder("once", |folder| {
            let first = computed_once(folder, "a key", || "one".to_owned());
            let second = computed_once(folder, "a key", || unreachable!("it is there"));
            let other = computed_once(folder, "a key.", || "other".to_owned());
            assert_eq!([first, second, other], ["one", "one", "other"]);
        });
    }

    #[test]
    fn work_that_panics_is_not_remembered() {
        in_folder("panics", |folder| {
            let fails = || computed_once(folder, "a key", || panic!("they differ"));
            assert!(std::panic::catch_unwind(fails).is_err());
            let anew = computed_once(folder, "a key", || "anew".to_owned());
            assert_eq!(anew, "anew");
        });
    }
}
