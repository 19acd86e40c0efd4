//! The operations, loads and stores of functions, as formulas in text and JSON.

use super::{FormulaJson, Work, formula, no_formula, unknown};
use crate::algebra::{SizeNames, Spelling};
use premiss_analyze::{Formula, FunctionWork, LoopWork, WorkBounds, WorkFormula};
use premiss_source::SourceMap;
use premiss_tree::NestTree;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

#[derive(Serialize, JsonSchema)]
pub(super) struct LoopJson {
    iterator: String,
    line: u32,
    column: u32,
    work: WorkJson,
}

/// A line for each quantity of work; bounds are joined by `..`.
pub(super) fn work_text(sources: &SourceMap, tree: &NestTree, work: &Work) -> String {
    let work = match work {
        Ok(work) => work,
        Err(why) => return format!(" {:<22} ? ({why})\n", "operations"),
    };
    let names = SizeNames::new(tree, &work.parameters, Spelling::Text);
    let mut text = String::new();
    for quantity in &work.quantities {
        let written = work_line(&names, quantity);
        let _ = writeln!(text, " {:<22} {written}", quantity.name);
    }
    for own in &work.loops {
        let header = &tree.loops[own.id];
        let at = sources.start(header.span);
        let iterator = &header.iterator;
        let _ = writeln!(
            text,
            " {}:{} loop over {iterator}, itself",
            at.line, at.column
        );
        for quantity in &own.quantities {
            let written = work_line(&names, quantity);
            let _ = writeln!(text, "   {:<20} {written}", quantity.name);
        }
    }
    text
}

fn work_line(names: &SizeNames<'_>, quantity: &WorkFormula) -> String {
    let written = match &quantity.bounds {
        Err(why) => Ok(format!("? ({why})")),
        Ok(WorkBounds::Exact(formula)) => names.line(formula),
        Ok(WorkBounds::Between([lower, upper])) => names
            .line(lower)
            .and_then(|lower| Ok(format!("{lower} .. {}", names.line(upper)?))),
    };
    written.unwrap_or_else(no_formula)
}

/// The formulas of quantities by name; of bounds, the lower one comes first.
pub(super) type WorkJson = BTreeMap<String, Vec<FormulaJson>>;

pub(super) fn loops_json(sources: &SourceMap, tree: &NestTree, work: &Work) -> Vec<LoopJson> {
    let of_one = |work: &FunctionWork, own: &LoopWork| {
        let header = &tree.loops[own.id];
        let at = sources.start(header.span);
        LoopJson {
            iterator: header.iterator.clone(),
            line: at.line,
            column: at.column,
            work: quantities_json(tree, work, &own.quantities),
        }
    };
    let works = work.iter();
    works
        .flat_map(|work| work.loops.iter().map(move |own| of_one(work, own)))
        .collect()
}

pub(super) fn work_json(tree: &NestTree, work: &Work) -> WorkJson {
    match work {
        Ok(work) => quantities_json(tree, work, &work.quantities),
        Err(_) => BTreeMap::new(),
    }
}

fn quantities_json(tree: &NestTree, work: &FunctionWork, quantities: &[WorkFormula]) -> WorkJson {
    let names = SizeNames::new(tree, &work.parameters, Spelling::Plain);
    let of = |x: &Formula| formula(&names, &Ok(x.clone()));
    let of_one = |quantity: &WorkFormula| {
        let forms = match &quantity.bounds {
            Err(why) => vec![unknown(why.clone())],
            Ok(WorkBounds::Exact(exact)) => vec![of(exact)],
            Ok(WorkBounds::Between(bounds)) => bounds.iter().map(of).collect(),
        };
        (quantity.name.trim().to_owned(), forms)
    };
    quantities.iter().map(of_one).collect()
}
