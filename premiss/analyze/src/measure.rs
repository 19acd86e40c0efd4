//! Measures all functions of a program.

use crate::assemble::assemble;
use crate::coverage::Coverage;
use crate::diagnostics::describe;
use crate::front_end::read;
use crate::function_analysis::FunctionAnalysis;
use crate::operations::FunctionArithmetic;
use crate::options::{Layout, MeasureOptions};
use crate::program::{Program, sort_by_place};
use crate::read_options::ReadOptions;
use crate::run_tasks::{choose_engines, run_all};
use premiss_cache::Hierarchy;
use premiss_machine::Machine;
use premiss_parallel as parallel;
use premiss_source::{Diagnostic, FileId, Files, SourceMap};
use premiss_tree::{Assumption, NestTree, assumption_texts};
use std::collections::{BTreeMap, BTreeSet};

/// The analysis of a program on one machine.
#[derive(Debug)]
pub struct Analysis {
    /// The machine.
    pub machine: Machine,
    /// Which accesses each of its levels saw.
    pub hierarchy: Hierarchy,
    /// Where arrays start in memory.
    pub layout: Layout,
    /// The functions with loop nests, in the order of the source.
    pub functions: Vec<FunctionAnalysis>,
    /// The number of nests in each class, over all functions.
    pub coverage: Coverage,
    /// The assumptions that the counts rest on; sentences without a final stop.
    pub assumptions: Vec<String>,
    /// The diagnostics of the front end, rejections included, and of the engines: missing sizes, exhausted budgets.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file, in the language that its name tells, and measures each of its functions: [`read()`] and then
/// [`measure()`].
pub fn analyze(
    sources: &mut SourceMap,
    file: FileId,
    reading: &ReadOptions,
    measuring: &MeasureOptions,
    files: &dyn Files,
) -> Analysis {
    measure(read(sources, file, reading, files), measuring)
}

/// Measures each function by itself, entered with cold caches (rule 12 of the access model). What cannot be counted is
/// unknown in the result and has a diagnostic there.
#[must_use]
pub fn measure(program: Program, options: &MeasureOptions) -> Analysis {
    let options = options.shared_by(&program.functions);
    measure_each(program, &options, &|_| ())
}

/// The same with options that are those of each function, from [`MeasureOptions::shared_by`]. Calls `is_done` with each
/// function that is measured, on any thread.
#[must_use]
pub fn measure_each(
    program: Program,
    options: &MeasureOptions,
    is_done: &(dyn Fn(&FunctionAnalysis) + Sync),
) -> Analysis {
    let macros = macro_sizes(&program);
    let estimates = program.estimates_rest_on();
    let mut diagnostics = program.diagnostics;
    let measured = parallel::map(program.functions, |tree| {
        let (function, uncounted) = measure_one(tree, &macros, options);
        is_done(&function);
        (function, uncounted)
    });
    let (functions, uncounted): (Vec<_>, Vec<_>) = measured.into_iter().unzip();
    diagnostics.extend(uncounted.into_iter().flatten());
    sort_by_place(&mut diagnostics);
    Analysis {
        coverage: functions.iter().map(FunctionAnalysis::coverage).sum(),
        assumptions: assumptions(&functions, estimates, options),
        machine: options.machine.clone(),
        hierarchy: options.hierarchy,
        layout: options.layout,
        functions,
        diagnostics,
    }
}

/// Measures one function of a program, as [`measure()`] does.
#[must_use]
pub fn measure_function(tree: NestTree, options: &MeasureOptions) -> FunctionAnalysis {
    measure_one(tree, &BTreeMap::new(), options).0
}

/// A function with what could not be counted of it. `macros` has the sizes that are no function's own.
fn measure_one(
    tree: NestTree,
    macros: &BTreeMap<String, i64>,
    options: &MeasureOptions,
) -> (FunctionAnalysis, Vec<Diagnostic>) {
    let choices = choose_engines(&tree, options);
    let outcomes = run_all(&tree, &choices, options);
    let arithmetic = FunctionArithmetic::of(&tree, options);
    let uncounted = describe(&tree, &outcomes, options);
    let function = assemble(tree, macros, &choices, &outcomes, arithmetic, options);
    (function, uncounted)
}

/// The sizes given to macros and constants: those that are no function's own.
fn macro_sizes(program: &Program) -> BTreeMap<String, i64> {
    let trees = program.functions.iter();
    let own: BTreeSet<&str> = trees
        .flat_map(|tree| tree.parameters.values())
        .map(|parameter| parameter.name.as_str())
        .collect();
    let given = program.used_sizes.iter();
    let macros = given.filter(|(name, _)| !own.contains(name.as_str()));
    macros.map(|(name, value)| (name.clone(), *value)).collect()
}

fn assumptions(
    functions: &[FunctionAnalysis],
    estimates: Option<String>,
    options: &MeasureOptions,
) -> Vec<String> {
    let mut assumptions = Vec::new();
    if functions.iter().any(|x| 1 < x.tree.arrays.len()) {
        assumptions.push("distinct names are distinct arrays".to_owned());
    }
    if !functions.is_empty() {
        assumptions.push("every function starts with cold caches".to_owned());
        let layout = match options.layout {
            Layout::Page4096 => "arrays start at multiples of 4096 bytes (page4096)",
            Layout::Packed64 => "arrays start at multiples of 64 bytes (packed64)",
        };
        assumptions.push(layout.to_owned());
        assumptions.push("scalars stay in registers".to_owned());
    }
    let assumed = functions.iter().flat_map(|x| &x.tree.assumptions);
    let assumed: BTreeSet<Assumption> = assumed.cloned().collect();
    assumptions.extend(assumption_texts(&assumed));
    assumptions.extend(estimates);
    assumptions
}
