//! Closed forms of a kernel, derived stage by stage.

use crate::judge::execute;
use crate::kernel::Kernel;
use crate::memo::compare_once;
use crate::truth::testdata;
use premiss_dataflow::{DistanceBound, analyze, analyze_bound};
use premiss_distance::{SizedHistogram, SymbolicHistogram, derive};
use premiss_histogram::ReuseDistanceHistogram;
use premiss_isl::with_budget;
use premiss_presburger::{Budget, Refusal};
use premiss_scop::{ArrayLayout, Obstacle, Reject, Scop, ScopOptions, Size, lower};
use premiss_trace::{Execution, PerReference, Placement};
use premiss_tree::{NestTree, ParameterId, ReferenceId};
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

/// What one derivation may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Operations with sets, while reuse is analyzed.
    pub operations: u64,
    /// Steps, while distances are counted.
    pub steps: u64,
}

impl Effort {
    /// Enough for every kernel.
    pub const GENEROUS: Self = Self {
        operations: 2_000_000_000,
        steps: 20_000_000,
    };
}

/// Values of loop variables that one histogram may be enumerated over.
const POINTS: u64 = 200_000_000;

/// Why there is no closed form.
#[derive(Clone, PartialEq, Debug)]
pub enum NoForm {
    /// The tree is outside the model.
    Rejected(String),
    /// A stage gave up.
    Refused(&'static str, Refusal),
}

/// How long each stage took.
#[derive(Clone, Copy, Default, Debug)]
pub struct Times {
    /// From the tree to the scop.
    pub lower: Duration,
    /// From the scop to the reuse relation.
    pub analyze: Duration,
    /// From the relation to the histogram.
    pub derive: Duration,
}

impl Times {
    /// All of it.
    #[must_use]
    pub fn total(self) -> Duration {
        self.lower + self.analyze + self.derive
    }
}

/// The closed form of a tree for lines of so many bytes and aligned arrays.
///
/// # Errors
/// The tree is outside the model, or a budget ran out.
pub fn closed_form(
    tree: &NestTree,
    line_size: u64,
    sizes: &BTreeMap<ParameterId, Size>,
) -> Result<(SymbolicHistogram, Times), NoForm> {
    let question = ScopOptions {
        line_size,
        layout: ArrayLayout::Aligned,
        sizes: sizes.clone(),
    };
    let started = Instant::now();
    let scop = lower(tree, &question).map_err(|reject| rejected(tree, &reject))?;
    let lower = started.elapsed();
    let (histogram, times) = form_of(&scop, Effort::GENEROUS)?;
    Ok((histogram, Times { lower, ..times }))
}

fn rejected(tree: &NestTree, reject: &Reject) -> NoForm {
    NoForm::Rejected(format!("{}: {}", reject.code(), reject.message(tree)))
}

/// The closed form of a scop, and how long it took after lowering.
///
/// # Errors
/// The effort did not suffice.
pub fn form_of(scop: &Scop, effort: Effort) -> Result<(SymbolicHistogram, Times), NoForm> {
    let mut times = Times::default();
    let started = Instant::now();
    let relation = with_budget(effort.operations, || analyze(scop));
    let relation = relation.map_err(|refusal| NoForm::Refused("analyze", refusal))?;
    times.analyze = started.elapsed();
    let started = Instant::now();
    let histogram = derive(scop, &relation, &mut Budget::new(effort.steps));
    let histogram = histogram.map_err(|refusal| NoForm::Refused("derive", refusal))?;
    times.derive = started.elapsed();
    Ok((histogram, times))
}

/// The closed form of the lower or of the upper distances of a scop, where data decide whether accesses execute.
///
/// # Errors
/// The effort did not suffice.
pub fn bound_of(
    scop: &Scop,
    bound: DistanceBound,
    effort: Effort,
) -> Result<SymbolicHistogram, NoForm> {
    let relation = with_budget(effort.operations, || analyze_bound(scop, bound));
    let relation = relation.map_err(|refusal| NoForm::Refused("analyze", refusal))?;
    let histogram = derive(scop, &relation, &mut Budget::new(effort.steps));
    histogram.map_err(|refusal| NoForm::Refused("derive", refusal))
}

/// Which sizes of a kernel are symbolic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sizes {
    /// All, independent of each other.
    Apart,
    /// One; each of the others is larger by eight than the one before, and there are three time
    /// steps.
    Tied,
}

