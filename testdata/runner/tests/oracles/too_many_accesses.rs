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

/// What each way to run a program at a size says: the accesses of its first reference.
fn counts(body: &str, n: i64) -> Vec<Result<Counted, TraceError>> {
    let read = Kernel::from_bytes("f.c", in_two_loops(body).into(), &[], &[("n", n)]);
    let tree = read.unit.functions.last().expect("a function");
    let placement = Placement {
        alignment: 64,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, 1_000_000);
    let execution = match execution {
        Ok(execution) => execution,
        Err(error) => return vec![Err(error)],
    };
    let first = tree.references.keys().next().expect("a reference");
    let histogram = execution.histograms(64).map(|x| x[first].misses(0));
    let level = |sets, ways| CacheGeometry {
        line_size: 64,
        sets,
        ways,
    };
    let runs = [level(1, 512), level(8, 2)].map(|level| {
        let misses = execution.misses(&[level], Hierarchy::Independent);
        let model = CacheModel::lru_write_back(level);
        let filtered = execution.simulate(&[model], Hierarchy::Filtered);
        [misses.err(), filtered.err()]
    });
    let errors = runs.into_iter().flatten().flatten();
    let accesses = execution.accesses().map(|x| x[first]);
    [accesses, histogram]
        .into_iter()
        .chain(errors.map(Err))
        .collect()
}

#[test]
fn what_cannot_be_counted_is_refused_by_every_run() {
    for body in BODIES {
        for n in [4_100_000_000, 10_000_000_000, 1 << 40, 1 << 62] {
            for found in counts(body, n) {
                assert!(found.is_err(), "{body} at {n}: {found:?}");
            }
        }
        let first = counts(body, 1 << 40).remove(0);
        assert_eq!(first, Err(TraceError::TooManyAccesses), "{body}");
    }
}

#[test]
fn what_can_be_counted_is() {
    for body in BODIES {
        let all = 1_u64 << 60;
        for found in counts(body, 1 << 30) {
            match found {
                Ok(Counted::Exact(count)) => assert_eq!(count, all, "{body}"),
                Ok(Counted::Bounded { upper, .. }) => assert_eq!(upper, all, "{body}"),
                Err(TraceError::Budget(_)) => {}
                other => panic!("{body}: {other:?}"),
            }
        }
        assert!(counts(body, 1 << 30)[0].is_ok(), "{body}");
    }
}
