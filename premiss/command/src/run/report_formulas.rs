//! The formulas of functions that a report does not count, as their sizes have no values.

use crate::flags;
use premiss_analyze::{
    Analysis, Convention, CountError, Engine, FunctionAnalysis, FunctionFormulas, FunctionWork,
    MeasureOptions, NoClosedForm, SymbolicOptions, TraceError, bounded_formulas, parallel, work,
};
use premiss_check::lru_levels;
use premiss_report::{Colour, Details, formula_text};
use premiss_source::SourceMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The most functions whose formulas a report derives.
const MOST_FUNCTIONS: usize = 12;

/// Takes the functions out of an analysis whose sizes have no values, if they may have formulas.
pub(super) fn take_symbolic(
    analysis: &mut Analysis,
    measuring: &MeasureOptions,
) -> Vec<FunctionAnalysis> {
    let is_symbolic = |function: &mut FunctionAnalysis| {
        let failure = &function.failure;
        matches!(
            failure,
            Some(CountError::Trace(TraceError::MissingSizes(_)))
        )
    };
    match measuring.engine {
        Engine::Trace => Vec::new(),
        Engine::Auto | Engine::Closed => analysis.functions.extract_if(.., is_symbolic).collect(),
    }
}

/// The formulas of each function as a whole, or why it has none; of more than twelve, the others are named.
pub(super) fn text(
    sources: &SourceMap,
    functions: &[FunctionAnalysis],
    measuring: &MeasureOptions,
    colour: Colour,
) -> String {
    let (shown, others) = functions.split_at(functions.len().min(MOST_FUNCTIONS));
    let answers = parallel::map(shown, |function| answer(function, measuring));
    let mut text = String::new();
    for (function, (formulas, work)) in shown.iter().zip(&answers) {
        let tree = &function.tree;
        match formulas {
            Ok(formulas) => {
                let described = [(tree, formulas, work)];
                text += &formula_text(sources, &described, Details::Totals, colour);
            }
            Err(why) => {
                let path = sources.file(tree.span.file).path();
                let line = sources.start(tree.span).line;
                let (name, why) = (&tree.function, why.message(tree));
                let _ = writeln!(text, "{path}:{line} {name} · no formulas: {why}\n");
            }
        }
    }
    if !others.is_empty() {
        let names = others.iter().map(|x| x.tree.function.as_str());
        let names: Vec<&str> = names.take(MOST_FUNCTIONS).collect();
        let more = if names.len() < others.len() {
            ", …"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "{} more functions, for which --function NAME shows formulas: {}{more}\n",
            others.len(),
            names.join(", ")
        );
    }
    text
}

/// The formulas of a function, and those of its work.
fn answer(
    function: &FunctionAnalysis,
    measuring: &MeasureOptions,
) -> (
    Result<FunctionFormulas, NoClosedForm>,
    Result<FunctionWork, String>,
) {
    let tree = &function.tree;
    let line_size = flags::first_line_size(&measuring.machine);
    let levels: Vec<_> = lru_levels(&measuring.machine, line_size).collect();
    let options = SymbolicOptions {
        line_size,
        alignment: measuring.alignment(),
        bound: None,
        effort: measuring.effort,
        store: measuring.store.as_deref(),
    };
    (
        bounded_formulas(tree, &levels, &BTreeMap::new(), options),
        work(tree, Convention::Elements, measuring.effort.steps),
    )
}
