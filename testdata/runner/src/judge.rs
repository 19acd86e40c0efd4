//! Compares premiss with recorded truth.

use crate::truth::{self, Row};
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_histogram::{Counted, Distance, ReuseDistanceHistogram};
use premiss_trace::{Execution, PerReference, Placement};
use premiss_tree::{AccessKind, NestTree, ReferenceId};
use std::collections::BTreeMap;

/// Steps that the engine may take; a runaway ends.
const STEPS: u64 = 10_000_000_000;

/// The layouts of recorded truth.
pub const ALIGNMENTS: [u64; 2] = [64, 4096];

/// A tree with its arrays placed.
#[must_use]
pub fn execute(tree: &NestTree, alignment: u64) -> Execution<'_> {
    let placement = Placement {
        alignment,
        bases: BTreeMap::new(),
    };
    Execution::new(tree, &BTreeMap::new(), &placement, STEPS)
        .unwrap_or_else(|error| panic!("{}: {error}", tree.function))
}

/// The sum over all references of a kind.
#[must_use]
pub fn sum(tree: &NestTree, counts: &PerReference<Counted>, kind: AccessKind) -> Counted {
    let of_kind = tree.references.iter().filter(|(_, row)| row.kind == kind);
    of_kind.map(|(reference, _)| counts[reference]).sum()
}

/// The histogram of all references.
#[must_use]
pub fn total_histogram(
    tree: &NestTree,
    histograms: &PerReference<ReuseDistanceHistogram>,
) -> ReuseDistanceHistogram {
    let mut whole = ReuseDistanceHistogram::default();
    for reference in tree.references.keys() {
        whole.merge(&histograms[reference]);
    }
    whole
}

/// What one run says about a recorded row.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedRowCheck {
    /// The row.
    pub row: Row,
    /// Loads, then stores.
    pub accesses: [Counted; 2],
    /// Misses of loads, then of stores.
    pub misses: [Counted; 2],
    /// Lines touched.
    pub cold: Counted,
    /// Misses by reference.
    pub by_reference: PerReference<Counted>,
}

/// Runs a tree in every layout of a table and says what it finds for every row.
#[must_use]
pub fn judge(tree: &NestTree, rows: &[Row]) -> Vec<RecordedRowCheck> {
    let mut judged = Vec::new();
    for alignment in ALIGNMENTS {
        let rows: Vec<&Row> = rows
            .iter()
            .filter(|row| row.alignment == alignment)
            .collect();
        let execution = execute(tree, alignment);
        check_bases(tree, &execution, rows[0]);
        let both = |counts: &PerReference<Counted>| {
            [AccessKind::Load, AccessKind::Store].map(|kind| sum(tree, counts, kind))
        };
        let accesses = both(&execution.accesses().expect("within budget"));
        let levels: Vec<CacheGeometry> = rows.iter().map(|row| row.geometry).collect();
        let misses = execution
            .misses(&levels, Hierarchy::Independent)
            .expect("within budget");
        let mut cold = BTreeMap::new();
        for row in rows.iter().map(|row| row.geometry.line_size) {
            cold.entry(row).or_insert_with(|| {
                let histograms = execution.histograms(row).expect("within budget");
                total_histogram(tree, &histograms).cold()
            });
        }
        for (row, by_reference) in rows.into_iter().zip(misses) {
            judged.push(RecordedRowCheck {
                row: row.clone(),
                accesses,
                misses: both(&by_reference),
                cold: cold[&row.geometry.line_size],
                by_reference,
            });
        }
    }
    judged
}

fn check_bases(tree: &NestTree, execution: &Execution, row: &Row) {
    let bases = execution.bases();
    let found: BTreeMap<String, u64> = tree
        .arrays
        .iter()
        .map(|(id, array)| (array.name.clone(), bases[id]))
        .collect();
    assert_eq!(found, row.bases, "bases at multiples of {}", row.alignment);
}

/// Everything that a table of truth says of a kernel at a size. Returns what was found.
pub fn check_exact(
    tree: &NestTree,
    table: &str,
    kernel: &str,
    dataset: &str,
) -> Vec<RecordedRowCheck> {
    let judged = judge(tree, &truth::rows(table, kernel, dataset));
    for found in &judged {
        let row = &found.row;
        let what = format!("{kernel} {dataset} {} {}", row.cache, row.alignment);
        let accesses = [row.loads, row.stores].map(Counted::Exact);
        assert_eq!(found.accesses, accesses, "accesses, {what}");
        let expected = [row.load_misses, row.store_misses].map(Counted::Exact);
        assert_eq!(found.misses, expected, "misses, {what}");
        let sum = found.misses[0] + found.misses[1];
        assert_eq!(sum, Counted::Exact(row.misses), "all misses, {what}");
        assert_eq!(found.cold, Counted::Exact(row.cold), "lines, {what}");
    }
    judged
}

/// The accesses and misses of every reference, in order, by what [`check_exact`] found.
pub fn check_references(tree: &NestTree, judged: &[RecordedRowCheck], kernel: &str, dataset: &str) {
    let accesses = execute(tree, 64).accesses().expect("within budget");
    let expected = truth::references(kernel, dataset);
    assert_eq!(
        tree.references.len(),
        expected.len(),
        "references of {kernel}"
    );
    for ((id, reference), expected) in tree.references.iter().zip(&expected) {
        assert_eq!(reference.text, expected.text, "{id}");
        let is_store = reference.kind == AccessKind::Store;
        assert_eq!(is_store, expected.is_store, "{id} {}", reference.text);
        let executed = Counted::Exact(expected.accesses);
        assert_eq!(accesses[id], executed, "{id} {}", reference.text);
        for found in judged.iter().filter(|found| found.row.alignment == 64) {
            check_reference(id, found, expected);
        }
    }
}

fn check_reference(id: ReferenceId, found: &RecordedRowCheck, expected: &truth::ReferenceRow) {
    if let Some(misses) = expected.misses.get(&found.row.cache) {
        let cache = &found.row.cache;
        let text = &expected.text;
        assert_eq!(
            found.by_reference[id],
            Counted::Exact(*misses),
            "{id} {text} {cache}"
        );
    }
}

/// The whole histogram, in every layout.
pub fn check_histogram(tree: &NestTree, kernel: &str, dataset: &str) {
    let expected = truth::histogram(kernel, dataset);
    for alignment in ALIGNMENTS {
        let histograms = execute(tree, alignment)
            .histograms(64)
            .expect("within budget");
        let mut found = BTreeMap::new();
        for bin in total_histogram(tree, &histograms).bins() {
            assert_eq!(bin.lower, bin.upper, "distances of {kernel} are known");
            assert_eq!(bin.possible, 0, "accesses of {kernel} are certain");
            let distance = match bin.lower {
                Distance::Finite(distance) => Some(distance),
                Distance::Infinite => None,
            };
            *found.entry(distance).or_insert(0) += bin.certain;
        }
        assert_eq!(found, expected, "{kernel} {dataset}");
    }
}
