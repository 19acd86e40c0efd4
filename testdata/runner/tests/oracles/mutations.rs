//! Mutated files of all of `testdata`, always the same ones: reading and running them ends soon, without a panic, in little
//! memory.
//!
//! `PROPTEST_CASES=80000 cargo nextest run -p premiss-testdata --test oracles mutations::` tries 20,000.
//! `PREMISS_MUTATIONS=7319..7320` tries only those of them.
//! `PREMISS_MUTATE` names folders whose files are mutated too, with colons between them.

use premiss_testdata::any_text::{read_and_run, texts_below};
use premiss_testdata::mangle::{changes_of, mangled};
use premiss_testdata::random::config;
use premiss_testdata::truth::testdata;
use premiss_testdata::usage::{peak_kib, processor_seconds};
use std::fs;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// A text that takes more seconds of a processor hangs.
const LIMIT: f64 = 60.0;

/// The process may take so many KiB at a time.
const MOST_KIB: u64 = 2 << 20;

#[test]
fn mutated_files_are_read_and_run() {
    let mut folders = vec![testdata()];
    let more = std::env::var("PREMISS_MUTATE").unwrap_or_default();
    folders.extend(more.split(':').filter(|x| !x.is_empty()).map(PathBuf::from));
    let texts = texts_below(&folders);
    assert!(texts.len() > 300, "only {} files", texts.len());
    let mut failed = Vec::new();
    for number in numbers() {
        let (name, text) = &texts[usize::try_from(number).expect("few") % texts.len()];
        let mutated = mangled(text, &changes_of(number));
        // It stays where this process ends with it.
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{number}_{name}"));
        fs::write(&path, &mutated).expect("a file in the folder of the build");
        let start = processor_seconds();
        let run = || read_and_run(name, mutated.clone());
        let has_panicked = catch_unwind(AssertUnwindSafe(run)).is_err();
        let elapsed = processor_seconds() - start;
        let peak = peak_kib();
        if has_panicked || LIMIT < elapsed || peak.is_some_and(|peak| MOST_KIB < peak) {
            failed.push(format!("{}: {elapsed} s, {peak:?} KiB", path.display()));
        } else {
            fs::remove_file(&path).expect("the file just written");
        }
        assert!(
            peak.is_none_or(|peak| peak <= MOST_KIB),
            "too much memory: {failed:?}"
        );
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The mutations to try.
fn numbers() -> Range<u64> {
    let Ok(text) = std::env::var("PREMISS_MUTATIONS") else {
        return 0..u64::from(config(4).cases);
    };
    let (first, end) = text.split_once("..").expect("FROM..TO");
    first.parse().expect("a number")..end.parse().expect("a number")
}
