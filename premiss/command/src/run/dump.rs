//! `premiss dump`: one stage between text and misses, in its textual form.

use super::completeness::Completeness;
use crate::arguments::{DumpArguments, StageChoice};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output;
use premiss_analyze::{
    NoClosedForm, SymbolicOptions, no_closed_form, parallel, print_histogram, print_reuse,
    print_scop,
};
use premiss_check::{
    SymbolicProgram, check_bounds, check_sizes, displayed_paths, open_files, select,
};
use premiss_report::render_diagnostics;
use premiss_source::SourceMap;
use premiss_tree::NestTree;
use std::fmt::Write as _;

pub(crate) fn run(arguments: &DumpArguments, invocation: Invocation<'_>) -> Result<Exit, Failure> {
    let reading = flags::symbolic_reading(&arguments.reading, invocation.matches)?;
    let measuring = flags::measuring(&arguments.measuring)?;
    let mut sources = SourceMap::new();
    let inputs = flags::input_options(&arguments.reading);
    let request = flags::file_request(&arguments.input, &inputs, &reading, invocation.host);
    let files = open_files(&mut sources, &request)?;
    let program = SymbolicProgram::read(&mut sources, &files, &reading, invocation.host);
    let mut program = program.symbolic;
    let paths = displayed_paths(&sources, &files);
    check_sizes(&program.unused_sizes, &program.size_names, &paths)?;
    select(&mut program, arguments.function.as_deref())?;
    check_bounds(&sources, &program, &|_| None)?;
    let caches = measuring.machine.caches();
    let line_size = caches.first().map(|cache| cache.geometry().line_size);
    let options = SymbolicOptions {
        line_size: line_size.unwrap_or(64),
        alignment: measuring.alignment(),
        bound: None,
        effort: measuring.effort,
        store: measuring.store.as_deref(),
    };
    let stages = parallel::map(&program.functions, |tree| {
        print(tree, arguments.stage, options)
    });
    let mut diagnostics = std::mem::take(&mut program.diagnostics);
    let mut text = String::new();
    for (tree, stage) in program.functions.iter().zip(&stages) {
        match stage {
            Ok(stage) => {
                if 1 < stages.len() {
                    let _ = writeln!(text, "# {}", tree.function);
                }
                text.push_str(stage);
            }
            Err(why) => diagnostics.push(no_closed_form(tree, why)),
        }
    }
    output::say(&render_diagnostics(
        &sources,
        &diagnostics,
        invocation.colours.stderr,
    ));
    output::write(arguments.output.as_deref(), &text)?;
    let completeness = Completeness {
        functions: stages.len(),
        is_counted: stages.iter().all(Result::is_ok),
        diagnostics: &diagnostics,
    };
    Ok(completeness.exit())
}

/// A stage of a function as text.
fn print(
    tree: &NestTree,
    stage: StageChoice,
    options: SymbolicOptions<'_>,
) -> Result<String, NoClosedForm> {
    match stage {
        StageChoice::Tree => Ok(tree.to_string()),
        StageChoice::Scop => print_scop(tree, options),
        StageChoice::Reuse => print_reuse(tree, options),
        StageChoice::Histogram => print_histogram(tree, options),
    }
}
