//! `premiss formula --emit`: formulas as code.

mod pbound;

use super::completeness::Completeness;
use super::formula_request::{FormulaRequest, check_classes};
use super::left_out_levels::say_left_out;
use crate::arguments::{EmitChoice, FormulaArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output;
use premiss_analyze::{FunctionCode, MeasureOptions, Program, ResidueClasses, function_code};
use premiss_report::{CodeLanguage, emit_code, render_diagnostics};
use premiss_source::SourceMap;
use premiss_tree::NestTree;
use std::collections::BTreeMap;

pub(super) fn run(
    arguments: &FormulaArguments,
    measuring: &MeasureOptions,
    (choice, sources): (EmitChoice, &SourceMap),
    program: &Program,
    invocation: Invocation<'_>,
) -> Result<Exit, Failure> {
    let language = match choice {
        EmitChoice::C => CodeLanguage::C,
        EmitChoice::Rust => CodeLanguage::Rust,
        EmitChoice::Python => CodeLanguage::Python,
        EmitChoice::Json => CodeLanguage::Json,
        EmitChoice::Symbolica => CodeLanguage::Symbolica,
        EmitChoice::Pbound => {
            return pbound::run(arguments, measuring, sources, program, invocation);
        }
    };
    let all = arguments.class.iter().any(|text| text == "all");
    if all && 1 < arguments.class.len() {
        let why = "--class all: it is every class, and no other --class goes with it";
        return Err(Failure::usage(why));
    }
    let named = match all {
        true => BTreeMap::new(),
        false => flags::classes(&arguments.class)?,
    };
    check_classes(program, &named)?;
    let request = FormulaRequest::new(arguments, measuring, named)?;
    say_left_out(&measuring.machine);
    output::say(&render_diagnostics(
        sources,
        &program.diagnostics,
        invocation.colours.stderr,
    ));
    let code = |tree: &NestTree| {
        let classes = match all {
            true => ResidueClasses::All,
            false => ResidueClasses::Single(request.residues(tree)),
        };
        let on = (&measuring.machine, measuring.hierarchy);
        function_code(tree, &request.levels, &classes, on, request.options)
    };
    let found: Vec<FunctionCode> = program.functions.iter().map(code).collect();
    let functions: Vec<(&NestTree, &FunctionCode)> = program.functions.iter().zip(&found).collect();
    say_missing(&functions);
    let text = emit_code(sources, &functions, &assumptions(measuring), language);
    output::write(arguments.output.output.as_deref(), &text)?;
    let completeness = Completeness {
        functions: found.len(),
        is_counted: found.iter().all(|code| code.is_counted),
        diagnostics: &program.diagnostics,
    };
    Ok(completeness.exit())
}

/// Reports for each function why quantities are missing, and which residue classes are left out.
fn say_missing(functions: &[(&NestTree, &FunctionCode)]) {
    for (tree, code) in functions {
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for quantity in &code.quantities {
            if let Err(why) = &quantity.value {
                reasons.entry(why).or_default().push(&quantity.name);
            }
        }
        for (why, names) in reasons {
            let names = names.join(", ");
            output::say(&format!(
                "note: `{}` has no {names}: {why}\n",
                tree.function
            ));
        }
        for line in &code.left_out {
            output::say(&format!("note: `{}` leaves out {line}\n", tree.function));
        }
    }
}

/// The assumptions of all formulas.
fn assumptions(measuring: &MeasureOptions) -> Vec<String> {
    let layout = match measuring.alignment() {
        Some(alignment) => {
            format!("Arrays start at multiples of {alignment} bytes and do not overlap.")
        }
        None => "Arrays start where --array-base says, and do not overlap.".to_owned(),
    };
    vec![
        format!(
            "Written by premiss {} formula --emit.",
            env!("CARGO_PKG_VERSION")
        ),
        layout,
        "Caches are empty at first, fully associative, LRU, and allocate on stores.".to_owned(),
        "Times are of one core, at least: the picoseconds of whatever takes longest.".to_owned(),
    ]
}
