//! Random programs against the counters compiled into them: no exact number that differs, and no bounds that leave out what
//! is counted.
//!
//! `PROPTEST_CASES=8000 cargo nextest run -p premiss-testdata --test oracles random_programs::` compares 1000 programs of
//! each language, always the same ones. Without a compiler these tests pass and say that they were skipped.

use premiss_testdata::language::Language;
use premiss_testdata::programs::{Batch, Judgement, judge};
use premiss_testdata::random::config;
use std::path::Path;

/// So many programs are compiled together.
const BATCH: u64 = 32;

#[test]
fn programs_in_c() {
    check(Language::C, 15);
}

#[test]
fn programs_in_fortran() {
    check(Language::Fortran, 30);
}

#[test]
fn programs_in_rust() {
    check(Language::Rust, 25);
}

/// Compares programs of a language; of the loads and stores of their lines, at least `percent` of 100 are known exactly.
fn check(language: Language, percent: usize) {
    let n_programs = u64::from(config(8).cases);
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut all = Judgement::default();
    let mut first = 0;
    while first < n_programs {
        let batch = Batch::new(language, first..(first + BATCH).min(n_programs));
        let Some(counted) = batch.run(scratch) else {
            return skipped(language);
        };
        all.add(judge(&batch, &counted));
        first += BATCH;
    }
    assert!(all.differences.is_empty(), "{}", all.differences.join("\n"));
    assert!(n_programs < 2 * all.programs as u64, "most programs end");
    assert!(
        percent * all.counts <= 100 * all.exact,
        "{} of {} counts are exact",
        all.exact,
        all.counts
    );
}

#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn skipped(language: Language) {
    eprintln!("skipped random programs in {language:?}: there is no compiler");
}
