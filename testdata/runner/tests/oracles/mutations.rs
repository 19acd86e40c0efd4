//! Mutated files of all of `testdata`, always the same ones: reading and running them ends soon, without a panic, in little
//! memory.
//!
//! `PROPTEST_CASES=80000 cargo nextest run -p premiss-testdata --test oracles mutations::` tries 20,000.
//! `PREMISS_MUTATE` names folders whose files are mutated too, with colons between them.

use premiss_testdata::any_text::{read_and_run, texts_below};
use premiss_testdata::mangle::{changes_of, mangled};
use premiss_testdata::random::config;
use premiss_testdata::truth::testdata;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A text that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(60);

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
    for number in 0..u64::from(config(4).cases) {
        let (name, text) = &texts[usize::try_from(number).expect("few") % texts.len()];
        let mutated = mangled(text, &changes_of(number));
        let start = Instant::now();
        let run = || read_and_run(name, mutated.clone());
        let has_panicked = catch_unwind(AssertUnwindSafe(run)).is_err();
        let peak = peak_kib();
        if has_panicked || LIMIT < start.elapsed() || peak.is_some_and(|peak| MOST_KIB < peak) {
            let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{number}_{name}"));
            fs::write(&path, &mutated).expect("a file in the folder of the build");
            let elapsed = start.elapsed();
            failed.push(format!("{}: {elapsed:?}, {peak:?} KiB", path.display()));
        }
        assert!(
            peak.is_none_or(|peak| peak <= MOST_KIB),
            "too much memory: {failed:?}"
        );
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The most memory that the process has taken so far, in KiB, where the system says so.
fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}
