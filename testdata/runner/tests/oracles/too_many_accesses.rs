//! Programs that make more accesses than are counted are refused, whichever way iterations are passed over; those that
//! make a few less are counted.

use premiss_cache::{CacheGeometry, CacheModel, Hierarchy};
use premiss_histogram::Counted;
use premiss_testdata::kernel::Kernel;
use premiss_trace::{Execution, Placement, TraceError};
use std::collections::BTreeMap;

/// Two loops around something that is executed `n` times `n` times.
fn in_two_loops(body: &str) -> String {
    format!(
        "void f(long n, double *a, int *p)\n{{\n  for (long i = 0; i < n; i++)\n    for (long j = 0; j < n; j++) \
         {{\n      {body}\n    }}\n}}\n"
    )
}

const BODIES: [&str; 5] = [
    "a[0] = 1;",
    "a[0] = 1; a[64] = 2;",
    "a[0] = 1; if (p[j] > 3) a[1] = 2;",
    "a[p[j]] = 1;",
    "if (p[j] > 3) a[8] = 2; else a[64] = 3;",
];

/// What a run says of the first reference.
type Answer = Result<Counted, TraceError>;

/// The accesses by each way to count them, and the misses by each way to count those.
fn answers(body: &str, n: i64) -> (Vec<Answer>, Vec<Answer>) {
    let read = Kernel::from_bytes("f.c", in_two_loops(body).into(), &[], &[("n", n)]);
    let tree = read.unit.functions.last().expect("a function");
    let placement = Placement {
        alignment: 64,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, 1_000_000);
    let execution = match execution {
        Ok(execution) => execution,
        Err(error) => return (vec![Err(error)], Vec::new()),
    };
    let first = tree.references.keys().next().expect("a reference");
    let accesses = execution.accesses().map(|x| x[first]);
    let histogram = execution.histograms(64).map(|x| x[first].misses(0));
    let misses = [(1, 512), (1, 8), (8, 2)].map(|(sets, ways)| {
        let level = CacheGeometry {
            line_size: 64,
            sets,
            ways,
        };
        let model = CacheModel::lru_write_back(level);
        let independent = execution.misses(&[level], Hierarchy::Independent);
        let filtered = execution.simulate(&[model], Hierarchy::Filtered);
        [
            independent.map(|levels| levels[0][first]),
            filtered.map(|levels| levels[0].misses[first]),
        ]
    });
    let misses = misses.into_iter().flatten().collect();
    (vec![accesses, histogram], misses)
}

#[test]
fn what_cannot_be_counted_is_refused_by_every_run() {
    for body in BODIES {
        for n in [4_100_000_000, 10_000_000_000, 1 << 40, 1 << 62] {
            let (accesses, misses) = answers(body, n);
            for answer in accesses.into_iter().chain(misses) {
                assert!(answer.is_err(), "{body} at {n}: {answer:?}");
            }
        }
        let (accesses, _) = answers(body, 1 << 40);
        assert_eq!(accesses[0], Err(TraceError::TooManyAccesses), "{body}");
    }
}

#[test]
fn what_can_be_counted_is() {
    let all = 1_u64 << 60;
    let is_budget = |answer: &Answer| matches!(answer, Err(TraceError::Budget(_)));
    for body in BODIES {
        let (accesses, misses) = answers(body, 1 << 30);
        assert!(accesses[0].is_ok(), "{body}");
        for answer in accesses.iter().filter(|x| !is_budget(x)) {
            let most = answer.as_ref().map(|count| count.bounds().map(|x| x.1));
            assert_eq!(most, Ok(Some(all)), "{body}");
        }
        for answer in misses.iter().filter(|x| !is_budget(x)) {
            let most = answer.as_ref().map(|count| count.bounds().map(|x| x.1));
            assert!(
                matches!(most, Ok(Some(most)) if most <= all),
                "{body}: {answer:?}"
            );
        }
    }
    // One line, touched again and again.
    let (_, misses) = answers(BODIES[0], 1 << 30);
    assert!(misses.contains(&Ok(Counted::Exact(1))), "{misses:?}");
}
