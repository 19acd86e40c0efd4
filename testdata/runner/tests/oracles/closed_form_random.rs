//! Closed forms of random kernels against the trace, reference by reference.
//!
//! `PREMISS_CASES=10000 cargo test -p premiss-testdata --test oracles closed_form_random:: -- --nocapture` tries
//! longer, and prints how many kernels had no closed form, and why.

#![expect(
    clippy::print_stdout,
    reason = "what was refused is told to whoever asks"
)]

use premiss_distance::SymbolicHistogram;
use premiss_scop::{ArrayLayout, Reject, ScopOptions, lower};
use premiss_testdata::closed::{Effort, NoForm, by_reference, form_of, lower_symbolic};
use premiss_testdata::kernel::Kernel;
use premiss_testdata::random::kernels;
use premiss_trace::{Execution, Placement};
use premiss_tree::{NestTree, ParameterId};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Instant;

/// What one form may take: kernels that take longer are refused.
const EFFORT: Effort = Effort {
    operations: 500_000,
    steps: 5_000,
};

/// Steps that the trace may take.
const TRACED: u64 = 20_000_000;

/// Sizes of a kernel: whole lines of rows, for `n` and `m`.
const LINES: [(i64, i64); 6] = [(0, 0), (1, 1), (2, 1), (1, 3), (3, 3), (4, 2)];

/// What became of the kernels.
#[derive(Default)]
struct Outcomes(RefCell<BTreeMap<String, u32>>);

impl Outcomes {
    fn note(&self, outcome: String) {
        *self.0.borrow_mut().entry(outcome).or_default() += 1;
    }

    fn reject(&self, stage: &str, reject: &Reject) {
        self.note(format!("{stage}: {}", reject.code()));
    }

    fn no_form(&self, stage: &str, reason: &NoForm) {
        self.note(match reason {
            NoForm::Rejected(message) => format!("{stage}: {message}"),
            NoForm::Refused(what, refusal) => format!("{stage}: {what} {refusal:?}"),
        });
    }

    fn count(&self, outcome: &str) -> u32 {
        self.0.borrow().get(outcome).copied().unwrap_or(0)
    }

    fn print(&self, test: &str) {
        println!("{test}");
        for (outcome, count) in self.0.borrow().iter() {
            println!("{count:8} {outcome}");
        }
    }
}

/// What differs between a form and the trace at some sizes; how far the comparison came is noted.
fn difference(
    tree: &NestTree,
    line_size: u64,
    (form, values): (&SymbolicHistogram, &[i128]),
    sizes: &BTreeMap<ParameterId, i64>,
    outcomes: &Outcomes,
) -> Result<(), String> {
    let placement = Placement {
        alignment: line_size,
        bases: BTreeMap::new(),
    };
    let Ok(execution) = Execution::new(tree, sizes, &placement, TRACED) else {
        outcomes.note("not traced".to_owned());
        return Ok(());
    };
    let Ok(expected) = execution.histograms(line_size) else {
        outcomes.note("not traced".to_owned());
        return Ok(());
    };
    let found = form.at(values).and_then(|sized| by_reference(tree, &sized));
    let found = match found {
        Ok(found) => found,
        Err(refusal) => {
            outcomes.note(format!("evaluated: {refusal:?}"));
            return Ok(());
        }
    };
    for (reference, row) in &tree.references {
        if found[reference] != expected[reference] {
            return Err(format!(
                "{} {:?} at {sizes:?}, lines of {line_size}: found {:?}, expected {:?}",
                row.text, row.kind, found[reference], expected[reference]
            ));
        }
    }
    outcomes.note("equal".to_owned());
    Ok(())
}

fn fixed(text: &str, n: i64, m: i64, line_size: u64, outcomes: &Outcomes) -> Result<(), String> {
    let read = Kernel::from_bytes("f.c", text.into(), &[], &[("n", n), ("m", m)]);
    let tree = read.only_tree();
    let question = ScopOptions {
        line_size,
        layout: ArrayLayout::Aligned,
        sizes: BTreeMap::new(),
    };
    let scop = match lower(tree, &question) {
        Ok(scop) => scop,
        Err(reject) => {
            outcomes.reject("lowered", &reject);
            return Ok(());
        }
    };
    match form_of(&scop, EFFORT) {
        Ok((form, _)) => difference(tree, line_size, (&form, &[]), &BTreeMap::new(), outcomes),
        Err(reason) => {
            outcomes.no_form("derived", &reason);
            Ok(())
        }
    }
}

fn symbolic(text: &str, residue: i64, outcomes: &Outcomes) -> Result<(), String> {
    let read = Kernel::from_bytes("f.c", text.into(), &[], &[]);
    let tree = read.only_tree();
    let scop = match lower_symbolic(tree, residue) {
        Ok(scop) => scop,
        Err(reject) => {
            outcomes.reject("lowered", &reject);
            return Ok(());
        }
    };
    let form = match form_of(&scop, EFFORT) {
        Ok((form, _)) => form,
        Err(reason) => {
            outcomes.no_form("derived", &reason);
            return Ok(());
        }
    };
    for (n, m) in LINES {
        let mut values = Vec::new();
        let mut sizes = BTreeMap::new();
        for parameter in &form.parameters {
            let lines = match tree.parameters[parameter.id].name.as_str() {
                "n" => n,
                _ => m,
            };
            values.push(i128::from(lines));
            sizes.insert(parameter.id, lines * parameter.factor + parameter.residue);
        }
        if form.context.contains(&values).expect("small numbers") {
            difference(tree, 64, (&form, &values), &sizes, outcomes)?;
        }
    }
    Ok(())
}

