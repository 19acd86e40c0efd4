//! Sweeps over arrays, repeated: stencils in time loops, products of matrices, strides that fight
//! over few sets.

use super::genes::{Genes, empty};
use crate::sketch::{Sketch, Step, affine, count_up};
use premiss_tree::{AccessKind, Comparison};

/// About this many accesses at most.
const ACCESSES: i64 = 9000;

pub(super) fn grow(genes: &mut Genes) -> Sketch {
    let mut sketch = empty(genes);
    // As a rule arrays lie apart: each ends where its references end.
    if !genes.once_in(3) {
        sketch
            .arrays
            .iter_mut()
            .for_each(|array| array.extent = None);
    }
    let nests = genes.within(1, 3);
    let repeats = genes.within(1, 12);
    let share = ACCESSES / nests / repeats;
    let mut body: Vec<Step> = Vec::new();
    sketch.variables.push("t".to_owned());
    for _ in 0..nests {
        body.push(nest(genes, &mut sketch, share));
    }
    sketch.body = vec![count_up(0, 0, repeats, body)];
    sketch
}

/// A nest of one to three loops with all references in the innermost.
fn nest(genes: &mut Genes, sketch: &mut Sketch, share: i64) -> Step {
    let depth = genes.within(1, 3);
    let n_references = genes.within(1, 4);
    let mut left = share / n_references;
    let mut loops = Vec::new();
    for level in 0..depth {
        let most = if level + 1 == depth { 200 } else { 24 };
        let count = genes.within(1, most).min(left.max(1));
        left /= count;
        sketch
            .variables
            .push(format!("i{}", sketch.variables.len()));
        loops.push((sketch.variables.len() - 1, count));
    }
    let iterators: Vec<usize> = loops.iter().map(|(variable, _)| *variable).collect();
    let row = genes.one_of(&[8, 64, 100, 256, 1000, 4096, 33]);
    let references = (0..n_references).map(|_| reference(genes, sketch, &iterators, row));
    let mut body: Vec<Step> = references.collect();
    for (variable, count) in loops.into_iter().rev() {
        body = vec![repeat(genes, variable, count, body)];
    }
    body.remove(0)
}

fn repeat(genes: &mut Genes, variable: usize, count: i64, body: Vec<Step>) -> Step {
    let first = genes.within(0, 2);
    if genes.once_in(5) {
        return Step::Loop {
            variable,
            first: (first + count - 1).into(),
            comparison: Comparison::GreaterEqual,
            bound: first.into(),
            step: (-1).into(),
            body,
        };
    }
    count_up(variable, first, first + count, body)
}

fn reference(genes: &mut Genes, sketch: &Sketch, iterators: &[usize], row: i64) -> Step {
    let array = genes.below(sketch.arrays.len());
    let mut terms = Vec::new();
    for (depth, &iterator) in iterators.iter().rev().enumerate() {
        let factor = match (depth, genes.below(5)) {
            (_, 1) => continue,
            (0, 2) => row,
            (0, 3) => genes.one_of(&[1, 4, 16, 24, -8]),
            (1, 2) => 8,
            (1, 3) => 8 * row,
            (0, _) => 8,
            (1, _) => row,
            (_, 2) => 64,
            _ => 16 * row,
        };
        terms.push((factor, iterator));
    }
    if genes.once_in(4) {
        terms.push((genes.one_of(&[8, 64, row]), 0));
    }
    let shift = genes.one_of(&[0, 8, -8, 64, 4, 3]) + genes.one_of(&[0, 0, row, -row]);
    Step::Access {
        kind: genes.one_of(&[AccessKind::Load, AccessKind::Store]),
        array,
        offset: affine(shift, &terms),
        size: genes.one_of(&[8, 8, 4, 1, 16]),
    }
}
