//! The order of functions in a page: by bytes moved, most first.

use super::context::Subject;
use premiss_analyze::{Analysis, FunctionAnalysis};
use premiss_histogram::Counted;

/// The indices of the functions of an analysis, sorted by the bytes that their misses fetch into all caches, most
/// first.
#[must_use]
pub fn by_bytes_moved(analysis: &Analysis) -> Vec<usize> {
    let order = by_bytes(analysis);
    order.iter().map(|subject| subject.index).collect()
}

/// Functions, sorted by the bytes that they move, most first.
pub(super) fn by_bytes(analysis: &Analysis) -> Vec<Subject<'_>> {
    let functions = analysis.functions.iter().enumerate();
    let mut order: Vec<Subject> = functions
        .map(|(index, function)| Subject { index, function })
        .collect();
    let bytes = |x: &Subject| {
        let levels = x.function.levels.iter();
        let misses: Vec<Counted> = levels.map(|level| level.misses).collect();
        bytes_moved(x.function, &misses)
    };
    order.sort_by(|a, b| bytes(b).total_cmp(&bytes(a)));
    order
}

/// The bytes of the lines that misses fetch into all caches, for ranking.
pub(super) fn bytes_moved(function: &FunctionAnalysis, misses: &[Counted]) -> f64 {
    let levels = function.levels.iter().zip(misses);
    let caches = levels.filter(|(level, _)| level.traffic.is_some());
    let bytes = caches
        .map(|(level, misses)| misses.magnitude().unwrap_or(0.0) * level.geometry.line_size as f64);
    bytes.sum()
}