/// How often as many cases are tried again where next to none of them has a closed form.
const MOST_ROUNDS: u64 = 8;

/// As many cases as `PREMISS_CASES` says, or a few; whatever is wrong with one panics.
fn run<S: Strategy>(
    test: &str,
    few: u32,
    strategy: &S,
    check: impl Fn(&S::Value, &Outcomes) -> Result<(), String>,
) {
    let wanted = std::env::var("PREMISS_CASES").ok();
    let wanted = wanted.and_then(|text| text.parse().ok());
    let config = Config {
        cases: wanted.unwrap_or(few),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    };
    let outcomes = Outcomes::default();
    let started = Instant::now();
    for round in 0..MOST_ROUNDS {
        let rng_seed = match config.rng_seed {
            RngSeed::Fixed(seed) => RngSeed::Fixed(seed + round),
            RngSeed::Random => RngSeed::Random,
        };
        let config = Config {
            rng_seed,
            ..config.clone()
        };
        let result = TestRunner::new(config).run(strategy, |value| {
            check(&value, &outcomes).map_err(TestCaseError::fail)
        });
        if let Err(error) = result {
            panic!("{error}");
        }
        if few / 4 < outcomes.count("equal") {
            break;
        }
    }
    outcomes.print(&format!("{test}: {:.1?}", started.elapsed()));
    let equal = outcomes.count("equal");
    assert!(few / 4 < equal, "{equal} forms were compared");
}

#[test]
fn with_fixed_sizes() {
    let lines = prop_oneof![3 => Just(64_u64), 1 => Just(32), 1 => Just(128)];
    let sizes = (1..24_i64, 1..24_i64);
    run(
        "fixed sizes",
        100,
        &(kernels(), sizes, lines),
        |case, outcomes| {
            let (text, (n, m), line_size) = case;
            fixed(text, *n, *m, *line_size, outcomes).map_err(|what| format!("{what}\n{text}"))
        },
    );
}

/// Kernels with values of `n` and `m` whose footprints have pieces with rational points and no integer.
const EMPTY_PIECES: [(&str, i64, i64); 2] = [
    (
        "\
void f(int n, int m, char A0[(n + n + 7)][(n + m + 2)][(n + m + 10)])
{
  for (int i0 = 2; i0 < m; i0++) {
    for (int i1 = 0; i1 < n - 2; i1++) {
      A0[i1 + i1 + 7][i1][i1 + 7] += A0[i1 + 7][i1 + i0][i1 + i0 + 2];
    }
  }
  for (int i2 = 0; i2 < n; i2 += 3) {
    A0[2 * i2][i2 + 2][i2 + 2] += A0[i2 + 7][i2][i2 + 2] + A0[i2 + i2][i2 + 2][i2];
    for (int i3 = 0; i3 < n; i3++) {
      A0[i2][i2][i2] = A0[i2][i2][i2];
    }
  }
}
",
        17,
        21,
    ),
    (
        "\
void f(int n, int m, short A0[(n + m + 2)][(n + n + m + 11)])
{
  for (int i0 = 0; i0 < n - 1; i0++) {
    A0[0][0 + 2] = A0[0 + i0 + 2][0 + 7] + A0[n - 2 - (i0)][0] + A0[i0 + 1][0 + 2];
    A0[n - 2 - (i0) + 1][0 + 2] = A0[i0][2 * i0 + 7] + A0[i0][i0 + 7];
    for (int i1 = i0 - 1; i1 <= i0 + 1; i1++) {
      for (int i2 = 0; i2 < m; i2++) {
        A0[i1 + 2][i2] += A0[i0][i0];
        A0[i0][i0] = A0[i0][i0];
        A0[i0][i0] = A0[i0][i0];
      }
    }
  }
}
",
        15,
        20,
    ),
];

#[test]
fn pieces_without_integers_do_no_harm() {
    for (text, n, m) in EMPTY_PIECES {
        let outcomes = Outcomes::default();
        let result = fixed(text, n, m, 64, &outcomes);
        result.unwrap_or_else(|what| panic!("{what}\n{text}"));
        let known = outcomes.0.borrow().len();
        assert_eq!(known, 1, "it ends, with a form or without");
    }
}

#[test]
fn with_symbolic_sizes() {
    run(
        "symbolic sizes",
        12,
        &(kernels(), 0..8_i64),
        |case, outcomes| {
            let (text, residue) = case;
            symbolic(text, *residue, outcomes).map_err(|what| format!("{what}\n{text}"))
        },
    );
}