/// Reads a kernel of `testdata` whose macros become sizes that it is given.
#[must_use]
pub fn with_parameters(path: &str, sizes: Sizes) -> Kernel {
    let text = fs::read_to_string(testdata().join(path)).expect("a kernel");
    let mut kept = String::new();
    let mut declared = String::new();
    let mut first: Option<(&str, i64)> = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("#ifndef ") {
            match (sizes, &mut first) {
                (Sizes::Tied, _) if name.starts_with('T') => kept += &format!("#define {name} 3\n"),
                (Sizes::Tied, Some((first, more))) => {
                    *more += 8;
                    kept += &format!("#define {name} ({first} + {more})\n");
                }
                _ => {
                    declared += &format!("int {name}, ");
                    first = Some((name, 0));
                }
            }
            assert!(lines.next().is_some_and(|line| line.starts_with("#define")));
            assert_eq!(lines.next(), Some("#endif"));
        } else {
            kept += line;
            kept += "\n";
        }
    }
    if !declared.is_empty() {
        let function = kept.find("void kernel").expect("the kernel");
        let open = function + kept[function..].find('(').expect("its parameters");
        kept.insert_str(open + 1, &declared);
    }
    Kernel::from_bytes(path, kept.into_bytes(), &[], &[])
}

/// The scop of a tree for lines of 64 bytes whose sizes are symbolic: numbers of time steps as they
/// are, others in one class modulo 8 or modulo what subscripts want.
///
/// # Errors
/// The tree is outside the model.
pub fn lower_in_class(tree: &NestTree, residue: i64) -> Result<Scop, NoForm> {
    lower_symbolic(tree, residue).map_err(|reject| rejected(tree, &reject))
}

/// The same, with the reason as lowering gives it.
///
/// # Errors
/// The tree is outside the model.
pub fn lower_symbolic(tree: &NestTree, residue: i64) -> Result<Scop, Reject> {
    lower_symbolic_by(lower, tree, residue)
}

/// The same, by [`lower`] or by [`lower_possible`](premiss_scop::lower_possible).
///
/// # Errors
/// The tree is outside the model.
pub fn lower_symbolic_by(
    lower: fn(&NestTree, &ScopOptions) -> Result<Scop, Reject>,
    tree: &NestTree,
    residue: i64,
) -> Result<Scop, Reject> {
    let mut question = ScopOptions {
        line_size: 64,
        layout: ArrayLayout::Aligned,
        sizes: BTreeMap::new(),
    };
    for id in tree.used_parameters() {
        let is_time = tree.parameters[id].name.starts_with('T');
        let factor = if is_time { 1 } else { 8 };
        let residue = residue % factor;
        let size = Size::Symbolic { factor, residue };
        question.sizes.insert(id, size);
    }
    loop {
        match lower(tree, &question) {
            Ok(scop) => return Ok(scop),
            Err(Reject::Expression {
                obstacle: Obstacle::Residue(id, factor),
                ..
            }) => {
                let wanted = Size::Symbolic { factor, residue };
                assert_ne!(question.sizes.insert(id, wanted), Some(wanted));
            }
            Err(reject) => return Err(reject),
        }
    }
}

/// The histograms of all references of a tree.
///
/// # Errors
/// A number does not fit, or there are too many values of loop variables to go through.
pub fn by_reference(
    tree: &NestTree,
    sized: &SizedHistogram,
) -> Result<PerReference<ReuseDistanceHistogram>, Refusal> {
    let mut histograms = PerReference::with_capacity(tree.references.len());
    for reference in tree.references.keys() {
        histograms[reference] = ReuseDistanceHistogram::default();
    }
    let mut budget = Budget::new(POINTS);
    for part in &sized.references {
        let id: ReferenceId = part.reference;
        histograms[id].merge(&part.histogram(&mut budget)?);
    }
    Ok(histograms)
}

