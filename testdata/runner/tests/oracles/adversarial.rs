//! Adversarial programs in every language against an interpreter of them: no exact number that differs, no bounds that
//! leave out what is executed, and where all is exact, every address in order.
//!
//! `PROPTEST_CASES=2560 cargo nextest run -p premiss-testdata --test oracles adversarial::` takes ten times as many.

use premiss_testdata::adversarial::judge;
use premiss_testdata::language::Language;
use premiss_testdata::random::config;

#[test]
fn adversarial_programs_in_c() {
    check(Language::C);
}

#[test]
fn adversarial_programs_in_fortran() {
    check(Language::Fortran);
}

#[test]
fn adversarial_programs_in_rust() {
    check(Language::Rust);
}

/// Of numbers for a language, about half are programs that end.
#[expect(clippy::print_stderr, reason = "a test that tells a share")]
fn check(language: Language) {
    let verdict = judge(0..3 * u64::from(config(1).cases), language);
    let share = |n: usize| 100 * n / verdict.counts.max(1);
    eprintln!(
        "{language:?}: {} programs, {} of them address by address; {} counts, {} % exact, {} % unknown",
        verdict.programs,
        verdict.traced,
        verdict.counts,
        share(verdict.exact),
        share(verdict.unknown)
    );
    assert!(
        verdict.differences.is_empty(),
        "{} differ:\n{}",
        verdict.differences.len(),
        verdict.differences.join("\n")
    );
    assert!(
        share(verdict.unknown) < 33,
        "{} % are unknown",
        share(verdict.unknown)
    );
}
