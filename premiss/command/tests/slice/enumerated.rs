//! What executing the loops counts, put together in the convention of PBound here: scalars that are read are loaded
//! once, headers count for each iteration and once for each entry, a fused pair is one operation.

use crate::Row;
use premiss_analyze::{
    BudgetScope, Counts, Effort, ElementKind, Engine, FunctionAnalysis, Hierarchy, Layout,
    MeasureOptions, MeasureScope, ReadOptions, Scope, measure, read,
};
use premiss_machine::{CacheLevel, Machine};
use premiss_source::{MemoryFiles, SourceMap};
use premiss_tree::{AccessKind, LoopId, NestTree};
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of what begins in each line of a function, without the loops inside; those of the function at 0.
/// Nothing where nobody knows some of them.
pub(crate) fn rows(
    path: &str,
    text: &[u8],
    function: &str,
    sizes: &BTreeMap<String, i64>,
) -> Option<BTreeMap<u32, Row>> {
    let mut sources = SourceMap::new();
    let file = sources.add(path, text.to_vec()).expect("a small file");
    let options = ReadOptions {
        sizes: sizes.clone(),
        ..ReadOptions::default()
    };
    let program = read(&mut sources, file, &options, &MemoryFiles::new());
    let analysis = measure(program, &measuring());
    let mut functions = analysis.functions.iter();
    let found = functions.find(|found| found.tree.function == function);
    let found = found.unwrap_or_else(|| panic!("{path} has no {function}"));
    let mut lines = BTreeMap::from([(0, own(found, None)?)]);
    for (id, header) in &found.tree.loops {
        let line = sources.start(header.span).line;
        let sum = lines.entry(line).or_insert([(0, 0); 6]);
        add(sum, &own(found, Some(id))?);
    }
    lines.retain(|_, row| *row != [(0, 0); 6]);
    Some(lines)
}

fn add(sum: &mut Row, row: &Row) {
    for (sum, each) in sum.iter_mut().zip(row) {
        *sum = (sum.0 + each.0, sum.1 + each.1);
    }
}

/// What a loop does itself: all that it does without what the loops in it do.
fn own(found: &FunctionAnalysis, inside: Option<LoopId>) -> Option<Row> {
    let tree = &found.tree;
    let scope = inside.map_or(Scope::Function, Scope::Loop);
    let mut row = inclusive(found.operations.of(scope))?;
    let children = tree
        .loops
        .iter()
        .filter(|(_, header)| header.inside == inside);
    for (id, _) in children {
        let inner = inclusive(found.operations.of(Scope::Loop(id)))?;
        for (sum, each) in row.iter_mut().zip(inner) {
            *sum = (sum.0 - each.0, sum.1 - each.1);
        }
    }
    let Some(id) = inside else {
        let [integers, floats] = scalars(tree);
        add(&mut row, &[integers, 0, floats, 0, 0, 0].map(|x| (x, x)));
        return Some(row);
    };
    let runs = found.operations.runs(id);
    let header = tree.work.headers[id].performed.iter();
    let header = header.filter(|(operation, _)| !operation.operands.is_floating());
    let each: u64 = header.map(|(_, times)| u64::from(*times)).sum();
    let iterations = runs.iterations.bounds()?;
    let entries = runs.entries.bounds()?;
    row[4].0 += each * iterations.0 + entries.0;
    row[4].1 += each * iterations.1 + entries.1;
    Some(row)
}

fn inclusive(counts: &Counts) -> Option<Row> {
    let moved = |access, kind| {
        let elements = counts.traffic(access, kind).elements;
        elements.bounds()
    };
    let operations = |is_floating: bool| {
        let found = counts.operations(|x| x.operands.is_floating() == is_floating);
        found.bounds()
    };
    let (flops, fused) = (operations(true)?, counts.fused().bounds()?);
    Some([
        moved(AccessKind::Load, ElementKind::Integer)?,
        moved(AccessKind::Store, ElementKind::Integer)?,
        moved(AccessKind::Load, ElementKind::Floating)?,
        moved(AccessKind::Store, ElementKind::Floating)?,
        operations(false)?,
        (flops.0 - fused.0, flops.1 - fused.1),
    ])
}

/// How many integers and real numbers are scalars that some statement or header reads.
fn scalars(tree: &NestTree) -> [u64; 2] {
    let mut read = BTreeSet::new();
    for row in tree.work.operations.values() {
        read.extend(row.arithmetic.reads.keys().copied());
    }
    for id in tree.loops.keys() {
        read.extend(tree.work.headers[id].reads.keys().copied());
    }
    let mut counts = [0, 0];
    for id in read {
        let scalar = &tree.work.scalars[id];
        if !scalar.is_member {
            counts[usize::from(scalar.holds.is_floating())] += 1;
        }
    }
    counts
}

fn measuring() -> MeasureOptions {
    let level = CacheLevel::parse("L1=4KiB,full,64").expect("a level");
    MeasureOptions {
        scope: MeasureScope::Everything,
        machine: Machine::new("test", "", vec![level], Vec::new()).expect("a machine"),
        hierarchy: Hierarchy::Independent,
        layout: Layout::Page4096,
        bases: BTreeMap::new(),
        engine: Engine::Trace,
        budget: 1_000_000_000,
        effort: Effort::DEFAULT,
        budget_scope: BudgetScope::Function,
        store: None,
    }
}