/// How many whole lines symbolic sizes have, and how many more every other one of them has.
const LINES: [(i64, i64); 5] = [(2, 0), (3, 1), (5, 0), (4, 1), (1, 0)];

/// Time steps where they are symbolic.
const TIMES: [i64; 5] = [2, 3, 1, 4, 5];

/// Steps that the trace may take.
const TRACED: u64 = 1_000_000_000;

/// Derives the form of a kernel once for each class of sizes and compares it with the trace at five
/// points, reference by reference; at four of them or more the form must speak.
pub fn check_classes(path: &str, residues: &[i64], sizes: Sizes) {
    let read = with_parameters(path, sizes);
    let tree = read.unit.functions.last().expect("a function");
    for residue in residues {
        let what = format!("{path} in class {residue}");
        compare_once(tree, &what, || check_class(tree, *residue, &what));
    }
}

fn check_class(tree: &NestTree, residue: i64, what: &str) {
    let refused = |reason: NoForm| -> SymbolicHistogram { panic!("{what}: {reason:?}") };
    let form = lower_in_class(tree, residue)
        .and_then(|scop| form_of(&scop, Effort::GENEROUS))
        .map_or_else(refused, |(form, _)| form);
    assert!(!form.parameters.is_empty(), "{what}: no size is symbolic");
    let points = (0..LINES.len()).filter(|point| check_at(tree, &form, *point, what));
    assert!(4 <= points.count(), "{what}: its context is narrow");
}

/// Compares the form with the trace at one point, if it speaks of it.
fn check_at(tree: &NestTree, form: &SymbolicHistogram, point: usize, what: &str) -> bool {
    let (lines, more) = LINES[point];
    let mut values = Vec::new();
    let mut sizes: BTreeMap<ParameterId, i64> = BTreeMap::new();
    for (position, parameter) in (0..).zip(&form.parameters) {
        let value = match parameter.factor {
            1 => TIMES[point],
            _ => lines + more * (position % 2),
        };
        values.push(i128::from(value));
        sizes.insert(parameter.id, value * parameter.factor + parameter.residue);
    }
    if !form.context.contains(&values).expect("numbers fit") {
        return false;
    }
    let placement = Placement {
        alignment: 64,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(tree, &sizes, &placement, TRACED).expect("sizes fit");
    check_against(
        tree,
        form,
        &values,
        &execution,
        &format!("{what} at {sizes:?}"),
    );
    true
}

/// Compares the form of a tree without symbolic sizes with the trace in both layouts, reference by reference.
pub fn check_fixed(tree: &NestTree, what: &str) {
    compare_once(tree, what, || {
        let (form, _) = closed_form(tree, 64, &BTreeMap::new())
            .unwrap_or_else(|reason| panic!("{what}: {reason:?}"));
        check_form(tree, &form, what);
    });
}

/// Compares a form without symbolic sizes with the trace in both layouts, reference by reference.
pub fn check_form(tree: &NestTree, form: &SymbolicHistogram, what: &str) {
    for alignment in [64, 4096] {
        check_against(tree, form, &[], &execute(tree, alignment), what);
    }
}

fn check_against(
    tree: &NestTree,
    form: &SymbolicHistogram,
    values: &[i128],
    execution: &Execution<'_>,
    what: &str,
) {
    let refused = |refusal: Refusal| -> PerReference<ReuseDistanceHistogram> {
        panic!("{what}: {refusal:?}")
    };
    let found = form
        .at(values)
        .and_then(|sized| by_reference(tree, &sized))
        .unwrap_or_else(refused);
    let expected = execution.histograms(64).expect("in budget");
    for (reference, row) in &tree.references {
        assert_eq!(
            found[reference], expected[reference],
            "{what}: {} {:?}",
            row.text, row.kind
        );
    }
}
