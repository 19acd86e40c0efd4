//! premiss against what programs count.

use super::batch::{Batch, LineCounts};
use crate::kernel::Kernel;
use premiss_histogram::Counted;
use premiss_operations::{Scope, enumerate};
use premiss_trace::{Execution, Placement};
use premiss_tree::{AccessKind, NestTree, OperationKind};
use std::collections::BTreeMap;

/// Steps that a program may take.
const STEPS: u64 = 1_000_000;

/// What comes of comparing some programs.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Programs that end.
    pub programs: usize,
    /// Loads and stores of lines that are executed.
    pub counts: usize,
    /// How many of them premiss knows exactly.
    pub exact: usize,
    /// What differs, with the texts of the programs.
    pub differences: Vec<String>,
}

impl Judgement {
    /// Takes in that of other programs.
    pub fn add(&mut self, other: Self) {
        self.programs += other.programs;
        self.counts += other.counts;
        self.exact += other.exact;
        self.differences.extend(other.differences);
    }
}

/// Compares what premiss reads from a batch with what its programs count.
#[must_use]
pub fn judge(batch: &Batch, counted: &BTreeMap<u64, BTreeMap<u32, LineCounts>>) -> Judgement {
    let sizes = batch.sizes();
    let sizes: Vec<(&str, i64)> = sizes.iter().map(|(name, x)| (name.as_str(), *x)).collect();
    let name = batch.file_name();
    let kernel = Kernel::from_bytes(name, batch.plain.clone().into_bytes(), &[], &sizes);
    let mut all = Judgement::default();
    for (number, lines) in counted {
        let function = format!("f{number}");
        let mut trees = kernel.unit.functions.iter();
        let tree = trees.find(|tree| tree.function == function);
        let mut one = match tree {
            Some(tree) => judge_one(&kernel, tree, lines),
            None => Judgement::default(),
        };
        one.programs = 1;
        let sizes = batch.sizes_of(*number);
        let text = batch.text_of(*number);
        for difference in &mut one.differences {
            *difference = format!("program {number} {sizes:?}: {difference}\n{text}");
        }
        all.add(one);
    }
    all
}

fn judge_one(kernel: &Kernel, tree: &NestTree, counted: &BTreeMap<u32, LineCounts>) -> Judgement {
    let mut judgement = Judgement::default();
    let placement = Placement {
        alignment: 64,
        bases: BTreeMap::new(),
    };
    let Ok(execution) = Execution::new(tree, &BTreeMap::new(), &placement, STEPS) else {
        return judgement;
    };
    let Ok(accesses) = execution.accesses() else {
        return judgement;
    };
    let mut predicted: BTreeMap<u32, [Counted; 2]> = BTreeMap::new();
    for line in counted.keys() {
        predicted.insert(*line, [Counted::ZERO; 2]);
    }
    for (id, reference) in &tree.references {
        let line = kernel.sources.start(reference.span).line;
        let counts = predicted.entry(line).or_insert([Counted::ZERO; 2]);
        counts[usize::from(reference.kind == AccessKind::Store)] += accesses[id];
    }
    // Where nothing is found in a line, something opaque may be.
    let has_opaque = !tree.rejections.is_empty();
    for count in predicted.values_mut().flatten() {
        if has_opaque && *count == Counted::ZERO {
            *count = Counted::Unknown;
        }
    }
    for (line, predicted) in predicted {
        let counted = counted.get(&line).copied().unwrap_or_default();
        for (kind, predicted, counted) in [
            ("loads", predicted[0], counted[0]),
            ("stores", predicted[1], counted[1]),
        ] {
            judgement.counts += usize::from(0 < counted);
            let is_exact = matches!(predicted, Counted::Exact(_));
            judgement.exact += usize::from(0 < counted && is_exact);
            judgement.expect(predicted, counted, &format!("{kind} of line {line}"));
        }
    }
    let flops: u64 = counted.values().map(|counts| counts[2]).sum();
    judgement.expect(flops_of(tree), flops, "operations");
    judgement
}

impl Judgement {
    fn expect(&mut self, predicted: Counted, counted: u64, what: &str) {
        let allows = predicted
            .bounds()
            .is_none_or(|(least, most)| least <= counted && counted <= most);
        if !allows {
            let message = format!("{what}: {predicted:?}, but {counted} are counted");
            self.differences.push(message);
        }
    }
}

/// Sums, differences, products and quotients of real numbers.
fn flops_of(tree: &NestTree) -> Counted {
    let Ok(counts) = enumerate(tree, &BTreeMap::new(), STEPS) else {
        return Counted::Unknown;
    };
    counts.of(Scope::Function).operations(|operation| {
        operation.operands.is_floating()
            && matches!(
                operation.kind,
                OperationKind::Add
                    | OperationKind::Subtract
                    | OperationKind::Multiply
                    | OperationKind::Divide
            )
    })
}
